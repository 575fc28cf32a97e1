/* Amounts of work that recordings without marks of steps hold: how often their ops ran. */
#include "analysis/compare/unequal_work.h"

#include <math.h>
#include <stdlib.h>
#include "base/order.h"

#define WORK_MAJORITY 0.8 /* of the time of ops whose calls can tell */
#define WORK_WITHIN 0.5	  /* of the change that they share */

struct call_change {
	double log;  /* of the ratio of the calls */
	double time; /* of base */
};

ORDERED(by_log, struct call_change, ORDER(x->log, y->log));

/* NaN: not on both sides, or not known. */
static double change_of(const struct compared_row *row)
{
	const double change = log(row->executions_new / row->executions_base);

	return row->base && row->new &&isfinite(change) && row->value[0].base->mean > 0 ? change
											: NAN;
}

/* The edges of a recording cut one call off, or do not. */
static bool can_tell(const struct compared_row *row, double change)
{
	return fabs(expm1(change)) * row->executions_base >= 1;
}

bool unequal_work_is_of(const struct unequal_work *work, const struct compared_row *row)
{
	const double change = log1p(work->calls), own = change_of(row);

	return work->ops && own * change > 0 &&
	       (fabs(own - change) <= WORK_WITHIN * fabs(change) ||
		       fabs(row->executions_new - row->executions_base * (1 + work->calls)) <= 1);
}

void unequal_work_withhold(struct compared *value)
{
	value->verdict = VERDICT_NONE;
	value->flagged = false;
	value->reason = "unequal amounts of work";
}

/* Fewer calls that do more each are possible, too: a claim about one call needs the whole to have
 * changed to the same side. */
static bool is_claimed_of_all(const struct compared *v)
{
	const double whole = v->new_mean / v->base_mean - 1;

	return v->verdict == VERDICT_SAME || v->verdict == VERDICT_INCONCLUSIVE ||
	       (whole * v->change > 0 && fabs(whole) > v->margin);
}

void unequal_work_withhold_rows(struct comparison *c, size_t measure)
{
	struct compared *sum = &c->measure[measure].small;
	bool any_small = false;

	for (size_t i = 0; i < c->count; i++) {
		struct compared *v = &c->row[i].value[measure];

		if (!unequal_work_is_of(&c->work, &c->row[i]))
			continue;
		any_small |= v->small;
		if (v->verdict >= VERDICT_REGRESSED && !(v->per_call && is_claimed_of_all(v)))
			unequal_work_withhold(v);
	}
	if (any_small && sum->verdict >= VERDICT_REGRESSED)
		unequal_work_withhold(sum);
}

/* Half of the time is in ops whose calls changed by less; 0: there is none. */
static double typical(const struct comparison *c)
{
	struct arena *scratch = arena_new();
	struct call_change *change = arena_array(scratch, c->count + 1, sizeof(*change));
	double all = 0, sum = 0, found = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->count; i++) {
		const double log = change_of(&c->row[i]);

		if (isnan(log))
			continue;
		change[n] = (struct call_change){log, c->row[i].value[0].base->mean};
		all += change[n++].time;
	}
	qsort(change, n, sizeof(*change), by_log);
	for (size_t i = 0; i < n && 2 * sum < all; i++) {
		sum += change[i].time;
		found = change[i].log;
	}
	arena_free(scratch);
	return found;
}

bool unequal_work_find(struct comparison *c, double margin)
{
	struct unequal_work work = {.ops = 1, .calls = expm1(typical(c))};
	double tell = 0, alike = 0, all = 0, known = 0, same_calls = 0;

	work.ops = 0;
	for (size_t i = 0; i < c->count; i++) {
		const struct compared_row *row = &c->row[i];
		const double time = row->value[0].base ? row->value[0].base->mean : 0;
		const struct unequal_work one = {.ops = 1, .calls = work.calls};

		all += time;
		if (isnan(change_of(row)))
			continue;
		work.of++;
		known += time;
		if (!can_tell(row, log1p(work.calls)))
			continue;
		tell += time;
		if (!unequal_work_is_of(&one, row))
			continue;
		alike += time;
		same_calls += row->value[0].new->mean * row->executions_base / row->executions_new;
		work.ops++;
	}
	work.same_calls = same_calls / alike - 1;
	if (fabs(work.calls) > margin && work.ops >= 2 && alike >= WORK_MAJORITY * tell &&
		2 * alike > all)
		c->work = work;
	return 2 * known > all;
}
