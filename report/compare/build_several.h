/* One report of several comparisons with the same base. It joins what build_comparison made of each
 * and words the sentence that names those which changed. */
#pragma once

#include "report/compare/build_compare.h"

/* A further side, and its comparison with the first. */
struct several_side {
	const struct compare_side *base, *new;
	const struct comparison *comparison;
	const struct report *report; /* of build_comparison, with build->several */
	const char *name; /* for people: without the folder of all sides; build_several sets it */
};

/* The parts have to live as long as the report. `alpha`: the level of all claims together. `build`:
 * names of rows. */
struct report *build_several(
	struct several_side *side, size_t count, double alpha, const struct build_options *build);
