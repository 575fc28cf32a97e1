/* The two formats of the table. Texts are made harmless in both, so that one is read back as the
 * other is. */
#include "export/observation_cells.h"

#include <assert.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "export/parquet/parquet_writer.h"
#include "writers/writer.h"

#define LINES_BYTES ((size_t)64 << 10) /* handed to the outfile at once */

struct observation_cells {
	struct outfile *out;
	const char *program;
	bool is_parquet;
	size_t at; /* the next cell */
	struct parquet_form *column;
	size_t count, room;
	struct text line; /* CSV: lines; Parquet: a text */
	struct parquet_writer *parquet;
};

struct observation_cells *observation_cells_csv(struct outfile *out)
{
	struct observation_cells *c = memory_alloc(sizeof(*c));

	c->out = out;
	text_init(&c->line);
	return c;
}

struct observation_cells *observation_cells_parquet(struct outfile *out, const char *program)
{
	struct observation_cells *c = observation_cells_csv(out);

	c->is_parquet = true;
	c->program = program;
	return c;
}

void cells_free(struct observation_cells *c)
{
	for (size_t i = 0; i < c->count; i++)
		memory_free((char *)(uintptr_t)c->column[i].name);
	memory_free(c->column);
	text_release(&c->line);
	parquet_writer_free(c->parquet);
	memory_free(c);
}

void cells_column(struct observation_cells *c, const char *name, enum observation_cell kind)
{
	struct parquet_form *column = memory_push(&c->column, &c->count, &c->room, sizeof(*column));

	column->name = memory_string(name);
	column->kind = kind == CELL_OF_TEXT ? PARQUET_TEXTS : PARQUET_INTEGERS;
}

void cells_begin(struct observation_cells *c)
{
	if (c->is_parquet) {
		c->parquet = parquet_writer_new(c->out, c->column, c->count, c->program);
		return;
	}
	for (size_t i = 0; i < c->count; i++)
		cells_text(c, c->column[i].name);
	cells_end_row(c);
}

/* Begins the next cell and returns its place. */
static size_t next_cell(struct observation_cells *c)
{
	assert(c->at < c->count);
	if (!c->is_parquet && c->at)
		text_add_char(&c->line, ',');
	return c->at++;
}

static void put_text(struct observation_cells *c, const char *s)
{
	const size_t at = next_cell(c);

	if (!c->is_parquet) {
		csv_field(&c->line, s, false);
		return;
	}
	text_clear(&c->line);
	text_add_visible(&c->line, s);
	parquet_put_text(c->parquet, at, text_string(&c->line), c->line.size);
}

void cells_text(struct observation_cells *c, const char *s)
{
	if (*s)
		put_text(c, s);
	else
		cells_skip(c, 1);
}

/* Name in quotes: nothing at all would be no name. */
void cells_name(struct observation_cells *c, const char *s)
{
	if (*s || c->is_parquet) {
		put_text(c, s);
		return;
	}
	next_cell(c);
	text_add(&c->line, "\"\"");
}

void cells_integer(struct observation_cells *c, int64_t value)
{
	const size_t at = next_cell(c);
	char digits[NUMBER_TEXT_SIZE];

	if (c->is_parquet)
		parquet_put_integer(c->parquet, at, value);
	else
		text_add(&c->line, number_format_int(digits, value));
}

void cells_value(struct observation_cells *c, int64_t value, const struct unit *unit)
{
	const int64_t factor = unit ? unit->factor : 1;

	assert(!c->is_parquet || factor == 1);
	if (value % factor == 0) {
		cells_integer(c, value / factor);
		return;
	}
	next_cell(c);

	/* value / factor as an exact decimal where the factor is a power of ten, else with 15
	 * digits. */
	char digits[NUMBER_TEXT_SIZE];
	int64_t scale = factor;
	int decimals = 0;

	while (scale % 10 == 0) {
		scale /= 10;
		decimals++;
	}
	if (scale != 1) {
		text_add(&c->line, number_format_real(digits, (double)value / (double)factor, 15));
		return;
	}
	decimal_format_short(digits, value, decimals);
	text_add(&c->line, digits);
}

void cells_skip(struct observation_cells *c, size_t count)
{
	while (count--)
		next_cell(c);
}

void cells_end_row(struct observation_cells *c)
{
	cells_skip(c, c->count - c->at);
	c->at = 0;
	if (c->is_parquet) {
		parquet_end_row(c->parquet);
		return;
	}
	text_add_char(&c->line, '\n');
	if (c->line.size < LINES_BYTES)
		return;
	outfile_write(c->out, c->line.data, c->line.size);
	text_clear(&c->line);
}

int cells_finish(struct observation_cells *c, struct error *err)
{
	if (c->is_parquet)
		return parquet_writer_finish(c->parquet, err);
	outfile_write(c->out, text_string(&c->line), c->line.size);
	return 0;
}
