/* The log of events on made-up traces: against sums that know from the making what is nested in
 * what, in any order of adding, in little memory. */
#define _GNU_SOURCE /* qsort_r */
#include "base/text.h"
#include "ingest/events/eventlog.h"
#include "model/issue/issue_text.h"
#include "tests/unit/test.h"

#define PROCESSES 3
/* of a process: two threads, a stream whose events are flat, one where they could nest */
#define LANES 4
#define STEPS 7
#define OPS 9
#define EVENTS_MOST 9000
#define TIME_MOST 150000
#define NONE (-1)
#define SOON 100 /* after their launches kernels start on lane 2 only, most of them in its mark */

enum { CPU, ACCELERATOR, CALLS, REQUESTED, RESIDUAL, OUTPUT, TRANSFERRED, VALUES };

static const enum measure_id measures[VALUES] = {MEASURE_CPU, MEASURE_ACCELERATOR,
	MEASURE_OCCURRENCE, MEASURE_REQUESTED, MEASURE_RESIDUAL, MEASURE_OUTPUT,
	MEASURE_TRANSFERRED};

struct made {
	int process, lane, op, parent, children, launch;
	int step; /* index in its process's marks, of `owner` of the step, or NONE */
	int step_process;
	bool unlinked, own_bytes;
	struct event event;
};

struct made_trace {
	struct made made[EVENTS_MOST];
	int count;
	int64_t step_start[PROCESSES][STEPS], step_end[PROCESSES][STEPS]; /* of the marks */
	int64_t until[PROCESSES][STEPS]; /* up to here events are in the step */
	int64_t number[STEPS];
	int64_t delay; /* kernels start less than this after their launch */
	enum step_time_kind step_time;
	bool is_launch_only;
	uint64_t state;
};

struct expected {
	bool present[PROCESSES][STEPS][OPS];
	int64_t value[PROCESSES][STEPS][OPS][VALUES];
	int64_t total[PROCESSES][STEPS][OPS];
	int64_t start[PROCESSES][STEPS], end[PROCESSES][STEPS], busy[PROCESSES][STEPS];
	bool used[PROCESSES][STEPS];
	size_t outside, device_outside, unlinked, early, empty;
};

static uint64_t next_random(struct made_trace *t) /* xorshift64 (Marsaglia 2003) */
{
	t->state ^= t->state << 13;
	t->state ^= t->state >> 7;
	t->state ^= t->state << 17;
	return t->state;
}

static int64_t below(struct made_trace *t, int64_t n)
{
	return (int64_t)(next_random(t) % (uint64_t)n);
}

/* ---- making ---- */

static int step_at(const struct made_trace *t, int process, int64_t time)
{
	for (int i = 0; i < STEPS; i++)
		if (t->step_start[process][i] <= time && time < t->until[process][i])
			return i;
	return NONE;
}

static struct made *make(struct made_trace *t, int process, int lane, int64_t start, int64_t dur)
{
	struct made *m = &t->made[t->count++];

	assert_true(t->count < EVENTS_MOST && start + dur < TIME_MOST);
	*m = (struct made){.process = process,
		.lane = lane,
		.op = (int)below(t, OPS),
		.parent = NONE,
		.launch = NONE,
		.step_process = process,
		.event = {.start_ps = start, .dur_ps = dur, .kind = EVENT_OP}};
	return m;
}

/* Events in [start, end), which begin one after the other, with others in them. */
static void fill(
	struct made_trace *t, int process, int lane, int64_t start, int64_t end, int parent)
{
	int64_t at = start + below(t, 30);

	while (at < end) {
		int64_t room = end - at, dur = below(t, room < 400 ? room + 1 : room / 3);
		int here = t->count;
		struct made *m = make(t, process, lane, at, dur);

		m->parent = parent;
		if (parent != NONE)
			t->made[parent].children++;
		if (parent != NONE && below(t, 3) == 0)
			m->op = t->made[parent].op;
		if (below(t, 8) == 0)
			m->event.kind = EVENT_SILENT;
		if (below(t, 9) == 0)
			m->event = (struct event){.start_ps = at,
				.dur_ps = dur,
				.bytes_kind = (uint8_t)(1 + below(t, 3)),
				.bytes = below(t, 99) - 20};
		if (dur > 2 && below(t, 4) != 0)
			fill(t, process, lane, at + 1, at + dur, here);
		at += dur + below(t, 50) + (dur == 0);
		if (parent != NONE && below(t, 4) == 0)
			break;
	}
}

