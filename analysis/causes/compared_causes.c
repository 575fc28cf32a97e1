/* Causes of what changed from base to new: verdicts, sums and parts of a comparison, and what only
 * one side shows by itself. */
#include <math.h>
#include <string.h>
#include "analysis/causes/causes.h"
#include "analysis/compare/unequal_work.h"
#include "base/text.h"
#include "stats/odd_runs.h"

#define SHIFT_OPS_LEAST 10 /* ops that can speak of a common shift */
#define ALIKE_OPS_LEAST 5  /* the same where they change alike */
#define SHIFT_P 0.001	   /* of the sign test; ops of a run are not independent */
#define SHIFT_MAJORITY 0.8 /* of the ops to one side, of the time that changes alike */
#define SHIFT_LEAST 0.005  /* of the median op */
#define ALIKE_WITHIN 0.5   /* of the median change */
#define ALIKE_CLOSE 0.2	   /* the same of fewer ops: chance brings two close more easily */
#define PART_LEAST 0.005   /* of the window in base: a smaller change of idle is no cause */

struct compared_finder {
	const struct cause_sources *from;
	const struct comparison *c;
	struct cause_list *out;
	double base;	 /* a step of base; 1 of benchmarks */
	double common;	 /* what all rows have in common, as a fraction */
	bool *is_told;	 /* rows that another cause explains */
	double *by_rank; /* part of each row's change that slow ranks make */
	double waiting;	 /* of the ranks that wait for the slowest, the mean over all */
	double input;	 /* of slow ranks, the mean over all */
	double clock;	 /* size of what the clock explains */
};

/* ---- what all rows share ---- */

static bool is_tested(const struct compared *v)
{
	return v->base && v->new && !v->small &&isfinite(v->diff) && v->base_mean > 0;
}

/* Most of the time is in rows that changed by nearly as much; of few rows each did. */
static bool is_alike(const struct comparison *c)
{
	const struct compared_measure *measure = &c->measure[0];
	const size_t n = measure->above + measure->below;
	const double median = measure->median_diff;
	const bool few = n < ALIKE_OPS_LEAST;
	const double within = (few ? ALIKE_CLOSE : ALIKE_WITHIN) * fabs(median);
	double all = 0, near = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct compared *v = &c->row[i].value[0];

		if (!is_tested(v))
			continue;
		if (few && !(compared_claims_change(v) && fabs(v->diff - median) <= within))
			return false;
		all += v->base_mean;
		near += fabs(v->diff - median) <= within ? v->base_mean : 0;
	}
	return n >= 2 && near >= SHIFT_MAJORITY * all;
}

bool compared_has_common_shift(const struct comparison *c)
{
	const struct compared_measure *measure = &c->measure[0];
	const size_t tested = measure->above + measure->below;
	const size_t more = measure->above > measure->below ? measure->above : measure->below;

	if (!(fabs(expm1(measure->median_diff)) >= SHIFT_LEAST) ||
		!((double)more >= SHIFT_MAJORITY * (double)tested))
		return false;
	return (tested >= SHIFT_OPS_LEAST && measure->sign_p < SHIFT_P) ||
	       (compared_claims_change(compared_step(c)) && is_alike(c));
}

bool compared_shift_exceeds_runs(const struct comparison *c, double alpha)
{
	return compared_has_common_shift(c) && compared_step(c)->verdict != VERDICT_SAME &&
	       c->measure[0].geomean_p < alpha;
}

bool compared_claims_change(const struct compared *v)
{
	return v->verdict == VERDICT_REGRESSED || v->verdict == VERDICT_IMPROVED ||
	       v->verdict == VERDICT_SLOWER || v->verdict == VERDICT_FASTER;
}

static struct cause of_step(const struct compared_finder *f, enum cause_kind kind)
{
	const struct compared *step = compared_step(f->c);
	struct cause cause = cause_new(kind);

	cause.from = step->base_mean;
	cause.to = step->new_mean;
	return cause;
}

static void find_common(struct compared_finder *f)
{
	const struct compared_measure *measure = &f->c->measure[0];
	struct cause cause = of_step(f, CAUSE_COMMON);

	if (f->c->benchmarks || !compared_shift_exceeds_runs(f->c, f->from->alpha))
		return;
	f->common = expm1(measure->median_diff);
	cause.place = CAUSE_IN_ALL;
	cause.size = f->common * measure->total.base_mean / f->base;
	cause.p = measure->geomean_p;
	if (!cause_is_most(f->clock, cause.size))
		cause_list_add(f->out, &cause);
}

