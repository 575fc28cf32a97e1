/* Rows over recorded runs: the values of each row with the session, the machine and the order of
 * the runs, and how much steps, runs, sessions and machines add to their variance. It compares no
 * sides and knows no gate. */
#pragma once

#include "analysis/run_values.h"
#include "stats/levels.h"

#define RECORDED_STEP "[step]" /* name of the row of the step as a whole */

struct recorded_row {
	const char *name; /* as recorded */
	enum measure_id measure;
	bool is_step;	    /* of the step as a whole */
	double share;	    /* of the step, NaN: rows are no parts of one */
	struct run_row row; /* its runs are those of the step set */
	struct levels levels;
	struct levels gate; /* of the runs that a gate has: those of `gate_machine` alone */
	size_t changes;	    /* that were taken out of the levels */
};

struct recorded_runs {
	struct recorded_row *row; /* step first, then by their part of it, by name where they have
				     none */
	size_t count;
	size_t constant; /* rows that are the same in all runs; they are not in it */
	size_t runs;
	const uint32_t *run;	   /* of each: index in cube->run */
	size_t *order;		   /* of time, of the runs */
	size_t *session, *machine; /* of each run, both in order of time */
	size_t sessions, machines;
	const char **machine_name; /* NULL: not known */
	/* The machine with most sessions, and how many these are. */
	size_t gate_machine, gate_sessions;
	bool has_starts;    /* the time of each run is known */
	double duration_ps; /* median of a run; NaN: not known */
	/* Typical rows: variances that the prior over the rows expects; NaN: not known. */
	double typical[LEVELS];
};

/* In the arena. */
struct recorded_runs *recorded_make(const struct run_side *side, const enum measure_id *measure,
	size_t measures, const struct run_value_options *opt, double min_share,
	struct arena *arena);

/* The levels again, of values (logarithms) of the runs from which changes of level were taken out,
 * so many, of these of `gate_machine`: what changed is no noise. */
void recorded_set_levels(struct recorded_runs *recorded, size_t row, const double *value,
	size_t changes, size_t of_gate);
/* And the typical ones. */
void recorded_set_typical(struct recorded_runs *recorded);

/* The smallest change, as a fraction, that a gate of these runs sees in 80 % at alpha; NaN: the
 * runs do not say, or only one of more than 1000 %. */
double recorded_sees(const struct levels *levels, const struct levels_gate *gate, double alpha);
/* The same of pairs recorded in turns within one session. */
double recorded_sees_in_turns(const struct levels *levels, size_t pairs, double alpha);
/* Runs of a gate in one new session that see a change of this size; 0: no number does. */
size_t recorded_runs_for(const struct levels *levels, double change, double alpha);
/* Sessions differ by so much, even without their runs, that a change of this size is hidden. */
bool recorded_sessions_hide(const struct levels *levels, double change, double alpha);
size_t recorded_pairs_for(const struct levels *levels, double change, double alpha);
