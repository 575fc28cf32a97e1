/*
 * Words for the self-test of a gate: what it would have found.
 */
#include "report/compare/build_gate.h"
#include "report/compare/build_compare_words.h"

enum planted_column {
	PLANTED_OP,
	PLANTED_CHANGE,
	PLANTED_DETECTABLE,
	PLANTED_Q,
	PLANTED_VERDICT,
};

/* Sources of the cells of a row. */
struct planted_line {
	const struct planted *planted;
	enum dimension dimension;
	struct arena *arena; /* for people; NULL: for programs */
};

static struct cell planted_cell(const struct column *column, const void *from)
{
	const struct planted_line *line = from;
	const struct compared *value = &line->planted->value;

	switch ((enum planted_column)column->index) {
	case PLANTED_OP:
		return cell_text(line->planted->row->name);
	case PLANTED_CHANGE:
		return cell_real(line->planted->change);
	case PLANTED_DETECTABLE:
		return cell_real(value->detectable);
	case PLANTED_Q:
		return line->arena ? cell_text(phrase_p(line->arena, value->q))
				   : cell_real(value->q);
	case PLANTED_VERDICT:
		break;
	}
	return cell_text(verdict_word(value->verdict, line->dimension));
}

static void add_planted(struct report *report, struct table *table, const struct self_test *test,
	enum dimension dimension, const char *row_noun)
{
	static const struct column columns[] = {[PLANTED_OP] = {.stat = "op", .shorten = true},
		[PLANTED_CHANGE] = {.stat = "planted",
			.dimension = DIMENSION_FRACTION,
			.decimals = 1,
			.align = ALIGN_RIGHT,
			.show_sign = true},
		[PLANTED_DETECTABLE] = {.stat = "detectable",
			.title = "sees above",
			.dimension = DIMENSION_FRACTION,
			.digits = 12,
			.decimals = 1,
			.align = ALIGN_RIGHT,
			.show_sign = true},
		[PLANTED_Q] = {.stat = "q", .digits = 12, .align = ALIGN_RIGHT},
		[PLANTED_VERDICT] = {.stat = "verdict"}};
	bool for_people = table == &report->display;
	struct column *name;

	report_add_columns(
		report, table, planted_cell, columns, sizeof(columns) / sizeof(*columns));
	name = &table->column[table->column_count - sizeof(columns) / sizeof(*columns)];
	name->title = row_noun;
	for (size_t i = 0; i < test->count; i++)
		report_make_row(report, table,
			&(struct planted_line){
				&test->planted[i], dimension, for_people ? report->arena : NULL});
}

struct report *build_self_test(const struct comparison *comparison, const struct self_test *test,
	const struct build_options *build)
{
	struct report *report = report_new("gate");
	struct arena *arena = report->arena;
	const char *whole = comparison->benchmarks ? "rows" : "op time";
	enum dimension dimension = verdict_dimension(measure_at(comparison->measure[0].id));

	report_heading(report,
		"gate --self-test: one %s at a time is made as in base, but %s by twice its margin",
		build->row_noun, dimension == DIMENSION_TIME ? "slower" : "worse");
	if (!test->count)
		report_answer(report,
			"No %s could be tried: none is on both sides with enough "
			"runs and a margin above 0.",
			build->row_noun);
	else
		report_answer(report,
			"%zu of the %zu %s that were tried go red: %s of the %s; all that were "
			"tried have %s.",
			test->red, test->count, build->row_nouns,
			phrase_percent(arena, test->red_share), whole,
			phrase_percent(arena, test->share));
	report->data.name = "planted";
	if (test->count)
		add_planted(report, &report->display, test, dimension, build->row_noun);
	add_planted(report, &report->data, test, dimension, build->row_noun);
	if (test->can_fail)
		report_result(report, 0, "the gate can go red");
	else
		report_result(report, 3, "%s: record more runs, or widen the margin",
			test->red ? arena_printf(arena,
					    "the gate could not have gone red for half of the %s",
					    whole)
				  : "the gate could not have gone red");
	return report;
}
