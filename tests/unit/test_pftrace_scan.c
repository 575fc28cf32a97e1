/* Perfetto traces of a few packets that are made here, read as events: those of writers that err or
 * mean harm, and of old ones. */
#include "base/arena.h"
#include "ingest/chrome/trace_scan.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"

enum field { /* of TracePacket and TrackEvent */
	PACKET_TIME = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_CLOCKS = 6,
	PACKET_CLOCK = 58,
	PACKET_PROCESS = 43, /* of old writers, as the thread */
	PACKET_THREAD = 44,
	PACKET_TRACK = 60,
	EVENT_ANNOTATIONS = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_NAME = 23,
	EVENT_FLOWS_OLD = 36,
};
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3 };

struct made {
	struct text file, event, packet;
};

static void start(struct made *m)
{
	text_init(&m->file);
	text_init(&m->event);
	text_init(&m->packet);
}

/* A packet of an event of this type, with what m->event has already. */
static void add(struct made *m, int type, uint32_t sequence, int64_t track, int64_t time_ns)
{
	put_number(&m->event, EVENT_TYPE, type);
	put_number(&m->event, EVENT_TRACK, track);
	put_number(&m->packet, PACKET_TIME, time_ns);
	put_number(&m->packet, PACKET_SEQUENCE, sequence);
	put_message(&m->packet, PACKET_EVENT, &m->event);
	put_message(&m->file, 1, &m->packet);
}

struct seen {
	struct arena *arena;
	struct issue_list issues;
	struct error err;
	int status;
	size_t phase[128]; /* events by phase */
	struct text last;  /* of the phase that is kept */
	char keep;
};

static int on_event(void *context, const struct trace_event *event, struct error *err)
{
	struct seen *s = context;

	(void)err;
	s->phase[(unsigned char)event->phase & 127]++;
	if (event->phase == s->keep) {
		const struct json_value text = trace_event_text(event);

		text_clear(&s->last);
		text_add_bytes(&s->last, text.at, text.size);
	}
	return 0;
}

/* A snapshot of two clocks at one moment. */
static void add_clocks(struct made *m, int64_t id, int64_t time, int64_t other, int64_t other_time)
{
	struct text clock;

	text_init(&clock);
	put_number(&clock, 1, id);
	put_number(&clock, 2, time);
	put_message(&m->event, 1, &clock);
	put_number(&clock, 1, other);
	put_number(&clock, 2, other_time);
	put_message(&m->event, 1, &clock);
	text_release(&clock);
	put_message(&m->packet, PACKET_CLOCKS, &m->event);
	put_message(&m->file, 1, &m->packet);
}

/* A description of a track. */
static void add_track(struct made *m, int64_t track, int64_t parent, const char *name)
{
	put_number(&m->event, 1, track);
	put_number(&m->event, 5, parent);
	put_string(&m->event, 2, name);
	put_message(&m->packet, PACKET_TRACK, &m->event);
	put_message(&m->file, 1, &m->packet);
}

static void read_made(struct made *m, struct seen *s, char keep)
{
	const struct trace_handler handler = {
		.event = on_event, .context = s, .max_spill_bytes = 1 << 20};
	struct input *in = input_memory(text_string(&m->file), m->file.size, "made");
	struct trace_totals totals;

	*s = (struct seen){.arena = arena_new(), .keep = keep};
	text_init(&s->last);
	issue_list_init(&s->issues, s->arena);
	s->status = trace_scan(in, &handler, &s->issues, 1 << 26, &totals, &s->err);
	input_close(in);
	text_release(&m->file);
	text_release(&m->event);
	text_release(&m->packet);
}

static size_t count_of(const struct seen *s, const char *code)
{
	const struct issue *issue = issue_list_find(&s->issues, code);

	return issue ? issue->count : 0;
}

static void forget(struct seen *s)
{
	arena_free(s->arena);
	text_release(&s->last);
}

/* Of each number the list was walked from the start, twice: hours for these. */
TEST(many_arrows)
{
	struct made m;
	struct seen s;
	struct text ids;

	start(&m);
	text_init(&ids);
	for (size_t i = 0; i < 300000; i++)
		put_varint(&ids, 1 + i % 100);
	put_message(&m.event, EVENT_FLOWS_OLD, &ids);
	text_release(&ids);
	add(&m, TYPE_INSTANT, 1, 5, 1000);
	read_made(&m, &s, 't');
	assert_int_equal(s.status, 0);
	assert_int_equal(s.phase['s'], 100);
	assert_int_equal(s.phase['t'], 300000 - 100);
	assert_non_null(strstr(text_string(&s.last), "\"id\": 100"));
	forget(&s);
}

