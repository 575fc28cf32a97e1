/* Checks of whether two sides can be compared: different profilers, devices, numbers of processes
 * or batch sizes are an error before anything is compared, or, where the user allows it, a note. */
#pragma once

#include "analysis/compare/comparison.h"
#include "pipeline/settings.h"

/* ERROR_INPUT when they cannot; the hint names --allow-mixed. Where the settings allow it what is
 * wrong goes into opt->mixed instead, in the arena; a map of names allows different profilers. */
int comparable_check(const struct compare_side *base, const struct compare_side *new_side,
	const struct compare_settings *settings, struct arena *arena, struct compare_options *opt,
	struct error *err);
