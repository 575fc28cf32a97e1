/* Names of processes: "DEVICE Compute" of timeline.py, "Op scheduling threads: DEVICE" of tfprof,
 * "LABEL: DEVICE Compute" of `stepstat timeline generate`. Devices are
 * /job:localhost/replica:0/task:0/device:GPU:0 (the host's side), /device:GPU:0/stream:all,
 * /device:GPU:0/stream:14, /device:GPU:0/memcpy; old ones without "device:".
 *
 * When anything ran is kept as few disjoint stretches. A stretch of time is a struct keyed, which
 * can be sorted where it is: from its key to its value, in ps. */
#include "tfprof/files/timeline_rows.h"

#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "tfprof/graph/host_trace.h"
#include "tfprof/graph/step_stats.h"
#include "base/unit.h"

#define PROCESSES_MOST ((size_t)1 << 20)
#define COMPUTE " Compute"
#define EXECUTION "Op execution threads: "
#define SCHEDULING "Op scheduling threads: "

/* The last ": " of a process of timeline.py; the device follows. NULL: no label. */
static const char *after_label(const char *process)
{
	const char *found = NULL;

	for (const char *at = strstr(process, ": /"); at; at = strstr(at + 1, ": /"))
		found = at + 2;
	return found;
}

enum timeline_row timeline_device(const char *process, struct text *device)
{
	const char *name;

	text_clear(device);
	if (text_starts(process, EXECUTION))
		text_add(device, process + strlen(EXECUTION));
	else if (text_starts(process, SCHEDULING))
		text_add(device, process + strlen(SCHEDULING));
	else if (text_ends(process, COMPUTE)) {
		name = after_label(process);
		name = name ? name : process;
		text_add_bytes(device, name, strlen(name) - strlen(COMPUTE));
	} else if (device_is_host_trace(process, strlen(process))) {
		text_add(device, process);
	}
	for (size_t i = 0; i < device->size; i++)
		if (device->data[i] >= 'A' && device->data[i] <= 'Z')
			device->data[i] |= 0x20;
	name = text_string(device);
	if (!*name)
		return ROW_UNNAMED;
	if (device_is_host_trace(name, device->size))
		return ROW_TRACER;
	if (device_is_accelerator_time(name))
		return ROW_WHOLE;
	if (device_is_canonical(name))
		return ROW_HOST;
	if (strstr(name, "/stream:"))
		return ROW_STREAM;
	return strstr(name, "/memcpy") ? ROW_COPY : ROW_OTHER;
}

/* Device with rows beside the host's, to which streams and copies belong. */
struct row_part {
	bool whole, stream;
	const char *host; /* canonical device, when there is one of this name only */
	bool several;
};

struct row_parts {
	struct intern *names; /* without "device:", before /stream: or /memcpy: "gpu:0" */
	struct vec part;
};

/* Cuts "/stream:all" off, leaving the device itself. */
static void cut_row(struct text *device)
{
	const char *name = text_string(device), *row = strstr(name, "/stream:");

	row = row ? row : strstr(name, "/memcpy");
	if (!row)
		return;
	device->size = (size_t)(row - name);
	device->data[device->size] = '\0';
}

static struct row_part *part_of(struct row_parts *parts, const char *device)
{
	/* The last part of the name of a device: "gpu:0". */
	const char *last = strrchr(device, '/');

	last = last ? last + 1 : device;
	const char *name = text_starts(last, "device:") ? last + 7 : last;
	uint32_t id = intern_id(parts->names, name, strlen(name));

	if (id == parts->part.count)
		vec_push(&parts->part, NULL);
	return vec_at(&parts->part, id);
}

/* Ops of streams show the device of the session that they belong to. */
static void classify_lane(struct row_parts *parts, struct eventlog *log, struct lane *lane,
	enum timeline_row row, struct text *device)
{
	struct row_part *part;

