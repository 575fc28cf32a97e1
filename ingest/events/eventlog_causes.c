/* Causes of idle time for which the host was late, by what it did: each stretch of such a gap goes
 * to the events that are open on the thread that launches next, once to the outermost below the
 * step and once to the innermost. Where rows are labels, the innermost is the row of what would be
 * launched then.
 *
 * Steps, of whose windows the gaps are, are known after the sweep, so that the lanes that launched
 * late are passed once more. Stretches are sorted by lane and start, as the events are: both are
 * read side by side, with a stack of what is open. Where events only overlap, the one that started
 * last is the inner one, and the first that has not ended the outer one.
 *
 * Lanes in order are passed in parts, by several threads: at the ends of a part nothing is open, so
 * that a stretch may be cut there. What is left out beyond a bound depends on all that came before:
 * then one thread passes all lanes instead. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"
#include "base/threads.h"
#include "ingest/events/eventlog_sweep.h"

#define DEPTH_MOST 1024	   /* what is open in more is part of what is around it */
#define STRETCHES_MOST 256 /* at the same time on one lane: a device has one, mostly */
#define LATE_SHARE 2
/* An op that leaves at most this part of a window free is around the step, where more is in it. */
#define WINDOW_REST 10
#define DEALT_MOST 65536 /* stretches of a part */
#define SUMS_EACH 512	 /* that a walker adds to the number of all */
/* Names of a device that are kept apart, of the outermost and of the innermost. */
#define NAMES_MOST 32

#define DEVICE_SHIFT 32
#define NO_LANE UINT64_MAX
#define KINDS (SERIES_KINDS - SERIES_PARTS_END)
enum { OUTERMOST = SERIES_LATE_OUTERMOST - SERIES_PARTS_END, INNERMOST };

/* A stretch in the sorter: (lane, start) is the key. */
struct late_record {
	uint64_t lane, from;
	int64_t to_ps, window_start_ps, window_end_ps;
	uint64_t where; /* device and step */
};

/* Time of an op in a step of a device: (where, op) is the key. */
struct cause_sum {
	uint64_t where; /* device and step */
	uint32_t op;
	int64_t ps[KINDS];
	struct cause_sum *next; /* of the device; set at the end */
};

/* A stretch that has begun. */
struct active_stretch {
	struct late_record of;
	uint32_t outermost; /* op */
	bool is_settled;    /* what begins does not change it */
	int64_t until_ps;   /* the outermost ends, or is looked for again */
};

/* Parts of lanes with their stretches, for whichever thread is free. */
struct late_parts {
	pthread_mutex_t taking;
	struct lane_parts parts;
	size_t next_part;
	bool *is_lane;				 /* the lane has parts */
	const struct late_record *next;		 /* NULL: no more */
	struct late_record open[STRETCHES_MOST]; /* that go on in the next part */
	size_t open_count;
	bool any_rest; /* stretches of other lanes */
	struct causes *worker;
	_Atomic size_t sums;
	_Atomic bool is_beyond; /* some bound */
};

/* A walk over parts, or over all other lanes. */
struct causes {
	struct eventlog *log;
	struct late_parts *parts;
	bool is_rest;
	struct late_record *dealt; /* for this part */
	size_t dealt_room, dealt_count, dealt_at;
	struct error err;
	int result;
	struct arena *arena;
	const struct late_record *next; /* NULL: no more */
	int64_t next_ps;		/* where it begins; INT64_MAX: not on this lane */
	struct active_stretch *active;	/* on this lane */
	size_t active_count;
	struct label_stack *labels; /* NULL: rows are no labels */
	struct open_labels open;    /* events; `is_frame`: a context */
	uint64_t lane;
	int64_t now_ps;
	uint32_t nothing, other; /* in the place of ops */
	uint32_t contexts;	 /* from there on names of log->contexts */
	struct cause_sum *sum;
	uint32_t *place; /* of sums by their keys; twice as many as sum_room, a power of 2 */
	uint32_t sum_count;
	size_t sum_room, last_room;
	uint32_t *last; /* sum of each op that was found last, + 1 */
	char apart[64]; /* from the next walk, which another core writes */
};

