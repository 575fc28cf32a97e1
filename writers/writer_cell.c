/*
 * Parts that the writers share: which rows are shown, the unit and the decimals of a column, a cell
 * as text for people, a number and a column name for files.
 */
#include "writers/writer.h"

#include <math.h>
#include <string.h>
#include "base/number.h"
#include "base/names/short_names.h"

#define DECIMALS_USUAL 2
#define DECIMALS_MOST 4

bool writer_row_shown(const struct row *row, bool complete)
{
	return complete ? row->in_files : row->on_screen;
}

static bool cell_value(const struct cell *cell, double *value)
{
	if (cell->kind == CELL_INTEGER)
		*value = (double)cell->integer;
	else if (cell->kind == CELL_REAL && isfinite(cell->real))
		*value = cell->real;
	else
		return false;
	return true;
}

/* Value in the unit, from base units: multiplied or divided, never both, so that there is one
 * rounding. */
static double in_unit(const struct column *column, const struct unit *unit, double value)
{
	if (column->dimension == DIMENSION_FRACTION)
		return value * 100;
	return value / (double)unit->factor;
}

static const struct unit *asked_unit(const struct column *column)
{
	return column->unit && column->unit->dimension == column->dimension ? column->unit : NULL;
}

static bool has_own_units(const struct column *column)
{
	return column->own_units && !asked_unit(column);
}

const struct unit *writer_column_unit(const struct table *table, size_t column, bool complete)
{
	const struct unit *asked = asked_unit(&table->column[column]);
	double largest = 0, value;

	if (asked)
		return asked;
	for (size_t i = 0; i < table->row_count; i++)
		if (writer_row_shown(&table->row[i], complete) &&
			cell_value(&table->row[i].cell[column], &value))
			largest = fmax(largest, fabs(value));
	return unit_choose(table->column[column].dimension, largest);
}

static bool prints_as_zero(double value, int decimals)
{
	char out[NUMBER_TEXT_SIZE];

	number_format_fixed(out, value, decimals);
	return !out[strspn(out, "-0.")];
}

static bool is_whole(const struct column *column, const struct unit *unit, const struct cell *cell)
{
	if (cell->kind == CELL_INTEGER)
		return column->dimension == DIMENSION_FRACTION || cell->integer % unit->factor == 0;
	/* A mean time of 6 ms is whole by accident; bytes and counts are whole by nature. */
	if (column->dimension == DIMENSION_FRACTION || unit->factor != 1)
		return false;
	return cell->real == floor(cell->real);
}

int writer_column_decimals(
	const struct table *table, size_t column, const struct unit *unit, bool complete)
{
	const struct column *col = &table->column[column];
	int decimals = DECIMALS_USUAL;
	bool whole = true;
	double value;

	if (col->decimals >= 0)
		return col->decimals;
	for (size_t i = 0; i < table->row_count; i++) {
		const struct cell *cell = &table->row[i].cell[column];

		if (!writer_row_shown(&table->row[i], complete) || !cell_value(cell, &value))
			continue;
		if (has_own_units(col))
			unit = unit_choose(col->dimension, fabs(value));
		whole = whole && is_whole(col, unit, cell);
		value = in_unit(col, unit, value);
		/* A value that four decimals do not show either must not stretch the column. */
		if (value == 0 || prints_as_zero(value, DECIMALS_MOST))
			continue;
		while (prints_as_zero(value, decimals))
			decimals++;
	}
	return whole ? 0 : decimals;
}

/* A value that the unit of its column cannot show is not 0: it has a smaller unit or, where the
 * user chose the unit, its bound. */
static void add_small(const struct column *column, const struct unit *unit, int decimals,
	double value, struct text *out)
{
	const struct unit *own = unit_choose(column->dimension, fabs(value));
	char number[NUMBER_TEXT_SIZE];

	if (asked_unit(column)) {
		number_format_fixed(number, pow(10, -decimals), decimals);
		text_printf(out, "%s%s %s", value < 0 ? "-<" : "<", number, unit->name);
		return;
	}
	number_format_fixed(number, value / (double)own->factor, own->factor == 1 ? 0 : 2);
	text_printf(out, "%s%s %s", column->show_sign && value > 0 ? "+" : "", number, own->name);
}

