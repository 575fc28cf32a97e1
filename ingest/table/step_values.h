/*
 * Durations of steps (model/step_series.h) while a table of observations is read, when the number
 * of steps is not known yet. What would take more room than the limits allow is left out, counted
 * and reported.
 */
#ifndef STEPSTAT_INGEST_TABLE_STEP_VALUES_H
#define STEPSTAT_INGEST_TABLE_STEP_VALUES_H

#include <stddef.h>
#include <stdint.h>
#include "base/intern.h"
#include "model/profile.h"

#define STEP_VALUES_MOST 8192 /* series: 1024 devices */

struct step_values_series;

struct step_values {
	struct profile *out;
	struct arena *arena;
	struct intern *keys; /* kind and device */
	struct step_values_series *series;
	size_t series_room;
	size_t cells;	/* for which there is room, of all series */
	size_t most;	/* of them */
	size_t dropped; /* values */
};

enum step_value_result { STEP_VALUE_SET, STEP_VALUE_SAME, STEP_VALUE_DIFFERS };

void step_values_init(
	struct step_values *values, struct profile *out, const struct profile_limits *limits);
/* The number of this series, which exists from now on, also without a value. */
uint32_t step_values_series(
	struct step_values *values, enum step_series_kind kind, const char *device);
/* DIFFERS, and nothing is set: the step has another value. A value that is left out counts as set.
 */
enum step_value_result step_values_set(
	struct step_values *values, uint32_t series, uint32_t step, int64_t value_ps);
/* Hands the series to the profile, whose steps are complete. */
void step_values_finish(struct step_values *values);
void step_values_release(struct step_values *values);

#endif
