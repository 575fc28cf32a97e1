/* Events in the series of the steps (changes of level, trends, long steps, runs that stand apart),
 * and long steps of one row put together. */
#include "analysis/causes/series_events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/row_series.h"
#include "analysis/run_stability.h"
#include "base/memory.h"
#include "base/order.h"
#include "stats/modes.h"
#include "stats/moments.h"
#include "stats/odd_runs.h"

#define NEIGHBOURS 7	 /* on either side of a step, whose level is that of its own */
#define LONG_SPREADS 8	 /* scaled MADs about the level of the neighbours */
#define LONG_LEAST 0.05	 /* longer than the neighbours by this */
#define LONG_LIKE 0.5	 /* of the excess of these: a step that has more is one of them */
#define LONG_SURE 6	 /* spreads of ordinary steps: of long ones closer to them some may hide */
#define LONG_MOST 0.2	 /* of the steps of a run: more are no single steps */
#define LONG_HALF 0.5	 /* the same where they are one of two levels */
#define ALONE_RANGES 6	 /* of the others of a run of few steps, above them */
#define ALONE_RUNS 0.6	 /* power of the number of runs that makes it more */
#define WARMUP_PART 5	 /* of a run: steps at its start up to this are warm-up, and no cause */
#define PERIOD_PART 0.6	 /* of the steps that a period has: so many are long */
#define SIZE_LEAST 0.005 /* of the time: less is not worth a word */
#define SUFFICES 0.5	 /* of the variance within runs */

/* Where a level begins that the run keeps or leaves again; `end` and `end`: it has one level. */
struct level_change {
	size_t at, back;
	double p;
};

static int64_t number_of(const struct cause_finder *f, size_t run, size_t i)
{
	const struct step_set *steps = f->summary->steps;
	const struct step *step = &f->summary->cube->step[steps->step[i]];

	return step->unnumbered ? (int64_t)(i - steps->first[run]) : step->number;
}

static double level_of(struct cause_finder *f, const uint32_t *step, size_t n)
{
	for (size_t i = 0; i < n; i++)
		f->known[i] = f->total[step[i]];
	return n ? sample_middle(f->known, n) : NAN;
}

/* The steps of begin .. end - 1 in the level from its step `from` on, held against those outside of
 * it. Long steps are in neither, unless they are the event: then they are it, and all others are
 * what they are held against. It makes its change in `weight` steps; 0: in those that it has. */
static struct step_event *add_event(struct cause_finder *f, enum cause_kind kind, size_t run,
	size_t begin, size_t end, size_t from, struct level_change level, double weight)
{
	const bool of_long = kind == CAUSE_LONG;
	struct cause *cause;
	struct step_event *e;

	f->event = memory_make_room_zeroed(f->event, &f->room, f->count + 1, sizeof(*f->event));
	e = &f->event[f->count++];
	*e = (struct step_event){.number = number_of(f, run, level.at), .cause = cause_new(kind)};
	e->on = arena_array(f->arena, end - begin, sizeof(*e->on));
	e->ref = arena_array(f->arena, end - begin, sizeof(*e->ref));
	for (size_t i = begin; i < end; i++) {
		const bool in = i >= level.at && i < level.back;

		if (isnan(f->total[i]) || (f->is_long[i] && !(of_long && in)))
			continue;
		if (of_long ? f->is_long[i] : in && i >= from)
			e->on[e->on_count++] = (uint32_t)i;
		else if (of_long || !in)
			e->ref[e->ref_count++] = (uint32_t)i;
	}
	cause = &e->cause;
	cause->runs = 1;
	cause->run = run;
	cause->step = f->summary->steps->step[level.at];
	cause->steps = cause->numbers = of_long ? e->on_count : 0;
	cause->from = level_of(f, e->ref, e->ref_count);
	cause->to = level_of(f, e->on, e->on_count);
	cause->p = level.p;
	cause->size =
		(cause->to - cause->from) / f->whole * (weight > 0 ? weight : (double)e->on_count);
	return e;
}

/* ---- levels and long steps ---- */

/* The median of the steps beside step i within begin .. end, without those known to be long. */
static double level_beside(const struct cause_finder *f, size_t i, size_t begin, size_t end)
{
	const size_t from = i > begin + NEIGHBOURS ? i - NEIGHBOURS : begin,
		     to = i + NEIGHBOURS < end ? i + NEIGHBOURS + 1 : end;
	double window[2 * NEIGHBOURS + 1];
	size_t n = 0;

	for (size_t k = from; k < to; k++)
		if (k != i && !f->is_long[k] && !isnan(f->total[k]))
			window[n++] = f->total[k];
	return n >= 3 ? sample_middle(window, n) : NAN;
}

