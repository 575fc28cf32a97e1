/* Reader of texts of any kind, by a pattern of the user (--log): a line that matches is a row of a
 * table, whose columns are the named groups. A pattern that names no benchmark is of one alone,
 * whose lines are steps. */
#include <stdio.h>
#include <string.h>
#include "base/arena.h"
#include "base/text.h"
#include "ingest/input/input.h"
#include "ingest/reader.h"
#include "ingest/table/csv_columns.h"
#include "ingest/table/table_read.h"

#define ROW_NAME "log" /* of rows of a pattern that names no benchmark */

struct log_rows {
	struct cell_rows rows; /* first: it is what the table reader holds */
	struct line_reader lines;
	const struct log_lines *log;
	struct arena *arena;	 /* of the reader */
	struct arena *row;	 /* of the texts of a row */
	struct table_cell *cell; /* of the names, then ROW_NAME and the number of the line among
				    those that match */
	const char **value;
	size_t *size;
	size_t count, matched;
	bool has_header;
};

static void place(struct cell_rows *of, size_t index, char *out, size_t size)
{
	const struct log_rows *rows = (const struct log_rows *)of;

	const char *name = index < rows->log->count ? rows->log->name[index] : "";

	if (rows->lines.number)
		snprintf(out, size, "%s:%zu: %s", of->path, rows->lines.number, name);
	else
		snprintf(out, size, "--log: %s", name);
}

static void fill_cell(struct table_cell *cell, const char *text, size_t size)
{
	*cell = (struct table_cell){.text = text ? text : "", .size = size, .given = text != NULL};
}

static int give(struct log_rows *rows, struct cell_row *row)
{
	*row = (struct cell_row){rows->lines.number, rows->cell, rows->count};
	return 1;
}

static int next(struct cell_rows *of, struct cell_row *row, struct error *err)
{
	struct log_rows *rows = (struct log_rows *)of;
	const struct log_lines *log = rows->log;
	int found = 0, got = 1;
	const char *line;
	size_t size;

	if (!rows->has_header) {
		rows->has_header = true;
		for (size_t i = 0; i < log->count; i++)
			fill_cell(&rows->cell[i], log->name[i], strlen(log->name[i]));
		fill_cell(&rows->cell[log->count], "benchmark", strlen("benchmark"));
		fill_cell(&rows->cell[log->count + 1], "step", strlen("step"));
		return give(rows, row);
	}
	while (found == 0 && (got = line_reader_next(&rows->lines, &line, &size, err)) > 0)
		found = log->match(log->context, line, rows->value, rows->size, err);
	if (got <= 0 || found < 0)
		return got > 0 ? found : got;
	rows->matched++;
	arena_reset(rows->row);
	for (size_t i = 0; i < log->count; i++)
		fill_cell(&rows->cell[i],
			rows->value[i] ? arena_strndup(rows->row, rows->value[i], rows->size[i])
				       : NULL,
			rows->size[i]);
	fill_cell(&rows->cell[log->count], ROW_NAME, strlen(ROW_NAME));
	rows->cell[log->count + 1] = (struct table_cell){.text = "",
		.given = true,
		.kind = TABLE_INTEGER,
		.integer = (int64_t)rows->matched};
	return give(rows, row);
}

static bool has_role(const struct log_lines *log, enum column_role role)
{
	for (size_t i = 0; i < log->count; i++)
		if (csv_column_has_role(log->name[i], role))
			return true;
	return false;
}

static int log_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	const struct log_lines *log = opt->log;
	struct log_rows rows = {.rows = {.path = input_path(in),
					.has_lines = true,
					.all_measures = true,
					.next = next,
					.place = place},
		.log = log};
	int result;

	if (!log)
		return error_set(err, ERROR_USAGE, "--from", "\"log\" needs --log=REGEX");
	rows.arena = arena_new();
	rows.row = arena_new();
	rows.count = log->count + (has_role(log, COLUMN_OP) ? 0 : 1 + !has_role(log, COLUMN_STEP));
	rows.cell = arena_array(rows.arena, log->count + 2, sizeof(*rows.cell));
	rows.value = arena_array(rows.arena, log->count, sizeof(*rows.value));
	rows.size = arena_array(rows.arena, log->count, sizeof(*rows.size));
	line_reader_init(&rows.lines, in, opt->max_record_bytes);
	result = table_read(&rows.rows, out, opt, err);
	if (result == 0)
		input_report_tail(in, &out->issues);
	else if (rows.has_header && !rows.matched && rows.lines.number)
		result = error_set(err, ERROR_INPUT, input_path(in), "no line matches --log");
	line_reader_release(&rows.lines);
	arena_free(rows.arena);
	arena_free(rows.row);
	return result;
}

const struct reader reader_log = {
	.name = "log",
	.title = "lines of a log",
	.summary = "any text, by a pattern (--log='took (?<time_ms>[0-9.]+)')",
	.read = log_read,
};
