/*
 * The k-th call of a row in order of time is found by counting: which places are wanted is known
 * from the sums.
 */
#include "analysis/call_percentiles.h"

#include <assert.h>
#include <math.h>
#include "stats/sample.h"

#define NO_OP UINT32_MAX
#define NO_PLACE UINT64_MAX

/* A value that collects its percentiles. */
struct target {
	struct call_value *value;
	uint64_t seen, next; /* calls as yet; the next place that is wanted */
};

/* Names of one cube for the sources. */
struct op_maps {
	const struct cube *cube;
	uint32_t **op; /* [source][op of the profile], NO_OP: not in the cube */
};

struct pass {
	struct calls *calls;
	const struct cube *self;
	const struct step_set *steps;
	const struct call_source **source; /* by number */
	size_t source_count;
	struct op_maps rows, total;
	/* Groups of each op of the cube of rows: group[first[op]] .. group[first[op + 1] - 1]. */
	size_t *first;
	uint32_t *group;
	uint32_t *run_of; /* of each kept step */
	/* [part][group, then the total][measure]: the first part is all runs together. */
	struct target *target;
	size_t parts, groups, measures;
	const bool *rest; /* of the second kind of pass: ops of self, for target[measure] */
};

/* ---- collecting ---- */

/* The first place from `from` on that a percentile needs. */
static uint64_t wanted_from(const struct calls_options *opt, uint64_t n, uint64_t from)
{
	uint64_t next = NO_PLACE;

	for (size_t q = 0; q < opt->percentile_count && n; q++) {
		double part;
		const uint64_t below = sample_quantile_place(n, opt->percentile[q].p, &part);

		if (below >= from && below < next)
			next = below;
		if (part > 0 && below + 1 >= from && below + 1 < next)
			next = below + 1;
	}
	return next;
}

static void collect(const struct pass *pass, struct target *t, int64_t ps)
{
	const struct calls_options *opt = &pass->calls->options;
	const uint64_t n = (uint64_t)t->value->sums.count, place = t->seen++;

	if (place != t->next)
		return;
	for (size_t q = 0; q < opt->percentile_count; q++) {
		double part, *value = &t->value->percentile[q];
		const uint64_t below = sample_quantile_place(n, opt->percentile[q].p, &part);

		if (place == below)
			*value = (double)ps;
		else if (place == below + 1 && part > 0)
			*value += part * ((double)ps - *value);
	}
	t->next = wanted_from(opt, n, place + 1);
}

static bool has_row(const struct cube *cube, uint32_t op, uint32_t step)
{
	size_t low = cube->op_first[op], high = cube->op_first[op + 1];

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (cube->step_of[middle] < step)
			low = middle + 1;
		else
			high = middle;
	}
	return low < cube->op_first[op + 1] && cube->step_of[low] == step;
}

/* Adds to all measures that it counts for. */
static void collect_at(const struct pass *pass, const struct cube *cube, uint32_t op,
	const struct call_record *record, struct target *first)
{
	const enum measure_id *measure = pass->calls->summary->options.measure;

	for (size_t m = 0; m < pass->measures; m++)
		if (calls_count_for(cube, measure[m], op, record->kind))
			collect(pass, &first[m], record->ps);
}

/* In all runs together, and in its own. */
static void collect_in_parts(const struct pass *pass, const struct cube *cube, uint32_t op,
	const struct call_record *record, uint32_t at, size_t group)
{
	const size_t of_part = (pass->groups + 1) * pass->measures;
	struct target *first = &pass->target[group * pass->measures];

	collect_at(pass, cube, op, record, first);
	if (pass->parts > 1)
		collect_at(pass, cube, op, record, first + (1 + pass->run_of[at]) * of_part);
}

/* The op of the record in the cube that the maps are of, when it has a row there. */
static uint32_t op_with_row(
	const struct op_maps *maps, const struct call_record *record, uint32_t step)
{
	const uint32_t op = maps->op[record->source][record->op];

	return op != NO_OP && has_row(maps->cube, op, step) ? op : NO_OP;
}