int log_add_late(struct eventlog *log, const struct late_stretch *late, struct error *err)
{
	const struct late_record record = {.lane = late->lane,
		.from = key_of(late->from_ps),
		.to_ps = late->to_ps,
		.window_start_ps = late->window_start_ps,
		.window_end_ps = late->window_end_ps,
		.where = (uint64_t)late->device << DEVICE_SHIFT | late->step};

	if (!log->late) {
		log->late = log_sorter(log, sizeof(record), LATE_SHARE);
		log->is_late = arena_array(log->arena, log->lane.count, sizeof(*log->is_late));
	}
	if (late->lane != LANE_UNKNOWN)
		log->is_late[late->lane] = !lanes_of(log)[late->lane].skip;
	return spill_add(log->late, &record, err);
}

/* ---- sums ---- */

/* Place of the number of a sum, + 1; 0: there is none. */
static uint32_t *place_of(const struct causes *c, uint64_t where, uint32_t op)
{
	for (size_t i = (size_t)intern_fold(where ^ INTERN_ROOT2, op ^ INTERN_GOLDEN);; i++) {
		uint32_t *place = &c->place[i & (2 * c->sum_room - 1)];

		if (*place == 0 ||
			(c->sum[*place - 1].where == where && c->sum[*place - 1].op == op))
			return place;
	}
}

static void make_room(struct causes *c)
{
	if (c->sum_count < c->sum_room)
		return;
	c->sum = memory_grow(c->sum, &c->sum_room, c->sum_count + 1, sizeof(*c->sum));
	memory_free(c->place);
	c->place = memory_alloc(memory_product(2 * c->sum_room, sizeof(*c->place)));
	for (uint32_t i = 0; i < c->sum_count; i++)
		*place_of(c, c->sum[i].where, c->sum[i].op) = i + 1;
}

/* Returns the number of the sum, + 1. */
static uint32_t add_sum(struct causes *c, const struct late_record *of, uint32_t op)
{
	const size_t asked = c->log->opt.limits.observations,
		     most = asked < UINT32_MAX / 2 ? asked : UINT32_MAX / 2;
	uint32_t *place;

	make_room(c);
	place = place_of(c, of->where, op);
	if (*place == 0) {
		if (c->is_rest && c->sum_count >= most && op != c->other)
			return add_sum(c, of, c->other);
		c->sum[c->sum_count] = (struct cause_sum){.where = of->where, .op = op};
		*place = ++c->sum_count;
		if (!c->is_rest && c->sum_count % SUMS_EACH == 0 &&
			atomic_fetch_add(&c->parts->sums, SUMS_EACH) >= most)
			c->parts->is_beyond = true;
	}
	c->last = memory_make_room_zeroed(c->last, &c->last_room, (size_t)op + 1, sizeof(*c->last));
	return c->last[op] = *place;
}

static inline struct cause_sum *find_sum(
	struct causes *c, const struct late_record *of, uint32_t op)
{
	uint32_t id = op < c->last_room ? c->last[op] : 0;

	if (!id || c->sum[id - 1].where != of->where)
		id = add_sum(c, of, op);
	return &c->sum[id - 1];
}

/* ---- the walk ---- */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static const char *type_of(const struct causes *c, const struct open_label *open)
{
	return open->is_frame ? "" : c->log->profile->op[open->row].type;
}

/* Until when an op of the type of the open one is in it; INT64_MIN: there is none. */
static int64_t find_inner(const struct causes *c, size_t outer)
{
	int64_t until_ps = INT64_MIN;

	for (size_t i = outer + 1; i < c->open.count; i++) {
		const struct open_label *open = &c->open.item[i];

		if (open->end_ps > c->now_ps && open->end_ps > until_ps && !open->is_frame &&
			text_equal(type_of(c, open), type_of(c, &c->open.item[outer])))
			until_ps = open->end_ps;
	}
	return until_ps;
}

