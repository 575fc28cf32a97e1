/*
 * The values of one row over the kept steps, one by one.
 */
#include "analysis/summary.h"

#include <math.h>
#include "base/memory.h"

static bool has_series(enum measure_id id)
{
	const enum measure_kind kind = measure_at(id)->kind;

	return kind == MEASURE_RECORDED || kind == MEASURE_DERIVED;
}

void summary_row_series(
	const struct summary *summary, const struct group *group, size_t measure, double *x)
{
	const struct summary_options *opt = &summary->options;
	const enum measure_id id = opt->measure[measure];
	const size_t n = summary->steps->count;
	int64_t *value = memory_alloc(memory_product(n + 1, sizeof(*value)));
	unsigned char *state = memory_alloc(n + 1);

	if (has_series(id))
		grouping_series(&(struct group_series){.cube = summary->cube,
					.step_index = summary->steps->index_of,
					.count = n,
					.value = value,
					.state = state},
			group, id);
	for (size_t i = 0; i < n; i++) {
		x[i] = NAN;
		if (has_series(id) && state[i] == 1) {
			x[i] = cube_mean(summary->cube, summary->steps->step[i], value[i]);
			if (opt->adjust)
				x[i] = opt->adjust(opt->adjust_context, id, x[i]);
		} else if (has_series(id) && state[i] == 0 && !opt->skip_absent) {
			x[i] = 0;
		}
	}
	memory_free(value);
	memory_free(state);
}
