/* Sheets of tables. Numbers are those of the CSV file to the last digit, as they are made from its
 * text. */
#include "writers/xlsx.h"

#include <math.h>
#include <string.h>
#include "base/number.h"
#include "writers/writer.h"

#define WIDTH_LEAST 7
#define WIDTH_MOST 60
#define WIDTH_OF_PAGE 260		   /* more on one page could not be read */
#define WIDTH_BUTTON 3			   /* of the filter in the header */
#define ROWS_MEASURED 2000		   /* texts beyond do not widen their column */
#define NEAR 1e-9			   /* two ways to the same number differ by less */
#define INTEGER_EXACT 9007199254740992.0   /* 2^53 */
#define INTEGER_MOST 9223372036854775808.0 /* 2^63 */

#define COLOR_SCALE_LOW 0xFFFFFF
#define COLOR_SPREAD 0xF0AE7C
#define COLOR_JITTER 0xE8743C
#define COLOR_LESS 0x7FB8F0
#define COLOR_MORE 0xF0AE7C
#define COLOR_BAR 0xC3DBF1

enum formula_kind { FORMULA_NONE, FORMULA_SHARE, FORMULA_DIFFERENCE, FORMULA_CHANGE };

struct sheet_column {
	const struct column *column;
	enum xlsx_style style;
	size_t width;
	bool has_numbers;
	enum formula_kind formula; /* of its cells in body rows... */
	size_t first, second;	   /* ... from these columns */
};

struct sheet {
	struct xlsx_book *book;
	lxw_worksheet *sheet;
	const struct table *table, *sums;
	bool complete;
	struct sheet_column *column;
	size_t columns;
	size_t front;	   /* columns before those that are folded; 0: none are */
	const size_t *row; /* of the table */
	size_t rows;
	size_t *sum; /* of the sums: the rest, then the total */
	size_t sum_rows;
	size_t total; /* line of the total; 0: there is none */
};

/* ---- numbers ---- */

double xlsx_cell_number(const struct column *column, const struct cell *cell)
{
	char text[NUMBER_TEXT_SIZE];
	double value;

	if (cell->kind != CELL_INTEGER && cell->kind != CELL_REAL)
		return NAN;
	writer_file_number(column, cell, text);
	return *text && number_parse_real(text, strlen(text), &value) ? value : NAN;
}

/* Not every whole number above 2^53 is a double. */
static bool is_rounded(const struct column *column, const struct cell *cell, double value)
{
	char text[NUMBER_TEXT_SIZE];
	int64_t whole;

	if (cell->kind != CELL_INTEGER || fabs(value) < INTEGER_EXACT)
		return false;
	writer_file_number(column, cell, text);
	return number_parse_int(text, strlen(text), &whole) &&
	       (fabs(value) >= INTEGER_MOST || (int64_t)value != whole);
}

/* True if it is the same number but for rounding of a value as large as `scale`. */
static bool is_near(double a, double b, double scale)
{
	return fabs(a - b) <= NEAR * fmax(scale, fmax(fabs(a), fabs(b)));
}

static bool stat_is(const struct column *column, const char *stat)
{
	return column->stat && text_equal(column->stat, stat);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? text_equal(a, b) : a == b;
}

/* ---- which rows and columns ---- */

static void choose_rows(struct sheet *s, struct arena *arena)
{
	size_t *row = arena_array(arena, s->table->row_count + 1, sizeof(*row)), shown = 0, most;

	s->sum = arena_array(arena, (s->sums ? s->sums->row_count : 0) + 1, sizeof(*s->sum));
	for (size_t i = 0; s->sums && i < s->sums->row_count; i++)
		if (s->sums->row[i].role != ROW_BODY &&
			writer_row_shown(&s->sums->row[i], s->complete))
			s->sum[s->sum_rows++] = i;
	most = s->book->limits.rows - 1 - s->sum_rows;
	for (size_t i = 0; i < s->table->row_count; i++) {
		if (!writer_row_shown(&s->table->row[i], s->complete))
			continue;
		if (shown++ < most)
			row[s->rows++] = i;
	}
	s->row = row;
	if (shown > most)
		text_printf(&s->book->said,
			"Left out: %zu of %zu rows of sheet %s; a sheet has %zu lines. A .csv file "
			"has them all.\n",
			shown - most, shown, s->table->name, s->book->limits.rows);
	if (s->sum_rows && s->sums->row[s->sum[s->sum_rows - 1]].role == ROW_TOTAL)
		s->total = s->rows + s->sum_rows;
}

