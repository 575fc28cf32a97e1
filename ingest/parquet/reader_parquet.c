/* Reader of tables of observations in Parquet: the columns that a CSV has. */
#include <string.h>
#include "base/text.h"
#include "ingest/input/input.h"
#include "ingest/parquet/parquet_rows.h"
#include "ingest/reader.h"
#include "ingest/table/csv_columns.h"
#include "ingest/table/table_read.h"

#define NAMES_SHOWN 8

static int parquet_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	struct span_file span;
	int result;

	if (input_seekable(in, opt->trace.spill_folder, opt->trace.max_spill_bytes, &span, err) < 0)
		return -1;

	struct arena *arena = arena_new();
	struct parquet_file file;
	struct cell_rows *rows = NULL;
	result = parquet_file_open(&file, &span, opt->max_record_bytes, arena, err);

	if (result == 0) {
		file.threads = opt->threads;
		rows = parquet_rows_new(&file);
		result = table_read(rows, out, opt, err);
	}
	parquet_rows_free(rows);
	arena_free(arena);
	span_file_close(&span);
	if (result == 0)
		input_report_tail(in, &out->issues);
	return result;
}

static int check_columns(struct parquet_file *file, struct error *err)
{
	struct cell_rows *rows = parquet_rows_new(file);
	struct cell_row header;
	struct text names;
	int result = 0;

	rows->next(rows, &header, err);
	if (!csv_columns_score(&header)) {
		text_init(&names);
		/* The first of the columns, for a message. */
		for (size_t i = 0; i < header.count && i < NAMES_SHOWN; i++) {
			text_add(&names, i ? ", " : "");
			text_add_visible(&names, header.field[i].text);
		}
		text_add(&names, header.count > NAMES_SHOWN ? ", ..." : "");
		error_set(err, ERROR_INPUT, file->span->path,
			"a Parquet table that holds no observations (columns %s)",
			text_string(&names));
		text_release(&names);
		result = error_hint(err,
			"observations need columns step and op, and either measure, value, unit "
			"or a column per measure with its unit (time_us); doc/observations.md");
	}
	parquet_rows_free(rows);
	return result;
}

/* Rejects a table without observations: a folder of tables may hold such tables, too. */
static int parquet_holds(const struct input *in, const struct read_options *opt, struct error *err)
{
	struct parquet_file file;
	struct span_file span;
	struct arena *arena;
	int result;

	if (!input_span(in, &span))
		return 0;
	arena = arena_new();
	/* A damaged file is left to the reader, which reports it. */
	result = parquet_file_open(&file, &span, opt->max_record_bytes, arena, NULL) < 0
			 ? 0
			 : check_columns(&file, err);
	arena_free(arena);
	span_file_close(&span);
	return result;
}

/* Score by the magic bytes alone: columns are named at the end of the file. */
static int parquet_probe(const struct probe *p)
{
	return p->size >= PARQUET_MAGIC_BYTES &&
			       (memcmp(p->bytes, PARQUET_MAGIC, PARQUET_MAGIC_BYTES) == 0 ||
				       memcmp(p->bytes, PARQUET_MAGIC_ENCRYPTED,
					       PARQUET_MAGIC_BYTES) == 0)
		       ? 90
		       : 0;
}

const struct reader reader_parquet = {
	.name = "parquet",
	.title = "observations (Parquet)",
	.summary = "observations as a Parquet table, with the columns that a CSV has",
	.suffixes = (const char *const[]){".parquet", NULL},
	.probe = parquet_probe,
	.holds = parquet_holds,
	.read = parquet_read,
	.uses_kilobyte = true,
};
