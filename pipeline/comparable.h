/*
 * Whether two sides can be compared at all: different profilers, kinds of device or batch sizes
 * are an error before anything is compared.
 */
#ifndef STEPSTAT_PIPELINE_COMPARABLE_H
#define STEPSTAT_PIPELINE_COMPARABLE_H

#include "analysis/compare/comparison.h"

/* ERROR_INPUT when they cannot; the hint names --mixed=allow. */
int comparable_check(
	const struct compare_side *base, const struct compare_side *new_side, struct error *err);

#endif