static void make_kernels(struct made_trace *t)
{
	int64_t free_at[PROCESSES] = {0};
	int hosts = t->count;

	for (int i = 0; i < hosts; i++) {
		struct made *launch = &t->made[i], *m;
		int on = (int)below(
			t, PROCESSES); /* kernels of one process on the device of another */
		const bool is_queued = i % 2 && t->delay > SOON;
		int64_t start = launch->event.start_ps + below(t, t->delay), dur = below(t, 60);

		if (below(t, 4) != 0 || launch->event.kind == EVENT_SILENT)
			continue;
		launch->event.flags = EVENT_LAUNCHES;
		launch->event.link = (uint64_t)(i * 7919 % 10007 + 1);
		if (is_queued && start < free_at[on])
			start = free_at[on];
		m = make(t, on, is_queued ? 3 : 2, start, dur); /* on lane 3 one after the other */
		if (is_queued)
			free_at[on] = start + dur + 1;
		m->event.flags = EVENT_LAUNCHED;
		m->unlinked = below(t, 20) == 0;
		m->event.link = m->unlinked ? 20000 + (uint64_t)i : launch->event.link;
		m->launch = m->unlinked ? NONE : i;
		m->step_process = launch->process;
	}
}

static void make_instants(struct made_trace *t)
{
	int hosts = t->count;

	for (int i = 0; i < 500; i++) {
		const struct made *near = &t->made[below(t, hosts)];
		int64_t at = near->event.start_ps + below(t, near->event.dur_ps + 40);

		if (near->lane >= 2)
			continue;
		make(t, near->process, near->lane, at, 0)->event = (struct event){.start_ps = at,
			.kind = EVENT_INSTANT,
			.bytes_kind = BYTES_ALLOCATED,
			.bytes = below(t, 1000) - 400};
	}
}

/* The period of a step; NONE: it is the last one, or numbers are missing after it. */
static int64_t period_of(const struct made_trace *t, int p, int s)
{
	if (s + 1 == STEPS || t->number[s + 1] != t->number[s] + 1)
		return NONE;
	return t->step_start[p][s + 1] - t->step_start[p][s];
}

/* Does more than a fifth of what was launched in marks run after them, with time between marks? */
static bool are_launches(const struct made_trace *t)
{
	int64_t launched = 0, after = 0, gaps = 0, periods = 0;

	for (int i = 0; i < t->count; i++) {
		const struct made *m = &t->made[i];
		int64_t end, from = m->event.start_ps, to = from + m->event.dur_ps;
		int of;

		if (m->launch == NONE)
			continue;
		of = step_at(t, m->step_process, t->made[m->launch].event.start_ps);
		if (of == NONE)
			continue;
		end = t->step_end[m->step_process][of];
		launched += to - from;
		for (int64_t at = from; at < to; at++)
			after += at >= end;
	}
	for (int p = 0; p < PROCESSES; p++)
		for (int s = 0; s + 1 < STEPS; s++) {
			gaps += t->step_start[p][s + 1] - t->step_end[p][s];
			periods += t->step_start[p][s + 1] - t->step_start[p][s];
		}
	return 5 * after > launched && 100 * gaps > periods;
}

/* From mark to mark; where a step has no period, as long as the longest one of its process at most,
 * but not shorter than its mark. */
static void extend_steps(struct made_trace *t)
{
	for (int p = 0; p < PROCESSES; p++) {
		int64_t longest = NONE;

		for (int s = 0; s < STEPS; s++)
			longest = period_of(t, p, s) > longest ? period_of(t, p, s) : longest;
		for (int s = 0; s < STEPS; s++) {
			const int64_t next = s + 1 < STEPS ? t->step_start[p][s + 1] : TIME_MOST;
			int64_t *until = &t->until[p][s];

			if (period_of(t, p, s) == NONE && longest != NONE &&
				t->step_start[p][s] + longest > *until)
				*until = t->step_start[p][s] + longest;
			else if (period_of(t, p, s) != NONE || longest == NONE)
				*until = next;
			if (*until > next)
				*until = next;
		}
	}
}

