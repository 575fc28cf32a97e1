/* The table for programs: all rows, all measures, every number of the comparison. */
#include <math.h>
#include "base/text.h"
#include "report/build_tables.h"
#include "report/compare/build_compare_words.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- numbers and words of a measure ---- */

enum data_number {
	DATA_BASE,
	DATA_NEW,
	DATA_DIFFERENCE,
	DATA_CHANGE,
	DATA_LOW,
	DATA_HIGH,
	DATA_LEVEL,
	DATA_P,
	DATA_Q,
	DATA_MARGIN,
	DATA_DETECTABLE,
	DATA_LOGRATIO,
	DATA_LOGSE,
	DATA_DF,
};

struct data_column {
	enum data_number number;
	const char *stat;
	enum dimension dimension;
};

static const struct data_column mean_columns[] = {
	{.number = DATA_BASE, .stat = "base"},
	{.number = DATA_NEW, .stat = "new"},
	{.number = DATA_DIFFERENCE, .stat = "difference"},
	{DATA_CHANGE, "change", DIMENSION_FRACTION},
};
static const struct data_column test_columns[] = {
	{DATA_LOW, "low", DIMENSION_FRACTION},
	{DATA_HIGH, "high", DIMENSION_FRACTION},
	{DATA_LEVEL, "level", DIMENSION_FRACTION},
	{DATA_P, "p", DIMENSION_NONE},
	{DATA_Q, "q", DIMENSION_NONE},
	{DATA_MARGIN, "margin", DIMENSION_FRACTION},
	{DATA_DETECTABLE, "detectable", DIMENSION_FRACTION},
	{DATA_LOGRATIO, "logratio", DIMENSION_NONE},
	{DATA_LOGSE, "logse", DIMENSION_NONE},
	{DATA_DF, "df", DIMENSION_NONE},
};
/* The second answer of the same runs; only where there is one. */
static const struct data_column against_columns[] = {
	{DATA_CHANGE, "against_change", DIMENSION_FRACTION},
	{DATA_LOW, "against_low", DIMENSION_FRACTION},
	{DATA_HIGH, "against_high", DIMENSION_FRACTION},
	{DATA_Q, "against_q", DIMENSION_NONE},
};

static struct cell number_cell(const struct data_column *of, const struct compared *value)
{
	bool on_logs = value->evidence != EVIDENCE_LINEAR;
	bool bounded = !isnan(value->low) && !isnan(value->high);
	const double number[] = {
		[DATA_BASE] = value->base_mean,
		[DATA_NEW] = value->new_mean,
		[DATA_DIFFERENCE] = value->difference,
		[DATA_CHANGE] = value->change,
		[DATA_LOW] = value->low,
		[DATA_HIGH] = value->high,
		[DATA_LEVEL] = bounded ? value->level : NAN,
		[DATA_P] = value->p,
		[DATA_Q] = value->q,
		[DATA_MARGIN] = value->base && compared_has_value(value) ? value->margin : NAN,
		[DATA_DETECTABLE] = value->detectable,
		[DATA_LOGRATIO] = on_logs ? value->diff : NAN,
		[DATA_LOGSE] = on_logs ? value->se : NAN,
		[DATA_DF] = value->evidence == EVIDENCE_NONE ? NAN : value->df,
	};

	return cell_real(number[of->number]);
}

static struct cell verdict_cell(
	const struct compare_builder *b, size_t m, const struct compared *value)
{
	return cell_text(value->verdict == VERDICT_NONE
				 ? NULL
				 : verdict_word(value->verdict,
					   verdict_dimension(compare_measure_of(b, m))));
}

/* measure: the name before the columns, or NULL. */
static void add_numbers(struct compare_builder *b, struct table *table, const char *measure,
	const struct data_column *of, size_t count, int digits)
{
	for (size_t i = 0; i < count; i++) {
		struct column *column = report_add_column(b->report, table);

		column->measure = measure;
		column->stat = column->title = of[i].stat;
		column->dimension = of[i].dimension;
		column->digits = digits;
	}
}

static void add_means(struct compare_builder *b, struct table *table, size_t m, const char *measure)
{
	const struct compare_options *opt = b->opt;
	const enum dimension dimension = compare_measure_of(b, m)->dimension;
	struct column *column;

	add_numbers(b, table, measure, mean_columns, COUNT(mean_columns), 15);
	column = &table->column[table->column_count - COUNT(mean_columns)];
	for (size_t i = DATA_BASE; i <= DATA_DIFFERENCE; i++) {
		column[i].dimension = dimension;
		column[i].unit = unit_given(b->build, dimension);
	}
	/* From logarithms then, not from the means. */
	if (opt->method == METHOD_RANKSUM || opt->normalize || opt->value.kind != RUN_VALUE_MEAN)
		column[DATA_CHANGE].digits = 12;
}

