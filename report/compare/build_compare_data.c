/*
 * The table for programs: all rows, all measures, every number of the comparison.
 */
#include <math.h>
#include "base/text.h"
#include "report/build_tables.h"
#include "report/compare/build_compare_words.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Sources of the cells of a row. */
struct data_line {
	const struct compare_builder *b;
	const struct compared_row *row;
	const char *short_name;
};

/* ---- numbers and words of a measure; the index of their columns is that of the measure ---- */

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

struct data_number_column {
	enum data_number number;
	const char *stat;
	enum dimension dimension;
};

static const struct compared *value_of(const struct column *column, const void *from)
{
	return &((const struct data_line *)from)->row->value[column->index];
}

static struct cell cell_of(const struct data_number_column *of, const struct compared *value)
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

static struct cell number_cell(const struct column *column, const void *from)
{
	return cell_of(column->of, value_of(column, from));
}

static struct cell against_number_cell(const struct column *column, const void *from)
{
	return cell_of(column->of, ((const struct data_line *)from)->row->against);
}

static struct cell verdict_cell(const struct column *column, const void *from)
{
	const struct compare_builder *b = ((const struct data_line *)from)->b;
	enum verdict verdict = value_of(column, from)->verdict;

	if (verdict == VERDICT_NONE)
		return cell_text(NULL);
	return cell_text(
		verdict_word(verdict, verdict_dimension(compare_measure_of(b, column->index))));
}

static struct cell against_cell(const struct column *column, const void *from)
{
	const struct data_line *line = from;
	const enum verdict verdict = line->row->against->verdict;

	return cell_text(verdict == VERDICT_NONE
				 ? NULL
				 : verdict_word(verdict, verdict_dimension(compare_measure_of(
								 line->b, column->index))));
}

static struct cell evidence_cell(const struct column *column, const void *from)
{
	return cell_text(evidence_word(value_of(column, from)->evidence));
}

static struct column *number_column(
	struct compare_builder *b, size_t m, const struct data_number_column *of)
{
	struct column *column = report_add_column(b->report, &b->report->data);

	column->measure = compare_measure_of(b, m)->name;
	column->stat = column->title = of->stat;
	column->dimension = of->dimension;
	column->make = number_cell;
	column->of = of;
	column->index = m;
	return column;
}

static void word_column(struct compare_builder *b, size_t m, const char *stat,
	struct cell (*make)(const struct column *, const void *))
{
	struct column *column = report_text_column(b->report, &b->report->data, stat);

	column->measure = compare_measure_of(b, m)->name;
	column->make = make;
	column->index = m;
}

static void mean_columns(struct compare_builder *b, size_t m)
{
	static const struct data_number_column means[] = {
		{.number = DATA_BASE, .stat = "base"},
		{.number = DATA_NEW, .stat = "new"},
		{.number = DATA_DIFFERENCE, .stat = "difference"},
	};
	static const struct data_number_column change = {DATA_CHANGE, "change", DIMENSION_FRACTION};
	const struct compare_options *opt = b->opt;
	enum dimension dimension = compare_measure_of(b, m)->dimension;
	struct column *column;

	for (size_t i = 0; i < COUNT(means); i++) {
		column = number_column(b, m, &means[i]);
		column->dimension = dimension;
		column->unit = unit_given(b->build, dimension);
	}
	column = number_column(b, m, &change);
	/* From logarithms then, not from the means. */
	if (opt->method == METHOD_RANKSUM || opt->normalize || opt->value.kind != RUN_VALUE_MEAN)
		column->digits = 12;
}