/* From the least time to the greatest: no duration has so many bits. */
TEST(too_long)
{
	struct made m;
	struct seen s;

	start(&m);
	add_clocks(&m, 6, 0, 3, INT64_MAX);
	add(&m, TYPE_BEGIN, 1, 5, 1000);
	add(&m, TYPE_END, 1, 5, 2000);
	for (int type = TYPE_BEGIN; type <= TYPE_END; type++) {
		put_number(&m.packet, PACKET_CLOCK, type == TYPE_BEGIN ? 3 : 6);
		add(&m, type, 1, 5, type == TYPE_BEGIN ? 0 : INT64_MAX);
	}
	read_made(&m, &s, 'X');
	assert_int_equal(s.status, 0);
	assert_int_equal(s.phase['X'], 1);
	assert_int_equal(count_of(&s, "perfetto-time"), 1);
	forget(&s);
}

/* Each of a chain of tracks has the names of those around it in its lane. */
static void nest_tracks(struct made *m, size_t count, size_t name_bytes)
{
	struct text name;

	text_init(&name);
	for (size_t i = 0; i < name_bytes; i++)
		text_add_char(&name, 'n');
	for (size_t i = 0; i < count; i++)
		add_track(m, (int64_t)(100 + i), i ? (int64_t)(99 + i) : 0, text_string(&name));
	for (size_t i = 0; i < count; i++)
		add(m, TYPE_INSTANT, 1, (int64_t)(100 + i), 1000);
	text_release(&name);
}

TEST(nested_tracks)
{
	struct made m;
	struct seen s;

	start(&m);
	nest_tracks(&m, 4, 3);
	read_made(&m, &s, 'i');
	assert_non_null(strstr(text_string(&s.last), "\"pid\": \"nnn\", \"tid\": \"nnn/nnn/nnn\""));
	forget(&s);
	/* What makes a lane's name too long is left out; the tracks stay lanes of their own. */
	start(&m);
	nest_tracks(&m, 4, 2000);
	read_made(&m, &s, 'M');
	assert_int_equal(s.phase['M'], 4);
	forget(&s);
	start(&m);
	nest_tracks(&m, 4, 2000);
	read_made(&m, &s, 'i');
	assert_non_null(strstr(text_string(&s.last), "\"tid\": \".../nnn"));
	assert_in_range(s.last.size, 4000, 6300);
	forget(&s);
}

/* Lanes of 4 KiB each: 256 MiB are enough. */
TEST(too_many_lanes)
{
	struct made m;
	struct seen s;

	start(&m);
	nest_tracks(&m, 1000, 62);
	read_made(&m, &s, 'i');
	assert_int_equal(s.status, 0);
	forget(&s);
	start(&m);
	nest_tracks(&m, 70000, 62);
	read_made(&m, &s, 'i');
	assert_int_equal(s.status, -1);
	assert_int_equal(s.err.kind, ERROR_LIMIT);
	assert_non_null(strstr(s.err.message, "256 MiB"));
	forget(&s);
}

/* 2^20 arrows are known by their beginnings. */
TEST(more_arrows_than_are_known)
{
	struct made m;
	struct seen s;
	struct text ids;

	start(&m);
	text_init(&ids);
	for (uint64_t i = 0; i < (1 << 20) + 3; i++)
		put_varint(&ids, 1 + i);
	put_varint(&ids, 7);
	put_message(&m.event, EVENT_FLOWS_OLD, &ids);
	text_release(&ids);
	add(&m, TYPE_INSTANT, 1, 5, 1000);
	read_made(&m, &s, 'i');
	assert_int_equal(s.status, 0);
	assert_int_equal(s.phase['s'], 1 << 20);
	assert_int_equal(s.phase['t'], 4);
	assert_int_equal(count_of(&s, "perfetto-arrows"), 3);
	forget(&s);
}

/* A value of an old writer: two lists of keys and of values. A value has a number in it. */
static void put_nested(struct text *to, size_t keys, size_t values, bool has_items)
{
	struct text value;
	char key[24];

	text_init(&value);
	for (size_t i = 0; i < keys; i++) {
		snprintf(key, sizeof(key), "k%zu", i);
		put_string(to, 2, key);
	}
	for (size_t i = 0; i < values; i++) {
		put_number(&value, 5, (int64_t)i);
		put_message(to, 3, &value);
		put_number(&value, 5, -1);
		if (has_items)
			put_message(to, 4, &value);
		text_clear(&value);
	}
	text_release(&value);
}

static void read_nested(struct seen *s, size_t keys, size_t values, bool has_items)
{
	struct made m;
	struct text nested;

	start(&m);
	text_init(&nested);
	put_nested(&nested, keys, values, has_items);
	put_string(&m.packet, 10, "old");
	put_message(&m.packet, 8, &nested);
	put_message(&m.event, EVENT_ANNOTATIONS, &m.packet);
	text_release(&nested);
	add(&m, TYPE_INSTANT, 1, 5, 1000);
	read_made(&m, s, 'i');
	assert_int_equal(s->status, 0);
}

