/* The report of `stepstat compare`: which side is faster, what changed, how sure that is. It words
 * the results of analysis/compare/comparison.h and decides nothing. */
#pragma once

#include "analysis/compare/comparison.h"
#include "report/build.h"

struct gate;

/* build->label is not used: each side has its own. gate: what a gate made of it, so that the first
 * sentence agrees with the result; NULL: none. */
struct report *build_comparison(const struct compare_side *base, const struct compare_side *new,
	const struct comparison *comparison, const struct compare_options *opt,
	const struct build_options *build, const struct gate *gate);
