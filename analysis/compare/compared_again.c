/* Looks for odd runs in the logarithms that were tested, and decides again without them; and once
 * more for the ops against each other. */
#include "analysis/compare/compared_again.h"

#include <math.h>
#include <string.h>
#include "analysis/compare/row_split.h"
#include "analysis/compare/verdicts.h"
#include "base/memory.h"
#include "stats/odd_runs.h"
#include "stats/sample.h"

/* Rows of both sides: with fewer an op that one lacks says nothing of the others. */
#define RUNS_LEAST 5
/* Part of the variance of a run of the median op. */
#define COMMON_SHARE 0.5
/* Steps of a run in which an op is a regular part of it, unless it is in all. */
#define REGULAR_STEPS 5
/* Part of what the rows show of a run that the step has to show, or it is no word on the run. */
#define STEP_SHOWS 0.5

static bool is_paired(const struct compare_options *opt)
{
	return opt->method == METHOD_PAIRED;
}

static bool is_read(const struct compared *v)
{
	return v->evidence == EVIDENCE_TEST && v->base->valued == v->base->runs &&
	       v->new->valued == v->new->runs;
}

/* Its runs, or with rounds (not NULL) its differences by round. */
static void read_row(const struct compared_measure *measure, const struct compared *v,
	const size_t *round, double *value, double *floor)
{
	const double grid = compared_grid(v, measure) / ((v->base->mean + v->new->mean) / 2);

	*floor = (round ? 2 : 1) * grid * grid / 12;
	for (size_t r = 0; r < v->base->runs; r++)
		*value++ = (round ? v->new->run[round[r]].scaled - v->base->run[r].scaled
				  : v->base->run[r].scaled);
	for (size_t r = 0; r < v->new->runs && !round; r++)
		*value++ = v->new->run[r].scaled;
}

/* Rows that have a value in every run; the merged one speaks only where there is no other. */
static void read_rows(const struct comparison *c, const size_t *round, struct arena *scratch,
	struct odd_runs_data *out)
{
	const struct compared_measure *measure = &c->measure[0];
	const size_t runs = c->runs_base + (round ? 0 : c->runs_new);
	double *value = arena_array(scratch, memory_product(c->count + 1, runs), sizeof(*value));
	double *floor = arena_array(scratch, c->count + 1, sizeof(*floor));
	size_t n = 0;

	for (size_t i = 0; i < c->count; i++)
		if (is_read(&c->row[i].value[0])) {
			read_row(measure, &c->row[i].value[0], round, value + n * runs, floor + n);
			n++;
		}
	if (!n && measure->small_count && is_read(&measure->small))
		read_row(measure, &measure->small, round, value, floor), n++;
	*out = (struct odd_runs_data){value, floor, n, round ? 0 : c->runs_base, runs};
	out->runs_new -= out->runs_base;
}

static void leave_out(struct compared *v, bool of_new, size_t run, struct arena *arena)
{
	const struct run_row *row = of_new ? v->new : v->base;
	struct run_row *less;

	if (!row || run == SIZE_MAX)
		return;
	less = arena_alloc(arena, sizeof(*less));
	run_row_without(row, run, arena, less);
	if (of_new)
		v->new = less;
	else
		v->base = less;
}

static void leave_both_out(struct compared *v, const struct odd_runs *odd, struct arena *arena)
{
	leave_out(v, false, odd->base, arena);
	leave_out(v, true, odd->new, arena);
}

/* The first measure alone, its rows with values of their own in `value`. */
static struct comparison copy_of(const struct comparison *c, struct compared_measure *measure,
	struct compared *value, struct arena *scratch)
{
	struct comparison copy = *c;

