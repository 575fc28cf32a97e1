/*
 * Fields to columns: texts, integers of 64 bits, and times in us as real numbers.
 */
#include "export/sink_parquet.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "export/parquet/parquet_writer.h"

struct folder_sink {
	struct table_sink sink; /* first: it is what callers hold */
	struct outfolder *folder;
	const char *program;
	const struct table_form *form;
	struct outfile *out;
	struct parquet_writer *writer;
};

static int begin(struct table_sink *sink, const struct table_form *form, struct error *err)
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

static int row(struct table_sink *sink, const struct table_value *value, struct error *err)
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

static int end(struct table_sink *sink, struct error *err)
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

	s->sink = (struct table_sink){.begin = begin, .row = row, .end = end};
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