/* ---- the clock ---- */

static bool is_clock(const struct measure *measure)
{
	return measure->dimension == DIMENSION_FREQUENCY && strstr(measure->name, "clock");
}

/* True if several runs have one value: a clock that is locked. */
static bool runs_agree(const struct run_row *row)
{
	size_t i = 0;

	while (i < row->runs && row->run[i].value == row->run[0].value)
		i++;
	return i > 1 && i == row->runs;
}

/* True if the change is beyond what its runs differ by. */
static bool is_known_change(const struct compared *v)
{
	return v->evidence == EVIDENCE_EXACT || v->low > 0 || v->high < 0 ||
	       (isnan(v->low) && runs_agree(v->base) && runs_agree(v->new));
}

/* True if a change of the time is claimed beyond its margin, the clock is known to have changed,
 * and time x clock did within the margin and by less than half. */
static bool is_clock_change(const struct compared *time, const struct compared *clock)
{
	const double cycles = (1 + time->change) * (1 + clock->change) - 1;

	return compared_claims_change(time) && fabs(time->change) > time->margin &&
	       fabs(cycles) <= time->margin && fabs(cycles) < fabs(time->change) / 2 &&
	       is_known_change(clock);
}

size_t compared_clock(const struct comparison *c, const struct compared_row *row)
{
	for (size_t m = 1; m < c->measure_count; m++)
		if (is_clock(measure_at(c->measure[m].id)) &&
			is_clock_change(&row->value[0], &row->value[m]))
			return m;
	return SIZE_MAX;
}

static double difference_of(
	const struct compared_finder *f, const struct compared *v, size_t measure)
{
	const bool higher = measure_at(f->c->measure[measure].id)->better == DIRECTION_HIGHER;

	return !f->c->benchmarks ? v->difference : higher ? -v->diff : v->diff;
}

static void set_row(struct cause *cause, const struct compared_row *row, const struct compared *v)
{
	cause->row_from = isnan(v->base_mean) ? 0 : v->base_mean;
	cause->row_to = isnan(v->new_mean) ? 0 : v->new_mean;
	cause->calls_from = row->executions_base;
	cause->calls_to = row->executions_new;
	cause->p = isnan(v->q) ? v->p : v->q;
}

static void find_clock(struct compared_finder *f)
{
	struct cause cause = of_step(f, CAUSE_CLOCK);

	cause.size = 0;
	cause.place = CAUSE_IN_ROW;
	for (size_t i = 0; i < f->c->count && f->c->measure[0].id == MEASURE_TIME; i++) {
		const struct compared_row *row = &f->c->row[i];

		if (compared_clock(f->c, row) == SIZE_MAX)
			continue;
		f->is_told[i] = true;
		cause.size += difference_of(f, &row->value[0], 0) / f->base;
		if (cause.rows++)
			continue;
		cause.group = i;
		set_row(&cause, row, &row->value[0]);
	}
	cause.place = cause.rows > 1 ? CAUSE_IN_SEVERAL : CAUSE_IN_ROW;
	f->clock = cause.size;
	if (cause.rows)
		cause_list_add(f->out, &cause);
}

/* ---- work that moved, and single rows ---- */

static void find_moved(struct compared_finder *f)
{
	const struct moved_work *moved = &f->c->moved;
	struct cause cause = of_step(f, moved->cancels ? CAUSE_MOVED : CAUSE_REPLACED);

	if (!moved->up || f->from->names_differ)
		return;
	cause.place = CAUSE_IN_SEVERAL;
	cause.size = moved->sum.difference / f->base;
	cause.p = moved->sum.p;
	cause.row_from = moved->sum.base_mean;
	cause.row_to = moved->sum.new_mean;
	cause_list_add(f->out, &cause);
}

/* Rows that ran as the others did say nothing by how often they ran. */
static void find_work(struct compared_finder *f)
{
	const struct unequal_work *work = &f->c->work;
	struct cause cause = of_step(f, CAUSE_WORK);

	if (!work->ops)
		return;
	cause.place = CAUSE_IN_ALL;
	cause.size = work->calls * f->c->measure[0].total.base_mean / f->base;
	cause_list_add(f->out, &cause);
}