static void find_steps(struct made_trace *t)
{
	memcpy(t->until, t->step_end, sizeof(t->until));
	t->is_launch_only = are_launches(t);
	if (t->step_time == STEP_TIME_PERIOD ||
		(t->step_time == STEP_TIME_AUTO && t->is_launch_only))
		extend_steps(t);
	for (int i = 0; i < t->count; i++) {
		struct made *m = &t->made[i];
		const struct made *at = m->launch == NONE ? m : &t->made[m->launch];

		m->step = m->unlinked ? NONE : step_at(t, at->process, at->event.start_ps);
	}
}

/* Seeds in a row have all step times, with kernels that run soon or late, and with numbers of steps
 * of which one or all between are missing. */
static struct made_trace *make_trace(unsigned seed)
{
	static const enum step_time_kind asked[] = {
		STEP_TIME_AUTO, STEP_TIME_MARKER, STEP_TIME_PERIOD};
	struct made_trace *t = calloc(1, sizeof(*t));

	t->state = seed * UINT64_C(88172645463325252);
	t->step_time = asked[seed % 3];
	t->delay = seed / 3 % 2 ? 9000 : SOON;
	for (int s = 0; s < STEPS; s++)
		t->number[s] = seed / 6 % 2 ? 10 * s : s + (s >= 3);
	for (int p = 0; p < PROCESSES; p++) {
		int64_t at = 1000 + below(t, 500);

		for (int i = 0; i < STEPS; i++) {
			t->step_start[p][i] = at;
			at += i == 3 ? 1 : 2000 + below(t, 3000); /* one is all but empty */
			t->step_end[p][i] = at;
			at += i % 2 ? 0 : below(t, 700);
		}
		for (int lane = 0; lane < 2; lane++)
			fill(t, p, lane, 0, at + 800, NONE);
	}
	make_kernels(t);
	make_instants(t);
	find_steps(t);
	return t;
}

/* ---- what is expected ---- */

static bool is_merged(const struct made_trace *t, const struct made *m)
{
	const struct made *parent = m->parent == NONE ? NULL : &t->made[m->parent];

	return parent && parent->event.kind == EVENT_OP && parent->op == m->op &&
	       parent->children == 1;
}

static bool is_outermost(const struct made_trace *t, const struct made *m)
{
	for (int i = m->parent; i != NONE; i = t->made[i].parent)
		if (t->made[i].event.kind == EVENT_OP && t->made[i].op == m->op &&
			t->made[i].step == m->step)
			return false;
	return true;
}

static void add_value(struct expected *e, const struct made *m, int value, int64_t n)
{
	e->present[m->step_process][m->step][m->op] = true;
	e->value[m->step_process][m->step][m->op][value] += n;
}

static void add_bytes(struct expected *e, const struct made *m, const struct event *event)
{
	if (event->bytes_kind == BYTES_ALLOCATED)
		add_value(e, m, REQUESTED, event->bytes > 0 ? event->bytes : 0);
	if (event->bytes_kind != BYTES_NONE)
		add_value(e, m,
			event->bytes_kind == BYTES_ALLOCATED ? RESIDUAL
			: event->bytes_kind == BYTES_OUTPUT  ? OUTPUT
							     : TRANSFERRED,
			event->bytes);
}

static void expect_instant(
	const struct made_trace *t, struct expected *e, struct made *m, bool merge)
{
	const struct made *in = NULL;

	for (int i = 0; i < t->count; i++) {
		const struct made *o = &t->made[i];
		int64_t start = o->event.start_ps, end = start + o->event.dur_ps;

		if (o->process == m->process && o->lane == m->lane &&
			(o->event.kind == EVENT_OP || (merge && o->event.kind == EVENT_SILENT)) &&
			start <= m->event.start_ps && m->event.start_ps < end &&
			(!in || in->event.start_ps < start))
			in = o;
	}
	if (in && in->event.kind == EVENT_SILENT)
		in = NULL;
	if (in ? in->step == NONE : m->step == NONE)
		e->outside++;
	else
		add_bytes(e, in ? in : m, &m->event);
	m->own_bytes = !in;
}

