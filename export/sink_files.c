/* Rows to lines of files. The number of shards is known at the end of a table only: until then they
 * have names of their own. */
#include "export/sink_files.h"

#include <stdio.h>
#include <string.h>
#include "base/output/gzip_writer.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "writers/writer.h"
#include "base/output/json_text.h"
#include "export/tables.h"
#include "export/parquet/parquet_writer.h"

#define DOUBLE_EXACT INT64_C(9007199254740991) /* 2^53 - 1 */

struct file_sink {
	struct table_sink sink; /* first: it is what callers hold */
	struct outfolder *folder;
	struct file_options opt;
	const struct table_form *form;
	struct outfile *out;
	size_t shard; /* the number of the open one, from 1 */
	size_t bytes; /* uncompressed, in it */
	struct text line;
	struct gzip_writer *gzip; /* NULL: not compressed */
};

/* ---- files ---- */

static void flush_line(struct file_sink *s)
{
	s->bytes += s->line.size;
	if (s->gzip)
		gzip_writer_write(s->gzip, s->line.data, s->line.size);
	else
		outfile_write(s->out, s->line.data, s->line.size);
	text_clear(&s->line);
}

static int close_file(struct file_sink *s, struct error *err)
{
	struct outfile *out = s->out;
	int status = gzip_writer_finish(s->gzip, err);

	s->gzip = NULL;
	if (status < 0)
		return -1;
	s->out = NULL;
	return outfolder_close(s->folder, out, err);
}

/* The name of a shard; of = 0: not known yet. */
static void shard_name(const struct file_sink *s, size_t shard, size_t of, char *out, size_t size)
{
	const char *suffix = s->opt.csv ? "csv" : "ndjson", *gz = s->opt.gzip ? ".gz" : "";

	if (of == 1)
		snprintf(out, size, "%s.%s%s", s->form->name, suffix, gz);
	else if (of)
		snprintf(out, size, "%s-%06zu-of-%06zu.%s%s", s->form->name, shard, of, suffix, gz);
	else
		snprintf(out, size, "%s-%06zu", s->form->name, shard);
}

static int open_shard(struct file_sink *s, struct error *err)
{
	char name[128];

	shard_name(s, ++s->shard, 0, name, sizeof(name));
	s->out = outfolder_file(s->folder, name, err);
	if (!s->out)
		return -1;
	s->bytes = 0;
	s->gzip = s->opt.gzip ? gzip_writer_new(s->out) : NULL;
	return 0;
}

bool file_sink_made(const char *name)
{
	for (size_t i = 0; i <= table_form_count; i++) {
		const char *table = i < table_form_count ? table_forms[i]->name : table_flat.name;
		const char *rest = name + strlen(table);
		unsigned int shard, of;
		int used = 0;

		if (!text_starts(name, table))
			continue;
		if (sscanf(rest, "-%6u-of-%6u%n", &shard, &of, &used) == 2 && used == 17)
			rest += used;
		if (text_equal(rest, ".ndjson") || text_equal(rest, ".ndjson.gz") ||
			text_equal(rest, ".csv") || text_equal(rest, ".csv.gz") ||
			text_equal(rest, ".parquet") || text_equal(rest, ".schema.json"))
			return true;
	}
	return false;
}

/* ---- lines ---- */

static int write_schema(struct file_sink *s, struct error *err)
{
	static const char *const types[] = {
		[FIELD_TEXT] = "STRING", [FIELD_INTEGER] = "INT64", [FIELD_MICROS] = "FLOAT64"};
	char name[128];
	struct outfile *out;

	snprintf(name, sizeof(name), "%s.schema.json", s->form->name);
	out = outfolder_file(s->folder, name, err);
	if (!out)
		return -1;
	outfile_puts(out, "[\n");
	for (size_t i = 0; i < s->form->field_count; i++) {
		const struct table_field *field = &s->form->field[i];

		outfile_printf(out,
			"  {\"name\": \"%s\", \"type\": \"%s\", \"mode\": \"%s\", \"description\": "
			"\"%s\"}%s\n",
			field->name, types[field->kind], field->required ? "REQUIRED" : "NULLABLE",
			field->summary, i + 1 < s->form->field_count ? "," : "");
	}
	outfile_puts(out, "]\n");
	return outfolder_close(s->folder, out, err);
}

/* ---- the sink ---- */

static int begin(struct table_sink *sink, const struct table_form *form, struct error *err)
{
	struct file_sink *s = (struct file_sink *)sink;

	s->form = form;
	s->shard = 0;
	if (!s->opt.csv && write_schema(s, err) < 0)
		return -1;
	if (open_shard(s, err) < 0)
		return -1;
	if (s->opt.csv) {
		for (size_t i = 0; i < s->form->field_count; i++)
			text_printf(&s->line, "%s%s", i ? "," : "", s->form->field[i].name);
		text_add(&s->line, "\n");
		flush_line(s);
	}
	return 0;
}

