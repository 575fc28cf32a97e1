/* Cells as numbers, and errors at a place of a table. */
#include "ingest/table/cell_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "model/profile.h"

#define PLACE_BYTES 512
#define ENTRIES_MOST 65536 /* of a dictionary that are remembered */
#define DIGITS_KEPT 1e15   /* any decimal number of 15 digits is one double of its own */

int cell_rows_error(
	struct cell_rows *rows, size_t index, struct error *err, const char *format, ...)
{
	char place[PLACE_BYTES], message[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	rows->place(rows, index, place, sizeof(place));
	return error_set(err, ERROR_INPUT, place, "%s", message);
}

int cell_rows_at(struct cell_rows *rows, size_t index, struct error *err)
{
	if (err)
		rows->place(rows, index, err->place, sizeof(err->place));
	return -1;
}

void cell_rows_place(const struct cell_rows *rows, uint64_t line, char *out, size_t size)
{
	if (line)
		snprintf(out, size, rows->has_lines ? "%s:%" PRIu64 : "%s: row %" PRIu64,
			rows->path, line);
	else
		snprintf(out, size, "%s", rows->path);
}

const char *cell_rows_word(const struct cell_rows *rows)
{
	return rows->has_lines ? "line" : "row";
}

const char *table_cell_text(const struct table_cell *cell, char digits[NUMBER_TEXT_SIZE])
{
	if (cell->kind == TABLE_TEXT)
		return cell->text;
	if (cell->kind == TABLE_INTEGER)
		return number_format_int(digits, cell->integer);
	return number_format_shortest(digits, cell->real);
}

/* Most real numbers are decimal ones of few digits: then the product, rounded, is the one, which
 * its quotient shows. */
static bool scale_real(double real, int64_t factor, int64_t *out)
{
	const double product = nearbyint(real * (double)factor);

	if (!(fabs(product) < DIGITS_KEPT) || product / (double)factor != real ||
		number_power_of_ten(factor) != factor)
		return false;
	*out = (int64_t)product;
	return true;
}

bool table_cell_scaled(const struct table_cell *cell, int64_t factor, int64_t *out, bool *inexact)
{
	char digits[NUMBER_TEXT_SIZE];
	const char *text;

	*inexact = false;
	if (cell->kind == TABLE_INTEGER)
		return number_multiply(cell->integer, factor, out);
	if (cell->kind == TABLE_REAL && scale_real(cell->real, factor, out))
		return true;
	text = table_cell_text(cell, digits);
	return number_parse_scaled(
		text, cell->kind == TABLE_TEXT ? cell->size : strlen(text), factor, out, inexact);
}

bool table_cell_is_measured(const struct table_cell *cell)
{
	static const char *const none[] = {"nan", "null", "none", "na", "n/a", "-"};
	const bool is_word = cell->given && cell->kind == TABLE_TEXT && !text_is_digit(*cell->text);

	for (size_t i = 0; is_word && i < sizeof(none) / sizeof(*none); i++)
		if (strcasecmp(cell->text, none[i]) == 0)
			return false;
	return cell->given && (cell->kind != TABLE_REAL || !isnan(cell->real));
}

int64_t csv_number_factor(const struct unit *unit, int64_t kilobyte)
{
	int64_t factor = 1, decimal = 1;

	if (!unit)
		return 1;
	if (unit->dimension != DIMENSION_BYTES || kilobyte != 1024)
		return unit->factor;
	for (; decimal < unit->factor; decimal *= 1000)
		factor *= 1024;
	return decimal == unit->factor ? factor : unit->factor; /* KiB is 1024 anyway */
}

static int no_number(
	struct cell_rows *rows, size_t at, const struct table_cell *field, struct error *err)
{
	char digits[NUMBER_TEXT_SIZE];
	const char *found = table_cell_text(field, digits);
	struct text text;
	double real;

	text_init(&text);
	text_add_visible(&text, found);
	if (number_parse_real(found, strlen(found), &real)) {
		cell_rows_error(rows, at, err, "\"%s\" is out of range", text_string(&text));
	} else if (strchr(found, ',')) {
		cell_rows_error(rows, at, err, "\"%s\" has a comma, expected a number like 1234.5",
			text_string(&text));
		error_hint(err, "decimals are written with a point, thousands without a separator");
	} else {
		cell_rows_error(rows, at, err, "\"%s\" is not a number", text_string(&text));
		error_hint(err, "an empty field says that the value is not known");
	}
	text_release(&text);
	return -1;
}

void cell_memo_keep(struct cell_memo *memo, const struct table_cell *cell, uint32_t value)
{
	if (!cell->entry || cell->entry > ENTRIES_MOST)
		return;
	if (memo->dictionary != cell->dictionary && memo->room)
		memset(memo->value, 0, memo->room * sizeof(*memo->value));
	memo->dictionary = cell->dictionary;
	memo->value = memory_make_room_zeroed(
		memo->value, &memo->room, cell->entry, sizeof(*memo->value));
	memo->value[cell->entry - 1] = value + 1;
}

void cell_memo_release(struct cell_memo *memo)
{
	memory_free(memo->value);
	*memo = (struct cell_memo){0};
}

int csv_number_read(struct cell_rows *rows, const struct cell_row *row, size_t field,
	int64_t factor, struct csv_number *out, struct error *err)
{
	const struct table_cell *cell = &row->field[field];

	if (!table_cell_scaled(cell, factor, &out->value, &out->rounded) && !out->rounded)
		return no_number(rows, field, cell, err);
	if (out->value == CELL_ABSENT) /* that number says "none" inside */
		return no_number(rows, field, cell, err);
	return 0;
}