/* Marks the steps that are long beside their neighbours, or beside all of the stretch, in which
 * there is one level; nothing is longer than 0. Returns the spread of all about their level. */
static double mark_long(struct cause_finder *f, size_t begin, size_t end, double whole_level)
{
	double *excess = f->known, mad;
	size_t n = 0, found;

	for (size_t i = begin; i < end; i++) {
		const double level =
			isnan(whole_level) ? level_beside(f, i, begin, end) : whole_level;

		if (!isnan(f->total[i]) && level > 0) {
			f->known_at[n] = i;
			excess[n++] = f->total[i] / level - 1;
		}
	}
	if (n < DRIFT_VALUES_MIN)
		return NAN;

	const double middle = sample_median(excess, n, &mad), spread = SAMPLE_SD_OF_MAD * mad;
	const double bound = fmax(LONG_LEAST, middle + LONG_SPREADS * spread);

	found = sample_outside(excess, n, -INFINITY, bound, f->odd);
	if (!found || (double)found > LONG_MOST * (double)n)
		return spread;
	for (size_t i = 0; i < found; i++)
		f->most[i] = excess[f->odd[i]];

	const double half = middle + LONG_LIKE * (sample_middle(f->most, found) - middle);

	found = sample_outside(excess, n, -INFINITY, fmax(LONG_LEAST, fmin(bound, half)), f->odd);
	if ((double)found > LONG_MOST * (double)n)
		found = sample_outside(excess, n, -INFINITY, bound, f->odd);
	for (size_t i = 0; i < found; i++)
		f->is_long[f->known_at[f->odd[i]]] = true;
	return spread;
}

/* Reads what is known of the steps begin .. end - 1, and where. */
static size_t read_known(const struct cause_finder *f, size_t begin, size_t end, bool without_long)
{
	size_t n = 0;

	for (size_t i = begin; i < end; i++)
		if (!isnan(f->total[i]) && !(without_long && f->is_long[i])) {
			f->known[n] = f->total[i];
			f->known_at[n++] = i;
		}
	return n;
}

static double level_within(struct cause_finder *f, size_t begin, size_t end)
{
	const size_t n = read_known(f, begin, end, false);

	return n ? sample_middle(f->known, n) : NAN;
}

/* The bound between two levels of the steps begin .. end, which are `least` apart; NaN: they have
 * one. */
static double between_levels(
	const struct cause_finder *f, size_t begin, size_t end, double most_high, double least)
{
	struct modes modes;

	modes_find(
		f->known, read_known(f, begin, end, false), f->summary->time_resolution_ps, &modes);
	if (!modes.two || modes.share_high > most_high || modes.high < (1 + least) * modes.low)
		return NAN;
	return (modes.low + modes.high) / 2;
}

/* Steps from .. level.back - 1 against those of begin .. end outside the level. */
static void add_change(struct cause_finder *f, enum cause_kind kind, size_t run, size_t begin,
	size_t end, size_t from, struct level_change level)
{
	const struct step_set *steps = f->summary->steps;
	const size_t length = level.back - level.at;
	struct step_event *e = add_event(f, kind, run, begin, end, from, level,
		kind == CAUSE_SHIFT ? (double)length : (double)(end - begin) / 2);
	struct cause *cause = &e->cause;
	double by;

	if ((e->goes_back = level.back < steps->first[run + 1])) {
		cause->last = steps->step[level.back - 1];
		e->last = number_of(f, run, level.back - 1);
	}
	cause->p = isnan(level.p) ? NAN : fmin(1, level.p * (double)steps->run_count);
	by = fabs(series_mean(f->total, e->on, e->on_count) -
		  series_mean(f->total, e->ref, e->ref_count)); /* medians jump between levels */
	if (!(cause->from > 0 &&
		    fmin(by, fabs(cause->to - cause->from)) >= STEADINESS_LEAST * cause->from))
		f->count--;
	else if (kind == CAUSE_SHIFT && e->ref_count >= DRIFT_VALUES_MIN)
		memset(f->is_shifted + level.at, true, length * sizeof(*f->is_shifted));
}

/* Against its neighbours. */
static void add_long_step(
	struct cause_finder *f, size_t run, size_t begin, size_t end, size_t at, double spread)
{
	const struct level_change step = {at, at + 1, NAN};

