/* Work that one thread hands to another: what runs while a thread has taken something over belongs
 * to the step of the moment in which it was given, and if that lies in something taken over itself,
 * to the step of that one. */
#include <stdlib.h>
#include "base/memory.h"
#include "base/order.h"
#include "ingest/events/eventlog_parts.h"

/* Given, and as many taken; further ones are not followed. */
#define HANDOFFS_MOST ((size_t)1 << 19)
#define NONE UINT32_MAX
/* Number in the place of a lane that stands for all lanes of a process. */
#define LANES_OF(process) ((uint32_t)LANES_MOST + (process))

struct given {
	uint64_t id;
	uint32_t kind, lane;
	int64_t start_ps;
};

struct taken {
	uint64_t id;
	uint32_t kind, lane;
	int64_t start_ps, end_ps;
	uint32_t around; /* the one that it begins in, on its lane; NONE */
	uint32_t given;	 /* of the array */
	uint32_t next;	 /* the one that it was given in; NONE */
	uint32_t slot;
	bool known, waits; /* the slot is known; it is being looked for */
};

void log_init_handoffs(struct eventlog *log)
{
	vec_init(&log->given, sizeof(struct given), HANDOFFS_MOST, "handovers");
	vec_init(&log->taken, sizeof(struct taken), HANDOFFS_MOST, "handovers");
}

void log_release_handoffs(struct eventlog *log)
{
	vec_release(&log->given);
	vec_release(&log->taken);
}

void eventlog_hand_over(struct eventlog *log, const struct log_handover *h)
{
	struct vec *to = h->is_taken ? &log->taken : &log->given;
	const uint32_t lane = h->by_process ? LANES_OF(lanes_of(log)[h->lane].process) : h->lane;
	struct error full;

	if (h->start_ps <= -TIME_MOST || h->start_ps >= TIME_MOST || h->end_ps >= TIME_MOST)
		return; /* as its event */
	if (to->count == HANDOFFS_MOST) {
		tally_event(log, TALLY_HANDED_MANY, h->lane, h->start_ps, UINT32_MAX);
		return;
	}
	if (h->is_taken) {
		struct taken *taken = vec_push(to, &full);

		*taken = (struct taken){.id = h->id,
			.kind = h->kind,
			.lane = lane,
			.start_ps = h->start_ps,
			.end_ps = h->end_ps,
			.around = NONE};
	} else {
		struct given *given = vec_push(to, &full);

		*given = (struct given){h->id, h->kind, h->lane, h->start_ps};
	}
}

void eventlog_forget_handoffs(struct eventlog *log)
{
	vec_clear(&log->given);
	vec_clear(&log->taken);
	log->tally[TALLY_HANDED_MANY] = (struct tally){0};
}

/* ---- pairs ---- */

static int compare_given(const void *a, const void *b)
{
	const struct given *x = a, *y = b;

	return ORDER(x->kind, y->kind)
		?: ORDER(x->id, y->id)
		?: ORDER(x->start_ps, y->start_ps)
		?: ORDER(x->lane, y->lane);
}

/* On each lane the longest of those that start together comes first. */
static int compare_taken(const void *a, const void *b)
{
	const struct taken *x = a, *y = b;

	return ORDER(x->lane, y->lane)
		?: ORDER(x->start_ps, y->start_ps)
		?: ORDER(y->end_ps, x->end_ps)
		?: ORDER(x->given, y->given);
}

/* Keeps what was given by something in the trace. */
static void pair(struct eventlog *log)
{
	struct taken *taken = log->taken.data;
	size_t kept = 0;

	qsort(log->given.data, log->given.count, sizeof(struct given), compare_given);
	for (size_t i = 0; i < log->taken.count; i++) {
		/* The first that was given under this id, as the profiler's own tools have it. */
		const struct given *given = log->given.data,
				   wanted = {taken[i].id, taken[i].kind, 0, INT64_MIN};
		size_t low = 0, high = log->given.count;

		while (low < high) {
			const size_t middle = low + (high - low) / 2;

			if (compare_given(&given[middle], &wanted) < 0)
				low = middle + 1;
			else
				high = middle;
		}
		taken[i].given = low < log->given.count && given[low].kind == taken[i].kind &&
						 given[low].id == taken[i].id
					 ? (uint32_t)low
					 : NONE;
		if (taken[i].given != NONE)
			taken[kept++] = taken[i];
	}
	log->taken.count = kept;
	if (kept)
		qsort(taken, kept, sizeof(*taken), compare_taken);
}

