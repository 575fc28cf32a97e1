/* The report of `stepstat compare --explain`: every number that led to the verdicts of some rows,
 * with the formulas in words. No random numbers are used anywhere. */
#pragma once

#include "analysis/compare/comparison.h"
#include "report/build.h"

/* Which rows: asked for each name, that in base too; also for "all ops" and "[small ops]". */
struct explain_choice {
	bool (*is_explained)(void *context, const char *name);
	void *context;
};

/* NULL when no row is taken. The table for programs has a row per run. */
struct report *build_compare_explain(const struct compare_side *base,
	const struct compare_side *new, const struct comparison *comparison,
	const struct compare_options *opt, const struct build_options *build,
	const struct explain_choice *choice);