static void use_record(const struct pass *pass, const struct call_record *record)
{
	const struct summary *summary = pass->calls->summary;
	const struct call_source *source =
		record->source < pass->source_count ? pass->source[record->source] : NULL;
	const bool of_rows = summary->options.of_selected && !summary->overlap;
	uint32_t step, at, op;

	if (!source || (step = source->step[record->place]) == UINT32_MAX ||
		(at = pass->steps->index_of[step]) == STEP_NOT_KEPT)
		return;
	if (!record->total && (pass->rest || !of_rows)) {
		op = op_with_row(&pass->total, record, step);
		if (op != NO_OP && pass->rest && pass->rest[op])
			collect_at(pass, pass->self, op, record, pass->target);
		else if (op != NO_OP && !pass->rest)
			collect_in_parts(pass, pass->self, op, record, at, pass->groups);
	}
	if (pass->rest || record->total != summary->cube->totals)
		return;
	op = op_with_row(&pass->rows, record, step);
	for (size_t i = op == NO_OP ? 0 : pass->first[op]; op != NO_OP && i < pass->first[op + 1];
		i++) {
		collect_in_parts(pass, summary->cube, op, record, at, pass->group[i]);
		if (of_rows)
			collect_in_parts(pass, summary->cube, op, record, at, pass->groups);
	}
}

static void run_pass(struct pass *pass)
{
	struct calls *calls = pass->calls;
	struct call_values *values = pass->self->call_values;
	struct call_record record;
	int got = values->rewind(values, &calls->error) ? -1 : 1;

	while (got > 0 && (got = values->next(values, &record, &calls->error)) > 0)
		use_record(pass, &record);
	calls->failed |= got < 0;
}

/* ---- before and after ---- */

static void map_ops(struct op_maps *maps, const struct cube *cube, const struct cube *self,
	size_t sources, struct arena *arena)
{
	maps->cube = cube;
	maps->op = arena_array(arena, sources, sizeof(*maps->op));
	for (size_t s = 0; s < self->call_source_count; s++) {
		const struct call_source *source = &self->call_source[s];
		uint32_t *op;

		if (source->number == UINT32_MAX)
			continue;
		op = arena_array(arena, source->op_count, sizeof(*op));
		for (size_t o = 0; o < source->op_count; o++)
			op[o] = cube_find_op(cube, source->op[o]);
		maps->op[source->number] = op;
	}
}

static void map_groups(struct pass *pass, struct arena *arena)
{
	const struct summary *summary = pass->calls->summary;
	const struct grouping *grouping = summary->grouping;
	const size_t ops = summary->cube->op_count;
	size_t *next = arena_array(arena, ops + 1, sizeof(*next));

	pass->first = arena_array(arena, ops + 1, sizeof(*pass->first));
	for (size_t g = 0; g < grouping->count; g++)
		for (size_t i = 0; i < grouping->group[g].op_count; i++)
			pass->first[grouping->group[g].op[i] + 1]++;
	for (size_t o = 0; o < ops; o++)
		pass->first[o + 1] += pass->first[o];
	for (size_t o = 0; o < ops; o++)
		next[o] = pass->first[o];
	pass->group = arena_array(arena, pass->first[ops], sizeof(*pass->group));
	for (size_t g = 0; g < grouping->count; g++)
		for (size_t i = 0; i < grouping->group[g].op_count; i++)
			pass->group[next[grouping->group[g].op[i]]++] = (uint32_t)g;
}

static struct pass new_pass(struct calls *calls, const struct cube *self, struct arena *arena)
{
	const struct summary *summary = calls->summary;
	struct pass pass = {.calls = calls,
		.self = self,
		.steps = summary->steps,
		.measures = summary->options.measure_count};

