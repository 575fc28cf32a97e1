/* Words for the self-test of a gate: what it would have found. */
#include "report/compare/build_compare_words.h"
#include "report/compare/build_gate.h"

static void add_planted(struct report *report, struct table *table, const struct self_test *test,
	enum dimension dimension, const char *row_noun)
{
	static const struct column columns[] = {{.stat = "op", .shorten = true},
		{.stat = "planted",
			.dimension = DIMENSION_FRACTION,
			.decimals = 1,
			.align = ALIGN_RIGHT,
			.show_sign = true},
		{.stat = "detectable",
			.title = "sees above",
			.dimension = DIMENSION_FRACTION,
			.digits = 12,
			.decimals = 1,
			.align = ALIGN_RIGHT,
			.show_sign = true},
		{.stat = "q", .digits = 12, .align = ALIGN_RIGHT}, {.stat = "verdict"}};
	const bool for_people = table == &report->display;

	report_add_columns(report, table, NULL, columns, sizeof(columns) / sizeof(*columns));
	table->column[0].title = row_noun;
	for (size_t i = 0; i < test->count; i++) {
		const struct compared *v = &test->planted[i].value;

		report_add_cells(report, table,
			(const struct cell[]){cell_text(test->planted[i].row->name),
				cell_real(test->planted[i].change), cell_real(v->detectable),
				for_people ? cell_text(phrase_p(report->arena, v->q))
					   : cell_real(v->q),
				cell_text(verdict_word(v->verdict, dimension))});
	}
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
		report_result(report, 0, "the gate can go red for %zu of %zu %s", test->red,
			test->count, build->row_nouns);
	else
		report_result(report, 3, "%s: record more runs, or widen the margin",
			test->red
				? arena_printf(arena,
					  "the gate could not have gone red for more than half of "
					  "the %s",
					  whole)
				: "the gate could not have gone red");
	return report;
}