static void find_around(struct eventlog *log)
{
	struct taken *taken = log->taken.data;

	for (uint32_t i = 1; i < log->taken.count; i++) {
		uint32_t around = taken[i - 1].lane == taken[i].lane ? i - 1 : NONE;

		while (around != NONE && taken[around].end_ps <= taken[i].start_ps)
			around = taken[around].around;
		taken[i].around = around;
	}
}

/* ---- the search ---- */

/* The last one of the lane that starts at or before this time; NONE. */
static uint32_t last_before(
	const struct eventlog *log, uint32_t lane, int64_t time_ps, size_t *near)
{
	const struct taken *taken = log->taken.data;
	const size_t count = log->taken.count;
	size_t low = 0, high = count;

	for (size_t i = *near; i < count && i < *near + 2; i++)
		if (taken[i].lane == lane && taken[i].start_ps <= time_ps &&
			(i + 1 == count || taken[i + 1].lane != lane ||
				taken[i + 1].start_ps > time_ps))
			return (uint32_t)(*near = i);
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (taken[middle].lane < lane ||
			(taken[middle].lane == lane && taken[middle].start_ps <= time_ps))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || taken[low - 1].lane != lane)
		return NONE;
	return (uint32_t)(*near = low - 1);
}

/* The innermost one that the lane is in at this time; NONE. What has ended is not passed again by
 * the searches for later times: thousands may be in each other. */
static uint32_t taken_at(
	const struct eventlog *log, uint32_t lane, int64_t time_ps, struct near_taken *near)
{
	const struct taken *taken = log->taken.data;
	const uint32_t last = last_before(log, lane, time_ps, &near->near);
	uint32_t i = last;

	if (last == NONE)
		return NONE;
	if (near->last == (size_t)last + 1 && time_ps >= near->time_ps)
		i = near->open;
	while (i != NONE && taken[i].end_ps <= time_ps)
		i = taken[i].around;
	*near = (struct near_taken){near->near, (size_t)last + 1, i, time_ps};
	return i;
}

/* Finds the slots of a chain: where the last one has its slot from, all others have theirs, too. */
static void find_slot(struct eventlog *log, uint32_t first)
{
	struct taken *taken = log->taken.data;
	const struct given *given = log->given.data;
	uint32_t last = first, slot;
	size_t near = 0;

	for (;;) {
		taken[last].waits = true;
		if (taken[last].next == NONE || taken[taken[last].next].waits ||
			taken[taken[last].next].known)
			break;
		last = taken[last].next;
	}
	if (taken[last].next != NONE && taken[taken[last].next].known) {
		slot = taken[taken[last].next].slot;
	} else {
		const struct given *from = &given[taken[last].given];

		slot = log_slot_at(log, lanes_of(log)[from->lane].process, from->start_ps, &near);
	}
	for (uint32_t i = first;; i = taken[i].next) {
		taken[i].slot = slot;
		taken[i].known = true;
		taken[i].waits = false;
		if (i == last)
			return;
	}
}

void log_resolve_handoffs(struct eventlog *log)
{
	struct taken *taken = log->taken.data;
	const struct given *given = log->given.data;
	struct near_taken near = {0};

	if (log_is_whole(log) || log->opt.window_count || log->given.count == 0)
		log->taken.count = 0;
	if (log->taken.count == 0)
		return;
	pair(log);
	find_around(log);
	for (uint32_t i = 0; i < log->taken.count; i++) {
		const struct given *from = &given[taken[i].given];

		taken[i].next = taken_at(log, from->lane, from->start_ps, &near);
	}
	log_place_handoffs(log);
}

void log_place_handoffs(struct eventlog *log)
{
	struct taken *taken = log->taken.data;

	for (uint32_t i = 0; i < log->taken.count; i++)
		taken[i].known = false;
	for (uint32_t i = 0; i < log->taken.count; i++)
		if (!taken[i].known)
			find_slot(log, i);
}

bool log_handoff_slot(const struct eventlog *log, uint32_t lane, int64_t time_ps,
	struct near_handoff *near, uint32_t *slot)
{
	const struct taken *taken = log->taken.data;
	const struct lane *info = &lanes_of(log)[lane];
	uint32_t i;

	if (log->taken.count == 0)
		return false;
	i = taken_at(log, lane, time_ps, &near->lane);
	if (i == NONE && info->accelerator)
		i = taken_at(log, LANES_OF(info->process), time_ps, &near->process);
	if (i == NONE)
		return false;
	*slot = taken[i].slot;
	return true;
}
