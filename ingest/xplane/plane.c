/* Walks over a plane: names and lines first, then its tables. Lines are passed over by their
 * lengths. */
#include "ingest/xplane/plane.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "ingest/trace/host_words.h"

#define DENSE_MOST ((size_t)1 << 20) /* ids below are found without a search */
/* Limits that only hostile files exceed; two bytes of each can become a hundred in memory. */
#define LINES_MOST ((size_t)1000000) /* of all planes */
#define NAMES_MOST ((size_t)2000000) /* of one */
#define WHAT "a plane"

/* ---- ids ---- */

ORDERED(compare_ids, struct id_place, ORDER(x->id, y->id) ?: ORDER(x->place, y->place));

/* Adds an entry; of two entries of one id the later counts. */
static void id_map_add(struct id_map *map, int64_t id, uint32_t place)
{
	struct id_place *sparse;

	if ((uint64_t)id < DENSE_MOST) {
		map->dense = memory_make_room_zeroed(
			map->dense, &map->dense_room, (size_t)id + 1, sizeof(*map->dense));
		if ((size_t)id >= map->dense_count)
			map->dense_count = (size_t)id + 1;
		map->dense[id] = place + 1;
		return;
	}
	sparse = memory_push(
		&map->sparse, &map->sparse_count, &map->sparse_room, sizeof(*map->sparse));
	*sparse = (struct id_place){id, place};
}

static void id_map_sort(struct id_map *map)
{
	if (map->sparse_count)
		qsort(map->sparse, map->sparse_count, sizeof(*map->sparse), compare_ids);
}

uint32_t id_map_find_sparse(const struct id_map *map, int64_t id)
{
	size_t low = 0, high = map->sparse_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (map->sparse[middle].id <= id)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && map->sparse[low - 1].id == id ? map->sparse[low - 1].place + 1 : 0;
}

static void id_map_release(struct id_map *map)
{
	memory_free(map->dense);
	memory_free(map->sparse);
	*map = (struct id_map){0};
}

/* ---- lines ---- */

static struct xla_text text_in(const struct wire_field *field)
{
	return (struct xla_text){(const char *)field->bytes, (size_t)field->size};
}

static struct xla_text copy_text(struct arena *arena, struct xla_text text)
{
	return (struct xla_text){
		text.size ? arena_strndup(arena, text.at, text.size) : "", text.size};
}

/* A text of the file as a string. */
static int load_string(struct space *s, const struct extent *inside, struct arena *arena,
	const char **out, struct error *err)
{
	struct text visible;
	struct wire w;

	if (space_load(s, inside, "a name", &w, err))
		return -1;
	text_init(&visible);
	text_add_zeros_visible(&visible, (const char *)w.at, (size_t)(w.end - w.at));
	*out = arena_strndup(arena, text_string(&visible), visible.size);
	text_release(&visible);
	return 0;
}

static int too_many(
	const struct space *s, uint64_t at, const char *what, size_t most, struct error *err)
{
	char place[sizeof(err->place)];

	error_place_offset(place, sizeof(place), s->window.file->path, at);
	return error_set(err, ERROR_LIMIT, place, "more than %zu %s", most, what);
}

/* Fields before the first event of a line; writers put all there but the name for display. */
static int scan_line(struct plane *plane, struct space *s, const struct extent *extent,
	struct arena *arena, struct error *err)
{
	struct xline *line;
	struct extent rest = *extent, inside, before = *extent;
	struct wire_field field;
	int got;

	if (s->lines++ == LINES_MOST)
		return too_many(s, extent->start, "lines of planes", LINES_MOST, err);
	line = vec_push(&plane->line, NULL); /* without a cap of its own */
	line->all = *extent;
	line->name = "";
	line->events = (struct extent){extent->end, extent->end};
	while ((got = space_next(s, &rest, "a line", &field, &inside, err)) > 0) {
		if (field.number == LINE_EVENT && field.type == WIRE_BYTES) {
			line->events.start = before.start;
			return 0;
		}
		if (field.number == LINE_ID && field.type == WIRE_VARINT)
			line->id = (int64_t)field.value;
		else if (field.number == LINE_TIMESTAMP && field.type == WIRE_VARINT)
			line->timestamp_ns = (int64_t)field.value;
		else if (field.number == LINE_NAME && field.type == WIRE_BYTES &&
			 load_string(s, &inside, arena, &line->name, err))
			return -1;
		before = rest;
	}
	return got;
}

int plane_scan(struct plane *plane, struct space *s, const struct extent *extent,
	struct arena *arena, struct error *err)
{
	struct extent rest = *extent, inside;
	struct wire_field field;
	int got;