	if (++f->single > CAUSES_SINGLE_MOST)
		return;
	add_event(f, CAUSE_LONG, run, at > begin + NEIGHBOURS ? at - NEIGHBOURS : begin,
		at + NEIGHBOURS < end ? at + NEIGHBOURS + 1 : end, at, step, 1)
		->cause.spread = spread;
}

/* The upper of two levels between which the steps go to and fro are one event, held against the
 * others. True if there are two. */
static bool add_upper(struct cause_finder *f, size_t run, size_t begin, size_t end)
{
	const double bound = between_levels(f, begin, end, LONG_HALF, LONG_LEAST);
	struct level_change level = {end, end, NAN};

	for (size_t i = end; i-- > begin && !isnan(bound);)
		if ((f->is_long[i] = f->total[i] > bound))
			level.at = i;
	if (level.at < end)
		add_event(f, CAUSE_LONG, run, begin, end, level.at, level, 0);
	return level.at < end;
}

/* Warm-up is long, and no cause; as are long steps behind it: a later level hides its end. */
static size_t end_of_warmup(struct cause_finder *f, size_t begin, size_t end, size_t warmup)
{
	const size_t most = begin + (end - begin) / WARMUP_PART;
	size_t after = begin + warmup > most ? begin : begin + warmup;

	mark_long(f, begin, end, level_within(f, after, end));
	while (after < most && f->is_long[after])
		after++;
	memset(f->is_long + after, false, (end - after) * sizeof(*f->is_long));
	memset(f->is_long + begin, true, (after - begin) * sizeof(*f->is_long));
	return after;
}

/* Most of the long steps, next to each other and as many as make a level; nothing: `end`, `end`. */
static struct level_change long_level(const struct cause_finder *f, size_t begin, size_t end)
{
	struct level_change longest = {end, end, NAN};
	size_t all = 0;

	for (size_t i = begin, to; i < end; i = to + 1) {
		for (to = i; to < end && f->is_long[to]; to++)
			all++;
		if (to - i >= DRIFT_SIDE_MIN && to - i > longest.back - longest.at)
			longest = (struct level_change){i, to, NAN};
	}
	if (2 * (longest.back - longest.at) > all)
		return longest;
	return (struct level_change){end, end, NAN};
}

/* Each long step is an event of its own, held against its neighbours; but the first ones up to
 * `warm_end` are of the warm-up. */
static void add_long(struct cause_finder *f, size_t run, size_t begin, size_t end, size_t warm_end)
{
	struct level_change level;
	const double spread = mark_long(f, begin, end, NAN);

	mark_long(f, begin, end, level_within(f, begin, end));
	while (begin < end && begin < warm_end && f->is_long[begin])
		begin++;
	if (!f->is_one_level && !memchr(f->is_long + begin, true, end - begin) &&
		add_upper(f, run, begin, end))
		return;
	level = long_level(f, begin, end);
	for (size_t i = begin; i < end; i++)
		if (f->is_long[i] && (i < level.at || i >= level.back))
			add_long_step(f, run, begin, end, i, spread);
	if (level.at == end)
		return;
	memset(f->is_long + level.at, 0, (level.back - level.at) * sizeof(*f->is_long));
	add_change(f, CAUSE_SHIFT, run, begin, end, level.at, level);
}

/* Adds the squares of the steps of a stretch about their mean; long steps are no rest. */
static void add_squares(
	struct cause_finder *f, size_t begin, size_t end, bool without_long, double *to)
{
	struct moments moments;

	moments_compute(f->known, read_known(f, begin, end, without_long), &moments);
	*to += (double)moments.squares;
}

/* Neighbours that resemble each other hide a change from the tests; not one that is as large as the
 * distance of two levels, of which the run has each in one piece. */
static void find_two_levels(
	struct cause_finder *f, size_t begin, size_t end, struct level_change *out)
{
	const double bound = between_levels(f, begin, end, 1, STEADINESS_LEAST);
	size_t at[2] = {end, end}, count = 0, last = end;

	f->is_one_level = isnan(bound);
	for (size_t i = begin; i < end && count <= 2 && !isnan(bound); i++) {
		if (isnan(f->total[i]))
			continue;
		if (last < end && (f->total[i] > bound) != (f->total[last] > bound) && count++ < 2)
			at[count - 1] = i;
		last = i;
	}
	if (count == 1 || count == 2)
		*out = (struct level_change){at[0], at[1], NAN};
}