static void add_tests(struct compare_builder *b, struct table *table, const char *measure)
{
	report_text_column(b->report, table, "verdict")->measure = measure;
	report_text_column(b->report, table, "evidence")->measure = measure;
	add_numbers(b, table, measure, test_columns, COUNT(test_columns), 12);
}

static struct cell *fill_means(struct cell *cell, const struct compared *value)
{
	for (size_t j = 0; j < COUNT(mean_columns); j++)
		*cell++ = number_cell(&mean_columns[j], value);
	return cell;
}

static struct cell *fill_tests(
	const struct compare_builder *b, size_t m, struct cell *cell, const struct compared *value)
{
	*cell++ = verdict_cell(b, m, value);
	*cell++ = cell_text(evidence_word(value->evidence));
	for (size_t j = 0; j < COUNT(test_columns); j++)
		*cell++ = number_cell(&test_columns[j], value);
	return cell;
}

void compare_add_test(struct compare_builder *b, struct table *table)
{
	add_means(b, table, 0, NULL);
	add_tests(b, table, NULL);
}

struct cell *compare_fill_test(
	const struct compare_builder *b, struct cell *cell, const struct compared *value)
{
	return fill_tests(b, 0, fill_means(cell, value), value);
}

static void add_columns(struct compare_builder *b)
{
	static const char *const before[] = {
		"op", "type", "device", "base_ran", "base_steps", "new_ran", "new_steps"};
	static const char *const after[] = {"base_name", "paired", "short", "notes"};
	struct table *table = &b->report->data;

	for (size_t i = 0; i < COUNT(before); i++)
		report_text_column(b->report, table, before[i]);
	for (size_t m = 0; m < b->comparison->measure_count; m++)
		add_means(b, table, m, compare_measure_of(b, m)->name);
	for (size_t m = 0; m < b->comparison->measure_count; m++)
		add_tests(b, table, compare_measure_of(b, m)->name);
	if (b->comparison->against.asked) {
		report_text_column(b->report, table, "against_verdict")->measure =
			compare_measure_of(b, 0)->name;
		add_numbers(b, table, compare_measure_of(b, 0)->name, against_columns,
			COUNT(against_columns), 12);
	}
	for (size_t i = 0; i < COUNT(after); i++)
		report_text_column(b->report, table, after[i]);
}

/* ---- what is said of the row ---- */

static const char *paired_word(const struct compared_row *row)
{
	if (!row->base)
		return "new";
	if (!row->new)
		return "gone";
	return row->how == PAIRED_TYPE_SHAPE ? "type+shape"
	       : row->how == PAIRED_NEAREST  ? "nearest"
					     : "name";
}

static bool any_lost(const struct compare_builder *b, const struct compared_row *row)
{
	for (size_t m = 0; m < b->comparison->measure_count; m++)
		if ((row->value[m].base && row->value[m].base->lost) ||
			(row->value[m].new && row->value[m].new->lost))
			return true;
	return false;
}

static bool any_run_without_value(const struct compared *value)
{
	return value->base && value->new &&
	       (value->base->valued < value->base->runs || value->new->valued < value->new->runs);
}

/* Codes of the notes about a row ("floor one-run"), of the first measure, but for what is lost of
 * any. */
static const char *compare_codes(const struct compare_builder *b, const struct compared_row *row)
{
	const struct compared *value = &row->value[0];
	size_t base = b->comparison->runs_base, new = b->comparison->runs_new;
	size_t fewest = base < new ? base : new;
	bool tested = value->evidence == EVIDENCE_TEST || value->evidence == EVIDENCE_LINEAR;
	const struct {
		bool holds;
		const char *code;
	} all[] = {
		{!row->base, "new"},
		{!row->new, "gone"},
		{value->fragile_run, "fragile-run"},
		{value->fragile_step, "fragile-step"},
		{value->small, "small"},
		{row->ran_changed, "ran-changed"},
		{value->evidence == EVIDENCE_LINEAR, "zero"},
		{value->evidence == EVIDENCE_FLOOR, "floor"},
		{value->limited, "resolution"},
		{value->withheld, "withheld"},
		{value->of_centres, "run-far-off"},
		{value->far_off.base + value->far_off.new > 0, "runs-left-out"},
		{value->per_call, "per-call"},
		{value->moved, "moved"},
		{any_run_without_value(value), "missing-runs"},
		{value->evidence == EVIDENCE_ONE_RUN, "one-run"},
		{tested && fewest == 2, "few-runs"},
		{any_lost(b, row), "lost"},
	};
	struct text text;
	const char *result;

	text_init(&text);
	for (size_t i = 0; i < COUNT(all); i++)
		if (all[i].holds)
			text_printf(&text, "%s%s", text.size ? " " : "", all[i].code);
	result = arena_strdup(arena_of(b), text_string(&text));
	text_release(&text);
	return result;
}