/* Finds the outermost op that is in the window of the step and not around it; else such a context,
 * else the innermost event, and until when that is so: such an op until it ends. */
static void find_outermost(struct causes *c, struct active_stretch *active)
{
	const struct late_record *of = &active->of;
	const int64_t window_ps = of->window_end_ps - of->window_start_ps;
	const struct open_label *found = NULL;
	int64_t inner_ps = INT64_MAX;
	bool is_wide = false; /* what is found */

	for (size_t i = 0; i < c->open.count && (!found || found->is_frame); i++) {
		const struct open_label *open = &c->open.item[i];
		const int64_t from_ps = most(open->start_ps, of->window_start_ps),
			      rest_ps = window_ps -
					(least(open->end_ps, of->window_end_ps) - from_ps);

		if (open->end_ps <= c->now_ps || rest_ps == 0 || (found && open->is_frame))
			continue;
		is_wide = *type_of(c, open) && rest_ps <= window_ps / WINDOW_REST;
		if (is_wide) {
			const int64_t until_ps = find_inner(c, i);

			if (until_ps > c->now_ps) {
				inner_ps = least(inner_ps, until_ps);
				continue;
			}
		}
		found = open;
	}
	active->is_settled = found && !found->is_frame && !is_wide && inner_ps == INT64_MAX;
	if (!found && c->open.count)
		found = &c->open.item[c->open.count - 1];
	active->until_ps = found ? least(found->end_ps, inner_ps) : INT64_MAX;
	active->outermost = found ? found->op : c->nothing;
}

static void set_next(struct causes *c)
{
	c->next_ps = c->next && c->next->lane == c->lane ? value_of(c->next->from) : INT64_MAX;
}

static int next_late(const struct eventlog *log, const struct late_record **late, struct error *err)
{
	const void *next;
	const int result = log_next_sorted(log->late, &next, err);

	*late = next;
	return result;
}

/* True if the stretch is of a lane that has parts. */
static bool is_of_parts(const struct late_parts *parts, const struct late_record *late)
{
	return late->lane < LANE_UNKNOWN && parts->is_lane[late->lane];
}

static int next_stretch(struct causes *c, struct error *err)
{
	int result = 0;

	if (!c->is_rest)
		c->next = c->dealt_at < c->dealt_count ? &c->dealt[c->dealt_at++] : NULL;
	else
		do
			result = next_late(c->log, &c->next, err);
		while (c->next && is_of_parts(c->parts, c->next));
	set_next(c);
	return result;
}

static void tally_beyond(struct causes *c, enum tally_id id, uint32_t lane, int64_t start_ps)
{
	if (c->is_rest)
		tally_event(c->log, id, lane, start_ps, UINT32_MAX);
	else
		c->parts->is_beyond = true;
}

/* Adds a stretch that is not followed to the other names. Of those that begin now the last device
 * and step is left out, in whatever order they come. */
static void leave_out(struct causes *c, const struct late_record *late)
{
	struct late_record of = *late;
	struct active_stretch *last = NULL;
	struct cause_sum *sum;

	for (size_t i = 0; i < c->active_count; i++)
		if (c->active[i].of.from == of.from && c->active[i].of.where > of.where &&
			(!last || c->active[i].of.where > last->of.where))
			last = &c->active[i];
	if (last) {
		of = last->of;
		*last = (struct active_stretch){.of = *late};
	}
	sum = find_sum(c, &of, c->other);
	for (size_t kind = 0; kind < KINDS; kind++)
		sum->ps[kind] += of.to_ps - value_of(of.from);
	tally_beyond(c, TALLY_CAUSES_MANY, (uint32_t)of.lane, value_of(of.from));
}