/* Is its launch unknown, and that of all before it on its lane, but not of all on it? */
static bool is_early(const struct made_trace *t, const struct made *m)
{
	bool any = false;

	for (int i = 0; i < t->count; i++) {
		const struct made *o = &t->made[i];
		int64_t later = o->event.start_ps - m->event.start_ps;

		if (o->process != m->process || o->lane != m->lane || o->unlinked)
			continue;
		any = true;
		if (later < 0 || (later == 0 && o->event.dur_ps >= m->event.dur_ps))
			return false;
	}
	return any;
}

static int64_t self_of(const struct made_trace *t, int event)
{
	int64_t self = t->made[event].event.dur_ps;

	for (int i = 0; i < t->count; i++)
		if (t->made[i].parent == event)
			self -= t->made[i].event.dur_ps;
	return self;
}

static void expect_time(const struct made_trace *t, struct expected *e, int event, bool merge)
{
	const struct made *m = &t->made[event], *into = m;

	if (m->step == NONE && m->unlinked)
		*(is_early(t, m) ? &e->early : &e->unlinked) += 1;
	else if (m->step == NONE)
		*(m->lane >= 2 ? &e->device_outside : &e->outside) += 1;
	while (merge && is_merged(t, into))
		into = &t->made[into->parent];
	if (into->step != NONE)
		add_value(e, into, m->lane >= 2 ? ACCELERATOR : CPU, self_of(t, event));
	if (m->step == NONE)
		return;
	add_bytes(e, m, &m->event);
	if (into == m)
		add_value(e, m, CALLS, 1);
	if (into == m && is_outermost(t, m) && m->lane < 2)
		e->total[m->step_process][m->step][m->op] += m->event.dur_ps;
}

static void expect_step(const struct made_trace *t, struct expected *e, int p, int s)
{
	static unsigned char ran[TIME_MOST];

	memset(ran, 0, sizeof(ran));
	e->start[p][s] = t->step_start[p][s];
	e->end[p][s] = t->step_end[p][s];
	for (int i = 0; i < t->count; i++) {
		const struct made *m = &t->made[i];
		int64_t start = m->event.start_ps, end = start + m->event.dur_ps;

		if (m->event.kind == EVENT_INSTANT && m->own_bytes && m->step == s &&
			m->process == p) {
			e->used[p][s] = true;
			if (end > e->end[p][s]) /* after the mark */
				e->end[p][s] = end;
		}
		if (m->event.kind != EVENT_OP || m->step != s || m->step_process != p)
			continue;
		e->used[p][s] = true;
		memset(ran + start, 1, (size_t)(end - start));
		if (start < e->start[p][s])
			e->start[p][s] = start;
		if (end > e->end[p][s])
			e->end[p][s] = end;
	}
	for (size_t i = 0; i < TIME_MOST; i++)
		e->busy[p][s] += ran[i];
	e->empty += !e->used[p][s];
}

/* What ran early in a step in which nothing of a device was launched was lost, and so was all that
 * ran early. */
static void expect_early(const struct made_trace *t, struct expected *e)
{
	bool works[PROCESSES][STEPS] = {{false}};

	for (int i = 0; i < t->count; i++)
		if (t->made[i].lane >= 2 && t->made[i].step != NONE)
			works[t->made[i].step_process][t->made[i].step] = true;
	for (int i = 0; i < t->count; i++) {
		const struct made *m = &t->made[i];
		const int s = step_at(t, m->process, m->event.start_ps);

		if (!m->unlinked || m->event.dur_ps == 0 || s == NONE || works[m->process][s] ||
			!is_early(t, m))
			continue;
		e->unlinked += e->early;
		e->early = 0;
	}
}

static struct expected *expect(struct made_trace *t, bool merge)
{
	struct expected *e = calloc(1, sizeof(*e));

	for (int i = 0; i < t->count; i++)
		if (t->made[i].event.kind == EVENT_OP)
			expect_time(t, e, i, merge);
		else if (t->made[i].event.kind == EVENT_INSTANT)
			expect_instant(t, e, &t->made[i], merge);
	for (int p = 0; p < PROCESSES; p++)
		for (int s = 0; s < STEPS; s++)
			expect_step(t, e, p, s);
	expect_early(t, e);
	return e;
}