static bool is_lone(const struct compared *v)
{
	return v->verdict == VERDICT_NEW || v->verdict == VERDICT_GONE;
}

static void try_row(struct compared_finder *f, size_t i, size_t measure)
{
	const struct compared_row *row = &f->c->row[i];
	const struct compared *v = &row->value[measure];
	const double all = difference_of(f, v, measure);
	double own = all;
	struct cause cause = cause_new(CAUSE_ROW);

	if (f->is_told[i] || v->small || v->moved || isnan(all) ||
		!(compared_claims_change(v) ||
			(is_lone(v) && !f->c->moved.up && !f->from->names_differ)))
		return;
	if (f->common != 0 && v->base && v->new)
		own -= f->common * v->base_mean;
	if (measure == 0 && unequal_work_is_of(&f->c->work, row))
		own -= f->c->work.calls * v->base_mean;
	if (measure == 0)
		own -= f->by_rank[i];
	if (!cause_is_most(own, all))
		return;
	cause.place = CAUSE_IN_ROW;
	cause.group = i;
	cause.measure = measure;
	cause.from = compared_step(f->c)->base_mean;
	cause.to = compared_step(f->c)->new_mean;
	cause.size = own / f->base;
	set_row(&cause, row, v);
	cause_list_add(f->out, &cause);
}

static void find_rows(struct compared_finder *f)
{
	const size_t measures = f->c->benchmarks ? f->c->measure_count : 1;

	for (size_t m = 0; m < measures; m++)
		for (size_t i = 0; i < f->c->count; i++)
			try_row(f, i, m);
}

/* ---- what is in no row ---- */

/* The device that both sides have whose window changed most; NULL: none. */
static const struct compared_device *changed_device(const struct comparison *c)
{
	const struct compared_device *found = NULL;
	double most = 0;

	for (size_t i = 0; i < c->devices.count; i++) {
		const struct compared *window = &c->devices.device[i].part[PART_WINDOW];

		if (!window->base || !window->new || (found && !(fabs(window->difference) > most)))
			continue;
		found = &c->devices.device[i];
		most = fabs(window->difference);
	}
	return found;
}

/* The step changed, or there was no test that would say so. */
static bool may_have_changed(const struct comparison *c)
{
	const enum verdict verdict = compared_step(c)->verdict;

	return verdict != VERDICT_SAME && verdict != VERDICT_INCONCLUSIVE;
}

static void find_idle(struct compared_finder *f)
{
	const struct compared_device *device = changed_device(f->c);
	struct cause cause = of_step(f, CAUSE_IDLE);

	if (!device || !may_have_changed(f->c))
		return;

	const struct compared *window = &device->part[PART_WINDOW],
			      *idle = &device->part[PART_IDLE];

	if (!(fabs(idle->difference) >= PART_LEAST * window->base_mean) ||
		!(idle->difference * window->difference > 0))
		return;
	cause.part = PART_IDLE;
	for (int p = PART_HOST_LATE; p <= PART_NO_CAUSE; p++)
		if (cause_is_most(device->part[p].difference, idle->difference))
			cause.part = (enum compared_part)p;
	for (size_t i = 0; i < device->cause_count && cause.part == PART_HOST_LATE; i++)
		if (cause_is_most(device->cause[i].value.difference, idle->difference))
			cause.host = device->cause[i].name;
	/* The others wait for a slow rank, or that rank for its input. */
	if (!cause_is_most(
		    idle->difference - (cause.part == PART_HOST_LATE ? f->input : f->waiting),
		    idle->difference))
		return;
	cause.place = CAUSE_NOT_IN_OPS;
	cause.compared = device;
	cause.size = idle->difference / window->base_mean;
	cause.p = idle->p;
	cause_list_add(f->out, &cause);
}

/* Without devices: the step as a whole, less its ops. */
static void find_outside(struct compared_finder *f)
{
	const struct compared *step = compared_step(f->c);
	const double ops = f->c->measure[0].total.difference;
	const double own = step->difference - ops - f->waiting;
	struct cause cause = of_step(f, CAUSE_OUTSIDE);

	if (f->c->step_times != STEP_TIMES_DECIDE || changed_device(f->c) ||
		!compared_claims_change(step) || !cause_is_most(own, step->difference))
		return;
	cause.place = CAUSE_NOT_IN_OPS;
	cause.size = own / f->base;
	cause.p = isnan(step->q) ? step->p : step->q;
	cause_list_add(f->out, &cause);
}

