/*
 * Sums of occurrences.
 */
#include "analysis/executions.h"

#include "base/number.h"

/* Adds up; what is not known, or too large, makes the sum unknown. */
static void add(int64_t *sum, int64_t value)
{
	if (*sum != CELL_ABSENT && (value == CELL_ABSENT || !number_add(*sum, value, sum)))
		*sum = CELL_ABSENT;
}

static void add_op(const struct summary *summary, const struct summary_part *part,
	const struct cube *cube, uint32_t op, int64_t *sum)
{
	const struct step_set *steps = summary->steps;
	const size_t begin = steps->first[part->run_first],
		     end = steps->first[part->run_first + part->run_count];

	for (size_t row = cube->op_first[op]; row < cube->op_first[op + 1]; row++) {
		const uint32_t at = steps->index_of[cube->step_of[row]];

		if (at != STEP_NOT_KEPT && at >= begin && at < end)
			add(sum, cube_value(cube, MEASURE_OCCURRENCE, op, row));
	}
}

int64_t executions_of_group(
	const struct summary *summary, const struct summary_part *part, const struct group *group)
{
	int64_t sum = cube_has(summary->cube, MEASURE_OCCURRENCE) ? 0 : CELL_ABSENT;

	for (size_t i = 0; i < group->op_count && sum != CELL_ABSENT; i++)
		add_op(summary, part, summary->cube, group->op[i], &sum);
	return sum;
}

int64_t executions_of_all(
	const struct summary *summary, const struct cube *self, const struct summary_part *part)
{
	const struct grouping *grouping = summary->grouping;
	int64_t sum = cube_has(self, MEASURE_OCCURRENCE) ? 0 : CELL_ABSENT;

	if (summary->options.of_selected && !summary->overlap)
		for (size_t g = 0; g < grouping->count; g++)
			add(&sum, executions_of_group(summary, part, &grouping->group[g]));
	else
		for (uint32_t op = 0; op < self->op_count && sum != CELL_ABSENT; op++)
			add_op(summary, part, self, op, &sum);
	return sum;
}

int64_t executions_of_rest(
	const struct summary *summary, const struct cube *self, const bool *shown)
{
	const struct grouping *grouping = summary->grouping;
	int64_t rest = executions_of_all(summary, self, &summary->all);

	for (size_t g = 0; g < grouping->count; g++) {
		int64_t here;

		if (!shown[g])
			continue;
		here = executions_of_group(summary, &summary->all, &grouping->group[g]);
		add(&rest, here == CELL_ABSENT ? CELL_ABSENT : -here);
	}
	return rest;
}
