/* The value of each row in each run: those that a comparison tests, since the run is the unit of
 * replication. It knows one side and compares nothing. */
#pragma once

#include "analysis/steps.h"
#include "analysis/select/grouping.h"

#define ROUNDING_LEAST 1e-5 /* of the value: a finer grid is not worth a look */

enum run_value_kind {
	RUN_VALUE_MEAN,	   /* total over the kept steps / their number: adds up to the step */
	RUN_VALUE_GEOMEAN, /* exp of the mean logarithm over the steps in which it ran */
	RUN_VALUE_MEDIAN,  /* of the steps */
	RUN_VALUE_TRIMMED, /* mean of the steps without a tenth at each end */
	RUN_VALUE_P90,	   /* percentiles of the steps: of one step its value, of others from 10 */
	RUN_VALUE_P99,	   /* beyond them on */
};

/* As users write them, in the order of the enum, then NULL. */
extern const char *const run_value_words[];

/* One row in one run. Values are per step, in base units, a step without the op counts as 0
 * (run_value_options.skip_absent: not at all), a step with a value that is not known does not
 * count. NaN: no step counts. */
struct run_value {
	size_t steps, ran; /* steps that count; steps in which it ran, with a known value or not */
	size_t kept;	   /* all kept steps of the run */
	size_t unknown;	   /* steps that do not count because the value is not known */
	double value;	   /* as the kind says */
	double scaled;	   /* its logarithm, which is what is tested; NaN unless above 0 */
	double mean, variance; /* of the steps; variance with divisor n - 1, NaN below 2 steps */
	/* Variance that the steps leave in `scaled`: sd(ln x)^2 / n_eff where the side has one run.
	 * Where it has several, (sd/mean)^2 / n_eff, the same to first order. */
	double step_variance;
	/* The same for an interval, with its degrees of freedom: n_eff_low and n_eff - 1 of struct
	 * sample; df is NaN when n_eff < 5. Where the side has several runs, NaN. */
	double interval_variance, interval_df;
	double least, most;		/* smallest and largest step */
	uint32_t least_step, most_step; /* which: index in cube->step */
};

struct run_row {
	const struct group *group; /* NULL: a merged row, a total of several */
	struct run_value *run;	   /* one per run of the step set */
	size_t runs;
	size_t valued; /* runs with a value */
	/* Grid of its steps, where they show one by themselves (grid_of_series); else 0: that of
	 * the recorded times counts. */
	double grid;
	/* Variance of the logarithm of the value that the resolution of the times leaves, alike in
	 * all runs; 0 where that is not known, and without a group. */
	double rounding;
	double mean;	   /* of these */
	size_t steps, ran; /* over all runs */
	size_t unknown;	   /* the same: steps whose value is not known */
	bool lost;	   /* a run has steps, and none with a known value */
	bool thin;	   /* in a run most steps in which it ran are not known, or all but one */
	bool zero;	   /* a run value is 0 */
	const char *undefined; /* why a run has no value of this kind; NULL: all have */
	/* The value is the same wherever it ran, or static: decided without a test. */
	bool constant;
	double constant_value;
};

struct run_value_options {
	enum run_value_kind kind;
	bool skip_absent; /* --absent=skip */
	bool of_selected; /* totals over the rows instead of over all ops */
};

/* A measure of one side. */
struct run_table {
	enum measure_id measure;
	size_t runs;
	struct run_row *row; /* one per group of the grouping, same order */
	size_t count;
	struct run_row total; /* of the step: over all ops */
	size_t out_of_range; /* sums of rows in steps that 64 bits do not hold, which are unknown */
	/* Fractions, medians over the rows above 1 % of the step (all rows where none is), one
	 * side:
	 */
	double cv_step, cv_run; /* between steps of a run, between run values */
	double icc, design_effect;
	double n_eff_share; /* median over rows and runs of n_eff / n */
};

struct run_side {
	const struct cube *self; /* gives the totals */
	const struct cube *cube; /* the one the rows are from */
	const struct step_set *steps;
	const struct grouping *grouping;
};

/* In the arena. Static measures have one value for all runs. */
void run_table_make(const struct run_side *side, enum measure_id id,
	const struct run_value_options *opt, struct arena *arena, struct run_table *out);
/* Several groups (indexes) added up step by step, as one row. */
struct run_row run_row_of_groups(const struct run_side *side, enum measure_id id,
	const struct run_value_options *opt, const size_t *group, size_t count,
	struct arena *arena);
/* The row with all its runs but one. */
void run_row_without(
	const struct run_row *row, size_t run, struct arena *arena, struct run_row *out);
/* State of a row in a step. */
enum run_step_state { RUN_STEP_ABSENT, RUN_STEP_PRESENT, RUN_STEP_UNKNOWN };

/* A series that is not made of ops (wall time, totals): x[i] and state[i] (enum run_step_state;
 * NULL: all present) belong to steps->step[i]. */
void run_row_of_series(const struct step_set *steps, const struct run_value_options *opt,
	const double *x, const unsigned char *state, struct arena *arena, struct run_row *out);