/* In the n known values after the warm-up. */
static struct level_change find_change(struct cause_finder *f, size_t run, size_t n,
	size_t after_warmup, const struct drift *drift, enum run_trend trend)
{
	const struct step_set *steps = f->summary->steps;
	const size_t end = steps->first[run + 1];
	const double least = trend == TREND_NONE ? 1 : fmin(drift->shift_p, drift->trend_p);
	struct level_change found = {end, end, drift->shift_p};
	struct level_stretch stretch;

	if (trend == TREND_SHIFT)
		found.at = f->known_at[drift->shift_at];
	stretch_find(f->known, n, &stretch);
	if (stretch.p * (double)steps->run_count < STEADINESS_P_MANY && stretch.p < least)
		found = (struct level_change){
			f->known_at[stretch.from], f->known_at[stretch.to], stretch.p};
	f->is_one_level = false;
	if (found.at == end)
		find_two_levels(f, after_warmup, end, &found);
	/* Warm-up may last for one step more than was found. */
	return found.at > after_warmup + 1 ? found : (struct level_change){found.back, end, NAN};
}

/* True if a change is the end of a warm-up that lasts for longer than was found: a level that falls
 * in the first part of a run. */
static bool ends_warmup(struct cause_finder *f, size_t after, size_t warm_end, size_t end,
	struct level_change change)
{
	return change.back == end && change.at <= warm_end &&
	       level_within(f, after, change.at) > level_within(f, change.at, end);
}

/* Steps of the warm-up of a run that are kept. */
static size_t warmup_of(const struct step_set *steps, size_t run)
{
	const size_t needed = steps_warmup_needed(steps, run), skipped = steps->skipped[run];

	return needed > skipped ? needed - skipped : 0;
}

/* In a run of few steps the one that is far above all others. */
static void find_alone(struct cause_finder *f, size_t run)
{
	const struct step_set *steps = f->summary->steps;
	const size_t begin = steps->first[run], end = steps->first[run + 1];
	const size_t warmup = warmup_of(steps, run), n = read_known(f, begin + warmup, end, false);
	const double ranges = ALONE_RANGES * pow((double)steps->run_count, ALONE_RUNS);
	const size_t at = sample_alone(f->known, n, ranges);

	memset(f->is_long + begin, true, warmup);
	if (at < n) {
		f->is_long[f->known_at[at]] = true;
		add_long_step(f, run, begin, end, f->known_at[at], NAN);
	}
	add_squares(f, begin, end, false, &f->all);
	add_squares(f, begin, end, true, &f->rest);
}

static void find_in_run(struct cause_finder *f, size_t run)
{
	const struct step_set *steps = f->summary->steps;
	const size_t begin = steps->first[run], end = steps->first[run + 1];
	const size_t warmup = warmup_of(steps, run);
	size_t after_warmup = end_of_warmup(f, begin, end, warmup), n;
	const size_t warm_end = after_warmup > begin ? begin + (end - begin) / WARMUP_PART : 0;
	struct level_change change = {after_warmup, end, NAN};
	enum run_trend trend;
	struct drift drift;

	do {
		memset(f->is_long + after_warmup, true, change.at - after_warmup);
		after_warmup = change.at;
		n = read_known(f, after_warmup, end, false);
		drift_find(f->known, n, &drift);
		trend = drift_trend(&drift, steps->run_count);
		change = find_change(f, run, n, after_warmup, &drift, trend);
	} while (ends_warmup(f, after_warmup, warm_end, end, change));

	const size_t edge[] = {after_warmup, change.at, change.back, end};
	const size_t thirds[] = {f->known_at[n / 3], f->known_at[n - n / 3]}; /* of a trend */

	for (size_t k = 0; k < 3; k++)
		add_long(f, run, edge[k], edge[k + 1], warm_end);
	add_squares(f, begin, end, false, &f->all);
	if (change.at < end) {
		add_change(f, CAUSE_SHIFT, run, after_warmup, end, change.at, change);
	} else if (trend == TREND_DRIFT && (after_warmup == begin || drift.slope_total > 0)) {
		change = (struct level_change){thirds[0], end, drift.trend_p};
		add_change(f, CAUSE_TREND, run, after_warmup, end, thirds[1], change);
		return; /* it makes what varies */
	}
	for (size_t k = 0; k < 3; k++)
		add_squares(f, edge[k], edge[k + 1], true, &f->rest);
}

