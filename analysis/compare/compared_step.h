/*
 * The step as a whole: by how long it took where both sides say so alike, else by what its ops
 * took. It gives the run values of a side; the test is that of any single row (verdicts.h).
 */
#ifndef STEPSTAT_ANALYSIS_COMPARE_COMPARED_STEP_H
#define STEPSTAT_ANALYSIS_COMPARE_COMPARED_STEP_H

#include "analysis/run_values.h"

struct comparison;
struct compared;
struct compare_options;

/* How the step times of the sides relate. */
enum step_times_use {
	STEP_TIMES_NONE,   /* a side has none, or the sides have different kinds */
	STEP_TIMES_BESIDE, /* both have the same kind, but the step is judged by its op time */
	STEP_TIMES_DECIDE, /* the step is judged by them */
};

/* The use of step times by a comparison of this measure (model/step_time.h): only those of both
 * sides that have one kind are compared, and they decide about the time of all ops, where they do
 * so on both sides. */
enum step_times_use step_times_use(const struct run_side *base, const struct run_side *new_side,
	enum measure_id id, const struct run_value_options *opt);

/* The kept steps of a side as one row, in the arena: their step times (by_time), else the totals of
 * the measure over all ops, where a step that has an unknown value drops out. */
struct run_row step_row(const struct run_side *side, enum measure_id id, bool by_time,
	const struct run_value_options *opt, struct arena *arena);

/* The row that stands for the step: its step time where that decides, else the total of the first
 * measure. */
const struct compared *compared_step(const struct comparison *comparison);
/* How that is tested: `opt` with what is known of the spread of step times. */
struct compare_options compared_step_options(
	const struct comparison *comparison, const struct compare_options *opt);

#endif