/* ---- what one side shows by itself ---- */

static const char *row_name(const struct compared_finder *f, size_t side, const struct cause *cause)
{
	return cause->group == SIZE_MAX
		       ? ""
		       : f->from->side[side]->run.grouping->group[cause->group].name;
}

static const char *rank_name(
	const struct compared_finder *f, size_t side, const struct cause *cause)
{
	const size_t rank = cause->rank ? cause->rank->rank : cause->of_rank;

	return rank == SIZE_MAX ? "" : f->from->side[side]->ranks->of->rank[rank].name;
}

/* The same cause on the other side; NULL: it has none. */
static const struct cause *of_other_side(
	const struct compared_finder *f, size_t side, const struct cause *cause)
{
	const struct cause_list *other = f->from->of_side[!side];

	for (size_t i = 0; i < other->count; i++)
		if (other->cause[i].kind == cause->kind && other->cause[i].place == cause->place &&
			text_equal(
				row_name(f, !side, &other->cause[i]), row_name(f, side, cause)) &&
			text_equal(
				rank_name(f, !side, &other->cause[i]), rank_name(f, side, cause)))
			return &other->cause[i];
	return NULL;
}

/* The row of the comparison in which the cause of a side is; SIZE_MAX: none. */
static size_t row_of(const struct compared_finder *f, size_t side, const struct cause *cause)
{
	const struct group *group;

	if (cause->group == SIZE_MAX)
		return SIZE_MAX;
	group = &f->from->side[side]->run.grouping->group[cause->group];
	for (size_t i = 0; i < f->c->count; i++)
		if ((side ? f->c->row[i].new : f->c->row[i].base) == group)
			return i;
	return SIZE_MAX;
}

/* True if the change is what the side shows: in the same place, and most of it. */
static bool explains(const struct cause *shown, size_t row, double size, const struct cause *change)
{
	if (change->side != CAUSE_OF_BOTH || !cause_is_most(size, change->size))
		return false;
	switch (change->kind) {
	case CAUSE_ROW:
		return row != SIZE_MAX && change->group == row;
	case CAUSE_COMMON:
		return shown->place == CAUSE_IN_ALL;
	case CAUSE_IDLE:
	case CAUSE_OUTSIDE:
		return shown->place == CAUSE_NOT_IN_OPS;
	default:
		return false;
	}
}

static void add_of_side(struct compared_finder *f, size_t side, const struct cause *shown,
	const struct cause *other)
{
	const size_t row = row_of(f, side, shown);
	const double own = shown->size - (other ? other->size : 0), size = side ? own : -own;
	struct cause cause = *shown;

	for (size_t i = 0; i < f->out->count; i++)
		if (explains(shown, row, size, &f->out->cause[i])) {
			if (!f->out->cause[i].since) {
				f->out->cause[i].since = shown;
				f->out->cause[i].side = side ? CAUSE_OF_NEW : CAUSE_OF_BASE;
			}
			return;
		}
	cause.since = shown;
	cause.side = side ? CAUSE_OF_NEW : CAUSE_OF_BASE;
	cause.size = size;
	cause.group = row;
	if (other && shown->kind == CAUSE_SLOW_RANK)
		cause.from = other->to;
	cause_list_add(f->out, &cause);
}

/* True if the ranks wait in the row. */
static bool is_waiting(const struct compared_finder *f, size_t side, size_t row)
{
	const struct group *group = side ? f->c->row[row].new : f->c->row[row].base;

	return group && !job_ranks_is_work(f->from->side[side]->ranks, group);
}

/* Gives the row its part of a rank; true if this is most of a change that is claimed. */
static bool give_part(struct compared_finder *f, size_t row, double part)
{
	const struct compared *v = &f->c->row[row].value[0];

	f->by_rank[row] += part;
	return compared_claims_change(v) && cause_is_most(part, v->difference);
}

/* Shares what the rank is slower by among the rows: 1 of n ranks works for longer, in its row, and
 * the others wait for it, in collectives by how much these changed. True if it explains one. */