static enum xlsx_style style_of(const struct sheet *s, size_t c)
{
	const struct column *column = &s->table->column[c];
	int decimals;

	if (column->dimension == DIMENSION_NONE)
		return XLSX_GENERAL;
	if (!column->measure &&
		(stat_is(column, "step") || stat_is(column, "first") || stat_is(column, "last")))
		return XLSX_PLAIN;
	if (stat_is(column, "p") || stat_is(column, "q"))
		return XLSX_LEVEL;
	if (column->dimension == DIMENSION_FRACTION)
		return XLSX_FIXED + 1;
	decimals =
		writer_column_decimals(s->table, c, writer_column_file_unit(column), s->complete);
	return XLSX_FIXED + (decimals > XLSX_DECIMALS_MOST ? XLSX_DECIMALS_MOST : decimals);
}

static size_t find_column(const struct sheet *s, const char *measure, const char *stat)
{
	for (size_t c = 0; c < s->columns; c++)
		if (stat_is(&s->table->column[c], stat) &&
			same_text(s->table->column[c].measure, measure))
			return c;
	return SIZE_MAX;
}

static void choose_formula(struct sheet *s, size_t c)
{
	static const struct {
		const char *stat, *first, *second;
		enum formula_kind kind;
	} known[] = {
		{"share", "mean", "mean", FORMULA_SHARE},
		{"difference", "base", "new", FORMULA_DIFFERENCE},
		{"change", "base", "new", FORMULA_CHANGE},
	};
	struct sheet_column *column = &s->column[c];

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (!stat_is(column->column, known[i].stat))
			continue;
		column->first = find_column(s, column->column->measure, known[i].first);
		column->second = find_column(s, column->column->measure, known[i].second);
		if (column->first != SIZE_MAX && column->second != SIZE_MAX)
			column->formula = known[i].kind;
	}
}

/* Columns of a comparison that answer, of the measure that is judged first. */
static const char *const answering[] = {
	"base", "new", "change", "low", "high", "q", "verdict", "difference"};

/* The table of a comparison with the columns that answer first, behind the name; else as it is. */
static void move_answers(struct sheet *s, struct arena *arena)
{
	const size_t count = s->table->column_count;
	/* Room for the name, all columns and an answer that is missing. */
	size_t *from = arena_array(arena, count + 2, sizeof(*from));
	bool *moved = arena_array(arena, count + 1, sizeof(*moved));
	struct table *table = arena_alloc(arena, sizeof(*table));
	const char *measure = NULL;
	size_t n = 0;

	s->columns = count;
	for (size_t c = count; c-- > 0;)
		if (stat_is(&s->table->column[c], "base") && s->table->column[c].measure)
			measure = s->table->column[c].measure;
	from[n++] = find_column(s, NULL, "op");
	for (size_t i = 0; i < sizeof(answering) / sizeof(*answering); i++) {
		from[n] = find_column(s, measure, answering[i]);
		n += from[n] != SIZE_MAX;
	}
	if (!measure || from[0] == SIZE_MAX || find_column(s, measure, "verdict") == SIZE_MAX)
		return;
	s->front = n;
	for (size_t i = 0; i < n; i++)
		moved[from[i]] = true;
	for (size_t c = 0; c < count; c++)
		if (!moved[c])
			from[n++] = c;
	*table = *s->table;
	table->column = arena_array(arena, count, sizeof(*table->column));
	table->row = arena_array(arena, table->row_count + 1, sizeof(*table->row));
	for (size_t c = 0; c < count; c++)
		table->column[c] = s->table->column[from[c]];
	for (size_t i = 0; i < table->row_count; i++) {
		table->row[i] = s->table->row[i];
		table->row[i].cell = arena_array(arena, count, sizeof(*table->row[i].cell));
		for (size_t c = 0; c < count; c++)
			table->row[i].cell[c] = s->table->row[i].cell[from[c]];
	}
	s->table = table;
}