	lane->flat = true;
	lane->skip = row == ROW_OTHER;
	if (row == ROW_UNNAMED)
		return;
	lane->device = eventlog_text(log, text_string(device), device->size);
	if (row == ROW_HOST || row == ROW_TRACER || row == ROW_OTHER)
		return;
	cut_row(device);
	part = part_of(parts, text_string(device));
	lane->accelerator = true;
	/* run_count of tfprof: how often the CPU scheduled it, where rows show that. */
	lane->uncounted = part->host != NULL;
	lane->skip = (row != ROW_WHOLE && part->whole) || (row == ROW_COPY && part->stream);
	if (part->host && !part->several)
		lane->device = part->host;
}

void timeline_devices(struct trace *t, const uint64_t *events, size_t count,
	uint64_t skipped[ROW_KINDS], uint64_t counted[ROW_KINDS])
{
	struct eventlog *log = trace_log(t);
	struct arena *arena = arena_new();
	struct row_parts parts = {.names = intern_new(arena)};
	struct text device;

	text_init(&device);
	vec_init(&parts.part, sizeof(struct row_part), SIZE_MAX, "devices");
	for (size_t i = 0; i < eventlog_lane_count(log); i++) {
		const char *process =
			eventlog_process_name(log, eventlog_lane_at(log, (uint32_t)i)->process);
		enum timeline_row row = timeline_device(process, &device);
		const char *host;
		struct row_part *part;

		if (row == ROW_UNNAMED || row == ROW_TRACER || row == ROW_OTHER)
			continue;
		if (row != ROW_HOST)
			cut_row(&device);
		part = part_of(&parts, text_string(&device));
		part->whole |= row == ROW_WHOLE;
		part->stream |= row == ROW_STREAM;
		if (row != ROW_HOST)
			continue;
		host = eventlog_text(log, text_string(&device), device.size);
		part->several |= part->host && part->host != host;
		part->host = host;
	}
	for (size_t i = 0; i < eventlog_lane_count(log); i++) {
		struct lane *lane = eventlog_lane_at(log, (uint32_t)i);
		enum timeline_row row =
			timeline_device(eventlog_process_name(log, lane->process), &device);

		classify_lane(&parts, log, lane, row, &device);
		if (i < count)
			(lane->skip ? skipped : counted)[row] += events[i];
	}
	vec_release(&parts.part);
	text_release(&device);
	arena_free(arena);
}

/* ---- the host tracer ---- */

enum { UNSEEN, NOT_TRACER, TRACER };

void timeline_host_init(struct timeline_host *h, size_t events_most)
{
	vec_init(&h->held, sizeof(struct event), events_most,
		"events of /host:CPU (max-observations)");
	vec_init(&h->seen, sizeof(unsigned char), PROCESSES_MOST, "processes");
}

void timeline_host_release(struct timeline_host *h)
{
	vec_release(&h->held);
	vec_release(&h->seen);
}

static bool is_tracer(const struct eventlog *log, uint32_t process)
{
	struct text device;
	bool is;

	text_init(&device);
	is = timeline_device(eventlog_process_name(log, process), &device) == ROW_TRACER;
	text_release(&device);
	return is;
}

bool timeline_host_is(struct timeline_host *h, const struct eventlog *log, uint32_t process)
{
	unsigned char *seen;

	while (process >= h->seen.count)
		if (!vec_push(&h->seen, NULL))
			return false;
	seen = vec_at(&h->seen, process);
	if (*seen == UNSEEN) {
		if (eventlog_process_name(log, process) == eventlog_process_key(log, process))
			return true;
		*seen = is_tracer(log, process) ? TRACER : NOT_TRACER;
	}
	return *seen == TRACER;
}

int timeline_host_hold(struct timeline_host *h, const struct event *event, struct error *err)
{
	struct event *to = vec_push(&h->held, err);

	if (!to)
		return -1;
	*to = *event;
	return 0;
}

struct adding {
	struct timeline_host *h;
	struct eventlog *log;
	const struct profile *profile;
	const bool *of_session;
	struct timeline_host_counts *counts;
	struct host_span *span; /* of one process */
	size_t span_count;
};

static uint32_t process_of(struct eventlog *log, const struct event *event)
{
	return eventlog_lane_at(log, event->lane)->process;
}

