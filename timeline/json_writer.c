/* Indents, escapes, and keeps no more than a few lines in memory; an outfile with a compressor
 * before it. */
#include "timeline/json_writer.h"

#include <string.h>
#include "base/output/json_text.h"
#include "base/number.h"
#include "base/output/gzip_writer.h"
#include "base/memory.h"
#include "base/output/outfile.h"
#include "base/text.h"

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

static void add_integer(struct text *out, json_whole value)
{
	char digits[DECIMAL_TEXT_SIZE];

	text_add_bytes(out, digits, decimal_format(digits, value, 0));
}

void json_number_named(
	struct json_writer *json, const char *name, size_t name_size, json_whole value)
{
	begin_member(json, name, name_size);
	add_integer(&json->text, value);
}

void json_number(struct json_writer *json, const char *name, json_whole value)
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

struct trace_file {
	struct outfile *out;
	struct gzip_writer *gzip; /* NULL: not compressed */
};

struct trace_file *trace_file_open(const char *path, struct error *err)
{
	const bool is_gzip = text_ends(path, ".gz");
	struct outfile *out = NULL;
	struct trace_file *file;

	if (text_ends(path, ".pftrace") || text_ends(path, ".pftrace.gz"))
		error_set(err, ERROR_USAGE, path,
			"timeline writes JSON alone, which ui.perfetto.dev opens: use a name that "
			"ends in .json%s",
			is_gzip ? ".gz" : "");
	else
		out = outfile_open(path, err);
	if (!out)
		return NULL;
	file = memory_alloc(sizeof(*file));
	file->out = out;
	file->gzip = is_gzip ? gzip_writer_new(out) : NULL;
	return file;
}

void trace_file_write(struct trace_file *file, const void *bytes, size_t n)
{
	if (file->gzip)
		gzip_writer_write(file->gzip, bytes, n);
	else
		outfile_write(file->out, bytes, n);
}

int trace_file_commit(struct trace_file *file, struct error *err)
{
	struct outfile *out = file->out;
	int status = gzip_writer_finish(file->gzip, err);

	memory_free(file);
	if (status == 0)
		return outfile_commit(out, err);
	outfile_discard(out);
	return -1;
}

void trace_file_discard(struct trace_file *file)
{
	if (!file)
		return;
	gzip_writer_discard(file->gzip);
	outfile_discard(file->out);
	memory_free(file);
}
