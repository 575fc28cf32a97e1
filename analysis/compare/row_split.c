/* Takes rows apart into a number and a time of one, and decides which of the two the verdict is
 * about. */
#include "analysis/compare/row_split.h"

#include <math.h>
#include "analysis/compare/row_test.h"
#include "analysis/compare/unequal_work.h"
#include "analysis/compare/verdicts.h"
#include "base/memory.h"

#define RUNS_LEAST 2 /* of a side in which it ran, for a test of the time of one */

struct row_splitter {
	const struct run_side *side[2];
	struct run_table ran[2];   /* the measure in the steps in which a row ran */
	struct run_table calls[2]; /* executions a step, where both sides know them */
	bool has_calls;
	struct arena *arena;
};

/* Executions in a step in which it ran; 1 where that is not known. */
static double calls_of(const struct row_splitter *s, int side, size_t group, size_t run)
{
	const struct run_value *v = &s->ran[side].row[group].run[run];
	const double calls = s->has_calls ? s->calls[side].row[group].run[run].value : NAN;

	return calls > 0 && v->ran ? calls * (double)v->kept / (double)v->ran : 1;
}

/* False: it cannot be known. */
static bool split_side(
	const struct row_splitter *s, int side, size_t group, struct row_split *out, bool *of_calls)
{
	const struct run_row *ran = &s->ran[side].row[group];
	struct run_row *one = &out->one[side], *often = &out->often[side];

	*one = *often = *ran;
	one->run = arena_array(s->arena, ran->runs, sizeof(*one->run));
	often->run = arena_array(s->arena, ran->runs, sizeof(*often->run));
	one->mean = often->mean = 0;
	one->constant = often->constant = often->zero = false;
	often->valued = ran->runs;
	for (size_t r = 0; r < ran->runs; r++) {
		const struct run_value *from = &ran->run[r];
		const double calls = calls_of(s, side, group, r),
			     part = from->kept ? (double)from->ran / (double)from->kept : NAN;

		one->run[r] = often->run[r] = *from;
		one->run[r].value /= calls;
		one->run[r].scaled -= log(calls);
		one->mean += isnan(one->run[r].value) ? 0 : one->run[r].value;
		often->run[r].value = often->run[r].mean = part * calls;
		often->run[r].scaled = part > 0 ? log(part * calls) : NAN;
		often->run[r].variance = part * (1 - part) * calls * calls;
		often->run[r].steps = from->kept;
		often->run[r].step_variance = often->run[r].interval_variance = NAN;
		often->mean += part * calls / (double)ran->runs;
		often->zero |= !(part > 0);
		*of_calls |= calls != 1;
	}
	one->mean /= (double)ran->valued;
	often->rounding = 0;
	return ran->valued && !ran->zero && !ran->lost && !ran->unknown && isfinite(often->mean);
}

static bool is_always_alike(const struct row_split *split)
{
	const double first = split->often[0].run[0].value;

	for (int side = 0; side < 2; side++)
		for (size_t r = 0; r < split->often[side].runs; r++)
			if (split->often[side].run[r].value != first)
				return false;
	return true;
}

static struct row_split *split_row(const struct row_splitter *s, const struct compared_row *row)
{
	struct row_split *split = arena_alloc(s->arena, sizeof(*split));

	*split = (struct row_split){0};
	if (!split_side(s, 0, (size_t)(row->base - s->side[0]->grouping->group), split,
		    &split->of_calls) ||
		!split_side(s, 1, (size_t)(row->new - s->side[1]->grouping->group), split,
			&split->of_calls) ||
		is_always_alike(split))
		return NULL;
	return split;
}

static bool ran_always(const struct run_row *row)
{
	return row->ran == row->steps;
}

/* Executions that differ from step to step are looked for only beside rows that did not run always:
 * they cost a table. */
static bool any_may_be_split(const struct comparison *c, size_t which)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct compared *v = &c->row[i].value[which];

		if (v->base && v->new && !v->small &&
			(!ran_always(v->base) || !ran_always(v->new) || c->row[i].ran_changed))
			return true;
	}
	return false;
}

void row_splits_make(const struct compare_side *base, const struct compare_side *new_side,
	const struct compare_options *opt, size_t which, struct comparison *comparison)
{
	const struct run_value_options ran = {.kind = RUN_VALUE_MEAN, .skip_absent = true};
	const struct run_value_options all = {.kind = RUN_VALUE_MEAN};
	const enum measure_id id = comparison->measure[which].id;
	struct row_splitter s = {.side = {&base->run, &new_side->run}, .arena = comparison->arena};

	if (opt->value.kind != RUN_VALUE_MEAN || opt->value.skip_absent ||
		measure_at(id)->dimension != DIMENSION_TIME || comparison->runs_base < RUNS_LEAST ||
		comparison->runs_new < RUNS_LEAST)
		return;
	if (!comparison->work.ops && !any_may_be_split(comparison, which))
		return;
	s.has_calls = cube_has(base->run.self, MEASURE_OCCURRENCE) &&
		      cube_has(new_side->run.self, MEASURE_OCCURRENCE);
	for (int side = 0; side < 2; side++) {
		run_table_make(s.side[side], id, &ran, s.arena, &s.ran[side]);
		if (s.has_calls)
			run_table_make(
				s.side[side], MEASURE_OCCURRENCE, &all, s.arena, &s.calls[side]);
	}
	for (size_t i = 0; i < comparison->count; i++) {
		const struct compared_row *row = &comparison->row[i];

		if (row->base && row->new && !row->value[which].small)
			row->value[which].split = split_row(&s, row);
	}
}

