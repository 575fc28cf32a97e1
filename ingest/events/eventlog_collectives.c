/* Calls of collectives among the events: the facts about each travel in the place of the bytes,
 * that a collective does not have, as one number. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "ingest/events/device_work.h"
#include "ingest/events/eventlog_sweep.h"

/* Fields of that number, from the lowest bit: whether it is of all, the group (0: none), the number
 * + 1 (0: none). Below 0: whether it is of all, and an id in the place of group and number. */
#define OF_ALL 1
#define GROUP_SHIFT 1
#define GROUP_BITS 18
#define NUMBER_SHIFT (GROUP_SHIFT + GROUP_BITS)
#define GROUPS_MOST ((UINT64_C(1) << GROUP_BITS) - 1)
#define NUMBER_MOST ((INT64_C(1) << (62 - NUMBER_SHIFT)) - 2)

int64_t eventlog_collective(struct eventlog *log, const struct log_collective *c)
{
	uint64_t value = c->is_of_all ? OF_ALL : 0;
	uint32_t id;

	if (c->group_size == 0)
		return (int64_t)value; /* a number in no group says nothing */
	if (!intern_find(log->groups, c->group, c->group_size, &id)) {
		if (intern_count(log->groups) == GROUPS_MOST)
			return (int64_t)value;
		id = intern_id(log->groups, c->group, c->group_size);
	}
	value |= (uint64_t)(id + 1) << GROUP_SHIFT;
	if (c->sequence >= 0 && c->sequence <= NUMBER_MOST)
		value |= (uint64_t)(c->sequence + 1) << NUMBER_SHIFT;
	return (int64_t)value;
}

int64_t eventlog_collective_of_id(uint64_t id, bool is_of_all)
{
	if (id == 0 || id > INT64_MAX >> 1)
		return is_of_all ? OF_ALL : 0;
	return -(int64_t)(id << GROUP_SHIFT | (is_of_all ? OF_ALL : 0));
}

void eventlog_describe_id(struct eventlog *log, uint64_t id, const struct log_collective *c)
{
	struct described_id *described;
	struct error full;

	if (id == 0 || log->described.count == log->described.cap)
		return;
	described = vec_push(&log->described, &full);
	*described = (struct described_id){id, eventlog_collective(log, c)};
}

static int compare_described(const void *a, const void *b)
{
	const struct described_id *x = a, *y = b;

	return ORDER(x->id, y->id) ?: ORDER(x->value, y->value);
}

/* Value of a call, by the description of its id; without one only whether it is of all. */
static int64_t described_value(const struct eventlog *log, int64_t value)
{
	const uint64_t packed = (uint64_t)-value;
	const struct described_id *item = log->described.data, *found;
	const struct described_id wanted = {.id = packed >> GROUP_SHIFT};
	size_t low = 0, high = log->described.count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (item[middle].id < wanted.id)
			low = middle + 1;
		else
			high = middle;
	}
	found = low < log->described.count ? &item[low] : NULL;
	return found && found->id == wanted.id ? found->value : (int64_t)(packed & OF_ALL);
}

void log_begin_collectives(struct eventlog *log)
{
	if (log->described.count)
		qsort(log->described.data, log->described.count, sizeof(struct described_id),
			compare_described);
	log->name_says =
		arena_array(log->arena, log->profile->op_count + 1, sizeof(*log->name_says));
}

/* Whether the name of the op says that it is a collective of all; threads may find the same at the
 * same time. */
static enum name_says name_says(const struct eventlog *log, uint32_t id)
{
	const struct op *op = &log->profile->op[id];
	uint8_t says = log_name_says(log, id);

	if (says != NAME_UNSEEN)
		return says;
	if (!*op->type)
		says = NAME_OF_SOME;
	else
		says = NAME_OF_OTHER;
	if (device_work_of(op->name, op->type) == WORK_COMMUNICATION &&
		(device_work_is_of_all(op->name, strlen(op->name)) ||
			device_work_is_of_all(op->type, strlen(op->type))))
		says = NAME_OF_ALL;
	__atomic_store_n(&log->name_says[id], says, __ATOMIC_RELAXED);
	return says;
}

/* Where an op has events of several types each says for itself. */
static bool type_says(const struct eventlog *log, const struct log_record *event)
{
	if (log_name_says(log, event->op) != NAME_OF_SOME || !event->type)
		return false;

	const char *type = intern_name(log->event_types, event->type - 1u);

	return device_work_of("", type) == WORK_COMMUNICATION &&
	       device_work_is_of_all(type, strlen(type));
}

