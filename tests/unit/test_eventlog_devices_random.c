/* The parts of devices on made-up traces, against a reference that looks at every unit of time:
 * several devices and lanes, work that overlaps, marks with gaps or windows, in any order of adding
 * and in little memory. */
#include "tests/unit/event_trace.h"
#include "tests/unit/test.h"

#define UNIT INT64_C(500000) /* ps: a short gap is at most 4 of these */
#define SHORT_UNITS 4
#define TIME 400 /* units */
#define DEVICES 3
#define LANES 3	 /* of each device */
#define WORKS 60 /* at most, of each device */
#define STEPS 6
#define NONE (-1)
#define TURNS 4
#define IN_ORDER 3 /* of these */

enum { COMPUTES, COMMUNICATES, COPIES, CLASSES };

struct work {
	int start, end, class, lane, launch; /* NONE: without a launch */
};

struct random_trace {
	uint64_t state;
	struct work work[DEVICES][WORKS];
	int count[DEVICES];
	int steps, number[STEPS], start[STEPS], end[STEPS];
	int until[STEPS]; /* up to here events are in the step */
	bool windows;
	enum step_time_kind step_time;
};

/* In units, of one device in one step. */
struct parts {
	int64_t unit[SERIES_KINDS];
};

static uint64_t next_random(struct random_trace *t) /* xorshift64 (Marsaglia 2003) */
{
	t->state ^= t->state << 13;
	t->state ^= t->state >> 7;
	t->state ^= t->state << 17;
	return t->state;
}

static int below(struct random_trace *t, int n)
{
	return (int)(next_random(t) % (uint64_t)n);
}

/* ---- making ---- */

static void make_steps(struct random_trace *t)
{
	int at = below(t, 60), number = 3;

	t->windows = below(t, 3) == 0;
	t->steps = 0;
	while (t->steps < STEPS && at < TIME - 70) {
		const int s = t->steps++;

		t->start[s] = at;
		t->end[s] = at + 1 + below(t, 60);
		t->number[s] = t->windows ? s : number;
		number += 1 + (below(t, 4) == 0);
		at = t->end[s] + (below(t, 2) ? 0 : below(t, 40));
	}
}

static void make_work(struct random_trace *t)
{
	for (int d = 0; d < DEVICES; d++) {
		const int wanted = below(t, WORKS), longest = 2 + below(t, 40);

		t->count[d] = 0;
		for (int i = 0; i < wanted; i++) {
			struct work *w = &t->work[d][t->count[d]];

			w->start = below(t, TIME - 60);
			w->end = w->start + 1 + below(t, longest);
			w->class = below(t, CLASSES);
			w->lane = below(t, LANES);
			/* Lane 0 has no launches; on one lane some would break the order. */
			w->launch = w->start - below(t, 30);
			w->launch = w->lane == 0 ? NONE : w->launch < 0 ? 0 : w->launch;
			t->count[d]++;
		}
	}
}

/* The period of a step; NONE: it is the last one, or numbers are missing after it. */
static int period_of(const struct random_trace *t, int s)
{
	return s + 1 < t->steps && t->number[s + 1] == t->number[s] + 1
		       ? t->start[s + 1] - t->start[s]
		       : NONE;
}

/* Does more than a fifth of what was launched in marks run after them, with time between marks? */
static bool are_launches(const struct random_trace *t)
{
	int launched = 0, after = 0, gaps = 0, periods = 0;

	for (int s = 0; s < t->steps; s++)
		for (int d = 0; d < DEVICES; d++)
			for (int i = 0; i < t->count[d]; i++) {
				const struct work *w = &t->work[d][i];

				if (w->launch < t->start[s] || w->launch >= t->end[s])
					continue;
				for (int unit = w->start; unit < w->end; unit++) {
					launched++;
					after += unit >= t->end[s];
				}
			}
	for (int s = 0; s + 1 < t->steps; s++) {
		gaps += t->start[s + 1] - t->end[s];
		periods += t->start[s + 1] - t->start[s];
	}
	return 5 * after > launched && (t->steps == 1 || 100 * gaps > periods);
}