struct row_split *row_split_without(
	const struct row_split *split, bool of_new, size_t run, struct arena *arena)
{
	struct row_split *less;

	if (!split)
		return NULL;
	less = arena_alloc(arena, sizeof(*less));
	*less = *split;
	run_row_without(&split->one[of_new], run, arena, &less->one[of_new]);
	run_row_without(&split->often[of_new], run, arena, &less->often[of_new]);
	return less->one[of_new].valued ? less : NULL;
}

void row_splits_begin(struct comparison *comparison, size_t which)
{
	for (size_t i = 0; i < comparison->count; i++) {
		struct compared *v = &comparison->row[i].value[which];

		v->per_call = v->split && v->split->one[0].valued >= RUNS_LEAST &&
			      v->split->one[1].valued >= RUNS_LEAST;
		if (!v->per_call)
			continue;
		v->split->whole[0] = v->base;
		v->split->whole[1] = v->new;
		v->base = &v->split->one[0];
		v->new = &v->split->one[1];
	}
}

/* The row stays what it is as a part of the step. */
static void end_row(struct compared *v)
{
	if (!v->per_call) {
		v->split->change = v->split->one[1].mean / v->split->one[0].mean - 1;
		return;
	}
	v->split->change = v->change;
	v->base = v->split->whole[0];
	v->new = v->split->whole[1];
	v->base_mean = v->base->mean;
	v->new_mean = v->new->mean;
	v->difference = v->new_mean - v->base_mean;
}

static bool has_changed(const struct compared *v)
{
	return v->verdict >= VERDICT_REGRESSED && v->verdict <= VERDICT_FASTER &&
	       v->verdict != VERDICT_SAME;
}

/* A family of their own, with what the measure knows of its runs. */
static int decide_family(const struct comparison *c, size_t which, const struct decide_row *row,
	size_t count, const struct compare_options *opt, bool of_number, struct error *err)
{
	struct compared_measure measure = {.id = c->measure[which].id,
		.base = {.runs = c->runs_base},
		.new = {.runs = c->runs_new},
		.total = c->measure[which].total,
		.resolution = c->measure[which].resolution,
		.arena = of_number ? NULL : c->arena};
	struct alpha_shares room;
	struct compare_options alone = alpha_share_alone(opt,
		!opt->shares ? 1
		: of_number  ? opt->shares->number
			     : opt->shares->test,
		&room);

	if (of_number) {
		measure.id = MEASURE_OCCURRENCE;
		measure.resolution = 0;
		measure.verdicts_alone = true;
		alone.rule_of = NULL;
		alone.rule.margin_absolute = alone.margin_ps = alone.margin_bytes = NAN;
		alone.rule.margin_share = NAN;
	}
	alone.normalize = false; /* these rows alone have no common part */
	alone.noise = NULL;
	alone.run_cv = NAN;
	return decide_rows(row, count, &alone, &measure, err);
}

int row_splits_end(struct comparison *comparison, size_t which, const struct compare_options *opt,
	struct error *err)
{
	const size_t count = comparison->count;
	struct decide_row *row = memory_alloc(memory_product(count + 1, sizeof(*row)));
	size_t n = 0;
	int status = 0;

	for (size_t i = 0; i < count; i++) {
		struct compared *v = &comparison->row[i].value[which];

		if (!v->split)
			continue;
		end_row(v);
		v->split->number =
			(struct compared){.base = &v->split->often[0], .new = &v->split->often[1]};
		row[n++] = (struct decide_row){&v->split->number, comparison->row[i].name, 0};
	}
	if (n)
		status = decide_family(comparison, which, row, n, opt, true, err);
	n = 0;
	for (size_t i = 0; i < count && !status; i++) {
		struct compared *v = &comparison->row[i].value[which];

		if (!v->split)
			continue;
		/* How often is how much was recorded, so that the row says what one takes. */
		if (v->per_call && unequal_work_is_of(&comparison->work, &comparison->row[i]))
			continue;
		if (!has_changed(&v->split->number)) {
			/* A row that ran in one run of a side was tested as a whole, beside few
			 * others. That it ran so seldom is what made it one of them: a claim needs
			 * the test of how often, beside all rows. */
			if (!v->per_call && has_changed(v)) {
				v->q = fmax(v->q, v->split->number.q);
				v->flagged = false;
				v->verdict = VERDICT_INCONCLUSIVE;
				verdict_raise_detectable(v);
			}
			continue;
		}
		v->per_call = false;
		row[n++] = (struct decide_row){v, comparison->row[i].name, 0};
	}
	if (n && !status)
		status = decide_family(comparison, which, row, n, opt, false, err);
	memory_free(row);
	return status;
}

const struct compared *row_split_tested(const struct compared *value, struct arena *arena)
{
	struct compared *tested;

	if (!value->per_call)
		return value;
	tested = arena_alloc(arena, sizeof(*tested));
	*tested = *value;
	tested->base = &value->split->one[0];
	tested->new = &value->split->one[1];
	tested->base_mean = tested->base->mean;
	tested->new_mean = tested->new->mean;
	tested->difference = tested->new_mean - tested->base_mean;
	return tested;
}
