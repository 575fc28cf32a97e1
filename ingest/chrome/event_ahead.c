/* Tables of one thread: pairs of texts that name ops, with their traits, and those of lanes. */
#include "ingest/chrome/event_ahead.h"

#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/packed_number.h"

/* In a table; others are looked up by who asks for them. */
#define KNOWN_PAIRS_MOST 16384
#define KNOWN_PAIR_BYTES_MOST 1024

/* Lane of texts of fewer than eight bytes each. */
struct short_lane {
	uint64_t process, thread; /* bytes, and in the last one the size */
	uint32_t key;		  /* 0: none */
};

#define SHORT_LANES 64 /* a power of 2 */

struct event_tables {
	const struct trace_handler *handler;
	struct arena *arena;
	struct intern_pairs *pairs, *lanes;
	uint32_t *traits; /* by pair */
	size_t traits_room;
	uint16_t number;
	struct short_lane recent[SHORT_LANES];
};

struct event_tables *event_tables_new(const struct trace_handler *handler, uint16_t number)
{
	struct event_tables *tables = memory_alloc(sizeof(*tables));

	tables->handler = handler;
	tables->arena = arena_new();
	tables->pairs = intern_pairs_new(tables->arena);
	tables->lanes = intern_pairs_new(tables->arena);
	tables->number = number;
	return tables;
}

void event_tables_free(struct event_tables *tables)
{
	if (!tables)
		return;
	memory_free(tables->traits);
	arena_free(tables->arena);
	memory_free(tables);
}

static void find_asked(const struct trace_ahead *ahead, uint32_t wanted, struct trace_event *event)
{
	const char *names[TRACE_ASKED_MOST];
	struct json_value values[TRACE_ASKED_MOST];
	size_t place[TRACE_ASKED_MOST], count = 0;

	event->asked = (uint8_t)wanted;
	event->asked_numbers = 0;
	for (size_t k = 0; k < TRACE_ASKED_MOST && ahead->asked[k]; k++)
		if (wanted >> k & 1) {
			place[count] = k;
			names[count++] = ahead->asked[k];
		}
	trace_args(event, names, values, count);
	for (size_t i = 0; i < count; i++) {
		event->asked_value[place[i]] = values[i];
		if (ahead->are_numbers && json_unsigned(&values[i], &event->asked_number[place[i]]))
			event->asked_numbers |= (uint8_t)(1U << place[i]);
	}
}

static void find_pair(const struct trace_ahead *ahead, struct trace_event *event)
{
	if (ahead->pair)
		ahead->pair(event, &event->pair);
	else
		event->pair = (struct name_pair){.first = event->name.at,
			.first_size = event->name.size,
			.second = event->category.at,
			.second_size = event->category.size};
}

static void name_pair(struct event_tables *tables, struct trace_event *event)
{
	const struct trace_ahead *ahead = tables->handler->ahead;
	const size_t known = intern_pair_count(tables->pairs);
	uint32_t id;

	find_pair(ahead, event);
	if (!event->pair.first ||
		event->pair.first_size + event->pair.second_size > KNOWN_PAIR_BYTES_MOST ||
		!intern_pair(tables->pairs, &event->pair, KNOWN_PAIRS_MOST, &id)) {
		event->pair_key = 0;
		event->traits = ahead->traits ? ahead->traits(event) : 0;
		return;
	}
	event->pair_key = id + 1;
	event->traits = 0;
	if (!ahead->traits)
		return;
	if (id == known) {
		tables->traits = memory_make_room(tables->traits, &tables->traits_room,
			(size_t)id + 1, sizeof(*tables->traits));
		tables->traits[id] = ahead->traits(event);
	}
	event->traits = tables->traits[id];
}

/* Copies what is ready; false: a time is not as others are. */
static bool make_ready(const struct trace_event *event, int64_t base_us, struct trace_ready *ready)
{
	const uint8_t numbers = event->asked & event->asked_numbers;

	if (!event->pair_key || !event->lane_key || !event->start.known || !event->duration.known ||
		event->duration.us < 0 ||
		!trace_time_since(&event->start, base_us, &ready->start_ps) ||
		!trace_time_since(&event->duration, 0, &ready->dur_ps))
		return false;
	ready->link = numbers ? event->asked_number[__builtin_ctz(numbers)] : 0;
	ready->traits = event->traits;
	ready->pair_key = event->pair_key;
	ready->lane_key = event->lane_key;
	ready->table = event->table;
	return true;
}

/* Looks for what depends on the traits, which are there. */
static void find_wanted(const struct trace_ahead *ahead, struct trace_event *event)
{
	find_asked(ahead, ahead->traits ? event->traits & TRACE_ASKED_ALL : TRACE_ASKED_ALL, event);
}

static uint32_t find_lane(struct event_tables *tables, const struct trace_event *event)
{
	const struct name_pair lane = {.first = event->process.at,
		.first_size = event->process.size,
		.second = event->thread.at,
		.second_size = event->thread.size};
	uint32_t id;

	return lane.first_size + lane.second_size <= KNOWN_PAIR_BYTES_MOST &&
			       intern_pair(tables->lanes, &lane, KNOWN_PAIRS_MOST, &id)
		       ? id + 1
		       : 0;
}

/* Bytes of a text of fewer than eight, with its size. Eight can be read: it is in a piece. */
static uint64_t short_text(const struct json_value *value)
{
	uint64_t bytes = 0;

	if (value->size == 0)
		return 0;
	memcpy(&bytes, value->at, 8);
	return (little_64(bytes) & ~(UINT64_MAX << 8 * value->size)) | (uint64_t)value->size << 56;
}

/* Key of the event's lane. Most are numbers, and few. */
static uint32_t lane_key(struct event_tables *tables, const struct trace_event *event)
{
	struct short_lane *recent, lane;

	if (event->process.size >= 8 || event->thread.size >= 8)
		return find_lane(tables, event);
	lane.process = short_text(&event->process);
	lane.thread = short_text(&event->thread);
	recent = &tables->recent[((lane.process ^ lane.thread * 31) *
					 UINT64_C(0x9e3779b97f4a7c15)) >>
				 58];
	if (recent->key && recent->process == lane.process && recent->thread == lane.thread)
		return recent->key;
	lane.key = find_lane(tables, event);
	*recent = lane;
	return lane.key;
}

enum trace_readiness event_look_ahead(
	struct event_tables *tables, struct trace_event *event, struct trace_ready *ready)
{
	const struct trace_handler *handler = tables->handler;
	const struct trace_ahead *ahead = handler->ahead;

	if (handler->ready && event->phase && ahead->phases && event->phase != *ahead->phases &&
		!strchr(ahead->phases, event->phase))
		return EVENT_PASSED;
	event->is_ahead = true;
	event->table = tables->number;
	if (!ahead->traits)
		find_wanted(ahead, event);
	name_pair(tables, event);
	if (ahead->traits)
		find_wanted(ahead, event);
	event->lane_key = lane_key(tables, event);
	return handler->ready && event->phase == 'X' && ahead->ready(event) &&
			       make_ready(event, handler->base_us, ready)
		       ? EVENT_READY
		       : EVENT_WHOLE;
}

void event_look_again(
	const struct trace_ahead *ahead, const struct trace_ready *ready, struct trace_event *event)
{
	event->is_ahead = true;
	event->table = ready->table;
	event->traits = ready->traits;
	find_wanted(ahead, event);
	find_pair(ahead, event);
	event->pair_key = ready->pair_key;
	event->lane_key = ready->lane_key;
}