static void push_span(struct adding *a, size_t i)
{
	const struct event *event = vec_at(&a->h->held, i);
	const char *name = a->profile->op[event->op].name;
	int64_t end;

	if (a->of_session[event->op]) {
		a->counts->repeated++;
		return;
	}
	if (!number_add(event->start_ps, event->dur_ps, &end)) {
		a->counts->range++;
		return;
	}
	a->span[a->span_count++] = (struct host_span){.name = name,
		.name_size = strlen(name),
		.id = i,
		.start = event->start_ps,
		.dur = event->dur_ps};
}

static int add_spans(struct adding *a, struct error *err)
{
	host_trace_nest(a->span, a->span_count, false, PS_PER_US);
	for (size_t i = 0; i < a->span_count; i++) {
		struct event *event = vec_at(&a->h->held, a->span[i].id);

		event->flags |= EVENT_NESTS;
		event->bytes = event->dur_ps - a->span[i].own;
		if (eventlog_add(a->log, event, err) != 0)
			return -1;
	}
	a->counts->counted += a->span_count;
	a->span_count = 0;
	return 0;
}

struct row_turn {
	uint32_t process;
	size_t index;
};

ORDERED(compare_turns, struct row_turn, ORDER(x->process, y->process) ?: ORDER(x->index, y->index));

/* Process by process. */
static int add_all(struct adding *a, struct row_turn *turn, struct error *err)
{
	size_t count = a->h->held.count;
	bool tracer = false;

	for (size_t i = 0; i < count; i++)
		turn[i] = (struct row_turn){process_of(a->log, vec_at(&a->h->held, i)), i};
	qsort(turn, count, sizeof(*turn), compare_turns);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || turn[i].process != turn[i - 1].process) {
			if (add_spans(a, err) != 0)
				return -1;
			tracer = is_tracer(a->log, turn[i].process);
		}
		if (tracer)
			push_span(a, turn[i].index);
		else if (eventlog_add(a->log, vec_at(&a->h->held, turn[i].index), err) != 0)
			return -1;
	}
	return add_spans(a, err);
}

int timeline_host_add(struct timeline_host *h, struct eventlog *log, const struct profile *profile,
	const bool *of_session, struct timeline_host_counts *counts, struct error *err)
{
	size_t count = h->held.count;
	struct adding a = {
		.h = h, .log = log, .profile = profile, .of_session = of_session, .counts = counts};
	struct row_turn *turn;
	int result;

	if (count == 0)
		return 0;
	turn = memory_alloc(memory_product(count, sizeof(*turn)));
	a.span = memory_alloc(memory_product(count, sizeof(*a.span)));
	result = add_all(&a, turn, err);
	memory_free(turn);
	memory_free(a.span);
	return result;
}

/* ---- steps ---- */

#define STRETCHES_LEAST ((size_t)1 << 12)
#define STRETCHES_MOST ((size_t)1 << 20)
#define STRETCH_BYTES (2 * STRETCHES_MOST * sizeof(struct keyed)) /* until they are coalesced */

struct source {
	int64_t start_ps;
	uint32_t process;
};

struct process_range {
	struct keyed all;
	size_t step; /* in which its _SOURCE was met last, from 1; 0: none yet */
	bool used;
};

void timeline_steps_init(struct timeline_steps *s)
{
	vec_init(&s->busy, sizeof(struct keyed), 2 * STRETCHES_MOST, "stretches");
	s->busy.data = memory_map(STRETCH_BYTES); /* what is not used is not touched */
	s->busy.room = s->busy.cap;
	vec_init(&s->source, sizeof(struct source), SIZE_MAX, "steps");
	vec_init(&s->range, sizeof(struct process_range), PROCESSES_MOST, "processes");
	s->coalesce_at = STRETCHES_LEAST;
}

void timeline_steps_release(struct timeline_steps *s)
{
	memory_unmap(s->busy.data, STRETCH_BYTES);
	s->busy.data = NULL;
	vec_release(&s->source);
	vec_release(&s->range);
}

ORDERED(compare_stretches, struct keyed, ORDER(x->key, y->key) ?: ORDER(x->value, y->value));

static void extend(struct keyed *to, const struct keyed *with)
{
	to->key = with->key < to->key ? with->key : to->key;
	to->value = with->value > to->value ? with->value : to->value;
}

static bool overlap(const struct keyed *a, const struct keyed *b)
{
	return (a->key < b->value && b->key < a->value) || a->key == b->key;
}

