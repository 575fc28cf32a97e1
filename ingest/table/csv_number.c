/*
 * Numbers of tables.
 */
#include "ingest/table/csv_number.h"

#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "model/profile.h"

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