static void test_columns(struct compare_builder *b, size_t m)
{
	static const struct data_number_column numbers[] = {
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

	word_column(b, m, "verdict", verdict_cell);
	word_column(b, m, "evidence", evidence_cell);
	for (size_t i = 0; i < COUNT(numbers); i++)
		number_column(b, m, &numbers[i])->digits = 12;
}

/* The second answer of the same runs; only where there is one. */
static void against_columns(struct compare_builder *b)
{
	static const struct data_number_column numbers[] = {
		{DATA_CHANGE, "against_change", DIMENSION_FRACTION},
		{DATA_LOW, "against_low", DIMENSION_FRACTION},
		{DATA_HIGH, "against_high", DIMENSION_FRACTION},
		{DATA_Q, "against_q", DIMENSION_NONE},
	};

	if (!b->comparison->against.asked)
		return;
	word_column(b, 0, "against_verdict", against_cell);
	for (size_t i = 0; i < COUNT(numbers); i++) {
		struct column *column = number_column(b, 0, &numbers[i]);

		column->make = against_number_cell;
		column->digits = 12;
	}
}

/* ---- what is said of the row ---- */

const char *compare_paired_word(const struct compared_row *row)
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

const char *compare_codes(const struct compare_builder *b, const struct compared_row *row)
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

enum data_part {
	DATA_OP,
	DATA_TYPE,
	DATA_DEVICE,
	DATA_BASE_RAN,
	DATA_BASE_STEPS,
	DATA_NEW_RAN,
	DATA_NEW_STEPS,
	DATA_BASE_NAME,
	DATA_PAIRED,
	DATA_SHORT,
	DATA_NOTES,
};

/* NULL: the side does not have the row. */
static struct cell count_cell(const struct run_row *row, bool of_steps)
{
	if (!row)
		return cell_real(NAN);
	return cell_integer((int64_t)(of_steps ? row->steps : row->ran));
}

static struct cell part_cell(const struct column *column, const void *from)
{
	const struct data_line *line = from;
	const struct compared_row *row = line->row;

	switch ((enum data_part)column->index) {
	case DATA_OP:
		return cell_text(row->name);
	case DATA_TYPE:
		return cell_text(row->type);
	case DATA_DEVICE:
		return cell_text(row->device);
	case DATA_BASE_RAN:
		return count_cell(row->value[0].base, false);
	case DATA_BASE_STEPS:
		return count_cell(row->value[0].base, true);
	case DATA_NEW_RAN:
		return count_cell(row->value[0].new, false);
	case DATA_NEW_STEPS:
		return count_cell(row->value[0].new, true);
	case DATA_BASE_NAME:
		return cell_text(row->was);
	case DATA_PAIRED:
		return cell_text(compare_paired_word(row));
	case DATA_SHORT:
		return cell_text(line->short_name);
	case DATA_NOTES:
		break;
	}
	return cell_text(compare_codes(line->b, row));
}

static void part_columns(struct compare_builder *b, enum data_part first, enum data_part last)
{
	static const char *const name[] = {
		[DATA_OP] = "op",
		[DATA_TYPE] = "type",
		[DATA_DEVICE] = "device",
		[DATA_BASE_RAN] = "base_ran",
		[DATA_BASE_STEPS] = "base_steps",
		[DATA_NEW_RAN] = "new_ran",
		[DATA_NEW_STEPS] = "new_steps",
		[DATA_BASE_NAME] = "base_name",
		[DATA_PAIRED] = "paired",
		[DATA_SHORT] = "short",
		[DATA_NOTES] = "notes",
	};

	for (size_t i = first; i <= last; i++) {
		struct column *column = report_text_column(b->report, &b->report->data, name[i]);

		column->make = part_cell;
		column->index = i;
	}
}

/* ---- benchmarks of several measures: a row for each measure that they have ---- */

struct verdict_line {
	const struct compare_builder *b;
	const struct compared_row *row;
	size_t m;
};

enum verdict_column { VERDICTS_OP, VERDICTS_MEASURE, VERDICTS_UNIT, VERDICTS_VERDICT };

static struct cell verdicts_text(const struct column *column, const void *from)
{
	const struct verdict_line *line = from;
	const struct measure *measure = compare_measure_of(line->b, line->m);
	const struct column of = {.index = line->m};

	switch ((enum verdict_column)column->index) {
	case VERDICTS_OP:
		return cell_text(line->row->name);
	case VERDICTS_MEASURE:
		return cell_text(measure->name);
	case VERDICTS_UNIT:
		return cell_text(unit_choose(measure->dimension, 0)->key);
	case VERDICTS_VERDICT:
		break;
	}
	return verdict_cell(&of, &(struct data_line){line->b, line->row, NULL});
}

/* Cells that have the unit of the row are divided by it. */
static struct cell verdicts_number(const struct column *column, const void *from)
{
	const struct verdict_line *line = from;
	const struct data_number_column *of = column->of;
	struct cell cell = cell_of(of, &line->row->value[line->m]);

	if (of->number <= DATA_DIFFERENCE && cell.kind == CELL_REAL)
		cell.real /= (double)unit_choose(compare_measure_of(line->b, line->m)->dimension, 0)
				     ->factor;
	return cell;
}

static void add_verdicts(struct compare_builder *b)
{
	static const struct data_number_column numbers[] = {{DATA_BASE, "base", DIMENSION_NONE},
		{DATA_NEW, "new", DIMENSION_NONE}, {DATA_DIFFERENCE, "difference", DIMENSION_NONE},
		{DATA_CHANGE, "change", DIMENSION_FRACTION}, {DATA_LOW, "low", DIMENSION_FRACTION},
		{DATA_HIGH, "high", DIMENSION_FRACTION}, {DATA_Q, "q", DIMENSION_NONE},
		{DATA_MARGIN, "margin", DIMENSION_FRACTION},
		{DATA_DETECTABLE, "detectable", DIMENSION_FRACTION}};
	static const struct column texts[] = {[VERDICTS_OP] = {.stat = "op"},
		[VERDICTS_MEASURE] = {.stat = "measure"},
		[VERDICTS_UNIT] = {.stat = "unit"},
		[VERDICTS_VERDICT] = {.stat = "verdict"}};
	struct table *table;

	if (!compare_is_mixed(b))
		return;
	table = report_append_table(b->report, "verdicts");
	report_add_columns(b->report, table, verdicts_text, texts, COUNT(texts));
	for (size_t i = 0; i < COUNT(numbers); i++) {
		const struct column column = {.stat = numbers[i].stat,
			.dimension = numbers[i].dimension,
			.of = &numbers[i],
			.digits = numbers[i].number > DATA_CHANGE ? 12 : 0,
			.align = ALIGN_RIGHT};

		report_add_columns(b->report, table, verdicts_number, &column, 1);
	}
	for (size_t i = 0; i < b->comparison->count; i++)
		for (size_t m = 0; m < b->comparison->measure_count; m++)
			if (compared_has_value(&b->comparison->row[i].value[m]))
				report_make_row(b->report, table,
					&(struct verdict_line){b, &b->comparison->row[i], m});
}

void compare_add_data(struct compare_builder *b)
{
	part_columns(b, DATA_OP, DATA_NEW_STEPS);
	for (size_t m = 0; m < b->comparison->measure_count; m++)
		mean_columns(b, m);
	for (size_t m = 0; m < b->comparison->measure_count; m++)
		test_columns(b, m);
	against_columns(b);
	part_columns(b, DATA_BASE_NAME, DATA_NOTES);
	for (size_t i = 0; i < b->comparison->count; i++)
		report_make_row(b->report, &b->report->data,
			&(struct data_line){b, &b->comparison->row[i], b->short_name[i]});
	add_verdicts(b);
}