void log_note_call(
	struct eventlog *log, const struct log_record *event, int64_t start_ps, uint32_t slot)
{
	const unsigned unmeasured = EVENT_LAUNCHED | EVENT_UNMEASURED;
	int64_t value = event->bytes;
	struct log_call *call;

	if (event->bytes_kind != BYTES_COLLECTIVE) {
		value = name_says(log, event->op) == NAME_OF_ALL || type_says(log, event);
	} else if (value < 0)
		value = described_value(log, value);
	if (!(value & OF_ALL))
		return;
	if (log->call_count == COLLECTIVE_CALLS_MOST) {
		log->calls_left_out++;
		return;
	}
	call = memory_push(&log->call, &log->call_count, &log->call_room, sizeof(*call));
	*call = (struct log_call){
		.op = event->op,
		.slot = slot,
		.part = log->part,
		.group = (uint32_t)((uint64_t)value >> GROUP_SHIFT & GROUPS_MOST),
		.sequence = (int64_t)((uint64_t)value >> NUMBER_SHIFT) - 1,
		.start_ps = start_ps,
		.dur_ps = event->flags & EVENT_TIMELESS || (event->flags & unmeasured) == unmeasured
				  ? COLLECTIVE_UNKNOWN
				  : event->dur_ps,
	};
}

/* As one thread passes over the parts: past the limit those of the last ones are left out. */
void log_merge_calls(struct eventlog *log, const struct eventlog *fork)
{
	const size_t total = log->call_count + fork->call_count;
	struct log_call *merged = memory_alloc(memory_product(total, sizeof(*merged)));

	for (size_t i = 0, k = 0; i + k < total;) {
		const bool is_own = k == fork->call_count ||
				    (i < log->call_count && log->call[i].part < fork->call[k].part);

		merged[i + k] = is_own ? log->call[i] : fork->call[k];
		*(is_own ? &i : &k) += 1;
	}
	memory_free(log->call);
	log->call = merged;
	log->call_room = total;
	log->call_count = total < COLLECTIVE_CALLS_MOST ? total : COLLECTIVE_CALLS_MOST;
	log->calls_left_out += fork->calls_left_out + total - log->call_count;
}

/* Order of calls, whose slots are by now steps of the profile. */
static int compare_calls(const void *a, const void *b)
{
	const struct log_call *x = a, *y = b;

	return ORDER(x->slot, y->slot)
		?: ORDER(x->start_ps, y->start_ps)
		?: ORDER(x->dur_ps, y->dur_ps)
		?: ORDER(x->sequence, y->sequence);
}

/* The end of the calls from here on that are in order. */
static size_t end_of_order(const struct log_call *call, size_t at, size_t count)
{
	if (at < count)
		at++;
	while (at < count && compare_calls(&call[at - 1], &call[at]) <= 0)
		at++;
	return at;
}

/* Merges what is in order, as the calls of each lane are, two by two until one is left. */
static void sort_calls(struct eventlog *log)
{
	const size_t count = log->call_count;
	struct log_call *to = memory_alloc(memory_product(count, sizeof(*to)));

	while (end_of_order(log->call, 0, count) < count) {
		struct log_call *from = log->call;

		for (size_t at = 0; at < count;) {
			const size_t middle = end_of_order(from, at, count),
				     end = end_of_order(from, middle, count);

			for (size_t i = at, k = middle; at < end; at++)
				to[at] = k == end || (i < middle &&
							     compare_calls(&from[i], &from[k]) <= 0)
						 ? from[i++]
						 : from[k++];
		}
		log->call = to;
		to = from;
	}
	log->call_room = count;
	memory_free(to);
}

void log_end_collectives(struct eventlog *log)
{
	struct profile *profile = log->profile;

	for (size_t i = 0; i < log->call_count; i++)
		log->call[i].slot = slots_of(log)[log->call[i].slot].index;
	sort_calls(log);
	for (size_t i = 0; i < log->call_count; i++) {
		const struct log_call *from = &log->call[i];
		const char *group = from->group ? intern_name(log->groups, from->group - 1) : NULL;

		collective_calls_add(
			&profile->collectives, &(struct collective_call){.op = from->op,
						       .step = from->slot,
						       .group = group,
						       .sequence = from->sequence,
						       .dur_ps = from->dur_ps});
	}
	profile->collectives.left_out += log->calls_left_out;
	collective_calls_report(&profile->collectives, &profile->issues, profile->path);
}

void log_release_collectives(struct eventlog *log)
{
	vec_release(&log->described);
	memory_free(log->call);
}
