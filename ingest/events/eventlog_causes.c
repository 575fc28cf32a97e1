/*
 * Causes of idle time for which the host was late, by what it did: each stretch of such a gap goes
 * to the events that are open on the thread that launches next, once to the outermost below the
 * step and once to the innermost.
 *
 * Stretches are sorted by lane and start, as the events of the host are: both are read side by
 * side, with a stack of what is open. Where events only overlap, the one that started last is the
 * inner one, and the first that has not ended the outer one.
 */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "ingest/events/eventlog_parts.h"

#define DEPTH_MOST 1024	   /* what is open in more is part of what is around it */
#define STRETCHES_MOST 256 /* at the same time on one lane: a device has one, mostly */
#define LATE_SHARE 2
#define CONTEXT_SHARE 2
/* Names of a device that are kept apart, of the outermost and of the innermost. */
#define NAMES_MOST 32

/* Lanes whose events are in the sorter come after those in the runs. */
#define OF_SORTER (UINT64_C(1) << 32)
#define NO_LANE UINT64_MAX

/* A stretch in the sorter: (lane, start) is the key. */
struct late_record {
	uint64_t lane, from;
	int64_t to_ps, window_start_ps, window_end_ps;
	uint32_t device, step;
};

/* Time of an op in a step of a device. */
struct cause_sum {
	uint32_t device, op, step, unused;
	int64_t outermost_ps, innermost_ps;
};

struct open_around {
	int64_t start_ps, end_ps;
	uint64_t link;
	uint32_t op;
	bool is_context;
};

/* A stretch that has begun. */
struct active_stretch {
	struct late_record of;
	uint32_t outermost; /* as yet */
};

struct causes {
	struct eventlog *log;
	struct arena *arena;
	const struct late_record *next;	  /* NULL: no more */
	const struct log_record *context; /* the next one; NULL: no more */
	struct active_stretch *active;	  /* on this lane */
	size_t active_count;
	struct open_around *open; /* those that have ended, too, until they are on top */
	size_t open_count;
	uint64_t lane; /* as in the key */
	bool skips;    /* its events */
	bool is_done;  /* no stretch is left: the pass ends */
	int64_t now_ps;
	uint32_t nothing, other; /* in the place of ops */
	uint32_t contexts, ends; /* from there on names of log->contexts, and where these end */
	size_t names_most;	 /* of a device and kind, but for the others together */
	struct intern *key;	 /* device, op, step */
	struct cause_sum *sum;	 /* of each key */
	size_t sum_room;
	uint32_t *last; /* sum of each op that was found last, + 1 */
};

int log_add_late(struct eventlog *log, const struct late_stretch *late, struct error *err)
{
	const bool is_known = late->lane != LANE_UNKNOWN;
	const struct late_record record = {
		.lane = late->lane |
			(is_known && lane_runs_have_all(log->runs, late->lane) ? 0 : OF_SORTER),
		.from = key_of(late->from_ps),
		.to_ps = late->to_ps,
		.window_start_ps = late->window_start_ps,
		.window_end_ps = late->window_end_ps,
		.device = late->device,
		.step = late->step};

	if (!log->late)
		log->late = log_sorter(log, sizeof(record), LATE_SHARE);
	return spill_add(log->late, &record, err);
}

int log_add_context(struct eventlog *log, struct log_record *record, struct error *err)
{
	if (!log->context)
		log->context = log_sorter(log, sizeof(*record), CONTEXT_SHARE);
	log_record_key(record, record->start_ps);
	return spill_add(log->context, record, err);
}

/* ---- sums ---- */

static struct cause_sum *find_sum(struct causes *c, const struct late_record *of, uint32_t op)
{
	struct cause_sum *sum = c->last[op] ? &c->sum[c->last[op] - 1] : NULL;
	uint32_t key[] = {of->device, op, of->step}, id;

	if (sum && sum->step == of->step && sum->device == of->device)
		return sum;
	if (intern_count(c->key) >= c->log->opt.limits.observations && op != c->other &&
		!intern_find(c->key, (const char *)key, sizeof(key), &id))
		return find_sum(c, of, c->other);
	id = intern_id(c->key, (const char *)key, sizeof(key));
	c->sum = memory_make_room_zeroed(c->sum, &c->sum_room, (size_t)id + 1, sizeof(*c->sum));
	c->last[op] = id + 1;
	sum = &c->sum[id];
	sum->device = of->device;
	sum->op = op;
	sum->step = of->step;
	return sum;
}

/* ---- the walk ---- */

/* The outermost op that does not cover the whole window of the step; else such a context, else the
 * innermost event. NULL: nothing is open. */
