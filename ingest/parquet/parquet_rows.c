/* Rows across the columns of a file. Each column reads its own pages, so all move on together. */
#include "ingest/parquet/parquet_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/ordered_work.h"
#include "base/text.h"
#include "ingest/parquet/parquet_column.h"

/* Runs and dictionaries make few bytes of many rows, but not of any number: more cells than this
 * are no table of measurements, and would only keep us busy. */
#define CELLS_OF_BYTE 65536
#define CELLS_ALWAYS (UINT64_C(1) << 24)

/* Rows of a part, which another thread reads, and how many parts a file has that is divided. Pages
 * at the ends of a part are read for its neighbour, too: groups of few rows, whose pages are long,
 * are not divided. */
#define PART_ROWS ((uint64_t)1 << 15)
#define GROUP_ROWS ((uint64_t)1 << 17)
#define PARTS_LEAST 4
#define FIRST_ROWS ((uint64_t)1 << 12) /* of the first part, which shows what is in the others */

struct parquet_rows {
	struct cell_rows rows; /* first: it is what callers hold */
	struct parquet_file *file;
	enum table_use *use;
	struct parquet_column **column; /* of each field; NULL: not used */
	struct parquet_place *place;	/* where they are to begin */
	size_t used;
	struct table_cell *cell;
	uint64_t number; /* of the last row; 0: the header */
	uint64_t left;	 /* rows in this group, or part */
	uint64_t group;	 /* rows of this group */
	uint32_t paged;	 /* rows of the pages that all columns have */
	bool begun;
	bool is_placed; /* columns have begun at their places */
	/* Members of a part: */
	struct arena *arena;
	struct parquet_file own;
	uint64_t first, count;	       /* the number of its first row - 1, its rows */
	size_t page_most, buffer_most; /* of the file, for the caller's thread */
	bool was_read;
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
		if (rows->column[i] && parquet_place_begin(rows->file, &rows->file->field[i],
					       rows->left, &rows->place[i], err) < 0)
			return -1;
	rows->is_placed = false;
	rows->group = rows->left;
	return got;
}

static int begin_columns(struct parquet_rows *rows, struct error *err)
{
	for (size_t i = 0; i < rows->file->field_count; i++)
		if (rows->column[i])
			parquet_column_clear(rows->column[i]);
	for (size_t i = 0; i < rows->file->field_count; i++)
		if (rows->column[i] &&
			parquet_column_begin_at(rows->column[i], &rows->place[i], err) < 0)
			return -1;
	rows->paged = 0;
	rows->is_placed = true;
	return 0;
}

/* Drops pages that end here; those of this row are read with it. */
static void end_pages(struct parquet_rows *rows)
{
	for (size_t i = 0; i < rows->file->field_count; i++)
		if (rows->column[i])
			parquet_column_turn(rows->column[i]);
}

static void find_paged(struct parquet_rows *rows)
{
	rows->paged = UINT32_MAX;
	for (size_t i = 0; i < rows->file->field_count; i++)
		if (rows->column[i] && parquet_column_left(rows->column[i]) < rows->paged)
			rows->paged = parquet_column_left(rows->column[i]);
}

/* Sets *given when the row has a value. */
static int next_cells(struct parquet_rows *rows, bool *given, struct error *err)
{
	const bool turn = rows->paged == 0;

	*given = false;
	rows->left--;
	rows->number++;
	if (turn)
		end_pages(rows);
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
	if (turn)
		find_paged(rows);
	else
		rows->paged--;
	return 0;
}

static void drop_columns(struct parquet_rows *rows)
{
	for (size_t i = 0; i < rows->file->field_count; i++) {
		parquet_column_free(rows->column[i]);
		rows->column[i] = NULL;
	}
	rows->used = 0;
}

/* The pages of a part are done with, even where it is to be read again. */
static int end_rows(struct parquet_rows *rows, int result)
{
	if (rows->arena)
		drop_columns(rows);
	return result;
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
			int got = rows->arena ? 0 : next_group(rows, err);

			if (got <= 0)
				return end_rows(rows, got);
		}
		if (!rows->is_placed && begin_columns(rows, err) < 0)
			return end_rows(rows, -1);
		if (next_cells(rows, &given, err) < 0)
			return end_rows(rows, -1);
	}
	*row = (struct cell_row){rows->number, rows->cell, rows->file->field_count};
	return 1;
}

static int make_columns(struct parquet_rows *rows, struct error *err)
{
	for (size_t i = 0; i < rows->file->field_count; i++) {
		rows->cell[i] = (struct table_cell){.text = ""};
		if (rows->use[i] == TABLE_UNUSED)
			continue;
		rows->column[i] =
			parquet_column_new(rows->file, &rows->file->field[i], rows->use[i], err);
		if (!rows->column[i])
			return -1;
		rows->used++;
	}
	return 0;
}

