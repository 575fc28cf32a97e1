/* Launched events until their launches are found. A device works in the order of launches, so the
 * links of a lane mostly come in order: such lanes need no sorter, they are read side by side. */
#include "base/memory.h"
#include "ingest/events/eventlog_parts.h"

/* Sixteenths of the buffer. */
#define RUNS_SHARE 2
#define SORTER_SHARE 2

int log_add_launched(struct eventlog *log, struct log_record *record, struct error *err)
{
	int taken;

	if (!log->launched_runs)
		log->launched_runs = lane_runs_new(
			log, log->opt.buffer_bytes / 16 * RUNS_SHARE, true, LANES_SIDE_BY_SIDE);
	log->any_launched = true;
	log->any_link |= record->link != 0;
	taken = lane_runs_add(log->launched_runs, record, err);
	if (taken)
		return taken < 0 ? -1 : 0;
	record->lo = key_of(record->start_ps);
	record->hi = record->link;
	if (!log->launched)
		log->launched = log_sorter(log, sizeof(*record), SORTER_SHARE, 0);
	return spill_add(log->launched, record, err);
}

void log_release_launched(struct eventlog *log)
{
	lane_runs_free(log->launched_runs);
	spill_free(log->launched);
	log->launched_runs = NULL;
	log->launched = NULL;
}

/* A lane, or the sorter. */
struct launched_source {
	struct lane_pass *lane;	       /* NULL: the sorter */
	const struct log_record *next; /* NULL: no more */
};

struct launched_pass {
	struct spill *sorter;
	struct log_record sorted; /* the next one of the sorter, with its start */
	struct launched_source source[LANES_SIDE_BY_SIDE + 1], *current; /* NULL: none yet */
	size_t count;
	uint64_t until_link; /* up to it `current` is before the others */
};

static int advance(struct launched_pass *p, struct launched_source *source, struct error *err)
{
	const void *sorted;

	if (source->lane)
		return lane_pass_next(source->lane, &source->next, err) < 0 ? -1 : 0;
	if (log_next_sorted(p->sorter, &sorted, err))
		return -1;
	source->next = sorted ? &p->sorted : NULL;
	if (sorted) {
		p->sorted = *(const struct log_record *)sorted;
		p->sorted.start_ps = value_of(p->sorted.lo);
	}
	return 0;
}

int log_sort_launched(struct eventlog *log, struct error *err)
{
	return lane_runs_sort(log->launched_runs, err) ||
			       (log->launched && spill_sort(log->launched, err))
		       ? -1
		       : 0;
}

static int begin(struct launched_pass *p, struct eventlog *log, struct error *err)
{
	if (log->launched)
		spill_rewind(log->launched);
	for (uint32_t i = 0; i < log->lane.count; i++)
		if (lane_runs_have_any(log->launched_runs, i))
			p->source[p->count++].lane = lane_pass_new(log->launched_runs, i);
	p->sorter = log->launched;
	p->count += p->sorter != NULL;
	for (size_t i = 0; i < p->count; i++)
		if (advance(p, &p->source[i], err))
			return -1;
	return 0;
}

struct launched_pass *launched_pass_new(struct eventlog *log, struct error *err)
{
	struct launched_pass *p = memory_alloc(sizeof(*p));

	if (begin(p, log, err) == 0)
		return p;
	launched_pass_free(p);
	return NULL;
}

void launched_pass_free(struct launched_pass *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++)
		lane_pass_free(p->source[i].lane);
	memory_free(p);
}

int launched_pass_next(struct launched_pass *p, const struct log_record **record, struct error *err)
{
	if (p->current && advance(p, p->current, err))
		return -1;
	if (!p->current || !p->current->next || p->current->next->link > p->until_link) {
		/* Find the source with the lowest link, and how long it stays the one. */
		struct launched_source *first = NULL;

		p->until_link = UINT64_MAX;
		for (struct launched_source *source = p->source; source < p->source + p->count;
			source++) {
			const struct launched_source *other = source;

			if (!source->next)
				continue;
			if (!first || source->next->link < first->next->link) {
				other = first;
				first = source;
			}
			if (other && other->next->link < p->until_link)
				p->until_link = other->next->link;
		}
		p->current = first;
	}
	if (!p->current)
		return 0;
	*record = p->current->next;
	return 1;
}
