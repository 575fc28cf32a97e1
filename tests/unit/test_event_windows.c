/* XPlane files of several windows a line, read by several threads: events longer than a window,
 * fields between the events of a line, stats that look like events, damage anywhere. */
#include "base/output/protobuf_writer.h"
#include "ingest/xplane/xspace.h"
#include "tests/unit/test.h"
#include "tests/unit/threads_agree.h"

#define IDS 40
#define EVENTS 20000 /* of a line: 1 MB */
#define EVENT_NS 10

/* An entry of a table of ids. */
static void add_name(struct text *plane, uint32_t field, uint64_t id, const char *name)
{
	struct text entry, message;

	text_init(&entry);
	text_init(&message);
	protobuf_add_number(&message, 1, id);
	protobuf_add_string(&message, 2, name);
	protobuf_add_number(&entry, 1, id);
	protobuf_add_message(&entry, 2, &message);
	protobuf_add_message(plane, field, &entry);
	text_release(&entry);
	text_release(&message);
}

static void add_number_stat(struct text *event, uint64_t id, uint32_t field, uint64_t value)
{
	struct text stat;

	text_init(&stat);
	protobuf_add_number(&stat, STAT_METADATA_ID, id);
	protobuf_add_number(&stat, field, value);
	protobuf_add_message(event, XEVENT_STAT, &stat);
	text_release(&stat);
}

/* A text that looks like events and stats. */
static void add_text_stat(struct text *event, size_t size)
{
	struct text stat, value;

	text_init(&stat);
	text_init(&value);
	while (value.size < size)
		text_add_bytes(&value, "\x22\x08\x08\x01\x10\x02\x22\x02\x08\x05", 10);
	protobuf_add_number(&stat, STAT_METADATA_ID, 1);
	protobuf_add_bytes(&stat, STAT_TEXT, value.data, value.size);
	protobuf_add_message(event, XEVENT_STAT, &stat);
	text_release(&value);
	text_release(&stat);
}

static void add_event(struct text *line, uint64_t id, size_t i, size_t text_bytes)
{
	struct text event;

	text_init(&event);
	protobuf_add_number(&event, XEVENT_ID, i % 997 == 5 ? 5000 : 1 + i * i % IDS);
	if (i % 501 == 3)
		protobuf_add_number(&event, XEVENT_OCCURRENCES, 7);
	else
		protobuf_add_number(&event, XEVENT_OFFSET, i * EVENT_NS * 1000);
	protobuf_add_number(&event, XEVENT_DURATION, EVENT_NS * 900);
	add_number_stat(&event, 2, i % 3 ? STAT_UNSIGNED : STAT_SIGNED, id * EVENTS + i);
	add_number_stat(&event, 3, STAT_REFERENCE, 4 + i % 3);
	add_number_stat(&event, 7, STAT_SIGNED, 1 + i % 2);
	add_number_stat(&event, 8, STAT_UNSIGNED, i / 2);
	if (text_bytes && i % 1000 == 100)
		add_text_stat(&event, i % 3000 == 100 ? text_bytes : 9000);
	protobuf_add_message(line, LINE_EVENT, &event);
	text_release(&event);
}

static void add_line(
	struct text *plane, uint64_t id, const char *name, const char *shown, size_t text_bytes)
{
	struct text line;

	text_init(&line);
	protobuf_add_number(&line, LINE_ID, id);
	protobuf_add_string(&line, LINE_NAME, name);
	protobuf_add_number(&line, LINE_TIMESTAMP, 1000000);
	for (size_t i = 0; i < EVENTS; i++) {
		add_event(&line, id, i, text_bytes);
		if (i % 777 == 6)
			protobuf_add_string(&line, LINE_DISPLAY_NAME, shown);
	}
	protobuf_add_number(&line, LINE_DURATION, 1);
	protobuf_add_message(plane, PLANE_LINE, &line);
	text_release(&line);
}

static void add_plane(struct text *file, const char *name, const char *line, size_t text_bytes)
{
	static const char *const stat[] = {
		"note", "correlation_id", "hlo_op", "dot.1", "fusion.2", "add.3", "_pt", "_p"};
	struct text plane;
	char text[32];

	text_init(&plane);
	protobuf_add_string(&plane, PLANE_NAME, name);
	for (uint64_t i = 0; i < 3; i++)
		add_line(&plane, 1 + i, line, i ? line : "Stream #2(shown)", text_bytes);
	for (uint64_t i = 0; i < sizeof(stat) / sizeof(stat[0]); i++)
		add_name(&plane, PLANE_STAT_METADATA, 1 + i, stat[i]);
	for (uint64_t i = 0; i < IDS; i++) {
		snprintf(text, sizeof(text), "op%d", (int)i);
		add_name(&plane, PLANE_EVENT_METADATA, 1 + i, text);
	}
	protobuf_add_message(file, SPACE_PLANE, &plane);
	text_release(&plane);
}

static void make_file(struct text *file, size_t text_bytes)
{
	text_init(file);
	add_plane(file, "/host:CPU", "python", text_bytes);
	add_plane(file, "/device:GPU:0", "Stream #1(Kernel)", text_bytes);
}

static struct read_options options(void)
{
	struct read_options opt = read_options_default;

	opt.max_record_bytes = 1 << 20;
	return opt;
}

TEST(events_and_sums)
{
	const struct read_options opt = options();
	size_t lines = 0, wanted = 0;
	struct text file, found;

	make_file(&file, 400000);
	threads_agree("xplane", &file, &opt, &found);
	for (const char *at = text_string(&found); *at; at++)
		lines += *at == '\n';
	for (size_t i = 0; i < EVENTS; i++)
		wanted += i % 997 != 5 && i % 501 != 3;
	assert_true(lines > 6 * wanted);
	assert_true(lines < 6 * wanted + 1000);
	assert_non_null(strstr(text_string(&found), "issue xplane-unnamed: 126,"));    /* 6 x 21 */
	assert_non_null(strstr(text_string(&found), "issue xplane-aggregated: 240,")); /* 6 x 40 */
	assert_non_null(strstr(text_string(&found), "|Stream #2(shown)|"));
	text_release(&found);
	text_release(&file);
}

/* Damage, and a file that is cut: the error, and where it is. */
TEST(damage)
{
	const struct read_options opt = options();
	struct text file, found;

	for (size_t i = 1; i < 8; i++) {
		make_file(&file, 0);
		if (i % 4 == 0)
			file.size = file.size / 8 * i;
		else
			memset(file.data + file.size / 8 * i, 0xff, 12);
		threads_agree("xplane", &file, &opt, &found);
		assert_true(strncmp(text_string(&found), "error a file:byte ", 18) == 0);
		text_release(&found);
		text_release(&file);
	}
}

/* An event that is longer than max-record is too long wherever it is. */
TEST(long_event)
{
	struct read_options opt = options();
	struct text file, found;

	opt.max_record_bytes = 100000;
	make_file(&file, 400000);
	threads_agree("xplane", &file, &opt, &found);
	assert_non_null(
		strstr(text_string(&found), "bytes for an event, at most 100000 are allowed"));
	text_release(&found);
	text_release(&file);
}
