/* Launches and what they launched, by their links. Threads launch, and devices work, in the order
 * of links, so that those of a lane mostly come in order: such lanes need no sorter, they are read
 * side by side, and ranges of links by several threads. */
#include <stdlib.h>
#include "base/memory.h"
#include "base/order.h"
#include "ingest/events/eventlog_parts.h"

/* Sixteenths of the buffer, for each of the two. */
#define RUNS_SHARE 2
#define SORTER_SHARE 2

int linked_add(
	struct eventlog *log, struct linked *to, struct log_record *record, struct error *err)
{
	int taken;

	if (!to->runs)
		to->runs = lane_runs_new(
			log, log->opt.buffer_bytes / 16 * RUNS_SHARE, true, LANES_SIDE_BY_SIDE);
	taken = lane_runs_add(to->runs, record, err);
	if (taken)
		return taken < 0 ? -1 : 0;
	record->lo = key_of(record->start_ps);
	record->hi = record->link;
	if (!to->sorter)
		to->sorter = log_sorter(log, sizeof(*record), SORTER_SHARE);
	return spill_add(to->sorter, record, err);
}

int linked_sort(struct linked *linked, struct error *err)
{
	return (linked->runs && lane_runs_sort(linked->runs, err)) ||
			       (linked->sorter && spill_sort(linked->sorter, err))
		       ? -1
		       : 0;
}

void linked_release(struct linked *linked)
{
	lane_runs_free(linked->runs);
	spill_free(linked->sorter);
	*linked = (struct linked){0};
}

uint64_t linked_disk_bytes(const struct linked *linked)
{
	return lane_runs_disk_bytes(linked->runs) +
	       (linked->sorter ? spill_disk_bytes(linked->sorter) : 0);
}

/* A lane, or the sorter. */
struct linked_source {
	struct lane_pass *lane;	       /* NULL: the sorter */
	const struct log_record *next; /* NULL: no more */
};

struct linked_pass {
	struct spill *sorter;
	struct link_range range;
	struct log_record sorted[2]; /* of the sorter: the next one and the one before, with starts
				      */
	unsigned current_sorted;
	struct linked_source source[LANES_SIDE_BY_SIDE + 1], *current; /* NULL: none yet */
	size_t count;
	uint64_t until_link; /* before it `current` is before the others */
};

static int next_sorted(struct linked_pass *p, struct linked_source *source, struct error *err)
{
	struct log_record *record = &p->sorted[p->current_sorted ^= 1];
	const void *next;

	if (log_next_sorted(p->sorter, &next, err))
		return -1;
	source->next = next ? record : NULL;
	if (next) {
		*record = *(const struct log_record *)next;
		record->start_ps = value_of(record->lo);
	}
	return 0;
}

static int advance(struct linked_pass *p, struct linked_source *source, struct error *err)
{
	if (!source->lane)
		return next_sorted(p, source, err);
	if (lane_pass_next(source->lane, &source->next, err) < 0)
		return -1;
	if (source->next && source->next->link > p->range.last)
		source->next = NULL;
	return 0;
}

static int begin(struct linked_pass *p, const struct eventlog *log, const struct linked *linked,
	struct error *err)
{
	for (uint32_t i = 0; linked->runs && i < log->lane.count; i++)
		if (lane_runs_have_any(linked->runs, i))
			p->source[p->count++].lane =
				lane_pass_from(linked->runs, i, p->range.first);
	p->sorter = linked->sorter;
	p->count += p->sorter != NULL;
	if (p->sorter)
		spill_rewind(p->sorter);
	for (struct linked_source *source = p->source; source < p->source + p->count; source++)
		do
			if (advance(p, source, err))
				return -1;
		while (source->next && source->next->link < p->range.first);
	return 0;
}

struct linked_pass *linked_pass_new(const struct eventlog *log, const struct linked *linked,
	struct link_range range, struct error *err)
{
	struct linked_pass *p = memory_alloc(sizeof(*p));

	p->range = range;
	if (begin(p, log, linked, err) == 0)
		return p;
	linked_pass_free(p);
	return NULL;
}

void linked_pass_free(struct linked_pass *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++)
		lane_pass_free(p->source[i].lane);
	memory_free(p);
}

static bool is_before(const struct log_record *a, const struct log_record *b)
{
	return a->link != b->link ? a->link < b->link : a->start_ps < b->start_ps;
}

/* Finds the source with the first record, and how long it stays the one. */
static void choose(struct linked_pass *p)
{
	struct linked_source *first = NULL;

	p->until_link = UINT64_MAX;
	for (struct linked_source *source = p->source; source < p->source + p->count; source++) {
		const struct linked_source *other = source;

		if (!source->next)
			continue;
		if (!first || is_before(source->next, first->next)) {
			other = first;
			first = source;
		}
		if (other && other->next->link < p->until_link)
			p->until_link = other->next->link;
	}
	p->current = first;
}

int linked_pass_next(struct linked_pass *p, const struct log_record **record, struct error *err)
{
	*record = NULL;
	if (p->current && advance(p, p->current, err))
		return -1;
	if (!p->current || !p->current->next || p->current->next->link >= p->until_link)
		choose(p);
	if (!p->current)
		return 0;
	*record = p->current->next;
	return 1;
}

/* ---- ranges ---- */

static void add_parts(
	const struct eventlog *log, const struct linked *linked, struct lane_parts *parts)
{
	for (uint32_t i = 0; linked->runs && i < log->lane.count; i++)
		if (lane_runs_have_any(linked->runs, i))
			lane_runs_add_parts(linked->runs, i, parts);
}

static int compare_parts(const void *a, const void *b)
{
	const struct lane_part *x = a, *y = b;

	return ORDER(x->first->key, y->first->key);
}

size_t log_link_ranges(const struct eventlog *log, size_t most, struct link_range *range)
{
	struct lane_parts parts = {0};
	size_t threads, count = 1;
	uint64_t bytes = 0;

	range[0] = (struct link_range){0, UINT64_MAX};
	if (most <= 1 || log->launches.sorter || log->launched.sorter)
		return 1;
	add_parts(log, &log->launches, &parts);
	add_parts(log, &log->launched, &parts);
	threads = log_threads_for(log, parts.bytes);
	most = threads < most ? threads : most;
	if (parts.count)
		qsort(parts.part, parts.count, sizeof(*parts.part), compare_parts);
	for (size_t i = 0; i < parts.count; i++) {
		const uint64_t key = parts.part[i].first->key;

		if (count < most && bytes >= parts.bytes / most * count &&
			key > range[count - 1].first) {
			range[count - 1].last = key - 1;
			range[count++] = (struct link_range){key, UINT64_MAX};
		}
		bytes += parts.part[i].bytes;
	}
	memory_free(parts.part);
	return count;
}