/* Steps are their marks, or from mark to mark where that is asked for or marks are only launches.
 * One without a period lasts as long as the longest at most, but not shorter than its mark. */
static void find_steps(struct random_trace *t)
{
	const bool by_period =
		!t->windows && (t->step_time == STEP_TIME_PERIOD ||
				       (t->step_time == STEP_TIME_AUTO && are_launches(t)));
	int longest = NONE;

	for (int s = 0; s < t->steps; s++)
		longest = period_of(t, s) > longest ? period_of(t, s) : longest;
	for (int s = 0; s < t->steps; s++) {
		const int next = s + 1 < t->steps ? t->start[s + 1] : 2 * TIME;

		t->until[s] = t->end[s];
		if (!by_period)
			continue;
		if (period_of(t, s) != NONE || longest == NONE)
			t->until[s] = next;
		else if (t->start[s] + longest > t->end[s])
			t->until[s] = t->start[s] + longest;
		if (t->until[s] > next)
			t->until[s] = next;
	}
}

/* ---- through the log ---- */

static void add_one(struct trace *t, const struct random_trace *made, int d, int i, uint64_t link)
{
	static const char *const name[CLASSES] = {"gemm", "ncclDevKernel_AllReduce", "Memcpy HtoD"};
	const struct work *w = &made->work[d][i];
	char key[32], device[16];

	snprintf(key, sizeof(key), "device %d stream %d", d, w->lane);
	snprintf(device, sizeof(device), "gpu:%d", d);
	const uint32_t id = lane(t, "gpu", key);

	if (!*eventlog_lane_at(t->log, id)->device)
		eventlog_lane_at(t->log, id)->device = arena_strdup(t->profile->arena, device);
	eventlog_lane_at(t->log, id)->accelerator = true;
	eventlog_lane_at(t->log, id)->flat = true;
	if (w->launch != NONE)
		add(t, &(struct event){.lane = lane(t, "host", "1"),
			       .op = op(t, "launch"),
			       .start_ps = w->launch * UNIT,
			       .link = link,
			       .flags = EVENT_LAUNCHES});
	add(t, &(struct event){.lane = id,
		       .op = op(t, name[w->class]),
		       .start_ps = w->start * UNIT,
		       .dur_ps = (w->end - w->start) * UNIT,
		       .link = w->launch == NONE ? 0 : link,
		       .flags = w->launch == NONE ? 0 : EVENT_LAUNCHED});
}

/* Lane by lane in order of time, with links in that order. */
static void add_in_order(struct trace *t, const struct random_trace *made)
{
	uint64_t link = 0;

	for (int d = 0; d < DEVICES; d++)
		for (int l = 0; l < LANES; l++)
			for (int start = 0; start < TIME; start++)
				for (int i = 0; i < made->count[d]; i++)
					if (made->work[d][i].lane == l &&
						made->work[d][i].start == start)
						add_one(t, made, d, i, ++link);
}

static void add_scattered(struct trace *t, const struct random_trace *made, int turn)
{
	for (int k = 0; k < DEVICES * WORKS; k++) {
		const int at = (k * 7 + turn * 11) % (DEVICES * WORKS), d = at % DEVICES,
			  i = at / DEVICES;

		if (i < made->count[d])
			add_one(t, made, d, i, (uint64_t)(d * WORKS + i) + 1);
	}
}

/* All lanes are known before the works come, in an order that `turn` changes. */
static void run(struct trace *t, struct random_trace *made, int turn, size_t buffer_bytes)
{
	struct eventlog_options opt = plain;
	struct log_window window[STEPS];

	/* Time 0 of windows is the first event: one op of the host is at 0. */
	for (int s = 0; s < made->steps; s++)
		window[s] = (struct log_window){made->start[s] * UNIT, made->end[s] * UNIT};
	opt.step_time = made->step_time;
	opt.buffer_bytes = buffer_bytes;
	opt.threads = buffer_bytes ? 3 : 1;
	opt.window = window;
	opt.window_count = made->windows ? (size_t)made->steps : 0;
	begin(t, &opt);
	for (int s = 0; s < made->steps && !made->windows; s++)
		add_mark(t, "host", made->number[s], made->start[s] * UNIT, made->end[s] * UNIT);
	if (!made->windows)
		eventlog_share_marks(t->log);
	add_op(t, "first", 0, UNIT / 2);
	for (int s = 0; s < made->steps; s++) /* so that each step is one */
		add_op(t, "op of the step", made->start[s] * UNIT, UNIT);
	if (turn == IN_ORDER)
		add_in_order(t, made);
	else
		add_scattered(t, made, turn);
	finish(t);
}

