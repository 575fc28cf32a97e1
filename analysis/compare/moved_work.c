/*
 * Looks for rows whose changes cancel. Single pairs out of many would cancel by accident: only all
 * rows that changed, those on one side only, those on both sides, or all but one are tried.
 */
#include "analysis/compare/moved_work.h"

#include <math.h>
#include "analysis/compare/verdicts.h"
#include "base/memory.h"

/* What became less is at least this part of what became more, and the other way round: a small gain
 * beside a large loss is no move. */
#define REPLACES_LEAST 0.5
/* Of what moved, as far as the interval of the sum reaches: a large margin alone would let a loss
 * and a gain cancel that have nothing to do with each other. */
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
	return !v->small &&
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

/* A loss that makes the sum worse than it is without it is not what the gains are for. */
static bool all_are_needed(const struct mover *m, const size_t *row, size_t count, double net)
{
	for (size_t i = 0; i < count; i++) {
		const struct compared *v = value_of(m, row[i]);

		if (v->difference > 0 && v->difference < 2 * net && !is_alone(v))
			return false;
	}
	return true;
}

/* The whole interval of the sum says so, where it has one. */
static bool cancels(const struct moved_work *found)
{
	const struct compared *sum = &found->sum;
	const double most = CANCELS_MOST * fmax(found->more, found->less);
	const bool is_exact = sum->evidence == EVIDENCE_EXACT || isnan(sum->low);
	const double low = is_exact ? sum->difference : sum->low * sum->base_mean,
		     high = is_exact ? sum->difference : sum->high * sum->base_mean;

	return sum->verdict == VERDICT_SAME && low >= -most && high <= most;
}

/* True: they cancel, and the comparison says so from now on. */
static bool take(const struct mover *m, const size_t *row, size_t count)
{
	struct moved_work found;

	if (count < 2 || !add_up(m, row, count, &found) || !cancels(&found) ||
		!all_are_needed(m, row, count, found.more - found.less))
		return false;
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

/* All but the one without which the rest is nearest to cancel. */
static bool take_all_but_one(const struct mover *m, size_t *some)
{
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
	return take(m, some, n);
}

static void find(struct mover *m)
{
	size_t *some = arena_array(m->scratch, m->c->count, sizeof(*some));

	for (size_t i = 0; i < m->c->count; i++)
		if (is_changed(value_of(m, i)))
			m->row[m->count++] = i;
	if (take(m, m->row, m->count) || take(m, some, choose(m, true, some)) ||
		take(m, some, choose(m, false, some)) || take_all_but_one(m, some))
		return;
	/* What is NEW in the place of what is GONE has a sum, the same or not. */
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
		find(&m);
	arena_free(m.scratch);
}