/* ---- running ---- */

static int keep(void *context, const struct event_row *row, struct error *err)
{
	(void)err;
	text_printf(context, "%s %s %s %s %d %lld %s %lld %lld %lld %u\n", row->process, row->lane,
		row->device, row->op, row->has_step, (long long)row->step,
		row->run ? row->run : "-", (long long)row->event->start_ps,
		(long long)row->event->dur_ps, (long long)row->self_ps, row->depth);
	return 0;
}

static void add_event(struct eventlog *log, const struct made *m)
{
	struct event event = m->event;
	struct error err;
	char key[20];
	struct lane *lane;
	uint32_t process;

	snprintf(key, sizeof(key), "%d", 100 * m->process + 7);
	process = eventlog_process(log, key, strlen(key));
	snprintf(key, sizeof(key), "%d", m->lane);
	event.lane = eventlog_lane(log, process, key, strlen(key), &err);
	lane = eventlog_lane_at(log, event.lane);
	lane->flat = m->lane == 2;
	lane->accelerator = m->lane >= 2;
	lane->device = m->lane >= 2 ? "gpu:0" : "cpu:0";
	snprintf(key, sizeof(key), "op %d", m->op);
	event.op = eventlog_op(log, key, strlen(key), "", 0);
	assert_int_equal(eventlog_add(log, &event, &err), 0);
}

static void add_marks(struct eventlog *log, const struct made_trace *t, int rotate)
{
	for (int i = 0; i < PROCESSES * STEPS; i++) {
		int at = (i * 5 + rotate) % (PROCESSES * STEPS), p = at % PROCESSES,
		    s = at / PROCESSES;
		char key[20];
		struct step_mark mark = {.number = t->number[s],
			.numbered = true,
			.start_ps = t->step_start[p][s],
			.end_ps = t->step_end[p][s]};
		struct error err;

		snprintf(key, sizeof(key), "%d", 100 * p + 7);
		mark.process = eventlog_process(log, key, strlen(key));
		assert_int_equal(eventlog_mark(log, &mark, &err), 0);
	}
}

/* Numbers the links in the order of launches. */
static void number_links(struct made_trace *t)
{
	for (int i = 0; i < t->count; i++) {
		struct made *m = &t->made[i];
		const int of = m->unlinked ? (int)m->event.link - 20000 : m->launch;

		if (m->event.flags & EVENT_LAUNCHED)
			m->event.link = (uint64_t)t->made[of].event.start_ps << 16 |
					(uint64_t)m->unlinked << 15 | (uint64_t)of;
		else if (m->event.flags & EVENT_LAUNCHES)
			m->event.link = (uint64_t)m->event.start_ps << 16 | (uint64_t)i;
	}
}

/* In the order in which the log reads them, but what was launched where its launch is. */
static int compare_made(const void *a, const void *b, void *context)
{
	const struct made *made = context;
	const int i = *(const int *)a, k = *(const int *)b;
	const struct event *x = &made[i].event, *y = &made[k].event;
	const uint64_t key_x = x->flags & EVENT_LAUNCHED ? x->link : (uint64_t)x->start_ps << 16,
		       key_y = y->flags & EVENT_LAUNCHED ? y->link : (uint64_t)y->start_ps << 16;

	if (key_x != key_y)
		return key_x < key_y ? -1 : 1;
	if (x->dur_ps != y->dur_ps)
		return x->dur_ps > y->dur_ps ? -1 : 1;
	return i < k ? -1 : i > k;
}

#define SORTED (-1)
/* `shuffles` other orders of the same events, or SORTED. */
static struct profile *run(struct made_trace *t, struct eventlog_options opt, int shuffles)
{
	struct profile *profile = profile_new("made");
	struct eventlog *log = eventlog_new(profile, &opt);
	int *order = calloc((size_t)t->count, sizeof(*order));
	struct error err;