	*measure = c->measure[0];
	copy.measure = measure;
	copy.measure_count = 1;
	copy.row = arena_array(scratch, c->count, sizeof(*copy.row));
	for (size_t i = 0; i < c->count; i++) {
		value[i] = c->row[i].value[0];
		if (value[i].split) {
			value[i].split = arena_alloc(scratch, sizeof(*value[i].split));
			*value[i].split = *c->row[i].value[0].split;
		}
		copy.row[i] = c->row[i];
		copy.row[i].value = &value[i];
	}
	return copy;
}

/* The first measure and the step, without the runs of c->odd. */
static int decide_without(struct comparison *c, const struct compare_options *asked,
	struct arena *scratch, struct error *err)
{
	struct compare_options with = *asked, *const opt = &with;
	struct odd_runs odd = c->odd;
	struct compared *value = arena_array(scratch, c->count, sizeof(*value));
	struct compared_measure measure;
	struct comparison less = copy_of(c, &measure, value, scratch);

	if (is_paired(asked)) {
		/* A round leaves with both runs: completes `odd`, and returns the rounds that are
		 * left. */
		size_t *left = arena_array(scratch, c->runs_base, sizeof(*left)), n = 0;

		for (size_t r = 0; r < c->runs_base; r++)
			if (asked->round[r] == odd.new)
				odd.base = r;
		odd.new = asked->round[odd.base];
		for (size_t r = 0; r < c->runs_base; r++)
			if (r != odd.base)
				left[n++] = asked->round[r] - (asked->round[r] > odd.new);
		with.round = left;
	}
	for (size_t i = 0; i < c->count; i++) {
		leave_both_out(&value[i], &odd, scratch);
		if (odd.base != SIZE_MAX)
			value[i].split =
				row_split_without(value[i].split, false, odd.base, scratch);
		if (odd.new != SIZE_MAX)
			value[i].split = row_split_without(value[i].split, true, odd.new, scratch);
	}
	leave_both_out(&measure.total, &odd, scratch);
	leave_both_out(&measure.small, &odd, scratch);
	leave_both_out(&less.step_time, &odd, scratch);
	less.runs_base -= odd.base != SIZE_MAX;
	less.runs_new -= odd.new != SIZE_MAX;
	measure.base.runs = less.runs_base;
	measure.new.runs = less.runs_new;
	if (comparison_decide(&less, opt, err) < 0)
		return -1;
	c->odd.step = *compared_step(&less);
	c->odd.step.base = c->odd.step.new = NULL;
	memcpy(c->odd.verdicts, measure.verdicts, sizeof(c->odd.verdicts));
	return 0;
}

/* The only run that does not have the op, which is a regular part of all others; SIZE_MAX: none. Of
 * base first, then of new. */
static size_t run_without(const struct compared_row *row)
{
	const struct compared *v = &row->value[0];
	size_t found = SIZE_MAX;

	if (!v->base || !v->new || !v->base->steps || !v->new->steps)
		return SIZE_MAX;
	for (size_t r = 0; r < v->base->runs + v->new->runs; r++) {
		const struct run_value *run =
			r < v->base->runs ? &v->base->run[r] : &v->new->run[r - v->base->runs];

		if (run->ran ? run->ran < REGULAR_STEPS && run->ran != run->kept
			     : found != SIZE_MAX || !run->kept)
			return SIZE_MAX;
		found = run->ran ? found : r;
	}
	return found;
}

/* The run that lacks most such ops. */
static void find_lacking(struct comparison *c, struct arena *scratch)
{
	const size_t runs = c->runs_base + c->runs_new;
	size_t *lacks = arena_array(scratch, runs, sizeof(*lacks)), most = 0;

	for (size_t i = 0; i < c->count && runs >= RUNS_LEAST; i++) {
		const size_t run = run_without(&c->row[i]);

		if (run != SIZE_MAX && ++lacks[run] > lacks[most])
			most = run;
	}
	if (!lacks[most])
		return;
	c->odd = (struct odd_runs){.kind = ODD_LACKS,
		.base = most < c->runs_base ? most : SIZE_MAX,
		.new = most < c->runs_base ? SIZE_MAX : most - c->runs_base,
		.lacks = lacks[most]};
}

