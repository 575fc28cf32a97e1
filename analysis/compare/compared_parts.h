/*
 * Activities of the devices in a step of base and of new: the parts of model/step_series.h, each as
 * a row with an interval. They are by time, where ops are by launch, and explain the step time;
 * they get no verdicts.
 */
#ifndef STEPSTAT_ANALYSIS_COMPARE_COMPARED_PARTS_H
#define STEPSTAT_ANALYSIS_COMPARE_COMPARED_PARTS_H

#include "analysis/compare/comparison.h"

/* "compute", "communication_alone", ..., "idle_host_late", ..., "window". */
const char *compared_part_name(enum compared_part part);

/* The devices of both sides. Devices of one name are one; where both sides have as many and the
 * names differ, they are taken in natural order. In the arena. */
void compared_devices_make(const struct run_side *base, const struct run_side *new_side,
	const struct compare_options *opt, struct arena *arena, struct compared_devices *out);

#endif
