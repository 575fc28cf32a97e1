/*
 * Adds up the calls of the cube's rows, for each row of the report.
 */
#include "analysis/calls.h"

#include <math.h>
#include "analysis/call_percentiles.h"

bool calls_have(enum measure_id id)
{
	return id == MEASURE_TIME || id == MEASURE_CPU || id == MEASURE_ACCELERATOR ||
	       id == MEASURE_MICROS || id == MEASURE_DELAY;
}

bool calls_count_for(const struct cube *cube, enum measure_id id, uint32_t op, enum call_kind kind)
{
	enum measure_id own = kind == CALLS_CPU ? MEASURE_CPU : MEASURE_ACCELERATOR;

	if (!cube->calls[kind])
		return false;
	if (id == MEASURE_DELAY || kind == CALLS_DELAY)
		return id == MEASURE_DELAY && kind == CALLS_DELAY && cube->has_accelerator[op];
	if (id == MEASURE_TIME)
		id = cube->has_accelerator[op] ? MEASURE_ACCELERATOR : MEASURE_CPU;
	return id == MEASURE_MICROS || id == own;
}

/* Ops of a cube in the kept steps from `begin` to before `end`. */
struct call_range {
	const struct cube *cube;
	const struct step_set *steps;
	size_t begin, end;
};

static void join_op(
	const struct call_range *in, enum measure_id id, uint32_t op, struct call_sums *sums)
{
	const struct cube *cube = in->cube;

	for (enum call_kind kind = 0; kind < CALL_KINDS; kind++) {
		if (!calls_count_for(cube, id, op, kind))
			continue;
		for (size_t row = cube->op_first[op]; row < cube->op_first[op + 1]; row++) {
			uint32_t at = in->steps->index_of[cube->step_of[row]];

			if (at != STEP_NOT_KEPT && at >= in->begin && at < in->end)
				call_sums_join(sums, &cube->calls[kind][row]);
		}
	}
}

static void describe(struct call_value *value, const struct call_sums *total, bool is_time)
{
	const struct call_sums *sums = &value->sums;

	value->is_time = is_time;
	value->spread_known = sums->squares != CALL_SQUARES_UNKNOWN;
	moments_of_sums(sums->count, sums->sum_ps, sums->squares, &value->moments);
	value->share = total->sum_ps > 0
			       ? (double)((long double)sums->sum_ps / (long double)total->sum_ps)
			       : NAN;
}

/* In how many of the steps any op of the group is present. */
static size_t count_ran(const struct summary *summary, const struct group *group, size_t begin,
	size_t end, bool *seen)
{
	const struct cube *cube = summary->cube;
	size_t ran = 0;

	for (size_t i = begin; i < end; i++)
		seen[i] = false;
	for (size_t i = 0; i < group->op_count; i++)
		for (size_t row = cube->op_first[group->op[i]];
			row < cube->op_first[group->op[i] + 1]; row++) {
			uint32_t at = summary->steps->index_of[cube->step_of[row]];

			if (at == STEP_NOT_KEPT || at < begin || at >= end)
				continue;
			ran += !seen[at];
			seen[at] = true;
		}
	return ran;
}

static void fill_part(const struct summary *summary, const struct cube *self,
	const struct summary_part *of, struct call_part *part, bool *seen)
{
	const struct grouping *grouping = summary->grouping;
	size_t begin = summary->steps->first[of->run_first];
	size_t end = summary->steps->first[of->run_first + of->run_count];

	part->run = of->run;
	part->row = arena_array(summary->arena, grouping->count, sizeof(*part->row));
	for (size_t g = 0; g < grouping->count; g++) {
		part->row[g].group = &grouping->group[g];

		const struct summary_options *opt = &summary->options;
		const struct call_range range = {summary->cube, summary->steps, begin, end};

		part->row[g].value = arena_array(
			summary->arena, opt->measure_count, sizeof(*part->row[g].value));
		part->row[g].steps = end - begin;
		part->row[g].ran = count_ran(summary, part->row[g].group, begin, end, seen);
		for (size_t m = 0; m < opt->measure_count; m++)
			for (size_t i = 0; i < part->row[g].group->op_count; i++)
				join_op(&range, opt->measure[m], part->row[g].group->op[i],
					&part->row[g].value[m].sums);
	}

	/* Totals are over the ops themselves, or over the rows when only these are asked for. */
	const struct summary_options *opt = &summary->options;
	const struct call_range range = {self, summary->steps, begin, end};

	part->total = arena_array(summary->arena, opt->measure_count, sizeof(*part->total));
	for (size_t m = 0; m < opt->measure_count; m++) {
		struct call_sums *sums = &part->total[m].sums;

		if (opt->of_selected && !summary->overlap)
			for (size_t g = 0; g < summary->grouping->count; g++)
				call_sums_join(sums, &part->row[g].value[m].sums);
		else
			for (uint32_t op = 0; op < self->op_count; op++)
				join_op(&range, opt->measure[m], op, sums);
	}
	for (size_t m = 0; m < summary->options.measure_count; m++) {
		const bool is_time = summary->options.measure[m] != MEASURE_DELAY;

		for (size_t g = 0; g < grouping->count; g++)
			describe(&part->row[g].value[m], &part->total[m].sums, is_time);
		describe(&part->total[m], &part->total[m].sums, is_time);
	}
}

