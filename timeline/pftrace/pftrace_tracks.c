/*
 * A process whose pid is a number of 32 bits is a process to Perfetto, too, and so are its threads;
 * others are tracks with the pid or tid for a name.
 */
#include "timeline/pftrace/pftrace_tracks.h"

#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/output/protobuf_writer.h"
#include "ingest/perfetto/tracks.h"

#define LANES_MOST ((size_t)1000000)

enum { TRACE_PACKET = 1, PACKET_TRACK = 60 };
enum written_track_field {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_DESCRIPTION = 14,
};
enum written_process_field {
	PROCESS_PID = 1,
	PROCESS_SORT = 3,
	PROCESS_NAME = 6,
	PROCESS_LABELS = 8
};
enum written_thread_field { THREAD_PID = 1, THREAD_TID = 2, THREAD_SORT = 3, THREAD_NAME = 5 };
enum { COUNTER_UNIT = 6 };

enum track_sort { SORT_PROCESS, SORT_THREAD, SORT_ASYNC, SORT_COUNTER };

struct written_lane {
	enum track_sort sort;
	uint32_t process;			/* its lane */
	const char *key, *name, *labels, *unit; /* NULL: none */
	int64_t number;				/* pid or tid */
	bool is_number, has_place;
	int32_t place;
	uint32_t described; /* layers that were */
};

struct pftrace_tracks {
	struct arena *arena;
	struct intern *keys; /* a lane each */
	struct written_lane *lane;
	size_t room;
	struct text key;
};

struct pftrace_tracks *pftrace_tracks_new(void)
{
	struct pftrace_tracks *t = memory_alloc(sizeof(*t));

	t->arena = arena_new();
	t->keys = intern_new(t->arena);
	text_init(&t->key);
	return t;
}

void pftrace_tracks_free(struct pftrace_tracks *t)
{
	if (!t)
		return;
	memory_free(t->lane);
	text_release(&t->key);
	arena_free(t->arena);
	memory_free(t);
}

static const char *text_of(struct pftrace_tracks *t, const struct json_value *value)
{
	struct text text;
	const char *copy;

	text_init(&text);
	json_add_text(&text, value);
	copy = arena_strdup(t->arena, text_string(&text));
	text_release(&text);
	return copy;
}

/* The lane of the key in t->key, new: filled by the caller. */
static uint32_t find(struct pftrace_tracks *t, bool *is_new)
{
	const size_t known = intern_count(t->keys);
	uint32_t id;

	*is_new = false;
	if (intern_find(t->keys, text_string(&t->key), t->key.size, &id))
		return id;
	if (known >= LANES_MOST)
		return PFTRACE_LANE_NONE;
	*is_new = true;
	id = intern_id(t->keys, text_string(&t->key), t->key.size);
	t->lane = memory_make_room(t->lane, &t->room, known + 1, sizeof(*t->lane));
	t->lane[id] = (struct written_lane){0};
	return id;
}

static void begin_key(struct pftrace_tracks *t, char sort, const struct json_value *pid)
{
	text_clear(&t->key);
	text_add_char(&t->key, sort);
	json_add_text(&t->key, pid);
}

/* Is the value a number, not a text of digits, that fits? */
static bool set_number(const struct json_value *value, int64_t most, int64_t *number)
{
	return value->kind == '0' && json_integer(value, number) && *number <= most &&
	       *number >= -most - 1;
}

static uint32_t process_of(struct pftrace_tracks *t, const struct trace_event *event)
{
	struct written_lane *lane;
	bool is_new;
	uint32_t id;

	begin_key(t, 'p', &event->process);
	id = find(t, &is_new);
	if (!is_new)
		return id;
	lane = &t->lane[id];
	lane->sort = SORT_PROCESS;
	lane->process = id;
	lane->key = text_of(t, &event->process);
	lane->is_number = set_number(&event->process, INT32_MAX, &lane->number);
	return id;
}

/* A lane below a process, its key complete but for the process. */
static uint32_t below(struct pftrace_tracks *t, const struct trace_event *event,
	enum track_sort sort, bool *is_new)
{
	const uint32_t id = find(t, is_new);
	uint32_t process;

	if (!*is_new)
		return id;
	t->lane[id].sort = sort;
	process = process_of(t, event);
	if (process == PFTRACE_LANE_NONE)
		return process;
	t->lane[id].process = process;
	return id;
}

uint32_t pftrace_lane(struct pftrace_tracks *t, const struct trace_event *event)
{
	bool is_new;
	uint32_t id;

	if (event->thread.kind == 0)
		return process_of(t, event);
	begin_key(t, 't', &event->process);
	text_add_char(&t->key, '\0');
	json_add_text(&t->key, &event->thread);
	id = below(t, event, SORT_THREAD, &is_new);
	if (is_new && id != PFTRACE_LANE_NONE) {
		struct written_lane *lane = &t->lane[id];

		lane->key = text_of(t, &event->thread);
		lane->is_number = set_number(&event->thread, INT64_MAX, &lane->number) &&
				  t->lane[lane->process].is_number;
	}
	return id;
}

uint32_t pftrace_lane_async(struct pftrace_tracks *t, const struct trace_event *event)
{
	bool is_new;
	uint32_t id;

	begin_key(t, 'a', &event->process);
	text_add_char(&t->key, '\0');
	json_add_text(&t->key, &event->category);
	text_add_char(&t->key, '\0');
	json_add_text(&t->key, &event->id);
	id = below(t, event, SORT_ASYNC, &is_new);
	if (is_new && id != PFTRACE_LANE_NONE)
		t->lane[id].key = text_of(t, &event->name);
	return id;
}

uint32_t pftrace_lane_counter(
	struct pftrace_tracks *t, const struct trace_event *event, const struct json_value *series)
{
	bool is_new;
	uint32_t id;

