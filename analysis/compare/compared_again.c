/*
 * Looks for odd runs in the logarithms that were tested, and decides again without them; and once
 * more for the ops against each other.
 */
#include "analysis/compare/compared_again.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "stats/odd/odd_runs.h"
#include "stats/sample.h"

/* Of both sides: with fewer an op that one lacks says nothing of the others. */
#define RUNS_LEAST 5
/* Of the variance of a run of the median op. */
#define COMMON_SHARE 0.5
/* Steps of a run in which an op is a regular part of it, unless it is in all. */
#define REGULAR_STEPS 5

static bool is_read(const struct compared *v)
{
	return v->evidence == EVIDENCE_TEST && v->base->valued == v->base->runs &&
	       v->new->valued == v->new->runs;
}

static void read_row(const struct compared_measure *measure, const struct compared *v,
	double *value, double *floor)
{
	const double grid = measure->resolution / ((v->base->mean + v->new->mean) / 2);

	for (size_t r = 0; r < v->base->runs; r++)
		*value++ = v->base->run[r].scaled;
	for (size_t r = 0; r < v->new->runs; r++)
		*value++ = v->new->run[r].scaled;
	*floor = grid * grid / 12;
}

/* Rows that have a value in every run; the merged one speaks only where there is no other. */
static void read_rows(const struct comparison *c, struct arena *scratch, struct odd_runs_data *out)
{
	const struct compared_measure *measure = &c->measure[0];
	const size_t runs = c->runs_base + c->runs_new;
	double *value = arena_array(scratch, memory_product(c->count + 1, runs), sizeof(*value));
	double *floor = arena_array(scratch, c->count + 1, sizeof(*floor));
	size_t n = 0;

	for (size_t i = 0; i < c->count; i++)
		if (is_read(&c->row[i].value[0])) {
			read_row(measure, &c->row[i].value[0], value + n * runs, floor + n);
			n++;
		}
	if (!n && measure->small_count && is_read(&measure->small))
		read_row(measure, &measure->small, value, floor), n++;
	*out = (struct odd_runs_data){value, floor, n, c->runs_base, c->runs_new};
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
		copy.row[i] = c->row[i];
		copy.row[i].value = &value[i];
	}
	return copy;
}

/* The first measure and the step, without the runs of c->odd. */
static int decide_without(struct comparison *c, const struct compare_options *opt,
	struct arena *scratch, struct error *err)
{
	struct compared *value = arena_array(scratch, c->count, sizeof(*value));
	struct compared_measure measure;
	struct comparison less = copy_of(c, &measure, value, scratch);

	for (size_t i = 0; i < c->count; i++)
		leave_both_out(&value[i], &c->odd, scratch);
	leave_both_out(&measure.total, &c->odd, scratch);
	leave_both_out(&measure.small, &c->odd, scratch);
	leave_both_out(&less.step_time, &c->odd, scratch);
	less.runs_base -= c->odd.base != SIZE_MAX;
	less.runs_new -= c->odd.new != SIZE_MAX;
	measure.base.runs = less.runs_base;
	measure.new.runs = less.runs_new;
	if (comparison_decide(&less, opt, err) < 0)
		return -1;
	c->odd.step = *compared_step(&less);
	c->odd.step.base = c->odd.step.new = NULL;
	memcpy(c->odd.verdicts, measure.verdicts, sizeof(c->odd.verdicts));
	return 0;
}

static bool is_regular_in(const struct run_value *run)
{
	return run->ran >= REGULAR_STEPS || run->ran == run->kept;
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

		if (run->ran ? !is_regular_in(run) : found != SIZE_MAX || !run->kept)
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

static void find(struct comparison *c, struct arena *scratch)
{
	struct odd_runs_data data;
	struct odd_pair pair;
	struct odd_run run;

	find_lacking(c, scratch);
	if (c->odd.kind != ODD_NONE)
		return;
	read_rows(c, scratch, &data);
	odd_pair_find(&data, &pair);
	odd_run_find(&data, &run);
	if (pair.is_exchanged) {
		c->odd = (struct odd_runs){.kind = ODD_EXCHANGED, pair.base, pair.new};
	} else if (run.is_apart) {
		const bool of_new = run.run >= c->runs_base;
		const size_t index = of_new ? run.run - c->runs_base : run.run;

		/* It is left out already. */
		if (compared_is_far_off(compared_step(c), of_new, index) ||
			(c->measure[0].whole && c->measure[0].whole[run.run]))
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

	if (opt->normalize || opt->method == METHOD_PAIRED || comparison->runs_base < 2 ||
		comparison->runs_new < 2)
		return 0;
	scratch = arena_new();
	find(comparison, scratch);
	if (comparison->odd.kind != ODD_NONE)
		status = decide_without(comparison, opt, scratch, err);
	arena_free(scratch);
	return status;
}

/* ---- against the other ops ---- */

/* What all ops have in common, of the variance of a run of the median op. */
static double common_share(const struct comparison *c, struct arena *scratch)
{
	const struct moderated *all = &c->measure[0].moderated;
	double *own = arena_array(scratch, c->count, sizeof(*own));
	size_t n = 0;

	for (size_t i = 0; i < c->count; i++)
		if (c->row[i].value[0].evidence == EVIDENCE_TEST)
			own[n++] = c->row[i].value[0].detail.s2;
	return n && all->split ? all->shared_s2 / (all->shared_s2 + sample_quantile(own, n, 0.5))
			       : 0;
}

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
	comparison->against.share = common_share(comparison, scratch);
	if (comparison->against.share > COMMON_SHARE)
		status = decide_against(comparison, opt, scratch, err);
	arena_free(scratch);
	return status;
}