struct calls *calls_make(
	struct summary *summary, const struct cube *self, const struct calls_options *options)
{
	struct arena *scratch = arena_new();
	struct calls *calls = arena_alloc(summary->arena, sizeof(*calls));
	bool *seen = arena_array(scratch, summary->steps->count, sizeof(*seen));
	size_t runs = summary->part_count;

	calls->summary = summary;
	calls->options = *options;
	fill_part(summary, self, &summary->all, &calls->all, seen);
	if (runs)
		calls->run = arena_array(summary->arena, runs, sizeof(*calls->run));
	for (size_t r = 0; r < runs; r++)
		fill_part(summary, self, &summary->part[r], &calls->run[r], seen);

	/* All work of devices in the kept steps. */
	const struct call_range range = {
		self, calls->summary->steps, 0, calls->summary->steps->count};

	for (uint32_t op = 0; op < self->op_count; op++) {
		join_op(&range, MEASURE_ACCELERATOR, op, &calls->device);
		join_op(&range, MEASURE_DELAY, op, &calls->delay);
	}
	call_percentiles_fill(calls, self);
	arena_free(scratch);
	return calls;
}

struct call_value *calls_rest(struct calls *calls, const struct cube *self, const bool *shown)
{
	const struct summary *summary = calls->summary;
	const struct summary_options *opt = &summary->options;
	const struct grouping *grouping = summary->grouping;
	const struct call_range range = {self, summary->steps, 0, summary->steps->count};
	struct arena *scratch = arena_new();
	/* 0: of no row, 1: of a row that is shown, 2: of one that is not */
	bool *rest = arena_array(scratch, self->op_count, sizeof(*rest));
	unsigned char *state = arena_array(scratch, self->op_count, 1);
	struct call_value *value = arena_array(summary->arena, opt->measure_count, sizeof(*value));

	for (size_t g = 0; g < grouping->count; g++)
		for (size_t i = 0; i < grouping->group[g].op_count; i++)
			state[grouping->group[g].op[i]] = shown[g] ? 1 : 2;
	for (uint32_t op = 0; op < self->op_count; op++)
		rest[op] = state[op] == 2 || (state[op] == 0 && !opt->of_selected);
	for (size_t m = 0; m < opt->measure_count; m++) {
		for (uint32_t op = 0; op < self->op_count; op++)
			if (rest[op])
				join_op(&range, opt->measure[m], op, &value[m].sums);
		describe(&value[m], &calls->all.total[m].sums, opt->measure[m] != MEASURE_DELAY);
	}
	call_percentiles_fill_rest(calls, self, rest, value);
	arena_free(scratch);
	return value;
}

int calls_check(const struct calls *calls, struct error *err)
{
	if (calls->failed && err)
		*err = calls->error;
	return calls->failed ? -1 : 0;
}

static double percentile_of(const struct calls *calls, const struct call_value *value, double p)
{
	const struct calls_options *opt = &calls->options;

	for (size_t i = 0; i < opt->percentile_count && value->percentile; i++)
		if (opt->percentile[i].p == p)
			return value->percentile[i];
	return NAN;
}

static double below_5us(const struct call_value *value)
{
	return value->sums.count > 0 && value->is_time
		       ? (double)value->sums.below / (double)value->sums.count
		       : NAN;
}

double calls_statistic(const struct calls *calls, const struct call_value *value,
	const struct statistic_choice *choice)
{
	const bool population = calls->summary->options.sample.population;
	const bool any = value->sums.count > 0;

	switch (choice->statistic->id) {
#define STATISTIC(id, name, shape, digits, title, words, traits, of_steps, of_calls, ...)          \
	case STATISTIC_##id:                                                                       \
		return of_calls;
#include "analysis/statistics.def"
#undef STATISTIC
	case STATISTIC_COUNT:
		break;
	}
	return NAN;
}