	*plane = (struct plane){.extent = *extent, .name = ""};
	vec_init(&plane->line, sizeof(struct xline), SIZE_MAX, "lines");
	while ((got = space_next(s, &rest, WHAT, &field, &inside, err)) > 0) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == PLANE_NAME && load_string(s, &inside, arena, &plane->name, err))
			return -1;
		if (xla_is_programs_plane(plane->name))
			return 0;
		if (field.number == PLANE_LINE && scan_line(plane, s, &inside, arena, err))
			return -1;
	}
	plane->is_device = xla_plane_of(plane->name) == XLA_PLANE_DEVICE;
	if (xla_plane_of(plane->name) == XLA_PLANE_UNKNOWN)
		for (size_t i = 0; i < plane->line.count; i++)
			plane->is_device |= xla_is_device_line(
				((const struct xline *)vec_at(&plane->line, i))->name);
	return got;
}

/* ---- tables ---- */

static const char *const role_names[ROLE_COUNT] = {
	[ROLE_HLO_OP] = "hlo_op",
	[ROLE_CATEGORY] = "hlo_category",
	[ROLE_CORRELATION] = "correlation_id",
	[ROLE_STEP_NUM] = "step_num",
	[ROLE_GRAPH_TYPE] = "graph_type",
	[ROLE_STEP_NAME] = "step_name",
	[ROLE_GROUP] = "group_id",
	[ROLE_PRODUCER_TYPE] = "_pt",
	[ROLE_PRODUCER] = "_p",
	[ROLE_CONSUMER_TYPE] = "_ct",
	[ROLE_CONSUMER] = "_c",
	[ROLE_DEVICE_DURATION] = "device_duration_ps",
	[ROLE_REQUESTED_BYTES] = "requested_bytes",
	[ROLE_TF_OP] = "tf_op",
	[ROLE_START_TIME] = "profile_start_time",
	[ROLE_PROCESS] = "process_id",
};

static uint8_t role_of(struct xla_text name, unsigned wanted)
{
	for (unsigned i = 1; i < ROLE_COUNT; i++)
		if (wanted >> i & 1 && strlen(role_names[i]) == name.size &&
			memcmp(role_names[i], name.at, name.size) == 0)
			return (uint8_t)i;
	return ROLE_NONE;
}

bool plane_stat(
	const struct plane *plane, struct wire stat, uint32_t *place, struct stat_value *value)
{
	struct wire_field field;
	enum wire_result got;
	int64_t id = 0;

	*value = (struct stat_value){0};
	while ((got = wire_next(&stat, &field)) == WIRE_FIELD) {
		if (field.number == STAT_METADATA_ID && field.type == WIRE_VARINT) {
			id = (int64_t)field.value;
		} else if ((field.number == STAT_UNSIGNED || field.number == STAT_SIGNED ||
				   field.number == STAT_REFERENCE) &&
			   field.type == WIRE_VARINT) {
			*value = plane_stat_number(plane, field.number, field.value);
		} else if (field.number == STAT_REAL && field.type == WIRE_FIXED64) {
			*value = (struct stat_value){VALUE_REAL, .bits = field.value};
		} else if ((field.number == STAT_TEXT || field.number == STAT_BYTES ||
				   field.number == STAT_PACKED_TEXT) &&
			   field.type == WIRE_BYTES) {
			*value = (struct stat_value){field.number == STAT_TEXT	  ? VALUE_TEXT
						     : field.number == STAT_BYTES ? VALUE_BYTES
										  : VALUE_PACKED,
				.text = text_in(&field)};
		}
	}
	*place = id_map_find(&plane->stats, id);
	return got == WIRE_END;
}

/* An entry of a map: its id, and the message under it. */
static bool read_entry(struct wire entry, int64_t *id, struct wire *message)
{
	struct wire_field field;
	enum wire_result got;

	*id = 0;
	*message = (struct wire){entry.end, entry.end};
	while ((got = wire_next(&entry, &field)) == WIRE_FIELD) {
		if (field.number == 1 && field.type == WIRE_VARINT)
			*id = (int64_t)field.value;
		else if (field.number == 2 && field.type == WIRE_BYTES)
			*message = wire_inside(&field);
	}
	return got == WIRE_END;
}

static bool add_stat_meta(struct plane *plane, struct wire entry, unsigned wanted)
{
	struct wire_field field;
	enum wire_result got;
	struct stat_meta *stat;
	struct wire message;
	int64_t id;

	if (!read_entry(entry, &id, &message))
		return false;
	id_map_add(&plane->stats, id, (uint32_t)plane->stat_count);
	stat = memory_push(
		&plane->stat, &plane->stat_count, &plane->stat_room, sizeof(*plane->stat));
	stat->name = (struct xla_text){"", 0};
	while ((got = wire_next(&message, &field)) == WIRE_FIELD)
		if (field.number == 2 && field.type == WIRE_BYTES)
			stat->name = copy_text(plane->arena, text_in(&field));
	stat->role = role_of(stat->name, wanted);
	return got == WIRE_END;
}

