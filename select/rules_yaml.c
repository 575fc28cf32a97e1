/*
 * Rules from a YAML file: select, rename and types are read event by event, so that every complaint
 * has its line and column; report and gate are for others and only walked over.
 */
#include "select/rules.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"

#define FILE_MOST (1024 * 1024) /* bytes */
#define DEPTH_MOST 32		/* ours is 4; the rest is for report and gate */
#define PLACE_SIZE 512		/* as in struct error */
#define SHOWN_WIDTH 60
#define KEYS_MOST 16

#define QUOTES_HINT "patterns stand best in single quotes, '^a\\.b$'; a quote in one is doubled"

struct yaml_reader {
	yaml_parser_t parser;
	yaml_event_t event; /* the current one; each reader below ends on the last of its node */
	int depth;
	struct rules *rules;
	const struct rules_settings *settings; /* NULL: `report` is only walked over */
	const char *file, *bytes;
	size_t size;
	struct arena *arena;
	struct intern *types; /* to find a type, class or setting that is given twice */
	struct error *err;
};

struct key {
	const char *name;
	int (*read)(struct yaml_reader *reader);
};

static void place_at(const struct yaml_reader *reader, yaml_mark_t mark, char *out)
{
	char position[64];
	size_t room = PLACE_SIZE - sizeof(position);

	/* The position is worth more than the end of a long path. */
	snprintf(out, room, "%s", reader->file);
	if (strlen(reader->file) >= room)
		memcpy(out + room - 4, "...", 4);
	snprintf(position, sizeof(position), ":%zu:%zu", mark.line + 1, mark.column + 1);
	memcpy(out + strlen(out), position, strlen(position) + 1);
}

static int __attribute__((format(printf, 3, 4)))
fail_at(struct yaml_reader *reader, yaml_mark_t mark, const char *format, ...)
{
	char place[PLACE_SIZE];
	struct text message;
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	text_init(&message);
	text_add_visible(&message, line);
	place_at(reader, mark, place);
	error_set(reader->err, ERROR_USAGE, place, "%s", text_string(&message));
	text_release(&message);
	return -1;
}

#define FAIL(reader, ...) fail_at(reader, (reader)->event.start_mark, __VA_ARGS__)

/* Line and column of a byte, for what happens before libyaml sees characters. */
static yaml_mark_t mark_of_offset(const struct yaml_reader *reader, size_t offset)
{
	yaml_mark_t mark = {.index = offset};

	for (size_t i = 0; i < offset && i < reader->size; i++) {
		if (reader->bytes[i] == '\n') {
			mark.line++;
			mark.column = 0;
		} else if ((reader->bytes[i] & 0xc0) != 0x80) {
			mark.column++;
		}
	}
	return mark;
}

static bool tab_begins(const struct yaml_reader *reader, size_t line)
{
	const char *s = reader->bytes, *end = s + reader->size;

	for (; line > 0 && s < end; line--) {
		const char *next = memchr(s, '\n', (size_t)(end - s));

		s = next ? next + 1 : end;
	}
	while (s < end && *s == ' ')
		s++;
	return s < end && *s == '\t';
}

static int fail_syntax(struct yaml_reader *reader)
{
	const yaml_parser_t *parser = &reader->parser;
	const char *problem = parser->problem ? parser->problem : "cannot be read";

	if (parser->error == YAML_MEMORY_ERROR)
		return error_set(reader->err, ERROR_LIMIT, reader->file, "out of memory");
	if (parser->error == YAML_READER_ERROR)
		return fail_at(reader, mark_of_offset(reader, parser->problem_offset),
			"not valid YAML: %s", problem);
	if (parser->context)
		fail_at(reader, parser->problem_mark,
			"not valid YAML: %s, %s that began at line %zu, column %zu", problem,
			parser->context, parser->context_mark.line + 1,
			parser->context_mark.column + 1);
	else
		fail_at(reader, parser->problem_mark, "not valid YAML: %s", problem);
	if (tab_begins(reader, parser->problem_mark.line))
		return error_hint(reader->err, "YAML wants blanks at the start of a line, no tabs");
	return error_hint(reader->err, QUOTES_HINT);
}

