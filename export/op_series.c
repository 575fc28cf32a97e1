/* Rows of observations, one at a time. */
#include "export/op_series.h"

#include <stdlib.h>
#include <string.h>
#include "base/order.h"

void op_series_init(struct op_series *series, const struct observation_set *set, bool given,
	struct arena *arena)
{
	const struct step_set *steps = set->steps;
	size_t count = given ? set->given_count : set->measure_count;

	*series = (struct op_series){
		.cube = given ? set->given : set->cube,
		.measure = given ? set->given_measure : set->measure,
		.measure_count = count,
		.step_count = steps->count,
		.index_of = steps->index_of, /* given totals are of the same steps */
	};
	series->value = arena_array(arena, count, sizeof(*series->value));
	series->state = arena_array(arena, count, sizeof(*series->state));
	series->step = arena_array(arena, steps->count, sizeof(*series->step));
	series->seen = arena_array(arena, steps->count, sizeof(bool));
	for (size_t m = 0; m < count; m++) {
		if (measure_at(series->measure[m])->kind == MEASURE_STATIC)
			continue;
		series->value[m] = arena_array(arena, steps->count, sizeof(int64_t));
		series->state[m] = arena_array(arena, steps->count, 1);
	}
}

/* The steps in which the group ran, where no measure of the set has a series. */
static size_t list_steps(struct op_series *series, const struct group *group)
{
	size_t n = 0;

	for (size_t i = 0; i < group->op_count; i++) {
		uint32_t o = group->op[i];

		for (size_t r = series->cube->op_first[o]; r < series->cube->op_first[o + 1]; r++) {
			uint32_t at = series->index_of[series->cube->step_of[r]];

			if (at == STEP_NOT_KEPT || series->seen[at])
				continue;
			series->seen[at] = true;
			series->step[n++] = at;
		}
	}
	qsort(series->step, n, sizeof(*series->step), order_uint32);
	for (size_t i = 0; i < n; i++)
		series->seen[series->step[i]] = false;
	return n;
}

void op_series_read(struct op_series *series, const struct group *group)
{
	size_t ran = 0;
	bool any = false;

	for (size_t m = 0; m < series->measure_count; m++)
		if (series->value[m]) {
			for (size_t i = 0; i < series->ran; i++) {
				series->value[m][series->step[i]] = 0;
				series->state[m][series->step[i]] = 0;
			}
		}
	for (size_t m = 0; m < series->measure_count; m++)
		if (series->value[m]) {
			const struct group_series out = {.cube = series->cube,
				.step_index = series->index_of,
				.value = series->value[m],
				.state = series->state[m],
				.touched = series->step};

			ran = grouping_series(&out, group, series->measure[m]);
			any = true;
		}
	series->ran = any ? ran : list_steps(series, group);
}

const enum measure_id *op_series_measures(
	const struct cube *cube, const struct grouping *rows, struct arena *arena, size_t *count)
{
	enum measure_id *out = arena_array(arena, MEASURE_COUNT, sizeof(*out)), id;
	const size_t all = cube_measures(cube, out);
	bool grouped = false;

	for (size_t g = 0; g < rows->count; g++)
		grouped |= rows->group[g].op_count > 1;
	*count = 0;
	for (size_t i = 0; i < all; i++) {
		id = out[i];
		if (cube->column[id] ||
			(grouped && (id == MEASURE_TIME || id == MEASURE_FLOAT_OPS)))
			out[(*count)++] = id;
	}
	return out;
}

struct grouping op_series_each_op(const struct cube *cube, struct arena *arena)
{
	struct grouping out = {.count = cube->op_count};

	out.group = arena_array(arena, cube->op_count, sizeof(*out.group));
	for (uint32_t o = 0; o < cube->op_count; o++) {
		struct group *group = &out.group[o];

		group->name = cube->op[o].name;
		group->type = cube->op[o].type;
		group->device = cube->op[o].device;
		group->op = arena_array(arena, 1, sizeof(*group->op));
		group->op[0] = o;
		group->op_count = 1;
	}
	return out;
}

const struct collective_call *const *op_series_calls(
	const struct cube *cube, struct arena *arena, size_t **first)
{
	const struct collective_calls *calls = &cube->collectives;
	const struct collective_call **out = arena_array(arena, calls->count, sizeof(*out));
	size_t *of = arena_array(arena, cube->op_count + 2, sizeof(*of));

	for (size_t i = 0; i < calls->count; i++)
		of[calls->call[i].op + 2]++;
	for (size_t o = 0; o < cube->op_count; o++)
		of[o + 2] += of[o + 1];
	for (size_t i = 0; i < calls->count; i++)
		out[of[calls->call[i].op + 1]++] = &calls->call[i];
	*first = of;
	return out;
}

int64_t op_series_float_ops_each(const struct cube *cube, const struct group *group)
{
	return group->op_count == 1 ? cube->op[group->op[0]].float_ops_each : CELL_ABSENT;
}

bool op_series_step_known(const struct observation_set *set, const struct step_series *series)
{
	for (size_t i = 0; i < set->steps->count; i++)
		if (series->value_ps[set->steps->step[i]] != CELL_ABSENT)
			return true;
	return false;
}