	for (size_t s = 0; s < self->call_source_count; s++)
		if (self->call_source[s].number != UINT32_MAX &&
			self->call_source[s].number >= pass.source_count)
			pass.source_count = (size_t)self->call_source[s].number + 1;
	pass.source = arena_array(arena, pass.source_count, sizeof(struct call_source *));
	for (size_t s = 0; s < self->call_source_count; s++)
		if (self->call_source[s].number != UINT32_MAX)
			pass.source[self->call_source[s].number] = &self->call_source[s];
	map_ops(&pass.total, self, self, pass.source_count, arena);
	return pass;
}

/* Room for the percentiles of a row: none is known yet. */
static void prepare(struct calls *calls, struct call_value *value)
{
	const struct calls_options *opt = &calls->options;

	for (size_t m = 0; m < calls->summary->options.measure_count; m++) {
		value[m].percentile =
			arena_array(calls->summary->arena, opt->percentile_count, sizeof(double));
		for (size_t q = 0; q < opt->percentile_count; q++)
			value[m].percentile[q] = NAN;
	}
}

static void aim(const struct pass *pass, struct target *target, struct call_value *value)
{
	for (size_t m = 0; m < pass->measures; m++)
		target[m] = (struct target){.value = &value[m],
			.next = wanted_from(
				&pass->calls->options, (uint64_t)value[m].sums.count, 0)};
}

/* Every call that is in the sums was there. */
static void check(const struct pass *pass, size_t targets)
{
	for (size_t i = 0; i < targets && !pass->calls->failed; i++)
		assert(pass->target[i].seen == (uint64_t)pass->target[i].value->sums.count);
}

static struct call_part *part_at(struct calls *calls, size_t part)
{
	return part ? &calls->run[part - 1] : &calls->all;
}

void call_percentiles_fill(struct calls *calls, const struct cube *self)
{
	const struct summary *summary = calls->summary;
	const size_t groups = summary->grouping->count;
	const size_t parts = 1 + summary->part_count;
	struct arena *scratch;
	struct pass pass;

	for (size_t p = 0; p < parts && calls->options.percentile_count; p++) {
		for (size_t g = 0; g < groups; g++)
			prepare(calls, part_at(calls, p)->row[g].value);
		prepare(calls, part_at(calls, p)->total);
	}
	calls->has_values = self->call_values && calls->options.percentile_count;
	if (!calls->has_values)
		return;
	scratch = arena_new();
	pass = new_pass(calls, self, scratch);
	pass.parts = parts;
	pass.groups = groups;
	map_ops(&pass.rows, summary->cube, self, pass.source_count, scratch);
	map_groups(&pass, scratch);
	pass.run_of = arena_array(scratch, summary->steps->count, sizeof(*pass.run_of));
	for (uint32_t r = 0; r < summary->steps->run_count; r++)
		for (size_t i = summary->steps->first[r]; i < summary->steps->first[r + 1]; i++)
			pass.run_of[i] = r;
	pass.target =
		arena_array(scratch, parts * (groups + 1) * pass.measures, sizeof(*pass.target));
	for (size_t p = 0; p < parts; p++) {
		struct target *first = &pass.target[p * (groups + 1) * pass.measures];

		for (size_t g = 0; g < groups; g++)
			aim(&pass, first + g * pass.measures, part_at(calls, p)->row[g].value);
		aim(&pass, first + groups * pass.measures, part_at(calls, p)->total);
	}
	run_pass(&pass);
	check(&pass, parts * (groups + 1) * pass.measures);
	arena_free(scratch);
}

void call_percentiles_fill_rest(
	struct calls *calls, const struct cube *self, const bool *rest, struct call_value *value)
{
	struct arena *scratch;
	struct pass pass;

	prepare(calls, value);
	if (!calls->has_values || calls->failed)
		return;
	scratch = arena_new();
	pass = new_pass(calls, self, scratch);
	pass.rest = rest;
	pass.target = arena_array(scratch, pass.measures, sizeof(*pass.target));
	aim(&pass, pass.target, value);
	run_pass(&pass);
	check(&pass, pass.measures);
	arena_free(scratch);
}