/* The run that stands apart from the others, by the levels of the runs. */
static void find_run_apart(struct cause_finder *f)
{
	const struct step_set *steps = f->summary->steps;
	double *level = arena_array(f->arena, steps->run_count, sizeof(*level)), none = 0;
	const struct odd_runs_data data = {level, &none, 1, 0, steps->run_count};
	struct odd_run odd;

	for (size_t i = 0; i < steps->count; i++) /* no other event is left to be found */
		f->is_long[i] |= f->is_shifted[i];
	for (size_t r = 0; r < steps->run_count; r++) {
		const size_t n = read_known(f, steps->first[r], steps->first[r + 1], true);

		level[r] = n ? log(sample_middle(f->known, n)) : NAN;
		if (!isfinite(level[r]))
			return;
	}
	odd_run_find(&data, &odd);
	if (!odd.is_apart || fabs(expm1(odd.shift)) < STEADINESS_LEAST)
		return;
	add_event(f, CAUSE_RUN, odd.run, 0, steps->count, 0,
		(struct level_change){steps->first[odd.run], steps->first[odd.run + 1], odd.p}, 0);
}

/* ---- events of one cause ---- */

static bool gets_shorter(const struct step_event *e)
{
	return e->cause.to < e->cause.from;
}

/* Kind and row first, then the numbers. */
static int compare_events(const void *a, const void *b)
{
	const struct step_event *x = a, *y = b;

	return ORDER(x->cause.kind, y->cause.kind)
		       ?: ORDER(x->cause.place, y->cause.place)
		       ?: ORDER(x->cause.group, y->cause.group)
		       ?: ORDER(x->cause.of_rank, y->cause.of_rank)
		       ?: ORDER(gets_shorter(x), gets_shorter(y))
			       ?: ORDER(x->goes_back, y->goes_back) ?: ORDER(x->number, y->number)
			       ?: ORDER(x->last, y->last) ?: ORDER(x->cause.run, y->cause.run);
}

/* True if b is a further event of the cause of a. Changes of level are at one step, and all stay or
 * go back at one. */
static bool is_same(const struct step_event *a, const struct step_event *b)
{
	return a->cause.kind == b->cause.kind && a->cause.place == b->cause.place &&
	       a->cause.group == b->cause.group && a->cause.of_rank == b->cause.of_rank &&
	       gets_shorter(a) == gets_shorter(b) && a->cause.kind != CAUSE_RUN &&
	       (a->cause.kind != CAUSE_SHIFT ||
		       (a->goes_back == b->goes_back && b->number - a->number <= 1 &&
			       llabs(b->last - a->last) <= 1));
}

/* The distance of the long steps in each run, where it is one, three of them have it and most
 * steps so far apart are long; 0. `e`: of one cause, by number. */
static size_t period_of(const struct cause_finder *f, const struct step_event *e, size_t n)
{
	const struct step_set *steps = f->summary->steps;
	int64_t *last = arena_array(f->arena, steps->run_count, sizeof(*last)), every = 0;
	size_t *seen = arena_array(f->arena, steps->run_count, sizeof(*seen)), most = 0, count = 0;
	double expected = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < e[i].on_count; k++, count++) {
			const size_t run = e[i].cause.run;
			const int64_t number = number_of(f, run, e[i].on[k]);

			if (seen[run] && every && number - last[run] != every)
				return 0;
			if (seen[run])
				every = number - last[run];
			last[run] = number;
			most = ++seen[run] > most ? seen[run] : most;
		}
	for (size_t r = 0; every > 1 && r < steps->run_count; r++)
		if (seen[r])
			expected += floor(
				(double)(steps->first[r + 1] - steps->first[r]) / (double)every);
	return most >= 3 && every > 1 && (double)count >= PERIOD_PART * expected ? (size_t)every
										 : 0;
}

/* Makes one cause of n events: means over them. */
static struct cause join(const struct cause_finder *f, const struct step_event *e, size_t n)
{
	struct cause out = e[0].cause;
	bool *has = arena_array(f->arena, f->summary->steps->run_count, sizeof(*has));
	double largest = 0;

