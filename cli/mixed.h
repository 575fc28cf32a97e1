/*
 * Are two sides of a kind at all? Different profilers, kinds of device or batch sizes are told
 * before anything is compared.
 */
#ifndef STEPSTAT_CLI_MIXED_H
#define STEPSTAT_CLI_MIXED_H

#include "analysis/comparison.h"

/* ERROR_INPUT when they are not; the hint names --mixed=allow. */
int mixed_check(
	const struct compare_side *base, const struct compare_side *next, struct error *err);

#endif