/* A mean over the rows is that of small ones, too: *shift becomes that of the step, which
 * benchmarks have not. False: the step does not show it. */
static bool step_shows(const struct comparison *c, const size_t *round, size_t run,
	struct arena *scratch, double *shift)
{
	const struct compared *step = compared_step(c);
	const size_t base = round ? 0 : c->runs_base, new = round ? c->runs_base : c->runs_new;
	const double of_rows = *shift;
	double *value, floor;

	if (c->benchmarks || !is_read(step))
		return c->benchmarks;
	value = arena_array(scratch, base + new, sizeof(*value));
	read_row(&c->measure[0], step, round, value, &floor);
	*shift = odd_run_shift(&(struct odd_runs_data){value, &floor, 1, base, new}, run);
	return *shift / of_rows >= STEP_SHOWS;
}

/* The difference of a round lies apart from those of the others; its speed does not matter. */
static void find_round(struct comparison *c, const size_t *round, struct arena *scratch)
{
	struct odd_runs_data data;
	struct odd_run run;

	read_rows(c, round, scratch, &data);
	odd_run_find(&data, &run);
	if (run.is_apart && !(c->measure[0].whole && c->measure[0].whole[run.run]) &&
		step_shows(c, round, run.run, scratch, &run.shift))
		c->odd = (struct odd_runs){.kind = ODD_ROUND,
			.base = run.run,
			.new = round[run.run],
			.shift = run.shift};
}

static void find(struct comparison *c, const size_t *round, struct arena *scratch)
{
	struct odd_runs_data data;
	struct odd_pair pair;
	struct odd_run run;

	find_lacking(c, scratch);
	if (c->odd.kind != ODD_NONE)
		return;
	if (round) {
		find_round(c, round, scratch);
		return;
	}
	read_rows(c, NULL, scratch, &data);
	odd_pair_find(&data, &pair);
	odd_run_find(&data, &run);
	if (pair.is_exchanged) {
		c->odd = (struct odd_runs){.kind = ODD_EXCHANGED, pair.base, pair.new};
	} else if (run.is_apart) {
		const bool of_new = run.run >= c->runs_base;
		const size_t index = of_new ? run.run - c->runs_base : run.run;

		/* It is left out already. */
		if (compared_is_far_off(compared_step(c), of_new, index) ||
			(c->measure[0].whole && c->measure[0].whole[run.run]) ||
			!step_shows(c, NULL, run.run, scratch, &run.shift))
			return;

		c->odd = (struct odd_runs){.kind = ODD_APART,
			.base = of_new ? SIZE_MAX : index,
			.new = of_new ? index : SIZE_MAX,
			.shift = run.shift};
	}
}

int compared_odd_find(
	struct comparison *comparison, const struct compare_options *opt, struct error *err)
{
	struct arena *scratch;
	int status = 0;

	if (comparison->runs_base < 2 || comparison->runs_new < 2)
		return 0;
	scratch = arena_new();
	find(comparison, is_paired(opt) ? opt->round : NULL, scratch);
	if (comparison->odd.kind != ODD_NONE)
		status = decide_without(comparison, opt, scratch, err);
	arena_free(scratch);
	return status;
}

/* ---- against the other ops ---- */

static int decide_against(struct comparison *c, const struct compare_options *opt,
	struct arena *scratch, struct error *err)
{
	struct compared *value = arena_array(c->arena, c->count, sizeof(*value));
	struct compare_options against = *opt;
	struct compared_measure measure;
	struct comparison again = copy_of(c, &measure, value, scratch);

	against.normalize = true;
	again.step_times = STEP_TIMES_NONE;
	if (comparison_decide(&again, &against, err) < 0)
		return -1;
	for (size_t i = 0; i < c->count; i++)
		c->row[i].against = &value[i];
	c->against.asked = true;
	c->against.common = measure.common;
	memcpy(c->against.verdicts, measure.verdicts, sizeof(c->against.verdicts));
	return 0;
}

