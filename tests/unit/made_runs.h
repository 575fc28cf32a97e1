/* Runs by hand, each of one value, and the choices of a comparison: what tests of verdicts start
 * from. */
#pragma once

#include <math.h>
#include "analysis/compare/comparison.h"

#define MARGIN 0.02

/* Margin and false discoveries as a comparison without options has them. */
static inline struct compare_options usual_options(enum compare_method method)
{
	return (struct compare_options){.method = method,
		.adjust = MULTIPLE_BH,
		.rule = {.margin_relative = MARGIN,
			.margin_absolute = NAN,
			.margin_share = NAN,
			.alpha = 0.05},
		.margin_ps = NAN,
		.margin_bytes = NAN,
		.confidence = 0.95,
		.run_cv = NAN};
}

/* A run of one step. */
static inline struct run_value run_of_value(double value, double scaled)
{
	return (struct run_value){.steps = 1,
		.ran = 1,
		.value = value,
		.scaled = scaled,
		.mean = value,
		.variance = NAN,
		.step_variance = NAN};
}

/* One side from its logarithms. */
static inline struct run_row *row_of_logs(struct arena *arena, const double *scaled, size_t runs)
{
	struct run_row *row = arena_alloc(arena, sizeof(*row));

	row->run = arena_array(arena, runs, sizeof(*row->run));
	row->runs = row->valued = runs;
	for (size_t r = 0; r < runs; r++) {
		const double value = exp(scaled[r]);

		row->run[r] = run_of_value(value, scaled[r]);
		row->run[r].least = row->run[r].most = value;
		row->mean += value / (double)runs;
	}
	return row;
}