static void choose_columns(struct sheet *s, struct arena *arena)
{
	s->columns = s->table->column_count;
	if (s->columns > s->book->limits.columns) {
		text_printf(&s->book->said,
			"Left out: the last %zu of %zu columns of sheet %s; a sheet has %zu.\n",
			s->columns - s->book->limits.columns, s->columns, s->table->name,
			s->book->limits.columns);
		s->columns = s->book->limits.columns;
	}
	s->column = arena_array(arena, s->columns + 1, sizeof(*s->column));
	for (size_t c = 0; c < s->columns; c++) {
		s->column[c].column = &s->table->column[c];
		s->column[c].style = style_of(s, c);
		s->column[c].width = WIDTH_LEAST;
		choose_formula(s, c);
	}
}

/* ---- cells ---- */

static void widen(struct sheet_column *column, size_t width)
{
	if (width > column->width)
		column->width = width < WIDTH_MOST ? width : WIDTH_MOST;
}

static void widen_for_number(struct sheet_column *column, double value)
{
	const bool is_fixed = column->style >= XLSX_FIXED && column->style < XLSX_HEADER;
	const size_t decimals = is_fixed ? (size_t)column->style - XLSX_FIXED : 0;
	const double size = fabs(value);
	const size_t digits = size >= 10 && size < 1e15 ? (size_t)log10(size) + 1
			      : size >= 1e15		? 16
							: 1;

	column->has_numbers = true;
	widen(column, is_fixed ? digits + digits / 3 + decimals + 4 : 14);
}

static struct xlsx_place place_at(const struct sheet *s, size_t line, size_t c, bool total)
{
	return (struct xlsx_place){s->sheet, (lxw_row_t)line, (lxw_col_t)c,
		xlsx_format(s->book, s->column[c].style, total)};
}

static void cell_name(char *name, size_t line, size_t c)
{
	lxw_rowcol_to_cell(name, (lxw_row_t)line, (lxw_col_t)c);
}

/* A column of the total, in the table of the sums; SIZE_MAX: it has none. */
static size_t sum_column(const struct sheet *s, size_t c)
{
	const struct column *column = &s->table->column[c];

	for (size_t i = 0; s->sums && i < s->sums->column_count; i++) {
		const struct column *other = &s->sums->column[i];

		if (same_text(other->stat, column->stat) &&
			same_text(other->measure, column->measure) &&
			other->dimension == column->dimension)
			return i;
	}
	return SIZE_MAX;
}

static const struct cell *sum_cell(const struct sheet *s, size_t i, size_t c)
{
	const size_t of = sum_column(s, c);

	return of == SIZE_MAX ? NULL : &s->sums->row[s->sum[i]].cell[of];
}

static double total_number(const struct sheet *s, size_t c)
{
	const struct cell *cell = s->total ? sum_cell(s, s->sum_rows - 1, c) : NULL;

	return cell ? xlsx_cell_number(&s->table->column[c], cell) : NAN;
}

/* The formula of a body cell; false where its result would differ from the number in the cell. */
static bool body_formula(const struct sheet *s, size_t line, size_t c, double value, char *formula)
{
	const struct sheet_column *column = &s->column[c];
	const struct cell *cell = s->table->row[s->row[line - 1]].cell;
	char first[LXW_MAX_CELL_NAME_LENGTH], second[LXW_MAX_CELL_NAME_LENGTH];
	double a, b;

	if (column->formula == FORMULA_NONE)
		return false;
	a = xlsx_cell_number(&s->table->column[column->first], &cell[column->first]);
	b = column->formula == FORMULA_SHARE
		    ? total_number(s, column->first)
		    : xlsx_cell_number(&s->table->column[column->second], &cell[column->second]);
	if (isnan(a) || isnan(b))
		return false;
	cell_name(first, line, column->first);
	cell_name(second, line, column->second);
	switch (column->formula) {
	case FORMULA_SHARE:
		lxw_rowcol_to_cell_abs(
			second, (lxw_row_t)s->total, (lxw_col_t)column->first, true, false);
		snprintf(formula, LXW_MAX_FORMULA_RANGE_LENGTH, "=100*%s/%s", first, second);
		return b != 0 && is_near(100 * a / b, value, 0);
	case FORMULA_DIFFERENCE:
		snprintf(formula, LXW_MAX_FORMULA_RANGE_LENGTH, "=%s-%s", second, first);
		return is_near(b - a, value, fmax(fabs(a), fabs(b)));
	default:
		snprintf(formula, LXW_MAX_FORMULA_RANGE_LENGTH, "=100*(%s/%s-1)", second, first);
		return a != 0 && is_near(100 * (b / a - 1), value, 100);
	}
}

