/*
 * stepstat compare: which ops changed between two configurations, and is it more than noise.
 */
#include "cli/options/command.h"
#include "cli/explain.h"
#include "cli/options/input_lines.h"
#include "cli/report_output.h"
#include "pipeline/report_choices.h"
#include "pipeline/two_sides.h"
#include "report/compare/build_compare.h"

static struct report *make_report(const struct settings *s, const struct two_sides *v,
	const struct build_options *build, struct error *err)
{
	struct report *report;

	if (s->job.compare.explain)
		return two_sides_explain(v, &s->job, build, err);
	report = build_comparison(
		&v->base_runs, &v->new_runs, &v->comparison, &v->options, build, NULL);
	if (s->config)
		report_note(
			report, NULL, "stepstat config", "settings and rules from %s", s->config);
	input_lines_add_extra(s, report,
		(struct extra_side[]){{"base", v->base->self}, {"new", v->new_side->self}}, 2);
	if (!s->output.count)
		report_footer(report, "All rows: --top=all   why: --explain=REGEX   sheet: "
				      "-o compare.xlsx   page: -o compare.html   "
				      "in CI: stepstat gate");
	return report;
}

static int show(struct settings *s, struct two_sides *v, struct error *err)
{
	struct build_options build;
	struct report *report;
	int status;

	if (report_choices_make(&s->job, v->base, &build, err) < 0)
		return -1;
	report = make_report(s, v, &build, err);
	if (!report)
		return -1;
	report_output_page_of_sides(s, v, &build, report);
	status = report_output_write(s, report, err);
	report_free(report);
	return status;
}

static int run(struct settings *s, struct error *err)
{
	struct two_sides *v;
	int status = 0;

	two_sides_set_defaults(&s->job);
	v = two_sides_load(&s->job, err);
	if (!v)
		return -1;
	if (s->explain_inputs)
		status = explain_sides(s, v, err);
	else
		status = two_sides_compare(v, &s->job, NULL, NULL, err) < 0 ? -1 : show(s, v, err);
	two_sides_free(v);
	return status;
}

const struct command command_compare = {
	.name = "compare",
	.letter = 'C',
	.arguments = "BASE NEW",
	.summary = "which ops changed between two configurations by more than noise",
	.about = "BASE and NEW: a file or a folder each, best with 3 runs or more; or --base "
		 "F... --new F...\n"
		 "First steps (warm-up) and rare kinds of step are left out by default.",
	.examples = "  stepstat compare before/ after/ -o compare.md\n"
		    "  stepstat compare --base base_*/ --new new_*/ --explain=Conv2D\n",
	.run = run,
};
