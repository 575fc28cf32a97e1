/*
 * The notes of a comparison on the steps of the runs: drift and shifts, two levels, outlier steps.
 * It only words what analysis/run_stability.h found.
 */
#ifndef STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_STEADY_H
#define STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_STEADY_H

#include "analysis/run_stability.h"
#include "report/build.h"

struct steady_side {
	const char *label; /* "base": in the sentences as it is */
	const struct steadiness *steady;
	const struct cube *cube; /* gives the numbers of the steps */
};

/* Adds at most three notes, one of each kind, about both sides: base, then new. `time`: what the
 * steps were looked at by, "step time". */
void compare_steady_notes(
	struct report *report, const struct steady_side side[2], const char *time);

#endif