static void write_body_cell(struct sheet *s, size_t line, size_t c)
{
	const struct cell *cell = &s->table->row[s->row[line - 1]].cell[c];
	struct sheet_column *column = &s->column[c];
	struct xlsx_place place = place_at(s, line, c, false);
	char formula[LXW_MAX_FORMULA_RANGE_LENGTH];
	double value;
	size_t width;

	if (cell->kind == CELL_TEXT) {
		place.format = NULL;
		if (!cell->text || !*cell->text)
			return;
		width = xlsx_text(s->book, &place, cell->text);
		if (line <= ROWS_MEASURED)
			widen(column, width + 1);
		return;
	}
	value = xlsx_cell_number(column->column, cell);
	if (isnan(value))
		return;
	s->book->rounded_numbers += is_rounded(column->column, cell, value);
	widen_for_number(column, value);
	if (body_formula(s, line, c, value, formula))
		xlsx_formula(s->book, &place, formula, value);
	else
		xlsx_number(s->book, &place, value);
}

/* ---- sums ---- */

/* Columns whose rows add up to their total, where they do. */
static bool is_additive(const struct column *column)
{
	static const char *const stats[] = {"mean", "share", "jitter", "calls", "base", "new"};

	for (size_t i = 0; i < sizeof(stats) / sizeof(*stats); i++)
		if (stat_is(column, stats[i]))
			return true;
	return false;
}

static double sum_above(const struct sheet *s, size_t c)
{
	double sum = 0, value;

	for (size_t i = 0; i < s->rows; i++) {
		value = xlsx_cell_number(s->column[c].column, &s->table->row[s->row[i]].cell[c]);
		sum += isnan(value) ? 0 : value;
	}
	for (size_t i = 0; i + 1 < s->sum_rows; i++) {
		const struct cell *cell = sum_cell(s, i, c);

		value = cell ? xlsx_cell_number(s->column[c].column, cell) : NAN;
		sum += isnan(value) ? 0 : value;
	}
	return sum;
}

static void write_sum_number(struct sheet *s, size_t line, size_t c, double value)
{
	const struct xlsx_place place = place_at(s, line, c, line == s->total);
	char formula[LXW_MAX_FORMULA_RANGE_LENGTH], first[LXW_MAX_CELL_NAME_LENGTH],
		last[LXW_MAX_CELL_NAME_LENGTH];

	widen_for_number(&s->column[c], value);
	if (line == s->total && line > 1 && is_additive(s->column[c].column) &&
		is_near(sum_above(s, c), value, 0)) {
		cell_name(first, 1, c);
		cell_name(last, line - 1, c);
		snprintf(formula, sizeof(formula), "=SUM(%s:%s)", first, last);
		xlsx_formula(s->book, &place, formula, value);
	} else {
		xlsx_number(s->book, &place, value);
	}
}

/* People are shown the difference of a total as text of its own; here it is that of its cells. */
static bool write_difference(struct sheet *s, size_t i, size_t line, size_t c)
{
	const struct sheet_column *column = &s->column[c];
	const struct cell *base, *new;
	char formula[LXW_MAX_FORMULA_RANGE_LENGTH], first[LXW_MAX_CELL_NAME_LENGTH],
		second[LXW_MAX_CELL_NAME_LENGTH];
	const struct xlsx_place place = place_at(s, line, c, line == s->total);
	double a, b;

	if (column->formula != FORMULA_DIFFERENCE)
		return false;
	base = sum_cell(s, i, column->first);
	new = sum_cell(s, i, column->second);
	a = base ? xlsx_cell_number(&s->table->column[column->first], base) : NAN;
	b = new ? xlsx_cell_number(&s->table->column[column->second], new) : NAN;
	if (isnan(a) || isnan(b))
		return false;
	cell_name(first, line, column->first);
	cell_name(second, line, column->second);
	snprintf(formula, sizeof(formula), "=%s-%s", second, first);
	widen_for_number(&s->column[c], b - a);
	xlsx_formula(s->book, &place, formula, b - a);
	return true;
}

