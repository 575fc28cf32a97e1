/* Tracks by number in a table, open addressing; their texts in an arena. */
#include "ingest/perfetto/tracks.h"

#include <inttypes.h>
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "ingest/perfetto/names.h"

#define TRACKS_MOST ((size_t)1000000)
#define PARENTS_MOST 64
#define NAME_MOST 4096		       /* bytes of a name; more of it is cut off */
#define LANE_MOST 4096		       /* bytes of a lane's name that is made of several */
#define TEXTS_MOST ((size_t)256 << 20) /* bytes of all names and lanes */

enum pf_track_field {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_STATIC_NAME = 10,
	TRACK_ATRACE_NAME = 13,
	TRACK_DESCRIPTION = 14,
};

struct pf_tracks {
	struct vec track; /* struct pf_track */
	uint32_t *place;  /* index + 1; 0: free */
	size_t room;
	struct arena *arena;
	struct intern *names;	    /* a track may be described many times */
	struct intern_pairs *lanes; /* process and thread */
	uint32_t *lane_owner;	    /* a track, by lane */
	size_t lane_room;
};

struct pf_tracks *pf_tracks_new(void)
{
	struct pf_tracks *t = memory_alloc(sizeof(*t));

	vec_init(&t->track, sizeof(struct pf_track), TRACKS_MOST, "tracks");
	t->arena = arena_new();
	t->names = intern_new(t->arena);
	t->lanes = intern_pairs_new(t->arena);
	return t;
}

void pf_tracks_free(struct pf_tracks *t)
{
	if (!t)
		return;
	vec_release(&t->track);
	memory_free(t->place);
	memory_free(t->lane_owner);
	arena_free(t->arena);
	memory_free(t);
}

bool pf_tracks_is_full(const struct pf_tracks *t)
{
	return arena_size_bytes(t->arena) > TEXTS_MOST;
}

struct pf_track *pf_tracks_at(const struct pf_tracks *t, uint32_t track)
{
	return vec_at(&t->track, track);
}

