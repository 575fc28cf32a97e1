/*
 * The notes of a comparison on the steps of the runs: drift and shifts, two levels, outlier steps.
 * It only words what analysis/run_stability.h found.
 */
#ifndef STEPSTAT_REPORT_BUILD_COMPARE_STEADY_H
#define STEPSTAT_REPORT_BUILD_COMPARE_STEADY_H

#include "analysis/run_stability.h"
#include "report/build.h"

/* Adds at most three notes, one of each kind, about both sides. The labels ("base") stand in the
 * sentences as they are; cubes: give the numbers of the steps. */
void compare_steady_notes(struct report *report, const char *label_base,
	const struct steadiness *base, const char *label_new, const struct steadiness *new,
	const struct cube *base_cube, const struct cube *new_cube);

#endif