/* Merges stretches that overlap; those that only touch stay apart. */
static void coalesce(struct timeline_steps *s)
{
	/* Most come in order: what is spare is then not touched. */
	struct keyed *stretch = s->busy.data,
		     *spare = memory_resize(NULL, memory_product(s->busy.count, sizeof(*spare)));
	size_t kept = 0;

	if (s->busy.count)
		order_by_key(stretch, spare, s->busy.count);
	memory_free(spare);
	for (size_t i = 0; i < s->busy.count; i++) {
		struct keyed *last = kept ? &stretch[kept - 1] : NULL;

		if (last && overlap(last, &stretch[i]))
			extend(last, &stretch[i]);
		else
			stretch[kept++] = stretch[i];
	}
	s->busy.count = kept;
	s->full |= kept > STRETCHES_MOST;
	s->coalesce_at = 2 * kept > STRETCHES_LEAST ? 2 * kept : STRETCHES_LEAST;
}

static struct process_range *range_of(struct timeline_steps *s, uint32_t process, struct error *err)
{
	while (process >= s->range.count)
		if (!vec_push(&s->range, err))
			return NULL;
	return vec_at(&s->range, process);
}

int timeline_steps_add(struct timeline_steps *s, uint32_t process, int64_t start_ps, int64_t dur_ps,
	struct error *err)
{
	struct keyed stretch = {.key = start_ps};
	struct process_range *range = range_of(s, process, err);

	if (!range)
		return -1;
	/* A mark ends one later. */
	if (!number_add(start_ps, dur_ps, &stretch.value) || stretch.value == INT64_MAX)
		stretch.value = INT64_MAX - 1;
	if (range->used)
		extend(&range->all, &stretch);
	else
		range->all = stretch;
	range->used = true;
	if (s->full)
		return 0;
	if (s->busy.count) { /* several rows are busy at a time: the one before is often there */
		struct keyed *last = vec_at(&s->busy, s->busy.count - 1);

		if (overlap(last, &stretch)) {
			extend(last, &stretch);
			return 0;
		}
	}
	*(struct keyed *)vec_push(&s->busy, NULL) = stretch;
	if (s->busy.count >= s->coalesce_at)
		coalesce(s);
	return 0;
}

int timeline_steps_source(
	struct timeline_steps *s, uint32_t process, int64_t start_ps, struct error *err)
{
	if (!range_of(s, process, err))
		return -1;
	s->full |= s->source.count == STRETCHES_MOST;
	if (!s->full)
		*(struct source *)vec_push(&s->source, NULL) = (struct source){start_ps, process};
	return 0;
}

ORDERED(compare_sources, struct source,
	ORDER(x->start_ps, y->start_ps) ?: ORDER(x->process, y->process));

