/* The mechanics of reading YAML: events, places, what was found, and mappings with known keys. */
#include "analysis/select/yaml_reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"

#define DEPTH_MOST 32 /* ours is 6; the rest is for what is only walked over */
#define SHOWN_WIDTH 60

#define QUOTES_HINT "patterns are best in single quotes, '^a\\.b$'; a quote in one is doubled"

void yaml_place(const struct yaml_reader *reader, yaml_mark_t mark, char *out)
{
	char position[64];
	size_t room = YAML_PLACE_SIZE - sizeof(position);

	/* The position is worth more than the end of a long path. */
	snprintf(out, room, "%s", reader->file);
	if (strlen(reader->file) >= room)
		memcpy(out + room - 4, "...", 4);
	snprintf(position, sizeof(position), ":%zu:%zu", mark.line + 1, mark.column + 1);
	memcpy(out + strlen(out), position, strlen(position) + 1);
}

int yaml_fail_at(struct yaml_reader *reader, yaml_mark_t mark, const char *format, ...)
{
	char place[YAML_PLACE_SIZE];
	struct text message;
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	text_init(&message);
	text_add_visible(&message, line);
	yaml_place(reader, mark, place);
	error_set(reader->err, ERROR_USAGE, place, "%s", text_string(&message));
	text_release(&message);
	return -1;
}

#define YAML_FAIL(reader, ...) yaml_fail_at(reader, (reader)->event.start_mark, __VA_ARGS__)

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

bool yaml_is_text(const struct yaml_reader *reader)
{
	return reader->event.type == YAML_SCALAR_EVENT;
}