TEST(nested_values)
{
	struct seen s;

	read_nested(&s, 2, 3, false);
	assert_non_null(strstr(text_string(&s.last), "{\"old\": {\"k0\": 0, \"k1\": 1, \"\": 2}}"));
	forget(&s);
	/* All of them; they were 1024 at most, and each key was looked for from the first. */
	read_nested(&s, 200000, 200000, false);
	assert_non_null(strstr(text_string(&s.last), ", \"k1024\": 1024, "));
	assert_non_null(strstr(text_string(&s.last), ", \"k199999\": 199999}}"));
	forget(&s);
	/* An object or an array, as the first of them says. */
	read_nested(&s, 2, 2, true);
	assert_non_null(strstr(text_string(&s.last), "{\"old\": {\"k0\": 0, \"k1\": 1}}"));
	forget(&s);
}

TEST(more_args_than_are_read)
{
	struct made m;
	struct seen s;

	for (size_t count = 65536; count <= 65537; count++) {
		start(&m);
		for (size_t i = 0; i < count; i++) {
			put_string(&m.packet, 10, "k");
			put_number(&m.packet, 4, 1);
			put_message(&m.event, EVENT_ANNOTATIONS, &m.packet);
		}
		add(&m, TYPE_INSTANT, 1, 5, 1000);
		read_made(&m, &s, 'i');
		assert_int_equal(s.status, 0);
		assert_int_equal(s.phase['i'], 1);
		assert_int_equal(count_of(&s, "perfetto-args"), count - 65536);
		forget(&s);
	}
}

/* Arrays inside of each other, 31 and one more. */
TEST(deep_args)
{
	struct made m;
	struct seen s;
	struct text inner, outer;

	for (size_t depth = 31; depth <= 32; depth++) {
		start(&m);
		text_init(&inner);
		text_init(&outer);
		put_number(&inner, 5, 1);
		for (size_t i = 0; i < depth; i++) {
			put_message(&outer, 4, &inner);
			text_add_bytes(&inner, text_string(&outer), outer.size);
			text_clear(&outer);
		}
		put_message(&m.packet, 8, &inner);
		put_message(&m.event, EVENT_ANNOTATIONS, &m.packet);
		text_release(&inner);
		text_release(&outer);
		add(&m, TYPE_INSTANT, 1, 5, 1000);
		read_made(&m, &s, 'i');
		assert_int_equal(count_of(&s, "perfetto-args"), depth - 31);
		assert_non_null(strstr(text_string(&s.last), depth == 31 ? "[[1]]" : "[[null]]"));
		forget(&s);
	}
}

/* Old writers say in packets of their own whose sequence it is, and what its process is called. */
TEST(processes_of_old_writers)
{
	struct made m;
	struct seen s;

	start(&m);
	put_number(&m.event, 1, 70);
	put_string(&m.event, 6, "trainer");
	put_number(&m.packet, PACKET_SEQUENCE, 1);
	put_message(&m.packet, PACKET_PROCESS, &m.event);
	put_message(&m.file, 1, &m.packet);
	read_made(&m, &s, 'M');
	assert_int_equal(s.status, 0);
	assert_int_equal(s.phase['M'], 1);
	assert_non_null(strstr(text_string(&s.last), "\"name\": \"process_name\""));
	assert_non_null(strstr(text_string(&s.last), "\"pid\": 70"));
	assert_non_null(strstr(text_string(&s.last), "\"trainer\""));
	forget(&s);
	/* The thread of the sequence is not the process. */
	start(&m);
	put_number(&m.event, 1, 70);
	put_string(&m.event, 6, "trainer");
	put_number(&m.packet, PACKET_SEQUENCE, 1);
	put_message(&m.packet, PACKET_PROCESS, &m.event);
	put_message(&m.file, 1, &m.packet);
	put_number(&m.event, 1, 70);
	put_number(&m.event, 2, 71);
	put_string(&m.event, 5, "loop");
	put_number(&m.packet, PACKET_SEQUENCE, 1);
	put_message(&m.packet, PACKET_THREAD, &m.event);
	put_message(&m.file, 1, &m.packet);
	put_number(&m.event, EVENT_TYPE, TYPE_INSTANT);
	put_number(&m.packet, PACKET_TIME, 1000);
	put_number(&m.packet, PACKET_SEQUENCE, 1);
	put_message(&m.packet, PACKET_EVENT, &m.event);
	put_message(&m.file, 1, &m.packet);
	read_made(&m, &s, 'i');
	assert_int_equal(s.phase['M'], 2);
	assert_non_null(strstr(text_string(&s.last), "\"pid\": 70, \"tid\": 71"));
	forget(&s);
}