/* Begins the stretches that start now. */
static int begin_stretches(struct causes *c, struct error *err)
{
	while (c->next_ps <= c->now_ps) {
		const struct late_record *of = c->next;

		if (c->active_count < STRETCHES_MOST)
			c->active[c->active_count++] = (struct active_stretch){.of = *of};
		else
			leave_out(c, of);
		if (next_stretch(c, err))
			return -1;
	}
	return 0;
}

/* Finds the innermost event, or the row of the labels that are open, and until when it is that. */
static int find_innermost(struct causes *c, uint32_t *found, int64_t *until_ps, struct error *err)
{
	const struct open_label *top = c->open.count ? &c->open.item[c->open.count - 1] : NULL;

	*until_ps = top ? top->end_ps : INT64_MAX;
	*found = top ? top->row : c->nothing;
	if (!c->labels || c->lane >= LANE_UNKNOWN)
		return 0;
	if (label_stack_read(c->labels, (uint32_t)c->lane, c->now_ps, 0, err))
		return -1;
	*found = label_stack_row(c->labels, c->now_ps, until_ps);
	if (*found & ROW_OF_CONTEXT)
		*found = c->contexts + (*found & ~ROW_OF_CONTEXT);
	return 0;
}

/* Adds what lasts from now until nothing changes: no event and no stretch begins, neither they nor
 * what is outermost or innermost ends. */
static int add_piece(struct causes *c, int64_t until_ps, struct error *err)
{
	uint32_t innermost;
	int64_t inner_ps;
	bool ends = false;

	if (find_innermost(c, &innermost, &inner_ps, err))
		return -1;
	until_ps = least(until_ps, least(c->next_ps, inner_ps));
	for (size_t i = 0; i < c->active_count; i++) {
		struct active_stretch *active = &c->active[i];

		if (!active->is_settled || active->until_ps <= c->now_ps)
			find_outermost(c, active);
		until_ps = least(until_ps, least(active->until_ps, active->of.to_ps));
	}
	for (size_t i = 0; i < c->active_count; i++) {
		const struct active_stretch *active = &c->active[i];
		const int64_t ps = until_ps - c->now_ps;

		find_sum(c, &active->of, innermost)->ps[INNERMOST] += ps;
		find_sum(c, &active->of, active->outermost)->ps[OUTERMOST] += ps;
		ends |= active->of.to_ps == until_ps;
	}
	for (size_t i = c->active_count; ends && i-- > 0;)
		if (c->active[i].of.to_ps == until_ps)
			c->active[i] = c->active[--c->active_count];
	c->now_ps = until_ps;
	return 0;
}

/* True if a stretch has begun, or does so before this point in time. */
static inline bool is_late_before(const struct causes *c, int64_t until_ps)
{
	return c->active_count || c->next_ps < until_ps;
}

/* Goes on to a point in time, at which the next event begins. */
static int walk_until(struct causes *c, int64_t until_ps, struct error *err)
{
	while (c->now_ps < until_ps && is_late_before(c, until_ps)) {
		if (c->active_count == 0)
			c->now_ps = c->next_ps;
		if (begin_stretches(c, err))
			return -1;
		open_labels_move(&c->open, c->now_ps);
		if (add_piece(c, until_ps, err))
			return -1;
	}
	if (until_ps > c->now_ps)
		c->now_ps = until_ps;
	open_labels_move(&c->open, c->now_ps);
	return 0;
}

/* Ends the lane, and those before this one: threads without any event have nothing open. */
static int begin_lane(struct causes *c, uint64_t lane, struct error *err)
{
	while (walk_until(c, INT64_MAX, err) == 0) {
		c->open.count = 0;
		c->now_ps = INT64_MIN;
		c->lane = c->next && c->next->lane < lane ? c->next->lane : lane;
		set_next(c);
		if (c->lane == lane)
			return 0;
	}
	return -1;
}

