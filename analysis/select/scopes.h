/*
 * Scopes of names as rows: all that the parts before a '/' name, each with every op below it, as a
 * tree shows them. Rows overlap. It applies no rules.
 */
#ifndef STEPSTAT_ANALYSIS_SELECT_SCOPES_H
#define STEPSTAT_ANALYSIS_SELECT_SCOPES_H

#include "analysis/select/grouping.h"

/* A row for each op and scope of the rows of `of` whose weight, that of its rows added up, is at
 * least `least`; weight[row of `of`] is not negative. Scopes that hold just one such row, and
 * nothing beside it, are that row. At most `most` rows, the heaviest. */
void scopes_make(const struct grouping *of, const double *weight, double least, size_t most,
	struct arena *arena, struct grouping *out);

#endif