void writer_cell_text(const struct column *column, const struct unit *unit, int decimals,
	const struct cell *cell, struct text *out)
{
	char number[NUMBER_TEXT_SIZE];
	double value;

	if (cell->kind == CELL_BLANK)
		return;
	if (cell->kind == CELL_TEXT) {
		text_add_shown(out, column->names && cell->text && !*cell->text ? NO_NAME
				    : cell->text				? cell->text
										: "");
		return;
	}
	if (!cell_value(cell, &value)) {
		text_add(out, "-");
		return;
	}
	if (has_own_units(column))
		unit = unit_choose(column->dimension, fabs(value));
	if (cell->kind == CELL_INTEGER && unit->factor == 1 && decimals == 0 &&
		column->dimension != DIMENSION_FRACTION)
		number_format_int(number, cell->integer);
	else
		number_format_fixed(number, in_unit(column, unit, value), decimals);
	if (value == 0 && unit->name[0] && column->dimension != DIMENSION_FRACTION) {
		text_printf(out, "0 %s", unit->name);
		return;
	}
	if (prints_as_zero(in_unit(column, unit, value), decimals) && unit->name[0] &&
		column->dimension != DIMENSION_FRACTION) {
		add_small(column, unit, decimals, value, out);
		return;
	}
	if (column->show_sign && value > 0)
		text_add_char(out, '+');
	text_add(out, number);
	if (column->dimension == DIMENSION_FRACTION)
		text_add(out, "%");
	else if (unit->name[0])
		text_printf(out, " %s", unit->name);
}

const struct unit *writer_column_file_unit(const struct column *column)
{
	const struct unit *asked = asked_unit(column);

	if (asked)
		return asked;
	if (column->dimension == DIMENSION_TIME)
		return unit_lookup("us");
	return unit_choose(column->dimension, 0);
}

const char *writer_column_unit_key(const struct column *column)
{
	return writer_column_file_unit(column)->key;
}

void writer_column_name(const struct column *column, struct text *out)
{
	const char *key = writer_column_unit_key(column);

	if (column->measure)
		text_add(out, column->measure);
	if (column->measure && column->stat)
		text_add(out, "_");
	if (column->stat)
		text_add(out, column->stat);
	/* "tokens_per_s_mean" says its unit already. */
	if (column->dimension != DIMENSION_COUNT && key[0] &&
		!(column->measure && column->dimension > DIMENSION_FRACTION &&
			text_ends(column->measure, key)))
		text_printf(out, "_%s", key);
}

const char *writer_file_number(const struct column *column, const struct cell *cell, char *out)
{
	const struct unit *unit = writer_column_file_unit(column);
	int64_t percent;
	double value;

	out[0] = '\0';
	if (!cell_value(cell, &value))
		return out;
	if (cell->kind == CELL_INTEGER && column->dimension == DIMENSION_FRACTION &&
		number_multiply(cell->integer, 100, &percent))
		return number_format_int(out, percent);
	if (cell->kind == CELL_INTEGER && column->dimension != DIMENSION_FRACTION &&
		cell->integer % unit->factor == 0)
		return number_format_int(out, cell->integer / unit->factor);
	return number_format_real(
		out, in_unit(column, unit, value), column->digits > 0 ? column->digits : 15);
}

bool writer_column_is_key(const struct column *column)
{
	static const char *const keys[] = {"input", "run", "rank", "side", "op", "type"};

	if (column->measure || !column->stat)
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (text_equal(keys[i], column->stat))
			return true;
	return false;
}

bool writer_column_is_value(const struct column *column)
{
	return column->measure != NULL;
}
