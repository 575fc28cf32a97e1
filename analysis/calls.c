/* Adds up the calls of the cube's rows, for each row of the report, and finds their percentiles;
 * titles and names of their columns. */
#include "analysis/calls.h"

#include <assert.h>
#include <math.h>
#include "stats/sample.h"

/* True if this kind of call counts for the measure. `time` is that of the accelerator where the op
 * has any, as in the cube. */
static bool calls_count_for(
	const struct cube *cube, enum measure_id id, uint32_t op, enum call_kind kind)
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

/* The k-th call of a row in order of time is found by counting: which places are wanted is known
 * from the sums. */

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

static void run_pass(struct pass *pass)
{
	struct calls *calls = pass->calls;
	struct call_values *values = pass->self->call_values;
	struct call_record record;
	int got = values->rewind(values, &calls->error) ? -1 : 1;

	while (got > 0 && (got = values->next(values, &record, &calls->error)) > 0) {
		const struct summary *summary = pass->calls->summary;
		const struct call_source *source =
			record.source < pass->source_count ? pass->source[record.source] : NULL;
		const bool of_rows = summary->options.of_selected && !summary->overlap;
		uint32_t step, at, op;

		if (!source || (step = source->step[record.place]) == UINT32_MAX ||
			(at = pass->steps->index_of[step]) == STEP_NOT_KEPT)
			continue;
		if (!record.total && (pass->rest || !of_rows)) {
			op = op_with_row(&pass->total, &record, step);
			if (op != NO_OP && pass->rest && pass->rest[op])
				collect_at(pass, pass->self, op, &record, pass->target);
			else if (op != NO_OP && !pass->rest)
				collect_in_parts(pass, pass->self, op, &record, at, pass->groups);
		}
		if (pass->rest || record.total != summary->cube->totals)
			continue;
		op = op_with_row(&pass->rows, &record, step);
		for (size_t i = op == NO_OP ? 0 : pass->first[op];
			op != NO_OP && i < pass->first[op + 1]; i++) {
			collect_in_parts(pass, summary->cube, op, &record, at, pass->group[i]);
			if (of_rows)
				collect_in_parts(
					pass, summary->cube, op, &record, at, pass->groups);
		}
	}
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

/* Fills `percentile` of all values, whose sums are known; and sets has_values. When the calls
 * cannot be read back, calls->failed is set. */
static void call_percentiles_fill(struct calls *calls, const struct cube *self)
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

/* The same for one value per measure over these ops of `self`, in all kept steps. */
static void call_percentiles_fill_rest(
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

bool calls_have(enum measure_id id)
{
	return id == MEASURE_TIME || id == MEASURE_CPU || id == MEASURE_ACCELERATOR ||
	       id == MEASURE_MICROS || id == MEASURE_DELAY;
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

/* Columns of calls. */

const char *call_column_title(struct arena *arena, const struct measure *measure, bool first,
	const struct statistic_choice *choice)
{
	const char *own = choice->statistic->call_title, *title = own ? own : choice->name;

	if (choice->statistic->traits & STATISTIC_NAMES_MEASURE)
		return arena_printf(arena, "%s%s", measure->name, title);
	return first ? title : arena_printf(arena, "%s %s", measure->name, title);
}

const char *call_column_name(
	struct arena *arena, const struct statistic_choice *choice, bool population)
{
	const char *name = choice->statistic->call_name;

	if (choice->statistic->id == STATISTIC_CV && population)
		return "call_cvpop";
	return name ? name : arena_printf(arena, "call_%s", choice->name);
}

int call_column_drop(const struct measure *measure, bool first, bool asked,
	const struct statistic_choice *choice)
{
	const enum statistic_id id = choice->statistic->id;
	const bool of_calls = measure->kind == MEASURE_OF_CALLS;

	if (id == STATISTIC_MEAN)
		return of_calls && !asked ? 1 : 0;
	if (!first || (of_calls && (!asked || id == STATISTIC_SUM)))
		return 1;
	return choice->statistic->call_drop;
}

bool call_column_is_defined(const struct measure *measure, const struct statistic_choice *choice)
{
	const enum statistic_id id = choice->statistic->id;

	return measure->kind != MEASURE_OF_CALLS ||
	       (id != STATISTIC_BELOW_5US && id != STATISTIC_SHARE);
}

bool call_column_is_usual(const struct calls *calls, const struct measure *measure, bool first,
	const struct statistic_choice *choice)
{
	const enum statistic_id id = choice->statistic->id;

	if (!call_column_is_defined(measure, choice) ||
		(id == STATISTIC_QUANTILE && !calls->has_values))
		return false;
	if (id == STATISTIC_BELOW_5US)
		return first && calls->device.count > 0;
	return first || id == STATISTIC_MEAN ||
	       (id == STATISTIC_N && measure->kind != MEASURE_OF_CALLS);
}

size_t call_columns_of_files(struct arena *arena, struct statistic_choice **choice)
{
	static const char *const names[] = {"n", "sum", "share", "mean", "sd", "cv", "min", "max",
		"p50", "p90", "p99", "below5us"};
	const size_t count = sizeof(names) / sizeof(*names);

	*choice = arena_array(arena, count, sizeof(**choice));
	for (size_t i = 0; i < count; i++)
		statistic_choose(names[i], &(*choice)[i], NULL);
	return count;
}