static void write_sum_row(struct sheet *s, size_t i)
{
	const size_t line = s->rows + 1 + i;
	const bool is_total = line == s->total;

	for (size_t c = 0; c < s->columns; c++) {
		const struct cell *cell = sum_cell(s, i, c);
		struct xlsx_place place = place_at(s, line, c, is_total);
		const double value = cell ? xlsx_cell_number(s->column[c].column, cell) : NAN;

		if (cell && cell->kind == CELL_TEXT)
			widen(&s->column[c], xlsx_text(s->book, &place, cell->text) + 1);
		else if (!isnan(value))
			write_sum_number(s, line, c, value);
		else if (!write_difference(s, i, line, c) && is_total && s->sheet)
			xlsx_check(s->book, worksheet_write_blank(s->sheet, place.row, place.column,
						    place.format));
	}
}

/* ---- the sheet around the cells ---- */

/* "base us", "change %"; of another measure than time with its name. */
static void name_answer(const struct column *column, struct text *out)
{
	const char *unit = writer_column_unit_key(column);

	if (column->measure && !text_equal(column->measure, "time"))
		text_printf(out, "%s ", column->measure);
	text_add(out, column->stat);
	if (column->measure && *unit)
		text_printf(out, " %s", text_equal(unit, "pct") ? "%" : unit);
}

static void write_header(struct sheet *s)
{
	struct text name;

	text_init(&name);
	for (size_t c = 0; c < s->columns; c++) {
		const bool is_number = s->column[c].has_numbers ||
				       s->column[c].column->dimension != DIMENSION_NONE;
		const struct xlsx_place place = {s->sheet, 0, (lxw_col_t)c,
			xlsx_format(s->book, is_number ? XLSX_HEADER_NUMBER : XLSX_HEADER, false)};

		text_clear(&name);
		if (c < s->front)
			name_answer(s->column[c].column, &name);
		else
			writer_column_name(s->column[c].column, &name);
		widen(&s->column[c], xlsx_text(s->book, &place, text_string(&name)) + WIDTH_BUTTON);
	}
	text_release(&name);
	if (s->sheet)
		xlsx_check(s->book, worksheet_set_row(s->sheet, 0, 20, NULL));
}

static void add_condition(struct sheet *s, size_t c, lxw_conditional_format *condition)
{
	xlsx_check(s->book, worksheet_conditional_format_range(s->sheet, 1, (lxw_col_t)c,
				    (lxw_row_t)s->rows, (lxw_col_t)c, condition));
}

static void color_scale(struct sheet *s, size_t c, double most, lxw_color_t color)
{
	lxw_conditional_format condition = {.type = LXW_CONDITIONAL_2_COLOR_SCALE,
		.min_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
		.max_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
		.min_value = 0,
		.max_value = most,
		.min_color = COLOR_SCALE_LOW,
		.max_color = color};

	add_condition(s, c, &condition);
}

static void color_word(struct sheet *s, size_t c, const char *word, lxw_format *format)
{
	lxw_conditional_format condition = {.type = LXW_CONDITIONAL_TYPE_TEXT,
		.criteria = LXW_CONDITIONAL_CRITERIA_TEXT_BEGINS_WITH,
		.value_string = (char *)word,
		.format = format};

	add_condition(s, c, &condition);
}

