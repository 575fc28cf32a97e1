/* Rows across the columns of a file. Each column reads its own pages, so all move on together. */
#include "ingest/parquet/parquet_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "ingest/parquet/parquet_column.h"

/* Runs and dictionaries make few bytes of many rows, but not of any number: more cells than this
 * are no table of measurements, and would only keep us busy. */
#define CELLS_OF_BYTE 65536
#define CELLS_ALWAYS (UINT64_C(1) << 24)

struct parquet_rows {
	struct cell_rows rows; /* first: it is what callers hold */
	struct parquet_file *file;
	struct parquet_column **column; /* of each field; NULL: not used */
	size_t used;
	struct table_cell *cell;
	uint64_t number; /* of the last row; 0: the header */
	uint64_t left;	 /* rows in this group */
	bool begun;
};

static void place(struct cell_rows *of, size_t index, char *out, size_t size)
{
	const struct parquet_rows *rows = (const struct parquet_rows *)of;
	struct text text;

	text_init(&text);
	text_printf(&text, "%s:", of->path);
	if (rows->number)
		text_printf(&text, " row %" PRIu64 ",", rows->number);
	if (index < rows->file->field_count) {
		text_add(&text, " column \"");
		text_add_visible(&text, rows->file->field[index].name);
		text_add(&text, "\"");
	} else {
		text_add(&text, " columns");
	}
	snprintf(out, size, "%s", text_string(&text));
	text_release(&text);
}

/* The names of the columns. */
static int next_header(struct parquet_rows *rows, struct cell_row *row)
{
	for (size_t i = 0; i < rows->file->field_count; i++) {
		const char *name = rows->file->field[i].name;

		rows->cell[i] = (struct table_cell){
			.text = name, .size = strlen(name), .given = *name != '\0'};
	}
	rows->begun = true;
	*row = (struct cell_row){.field = rows->cell, .count = rows->file->field_count};
	return 1;
}

static int next_group(struct parquet_rows *rows, struct error *err)
{
	int got = parquet_group_next(rows->file, &rows->left, err);

	for (size_t i = 0; got > 0 && rows->left && i < rows->file->field_count; i++)
		if (rows->column[i] && parquet_column_begin(rows->column[i], rows->left, err) < 0)
			return -1;
	return got;
}

/* Sets *given when the row has a value. */
static int next_cells(struct parquet_rows *rows, bool *given, struct error *err)
{
	*given = false;
	rows->left--;
	rows->number++;
	for (size_t i = 0; i < rows->file->field_count; i++) {
		struct table_cell *cell = &rows->cell[i];

		if (!rows->column[i])
			continue;
		if (parquet_column_next(rows->column[i], cell, err) < 0)
			return -1;
		*given |= cell->given;
		if (cell->given && cell->kind == TABLE_TEXT && !cell->is_checked &&
			memchr(cell->text, 0, cell->size))
			return cell_rows_error(&rows->rows, i, err, "a byte 0, which no text has");
	}
	return 0;
}

static int next(struct cell_rows *of, struct cell_row *row, struct error *err)
{
	struct parquet_rows *rows = (struct parquet_rows *)of;
	bool given = false;

	if (!rows->begun)
		return next_header(rows, row);
	if (!rows->used)
		return 0;
	while (!given) {
		while (rows->left == 0) {
			int got = next_group(rows, err);

			if (got <= 0)
				return got;
		}
		if (next_cells(rows, &given, err) < 0)
			return -1;
	}
	*row = (struct cell_row){rows->number, rows->cell, rows->file->field_count};
	return 1;
}

static int use(struct cell_rows *of, const enum table_use *wanted, struct error *err)
{
	struct parquet_rows *rows = (struct parquet_rows *)of;

	for (size_t i = 0; i < rows->file->field_count; i++) {
		rows->cell[i] = (struct table_cell){.text = ""};
		if (wanted[i] == TABLE_UNUSED)
			continue;
		rows->column[i] =
			parquet_column_new(rows->file, &rows->file->field[i], wanted[i], err);
		if (!rows->column[i])
			return -1;
		rows->used++;
	}

	const struct parquet_file *file = rows->file;
	uint64_t cells, most;

	if (__builtin_mul_overflow(file->rows, (uint64_t)rows->used, &cells) ||
		(!__builtin_mul_overflow(file->span->size, (uint64_t)CELLS_OF_BYTE, &most) &&
			cells > most && cells > CELLS_ALWAYS))
		return error_set(err, ERROR_LIMIT, file->span->path,
			"%" PRIu64 " rows in a file of %" PRIu64 " bytes", file->rows,
			file->span->size);
	return 0;
}

struct cell_rows *parquet_rows_new(struct parquet_file *file)
{
	struct parquet_rows *rows = memory_alloc(sizeof(*rows));

	rows->rows = (struct cell_rows){
		.path = file->span->path, .next = next, .place = place, .use = use};
	rows->file = file;
	rows->column = arena_array(file->arena, file->field_count, sizeof(struct parquet_column *));
	rows->cell = arena_array(file->arena, file->field_count, sizeof(*rows->cell));
	return &rows->rows;
}

void parquet_rows_free(struct cell_rows *of)
{
	struct parquet_rows *rows = (struct parquet_rows *)of;

	for (size_t i = 0; rows && i < rows->file->field_count; i++)
		parquet_column_free(rows->column[i]);
	memory_free(rows);
}
