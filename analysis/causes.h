/*
 * Causes of what a report of one side shows: since when steps last longer, which steps are long and
 * how often, and in which row that is. A cause is found in the series of the first measure of the
 * summary, the step time where there is one; its row is the one whose share of the change is most
 * above its share of the time. It decides no words. Rules with their rates: doc/statistics.md.
 */
#ifndef STEPSTAT_ANALYSIS_CAUSES_H
#define STEPSTAT_ANALYSIS_CAUSES_H

#include "analysis/summary.h"

#define CAUSES_MOST 3 /* given, the largest ones */

enum cause_kind {
	CAUSE_SHIFT, /* the level changes at a step */
	CAUSE_TREND, /* steps get longer or shorter all along */
	CAUSE_LONG,  /* steps that last longer than their neighbours */
};

enum cause_place {
	CAUSE_IN_ROW,
	CAUSE_IN_ALL,	    /* all rows alike */
	CAUSE_IN_SEVERAL,   /* several rows, not alike; `group` has most of it */
	CAUSE_NOT_SELECTED, /* ops that are in no row */
	CAUSE_NOT_IN_OPS,   /* idle, waiting, what overlaps */
};

struct cause {
	enum cause_kind kind;
	enum cause_place place;
	double size; /* time that it makes, over that of all kept steps; below 0: it saves time */
	/* Level of a step before and after; of long steps the level of their neighbours and their
	 * own mean. Base units, as all levels. */
	double from, to;
	size_t group;		     /* of the grouping; SIZE_MAX: none */
	double row_from, row_to;     /* levels of the row */
	double calls_from, calls_to; /* how often the row ran; NaN: not known */
	size_t steps;		     /* long ones, over all runs; 0: not of long steps */
	size_t numbers;		     /* different numbers of these */
	size_t every;  /* distance of the long steps in each run; 0: none, or several */
	size_t runs;   /* with this cause */
	size_t run;    /* of the step set, of `step` */
	uint32_t step; /* of the cube: the first after the change, the longest of long steps */
};

struct cause_list {
	struct cause cause[CAUSES_MOST]; /* in order of size */
	size_t count;
	bool suffice; /* they make most of the variance within runs */
};

/* Runs of fewer than DRIFT_VALUES_MIN steps have no cause, and steps of warm-up are none. Nothing
 * where rows overlap. */
void causes_find(const struct summary *summary, struct cause_list *out);
/* "level-shift", "trend", "long-step", "long-steps", "recurring-step", "periodic-steps". */
const char *cause_code(const struct cause *cause);

#endif
