/*
 * stepstat compare: means, differences and ratios of two inputs.
 */
#include "cli/command.h"
#include "cli/emit.h"
#include "cli/explain.h"
#include "cli/present.h"
#include "cli/side.h"
#include "report/build_compare.h"

static int check_measures(const struct side *base, const struct side *next, struct error *err)
{
	const struct summary_options *a = &base->summary->options, *b = &next->summary->options;

	for (size_t m = 0; m < a->measure_count || m < b->measure_count; m++)
		if (m >= a->measure_count || m >= b->measure_count ||
			a->measure[m] != b->measure[m]) {
			error_set(err, ERROR_INPUT, NULL, "%s and %s do not have the same measures",
				base->label, next->label);
			return error_hint(err, "choose one that both have: --measures=time");
		}
	return 0;
}

static int show(struct settings *s, struct side *base, struct side *next, struct error *err)
{
	const struct compare_side left = {base->label, base->summary, base->self};
	const struct compare_side right = {next->label, next->summary, next->self};
	struct build_options opt;
	struct contrast contrast;
	struct report *report;
	int status;

	if (check_measures(base, next, err) < 0 || present_options(s, base, &opt, err) < 0)
		return -1;
	contrast_make(base->summary, next->summary, s->arena, &contrast);
	report = build_compare(&left, &right, &contrast, &opt);
	if (s->config)
		report_note(
			report, NULL, "stepstat config", "settings and rules from %s", s->config);
	if (!s->output.count)
		report_footer(report, "All rows: --top=all   spreadsheet: -o compare.csv");
	status = emit_report(s, report, err);
	report_free(report);
	return status;
}

static int prepare(struct settings *s, size_t which, struct side **side, struct error *err)
{
	const char *const *path = s->input.data;

	*side = side_load(s, &path[which], 1, err);
	if (!*side)
		return -1;
	if (s->explain_inputs)
		return explain_inputs(s, *side, err);
	if (side_select(*side, s, err) < 0)
		return -1;
	return side_summarize(*side, s, NULL, err);
}

static int run(struct settings *s, struct error *err)
{
	struct side *base = NULL, *next = NULL;
	int status = -1;

	if (s->input.count != 2) {
		error_set(err, ERROR_USAGE, NULL, "expected two inputs, BASE and NEW, found %zu",
			s->input.count);
		return error_hint(
			err, "each is a file or a folder: stepstat compare before/ after/");
	}
	present_default_stats(s);
	if (prepare(s, 0, &base, err) == 0 && prepare(s, 1, &next, err) == 0)
		status = s->explain_inputs ? 0 : show(s, base, next, err);
	side_free(base);
	side_free(next);
	return status;
}

const struct command command_compare = {
	.name = "compare",
	.letter = 'C',
	.arguments = "BASE NEW",
	.summary = "two configurations side by side: means, differences, ratios (no verdict)",
	.about = "BASE and NEW: a file or a folder each. Rows are paired by name after the rules.",
	.examples = "  stepstat compare before/ after/ --by=type\n"
		    "  stepstat compare base/profile_100 new/profile_100 --warmup=auto --kind=1 -o "
		    "compare.csv\n",
	.run = run,
};
