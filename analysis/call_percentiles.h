/*
 * Percentiles over calls: those of all rows and totals in one pass over the calls in order of their
 * times, each with a count of its own. For analysis/calls.c.
 */
#ifndef STEPSTAT_ANALYSIS_CALL_PERCENTILES_H
#define STEPSTAT_ANALYSIS_CALL_PERCENTILES_H

#include "analysis/calls.h"

/* True if this kind of call counts for the measure. `time` is that of the accelerator where the op
 * has any, as in the cube. (In analysis/calls.c.) */
bool calls_count_for(const struct cube *cube, enum measure_id id, uint32_t op, enum call_kind kind);

/* Fills `percentile` of all values, whose sums are known; and sets has_values. When the calls
 * cannot be read back, calls->failed is set. */
void call_percentiles_fill(struct calls *calls, const struct cube *self);
/* The same for one value per measure over these ops of `self`, in all kept steps. */
void call_percentiles_fill_rest(
	struct calls *calls, const struct cube *self, const bool *rest, struct call_value *value);

#endif