static int use(struct cell_rows *of, const enum table_use *wanted, struct error *err)
{
	struct parquet_rows *rows = (struct parquet_rows *)of;

	memcpy(rows->use, wanted, rows->file->field_count * sizeof(*wanted));
	if (make_columns(rows, err) < 0)
		return -1;

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

static struct parquet_rows *rows_new(struct parquet_file *file, struct arena *arena)
{
	struct parquet_rows *rows = memory_alloc(sizeof(*rows));

	rows->rows = (struct cell_rows){.path = file->span->path, .next = next, .place = place};
	rows->file = file;
	rows->use = arena_array(arena, file->field_count, sizeof(*rows->use));
	rows->column = arena_array(arena, file->field_count, sizeof(struct parquet_column *));
	rows->place = arena_array(arena, file->field_count, sizeof(*rows->place));
	rows->cell = arena_array(arena, file->field_count, sizeof(*rows->cell));
	return rows;
}

/* ---- parts ---- */

/* The part gets columns and room for pages of its own: a share of the room, as many parts are in
 * memory at a time. Where that is too little, the caller's thread reads it again with all of it, as
 * it reads the first part. */
static void part_rewind(struct cell_rows *of)
{
	struct parquet_rows *part = (struct parquet_rows *)of;
	const bool is_caller = part->first == 0 || part->was_read;
	const size_t share = part->buffer_most / ordered_work_slots(part->own.threads);

	drop_columns(part);
	part->own.buffer_left = is_caller ? part->buffer_most : share;
	part->own.page_most = is_caller || part->page_most < share ? part->page_most : share;
	part->was_read = true;
	make_columns(part, NULL); /* it went well for the whole */
	part->number = part->first;
	part->left = part->count;
	part->is_placed = false;
}

static void part_free(struct cell_rows *of)
{
	struct parquet_rows *part = (struct parquet_rows *)of;

	if (!part)
		return;
	drop_columns(part);
	arena_free(part->arena);
	memory_free(part);
}

/* A group with rows: false at the end, or where it is damaged, which `next` then says. */
static bool find_group(struct parquet_rows *rows)
{
	while (rows->left == 0) {
		const struct parquet_file before = *rows->file;

		if (next_group(rows, NULL) <= 0) {
			*rows->file = before;
			rows->left = 0;
			return false;
		}
	}
	return true;
}

static struct cell_rows *next_part(struct cell_rows *of)
{
	struct parquet_rows *rows = (struct parquet_rows *)of, *part;
	const size_t bytes = rows->file->field_count * sizeof(*rows->place);
	struct arena *arena;
	bool good = true;

	if (!rows->used || rows->file->rows < PARTS_LEAST * PART_ROWS || !find_group(rows))
		return NULL;
	arena = arena_new();
	part = rows_new(rows->file, arena);
	part->rows.rewind = part_rewind;
	part->rows.free = part_free;
	part->arena = arena;
	part->own = *rows->file;
	part->page_most = rows->file->page_most;
	part->buffer_most = rows->file->buffer_left;
	part->file = &part->own;
	part->first = rows->number;
	part->count = rows->number ? PART_ROWS : FIRST_ROWS;
	if (rows->left < 2 * part->count || (rows->number && rows->group <= GROUP_ROWS))
		part->count = rows->left;
	part->begun = true;
	memcpy(part->use, rows->use, rows->file->field_count * sizeof(*part->use));
	memcpy(part->place, rows->place, bytes);
	for (size_t i = 0; i < rows->file->field_count && good; i++)
		good = !rows->column[i] ||
		       parquet_place_move(rows->file, &rows->place[i], part->count, NULL) == 0;
	if (!good) { /* the rows before what is damaged are read with it */
		memcpy(rows->place, part->place, bytes);
		part_free(&part->rows);
		return NULL;
	}
	rows->left -= part->count;
	rows->number += part->count;
	return &part->rows;
}

struct cell_rows *parquet_rows_new(struct parquet_file *file)
{
	struct parquet_rows *rows = rows_new(file, file->arena);

	rows->rows.rows_said = file->rows;
	rows->rows.use = use;
	rows->rows.part = next_part;
	return &rows->rows;
}

void parquet_rows_free(struct cell_rows *of)
{
	struct parquet_rows *rows = (struct parquet_rows *)of;

	if (rows)
		drop_columns(rows);
	memory_free(rows);
}
