/* Answers of the runs beside the verdicts, which stay those on all runs. The run that lies apart
 * from the others of its side or lacks ops that they have, or the two that look exchanged, and what
 * the comparison says without them (stats/odd_runs.h). And where the runs differ mostly by
 * something common to all ops (a clock, a machine), which ops changed against the others. */
#pragma once

#include "analysis/compare/comparison.h"

/* Fills comparison->odd after the rows are decided; of the first measure. Where rounds are
 * compared, their differences are looked at. */
int compared_odd_find(
	struct comparison *comparison, const struct compare_options *opt, struct error *err);
/* Fills comparison->against, and `against` of its rows, likewise. Not with --normalize, whose
 * verdicts are this answer. */
int compared_against_find(
	struct comparison *comparison, const struct compare_options *opt, struct error *err);

/* Fills comparison->moved, and `moved` of its rows. Their verdicts are known. */
void moved_work_find(const struct compare_side *base, const struct compare_side *new_side,
	const struct compare_options *opt, struct comparison *comparison);
