/*
 * Measures to show or compare: those that were asked for, else the usual ones and all that the
 * inputs bring along.
 */
#ifndef STEPSTAT_PIPELINE_MEASURE_CHOICE_H
#define STEPSTAT_PIPELINE_MEASURE_CHOICE_H

#include "pipeline/one_side.h"

/* The chosen measures, which the side must all have; without a choice, time and requested where
 * the side has them. */
int side_measures(const struct side *side, const struct job_settings *settings, struct arena *arena,
	const enum measure_id **measure, size_t *count, struct error *err);
/* The same of two sides: the usual ones are time, requested and peak, and all must be on both
 * sides.
 */
int measures_of_both(const struct side *base, const struct side *new_side,
	const struct job_settings *settings, struct arena *arena, const enum measure_id **measure,
	size_t *count, struct error *err);

#endif