	begin_key(t, 'c', &event->process);
	text_add_char(&t->key, '\0');
	json_add_text(&t->key, &event->name);
	text_add_char(&t->key, '\0');
	json_add_text(&t->key, &event->id);
	text_add_char(&t->key, '\0');
	json_add_text(&t->key, series);
	id = below(t, event, SORT_COUNTER, &is_new);
	if (is_new && id != PFTRACE_LANE_NONE) {
		t->lane[id].key = text_of(t, &event->name);
		t->lane[id].unit = text_of(t, series);
	}
	return id;
}

bool pftrace_name(struct pftrace_tracks *t, const struct trace_event *event)
{
	static const char *const words[] = {"process_name", "thread_name", "process_labels",
		"process_sort_index", "thread_sort_index"};
	static const char *const keys[] = {"name", "name", "labels", "sort_index", "sort_index"};
	struct json_value value;
	struct written_lane *lane;
	size_t i = 0;
	uint32_t id;
	int64_t place;

	while (i < 5 && !json_equal(&event->name, words[i]))
		i++;
	if (i == 5)
		return false;
	id = i == 1 || i == 4 ? pftrace_lane(t, event) : process_of(t, event);
	value = trace_arg(event, keys[i]);
	if (id == PFTRACE_LANE_NONE || value.kind == 0)
		return true;
	lane = &t->lane[id];
	if (i <= 1)
		lane->name = text_of(t, &value);
	else if (i == 2)
		lane->labels = text_of(t, &value);
	else if (json_integer(&value, &place) && place >= INT32_MIN && place <= INT32_MAX) {
		lane->has_place = true;
		lane->place = (int32_t)place;
	}
	return true;
}

/* ---- descriptions ---- */

uint64_t pftrace_track(uint32_t lane, uint32_t layer)
{
	return ((uint64_t)lane + 1) * PFTRACE_LAYERS + layer;
}

static void add_process(const struct written_lane *lane, struct text *track)
{
	struct text process;

	if (!lane->is_number) {
		protobuf_add_string(track, TRACK_NAME, lane->key);
		if (lane->name && strcmp(lane->name, lane->key) != 0)
			protobuf_add_string(track, TRACK_DESCRIPTION, lane->name);
		return;
	}
	text_init(&process);
	protobuf_add_number(&process, PROCESS_PID, (uint64_t)lane->number);
	if (lane->has_place)
		protobuf_add_number(&process, PROCESS_SORT, (uint64_t)(int64_t)lane->place);
	if (lane->name)
		protobuf_add_string(&process, PROCESS_NAME, lane->name);
	if (lane->labels)
		protobuf_add_string(&process, PROCESS_LABELS, lane->labels);
	protobuf_add_message(track, TRACK_PROCESS, &process);
	text_release(&process);
}

static void add_thread(
	const struct written_lane *lane, const struct written_lane *process, struct text *track)
{
	struct text thread;

	if (!lane->is_number) {
		protobuf_add_string(track, TRACK_NAME, lane->key);
		return;
	}
	text_init(&thread);
	protobuf_add_number(&thread, THREAD_PID, (uint64_t)process->number);
	protobuf_add_number(&thread, THREAD_TID, (uint64_t)lane->number);
	if (lane->has_place)
		protobuf_add_number(&thread, THREAD_SORT, (uint64_t)(int64_t)lane->place);
	if (lane->name)
		protobuf_add_string(&thread, THREAD_NAME, lane->name);
	protobuf_add_message(track, TRACK_THREAD, &thread);
	text_release(&thread);
}

static void add_track(
	const struct pftrace_tracks *t, uint32_t id, uint32_t layer, struct text *track)
{
	const struct written_lane *lane = &t->lane[id];
	struct text counter;

	if (layer > 0) {
		protobuf_add_string(track, TRACK_NAME, "overlapping");
		protobuf_add_string(track, TRACK_DESCRIPTION, PF_TRACK_OVERLAP);
		return;
	}
	switch (lane->sort) {
	case SORT_PROCESS:
		add_process(lane, track);
		break;
	case SORT_THREAD:
		add_thread(lane, &t->lane[lane->process], track);
		break;
	case SORT_ASYNC:
		protobuf_add_string(track, TRACK_NAME, lane->key);
		protobuf_add_string(track, TRACK_DESCRIPTION, PF_TRACK_ASYNC);
		break;
	case SORT_COUNTER:
		protobuf_add_string(track, TRACK_NAME, lane->key);
		text_init(&counter);
		protobuf_add_string(&counter, COUNTER_UNIT, lane->unit);
		protobuf_add_message(track, TRACK_COUNTER, &counter);
		text_release(&counter);
		break;
	}
}

void pftrace_describe(struct pftrace_tracks *t, uint32_t id, uint32_t layer, struct text *packets)
{
	struct written_lane *lane = &t->lane[id];
	struct text track, packet;

	if (layer < lane->described)
		return;
	if (layer > 0 && lane->described == 0)
		pftrace_describe(t, id, 0, packets);
	else if (lane->process != id)
		pftrace_describe(t, lane->process, 0, packets);
	lane->described = layer + 1;
	text_init(&track);
	text_init(&packet);
	protobuf_add_number(&track, TRACK_UUID, pftrace_track(id, layer));
	if (layer > 0)
		protobuf_add_number(&track, TRACK_PARENT, pftrace_track(id, 0));
	else if (lane->process != id)
		protobuf_add_number(&track, TRACK_PARENT, pftrace_track(lane->process, 0));
	add_track(t, id, layer, &track);
	protobuf_add_message(&packet, PACKET_TRACK, &track);
	protobuf_add_message(packets, TRACE_PACKET, &packet);
	text_release(&track);
	text_release(&packet);
}
