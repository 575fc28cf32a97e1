/* From run values to verdicts, for the rows of one measure: which test a row gets, its p values,
 * their adjustment, and what follows. Internal to analysis/compare/: it pairs and orders
 * nothing. */
#pragma once

#include "analysis/compare/comparison.h"

/* A row that is to be decided: `base` and `new` of `value` are set. */
struct decide_row {
	struct compared *value;
	const char *name;
	size_t group; /* rows that may share a run effect have the same one; below the count */
};

/* Means, difference and change of a row, without any test. */
void decide_means(struct compared *value);
/* Decides all rows together; fills the numbers of the family in `measure`. Rows with `small` set
 * are left alone. */
int decide_rows(const struct decide_row *row, size_t count, const struct compare_options *opt,
	struct compared_measure *measure, struct error *err);
/* A change that was not claimed cannot be one that is seen in most cases: raises what an
 * INCONCLUSIVE row sees to its change. */
void verdict_raise_detectable(struct compared *v);
/* A row on its own: the total, the wall time. arena: as in compared_measure. */
void decide_single(struct compared *value, const struct compare_options *opt, enum measure_id id,
	double resolution, struct arena *arena);
