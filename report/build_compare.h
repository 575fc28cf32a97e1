/*
 * The report of `stepstat compare`: means, differences and ratios of two sides, without a verdict.
 */
#ifndef STEPSTAT_REPORT_BUILD_COMPARE_H
#define STEPSTAT_REPORT_BUILD_COMPARE_H

#include "analysis/contrast.h"
#include "report/build.h"

struct compare_side {
	const char *label;
	const struct summary *summary;
	const struct cube *self;
};

/* opt->label is not used: each side has its own. */
struct report *build_compare(const struct compare_side *base, const struct compare_side *next,
	const struct contrast *contrast, const struct build_options *opt);

#endif