	out.size = out.from = out.to = out.row_from = out.row_to = out.spread = 0;
	out.calls_from = out.calls_to = 0;
	out.runs = out.numbers = out.steps = 0;
	for (size_t i = 0; i < n; i++) {
		const struct cause *one = &e[i].cause;

		out.size += one->size;
		out.from += one->from / (double)n;
		out.to += one->to / (double)n;
		out.spread += one->spread / (double)n;
		out.row_from += one->row_from / (double)n;
		out.row_to += one->row_to / (double)n;
		out.calls_from += one->calls_from / (double)n;
		out.calls_to += one->calls_to / (double)n;
		out.runs += !has[one->run];
		has[one->run] = true;
		out.numbers += i == 0 || e[i].number != e[i - 1].number ? one->numbers : 0;
		out.steps += one->steps;
		if (fabs(one->to - one->from) > largest) {
			largest = fabs(one->to - one->from);
			out.step = one->step;
			out.last = one->last;
			out.run = one->run;
		}
	}
	out.every = out.kind == CAUSE_LONG ? period_of(f, e, n) : 0;
	out.at_least = out.numbers > 1 && out.to - out.from < LONG_SURE * out.spread * out.from;
	if (!(out.spread >= LONG_LEAST))
		out.spread = NAN;
	return out;
}

/* Too many long steps to look into each: the other events are left. */
static void leave_out_single(struct cause_finder *f, struct cause_list *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->count; i++)
		if (f->event[i].cause.kind != CAUSE_LONG || f->event[i].on_count > 1)
			f->event[kept++] = f->event[i];
	f->count = kept;
	out->single = f->single;
}

static void join_events(struct cause_finder *f, struct cause_list *out)
{
	qsort(f->event, f->count, sizeof(*f->event), compare_events);
	for (size_t i = 0, next; i < f->count; i = next) {
		struct cause cause;

		for (next = i + 1; next < f->count && is_same(&f->event[next - 1], &f->event[next]);
			next++)
			;
		cause = join(f, &f->event[i], next - i);
		if (fabs(cause.size) >= SIZE_LEAST)
			cause_list_add(out, &cause);
	}
	out->suffice = out->count && !out->single && f->rest <= (1 - SUFFICES) * f->all;
}

/* False: there is no series in which causes could be. */
static bool begin(struct cause_finder *f)
{
	const struct summary *summary = f->summary;
	const size_t steps = summary->steps->count;

	if (summary->options.measure[0] != MEASURE_TIME || !summary->step_known[0] ||
		summary->overlap)
		return false;
	f->total = summary->step_time && !summary->options.of_selected ? summary->step_time
								       : summary->step_total[0];
	for (size_t i = 0; i < steps; i++)
		f->whole += isnan(f->total[i]) ? 0 : f->total[i];
	if (!(f->whole > 0))
		return false;
	f->arena = arena_new();
	f->is_long = arena_array(f->arena, steps, sizeof(*f->is_long));
	f->is_shifted = arena_array(f->arena, steps, sizeof(*f->is_shifted));
	f->known = arena_array(
		f->arena, steps + (f->ranks ? f->ranks->of->count : 0), sizeof(*f->known));
	f->most = arena_array(f->arena, steps, sizeof(*f->most));
	f->known_at = arena_array(f->arena, steps + 1, sizeof(*f->known_at));
	f->odd = arena_array(f->arena, steps, sizeof(*f->odd));
	if (f->ranks)
		f->work = job_ranks_mean_work(f->ranks, f->arena);
	return true;
}

static void end(struct cause_finder *f)
{
	memory_free(f->event);
	arena_free(f->arena);
}

void causes_in_series(const struct cause_sources *from, struct cause_list *out)
{
	struct cause_finder f = {.summary = from->summary, .ranks = from->ranks};
	const struct step_set *steps;

	if (!f.summary || (f.ranks && f.ranks->is_unknown) || !begin(&f))
		return;
	steps = f.summary->steps;
	for (size_t r = 0; r < steps->run_count; r++)
		if (steps->first[r + 1] - steps->first[r] >= DRIFT_VALUES_MIN)
			find_in_run(&f, r);
		else
			find_alone(&f, r);
	if (steps->run_count >= ODD_RUNS_LEAST)
		find_run_apart(&f);
	if (f.single > CAUSES_SINGLE_MOST)
		leave_out_single(&f, out);
	if (f.count) {
		step_events_find_rows(&f);
		join_events(&f, out);
	}
	end(&f);
}

bool causes_of_run(const struct summary *summary, size_t run, struct cause *out)
{
	struct cause_finder f = {.summary = summary};
	bool found = false;

	if (!begin(&f))
		return false;
	find_in_run(&f, run);
	step_events_find_rows(&f);
	for (size_t i = 0; i < f.count && !found; i++)
		if ((found = f.event[i].cause.kind != CAUSE_LONG))
			*out = f.event[i].cause;
	end(&f);
	return found;
}