bool yaml_is_nothing(const struct yaml_reader *reader)
{
	return yaml_is_text(reader) && reader->event.data.scalar.length == 0 &&
	       reader->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* No 0 byte is in it: yaml_next has seen to that. */
const char *yaml_text(const struct yaml_reader *reader)
{
	return (const char *)reader->event.data.scalar.value;
}

const char *yaml_found(struct yaml_reader *reader)
{
	struct text visible, t;

	if (reader->event.type == YAML_SEQUENCE_START_EVENT)
		return "a list";
	if (reader->event.type == YAML_MAPPING_START_EVENT)
		return "a mapping";
	if (yaml_is_nothing(reader) || !yaml_is_text(reader))
		return "nothing";
	text_init(&visible);
	text_init(&t);
	text_add_visible(&visible, yaml_text(reader));
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
		YAML_FAIL(reader,
			"found %s \"%c%.60s\", expected a value: anchors and aliases are not "
			"supported",
			sign == '*' ? "alias" : "anchor", sign, (const char *)anchor);
		return error_hint(reader->err, QUOTES_HINT);
	}
	if (tag) {
		YAML_FAIL(reader, "found tag \"%.60s\", expected a value: tags are not supported",
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
			return YAML_FAIL(reader, "found a 0 byte in a text, expected none");
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
		return YAML_FAIL(
			reader, "lists and mappings are nested more than %d deep", DEPTH_MOST);
	return check_decoration(reader, sign, anchor, tag);
}

int yaml_next(struct yaml_reader *reader)
{
	yaml_event_delete(&reader->event);
	if (!yaml_parser_parse(&reader->parser, &reader->event)) {
		const yaml_parser_t *parser = &reader->parser;
		const char *problem = parser->problem ? parser->problem : "cannot be read";

		if (parser->error == YAML_MEMORY_ERROR)
			return error_set(reader->err, ERROR_LIMIT, reader->file, "out of memory");
		if (parser->error == YAML_READER_ERROR)
			return yaml_fail_at(reader, mark_of_offset(reader, parser->problem_offset),
				"not valid YAML: %s", problem);
		if (parser->context)
			yaml_fail_at(reader, parser->problem_mark,
				"not valid YAML: %s, %s that began at line %zu, column %zu",
				problem, parser->context, parser->context_mark.line + 1,
				parser->context_mark.column + 1);
		else
			yaml_fail_at(reader, parser->problem_mark, "not valid YAML: %s", problem);

		size_t line = parser->problem_mark.line;
		const char *s = reader->bytes, *end = s + reader->size;

		for (; line > 0 && s < end; line--) {
			const char *next = memchr(s, '\n', (size_t)(end - s));

			s = next ? next + 1 : end;
		}
		while (s < end && *s == ' ')
			s++;
		if (s < end && *s == '\t')
			return error_hint(
				reader->err, "YAML needs blanks at the start of a line, not tabs");
		return error_hint(reader->err, QUOTES_HINT);
	}
	return check_event(reader);
}

int yaml_read_anything(struct yaml_reader *reader)
{
	if (yaml_is_text(reader))
		return 0;
	int outside = reader->depth - 1;

	while (reader->depth > outside)
		if (yaml_next(reader))
			return -1;
	return 0;
}

int yaml_read_items(struct yaml_reader *reader, int (*item)(struct yaml_reader *reader))
{
	if (reader->event.type != YAML_SEQUENCE_START_EVENT)
		return item(reader);
	for (;;) {
		if (yaml_next(reader))
			return -1;
		if (reader->event.type == YAML_SEQUENCE_END_EVENT)
			return 0;
		if (item(reader))
			return -1;
	}
}

static int find_key(const struct yaml_keys *keys, const char *name)
{
	for (size_t i = 0; i < keys->count; i++)
		if (text_equal(keys->key[i].name, name))
			return (int)i;
	return -1;
}

static void add_names(struct text *t, const struct yaml_keys *keys)
{
	for (size_t i = 0; i < keys->count; i++)
		text_printf(t, "%s%s",
			i == 0		      ? ""
			: i + 1 < keys->count ? ", "
					      : " or ",
			keys->key[i].name);
}

static int fail_key(struct yaml_reader *reader, const struct yaml_keys *keys)
{
	struct text list;

	text_init(&list);
	add_names(&list, keys);
	YAML_FAIL(reader, "found %s as a key%s%s, expected %s", yaml_found(reader),
		keys->of ? " of " : "", keys->of ? keys->of : "", text_string(&list));
	text_release(&list);
	if (!yaml_is_text(reader))
		return -1;
	/* A known key in the wrong place, or the nearest of the right ones. */
	const char *words[YAML_KEYS_MOST], *name = yaml_text(reader);

	for (size_t i = 0; i < 2 && keys->inner[i]; i++)
		if (find_key(keys->inner[i], name) >= 0)
			return error_hint(reader->err, "\"%s\" belongs under \"%s\"", name,
				keys->inner[i]->of);
	if (keys->outer && find_key(keys->outer, name) >= 0)
		return error_hint(reader->err, "\"%s\" belongs outside of \"%s\"", name, keys->of);
	for (size_t i = 0; i < keys->count; i++)
		words[i] = keys->key[i].name;
	int near = text_nearest(name, words, keys->count);

	return near < 0 ? -1 : error_hint(reader->err, "did you mean \"%s\"?", words[near]);
}

int yaml_read_keys(struct yaml_reader *reader, const struct yaml_keys *keys)
{
	size_t lines[YAML_KEYS_MOST] = {0};

	if (yaml_is_nothing(reader))
		return 0;
	if (reader->event.type != YAML_MAPPING_START_EVENT) {
		struct text list;

		text_init(&list);
		add_names(&list, keys);
		YAML_FAIL(reader, "found %s, expected a mapping with %s", yaml_found(reader),
			text_string(&list));
		text_release(&list);
		return -1;
	}
	for (;;) {
		if (yaml_next(reader))
			return -1;
		if (reader->event.type == YAML_MAPPING_END_EVENT)
			return 0;
		int index = yaml_is_text(reader) ? find_key(keys, yaml_text(reader)) : -1;

		if (index < 0)
			return fail_key(reader, keys);
		if (lines[index])
			return YAML_FAIL(reader,
				"found %s a second time, expected it once (first at line %zu)",
				yaml_found(reader), lines[index]);
		lines[index] = reader->event.start_mark.line + 1;
		if (yaml_next(reader))
			return -1;
		reader->key = keys->key[index].name;
		if (keys->key[index].read(reader))
			return -1;
	}
}

static int read_stream(struct yaml_reader *reader, const struct yaml_keys *top)
{
	if (yaml_next(reader) || yaml_next(reader))
		return -1;
	if (reader->event.type == YAML_STREAM_END_EVENT)
		return 0;
	if (yaml_next(reader) || yaml_read_keys(reader, top))
		return -1;
	if (yaml_next(reader) || yaml_next(reader))
		return -1;
	if (reader->event.type != YAML_STREAM_END_EVENT)
		return YAML_FAIL(reader, "found a second document, expected one");
	return 0;
}

int yaml_read_memory(const struct yaml_source *source, const struct yaml_keys *top, void *context,
	struct error *err)
{
	size_t size = source->size;
	struct yaml_reader reader = {.file = source->place,
		.bytes = source->bytes,
		.size = size,
		.context = context,
		.err = err};
	const char *zero = size ? memchr(reader.bytes, 0, size) : NULL;

	if (size > YAML_FILE_MOST)
		return error_set(err, ERROR_USAGE, source->place,
			"has more than %d bytes, expected a file of %s", YAML_FILE_MOST,
			source->noun);
	if (zero)
		return yaml_fail_at(&reader, mark_of_offset(&reader, (size_t)(zero - reader.bytes)),
			"found a 0 byte, expected YAML in UTF-8");
	if (size >= 3 && memcmp(reader.bytes, "\xef\xbb\xbf", 3) == 0) {
		reader.bytes += 3; /* libyaml knows the mark only when it may guess the encoding */
		reader.size -= 3;
	}
	if (!yaml_parser_initialize(&reader.parser))
		return error_set(err, ERROR_LIMIT, source->place, "out of memory");
	yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
		&reader.parser, (const unsigned char *)reader.bytes, reader.size);
	reader.arena = arena_new();
	reader.seen = intern_new(reader.arena);
	int result = read_stream(&reader, top);

	yaml_event_delete(&reader.event);
	yaml_parser_delete(&reader.parser);
	arena_free(reader.arena);
	return result;
}

int yaml_read_file(const char *path, const char *noun, const struct yaml_keys *top, void *context,
	struct error *err)
{
	FILE *file = fopen(path, "rb");

	if (!file)
		return error_set(err, ERROR_USAGE, path, "cannot open the %s file: %s", noun,
			strerror(errno));
	char *bytes = memory_alloc(YAML_FILE_MOST + 1);
	size_t size = fread(bytes, 1, YAML_FILE_MOST + 1, file);
	int problem = ferror(file) ? errno : 0, result;

	if (fclose(file) && !problem)
		problem = errno;
	if (problem)
		result = error_set(err, ERROR_USAGE, path, "cannot read the %s file: %s", noun,
			strerror(problem));
	else
		result = yaml_read_memory(
			&(struct yaml_source){bytes, size, path, noun}, top, context, err);
	memory_free(bytes);
	return result;
}
