/*
 * Busy time of each step: the union of the stretches of all lanes. The stretches of a lane are in
 * order, and so are those that are joined: joining passes over both once, as far back as they
 * overlap.
 */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "ingest/events/eventlog_parts.h"

#define FRESH_MOST ((size_t)16384)
#define ROOM_LEAST ((size_t)64)
#define FRESH_SHARE 8		 /* of all records, where there is little room */
#define MIXED_LEAST ((size_t)64) /* fewer that are not in order are not worth joining */
/* Sixteenths of the buffer: what launches were sorted in is free by now. */
#define JOINED_SHARE 4
#define SORTER_SHARE 1

static bool is_before(const struct busy_record *a, const struct busy_record *b)
{
	return a->slot != b->slot ? a->slot < b->slot : a->start < b->start;
}

static int compare_records(const void *a, const void *b)
{
	return is_before(b, a) - is_before(a, b);
}

/* `second` is not before `first`. */
static bool do_meet(const struct busy_record *first, const struct busy_record *second)
{
	return first->slot == second->slot && value_of(second->start) <= first->end_ps;
}

/* Puts a record that is not after any in the list from `begin` to `end` in front of it. Returns
 * where the list begins then. */
static struct busy_record *add_before(
	struct busy_record *begin, const struct busy_record *end, struct busy_record record)
{
	for (; begin < end && do_meet(&record, begin); begin++)
		if (begin->end_ps > record.end_ps)
			record.end_ps = begin->end_ps;
	*--begin = record;
	return begin;
}

static void begin(struct eventlog *log)
{
	struct busy_stretches *busy = &log->busy;
	size_t room = log->opt.buffer_bytes / 16 * JOINED_SHARE / sizeof(*busy->fresh);

	room = room < ROOM_LEAST ? ROOM_LEAST : room;
	busy->bytes = room * sizeof(*busy->fresh);
	busy->fresh = memory_map(busy->bytes);
	busy->fresh_room = room / FRESH_SHARE < FRESH_MOST ? room / FRESH_SHARE : FRESH_MOST;
	busy->joined = busy->fresh + busy->fresh_room;
	busy->joined_room = room - busy->fresh_room;
}

/* Gives all that is joined to the sorter. */
static int sort_joined(struct eventlog *log, struct error *err)
{
	struct busy_stretches *busy = &log->busy;

	if (!busy->sorter)
		busy->sorter = log_sorter(log, sizeof(*busy->joined), SORTER_SHARE);
	for (size_t i = 0; i < busy->joined_count; i++)
		if (spill_add(busy->sorter, &busy->joined[i], err))
			return -1;
	busy->joined_count = 0;
	return 0;
}

static int join(struct eventlog *log, struct error *err)
{
	struct busy_stretches *busy = &log->busy;

	if (busy->joined_count + busy->fresh_count > busy->joined_room && sort_joined(log, err))
		return -1;
	if (busy->is_mixed)
		qsort(busy->fresh, busy->fresh_count, sizeof(*busy->fresh), compare_records);
	if (busy->joined_count > 0 && busy->fresh_count > 0 &&
		is_before(&busy->fresh[0], &busy->joined[busy->joined_count - 1])) {
		/* Join what is fresh with the others, from the last to the first. */
		struct busy_record *old = busy->joined + busy->joined_count,
				   *end = old + busy->fresh_count, *begin = end;

		for (size_t i = busy->fresh_count; i > 0;) {
			const bool is_old =
				old > busy->joined && !is_before(&old[-1], &busy->fresh[i - 1]);

			begin = add_before(begin, end, is_old ? *--old : busy->fresh[--i]);
		}
		if (old >
			busy->joined) /* the last of these may reach on; the others end before it */
			begin = add_before(begin, end, *--old);
		memmove(old, begin, (size_t)(end - begin) * sizeof(*begin));
		busy->joined_count = (size_t)(old - busy->joined) + (size_t)(end - begin);
	} else
		for (size_t i = 0; i < busy->fresh_count; i++) {
			struct busy_record *last = &busy->joined[busy->joined_count] - 1;

			if (busy->joined_count == 0 || !do_meet(last, &busy->fresh[i]))
				busy->joined[busy->joined_count++] = busy->fresh[i];
			else if (busy->fresh[i].end_ps > last->end_ps)
				last->end_ps = busy->fresh[i].end_ps;
		}
	busy->fresh_count = 0;
	busy->is_mixed = false;
	return 0;
}

/* A stretch that goes back in time begins another lane: it is mixed with the lane before only where
 * joining that lane would pass over many stretches for few. */
int log_add_busy(struct eventlog *log, const struct busy_record *record, struct error *err)
{
	struct busy_stretches *busy = &log->busy;
	const bool goes_back =
		busy->fresh_count > 0 && is_before(record, &busy->fresh[busy->fresh_count - 1]);

	if (!busy->fresh)
		begin(log);
	if (busy->fresh_count == busy->fresh_room ||
		(goes_back && busy->fresh_count >= MIXED_LEAST + busy->joined_count / 4)) {
		if (join(log, err))
			return -1;
	} else {
		busy->is_mixed |= goes_back;
	}
	busy->fresh[busy->fresh_count++] = *record;
	return 0;
}

void log_release_busy(struct eventlog *log)
{
	memory_unmap(log->busy.fresh, log->busy.bytes);
	spill_free(log->busy.sorter);
	log->busy = (struct busy_stretches){0};
}

/* Covered part of a slot; stretches come in order. */
struct cover {
	struct slot *slot;
	int64_t until_ps; /* up to here everything is counted */
};

static void add_cover(struct eventlog *log, struct cover *c, const struct busy_record *record)
{
	const int64_t start_ps = value_of(record->start);

	if (c->slot != &slots_of(log)[record->slot]) {
		c->slot = &slots_of(log)[record->slot];
		c->until_ps = start_ps;
	}
	if (start_ps > c->until_ps)
		c->until_ps = start_ps;
	if (record->end_ps > c->until_ps) {
		c->slot->busy_ps += record->end_ps - c->until_ps;
		c->until_ps = record->end_ps;
	}
}

static int measure_sorted(struct eventlog *log, struct error *err)
{
	struct cover cover = {0};
	const void *next;
	int got;

	if (sort_joined(log, err) || log_check_disk(log, err) || spill_sort(log->busy.sorter, err))
		return -1;
	while ((got = spill_next(log->busy.sorter, &next, err)) > 0)
		add_cover(log, &cover, next);
	return got;
}

int log_measure_busy(struct eventlog *log, struct error *err)
{
	struct cover cover = {0};
	int result = join(log, err);

	if (result == 0 && log->busy.sorter)
		result = measure_sorted(log, err);
	else
		for (size_t i = 0; i < log->busy.joined_count; i++)
			add_cover(log, &cover, &log->busy.joined[i]);
	log_release_busy(log);
	return result;
}
