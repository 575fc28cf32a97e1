/*
 * Indents, escapes, and keeps no more than a few lines in memory.
 */
#include "timeline/json_writer.h"

#include <string.h>
#include "base/output/json_text.h"
#include "base/number.h"

#define FLUSH_BYTES ((size_t)64 << 10)

void json_begin(struct json_writer *json, struct trace_file *file)
{
	*json = (struct json_writer){.file = file, .empty = true};
	text_init(&json->text);
}

static void flush(struct json_writer *json)
{
	trace_file_write(json->file, text_string(&json->text), json->text.size);
	text_clear(&json->text);
}

void json_end(struct json_writer *json)
{
	flush(json);
	text_release(&json->text);
}

static void new_line(struct json_writer *json)
{
	text_add_char(&json->text, '\n');
	text_add_repeat(&json->text, ' ', (size_t)4 * json->depth);
}

static void add_string(struct json_writer *json, const char *s, size_t size)
{
	json->replaced += json_text_exact(&json->text, s, size, JSON_PYTHON);
}

/* Text before a value: the comma, the line, the name. */
static void begin_member(struct json_writer *json, const char *name, size_t name_size)
{
	if (json->text.size >= FLUSH_BYTES)
		flush(json);
	if (!json->empty)
		text_add_char(&json->text, ',');
	if (json->depth)
		new_line(json);
	json->empty = false;
	if (!name)
		return;
	add_string(json, name, name_size);
	text_add(&json->text, ": ");
}

static void begin_named(struct json_writer *json, const char *name)
{
	begin_member(json, name, name ? strlen(name) : 0);
}

void json_open(struct json_writer *json, const char *name, char bracket)
{
	begin_named(json, name);
	text_add_char(&json->text, bracket);
	json->depth++;
	json->empty = true;
}

void json_close(struct json_writer *json, char bracket)
{
	json->depth--;
	if (!json->empty)
		new_line(json);
	text_add_char(&json->text, bracket);
	json->empty = false;
}

static void add_integer(struct text *out, json_integer value)
{
	char digits[DECIMAL_TEXT_SIZE];

	text_add_bytes(out, digits, decimal_format(digits, value, 0));
}

void json_number_named(
	struct json_writer *json, const char *name, size_t name_size, json_integer value)
{
	begin_member(json, name, name_size);
	add_integer(&json->text, value);
}

void json_number(struct json_writer *json, const char *name, json_integer value)
{
	begin_named(json, name);
	add_integer(&json->text, value);
}

void json_real(struct json_writer *json, const char *name, double value)
{
	char digits[NUMBER_TEXT_SIZE];

	begin_named(json, name);
	text_add(&json->text, number_format_real(digits, value, 15));
}

void json_string(struct json_writer *json, const char *name, const char *bytes, size_t size)
{
	begin_named(json, name);
	add_string(json, bytes, size);
}

void json_word(struct json_writer *json, const char *name, const char *word)
{
	json_string(json, name, word, strlen(word));
}