/* Steps in which the row ran, and all of them; none where the side does not have it. */
static struct cell *add_counts(struct cell *cell, const struct run_row *row)
{
	*cell++ = row ? cell_integer((int64_t)row->ran) : cell_real(NAN);
	*cell++ = row ? cell_integer((int64_t)row->steps) : cell_real(NAN);
	return cell;
}

/* ---- benchmarks of several measures: a row for each measure that they have ---- */

static void add_verdicts(struct compare_builder *b)
{
	static const struct data_column numbers[] = {{DATA_BASE, "base", DIMENSION_NONE},
		{DATA_NEW, "new", DIMENSION_NONE}, {DATA_DIFFERENCE, "difference", DIMENSION_NONE},
		{DATA_CHANGE, "change", DIMENSION_FRACTION}, {DATA_LOW, "low", DIMENSION_FRACTION},
		{DATA_HIGH, "high", DIMENSION_FRACTION}, {DATA_Q, "q", DIMENSION_NONE},
		{DATA_MARGIN, "margin", DIMENSION_FRACTION},
		{DATA_DETECTABLE, "detectable", DIMENSION_FRACTION}};
	static const struct column texts[] = {
		{.stat = "op"}, {.stat = "measure"}, {.stat = "unit"}, {.stat = "verdict"}};
	struct table *table;

	if (!compare_is_mixed(b))
		return;
	table = report_append_table(b->report, "verdicts");
	report_add_columns(b->report, table, NULL, texts, COUNT(texts));
	for (size_t i = 0; i < COUNT(numbers); i++) {
		const struct column column = {.stat = numbers[i].stat,
			.dimension = numbers[i].dimension,
			.digits = numbers[i].number > DATA_CHANGE ? 12 : 0,
			.align = ALIGN_RIGHT};

		report_add_columns(b->report, table, NULL, &column, 1);
	}
	for (size_t r = 0; r < b->comparison->count; r++)
		for (size_t m = 0; m < b->comparison->measure_count; m++) {
			const struct compared *value = &b->comparison->row[r].value[m];
			const struct measure *measure = compare_measure_of(b, m);
			const struct unit *unit = unit_choose(measure->dimension, 0);
			struct cell *cell;

			if (!compared_has_value(value))
				continue;
			cell = report_add_row(b->report, table)->cell;
			*cell++ = cell_text(b->comparison->row[r].name);
			*cell++ = cell_text(measure->name);
			*cell++ = cell_text(unit->key);
			*cell++ = verdict_cell(b, m, value);
			for (size_t i = 0; i < COUNT(numbers); i++) {
				*cell = number_cell(&numbers[i], value);
				/* Cells that have the unit of the row are divided by it. */
				if (numbers[i].number <= DATA_DIFFERENCE && cell->kind == CELL_REAL)
					cell->real /= (double)unit->factor;
				cell++;
			}
		}
}

void compare_add_data(struct compare_builder *b)
{
	add_columns(b);
	for (size_t i = 0; i < b->comparison->count; i++) {
		const struct compared_row *row = &b->comparison->row[i];
		struct cell *cell = report_add_row(b->report, &b->report->data)->cell;

		*cell++ = cell_text(row->name);
		*cell++ = cell_text(row->type);
		*cell++ = cell_text(row->device);
		cell = add_counts(cell, row->value[0].base);
		cell = add_counts(cell, row->value[0].new);
		for (size_t m = 0; m < b->comparison->measure_count; m++)
			cell = fill_means(cell, &row->value[m]);
		for (size_t m = 0; m < b->comparison->measure_count; m++)
			cell = fill_tests(b, m, cell, &row->value[m]);
		if (b->comparison->against.asked) {
			*cell++ = verdict_cell(b, 0, row->against);
			for (size_t j = 0; j < COUNT(against_columns); j++)
				*cell++ = number_cell(&against_columns[j], row->against);
		}
		*cell++ = cell_text(row->was);
		*cell++ = cell_text(paired_word(row));
		*cell++ = cell_text(b->short_name[i]);
		*cell = cell_text(compare_codes(b, row));
	}
	add_verdicts(b);
}
