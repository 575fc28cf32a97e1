/* Single events for those who ask: calls for the store of the job, many at a time, which learns at
 * the end which steps their slots became; and events with what was found out about them, in order,
 * for the sink. */
#include <string.h>
#include "ingest/events/eventlog_parts.h"

/* ---- calls ---- */

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

/* ---- rows ---- */

/* Type of the event itself, which is not that of the row where the op's events have several. */
static const char *type_of(const struct eventlog *log, const struct row_record *record)
{
	if (record->type)
		return intern_name(log->event_types, record->type - 1U);
	return log->row_type[record->op] ? "" : log->profile->op[record->op].type;
}

static int write_row(const struct eventlog *log, const struct row_record *record, struct error *err)
{
	const struct lane *lane = &lanes_of(log)[record->lane];
	const struct op *op = &log->profile->op[record->op];
	const bool has_bytes = record->bytes_kind < BYTES_COLLECTIVE;
	const struct event event = {
		.lane = record->lane,
		.op = record->op,
		.start_ps = record->start_ps,
		.dur_ps = record->dur_ps,
		.link = record->link,
		.bytes = has_bytes ? record->bytes : 0,
		.kind = EVENT_OP,
		.flags = record->flags,
		.bytes_kind = has_bytes ? record->bytes_kind : BYTES_NONE,
	};
	struct event_row row = {
		.profile = log->profile,
		.process = eventlog_process_name(log, lane->process),
		.lane = lane->name,
		.device = lane->device,
		.op = op->name,
		.type = type_of(log, record),
		.event = &event,
		.base_us = log->base_us,
		.self_ps = record->self_ps,
		.depth = record->depth,
	};

	if (record->slot < SLOT_LEAST_SPECIAL) {
		const struct slot *slot = &slots_of(log)[record->slot];

		row.has_step = true;
		row.place = slot->index;
		row.step = slot->number;
		row.run = slot->run;
	}
	return log->opt.sink(log->opt.context, &row, err);
}

int log_write_rows(struct eventlog *log, struct error *err)
{
	const void *record;
	int got = 0;

	if (!log->rows)
		return 0;
	if (spill_sort(log->rows, err) || log_check_disk(log, err))
		return -1;
	while ((got = spill_next(log->rows, &record, err)) > 0)
		if (write_row(log, record, err))
			return -1;
	return got;
}
