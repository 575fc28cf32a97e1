/* Busy time of each step: the union of the stretches of all lanes, sorted by start. Those of a lane
 * come in order. Threads share the steps: each has the stretches of some of them. */
#include "base/memory.h"
#include "base/threads.h"
#include "ingest/events/eventlog_sweep.h"

/* Lanes that are runs of a sorter; what further ones have is sorted. */
#define LANES_KEPT 256
/* Parts of the buffer: what launches were sorted in is free by now. */
#define A_RUN 4
#define A_SORTER 16
/* Sorters of all threads and ranges: each may have a temporary file open. */
#define SORTERS_MOST ((size_t)128)

/* Ranges of steps: as many as threads, while there are few. Without a temporary file a sorter has
 * but the memory of its range. */
static size_t ranges_of(const struct eventlog *log)
{
	const size_t threads = log->threads ? log->threads : 1;
	size_t ranges = SORTERS_MOST / threads < threads ? SORTERS_MOST / threads : threads;

	if (log->opt.max_spill_bytes == 0)
		ranges = 1;
	ranges = ranges < log->mark.count ? ranges : log->mark.count;
	return ranges ? ranges : 1;
}

void log_init_busy(struct eventlog *log)
{
	const size_t slots = log->mark.count;

	log->busy_ranges = ranges_of(log);
	log->busy_slots = slots / log->busy_ranges + 1;
	log->busy = memory_alloc(memory_product(log->busy_ranges, sizeof(*log->busy)));
}

void log_release_busy(struct eventlog *log)
{
	for (size_t i = 0; i < log->busy_ranges; i++)
		spill_free(log->busy[i].sorter);
	memory_free(log->busy);
	log->busy = NULL;
	log->busy_ranges = 0;
}

uint64_t log_busy_disk_bytes(const struct eventlog *log)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < log->busy_ranges; i++)
		if (log->busy[i].sorter)
			bytes += spill_disk_bytes(log->busy[i].sorter);
	return bytes;
}

int log_add_busy(
	struct eventlog *log, uint32_t lane, const struct busy_record *record, struct error *err)
{
	struct busy_range *busy = &log->busy[record->slot / log->busy_slots];

	if (!busy->sorter)
		busy->sorter = log_sorter_of(log, sizeof(*record),
			log->opt.buffer_bytes / log->busy_ranges / A_SORTER,
			log->opt.buffer_bytes / log->busy_ranges / A_RUN);
	if (busy->lanes && (lane == busy->lane || busy->lanes == LANES_KEPT))
		return spill_add(busy->sorter, record, err);
	busy->lane = lane;
	busy->lanes++;
	return spill_begin_run(busy->sorter, record, err);
}

/* Sorters of a log and its forks for one range, and the next stretch of each; NULL: it has no
 * more. */
struct busy_sources {
	struct spill *sorter[THREADS_MOST];
	const struct busy_record *next[THREADS_MOST];
	size_t count;
};

struct busy_union {
	struct eventlog *log, *const *fork;
	size_t forks;
	int64_t *until_ps; /* of each slot: up to there it is covered */
	struct error *err; /* of each range */
	bool *failed;
};

static int advance(struct busy_sources *sources, size_t i, struct error *err)
{
	const void *next;

	if (log_next_sorted(sources->sorter[i], &next, err))
		return -1;
	sources->next[i] = next;
	return 0;
}

static int add_source(struct busy_sources *sources, struct spill *sorter, struct error *err)
{
	if (!sorter)
		return 0;
	sources->sorter[sources->count++] = sorter;
	return spill_sort(sorter, err) ? -1 : advance(sources, sources->count - 1, err);
}

/* Adds what is not covered before to the slots. */
static void unite(const struct busy_union *u, const struct busy_record *next)
{
	int64_t from_ps = value_of(next->start), *until = &u->until_ps[next->slot];

	from_ps = from_ps > *until ? from_ps : *until;
	if (next->end_ps > from_ps) {
		slots_of(u->log)[next->slot].busy_ps += next->end_ps - from_ps;
		*until = next->end_ps;
	}
}

static int unite_range(const struct busy_union *u, size_t range, struct error *err)
{
	struct busy_sources sources = {.count = 0};
	int result = add_source(&sources, u->log->busy[range].sorter, err);

	for (size_t i = 0; i < u->forks && result == 0; i++)
		result = add_source(&sources, u->fork[i]->busy[range].sorter, err);
	for (size_t first = 0; result == 0; result = advance(&sources, first, err)) {
		for (size_t i = 0; i < sources.count; i++)
			if (sources.next[i] &&
				(!sources.next[first] ||
					sources.next[i]->start < sources.next[first]->start))
				first = i;
		if (!sources.count || !sources.next[first])
			break;
		unite(u, sources.next[first]);
	}
	return result;
}

static void unite_next(void *object, size_t range, size_t thread)
{
	struct busy_union *u = object;

	(void)thread;
	u->failed[range] = unite_range(u, range, &u->err[range]) != 0;
}

int log_measure_busy(
	struct eventlog *log, struct eventlog *const *fork, size_t forks, struct error *err)
{
	struct arena *scratch = arena_new();
	const size_t ranges = log->busy_ranges;
	struct busy_union u = {.log = log,
		.fork = fork,
		.forks = forks,
		.until_ps = arena_array(scratch, log->mark.count, sizeof(*u.until_ps)),
		.err = arena_array(scratch, ranges, sizeof(*u.err)),
		.failed = arena_array(scratch, ranges, sizeof(*u.failed))};
	int result = 0;

	for (size_t i = 0; i < log->mark.count; i++)
		u.until_ps[i] = INT64_MIN;
	threads_each(log->threads, ranges, unite_next, &u);
	for (size_t i = 0; i < ranges && result == 0; i++)
		if (u.failed[i]) {
			*err = u.err[i];
			result = -1;
		}
	arena_free(scratch);
	for (size_t i = 0; i < forks && result == 0; i++)
		result = log_check_disk(fork[i], err);
	return result ? result : log_check_disk(log, err);
}