static const struct open_around *find_outermost(
	const struct causes *c, const struct late_record *of)
{
	const struct open_around *context = NULL;

	for (size_t i = 0; i < c->open_count; i++) {
		const struct open_around *open = &c->open[i];

		if (open->end_ps <= c->now_ps || (open->start_ps <= of->window_start_ps &&
							 open->end_ps >= of->window_end_ps))
			continue;
		if (!open->is_context)
			return open;
		context = context ? context : open;
	}
	if (context)
		return context;
	return c->open_count ? &c->open[c->open_count - 1] : NULL;
}

static int next_stretch(struct causes *c, struct error *err)
{
	const void *next;
	const int result = log_next_sorted(c->log->late, &next, err);

	c->next = next;
	return result;
}

static inline void drop_ended(struct causes *c)
{
	while (c->open_count && c->open[c->open_count - 1].end_ps <= c->now_ps)
		c->open_count--;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Finds the outermost event of each stretch. Returns the point in time up to which nothing changes:
 * neither they nor the innermost end, no stretch begins or ends. */
static int64_t find_change(struct causes *c, int64_t until_ps)
{
	if (c->next && c->next->lane == c->lane)
		until_ps = least(until_ps, value_of(c->next->from));
	if (c->open_count)
		until_ps = least(until_ps, c->open[c->open_count - 1].end_ps);
	for (size_t i = 0; i < c->active_count; i++) {
		struct active_stretch *active = &c->active[i];
		const struct open_around *outermost = find_outermost(c, &active->of);

		active->outermost = outermost ? outermost->op : c->nothing;
		until_ps = least(until_ps, active->of.to_ps);
		if (outermost)
			until_ps = least(until_ps, outermost->end_ps);
	}
	return until_ps;
}

static void add_time(struct causes *c, int64_t until_ps)
{
	const uint32_t innermost = c->open_count ? c->open[c->open_count - 1].op : c->nothing;
	size_t kept = 0;

	for (size_t i = 0; i < c->active_count; i++) {
		const struct active_stretch *active = &c->active[i];
		const int64_t ps = until_ps - c->now_ps;

		find_sum(c, &active->of, innermost)->innermost_ps += ps;
		find_sum(c, &active->of, active->outermost)->outermost_ps += ps;
		if (active->of.to_ps > until_ps)
			c->active[kept++] = *active;
	}
	c->active_count = kept;
}

/* Begins the stretches that start now. More than so many are not followed: they are of the other
 * names. */
static int begin_stretches(struct causes *c, struct error *err)
{
	while (c->next && c->next->lane == c->lane && value_of(c->next->from) <= c->now_ps) {
		const struct late_record *of = c->next;

		if (c->active_count < STRETCHES_MOST) {
			c->active[c->active_count++].of = *of;
		} else {
			struct cause_sum *sum = find_sum(c, of, c->other);

			sum->innermost_ps += of->to_ps - value_of(of->from);
			sum->outermost_ps += of->to_ps - value_of(of->from);
		}
		if (next_stretch(c, err))
			return -1;
	}
	return 0;
}

/* True if a stretch has begun, or does so before this point in time. */
static inline bool is_late_before(const struct causes *c, int64_t until_ps)
{
	return c->active_count ||
	       (c->next && c->next->lane == c->lane && value_of(c->next->from) < until_ps);
}

static int walk_stretches(struct causes *c, int64_t until_ps, struct error *err)
{
	while (c->now_ps < until_ps && is_late_before(c, until_ps)) {
		int64_t change_ps;

		if (c->active_count == 0)
			c->now_ps = value_of(c->next->from);
		if (begin_stretches(c, err))
			return -1;
		drop_ended(c);
		change_ps = find_change(c, until_ps);
		add_time(c, change_ps);
		c->now_ps = change_ps;
	}
	return 0;
}

/* Goes on to a point in time, at which the next event begins. */
static inline int walk_until(struct causes *c, int64_t until_ps, struct error *err)
{
	if (is_late_before(c, until_ps) && walk_stretches(c, until_ps, err))
		return -1;
	if (until_ps > c->now_ps)
		c->now_ps = until_ps;
	drop_ended(c);
	return 0;
}

/* Puts an event on the stack. Of contexts that are equal in time that of the lower link is around
 * the others. */
static inline int open_event(
	struct causes *c, const struct log_record *event, int64_t start_ps, struct error *err)
{
	const bool is_context = event->kind == EVENT_CONTEXT;
	const int64_t end_ps = start_ps + event->dur_ps;
	size_t at;

	/* An event that ends before the next stretch is open in none. */
	if (c->active_count == 0 && !is_late_before(c, end_ps))
		return 0;
	if (walk_until(c, start_ps, err))
		return -1;
	if (event->dur_ps == 0 || c->open_count == DEPTH_MOST)
		return 0;
	for (at = c->open_count++; is_context && at > 0; at--) {
		const struct open_around *before = &c->open[at - 1];

		if (!before->is_context || before->link <= event->link ||
			before->start_ps != start_ps || before->end_ps != end_ps)
			break;
		c->open[at] = *before;
	}
	c->open[at] = (struct open_around){.start_ps = start_ps,
		.end_ps = end_ps,
		.link = event->link,
		.op = event->op + (is_context ? c->contexts : 0),
		.is_context = is_context};
	return 0;
}

static int next_context(struct causes *c, struct error *err)
{
	const void *next;
	const int result = log_next_sorted(c->log->context, &next, err);

	c->context = next;
	return result;
}

/* Opens the contexts of this lane that begin before an event; NULL: all. A context that begins with
 * it is around it where it lasts as long. */
static int open_contexts(struct causes *c, const struct log_record *event, struct error *err)
{
	while (c->context && c->context->lane <= (uint32_t)c->lane) {
		const int64_t start_ps = log_record_start(c->context);

		if (c->context->lane == (uint32_t)c->lane) {
			if (event && (start_ps > event->start_ps ||
					     (start_ps == event->start_ps &&
						     c->context->dur_ps < event->dur_ps)))
				return 0;
			if (open_event(c, c->context, start_ps, err))
				return -1;
		}
		if (next_context(c, err))
			return -1;
	}
	return 0;
}

static int end_lane(struct causes *c, struct error *err)
{
	if (c->lane == NO_LANE)
		return 0;
	return open_contexts(c, NULL, err) || walk_until(c, INT64_MAX, err) ? -1 : 0;
}

static int begin_lane(struct causes *c, uint64_t lane, struct error *err)
{
	if (end_lane(c, err))
		return -1;
	/* Threads without any event have nothing open. */
	while (c->next && c->next->lane < lane) {
		c->lane = c->next->lane;
		c->open_count = 0;
		c->now_ps = INT64_MIN;
		if (end_lane(c, err))
			return -1;
	}
	c->lane = lane;
	c->open_count = 0;
	c->now_ps = INT64_MIN;
	/* Nothing of a lane without stretches matters. */
	c->skips = !c->next || c->next->lane != lane || lane == NO_LANE ||
		   lanes_of(c->log)[(uint32_t)lane].skip;
	return 0;
}

static inline int add_event(struct causes *c, const struct log_record *event, struct error *err)
{
	if (event->kind != EVENT_OP || c->skips)
		return 0;
	return (c->context && open_contexts(c, event, err)) ||
			       open_event(c, event, event->start_ps, err)
		       ? -1
		       : 0;
}

static int walk_runs(struct causes *c, struct error *err)
{
	while (c->next && c->next->lane < OF_SORTER) {
		const uint32_t lane = (uint32_t)c->next->lane;
		struct lane_pass *pass;
		const struct log_record *event;
		int got = 0;

		if (begin_lane(c, lane, err))
			return -1;
		if (!lane_runs_have_any(c->log->runs, lane)) {
			if (end_lane(c, err))
				return -1;
			continue;
		}
		pass = lane_pass_new(c->log->runs, lane);
		while ((c->active_count || (c->next && c->next->lane == lane)) &&
			(got = lane_pass_next(pass, &event, err)) > 0)
			if (add_event(c, event, err)) {
				got = -1;
				break;
			}
		lane_pass_free(pass);
		if (got < 0 || end_lane(c, err))
			return -1;
	}
	return 0;
}

static int add_sorted(void *context, const struct log_record *event, struct error *err)
{
	struct causes *c = context;
	const uint64_t lane = event->lane | OF_SORTER;

	c->is_done = !c->next && c->active_count == 0;
	if (c->is_done)
		return -1;
	return (lane != c->lane && begin_lane(c, lane, err)) || add_event(c, event, err) ? -1 : 0;
}

static int walk_all(struct causes *c, struct error *err)
{
	struct eventlog *log = c->log;

	if (next_stretch(c, err) || next_context(c, err) || walk_runs(c, err))
		return -1;
	if (c->next && c->next->lane != (LANE_UNKNOWN | OF_SORTER)) {
		spill_rewind(log->events);
		if (log->context)
			spill_rewind(log->context);
		if (next_context(c, err))
			return -1;
		if (log_in_order(
			    log, (struct log_sorted){log->events, log->runs}, add_sorted, c, err) &&
			!c->is_done)
			return -1;
	}
	return begin_lane(c, NO_LANE, err);
}

/* ---- the series ---- */

/* A name of one device. */
struct cause_name {
	const char *name;
	uint32_t op;
	int64_t total_ps;
};

static int compare_sums(const void *a, const void *b)
{
	const struct cause_sum *x = a, *y = b;

	return ORDER(x->device, y->device) ?: ORDER(x->op, y->op) ?: ORDER(x->step, y->step);
}

static int compare_names(const void *a, const void *b)
{
	const struct cause_name *x = a, *y = b;

	return ORDER(y->total_ps, x->total_ps) ?: strcmp(x->name, y->name);
}

static int64_t time_of(const struct cause_sum *sum, enum step_series_kind kind)
{
	return kind == SERIES_LATE_OUTERMOST ? sum->outermost_ps : sum->innermost_ps;
}

static const char *name_of(const struct causes *c, uint32_t op)
{
	return op >= c->contexts  ? intern_name(c->log->contexts, op - c->contexts)
	       : op == c->nothing ? STEP_SERIES_NOTHING
	       : op == c->other	  ? STEP_SERIES_OTHER
				  : c->log->profile->op[op].name;
}

/* The names of one device with their totals, the largest first. */
static size_t list_names(const struct causes *c, const struct cause_sum *sum, size_t count,
	enum step_series_kind kind, struct cause_name *name)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		if (!time_of(&sum[i], kind))
			continue;
		if (n == 0 || name[n - 1].op != sum[i].op)
			name[n++] = (struct cause_name){name_of(c, sum[i].op), sum[i].op, 0};
		name[n - 1].total_ps += time_of(&sum[i], kind);
	}
	if (n)
		qsort(name, n, sizeof(*name), compare_names);
	return n;
}