/* Facts that a stat of the id has for all its events. */
static bool add_meta_stat(struct plane *plane, struct event_meta *meta, struct wire stat)
{
	struct stat_value value;
	uint32_t place;

	if (!plane_stat(plane, stat, &place, &value))
		return false;
	if (!place || value.kind != VALUE_TEXT)
		return true;
	if (plane->stat[place - 1].role == ROLE_CATEGORY)
		meta->category = copy_text(plane->arena, value.text);
	if (plane->stat[place - 1].role == ROLE_HLO_OP)
		meta->hlo_op = copy_text(plane->arena, value.text);
	return true;
}

static bool add_event_meta(struct plane *plane, struct wire entry, bool keep_stats)
{
	struct xla_text display = {"", 0};
	struct wire_field field;
	enum wire_result got;
	struct event_meta *meta;
	struct wire message, start;
	int64_t id;

	if (!read_entry(entry, &id, &message))
		return false;
	start = message;
	id_map_add(&plane->events, id, (uint32_t)plane->event_count);
	meta = memory_push(
		&plane->event, &plane->event_count, &plane->event_room, sizeof(*plane->event));
	meta->name = meta->long_name = meta->category = meta->stats = meta->hlo_op = display;
	while ((got = wire_next(&message, &field)) == WIRE_FIELD) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == 2)
			meta->name = copy_text(plane->arena, text_in(&field));
		else if (field.number == 4)
			display = copy_text(plane->arena, text_in(&field));
		else if (field.number == 5 && !add_meta_stat(plane, meta, wire_inside(&field)))
			return false;
	}
	/* Ops of a device have their own name as the one to display, and the whole instruction as
	 * the name. On the host that is a part of the name: the type of an op, the kind of an
	 * iterator. */
	if (plane->is_device && display.size != 0) {
		meta->long_name = meta->name;
		meta->name = display;
	}
	meta->host_event = (uint8_t)xla_host_event_of(meta->name);
	meta->launch_traits = (uint8_t)host_launch_traits(meta->name.at, meta->name.size);
	if (keep_stats)
		meta->stats = copy_text(plane->arena,
			(struct xla_text){(const char *)start.at, (size_t)(start.end - start.at)});
	return got == WIRE_END;
}

/* The stats of a plane itself. */
static bool add_plane_stat(struct plane *plane, struct wire stat)
{
	struct stat_value value;
	uint32_t place;
	uint8_t role;

	if (!plane_stat(plane, stat, &place, &value))
		return false;
	role = place && value.kind == VALUE_INTEGER ? plane->stat[place - 1].role : ROLE_NONE;
	if (role == ROLE_START_TIME)
		plane->start_time_ns = value.bits;
	if (role == ROLE_PROCESS)
		plane->process = value.bits;
	return true;
}

static bool add_field(struct plane *plane, const struct wire_field *field, struct wire contents,
	unsigned wanted, bool keep_stats)
{
	switch (field->number) {
	case PLANE_STAT_METADATA:
		return add_stat_meta(plane, contents, wanted);
	case PLANE_EVENT_METADATA:
		return add_event_meta(plane, contents, keep_stats);
	default:
		return add_plane_stat(plane, contents);
	}
}

int plane_load(
	struct plane *plane, struct space *s, unsigned wanted, bool keep_stats, struct error *err)
{
	/* Order of the fields: events are described with stats. */
	static const uint32_t order[] = {PLANE_STAT_METADATA, PLANE_EVENT_METADATA, PLANE_STAT};

	plane->arena = arena_new();
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		struct extent rest = plane->extent, inside;
		struct wire_field field;
		struct wire contents;
		int got;

		while ((got = space_next(s, &rest, WHAT, &field, &inside, err)) > 0) {
			if (field.type != WIRE_BYTES || field.number != order[i])
				continue;
			if (plane->event_count + plane->stat_count >= NAMES_MOST)
				return too_many(s, inside.start,
					"names of events and stats in a plane", NAMES_MOST, err);
			if (space_load(s, &inside, "what is said of its events", &contents, err))
				return -1;
			if (!add_field(plane, &field, contents, wanted, keep_stats))
				return space_damaged(
					s, inside.start, "what is said of its events", err);
		}
		if (got < 0)
			return -1;
		id_map_sort(&plane->stats);
		id_map_sort(&plane->events);
	}
	return 0;
}

void plane_unload(struct plane *plane)
{
	if (!plane->arena)
		return;
	id_map_release(&plane->events);
	id_map_release(&plane->stats);
	memory_free(plane->event);
	memory_free(plane->stat);
	plane->event = NULL;
	plane->stat = NULL;
	plane->event_count = plane->event_room = plane->stat_count = plane->stat_room = 0;
	arena_free(plane->arena);
	plane->arena = NULL;
}

void plane_release(struct plane *plane)
{
	plane_unload(plane);
	vec_release(&plane->line);
}