	for (int i = 0; i < t->count; i++)
		order[i] = i;
	if (shuffles == SORTED)
		qsort_r(order, (size_t)t->count, sizeof(*order), compare_made, t->made);
	for (int k = 0; k < shuffles; k++)
		for (int i = t->count - 1; i > 0; i--) {
			int other = (int)below(t, i + 1), moved = order[i];

			order[i] = order[other];
			order[other] = moved;
		}
	for (int i = 0; i < t->count; i++) {
		if (i == t->count / 3)
			add_marks(log, t, shuffles == SORTED ? 0 : shuffles);
		add_event(log, &t->made[order[i]]);
	}
	assert_int_equal(eventlog_finish(log, 0, false, &err), 0);
	eventlog_free(log);
	free(order);
	return profile;
}

/* ---- comparing ---- */

static size_t issues(const struct profile *p, const char *code)
{
	for (size_t i = 0; i < p->issues.count; i++)
		if (strcmp(p->issues.issue[i].code, code) == 0)
			return p->issues.issue[i].count;
	return 0;
}

static int step_of(const struct made_trace *t, int64_t number)
{
	for (int s = 0; s < STEPS; s++)
		if (t->number[s] == number)
			return s;
	fail_msg("no step has the number %lld", (long long)number);
	return NONE;
}

static void check_steps(
	const struct profile *p, const struct made_trace *t, const struct expected *e)
{
	size_t used = 0;

	for (int i = 0; i < PROCESSES; i++)
		for (int s = 0; s < STEPS; s++)
			used += e->used[i][s];
	assert_int_equal(p->step_count, used);
	for (size_t i = 0; i < p->step_count; i++) {
		const struct step *step = &p->step[i];
		int of = (int)strtol(step->run, NULL, 10) / 100;
		const int s = step_of(t, step->number);

		assert_true(e->used[of][s]);
		assert_int_equal(step->start_ps, e->start[of][s]);
		assert_int_equal(step->end_ps, e->end[of][s]);
		assert_int_equal(step->busy_ps, e->busy[of][s]);
	}
}

static void check_rows(
	const struct profile *p, const struct made_trace *t, const struct expected *e)
{
	const struct observations *obs = &p->obs, *totals = p->totals ? &p->totals->obs : NULL;
	size_t rows = 0;

	for (size_t i = 0; i < sizeof(e->present); i++)
		rows += ((const bool *)e->present)[i];
	assert_int_equal(obs->count, rows);
	for (size_t i = 0; i < rows; i++) {
		const struct step *step = &p->step[obs->step[i]];
		int of = (int)strtol(step->run, NULL, 10) / 100,
		    op = (int)strtol(p->op[obs->op[i]].name + 3, NULL, 10);
		const int s = step_of(t, step->number);

		assert_true(e->present[of][s][op]);
		for (int v = 0; v < VALUES; v++)
			assert_int_equal(obs->column[measures[v]][i], e->value[of][s][op][v]);
		if (!totals)
			continue;
		assert_int_equal(totals->op[i], obs->op[i]);
		assert_int_equal(totals->step[i], obs->step[i]);
		assert_int_equal(totals->column[MEASURE_CPU][i], e->total[of][s][op]);
		assert_int_equal(
			totals->column[MEASURE_ACCELERATOR][i], e->value[of][s][op][ACCELERATOR]);
	}
}

static void check(const struct profile *p, const struct made_trace *t, const struct expected *e)
{
	check_steps(p, t, e);
	check_rows(p, t, e);
	assert_int_equal(
		step_series_find(&p->series, SERIES_LAUNCH, "") != NULL, t->is_launch_only);
	assert_int_equal(
		step_series_find(&p->series, SERIES_MARKER, "") != NULL, !t->is_launch_only);
	assert_int_equal(issues(p, "event-outside"), e->outside);
	assert_int_equal(issues(p, "device-outside"), e->device_outside);
	assert_int_equal(issues(p, "kernel-lost"), e->unlinked);
	assert_int_equal(issues(p, "launch-before"), e->early);
	assert_int_equal(issues(p, "step-empty"), e->empty);
	assert_int_equal(issues(p, "events-overlap"), 0);
}

/* Issues with their places and fingerprints: the same for every order. */
static void add_summary(struct text *out, const struct profile *p)
{
	for (size_t i = 0; i < p->issues.count; i++)
		issue_text_add(out, &p->issues.issue[i]);
	for (size_t i = 0; i < p->step_count; i++)
		text_printf(out, "%s %lld %llx\n", p->step[i].run, (long long)p->step[i].number,
			(unsigned long long)p->step[i].fingerprint);
}