static uint32_t *place_of(const struct pf_tracks *t, uint64_t uuid)
{
	size_t i = (size_t)((uuid * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (t->room - 1);

	while (t->place[i] && pf_tracks_at(t, t->place[i] - 1)->uuid != uuid)
		i = (i + 1) & (t->room - 1);
	return &t->place[i];
}

/* Index of the track, or PF_TRACK_NONE. */
static uint32_t known(const struct pf_tracks *t, uint64_t uuid)
{
	return t->room ? *place_of(t, uuid) - 1 : PF_TRACK_NONE;
}

uint32_t pf_tracks_find(struct pf_tracks *t, uint64_t uuid)
{
	uint32_t index = known(t, uuid);
	struct pf_track *track;

	if (index != PF_TRACK_NONE)
		return index;
	if (2 * (t->track.count + 1) > t->room) {
		memory_free(t->place);
		t->room = t->room ? 2 * t->room : 64;
		t->place = memory_alloc(memory_product(t->room, sizeof(*t->place)));
		for (size_t i = 0; i < t->track.count; i++)
			*place_of(t, pf_tracks_at(t, (uint32_t)i)->uuid) = (uint32_t)i + 1;
	}
	track = vec_push(&t->track, NULL);
	if (!track)
		return PF_TRACK_NONE;
	*track = (struct pf_track){.uuid = uuid, .unit = "value"};
	*place_of(t, uuid) = (uint32_t)t->track.count;
	return (uint32_t)t->track.count - 1;
}

uint64_t pf_tracks_uuid_of_sequence(uint32_t sequence)
{
	return intern_hash(&sequence, sizeof(sequence), 1);
}

uint32_t pf_tracks_of_thread(struct pf_tracks *t, int64_t process, int64_t thread)
{
	const uint32_t index = pf_tracks_find(t, intern_hash(&thread, sizeof(thread), 3));
	struct pf_track *track;

	if (index == PF_TRACK_NONE)
		return index;
	track = pf_tracks_at(t, index);
	track->is_thread = true;
	track->tid = thread;
	track->pid = process ? process : track->pid;
	return index;
}

/* ---- descriptors ---- */

static struct json_value keep_name(struct pf_tracks *t, struct pf_bytes bytes)
{
	struct json_value value;
	struct arena *escaped = arena_new();

	bytes.size = bytes.size < NAME_MOST ? bytes.size : NAME_MOST;
	value = pf_json_string(bytes, escaped);
	value.at = intern_name(t->names, intern_id(t->names, value.at, value.size));
	arena_free(escaped);
	return value;
}

struct track_names {
	int64_t pid, tid;
	struct pf_bytes text; /* a name, a unit */
};

#define AT(member) offsetof(struct track_names, member)

/* The name and the numbers of a process or a thread; false: damaged. */
static bool describe(struct pf_tracks *t, const struct pf_layout *layout, struct pf_bytes bytes,
	struct pf_track *track)
{
	struct track_names d = {.pid = track->pid, .tid = track->tid};
	const bool is_whole = pf_set_members(&d, layout, bytes);

	track->pid = d.pid;
	track->tid = d.tid;
	if (d.text.size > 0)
		track->name = keep_name(t, d.text);
	return is_whole;
}

static bool describe_process(struct pf_tracks *t, struct pf_bytes bytes, struct pf_track *track)
{
	static const struct pf_layout process = {
		{[1] = {PF_INT32, AT(pid)}, [6] = {PF_BYTES, AT(text)}}};

	track->is_process = true;
	return describe(t, &process, bytes, track);
}

static bool describe_thread(struct pf_tracks *t, struct pf_bytes bytes, struct pf_track *track)
{
	static const struct pf_layout thread = {{[1] = {PF_INT32, AT(pid)},
		[2] = {PF_UINT64, AT(tid)},
		[5] = {PF_BYTES, AT(text)}}};

	track->is_thread = true;
	return describe(t, &thread, bytes, track);
}

static bool describe_counter(struct pf_tracks *t, struct pf_bytes bytes, struct pf_track *track)
{
	static const struct pf_layout counter = {{[6] = {PF_BYTES, AT(text)}}};
	struct track_names d = {0};
	const bool is_whole = pf_set_members(&d, &counter, bytes);

	track->is_counter = true;
	if (d.text.size > 0)
		track->unit = keep_name(t, d.text).at;
	return is_whole;
}

static bool set_field(struct pf_tracks *t, const struct wire_field *f, struct pf_track *track)
{
	switch (f->number) {
	case TRACK_UUID:
		track->uuid = f->value;
		return true;
	case TRACK_PARENT:
		track->parent = f->value;
		track->has_parent = f->value != 0;
		return true;
	default:
		break;
	}
	if (f->type != WIRE_BYTES)
		return true;
	switch (f->number) {
	case TRACK_NAME:
	case TRACK_STATIC_NAME:
	case TRACK_ATRACE_NAME:
		if (f->size > 0 && track->name.kind == 0)
			track->name = keep_name(t, pf_bytes_of(f));
		return true;
	case TRACK_DESCRIPTION:
		track->is_overlap = text_is(f->bytes, f->size, PF_TRACK_OVERLAP);
		track->is_async = text_is(f->bytes, f->size, PF_TRACK_ASYNC);
		track->description = keep_name(t, pf_bytes_of(f));
		return true;
	case TRACK_COUNTER:
		return describe_counter(t, pf_bytes_of(f), track);
	case TRACK_PROCESS:
		return describe_process(t, pf_bytes_of(f), track);
	case TRACK_THREAD:
		return describe_thread(t, pf_bytes_of(f), track);
	default:
		return true;
	}
}

/* A track may be described again, with more of it. Its lane stays. */
static uint32_t store(struct pf_tracks *t, const struct pf_track *described)
{
	uint32_t index = pf_tracks_find(t, described->uuid);
	struct pf_track *track, old;

	if (index == PF_TRACK_NONE)
		return index;
	track = pf_tracks_at(t, index);
	old = *track;
	*track = *described;
	track->is_described = true;
	if (old.is_described && track->name.kind == 0)
		track->name = old.name;
	track->has_lane = old.has_lane;
	track->process = old.process;
	track->thread = old.thread;
	return index;
}

uint32_t pf_tracks_describe(struct pf_tracks *t, struct pf_bytes descriptor)
{
	struct pf_track track = {.unit = "value"};
	struct wire w = pf_wire(descriptor);
	struct wire_field f;
	enum wire_result got;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		if (!set_field(t, &f, &track))
			return PF_TRACK_NONE;
	return got == WIRE_END ? store(t, &track) : PF_TRACK_NONE;
}

uint32_t pf_tracks_describe_process(struct pf_tracks *t, struct pf_bytes descriptor)
{
	struct pf_track track = {.unit = "value"};

	if (!describe_process(t, descriptor, &track))
		return PF_TRACK_NONE;
	track.uuid = intern_hash(&track.pid, sizeof(track.pid), 2);
	return store(t, &track);
}

uint32_t pf_tracks_describe_thread(struct pf_tracks *t, uint64_t uuid, struct pf_bytes descriptor)
{
	struct pf_track track = {.uuid = uuid, .unit = "value"};

	return describe_thread(t, descriptor, &track) ? store(t, &track) : PF_TRACK_NONE;
}

/* ---- lanes ---- */

static struct json_value number_text(struct pf_tracks *t, int64_t number)
{
	const char *digits = arena_printf(t->arena, "%" PRId64, number);

	return (struct json_value){digits, strlen(digits), '0'};
}

/* A track without a name is known by its number. */
static struct json_value name_of(struct pf_tracks *t, const struct pf_track *track)
{
	const char *digits;

	if (track->name.kind)
		return track->name;
	digits = arena_printf(t->arena, "%" PRIu64, track->uuid);
	return (struct json_value){digits, strlen(digits), '"'};
}

static size_t name_size(const struct pf_track *track)
{
	return track->name.kind ? track->name.size : NUMBER_TEXT_SIZE;
}

/* Names from the one below a process, a thread or a root down to this one. */
static void find_lane(struct pf_tracks *t, struct pf_track *track)
{
	const struct pf_track *at = track, *above, *named[PARENTS_MOST];
	size_t count = 0;
	struct text lane;

	for (size_t depth = 0; depth < PARENTS_MOST && !at->is_thread && !at->is_process; depth++) {
		uint32_t index = at->has_parent ? known(t, at->parent) : PF_TRACK_NONE;

		above = index == PF_TRACK_NONE ? NULL : pf_tracks_at(t, index);
		if (!above)
			break;
		if (!at->is_overlap)
			named[count++] = at;
		at = above;
	}
	track->process = at->is_thread || at->is_process ? number_text(t, at->pid) : name_of(t, at);
	if (at->is_thread && count == 0) {
		track->thread = number_text(t, at->tid);
		return;
	}
	text_init(&lane);
	if (at->is_thread)
		text_printf(&lane, "%" PRId64 " ", at->tid);
	if (count > 0) {
		/* The names from the outermost, the last of the tracks, to the first. Outer ones
		 * that would make it too long are left out. */
		size_t kept = 1, size = name_size(named[0]);

		while (kept < count && size + 1 + name_size(named[kept]) <= LANE_MOST)
			size += 1 + name_size(named[kept++]);
		if (kept < count)
			text_add(&lane, ".../");
		while (kept-- > 0) {
			if (named[kept]->name.kind)
				text_add_bytes(&lane, named[kept]->name.at, named[kept]->name.size);
			else
				text_printf(&lane, "%" PRIu64, named[kept]->uuid);
			text_add(&lane, kept ? "/" : "");
		}
	}
	track->thread = (struct json_value){
		arena_strndup(t->arena, text_string(&lane), lane.size), lane.size, '"'};
	text_release(&lane);
}

/* Makes each of several tracks that only share a name a lane of its own. */
static void make_unique(struct pf_tracks *t, uint32_t index, struct pf_track *track)
{
	for (int attempt = 0; attempt < 2; attempt++) {
		const struct name_pair pair = {.first = track->process.at,
			.first_size = track->process.size,
			.second = track->thread.at,
			.second_size = track->thread.size};
		const size_t known_lanes = intern_pair_count(t->lanes);
		struct json_value number;
		uint32_t id;

		if (!intern_pair(t->lanes, &pair, TRACKS_MOST * 2, &id))
			return;
		t->lane_owner = memory_make_room(
			t->lane_owner, &t->lane_room, (size_t)id + 1, sizeof(*t->lane_owner));
		if (id >= known_lanes)
			t->lane_owner[id] = index;
		if (id >= known_lanes || t->lane_owner[id] == index)
			return;
		number = number_text(t, (int64_t)index);

		const char *text = arena_printf(t->arena, "%.*s%s%.*s", (int)track->thread.size,
			track->thread.size ? track->thread.at : "", " #", (int)number.size,
			number.size ? number.at : "");

		track->thread = (struct json_value){text, strlen(text), '"'};
	}
}

bool pf_tracks_lane(struct pf_tracks *t, uint32_t index)
{
	struct pf_track *track = pf_tracks_at(t, index);

	if (track->has_lane)
		return false;
	track->has_lane = true;
	find_lane(t, track);
	if (!track->is_thread && !track->is_overlap && !track->is_counter)
		make_unique(t, index, track);
	return true;
}