/* ---- the reference ---- */

static bool class_at(const struct random_trace *t, int d, int class, int unit)
{
	for (int i = 0; i < t->count[d]; i++)
		if (t->work[d][i].class == class && t->work[d][i].start <= unit &&
			unit < t->work[d][i].end)
			return true;
	return false;
}

static bool busy_at(const struct random_trace *t, int d, int unit)
{
	return class_at(t, d, COMPUTES, unit) || class_at(t, d, COMMUNICATES, unit) ||
	       class_at(t, d, COPIES, unit);
}

/* Of those that start together the one with the earliest launch counts. */
static bool is_sooner(const struct work *a, const struct work *b)
{
	return !b || (a->launch != NONE && (b->launch == NONE || a->launch < b->launch));
}

/* Why the device rests in this unit: by the gap around it, which begins with the first window or
 * with an end, and by what starts at its end. */
static enum step_series_kind cause_at(const struct random_trace *t, int d, int unit)
{
	int from = unit, until = unit + 1;
	bool before = false;
	const struct work *next = NULL;

	while (from > t->start[0] && !busy_at(t, d, from - 1))
		from--;
	while (until < 2 * TIME && !busy_at(t, d, until))
		until++;
	for (int i = 0; i < t->count[d]; i++) {
		before |= t->work[d][i].start < from;
		if (t->work[d][i].start == until && is_sooner(&t->work[d][i], next))
			next = &t->work[d][i];
	}
	if (!next)
		return SERIES_HOST_LATE;
	if (next->launch != NONE && next->launch >= from)
		return SERIES_HOST_LATE;
	if (before && until - from <= SHORT_UNITS)
		return SERIES_GAPS;
	return next->launch != NONE ? SERIES_WAITED : SERIES_IDLE;
}

static void count_unit(const struct random_trace *t, int d, int unit, struct parts *parts)
{
	const bool computes = class_at(t, d, COMPUTES, unit),
		   communicates = class_at(t, d, COMMUNICATES, unit),
		   copies = class_at(t, d, COPIES, unit);
	enum step_series_kind cause;

	if (computes)
		parts->unit[SERIES_COMPUTE]++;
	else if (communicates)
		parts->unit[SERIES_COMMUNICATION]++;
	else if (copies)
		parts->unit[SERIES_COPIES]++;
	if (computes && communicates)
		parts->unit[SERIES_HIDDEN]++;
	if (computes || communicates || copies)
		return;
	parts->unit[SERIES_IDLE]++;
	cause = cause_at(t, d, unit);
	if (cause != SERIES_IDLE)
		parts->unit[cause]++;
}

/* The end of a mark's window is the start of the next number. Without one it ends with the mark or
 * with the last event of the step, by its launch, but before the next step. */
static int window_end(const struct random_trace *t, int s)
{
	int end = t->end[s];

	if (t->windows)
		return end;
	if (s + 1 < t->steps && t->number[s + 1] == t->number[s] + 1)
		return t->start[s + 1];
	for (int d = 0; d < DEVICES; d++)
		for (int i = 0; i < t->count[d]; i++) {
			const struct work *w = &t->work[d][i];
			const int of = w->launch == NONE ? w->start : w->launch;

			if (of >= t->start[s] && of < t->until[s] && w->end > end)
				end = w->end;
		}
	return s + 1 < t->steps && t->start[s + 1] < end ? t->start[s + 1] : end;
}