static int row(struct table_sink *sink, const struct table_value *value, struct error *err)
{
	struct file_sink *s = (struct file_sink *)sink;

	for (size_t i = 0; i < s->form->field_count; i++) {
		const struct table_field *field = &s->form->field[i];

		if (s->opt.csv) {
			text_add(&s->line, i ? "," : "");

			char digits[NUMBER_TEXT_SIZE];

			if (!value[i].known)
				continue;
			if (field->kind == FIELD_TEXT && !*value[i].text)
				text_add(&s->line, "\"\"");
			else if (field->kind == FIELD_TEXT)
				csv_field(&s->line, value[i].text, false);
			else if (field->kind == FIELD_MICROS)
				text_add(&s->line, number_format_micros(
							   digits, value[i].integer, value[i].ps));
			else
				text_add(&s->line, number_format_int(digits, value[i].integer));
		} else {
			text_add(&s->line, i ? ",\"" : "{\"");
			text_add(&s->line, field->name);
			text_add(&s->line, "\":");

			char digits[NUMBER_TEXT_SIZE];

			if (!value[i].known) {
				text_add(&s->line, "null");
			} else if (field->kind == FIELD_TEXT) {
				json_text(&s->line, value[i].text);
			} else if (field->kind == FIELD_MICROS) {
				text_add(&s->line, number_format_micros(
							   digits, value[i].integer, value[i].ps));
			} else {
				bool exact = value[i].integer >= -DOUBLE_EXACT &&
					     value[i].integer <= DOUBLE_EXACT;

				number_format_int(digits, value[i].integer);
				text_printf(&s->line, exact ? "%s" : "\"%s\"", digits);
			}
		}
	}
	text_add(&s->line, s->opt.csv ? "\n" : "}\n");
	if (!s->opt.csv && s->opt.shard_bytes && s->bytes &&
		s->bytes + s->line.size > s->opt.shard_bytes &&
		(close_file(s, err) < 0 || open_shard(s, err) < 0))
		return -1;
	flush_line(s);
	return 0;
}

static int end(struct table_sink *sink, struct error *err)
{
	struct file_sink *s = (struct file_sink *)sink;

	if (close_file(s, err) < 0)
		return -1;

	char from[128], to[128];

	for (size_t i = 1; i <= s->shard; i++) {
		shard_name(s, i, 0, from, sizeof(from));
		shard_name(s, i, s->shard, to, sizeof(to));
		if (outfolder_rename(s->folder, from, to, err) < 0)
			return -1;
	}
	return 0;
}

struct table_sink *file_sink_new(struct outfolder *folder, const struct file_options *opt)
{
	struct file_sink *s = memory_alloc(sizeof(*s));

	s->sink = (struct table_sink){.begin = begin, .row = row, .end = end};
	s->folder = folder;
	s->opt = *opt;
	text_init(&s->line);
	return &s->sink;
}

void file_sink_free(struct table_sink *sink)
{
	struct file_sink *s = (struct file_sink *)sink;

	if (!s)
		return;
	gzip_writer_discard(s->gzip);
	outfile_discard(s->out);
	text_release(&s->line);
	memory_free(s);
}

/* ---- Fields to columns: texts, integers of 64 bits, and times in us as real numbers ---- */

struct folder_sink {
	struct table_sink sink; /* first: it is what callers hold */
	struct outfolder *folder;
	const char *program;
	const struct table_form *form;
	struct outfile *out;
	struct parquet_writer *writer;
};

static int parquet_begin(struct table_sink *sink, const struct table_form *form, struct error *err)
{
	static const enum parquet_kind kinds[] = {[FIELD_TEXT] = PARQUET_TEXTS,
		[FIELD_INTEGER] = PARQUET_INTEGERS,
		[FIELD_MICROS] = PARQUET_REALS};
	struct folder_sink *s = (struct folder_sink *)sink;
	struct parquet_form column[TABLE_FIELDS_MOST];
	char name[128];

	s->form = form;
	snprintf(name, sizeof(name), "%s.parquet", form->name);
	s->out = outfolder_file(s->folder, name, err);
	if (!s->out)
		return -1;
	for (size_t i = 0; i < form->field_count; i++)
		column[i] = (struct parquet_form){
			form->field[i].name, kinds[form->field[i].kind], form->field[i].required};
	s->writer = parquet_writer_new(s->out, column, form->field_count, s->program);
	return 0;
}

static int parquet_row(struct table_sink *sink, const struct table_value *value, struct error *err)
{
	struct folder_sink *s = (struct folder_sink *)sink;

	(void)err;
	for (size_t i = 0; i < s->form->field_count; i++) {
		const struct table_value *v = &value[i];

		if (!v->known)
			continue;
		if (s->form->field[i].kind == FIELD_TEXT)
			parquet_put_text(s->writer, i, v->text, strlen(v->text));
		else if (s->form->field[i].kind == FIELD_INTEGER)
			parquet_put_integer(s->writer, i, v->integer);
		else
			parquet_put_real(s->writer, i, table_micros(v));
	}
	parquet_end_row(s->writer);
	return 0;
}

static int parquet_end(struct table_sink *sink, struct error *err)
{
	struct folder_sink *s = (struct folder_sink *)sink;
	struct outfile *out = s->out;
	int result = parquet_writer_finish(s->writer, err);

	parquet_writer_free(s->writer);
	s->writer = NULL;
	if (result < 0)
		return -1;
	s->out = NULL;
	return outfolder_close(s->folder, out, err);
}

struct table_sink *parquet_sink_new(struct outfolder *folder, const char *program)
{
	struct folder_sink *s = memory_alloc(sizeof(*s));

	s->sink =
		(struct table_sink){.begin = parquet_begin, .row = parquet_row, .end = parquet_end};
	s->folder = folder;
	s->program = program;
	return &s->sink;
}

void parquet_sink_free(struct table_sink *sink)
{
	struct folder_sink *s = (struct folder_sink *)sink;

	if (!s)
		return;
	parquet_writer_free(s->writer);
	outfile_discard(s->out);
	memory_free(s);
}