/* A series that is 0 where the device's own is known. */
static int64_t *add_series(
	struct causes *c, uint32_t device, enum step_series_kind kind, const char *cause)
{
	struct profile *p = c->log->profile;
	const char *of = log_device_name(c->log, device);
	const int64_t *late = step_series_find(&p->series, SERIES_HOST_LATE, of);
	int64_t *value = step_series_add_like(&p->series, p->arena,
		&(struct step_series){.kind = kind, .device = of, .cause = cause}, p->step_count);

	for (size_t s = 0; s < p->step_count; s++)
		if (late[s] != CELL_ABSENT && value[s] == CELL_ABSENT)
			value[s] = 0;
	return value;
}

/* The series of one device: of its largest names, and of the others together. */
static void add_device(struct causes *c, const struct cause_sum *sum, size_t count,
	enum step_series_kind kind, struct cause_name *name, int64_t **series_of)
{
	const size_t n = list_names(c, sum, count, kind, name);
	const uint32_t device = sum->device;

	for (size_t i = 0; i < n; i++)
		series_of[name[i].op] = add_series(c, device, kind,
			i < c->names_most || n == c->names_most + 1 ? name[i].name
								    : STEP_SERIES_OTHER);
	for (size_t i = 0; i < count; i++)
		if (time_of(&sum[i], kind))
			series_of[sum[i].op][sum[i].step] += time_of(&sum[i], kind);
}