static struct eventlog_options options(void)
{
	return (struct eventlog_options){
		.limits = {.ops = 1000, .steps = 1000, .observations = 1000000},
		.max_spill_bytes = UINT64_C(1) << 30,
		.sink = keep,
	};
}

/* Runs the events in this order: the sums are the expected ones, and the summary that of the first
 * turn. */
static void check_turn(struct made_trace *t, const struct expected *e,
	const struct eventlog_options *opt, int order, struct text *first)
{
	struct text other, *out = first->size ? &other : first;
	struct profile *p;
	struct eventlog_options own = *opt;

	text_init(&other);
	own.context = own.sink ? out : NULL;
	own.step_time = t->step_time;
	p = run(t, own, order);
	check(p, t, e);
	add_summary(out, p);
	if (out == &other)
		assert_string_equal(text_string(&other), text_string(first));
	profile_free(p);
	text_release(&other);
}

TEST(equals_sums_by_hand_in_any_order)
{
	for (unsigned seed = 1; seed <= 12; seed++) {
		struct made_trace *t = make_trace(seed);
		struct expected *e = expect(t, seed % 2);
		struct text first;

		text_init(&first);
		assert_true(t->count > 1500 && e->outside > 40 && e->unlinked > 3);
		assert_int_equal(t->is_launch_only, t->delay > SOON);
		for (int shuffles = 0; shuffles < 4; shuffles++) {
			struct eventlog_options opt = options();

			opt.totals = shuffles % 2;
			opt.merge_only_child = seed % 2;
			opt.buffer_bytes =
				shuffles < 2 ? 0 : 16; /* raised to the least that works */
			check_turn(t, e, &opt, shuffles, &first);
		}
		text_release(&first);
		free(e);
		free(t);
	}
}

/* Threads find what one finds, in memory as on disk, where the lanes, or the links, are cut as
 * where they are not. */
TEST(equals_for_any_number_of_threads)
{
	static const size_t threads[] = {1, 2, 3, 8, 16}, buffer_bytes[] = {0, 16, 1 << 18};

	for (unsigned seed = 21; seed <= 26; seed++) {
		struct made_trace *t = make_trace(seed);
		struct expected *e = expect(t, seed % 2);
		struct text first;

		text_init(&first);
		if (seed % 4 > 1)
			number_links(t);
		for (int turn = 0; turn < 30; turn++) {
			struct eventlog_options opt = options();

			opt.sink = NULL;
			opt.totals = seed % 3 == 0;
			opt.merge_only_child = seed % 2;
			opt.threads = threads[turn % 5];
			opt.buffer_bytes = buffer_bytes[turn / 5 % 3];
			check_turn(t, e, &opt, turn < 15 ? SORTED : 1, &first);
		}
		text_release(&first);
		free(e);
		free(t);
	}
}

/* Adds until it fails. */
static int add_many(struct eventlog *log, const struct made_trace *t, struct error *err)
{
	uint32_t process = eventlog_process(log, "1", 1),
		 lane = eventlog_lane(log, process, "1", 1, err);

	for (int i = 0; i < t->count; i++) {
		struct event event = t->made[i].event;

		event.lane = lane;
		event.op = eventlog_op(log, "a", 1, "", 0);
		if (eventlog_add(log, &event, err))
			return -1;
	}
	return eventlog_finish(log, 0, false, err);
}

TEST(disk_is_limited)
{
	struct made_trace *t = make_trace(42);
	const uint64_t limits[] = {0, 1000, 30000};

	for (size_t i = 0; i < 3; i++) {
		struct eventlog_options opt = options();
		struct profile *profile = profile_new("made");
		struct eventlog *log;
		struct error err = {.kind = ERROR_NONE};
		struct text rows;

		text_init(&rows);
		opt.context = &rows;
		opt.buffer_bytes = 16;
		opt.max_spill_bytes = limits[i];
		log = eventlog_new(profile, &opt);
		assert_int_equal(add_many(log, t, &err), -1);
		assert_int_equal(err.kind, ERROR_LIMIT);
		assert_non_null(strstr(err.hint, "spill-limit"));
		eventlog_free(log);
		profile_free(profile);
		text_release(&rows);
	}
	free(t);
}