static void check(const struct trace *found, const struct random_trace *t, unsigned seed)
{
	const struct profile *p = found->profile;

	assert_int_equal(p->step_count, t->steps);
	for (int d = 0; d < DEVICES; d++) {
		char device[16];

		snprintf(device, sizeof(device), "gpu:%d", d);
		for (int s = 0; s < t->steps && t->count[d]; s++) {
			const int end = window_end(t, s);
			struct parts wanted = {{0}};
			int64_t sum = 0;

			assert_int_equal(p->step[s].number, t->number[s]);
			for (int unit = t->start[s]; unit < end; unit++)
				count_unit(t, d, unit, &wanted);
			for (enum step_series_kind k = SERIES_DEVICE_FIRST; k < SERIES_PARTS_END;
				k++) {
				const int64_t *value = step_series_find(&p->series, k, device);

				assert_non_null(value);
				if (value[s] != wanted.unit[k] * UNIT)
					fail_msg("seed %u: %s %s of step %d is %lld, not %lld",
						seed, device, step_series_name(k), s,
						(long long)(value[s] / UNIT),
						(long long)wanted.unit[k]);
				sum += k <= SERIES_IDLE ? value[s] : 0;
			}
			assert_true(sum == (end - t->start[s]) * UNIT);
		}
	}
}

TEST(parts_are_those_of_every_unit_of_time)
{
	static const size_t buffer[TURNS] = {0, 16, 4096, 4096};
	static const enum step_time_kind asked[] = {
		STEP_TIME_AUTO, STEP_TIME_MARKER, STEP_TIME_PERIOD};

	for (unsigned seed = 1; seed <= 300; seed++) {
		struct random_trace made = {.state = seed * UINT64_C(0x9e3779b97f4a7c15)};

		make_steps(&made);
		make_work(&made);
		made.step_time = asked[seed % 3];
		find_steps(&made);
		for (int turn = 0; turn < TURNS; turn++) {
			struct trace t;

			run(&t, &made, turn, buffer[turn]);
			check(&t, &made, seed);
			end(&t);
		}
	}
}

/* ---- events that nest ---- */

#define NESTED 80 /* events of a lane */
#define NESTED_LANES 3

#define LAUNCHED_LANE 2 /* of these */
#define DEEP 4100	/* more than are open at a time */

struct nested_event {
	int start, dur, class, lane;
	bool is_silent, is_instant;
	int elsewhere; /* units in which it ran on other lanes; below 0: that its place is too short
			  by */
};

/* By lane and start, the longer ones first. */
static int compare_nested(const void *a, const void *b)
{
	const struct nested_event *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane - y->lane;
	return x->start != y->start ? x->start - y->start : y->dur - x->dur;
}

static void make_nested(struct random_trace *t, struct nested_event *event)
{
	for (int i = 0; i < NESTED * NESTED_LANES; i++) {
		struct nested_event *e = &event[i];

		e->lane = i / NESTED;
		e->start = 1 + below(t, TIME);
		e->dur = below(t, 2) ? below(t, 4) : below(t, 60);
		e->class = below(t, CLASSES);
		e->is_silent = below(t, 8) == 0;
		e->is_instant = e->lane != LAUNCHED_LANE && below(t, 8) == 0;
		e->elsewhere = !e->is_instant && below(t, 6) == 0 ? below(t, 21) - 10 : 0;
		e->dur = e->is_instant ? 0 : e->dur;
	}
	qsort(event, (size_t)NESTED * NESTED_LANES, sizeof(*event), compare_nested);
}

static void add_nested(struct trace *t, const struct nested_event *e, uint64_t link)
{
	static const char *const name[CLASSES] = {"gemm", "ncclDevKernel_AllReduce", "Memcpy HtoD"};
	const bool is_launched = e->lane == LAUNCHED_LANE;
	char key[32];

	if (is_launched)
		add_host_launch(t, (int64_t)link, link);
	snprintf(key, sizeof(key), "line %d", e->lane);
	add(t, &(struct event){.lane = lane(t, "tpu", key),
		       .op = op(t, name[e->class]),
		       .start_ps = e->start * UNIT,
		       .dur_ps = e->dur * UNIT,
		       .link = link,
		       .bytes = e->elsewhere * UNIT,
		       .flags = (uint8_t)((is_launched ? EVENT_LAUNCHED : 0) |
					  (e->elsewhere ? EVENT_NESTS : 0)),
		       .kind = e->is_instant  ? EVENT_INSTANT
			       : e->is_silent ? EVENT_SILENT
					      : EVENT_OP});
}

