/* Causes of what a report or a comparison shows, each with its evidence, its size, its certainty
 * and its place: since when steps last longer, which steps are long and how often, which rank the
 * others wait for, what the host did while a device waited, what changed from base to new. One
 * table of finders makes all of them (causes.c); none decides words. Rules with their rates:
 * doc/statistics.md. */
#pragma once

#include "analysis/compare/comparison.h"
#include "analysis/job/job_ranks.h"
#include "analysis/totals.h"

#define CAUSES_SHOWN 3		/* in sentences, the largest ones */
#define CAUSES_KEPT 16		/* by programs */
#define CAUSES_SINGLE_MOST 2000 /* single long steps over all runs: of more none is looked into */

enum cause_kind {
	/* One side by itself. */
	CAUSE_SHIFT, /* the level changes at a step */
	CAUSE_TREND, /* steps get longer or shorter all along */
	CAUSE_LONG,  /* steps that last longer than their neighbours */
	CAUSE_RUN,   /* a run that stands apart from the others */
	CAUSE_SLOW_RANK,
	CAUSE_HOST_LATE, /* devices are idle because the host launched too late */
	/* New against base. */
	CAUSE_WORK,	/* ops that ran alike less often, or more, where nothing marks a step */
	CAUSE_CLOCK,	/* rows whose time changed as the clock did, the other way round */
	CAUSE_COMMON,	/* rows that changed alike */
	CAUSE_MOVED,	/* rows whose changes cancel */
	CAUSE_REPLACED, /* rows that are NEW in the place of GONE ones */
	CAUSE_ROW,
	CAUSE_IDLE,    /* a device is idle for longer or shorter */
	CAUSE_OUTSIDE, /* the step, and not its ops */
};

enum cause_place {
	CAUSE_IN_ROW,
	CAUSE_IN_ALL,	    /* all rows alike */
	CAUSE_IN_SEVERAL,   /* several rows, not alike; `group` has most of it */
	CAUSE_IN_CHANGING,  /* of several long steps: single rows, not the same in each */
	CAUSE_NOT_SELECTED, /* ops that are in no row */
	CAUSE_NOT_IN_OPS,   /* idle, waiting, what overlaps */
};

enum cause_side { CAUSE_OF_BOTH, CAUSE_OF_BASE, CAUSE_OF_NEW };

struct cause {
	enum cause_kind kind;
	enum cause_place place;
	enum cause_side side; /* of a comparison: the side that has it and the other has not */
	/* Time that it makes, over that of all kept steps, or of a step of base; below 0: it saves
	 * time. Of rows that replace each other what is left of both; of benchmarks the logarithm
	 * of what they lose. */
	double size;
	double p; /* of as much without a cause, adjusted for what was tested; NaN: no test */
	/* Level of a step before and after; of long steps the level of their neighbours and their
	 * own mean. Base units, as all levels. */
	double from, to;
	size_t group;		 /* of the grouping, of the comparison; SIZE_MAX: none */
	size_t measure;		 /* of the comparison: another than the first only of benchmarks */
	size_t rows;		 /* CAUSE_CLOCK: how many */
	double row_from, row_to; /* levels of the row */
	double calls_from, calls_to; /* how often the row ran; NaN: not known */
	size_t steps;		     /* long ones, over all runs; 0: not of long steps */
	size_t numbers;		     /* different numbers of these */
	bool at_least;		     /* some may hide in the spread of the ordinary ones */
	double spread;	/* of these about their level, as a fraction; NaN: little, or not known */
	size_t every;	/* distance of the long steps in each run; 0: none, or several */
	size_t runs;	/* with this cause */
	size_t run;	/* of the step set, of `step` */
	uint32_t step;	/* of the cube: the first after the change, the longest of long steps */
	uint32_t last;	/* with the level of a change that goes back; UINT32_MAX: it stays */
	size_t of_rank; /* of the job: it alone has what the steps have; SIZE_MAX: none */
	const struct rank_culprit *rank;
	const struct device_parts *device; /* CAUSE_HOST_LATE: the first of its kind */
	size_t devices;
	enum compared_part part; /* CAUSE_IDLE: what most of it is */
	const struct compared_device *compared;
	const char *host;	   /* what the host did in most of it; NULL: not known */
	const struct cause *since; /* what one side shows of the same; NULL: nothing */
};

struct cause_list {
	struct cause cause[CAUSES_KEPT]; /* in order of size */
	size_t count;
	size_t single; /* long steps, too many to look into each; 0: all were looked into */
	bool suffice;  /* they make most of the variance within runs */
};

/* Sources of causes; NULL: not that. */
struct cause_sources {
	const struct summary *summary; /* of one side */
	const struct job_ranks *ranks;
	const struct device_parts *device;
	size_t device_count;
	const struct comparison *comparison;
	double alpha;			     /* of the comparison */
	bool names_differ;		     /* rows that one side has alone say nothing */
	const struct compare_side *side[2];  /* base, new */
	const struct cause_list *of_side[2]; /* what each shows by itself */
};

/* Finders; each adds what it finds. */
void causes_in_series(const struct cause_sources *from, struct cause_list *out);
void causes_in_comparison(const struct cause_sources *from, struct cause_list *out);

void causes_find(const struct cause_sources *from, struct cause_list *out);
/* The shift or the trend of one run of the step set; false: it has none. */
bool causes_of_run(const struct summary *summary, size_t run, struct cause *out);
/* Takes the cause in by its size; where there is no room for it the smallest goes. For finders. */
void cause_list_add(struct cause_list *list, const struct cause *cause);
/* Without any value. */
struct cause cause_new(enum cause_kind kind);

/* True if nearly all rows of the first measure lean to one side by more than a trifle, or several
 * of them changed alike. */
bool compared_has_common_shift(const struct comparison *comparison);
/* And do the sides differ by more than chance allows among runs? Then not only the machine comes
 * into question. */
bool compared_shift_exceeds_runs(const struct comparison *comparison, double alpha);
/* Index of the clock, a measure in Hz, that explains the change of the row's first measure, its
 * time; SIZE_MAX: none. */
size_t compared_clock(const struct comparison *comparison, const struct compared_row *row);
/* REGRESSED, IMPROVED, SLOWER or FASTER? */
bool compared_claims_change(const struct compared *value);

/* True if `part` is more than half of `whole`, to the same side. */
bool cause_is_most(double part, double whole);
/* The length of a call changed, how often there were calls, or neither is known to make most of the
 * change of the row. */
enum cause_calls { CALLS_UNKNOWN, CALLS_MORE, CALLS_LONGER };
enum cause_calls cause_of_calls(const struct cause *cause);
/* "level-shift", "more-calls", ... */
const char *cause_code(const struct cause *cause);