static int add_event(void *context, const struct log_record *event, struct error *err)
{
	struct causes *c = context;
	const bool is_context = event->kind == EVENT_CONTEXT;
	const int64_t start_ps = event->start_ps, end_ps = start_ps + event->dur_ps;
	const uint32_t row = event->op + (is_context ? c->contexts : 0);

	if (!c->log->is_late[event->lane] || (event->kind != EVENT_OP && !is_context))
		return 0;
	if (event->lane != c->lane && begin_lane(c, event->lane, err))
		return -1;
	/* An event that ends before the next stretch is open in none. */
	if (!is_late_before(c, end_ps))
		return 0;
	if (walk_until(c, start_ps, err))
		return -1;
	if (event->dur_ps == 0)
		return 0;
	if (c->open.count == c->open.most) {
		tally_beyond(c, TALLY_CAUSES_DEEP, event->lane, start_ps);
		return 0;
	}
	c->open.item[c->open.count++] = (struct open_label){.start_ps = start_ps,
		.end_ps = end_ps,
		.op = event->bytes_kind == BYTES_NAME ? c->contexts + (uint32_t)event->bytes : row,
		.row = row,
		.is_frame = is_context};
	return 0;
}

/* Walks over all stretches of these events. */
static int walk(struct causes *c, struct log_sorted events, struct error *err)
{
	return next_stretch(c, err) || log_in_order(c->log, events, add_event, c, err) ||
			       begin_lane(c, NO_LANE, err)
		       ? -1
		       : 0;
}

/* ---- parts of lanes, by threads ---- */

static void find_parts(const struct eventlog *log, struct late_parts *p)
{
	p->is_lane = arena_array(log->arena, log->lane.count, sizeof(*p->is_lane));
	for (uint32_t i = 0; i < log->lane.count && !log->opt.by_launcher; i++) {
		p->is_lane[i] = log->is_late[i] && lane_runs_have_any(log->runs, i) &&
				lane_runs_have_all(log->runs, i) && !lanes_of(log)[i].has_contexts;
		if (p->is_lane[i])
			lane_runs_add_parts(log->runs, i, &p->parts);
	}
}

/* Cuts those that go on where the part ends. */
static void cut_dealt(struct late_parts *p, struct causes *c, int64_t until_ps)
{
	p->open_count = 0;
	for (size_t i = 0; i < c->dealt_count; i++) {
		struct late_record *late = &c->dealt[i];

		if (late->to_ps <= until_ps)
			continue;
		if (p->open_count == STRETCHES_MOST) {
			p->is_beyond = true;
			return;
		}
		p->open[p->open_count] = *late;
		p->open[p->open_count++].from = key_of(until_ps);
		late->to_ps = until_ps;
	}
}

static void give(struct late_parts *p, struct causes *c, const struct late_record *late)
{
	if (c->dealt_count == DEALT_MOST)
		p->is_beyond = true;
	else
		*(struct late_record *)memory_push(
			&c->dealt, &c->dealt_count, &c->dealt_room, sizeof(*late)) = *late;
}

/* Gives the stretches of a part, which is the next one. */
static int deal(
	struct late_parts *p, struct causes *c, const struct lane_part *part, struct error *err)
{
	int64_t until_ps = INT64_MAX;

	if (p->next_part < p->parts.count && part[1].lane == part->lane &&
		lane_part_start(c->log->runs, part + 1, &until_ps, err))
		return -1;
	c->dealt_at = c->dealt_count = 0;
	for (size_t i = 0; i < p->open_count; i++)
		give(p, c, &p->open[i]);
	while (p->next && p->next->lane <= part->lane) {
		if (p->next->lane < part->lane)
			p->any_rest = true;
		else if (value_of(p->next->from) < until_ps)
			give(p, c, p->next);
		else
			break;
		if (p->is_beyond || next_late(c->log, &p->next, err))
			return p->is_beyond ? 0 : -1;
	}
	cut_dealt(p, c, until_ps);
	return 0;
}

