/*
 * Hands single executions to the store of the job, many at a time, and says which steps their slots
 * became.
 */
#include <string.h>
#include "base/memory.h"
#include "ingest/events/eventlog_parts.h"

#define WAITING_MOST 1024

static int hand_over(struct eventlog *log, struct error *err)
{
	const size_t count = log->waiting_calls;

	log->waiting_calls = 0;
	return call_store_add(log->opt.call_store, log->waiting_call, count, err);
}

int log_keep_call(struct eventlog *log, const struct call_record *call, struct error *err)
{
	struct call_record *kept;

	if (!log->opt.call_store)
		return 0;
	if (!log->waiting_call) {
		log->waiting_call =
			arena_array(log->arena, WAITING_MOST, sizeof(*log->waiting_call));
		log->call_source = call_store_source(log->opt.call_store);
	}
	kept = &log->waiting_call[log->waiting_calls++];
	*kept = *call;
	kept->source = log->call_source;
	return log->waiting_calls == WAITING_MOST ? hand_over(log, err) : 0;
}

int log_end_calls(struct eventlog *log, struct error *err)
{
	struct profile *profile = log->profile;
	struct call_source *source;

	if (!log->opt.call_store)
		return 0;
	source = arena_alloc(profile->arena, sizeof(*source));
	source->number = log->waiting_call ? log->call_source : UINT32_MAX;
	source->place_count = log->mark.count;
	source->step = arena_array(profile->arena, source->place_count, sizeof(*source->step));
	for (size_t i = 0; i < source->place_count; i++) {
		const struct slot *slot = &slots_of(log)[i];

		source->step[i] = slot->used ? slot->index : UINT32_MAX;
	}
	profile->call_source = source;
	return log->waiting_calls ? hand_over(log, err) : 0;
}
