/* Busy time of each step: the union of the stretches of all lanes, sorted by start. Those of a lane
 * come in order. */
#include "base/memory.h"
#include "base/threads.h"
#include "ingest/events/eventlog_sweep.h"

/* Lanes that are runs of the sorter; what further ones have is sorted. */
#define LANES_KEPT 256
/* Sixteenths of the buffer: what launches were sorted in is free by now. */
#define RUNS_SHARE 4
#define SORTER_SHARE 1

void log_init_busy(struct eventlog *log)
{
	log->busy = (struct busy_stretches){.lane = LANE_UNKNOWN};
}

void log_release_busy(struct eventlog *log)
{
	spill_free(log->busy.sorter);
	log->busy.sorter = NULL;
}

int log_add_busy(
	struct eventlog *log, uint32_t lane, const struct busy_record *record, struct error *err)
{
	struct busy_stretches *busy = &log->busy;

	if (!busy->sorter)
		busy->sorter = log_sorter(log, sizeof(*record), SORTER_SHARE, RUNS_SHARE);
	if (lane == busy->lane || busy->lanes == LANES_KEPT)
		return spill_add(busy->sorter, record, err);
	busy->lane = lane;
	busy->lanes++;
	return spill_begin_run(busy->sorter, record, err);
}

/* Adds what is not covered before to the slots. `until_ps`: up to there each slot is covered. */
static void unite(struct eventlog *log, const struct busy_record *next, int64_t *until_ps)
{
	int64_t from_ps = value_of(next->start), *until = &until_ps[next->slot];

	from_ps = from_ps > *until ? from_ps : *until;
	if (next->end_ps > from_ps) {
		slots_of(log)[next->slot].busy_ps += next->end_ps - from_ps;
		*until = next->end_ps;
	}
}

/* Sorters of a log and its forks, and the next stretch of each; NULL: it has no more. */
struct busy_sources {
	struct spill *sorter[THREADS_MOST];
	const struct busy_record *next[THREADS_MOST];
	size_t count;
};

static int advance(struct busy_sources *sources, size_t i, struct error *err)
{
	const void *next;

	if (log_next_sorted(sources->sorter[i], &next, err))
		return -1;
	sources->next[i] = next;
	return 0;
}

static int add_source(struct eventlog *log, struct busy_sources *sources, struct error *err)
{
	if (!log->busy.sorter)
		return 0;
	sources->sorter[sources->count++] = log->busy.sorter;
	return spill_sort(log->busy.sorter, err) || log_check_disk(log, err)
		       ? -1
		       : advance(sources, sources->count - 1, err);
}

static int unite_all(struct eventlog *log, struct busy_sources *sources, struct error *err)
{
	int64_t *until_ps = memory_alloc(memory_product(log->mark.count, sizeof(*until_ps)));
	int result = 0;

	for (size_t i = 0; i < log->mark.count; i++)
		until_ps[i] = INT64_MIN;
	for (size_t first = 0; result == 0; result = advance(sources, first, err)) {
		for (size_t i = 0; i < sources->count; i++)
			if (sources->next[i] &&
				(!sources->next[first] ||
					sources->next[i]->start < sources->next[first]->start))
				first = i;
		if (!sources->count || !sources->next[first])
			break;
		unite(log, sources->next[first], until_ps);
	}
	memory_free(until_ps);
	return result;
}

int log_measure_busy(
	struct eventlog *log, struct eventlog *const *fork, size_t forks, struct error *err)
{
	struct busy_sources sources = {.count = 0};
	int result = add_source(log, &sources, err);

	for (size_t i = 0; i < forks && result == 0; i++)
		result = add_source(fork[i], &sources, err);
	return result ? result : unite_all(log, &sources, err);
}
