/* The table of writers, and the parts that they share: cells, short names, the checks of a gate,
 * fields of CSV. */
#include "writers/writer.h"

#include <csv.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include "base/text.h"
#include "base/names/short_names.h"
#include "base/number.h"
#include "base/memory.h"

#define WRITER(name) extern const struct writer writer_##name;
#include "writers/writers.def"
#undef WRITER

const struct writer *const writer_table[] = {
#define WRITER(name) &writer_##name,
#include "writers/writers.def"
#undef WRITER
};

const size_t writer_count = sizeof(writer_table) / sizeof(writer_table[0]);

#define WRITERS (sizeof(writer_table) / sizeof(writer_table[0]))

const struct writer *writer_find(const char *name, struct error *err)
{
	const char *names[WRITERS];
	struct text list;

	for (size_t i = 0; i < WRITERS; i++) {
		names[i] = writer_table[i]->name;
		if (text_equal(names[i], name))
			return writer_table[i];
	}
	text_init(&list);
	for (size_t i = 0; i < WRITERS; i++)
		text_printf(&list, "%s%s", i ? ", " : "", names[i]);
	int nearest = text_nearest(name, names, WRITERS);

	error_set(err, ERROR_USAGE, NULL, "unknown output format \"%s\"", name);
	if (nearest >= 0)
		error_hint(err, "did you mean \"%s\"? formats: %s", names[nearest],
			text_string(&list));
	else
		error_hint(err, "formats: %s", text_string(&list));
	text_release(&list);
	return NULL;
}

/* Suffixes are compared without case: OPS.CSV is meant for a spreadsheet too. */
static bool path_has_suffix(const char *path, const char *suffix)
{
	size_t length = strlen(path), tail = strlen(suffix);

	return length > tail && strcasecmp(path + length - tail, suffix) == 0;
}

const struct writer *writer_for_path(const char *path, struct error *err)
{
	struct text list;

	for (size_t i = 0; i < WRITERS; i++)
		for (const char *const *s = writer_table[i]->suffixes; *s; s++)
			if (path_has_suffix(text_base_name(path), *s))
				return writer_table[i];
	text_init(&list);
	for (size_t i = 0; i < WRITERS; i++)
		for (const char *const *s = writer_table[i]->suffixes; *s; s++)
			text_printf(&list, "%s%s", list.size ? " " : "", *s);
	error_set(err, ERROR_USAGE, NULL,
		"the name \"%s\" does not say which format to write, expected a suffix of: %s",
		path, text_string(&list));
	error_hint(err, "change the suffix; any format goes to standard output: --to=csv > FILE");
	text_release(&list);
	return NULL;
}

/* ---- The short names of a table for people: the same in every writer and in the sentences
 * above it ---- */

void writer_short_names(const struct table *table, size_t column, size_t width, struct arena *arena,
	const char **cut)
{
	const char **name = arena_array(arena, table->row_count, sizeof(*name));
	bool known = width == SHORT_NAME_WIDTH && table->column[column].names;

	for (size_t i = 0; i < table->row_count; i++) {
		const struct cell *cell = &table->row[i].cell[column];

		name[i] = table->row[i].role == ROW_BODY && cell->kind == CELL_TEXT ? cell->text
										    : NULL;
		known = known && (!name[i] || table->row[i].short_name);
	}
	if (!known) {
		short_names(name, table->row_count, width, arena, cut);
		return;
	}
	for (size_t i = 0; i < table->row_count; i++)
		cut[i] = name[i] ? table->row[i].short_name : NULL;
}

bool writer_name_is_cut(const char *name, const char *cut)
{
	struct text visible;
	bool same;

	if (!cut || !*name || text_equal(name, cut))
		return false;
	text_init(&visible);
	text_add_shown(&visible, name);
	same = text_equal(text_string(&visible), cut);
	text_release(&visible);
	return !same;
}

/* ---- Parts that the writers share: which rows are shown, the unit and the decimals of a
 * column, a cell as text for people, a number and a column name for files ---- */

#define DECIMALS_USUAL 2
#define DECIMALS_MOST 4

bool writer_row_shown(const struct row *row, bool complete)
{
	return complete ? row->in_files : row->on_screen;
}