/* Forward: as the log reads them. Backward: all but the last one of a lane are sorted, apart from
 * what is launched, which comes by its links. */
static void run_nested(struct trace *t, const struct nested_event *event, int count,
	bool is_forward, size_t buffer_bytes)
{
	struct eventlog_options opt = plain;
	char key[32];

	opt.buffer_bytes = buffer_bytes;
	opt.threads = buffer_bytes ? 3 : 1;
	begin(t, &opt);
	for (int i = 0; i < 8; i++)
		add_mark(t, NULL, i, i * 64 * UNIT, (i + 1) * 64 * UNIT);
	for (int i = 0; i < NESTED_LANES; i++) { /* two of them are one device */
		snprintf(key, sizeof(key), "line %d", i);
		struct lane *line = eventlog_lane_at(t->log, lane(t, "tpu", key));

		line->accelerator = true;
		line->device = i < 2 ? "tpu:0" : "tpu:1";
	}
	add_op(t, "first", 0, UNIT / 2);
	for (int i = 0; i < count; i++) {
		const int at = is_forward ? i : count - 1 - i;

		add_nested(t, &event[at], (uint64_t)at + 1);
	}
	finish(t);
}

static void same_parts(const struct trace *a, const struct trace *b, size_t devices, unsigned seed)
{
	static const char *const device[] = {"tpu:0", "tpu:1"};

	assert_int_equal(a->profile->step_count, b->profile->step_count);
	for (size_t d = 0; d < devices; d++)
		for (enum step_series_kind k = SERIES_DEVICE_FIRST; k < SERIES_PARTS_END; k++) {
			const int64_t *x = step_series_find(&a->profile->series, k, device[d]),
				      *y = step_series_find(&b->profile->series, k, device[d]);

			assert_non_null(x);
			assert_non_null(y);
			for (size_t s = 0; s < a->profile->step_count; s++)
				if (x[s] != y[s])
					fail_msg("seed %u: %s %s of step %zu: %lld and %lld", seed,
						device[d], step_series_name(k), s,
						(long long)(x[s] / UNIT), (long long)(y[s] / UNIT));
		}
}

TEST(lanes_read_again_give_what_a_sorter_gives)
{
	static struct nested_event event[NESTED * NESTED_LANES];

	for (unsigned seed = 1; seed <= 200; seed++) {
		struct random_trace made = {.state = seed * UINT64_C(0x9e3779b97f4a7c15)};
		struct trace read, sorted;

		make_nested(&made, event);
		run_nested(&read, event, NESTED * NESTED_LANES, true, seed % 2 ? 0 : 4096);
		run_nested(&sorted, event, NESTED * NESTED_LANES, false, seed % 2 ? 0 : 4096);
		same_parts(&read, &sorted, 2, seed);
		end(&read);
		end(&sorted);
	}
}

/* All begin together; what contains others is no compute, however deep, so only the last one works.
 */
TEST(so_do_very_deep_ones)
{
	static struct nested_event event[DEEP];
	struct trace read, sorted;
	const int64_t *found;

	for (int i = 0; i < DEEP; i++)
		event[i] = (struct nested_event){.start = 1,
			.dur = 2 * DEEP - i,
			.class = i + 1 < DEEP ? COMPUTES : COMMUNICATES};
	run_nested(&read, event, DEEP, true, 0);
	run_nested(&sorted, event, DEEP, false, 0);
	same_parts(&read, &sorted, 1, 0);
	found = step_series_find(&read.profile->series, SERIES_COMMUNICATION, "tpu:0");
	assert_true(found && found[0] == (DEEP + 1) * UNIT);
	end(&read);
	end(&sorted);
}
