/* How often an op ran, and how long each time: two questions about a row that did not run alike in
 * all steps. What chance leaves in the number of times hides a change of the time of one. */
#pragma once

#include "analysis/compare/comparison.h"

struct row_split {
	struct run_row one[2];	 /* base, new: the time of one, in the runs in which it ran */
	struct run_row often[2]; /* how many a step */
	const struct run_row *whole[2];
	bool of_calls;		/* "one" is an execution; else a step in which it ran */
	struct compared number; /* the test of how often */
	double change;		/* of one, as a fraction */
};

/* Gives the rows of measure `which` that it is possible for their split. */
void row_splits_make(const struct compare_side *base, const struct compare_side *new_side,
	const struct compare_options *opt, size_t which, struct comparison *comparison);

/* Before the rows are decided: those with a split are tested by the time of one. */
void row_splits_begin(struct comparison *comparison, size_t which);
/* After it: how often they ran is tested; where that changed, the row is decided as a whole. */
int row_splits_end(struct comparison *comparison, size_t which, const struct compare_options *opt,
	struct error *err);

/* The value with the run values that were tested: itself, or a copy in the arena. */
const struct compared *row_split_tested(const struct compared *value, struct arena *arena);

/* The split without one run of a side (of_new); in the arena. NULL stays NULL. */
struct row_split *row_split_without(
	const struct row_split *split, bool of_new, size_t run, struct arena *arena);