static void walk_parts(void *object, size_t worker, size_t thread)
{
	struct late_parts *p = object;
	struct causes *c = &p->worker[worker];
	const struct lane_part *part;

	(void)thread;
	do {
		pthread_mutex_lock(&p->taking);
		part = p->next_part < p->parts.count ? &p->parts.part[p->next_part++] : NULL;
		if (part)
			c->result = deal(p, c, part, &c->err);
		pthread_mutex_unlock(&p->taking);
		if (part && c->result == 0 && !p->is_beyond && c->dealt_count)
			c->result = walk(c, (struct log_sorted){.runs = c->log->runs, .part = part},
				&c->err);
	} while (part && c->result == 0 && !p->is_beyond);
}

/* ---- the series ---- */

/* A name of one device. */
struct cause_name {
	const char *name;
	uint32_t op;
	int64_t total_ps, *series;
};

static int compare_names(const void *a, const void *b)
{
	const struct cause_name *x = a, *y = b;

	return ORDER(y->total_ps, x->total_ps) ?: strcmp(x->name, y->name) ?: ORDER(x->op, y->op);
}

static const char *name_of(const struct causes *c, uint32_t op)
{
	return op >= c->contexts  ? intern_name(c->log->contexts, op - c->contexts)
	       : op == c->nothing ? STEP_SERIES_NOTHING
	       : op == c->other	  ? STEP_SERIES_OTHER
				  : c->log->profile->op[op].name;
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

/* Adds to a sum that is known; one that does not fit becomes `beyond`. */
static void sum_up(int64_t *sum, int64_t ps, int64_t beyond)
{
	if (*sum != CELL_ABSENT && !number_add(*sum, ps, sum))
		*sum = beyond;
}

/* The series of one device: of its largest names, at most so many, and of the others together.
 * `place` is that of each op in `name`, + 1, and 0 again then. */
static void add_device(struct causes *c, const struct cause_sum *first, size_t kind, size_t most,
	struct cause_name *name, uint32_t *place)
{
	size_t count = 0;

	for (const struct cause_sum *sum = first; sum; sum = sum->next) {
		if (sum->ps[kind] && !place[sum->op]) {
			name[count] = (struct cause_name){name_of(c, sum->op), sum->op, 0, NULL};
			place[sum->op] = (uint32_t)++count;
		}
		if (sum->ps[kind])
			sum_up(&name[place[sum->op] - 1].total_ps, sum->ps[kind], INT64_MAX);
	}
	if (count)
		qsort(name, count, sizeof(*name), compare_names);
	for (size_t i = 0; i < count; i++) {
		const bool is_kept = i < most || count == most + 1;

		place[name[i].op] = (uint32_t)i + 1;
		name[i].series = is_kept || i == most
					 ? add_series(c, (uint32_t)(first->where >> DEVICE_SHIFT),
						   SERIES_PARTS_END + (int)kind,
						   is_kept ? name[i].name : STEP_SERIES_OTHER)
					 : name[most].series;
	}
	for (const struct cause_sum *sum = first; sum; sum = sum->next)
		if (sum->ps[kind])
			sum_up(&name[place[sum->op] - 1].series[(uint32_t)sum->where],
				sum->ps[kind], CELL_ABSENT);
	for (size_t i = 0; i < count; i++)
		place[name[i].op] = 0;
}

/* Adds what all walkers have found. */
static void add_devices(struct causes *c, size_t walkers)
{
	const size_t devices = c->log->device_count;
	const size_t fit = c->log->opt.limits.observations / 2 / (devices + 1) /
			   (c->log->profile->step_count + 1);
	const size_t names = c->contexts + intern_count(c->log->contexts);
	struct cause_name *name = arena_array(c->arena, names, sizeof(*name));
	uint32_t *place = arena_array(c->arena, names, sizeof(*place));
	struct cause_sum **first = arena_array(c->arena, devices, sizeof(*first));

	for (size_t w = 0; w < walkers; w++)
		for (uint32_t i = 0; i < c[w].sum_count; i++) {
			struct cause_sum *sum = &c[w].sum[i],
					 **of = &first[sum->where >> DEVICE_SHIFT];

			sum->next = *of;
			*of = sum;
		}
	for (size_t d = 0; d < devices; d++)
		for (size_t kind = 0; first[d] && kind < KINDS; kind++)
			add_device(c, first[d], kind, fit < NAMES_MOST ? fit : NAMES_MOST, name,
				place);
}

static void begin(struct causes *c, struct eventlog *log, struct late_parts *parts, bool is_rest)
{
	const uint32_t ops = (uint32_t)log->profile->op_count;

	*c = (struct causes){.log = log,
		.parts = parts,
		.is_rest = is_rest,
		.arena = arena_new(),
		.lane = NO_LANE,
		.nothing = ops,
		.other = ops + 1,
		.contexts = ops + 2,
		.labels = log->opt.by_launcher ? log->label_stack : NULL};
	c->active = arena_array(c->arena, STRETCHES_MOST, sizeof(*c->active));
	c->open.item = arena_array(c->arena, DEPTH_MOST, sizeof(*c->open.item));
	c->open.most = DEPTH_MOST;
}

static void end(struct causes *c)
{
	memory_free(c->dealt);
	memory_free(c->sum);
	memory_free(c->place);
	memory_free(c->last);
	arena_free(c->arena);
}

/* Walks over the parts. */
static int walk_side_by_side(
	struct eventlog *log, struct late_parts *p, size_t threads, struct error *err)
{
	size_t sums = 0;

	if (threads == 0)
		return 0;
	if (next_late(log, &p->next, err))
		return -1;
	threads_each(threads, threads, walk_parts, p);
	for (size_t i = 0; i < threads; i++) {
		if (p->worker[i].result) {
			*err = p->worker[i].err;
			return -1;
		}
		sums += p->worker[i].sum_count;
	}
	p->is_beyond |= sums > log->opt.limits.observations;
	p->any_rest |= p->next != NULL;
	return 0;
}

/* Walks over all other lanes, or over all where a bound was passed. */
static int walk_rest(struct causes *rest, struct error *err)
{
	struct eventlog *log = rest->log;

	spill_rewind(log->late);
	spill_rewind(log->events);
	for (size_t i = 0; i < log->lane.count; i++) {
		rest->parts->is_lane[i] &= !rest->parts->is_beyond;
		log->is_late[i] &= !rest->parts->is_lane[i];
	}
	return walk(rest, (struct log_sorted){log->events, log->runs, log->is_late, NULL}, err);
}

/* Walks over all that is late. */
static int walk_all(struct eventlog *log, struct late_parts *p, size_t threads, struct error *err)
{
	struct causes *rest = &p->worker[threads];
	int result;

	for (size_t i = 0; i <= threads; i++)
		begin(&p->worker[i], log, p, i == threads);
	result = log_check_disk(log, err) || spill_sort(log->late, err) ||
				 walk_side_by_side(log, p, threads, err)
			 ? -1
			 : 0;
	if (result == 0 && (threads == 0 || p->any_rest || p->is_beyond))
		result = walk_rest(rest, err);
	if (result == 0 && p->is_beyond)
		add_devices(rest, 1);
	else if (result == 0)
		add_devices(p->worker, threads + 1);
	for (size_t i = 0; i <= threads; i++)
		end(&p->worker[i]);
	return result;
}

int log_find_causes(struct eventlog *log, struct error *err)
{
	struct late_parts p = {.next_part = 0};
	size_t threads;
	int result;

	if (!log->late)
		return 0;
	find_parts(log, &p);
	threads = log->threads ?: 1;
	if (threads > p.parts.count)
		threads = p.parts.count;
	p.worker = arena_array(log->arena, threads + 1, sizeof(*p.worker));
	pthread_mutex_init(&p.taking, NULL);
	result = walk_all(log, &p, threads, err);
	pthread_mutex_destroy(&p.taking);
	memory_free(p.parts.part);
	spill_free(log->late);
	log->late = NULL;
	return result;
}
