/* The results of `report --per=call`: for every row and measure its calls, over the steps and rows
 * of a summary. All runs are pooled; with --per-run each has its own numbers too. What percentiles
 * need is read again one call at a time, so memory does not grow with the calls.
 *
 * A call is one execution. Calls of a step are not independent of each other, so there are no
 * intervals here. */
#pragma once

#include "analysis/summary.h"
#include "stats/moments.h"

/* One row's one measure. */
struct call_value {
	struct call_sums sums;
	struct moments moments; /* ps */
	bool is_time;		/* else a delay */
	bool spread_known;	/* the squares did fit */
	double share;		/* of the sum over all ops; NaN when undefined */
	double *percentile;	/* those of the options, in ps; NaN when undefined */
};

struct call_row {
	const struct group *group;
	struct call_value *value; /* per measure */
	size_t ran, steps;	  /* present in `ran` of `steps` */
};

struct call_part {
	const char *run;	  /* name; "all" when several runs are together */
	struct call_row *row;	  /* as grouping->group, same order */
	struct call_value *total; /* over all ops, per measure; self times */
};

struct calls_options {
	const struct statistic_choice *percentile; /* any order */
	size_t percentile_count;
};

struct calls {
	struct summary *summary;
	struct calls_options options;
	bool has_values;	 /* percentiles are known */
	struct call_sums device; /* of all calls on accelerators in the kept steps */
	struct call_sums delay;	 /* of those whose launch is known */
	bool failed;		 /* calls could not be read back */
	struct error error;	 /* then: why */
	struct call_part all;
	struct call_part *run; /* as summary->part, which are runs */
};

/* True if calls have this measure. They have time, cpu, accelerator, micros and delay. */
bool calls_have(enum measure_id id);

/* Into the summary's arena; all its measures must be ones that calls have, and both its cubes must
 * know calls. */
struct calls *calls_make(
	struct summary *summary, const struct cube *self, const struct calls_options *options);
/* The rest of all ops beside the rows that are shown; one value per measure, in the summary's
 * arena. */
struct call_value *calls_rest(struct calls *calls, const struct cube *self, const bool *shown);
/* -1: a percentile is missing because calls could not be read back. */
int calls_check(const struct calls *calls, struct error *err);
/* In base units (fractions for shares), NaN when undefined. */
double calls_statistic(const struct calls *calls, const struct call_value *value,
	const struct statistic_choice *choice);

/* Titles and names of statistics over calls, as analysis/statistics.def has those over steps. What
 * is of single calls says so; sum and share are the same per step. */

/* Over the column in tables; `first`: of the first measure. */
const char *call_column_title(struct arena *arena, const struct measure *measure, bool first,
	const struct statistic_choice *choice);
/* In files: "call_mean" of time_call_mean_us. */
const char *call_column_name(
	struct arena *arena, const struct statistic_choice *choice, bool population);
/* How early a narrow terminal leaves it out; 0: it stays, as the mean of each measure that was
 * `asked` for by name does. */
int call_column_drop(const struct measure *measure, bool first, bool asked,
	const struct statistic_choice *choice);
/* True if it is in a table for which nothing was chosen. */
bool call_column_is_usual(const struct calls *calls, const struct measure *measure, bool first,
	const struct statistic_choice *choice);
/* A part below 5 us, and shares of the whole, are of times only. */
bool call_column_is_defined(const struct measure *measure, const struct statistic_choice *choice);
/* Columns of files where nothing was chosen. */
size_t call_columns_of_files(struct arena *arena, struct statistic_choice **choice);