static void color_words(struct sheet *s, size_t c)
{
	static const char *const bad[] = {"REGRESSED", "SLOWER", "WORSE", "MORE", "LOST", "failed",
		"unusable", "loss", "error"};
	static const char *const good[] = {"IMPROVED", "FASTER", "BETTER", "LESS", "passed"};
	static const char *const odd[] = {
		"INCONCLUSIVE", "BLIND", "NEW", "GONE", "undecided", "waived", "skipped"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		color_word(s, c, bad[i], s->book->bad);
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		color_word(s, c, good[i], s->book->good);
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		color_word(s, c, odd[i], s->book->odd);
}

/* CV, jitter share and change by colour, share as a bar, verdicts by the colour of the cell. */
static void color_columns(struct sheet *s)
{
	for (size_t c = 0; c < s->columns && s->rows; c++) {
		const struct column *column = s->column[c].column;

		if (stat_is(column, "cv") || stat_is(column, "cvpop") || stat_is(column, "cvrun"))
			color_scale(s, c, 100, COLOR_SPREAD);
		else if (stat_is(column, "jitter"))
			color_scale(s, c, 50, COLOR_JITTER);
		else if (stat_is(column, "change")) {
			lxw_conditional_format condition = {.type = LXW_CONDITIONAL_3_COLOR_SCALE,
				.min_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
				.mid_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
				.max_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
				.min_value = -50,
				.mid_value = 0,
				.max_value = 50,
				.min_color = COLOR_LESS,
				.mid_color = COLOR_SCALE_LOW,
				.max_color = COLOR_MORE};

			add_condition(s, c, &condition);
		} else if (stat_is(column, "share")) {
			/* Add bars in the form of Excel 2007: the newer ones are an extension that
			 * other programs warn about. */
			lxw_conditional_format condition = {.type = LXW_CONDITIONAL_DATA_BAR,
				.bar_color = COLOR_BAR,
				.min_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
				.min_value = 0,
				.max_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
				.max_value = 100};

			add_condition(s, c, &condition);
		} else if (stat_is(column, "verdict") || stat_is(column, "status") ||
			   stat_is(column, "severity"))
			color_words(s, c);
	}
}

/* The name of the row stays, too, where it is among the first columns. */
static size_t frozen_columns(const struct sheet *s)
{
	static const char *const names[] = {"op", "series", "step", "rank", "column"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const size_t c = find_column(s, NULL, names[i]);

		if (c <= 1)
			return c + 1;
	}
	return 0;
}

static void finish_sheet(struct sheet *s)
{
	size_t width = 0;

	for (size_t c = 0; c < s->columns; c++) {
		if (s->front && c >= s->front)
			continue;
		xlsx_width(s->book, s->sheet, (lxw_col_t)c, (double)s->column[c].width);
		width += s->column[c].width;
	}
	if (s->front && s->front < s->columns)
		xlsx_fold(s->book, s->sheet, (lxw_col_t)s->front, (lxw_col_t)(s->columns - 1));
	if (!s->sheet || !s->columns)
		return;
	worksheet_freeze_panes(s->sheet, 1, (lxw_col_t)frozen_columns(s));
	if (s->rows)
		xlsx_check(s->book, worksheet_autofilter(s->sheet, 0, 0, (lxw_row_t)s->rows,
					    (lxw_col_t)(s->columns - 1)));
	color_columns(s);
	worksheet_set_landscape(s->sheet);
	if (width <= WIDTH_OF_PAGE)
		worksheet_fit_to_pages(s->sheet, 1, 0);
	xlsx_check(s->book, worksheet_repeat_rows(s->sheet, 0, 0));
}

void xlsx_write_table(struct xlsx_book *book, const char *name, const struct table *table,
	const struct table *sums, bool complete, struct arena *arena, struct xlsx_written *out)
{
	struct sheet s = {.book = book,
		.sheet = xlsx_sheet(book, name),
		.table = table,
		.sums = sums,
		.complete = complete};

	move_answers(&s, arena);
	choose_rows(&s, arena);
	choose_columns(&s, arena);
	for (size_t line = 1; line <= s.rows; line++)
		for (size_t c = 0; c < s.columns; c++)
			write_body_cell(&s, line, c);
	for (size_t i = 0; i < s.sum_rows; i++)
		write_sum_row(&s, i);
	write_header(&s);
	finish_sheet(&s);
	*out = (struct xlsx_written){name, s.table, s.row, s.rows, s.columns};
}
