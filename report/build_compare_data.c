/*
 * The table for programs: all rows, all measures, every number of the comparison.
 */
#include <math.h>
#include "base/text.h"
#include "report/build_compare_table.h"

static struct column *add_column(
	struct compare_builder *b, const char *measure, const char *stat, enum dimension dimension)
{
	struct column *column = report_add_column(b->report, &b->report->data);

	column->measure = measure;
	column->stat = column->title = stat;
	column->dimension = dimension;
	return column;
}

static void text_column(struct compare_builder *b, const char *measure, const char *stat)
{
	add_column(b, measure, stat, DIMENSION_NONE)->align = ALIGN_LEFT;
}

static void mean_columns(struct compare_builder *b, size_t m)
{
	static const char *const stats[] = {"base", "new", "difference"};
	const struct compare_options *opt = b->opt;
	const struct measure *measure = compare_measure_of(b, m);
	struct column *change;

	for (size_t i = 0; i < sizeof(stats) / sizeof(*stats); i++)
		add_column(b, measure->name, stats[i], measure->dimension)->unit =
			measure->dimension == DIMENSION_TIME	? b->build->time_unit
			: measure->dimension == DIMENSION_BYTES ? b->build->bytes_unit
								: NULL;
	change = add_column(b, measure->name, "change", DIMENSION_FRACTION);
	/* From logarithms then, not from the means. */
	if (opt->method == METHOD_RANKSUM || opt->normalize || opt->value.kind != RUN_VALUE_MEAN)
		change->digits = 12;
}

static void test_columns(struct compare_builder *b, size_t m)
{
	static const struct {
		const char *stat;
		enum dimension dimension;
	} number[] = {
		{"low", DIMENSION_FRACTION},
		{"high", DIMENSION_FRACTION},
		{"level", DIMENSION_FRACTION},
		{"p", DIMENSION_NONE},
		{"q", DIMENSION_NONE},
		{"margin", DIMENSION_FRACTION},
		{"detectable", DIMENSION_FRACTION},
		{"logratio", DIMENSION_NONE},
		{"logse", DIMENSION_NONE},
		{"df", DIMENSION_NONE},
	};
	const char *name = compare_measure_of(b, m)->name;

	text_column(b, name, "verdict");
	text_column(b, name, "evidence");
	for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++)
		add_column(b, name, number[i].stat, number[i].dimension)->digits = 12;
}

static size_t mean_cells(struct cell *cell, const struct compared *value)
{
	cell[0] = cell_real(value->base_mean);
	cell[1] = cell_real(value->new_mean);
	cell[2] = cell_real(value->difference);
	cell[3] = cell_real(value->change);
	return 4;
}

static size_t test_cells(
	const struct compare_builder *b, size_t m, struct cell *cell, const struct compared *value)
{
	bool on_logs = value->evidence != EVIDENCE_LINEAR;
	bool bounded = !isnan(value->low) && !isnan(value->high);
	const double number[] = {value->low, value->high, bounded ? value->level : NAN, value->p,
		value->q, value->base ? value->margin : NAN, value->detectable,
		on_logs ? value->diff : NAN, on_logs ? value->se : NAN, value->df};
	size_t count = sizeof(number) / sizeof(*number);

	cell[0] = value->verdict == VERDICT_NONE ? cell_text(NULL)
						 : cell_text(verdict_word(value->verdict,
							   compare_measure_of(b, m)->dimension));
	cell[1] = cell_text(evidence_word(value->evidence));
	for (size_t i = 0; i < count; i++)
		cell[2 + i] = cell_real(number[i]);
	return 2 + count;
}

static struct cell count_cell(const struct run_row *row, bool of_steps)
{
	if (!row)
		return cell_real(NAN);
	return cell_integer((int64_t)(of_steps ? row->steps : row->ran));
}

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

/* Codes of the first measure, but for what is lost of any. */
static const char *codes(const struct compare_builder *b, const struct compared_row *row)
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
		{compare_is_off_interval(value), "run-far-off"},
		{any_run_without_value(value), "missing-runs"},
		{value->evidence == EVIDENCE_ONE_RUN, "one-run"},
		{tested && fewest == 2, "few-runs"},
		{any_lost(b, row), "lost"},
	};
	struct text text;
	const char *result;

	text_init(&text);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i].holds)
			text_printf(&text, "%s%s", text.size ? " " : "", all[i].code);
	result = arena_strdup(b->report->arena, text_string(&text));
	text_release(&text);
	return result;
}

static void add_row(
	struct compare_builder *b, const struct compared_row *from, const char *short_name)
{
	struct cell *cell = report_add_row(b->report, &b->report->data)->cell;
	const struct compared *first = &from->value[0];

	*cell++ = cell_text(from->name);
	*cell++ = cell_text(from->type);
	*cell++ = cell_text(from->device);
	*cell++ = count_cell(first->base, false);
	*cell++ = count_cell(first->base, true);
	*cell++ = count_cell(first->new, false);
	*cell++ = count_cell(first->new, true);
	for (size_t m = 0; m < b->comparison->measure_count; m++)
		cell += mean_cells(cell, &from->value[m]);
	for (size_t m = 0; m < b->comparison->measure_count; m++)
		cell += test_cells(b, m, cell, &from->value[m]);
	*cell++ = cell_text(from->was);
	*cell++ = cell_text(paired_word(from));
	*cell++ = cell_text(short_name);
	*cell++ = cell_text(codes(b, from));
}

void compare_add_data(struct compare_builder *b)
{
	static const char *const leading[] = {
		"op", "type", "device", "base_ran", "base_steps", "new_ran", "new_steps"};
	size_t count = b->comparison->count;

	for (size_t i = 0; i < sizeof(leading) / sizeof(*leading); i++)
		text_column(b, NULL, leading[i]);
	for (size_t m = 0; m < b->comparison->measure_count; m++)
		mean_columns(b, m);
	for (size_t m = 0; m < b->comparison->measure_count; m++)
		test_columns(b, m);
	text_column(b, NULL, "base_name");
	text_column(b, NULL, "paired");
	text_column(b, NULL, "short");
	text_column(b, NULL, "notes");
	for (size_t i = 0; i < count; i++)
		add_row(b, &b->comparison->row[i], b->short_name[i]);
}