int compared_against_find(
	struct comparison *comparison, const struct compare_options *opt, struct error *err)
{
	const bool asks = opt->method == METHOD_MODERATED || opt->method == METHOD_PAIRED;
	struct arena *scratch;
	int status = 0;

	if (opt->normalize || opt->unsteady || !asks || !comparison->measure[0].moderated.split)
		return 0;
	scratch = arena_new();

	/* The part that all ops have in common, of the variance of a run of the median op. */
	const struct moderated *all = &comparison->measure[0].moderated;
	double *own = arena_array(scratch, comparison->count, sizeof(*own));
	size_t n = 0;

	for (size_t i = 0; i < comparison->count; i++)
		if (comparison->row[i].value[0].evidence == EVIDENCE_TEST)
			own[n++] = comparison->row[i].value[0].detail.s2;
	comparison->against.share =
		n ? all->shared_s2 / (all->shared_s2 + sample_quantile(own, n, 0.5)) : 0;
	if (comparison->against.share > COMMON_SHARE)
		status = decide_against(comparison, opt, scratch, err);
	arena_free(scratch);
	return status;
}

/* ---- work that moved: rows whose changes cancel. Single pairs out of many would cancel by
 * accident: only all rows that changed, those on one side only, those on both sides, or all but one
 * are tried ---- */

/* The decrease is at least this part of the increase, and the other way round: a small gain beside
 * a large loss is no move. */
#define REPLACES_LEAST 0.5
/* Part of what moved, as far as the interval of the sum reaches: a large margin alone would let a
 * loss and a gain cancel that have nothing to do with each other. */
#define CANCELS_MOST (1 / 3.0)

struct mover {
	const struct compare_side *base, *new;
	const struct compare_options *opt;
	struct comparison *c;
	struct arena *scratch;
	size_t *row; /* indexes of the rows that changed */
	size_t count;
};

static const struct compared *value_of(const struct mover *m, size_t row)
{
	return &m->c->row[row].value[0];
}

static bool is_alone(const struct compared *v)
{
	return v->verdict == VERDICT_NEW || v->verdict == VERDICT_GONE;
}

static bool is_changed(const struct compared *v)
{
	return !v->small && !v->per_call &&
	       (is_alone(v) || (v->verdict >= VERDICT_REGRESSED && v->verdict <= VERDICT_FASTER &&
				       v->verdict != VERDICT_SAME));
}

static bool is_lost(const struct compared *v)
{
	return (v->base && v->base->lost) || (v->new && v->new->lost);
}

/* Adds up the rows and decides the sum. False: there is nothing on both sides, or the changes do
 * not nearly cancel. */
static bool add_up(const struct mover *m, const size_t *row, size_t count, struct moved_work *out)
{
	const struct compared_measure *measure = &m->c->measure[0];
	size_t *base = arena_array(m->scratch, count, sizeof(*base)), bases = 0;
	size_t *new = arena_array(m->scratch, count, sizeof(*new)), news = 0;
	struct run_row *sum = arena_array(m->c->arena, 2, sizeof(*sum));

	*out = (struct moved_work){0};
	for (size_t i = 0; i < count; i++) {
		const struct compared_row *of = &m->c->row[row[i]];
		const struct compared *v = &of->value[0];

		if (is_lost(v) || isnan(v->difference))
			return false;
		out->up += v->difference > 0;
		out->down += v->difference < 0;
		out->more += fmax(v->difference, 0);
		out->less -= fmin(v->difference, 0);
		if (of->base)
			base[bases++] = (size_t)(of->base - m->base->run.grouping->group);
		if (of->new)
			new[news++] = (size_t)(of->new - m->new->run.grouping->group);
	}
	if (!bases || !news ||
		!(fmin(out->more, out->less) >= REPLACES_LEAST * fmax(out->more, out->less)) ||
		!(out->more > 0))
		return false;
	sum[0] = run_row_of_groups(
		&m->base->run, measure->id, &m->opt->value, base, bases, m->c->arena);
	sum[1] = run_row_of_groups(
		&m->new->run, measure->id, &m->opt->value, new, news, m->c->arena);
	out->sum = (struct compared){.base = &sum[0], .new = &sum[1]};
	decide_single(&out->sum, m->opt, measure->id, measure->resolution, m->c->arena);
	return true;
}