static void add_devices(struct causes *c)
{
	const size_t count = intern_count(c->key), ops = c->ends;
	const size_t most = c->log->opt.limits.observations / 2 / (c->log->device_count + 1) /
			    (c->log->profile->step_count + 1);
	struct cause_name *name = arena_array(c->arena, ops, sizeof(*name));
	int64_t **series_of = arena_array(c->arena, ops, sizeof(*series_of));

	c->names_most = most < NAMES_MOST ? most : NAMES_MOST;
	if (count)
		qsort(c->sum, count, sizeof(*c->sum), compare_sums);
	for (size_t from = 0, to; from < count; from = to) {
		for (to = from; to < count && c->sum[to].device == c->sum[from].device;)
			to++;
		for (enum step_series_kind kind = SERIES_LATE_OUTERMOST;
			kind <= SERIES_LATE_INNERMOST; kind++)
			add_device(c, &c->sum[from], to - from, kind, name, series_of);
	}
}

int log_find_causes(struct eventlog *log, struct error *err)
{
	struct causes c = {.log = log,
		.arena = arena_new(),
		.lane = NO_LANE,
		.nothing = (uint32_t)log->profile->op_count,
		.other = (uint32_t)log->profile->op_count + 1,
		.contexts = (uint32_t)log->profile->op_count + 2};
	int result;

	if (!log->late) {
		spill_free(log->context);
		log->context = NULL;
		arena_free(c.arena);
		return 0;
	}
	c.ends = c.contexts + (uint32_t)intern_count(log->contexts);
	c.key = intern_new(c.arena);
	c.active = arena_array(c.arena, STRETCHES_MOST, sizeof(*c.active));
	c.open = arena_array(c.arena, DEPTH_MOST, sizeof(*c.open));
	c.last = arena_array(c.arena, c.ends, sizeof(*c.last));
	result = log_check_disk(log, err) || spill_sort(log->late, err) ||
				 (log->context && spill_sort(log->context, err)) ||
				 walk_all(&c, err)
			 ? -1
			 : 0;
	if (result == 0)
		add_devices(&c);
	memory_free(c.sum);
	arena_free(c.arena);
	spill_free(log->late);
	spill_free(log->context);
	log->late = log->context = NULL;
	return result;
}
