/*
 * Keeps when anything ran as few disjoint stretches, and where each _SOURCE is. A stretch of time
 * is a struct keyed, which can be sorted where it is: from its key to its value, in ps.
 */
#include "tfprof/files/timeline_steps.h"

#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "tfprof/files/timeline_device.h"

#define STRETCHES_LEAST ((size_t)1 << 12)
#define STRETCHES_MOST ((size_t)1 << 20)
#define PROCESSES_MOST ((size_t)1 << 20)

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
	vec_init(&s->busy, sizeof(struct keyed), SIZE_MAX, "stretches");
	vec_init(&s->source, sizeof(struct source), SIZE_MAX, "steps");
	vec_init(&s->range, sizeof(struct process_range), PROCESSES_MOST, "processes");
	s->coalesce_at = STRETCHES_LEAST;
}

void timeline_steps_release(struct timeline_steps *s)
{
	vec_release(&s->busy);
	vec_release(&s->source);
	vec_release(&s->range);
	memory_free(s->spare);
	s->spare = NULL;
	s->spare_room = 0;
}

static int compare_stretches(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	return ORDER(x->key, y->key) ?: ORDER(x->value, y->value);
}

static void extend(struct keyed *to, const struct keyed *with)
{
	to->key = with->key < to->key ? with->key : to->key;
	to->value = with->value > to->value ? with->value : to->value;
}

static bool overlap(const struct keyed *a, const struct keyed *b)
{
	return (a->key < b->value && b->key < a->value) || a->key == b->key;
}

/* Most come in order: what is spare is then allocated, but not touched. */
static void order_by_start(struct timeline_steps *s)
{
	s->spare = memory_make_room(s->spare, &s->spare_room, s->busy.count, sizeof(*s->spare));
	if (s->busy.count)
		order_by_key(s->busy.data, s->spare, s->busy.count);
}

/* Merges stretches that overlap; those that only touch stay apart. */
static void coalesce(struct timeline_steps *s)
{
	struct keyed *stretch = s->busy.data;
	size_t kept = 0;

	order_by_start(s);
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
	const struct keyed stretch = {start_ps, start_ps + dur_ps};
	struct process_range *range = range_of(s, process, err);

	if (!range)
		return -1;
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

static int compare_sources(const void *a, const void *b)
{
	const struct source *x = a, *y = b;

	return ORDER(x->start_ps, y->start_ps) ?: ORDER(x->process, y->process);
}

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

/* Leaves the first _SOURCE of each step; returns their number. */
static size_t find_borders(struct timeline_steps *s)
{
	struct source *source = s->source.data;
	size_t steps = 0;

	if (s->source.count)
		qsort(source, s->source.count, sizeof(*source), compare_sources);
	for (size_t i = 0; i < s->source.count; i++) {
		struct process_range *range = vec_at(&s->range, source[i].process);

		if (steps == 0 || (range->step == steps && !is_running(s, source[i].start_ps)))
			source[steps++] = source[i];
		range->step = steps;
	}
	return steps;
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

static int mark_merged(
	struct timeline_steps *s, struct eventlog *log, size_t *merged, struct error *err)
{
	const struct source *border = s->source.data;
	size_t steps, first = 0;

	if (s->full)
		return 0;
	coalesce(s);
	steps = find_borders(s);
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

		if (!range->used ||
			!timeline_label(eventlog_process_name(log, (uint32_t)p), &label))
			continue;
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
	return labelled > 0 ? 0 : mark_merged(s, log, merged, err);
}
