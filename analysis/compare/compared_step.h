/* The step as a whole: by how long it took where both sides say so alike, else by what its ops
 * took; further kinds of steps, and what the devices did in a step. It gives the run values; the
 * test is that of any single row (verdicts.h). */
#pragma once

#include "analysis/compare/comparison.h"

/* The use of step times by a comparison of this measure (model/step_series.h): only those of both
 * sides that have one kind are compared, and they decide about the time of all ops, where they do
 * so on both sides. */
enum step_times_use step_times_use(const struct run_side *base, const struct run_side *new_side,
	enum measure_id id, const struct run_value_options *opt);

/* The kept steps of a side as one row, in the arena: their step times (by_time), else the totals of
 * the measure over all ops, where a step that has an unknown value drops out. */
struct run_row step_row(const struct run_side *side, enum measure_id id, bool by_time,
	const struct run_value_options *opt, struct arena *arena);

/* How that is tested: `opt` with what is known of the spread of step times. */
struct compare_options compared_step_options(
	const struct comparison *comparison, const struct compare_options *opt);

/* Fills kind and kind_count of the comparison, in its arena. */
void compared_kinds_find(const struct comparison_input *input, struct comparison *out);

/* The kind of each step of the side, where both sides have it in enough steps of each run to be
 * judged, else 1: rows of a few steps could not be. In the arena. */
uint32_t *compared_kinds_of_steps(
	const struct run_side *side, const struct run_side *other, struct arena *arena);

/* "compute", "communication_alone", ..., "idle_host_late", ..., "window". */
const char *compared_part_name(enum compared_part part);

/* The devices of both sides. Devices of one name are one; where both sides have as many and the
 * names differ, they are taken in natural order. In the arena. */
void compared_devices_make(const struct run_side *base, const struct run_side *new_side,
	const struct compare_options *opt, struct arena *arena, struct compared_devices *out);