bool writer_cell_value(const struct cell *cell, double *value)
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
			writer_cell_value(&table->row[i].cell[column], &value))
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

		if (!writer_row_shown(&table->row[i], complete) || !writer_cell_value(cell, &value))
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
	if (!writer_cell_value(cell, &value)) {
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
	if (!writer_cell_value(cell, &value))
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

/* ---- The checks of a gate as all writers show them: the loud ones first, the same words
 * everywhere ---- */

/* LEVEL_COUNT: the check passed, or was skipped because nothing asks for its answer. */
static enum check_level level_of(const struct check *check)
{
	switch (check->status) {
	case CHECK_FAILED:
	case CHECK_UNUSABLE:
		return LEVEL_RED;
	case CHECK_UNDECIDED:
		return LEVEL_UNDECIDED;
	case CHECK_WAIVED:
		return LEVEL_WAIVED;
	case CHECK_PASSED:
	case CHECK_SKIPPED:
		break;
	}
	return LEVEL_COUNT;
}

static void add_level(struct check_list *list, const struct report *report, enum check_level level,
	bool of_step, bool blind)
{
	for (size_t i = 0; i < report->check_count; i++) {
		const struct check *check = &report->check[i];

		if (level_of(check) != level || check->of_step != of_step ||
			(check->is_blind && level == LEVEL_UNDECIDED && !blind))
			continue;
		list->item[list->count++] = (struct listed_check){check, level};
		list->of_level[level]++;
	}
}

void check_list_init(struct check_list *list, const struct report *report, bool blind)
{
	*list = (struct check_list){0};
	list->item = memory_alloc(memory_product(report->check_count + 1, sizeof(*list->item)));
	for (int of_ops = 0; of_ops < 2; of_ops++)
		for (int level = 0; level < LEVEL_COUNT; level++)
			add_level(list, report, (enum check_level)level, !of_ops, blind);
}

void check_list_release(struct check_list *list)
{
	memory_free(list->item);
	list->item = NULL;
}

const char *check_status_word(enum check_status status)
{
	static const char *const word[] = {
		[CHECK_PASSED] = "passed",
		[CHECK_FAILED] = "failed",
		[CHECK_UNDECIDED] = "undecided",
		[CHECK_WAIVED] = "waived",
		[CHECK_UNUSABLE] = "unusable",
		[CHECK_SKIPPED] = "skipped",
	};

	return word[status];
}

const char *check_verdict(const struct check *check)
{
	return check->verdict && *check->verdict ? check->verdict
						 : check_status_word(check->status);
}

void check_add_subject(const struct check *check, struct text *out)
{
	if (!check->subject && !check->measure)
		text_add(out, check->name);
	if (check->subject)
		text_add(out, check->subject);
	if (check->subject && check->measure)
		text_add_char(out, ' ');
	if (check->measure)
		text_add(out, check->measure);
}

void check_add_title(const struct check *check, struct text *out)
{
	text_add(out, check_verdict(check));
	/* Else a regression that somebody signed for would read like any other. */
	if (check->status == CHECK_WAIVED && check->verdict && *check->verdict)
		text_add(out, ", waived");
	text_add(out, ": ");
	check_add_subject(check, out);
	if (check->subject || check->measure)
		text_printf(out, " (%s)", check->name);
}

enum check_level check_exit_level(int exit_status)
{
	switch (exit_status) {
	case 0:
	case 5: /* improved: said aloud where asked, nothing is wrong */
		return LEVEL_COUNT;
	case 4:
		return LEVEL_UNDECIDED;
	default:
		return LEVEL_RED;
	}
}

int check_need_result(const struct report *report, const char *format, struct error *err)
{
	if (report->has_result)
		return 0;
	error_set(err, ERROR_USAGE, NULL,
		"%s shows the checks of a gate, and `stepstat %s` makes none", format,
		report->command ? report->command : "report");
	return error_hint(
		err, "only `stepstat gate` writes it; other formats: text, csv, md, json");
}

/* Readers trim blanks around unquoted fields (libcsv does), so they need quotes too; and what would
 * be a command of GitHub at the beginning of a line of its log is none in quotes. */
static bool needs_quotes(const char *s, char separator)
{
	size_t n = strlen(s);

	return n > 0 && (strchr(s, separator) || strpbrk(s, ",\"") || s[0] == ' ' ||
				s[n - 1] == ' ' || text_starts(s, "::"));
}

void csv_field_between(struct text *line, const char *s, bool safe, char separator)
{
	struct text field;

	text_init(&field);
	if (safe && s[0] && strchr("=+-@\t\r", s[0]))
		text_add_char(&field, '\'');
	text_add_visible(&field, s);
	if (needs_quotes(text_string(&field), separator)) {
		size_t room = 2 * field.size + 2; /* csv_write2 wants it */
		char *quoted = memory_alloc(room);
		size_t n = csv_write2(quoted, room, field.data, field.size, '"');

		text_add_bytes(line, quoted, n);
		memory_free(quoted);
	} else {
		text_add(line, text_string(&field));
	}
	text_release(&field);
}

void csv_field(struct text *line, const char *s, bool safe)
{
	csv_field_between(line, s, safe, ',');
}
