/* Makes the data of the page of a comparison (report/page/page_compare.h) from its results. It
 * chooses and orders; every number is that of the comparison. */
#pragma once

#include "analysis/compare/comparison.h"
#include "report/build.h"
#include "report/page/page_compare.h"

struct page_compare_source {
	const struct compare_side *base, *new;
	const struct comparison *comparison;
	const struct compare_options *opt;
	const struct build_options *build;
	const char *command, *version; /* as in struct web_page */
	const char *const *input, *const *option;
	size_t input_count, option_count;
};

/* A report of build_comparison, perhaps with the result of a gate, gets the page, in its arena. */
void build_page_compare(struct report *report, const struct page_compare_source *from);