/* Index of the first stretch that starts at or after this time. */
static size_t first_from(const struct timeline_steps *s, int64_t time_ps)
{
	const struct keyed *stretch = s->busy.data;
	size_t low = 0, high = s->busy.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (stretch[middle].key < time_ps)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_running(const struct timeline_steps *s, int64_t time_ps)
{
	const struct keyed *stretch = s->busy.data;
	size_t next = first_from(s, time_ps);

	return next > 0 && stretch[next - 1].value > time_ps;
}

static int add_mark(
	struct eventlog *log, const struct keyed *stretch, struct step_mark mark, struct error *err)
{
	mark.process = EVENTLOG_ANY;
	mark.from_events = true;
	mark.start_ps = stretch->key;
	/* The end is not part of it, an event without a duration there is. */
	mark.end_ps = stretch->value + 1;
	return eventlog_mark(log, &mark, err);
}

/* A step from its first start to its last end: the pause until the next one is in none. */
static int mark_between(
	struct timeline_steps *s, struct eventlog *log, size_t first, size_t end, struct error *err)
{
	const struct keyed *stretch = s->busy.data;
	struct keyed all;

	if (first >= end)
		return 0;
	/* Disjoint and in order: the last one ends last. */
	all = (struct keyed){stretch[first].key, stretch[end - 1].value};
	return add_mark(log, &all, (struct step_mark){0}, err);
}

/* "step 12 (run_meta_12)" */
static bool number_of(const char *label, int64_t *number)
{
	const char *digits = label + 5;
	size_t n;

	if (!text_starts(label, "step "))
		return false;
	n = strspn(digits, "-0123456789");
	return digits[n] == ' ' && number_parse_int(digits, n, number);
}

/* The labels of processes with events, and when each ran. */
static void gather_labels(const struct timeline_steps *s, const struct eventlog *log,
	struct intern *labels, struct vec *all)
{
	struct text label;

	text_init(&label);
	for (size_t p = 0; p < s->range.count; p++) {
		const struct process_range *range = vec_at(&s->range, p);
		uint32_t id;

		if (!range->used)
			continue;
		/* The label that `stepstat timeline generate` puts before processes of several
		 * steps; false: none. */
		const char *process = eventlog_process_name(log, (uint32_t)p);
		const char *device = after_label(process);

		text_clear(&label);
		if (!device || !text_ends(process, COMPUTE))
			continue;
		text_add_bytes(&label, process, (size_t)(device - process) - 2);
		id = intern_id(labels, text_string(&label), label.size);
		if (id == all->count)
			*(struct keyed *)vec_push(all, NULL) = range->all;
		else
			extend(vec_at(all, id), &range->all);
	}
	text_release(&label);
}

/* Steps of several runs at the same time have no order, and events could not be given to one by
 * their time. */
static int refuse_overlap(const struct vec *all, const char *path, struct error *err)
{
	struct keyed *sorted = memory_alloc(memory_product(all->count, sizeof(*sorted)));
	bool overlap = false;

	if (all->count) {
		memcpy(sorted, all->data, all->count * sizeof(*sorted));
		qsort(sorted, all->count, sizeof(*sorted), compare_stretches);
	}
	for (size_t i = 1; i < all->count; i++)
		overlap |= sorted[i].key < sorted[i - 1].value;
	memory_free(sorted);
	if (!overlap)
		return 0;
	error_set(err, ERROR_INPUT, path, "steps merged into this timeline run at the same time");
	return error_hint(
		err, "give the timelines that were merged: they are steps and runs of their own");
}

static int mark_labelled(struct timeline_steps *s, struct eventlog *log, const char *path,
	size_t *labelled, struct error *err)
{
	struct arena *arena = arena_new();
	struct intern *labels = intern_new(arena);
	struct vec all;
	int result;

	vec_init(&all, sizeof(struct keyed), SIZE_MAX, "steps");
	gather_labels(s, log, labels, &all);
	*labelled = all.count;
	result = refuse_overlap(&all, path, err);
	for (size_t i = 0; i < all.count && result == 0; i++) {
		struct step_mark mark = {0};

		mark.numbered = number_of(intern_name(labels, (uint32_t)i), &mark.number);
		result = add_mark(log, vec_at(&all, i), mark, err);
	}
	vec_release(&all);
	arena_free(arena);
	return result;
}

int timeline_steps_mark(struct timeline_steps *s, struct eventlog *log, const char *path,
	size_t *merged, struct error *err)
{
	size_t labelled;

	*merged = 0;
	if (mark_labelled(s, log, path, &labelled, err) != 0)
		return -1;
	if (labelled > 0)
		return 0;

	const struct source *border = s->source.data;
	size_t steps, first = 0;

	if (s->full)
		return 0;
	coalesce(s);

	/* Leave the first _SOURCE of each step. */
	struct source *source = s->source.data;
	steps = 0;

	if (s->source.count)
		qsort(source, s->source.count, sizeof(*source), compare_sources);
	for (size_t i = 0; i < s->source.count; i++) {
		struct process_range *range = vec_at(&s->range, source[i].process);

		if (steps == 0 || (range->step == steps && !is_running(s, source[i].start_ps)))
			source[steps++] = source[i];
		range->step = steps;
	}
	if (steps < 2)
		return 0;
	*merged = steps;
	for (size_t i = 0; i < steps; i++) {
		size_t end = i + 1 < steps ? first_from(s, border[i + 1].start_ps) : s->busy.count;

		if (mark_between(s, log, first, end, err) != 0)
			return -1;
		first = end;
	}
	return 0;
}