/* True: they cancel, and the comparison says so from now on. */
static bool take(const struct mover *m, const size_t *row, size_t count)
{
	struct moved_work found;

	if (count < 2 || !add_up(m, row, count, &found))
		return false;
	/* The whole interval of the sum says so, where it has one. */
	const struct compared *sum = &found.sum;
	const double most = CANCELS_MOST * fmax(found.more, found.less);
	const bool is_exact = sum->evidence == EVIDENCE_EXACT || isnan(sum->low);
	const double low = is_exact ? sum->difference : sum->low * sum->base_mean,
		     high = is_exact ? sum->difference : sum->high * sum->base_mean;

	if (sum->verdict != VERDICT_SAME || !(low >= -most) || !(high <= most))
		return false;
	/* A loss that makes the sum worse than it is without it is not what the gains are for. */
	double net = found.more - found.less;

	for (size_t i = 0; i < count; i++) {
		const struct compared *v = value_of(m, row[i]);

		if (v->difference > 0 && v->difference < 2 * net && !is_alone(v))
			return false;
	}
	found.cancels = true;
	m->c->moved = found;
	for (size_t i = 0; i < count; i++)
		m->c->row[row[i]].value[0].moved = true;
	return true;
}

static size_t choose(const struct mover *m, bool alone, size_t *out)
{
	size_t n = 0;

	for (size_t i = 0; i < m->count; i++)
		if (is_alone(value_of(m, m->row[i])) == alone)
			out[n++] = m->row[i];
	return n;
}

static void find_rows_that_cancel(struct mover *m)
{
	size_t *some = arena_array(m->scratch, m->c->count, sizeof(*some));

	for (size_t i = 0; i < m->c->count; i++)
		if (is_changed(value_of(m, i)))
			m->row[m->count++] = i;
	if (take(m, m->row, m->count) || take(m, some, choose(m, true, some)) ||
		take(m, some, choose(m, false, some)))
		return;
	/* All but the one without which the rest is nearest to cancel. */
	double net = 0, least = INFINITY;
	size_t left_out = 0, n = 0;

	for (size_t i = 0; i < m->count; i++)
		net += value_of(m, m->row[i])->difference;
	for (size_t i = 0; i < m->count; i++) {
		const double rest = fabs(net - value_of(m, m->row[i])->difference);

		if (!(rest < least))
			continue;
		least = rest;
		left_out = i;
	}
	for (size_t i = 0; i < m->count; i++)
		if (i != left_out)
			some[n++] = m->row[i];
	if (take(m, some, n))
		return;
	/* Rows that are NEW in the place of GONE ones have a sum, the same or not. */
	if (!add_up(m, some, choose(m, true, some), &m->c->moved))
		m->c->moved = (struct moved_work){0};
}

void moved_work_find(const struct compare_side *base, const struct compare_side *new_side,
	const struct compare_options *opt, struct comparison *comparison)
{
	struct mover m = {base, new_side, opt, comparison, arena_new(), NULL, 0};

	m.row = arena_array(m.scratch, comparison->count, sizeof(*m.row));
	/* Means over the steps in which each ran do not add up. */
	if (!opt->value.skip_absent && !comparison->new_is_base && !base->run.cube->totals &&
		!new_side->run.cube->totals)
		find_rows_that_cancel(&m);
	arena_free(m.scratch);
}