static bool is_nothing(const yaml_event_t *event)
{
	return event->type == YAML_SCALAR_EVENT && event->data.scalar.length == 0 &&
	       event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* A string of the current scalar; no 0 byte is in it, next_event has seen to that. */
static const char *scalar(const struct yaml_reader *reader)
{
	return (const char *)reader->event.data.scalar.value;
}

/* What stands here, for "found ..."; kept until the reader ends. */
static const char *found(struct yaml_reader *reader)
{
	struct text visible, t;

	if (reader->event.type == YAML_SEQUENCE_START_EVENT)
		return "a list";
	if (reader->event.type == YAML_MAPPING_START_EVENT)
		return "a mapping";
	if (is_nothing(&reader->event) || reader->event.type != YAML_SCALAR_EVENT)
		return "nothing";
	text_init(&visible);
	text_init(&t);
	text_add_visible(&visible, scalar(reader));
	text_add_char(&t, '"');
	text_add_shortened(&t, text_string(&visible), SHOWN_WIDTH);
	text_add_char(&t, '"');
	const char *copy = arena_strdup(reader->arena, text_string(&t));

	text_release(&t);
	text_release(&visible);
	return copy;
}

/* Anchors, aliases and tags: nothing needs them, and mostly they are patterns without quotes. */
static int check_decoration(
	struct yaml_reader *reader, char sign, const yaml_char_t *anchor, const yaml_char_t *tag)
{
	if (anchor) {
		FAIL(reader,
			"found %s \"%c%.60s\", expected a value: anchors and aliases are not "
			"supported",
			sign == '*' ? "alias" : "anchor", sign, (const char *)anchor);
		return error_hint(reader->err, QUOTES_HINT);
	}
	if (tag) {
		FAIL(reader, "found tag \"%.60s\", expected a value: tags are not supported",
			(const char *)tag);
		return error_hint(reader->err, QUOTES_HINT);
	}
	return 0;
}

static int check_event(struct yaml_reader *reader)
{
	const yaml_event_t *event = &reader->event;
	const yaml_char_t *anchor = NULL, *tag = NULL;
	char sign = '&';

	if (event->type == YAML_ALIAS_EVENT) {
		anchor = event->data.alias.anchor;
		sign = '*';
	} else if (event->type == YAML_SCALAR_EVENT) {
		if (memchr(event->data.scalar.value, 0, event->data.scalar.length))
			return FAIL(reader, "found a 0 byte in a text, expected none");
		anchor = event->data.scalar.anchor;
		tag = event->data.scalar.tag;
	} else if (event->type == YAML_SEQUENCE_START_EVENT) {
		anchor = event->data.sequence_start.anchor;
		tag = event->data.sequence_start.tag;
		reader->depth++;
	} else if (event->type == YAML_MAPPING_START_EVENT) {
		anchor = event->data.mapping_start.anchor;
		tag = event->data.mapping_start.tag;
		reader->depth++;
	} else if (event->type == YAML_SEQUENCE_END_EVENT ||
		   event->type == YAML_MAPPING_END_EVENT) {
		reader->depth--;
	}
	if (reader->depth > DEPTH_MOST)
		return FAIL(reader, "lists and mappings are nested more than %d deep", DEPTH_MOST);
	return check_decoration(reader, sign, anchor, tag);
}

static int next_event(struct yaml_reader *reader)
{
	yaml_event_delete(&reader->event);
	if (!yaml_parser_parse(&reader->parser, &reader->event))
		return fail_syntax(reader);
	return check_event(reader);
}

static int read_anything(struct yaml_reader *reader)
{
	if (reader->event.type == YAML_SCALAR_EVENT)
		return 0;
	int outside = reader->depth - 1;

	while (reader->depth > outside)
		if (next_event(reader))
			return -1;
	return 0;
}

static int add_rule(
	struct yaml_reader *reader, enum rule_kind kind, const char *type, const char *expected)
{
	char place[PLACE_SIZE];

	if (reader->event.type != YAML_SCALAR_EVENT || is_nothing(&reader->event))
		return FAIL(reader, "found %s in a list, expected %s", found(reader), expected);
	place_at(reader, reader->event.start_mark, place);
	return rules_add(reader->rules, kind, scalar(reader), type, place, reader->err);
}

/* One text or a list of them; a key without a value, as commenting out leaves it, has none. */
static int read_rules(struct yaml_reader *reader, enum rule_kind kind, const char *type)
{
	const char *expected = kind == RULE_RENAME ? "'s/REGEX/TEXT/FLAGS'" : "a pattern";

	if (is_nothing(&reader->event))
		return 0;
	if (reader->event.type == YAML_SCALAR_EVENT)
		return add_rule(reader, kind, type, expected);
	if (reader->event.type != YAML_SEQUENCE_START_EVENT)
		return FAIL(
			reader, "found %s, expected %s or a list of them", found(reader), expected);
	for (;;) {
		if (next_event(reader))
			return -1;
		if (reader->event.type == YAML_SEQUENCE_END_EVENT)
			return 0;
		if (add_rule(reader, kind, type, expected))
			return -1;
	}
}

static int read_include(struct yaml_reader *reader)
{
	return read_rules(reader, RULE_INCLUDE, NULL);
}

static int read_exclude(struct yaml_reader *reader)
{
	return read_rules(reader, RULE_EXCLUDE, NULL);
}

static int read_rename(struct yaml_reader *reader)
{
	return read_rules(reader, RULE_RENAME, NULL);
}

static int read_match(struct yaml_reader *reader)
{
	static const char *const words[] = {"full", "anywhere"};
	bool is_text = reader->event.type == YAML_SCALAR_EVENT;

	for (size_t i = 0; i < 2; i++)
		if (is_text && text_equal(scalar(reader), words[i])) {
			rules_set_full_match(reader->rules, i == 0);
			return 0;
		}
	FAIL(reader, "found %s as match, expected full or anywhere", found(reader));
	int near = is_text ? text_nearest(scalar(reader), words, 2) : -1;

	return near < 0 ? -1 : error_hint(reader->err, "did you mean \"%s\"?", words[near]);
}

static int read_named(struct yaml_reader *reader, enum rule_kind kind, const char *noun)
{
	if (is_nothing(&reader->event))
		return 0;
	if (reader->event.type != YAML_MAPPING_START_EVENT)
		return FAIL(reader, "found %s, expected a mapping of %s to patterns", found(reader),
			kind == RULE_TYPE ? "types" : "classes");
	for (;;) {
		if (next_event(reader))
			return -1;
		if (reader->event.type == YAML_MAPPING_END_EVENT)
			return 0;
		if (reader->event.type != YAML_SCALAR_EVENT || !scalar(reader)[0])
			return FAIL(reader, "found %s as a key of %s, expected the name of a %s",
				reader->event.type == YAML_SCALAR_EVENT ? "nothing" : found(reader),
				kind == RULE_TYPE ? "types" : "classes", noun);
		size_t before = intern_count(reader->types);
		const char *type = arena_strdup(reader->arena, scalar(reader));

		const char *key = arena_printf(reader->arena, "%s %s", noun, type);

		intern_id(reader->types, key, strlen(key));
		if (intern_count(reader->types) == before)
			return FAIL(reader,
				"found %s %s a second time, expected it once with a list "
				"of patterns",
				noun, found(reader));
		if (next_event(reader) || read_rules(reader, kind, type))
			return -1;
	}
}

static int read_types(struct yaml_reader *reader)
{
	return read_named(reader, RULE_TYPE, "type");
}

static int read_classes(struct yaml_reader *reader)
{
	return read_named(reader, RULE_CLASS, "class");
}

/* The value of a setting: a text, or a list of texts joined by commas. */
static int read_value(struct yaml_reader *reader, struct text *value)
{
	if (reader->event.type == YAML_SCALAR_EVENT) {
		text_add(value, scalar(reader));
		return 0;
	}
	if (reader->event.type != YAML_SEQUENCE_START_EVENT)
		return FAIL(
			reader, "found %s, expected a value or a list of values", found(reader));
	for (;;) {
		if (next_event(reader))
			return -1;
		if (reader->event.type == YAML_SEQUENCE_END_EVENT)
			return 0;
		if (reader->event.type != YAML_SCALAR_EVENT)
			return FAIL(reader, "found %s in a list, expected a value", found(reader));
		text_printf(value, "%s%s", value->size ? "," : "", scalar(reader));
	}
}

static int read_setting(struct yaml_reader *reader)
{
	char place[PLACE_SIZE];
	const char *key;
	struct text value;
	int status;

	if (reader->event.type != YAML_SCALAR_EVENT)
		return FAIL(reader, "found %s as a key of report, expected the name of an option",
			found(reader));
	key = arena_printf(reader->arena, "setting %s", scalar(reader));
	if (intern_find(reader->types, key, strlen(key), &(uint32_t){0}))
		return FAIL(
			reader, "found setting %s a second time, expected it once", found(reader));
	intern_id(reader->types, key, strlen(key));
	key = arena_strdup(reader->arena, scalar(reader));
	place_at(reader, reader->event.start_mark, place);
	if (next_event(reader))
		return -1;
	text_init(&value);
	status = read_value(reader, &value);
	if (!status)
		status = reader->settings->apply(
			reader->settings->context, key, text_string(&value), place, reader->err);
	text_release(&value);
	return status;
}

static int read_report(struct yaml_reader *reader)
{
	if (!reader->settings)
		return read_anything(reader);
	if (is_nothing(&reader->event))
		return 0;
	if (reader->event.type != YAML_MAPPING_START_EVENT)
		return FAIL(
			reader, "found %s, expected a mapping of options to values", found(reader));
	for (;;) {
		if (next_event(reader))
			return -1;
		if (reader->event.type == YAML_MAPPING_END_EVENT)
			return 0;
		if (read_setting(reader))
			return -1;
	}
}

static int read_select(struct yaml_reader *reader);

static const struct key top_keys[] = {
	{"select", read_select},
	{"rename", read_rename},
	{"types", read_types},
	{"classes", read_classes},
	{"report", read_report},
	{"gate", read_anything},
};
static const struct key select_keys[] = {
	{"include", read_include},
	{"exclude", read_exclude},
	{"match", read_match},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int find_key(const struct key *keys, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (text_equal(keys[i].name, name))
			return (int)i;
	return -1;
}

static int fail_key(struct yaml_reader *reader, const struct key *keys, size_t count)
{
	const char *words[KEYS_MOST];
	struct text list;

	text_init(&list);
	for (size_t i = 0; i < count; i++) {
		words[i] = keys[i].name;
		text_printf(&list, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", words[i]);
	}
	FAIL(reader, "found %s as a key%s, expected %s", found(reader),
		keys == select_keys ? " of select" : "", text_string(&list));
	text_release(&list);
	if (reader->event.type != YAML_SCALAR_EVENT)
		return -1;
	if (keys == top_keys && find_key(select_keys, COUNT(select_keys), scalar(reader)) >= 0)
		return error_hint(reader->err, "\"%s\" belongs under \"select\"", scalar(reader));
	if (keys == select_keys && find_key(top_keys, COUNT(top_keys), scalar(reader)) >= 0)
		return error_hint(
			reader->err, "\"%s\" belongs outside of \"select\"", scalar(reader));
	int near = text_nearest(scalar(reader), words, count);

	return near < 0 ? -1 : error_hint(reader->err, "did you mean \"%s\"?", words[near]);
}

/* From the start to the end of a mapping whose keys are known. */
static int read_keys(struct yaml_reader *reader, const struct key *keys, size_t count)
{
	size_t lines[KEYS_MOST] = {0};

	for (;;) {
		if (next_event(reader))
			return -1;
		if (reader->event.type == YAML_MAPPING_END_EVENT)
			return 0;
		int index = reader->event.type == YAML_SCALAR_EVENT
				    ? find_key(keys, count, scalar(reader))
				    : -1;

		if (index < 0)
			return fail_key(reader, keys, count);
		if (lines[index])
			return FAIL(reader,
				"found %s a second time, expected it once (first at line %zu)",
				found(reader), lines[index]);
		lines[index] = reader->event.start_mark.line + 1;
		if (next_event(reader) || keys[index].read(reader))
			return -1;
	}
}

static int read_select(struct yaml_reader *reader)
{
	if (is_nothing(&reader->event))
		return 0;
	if (reader->event.type != YAML_MAPPING_START_EVENT)
		return FAIL(reader, "found %s, expected a mapping with include, exclude or match",
			found(reader));
	return read_keys(reader, select_keys, COUNT(select_keys));
}

static int read_stream(struct yaml_reader *reader)
{
	if (next_event(reader) || next_event(reader))
		return -1;
	if (reader->event.type == YAML_STREAM_END_EVENT)
		return 0;
	if (next_event(reader))
		return -1;
	if (reader->event.type == YAML_MAPPING_START_EVENT) {
		if (read_keys(reader, top_keys, COUNT(top_keys)))
			return -1;
	} else if (!is_nothing(&reader->event)) {
		return FAIL(reader,
			"found %s, expected a mapping with select, rename, types, classes, report "
			"or gate",
			found(reader));
	}
	if (next_event(reader) || next_event(reader))
		return -1;
	if (reader->event.type != YAML_STREAM_END_EVENT)
		return FAIL(reader, "found a second document, expected one");
	return 0;
}

static int read_bytes(struct rules *rules, const void *bytes, size_t size, const char *place,
	const struct rules_settings *settings, struct error *err)
{
	struct yaml_reader reader = {.rules = rules,
		.settings = settings,
		.file = place,
		.bytes = bytes,
		.size = size,
		.err = err};
	const char *zero = size ? memchr(bytes, 0, size) : NULL;

	if (size > FILE_MOST)
		return error_set(err, ERROR_USAGE, place,
			"has more than %d bytes, expected a file of rules", FILE_MOST);
	if (zero)
		return fail_at(&reader, mark_of_offset(&reader, (size_t)(zero - reader.bytes)),
			"found a 0 byte, expected YAML in UTF-8");
	if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
		reader.bytes += 3; /* libyaml knows the mark only when it may guess the encoding */
		reader.size -= 3;
	}
	if (!yaml_parser_initialize(&reader.parser))
		return error_set(err, ERROR_LIMIT, place, "out of memory");
	yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
		&reader.parser, (const unsigned char *)reader.bytes, reader.size);
	reader.arena = arena_new();
	reader.types = intern_new(reader.arena);
	int result = read_stream(&reader);

	yaml_event_delete(&reader.event);
	yaml_parser_delete(&reader.parser);
	arena_free(reader.arena);
	return result;
}

int rules_read_memory(
	struct rules *rules, const void *bytes, size_t size, const char *place, struct error *err)
{
	return read_bytes(rules, bytes, size, place, NULL, err);
}

int rules_read_file(struct rules *rules, const char *path, struct error *err)
{
	return rules_read_config(rules, path, NULL, err);
}

int rules_read_config(struct rules *rules, const char *path, const struct rules_settings *settings,
	struct error *err)
{
	FILE *file = fopen(path, "rb");

	if (!file)
		return error_set(
			err, ERROR_USAGE, path, "cannot open the rules file: %s", strerror(errno));
	char *bytes = memory_alloc(FILE_MOST + 1);
	size_t size = fread(bytes, 1, FILE_MOST + 1, file);
	int problem = ferror(file) ? errno : 0, result;

	if (fclose(file) && !problem)
		problem = errno;
	if (problem)
		result = error_set(err, ERROR_USAGE, path, "cannot read the rules file: %s",
			strerror(problem));
	else
		result = read_bytes(rules, bytes, size, path, settings, err);
	memory_free(bytes);
	return result;
}