static bool share_rank(struct compared_finder *f, size_t side, const struct cause *shown, double by)
{
	const double ranks = (double)f->from->side[side]->ranks->of->count;
	const double excess = side ? by : -by, waiting = excess * (1 - 1 / ranks);
	const size_t own = row_of(f, side, shown);
	double sum = 0;
	bool any = false;

	if (f->c->measure[0].id != MEASURE_TIME)
		return false;
	if (fabs(waiting) > fabs(f->waiting))
		f->waiting = waiting;
	if (shown->host)
		f->input += excess / ranks;
	if (own != SIZE_MAX)
		any = give_part(f, own, excess / ranks);
	for (size_t i = 0; i < f->c->count; i++) {
		const double d = f->c->row[i].value[0].difference;

		sum += is_waiting(f, side, i) && d * waiting > 0 ? d : 0;
	}
	for (size_t i = 0; i < f->c->count; i++) {
		const double d = f->c->row[i].value[0].difference;

		if (is_waiting(f, side, i) && d * waiting > 0)
			any |= give_part(f, i, d * fmin(1, waiting / sum));
	}
	return any;
}

/* Time that one rank alone is slower by, over all steps. */
static double excess_of_rank(
	const struct compared_finder *f, size_t side, const struct cause *cause)
{
	return !cause	     ? 0
	       : cause->rank ? cause->to
	       : cause->size > 0
		       ? cause->size * summary_first_runs(f->from->side[side]->summary)->mean
		       : 0;
}

static bool is_of_rank(const struct cause *cause)
{
	return cause->rank || cause->of_rank != SIZE_MAX;
}

/* A cause that the other side has not, or by less than half as much; or by what explains a row. */
static void try_of_side(struct compared_finder *f, size_t side, const struct cause *shown)
{
	const struct cause *other = of_other_side(f, side, shown);
	const double less = other ? other->size : 0;
	bool is_told = !other || cause_is_most(shown->size - less, shown->size);

	if (is_of_rank(shown) && shown->size > less)
		is_told |= share_rank(f, side, shown,
			excess_of_rank(f, side, shown) - excess_of_rank(f, !side, other));
	if (is_told)
		add_of_side(f, side, shown, other);
}

/* A level or a trend of few of the runs is theirs, and not of their side. */
static bool is_of_few(const struct compared_finder *f, size_t side, const struct cause *shown)
{
	return (shown->kind == CAUSE_SHIFT || shown->kind == CAUSE_TREND) &&
	       2 * shown->runs < f->from->side[side]->run.steps->run_count;
}

/* Ranks and runs are tested on each side by itself: both together keep the level of one. */
static bool is_sure(const struct cause *shown)
{
	return !(shown->rank && shown->p > RANK_CULPRITS_ALPHA / 2) &&
	       !(shown->kind == CAUSE_RUN && shown->p > ODD_RUNS_P / 2);
}

static void find_of_sides(struct compared_finder *f, bool of_ranks)
{
	for (size_t k = 0; k < 2; k++) {
		const size_t side = 1 - k;
		const struct cause_list *list = f->from->of_side[side];

		for (size_t i = 0; list && i < list->count; i++) {
			const struct cause *shown = &list->cause[i];

			if (shown->kind != CAUSE_HOST_LATE && is_of_rank(shown) == of_ranks &&
				!is_of_few(f, side, shown) && is_sure(shown))
				try_of_side(f, side, shown);
		}
	}
}

void causes_in_comparison(const struct cause_sources *from, struct cause_list *out)
{
	const struct comparison *c = from->comparison;
	struct arena *scratch;
	struct compared_finder f = {.from = from, .c = c, .out = out};

	if (!c || c->new_is_base)
		return;
	f.base = c->benchmarks ? 1 : compared_step(c)->base_mean;
	if (!(f.base > 0))
		return;
	scratch = arena_new();
	f.is_told = arena_array(scratch, c->count + 1, sizeof(*f.is_told));
	f.by_rank = arena_array(scratch, c->count + 1, sizeof(*f.by_rank));
	find_of_sides(&f, true);
	find_work(&f);
	find_clock(&f);
	find_common(&f);
	find_moved(&f);
	find_rows(&f);
	find_idle(&f);
	find_outside(&f);
	find_of_sides(&f, false);
	arena_free(scratch);
}
