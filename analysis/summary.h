/* The results of `report`: for every row and measure the statistics over the steps, shares and
 * jitter shares, the totals of the step, and the evidence for the notes. It decides nothing about
 * what is shown. */
#pragma once

#include "analysis/statistic.h"
#include "analysis/steps.h"
#include "analysis/select/grouping.h"
#include "stats/runs.h"

#define SUMMARY_OUTLIERS_KEPT 3

/* Rows beside those of all runs together. */
enum summary_parts {
	PARTS_NONE,
	PARTS_RUNS, /* a row and run */
	PARTS_RANKS /* a row and rank, of runs that are one rank each (analysis/job/rank_times.h) */
};

/* The series that jitter shares of times refer to. */
enum jitter_of {
	JITTER_OF_AUTO, /* the step time where it decides (model/step_series.h) */
	JITTER_OF_STEP,
	JITTER_OF_OPS /* the op time of the step */
};

struct summary_options {
	const enum measure_id *measure;
	size_t measure_count;
	struct sample_options sample;
	bool skip_absent; /* --absent=skip */
	bool of_selected; /* --of=selected: totals over the rows instead of over all ops */
	enum summary_parts parts;
	enum jitter_of jitter_of;
	/* those that need the whole series: statistic_needs_series */
	const struct statistic_choice *extra;
	size_t extra_count;
	/* Changes a value before anything is computed (the notebook layout rounds as tfprof
	 * prints); NULL: none. */
	double (*adjust)(const void *context, enum measure_id id, double value);
	const void *adjust_context;
	size_t threads; /* that describe rows, the caller's included; 0 is 1 */
};

/* One row's (or total's) one measure over one set of runs. */
struct summary_value {
	bool is_static;
	bool known; /* static: the value exists */
	bool spiky; /* the worst step alone changes CV by more than half (evidence for notes, one
		       run only) */
	bool resolution_limited; /* sd is below the resolution of the values (the same) */
	double static_value;
	struct runs runs;     /* over the steps that count */
	size_t ran, steps;    /* present in `ran` of `steps` */
	size_t lost;	      /* present but not known (out of range): left out */
	double share, jitter; /* fractions; NaN when undefined */
	double *extra;	      /* as in the options */
	/* Evidence for notes, one run only: */
	size_t outliers; /* steps further than 10 scaled MAD from the median; with spiky at least
			    the worst one */
	uint32_t outlier[SUMMARY_OUTLIERS_KEPT]; /* the first of them, in order: indexes in
						    cube->step */
	double cv_without;			 /* CV without them; NaN when undefined */
	const struct sample *when_run; /* over the steps in which it ran; NULL when these are all */
};

struct summary_row {
	const struct group *group;
	struct summary_value *value; /* per measure */
};

/* Means of one total over the steps of a part, for shares. */
struct summary_base {
	double sum;
	/* Deviations of the series that jitter shares refer to: that of each step from the mean of
	 * its run. */
	double *deviation;
	long double squares; /* of these; 0 when constant */
	/* The share of the jitter of the step time that no op has; NaN where jitter shares refer to
	 * the ops' total. */
	double not_in_ops;
};

/* A set of rows: all runs together; or one run, or a rank in one run or in several. */
struct summary_part {
	const char *run;	     /* name; "all" when several runs are together */
	const char *rank;	     /* of a part; "": it has no name */
	size_t run_first, run_count; /* in the step set */
	struct summary_row *row;     /* as grouping->group, same order */
	struct summary_value *total; /* over all ops, per measure */
	struct summary_base *base;   /* per measure */
	bool has_time, has_busy;
	struct runs time, busy; /* step time; how long any op ran in a step; ps */
};

struct summary {
	const struct cube *cube;
	const struct step_set *steps;
	const struct grouping *grouping;
	struct summary_options options;
	struct summary_part all;
	struct summary_part *part; /* as options.parts says; NULL: none */
	size_t part_count;
	/* Whose parts they are, with its runs and steps: this one, or that of the ranks. */
	const struct summary *parts_of;
	double time_resolution_ps; /* grid of the recorded times; 0 when unknown */
	size_t overlap;		   /* rows overlap (total values): no [other] row */
	struct arena *arena;
	double **step_total; /* per measure: totals of the kept steps */
	double *step_time;   /* of the kept steps, ps; NaN: of that step not known; NULL: of none */
	double **jitter_of;  /* per measure: what its jitter shares refer to */
	bool *step_known;    /* totals of the kept steps are whole, for all measures */
	size_t out_of_range; /* sums of rows in steps that 64 bits do not hold, which are unknown */
	const char *out_of_range_row; /* of the first of them; and its step, of the cube */
	uint32_t out_of_range_step;
};

/* `self` gives the totals; `cube` the rows (the same, or its scope totals). */
struct summary *summary_make(const struct cube *self, const struct cube *cube,
	const struct step_set *steps, const struct grouping *grouping,
	const struct summary_options *opt);
void summary_free(struct summary *summary);

/* The total minus the rows that are not hidden: what "[N other ops]" is. One value per measure, in
 * the summary's arena. */
struct summary_value *summary_rest(
	struct summary *summary, const struct summary_part *part, const bool *shown);

/* Describes one value for each kept step as a row is described, with the statistics of
 * options.extra and without shares. */
void summary_describe(const struct summary *summary, enum measure_id id, const double *x,
	struct summary_value *out);

/* True for the tails of a benchmark (percentiles outside 25 to 75 and beside the ends) of which
 * fewer than 10 of n values lie beyond them. */
bool summary_lacks_tail(
	const struct summary *summary, const struct statistic_choice *choice, size_t n);
/* Statistics of the first sentence of a report: the step time, without one the total of the first
 * measure. */
const struct runs *summary_first_runs(const struct summary *summary);

/* A statistic as a number in base units (fractions for shares), NaN when undefined. For CI: the
 * half width relative to the mean; low and high come from value->runs. */
double summary_statistic(const struct summary *summary, const struct summary_value *value,
	const struct statistic_choice *choice);

/* x[i] becomes the value of the group in kept step i, as its statistics have it: where it did not
 * run 0, with skip_absent NaN; NaN where it is not known, and everywhere for a static measure. */
void summary_row_series(
	const struct summary *summary, const struct group *group, size_t measure, double *x);

/* The mean of a series of the step (model/step_series.h) over the kept steps of which it is known,
 * ps; NaN when it is of none. `self` as in summary_make. */
double summary_series_mean(
	const struct summary *summary, const struct cube *self, enum step_series_kind kind);

/* out[row of the grouping]: of the first measure over all runs, is the jitter share above `least`,
 * and shown to be more than its share of the op time explains? Where all rows get longer together
 * one is named in at most about 5 % of reports (doc/statistics.md). */
void jitter_find(const struct summary *summary, double least, bool *out);
/* True if the rows of the first measure get longer together: the mean correlation of two of them,
 * weighted by their spread, is 0.5 or more, and more than chance. Never with skip_absent. */
bool jitter_is_common(const struct summary *summary);
