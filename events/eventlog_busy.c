/*
 * How long something ran in each step: the union of the stretches of all lanes.
 */
#include "events/eventlog_parts.h"

int log_measure_busy(struct eventlog *log, struct error *err)
{
	const void *next;
	int64_t covered_ps = 0; /* up to here everything is counted */
	struct slot *slot = NULL;
	int got = 0;

	if (log->busy && (log_check_disk(log, err) || spill_sort(log->busy, err)))
		return -1;
	while (log->busy && (got = spill_next(log->busy, &next, err)) > 0) {
		const struct busy_record *record = next;
		int64_t start_ps = value_of(record->start);

		if (slot != &slots_of(log)[record->slot]) {
			slot = &slots_of(log)[record->slot];
			covered_ps = start_ps;
		}
		if (start_ps > covered_ps)
			covered_ps = start_ps;
		if (record->end_ps > covered_ps) {
			slot->busy_ps += record->end_ps - covered_ps;
			covered_ps = record->end_ps;
		}
	}
	spill_free(log->busy);
	log->busy = NULL;
	return got < 0 ? -1 : 0;
}
