/* stepstat compare: which ops changed between two configurations, and is it more than noise. */
#include <string.h>
#include "base/text.h"
#include "cli/ab_reads.h"
#include "cli/explain.h"
#include "cli/options/command.h"
#include "cli/options/input_lines.h"
#include "cli/report_output.h"
#include "pipeline/report_choices.h"
#include "pipeline/two_sides.h"
#include "report/compare/build_several.h"

static struct report *make_report(const struct settings *s, const struct two_sides *v,
	const struct build_options *build, struct error *err)
{
	struct report *report;

	if (s->job.compare.explain)
		return two_sides_explain(v, &s->job, build, err);
	report = build_comparison(
		&v->base_runs, &v->new_runs, &v->comparison, &v->options, build, NULL);
	input_lines_add_extra(s, report,
		(struct extra_side[]){{"base", v->base->self}, {"new", v->new_side->self}}, 2);
	return report;
}

static int write_report(struct settings *s, struct report *report, struct error *err)
{
	int status;

	if (s->config && !s->job.compare.explain)
		report_note(
			report, NULL, "stepstat config", "settings and rules from %s", s->config);
	if (!s->output.count && !s->job.compare.explain)
		report_footer(report, "All rows: --top=all   why: --explain=REGEX   sheet: "
				      "-o compare.xlsx   page: -o compare.html   "
				      "in CI: stepstat gate");
	status = report_output_write(s, report, err);
	report_free(report);
	return status;
}

static int show(struct settings *s, struct two_sides *v, struct error *err)
{
	struct build_options build;
	struct report *report;

	if (report_choices_make(&s->job, v->base, &build, err) < 0)
		return -1;
	report = make_report(s, v, &build, err);
	if (!report)
		return -1;
	report_output_page_of_sides(s, v, &build, report);
	return write_report(s, report, err);
}

/* Compares the first two inputs. */
static int compare_pair(struct settings *s, struct two_sides **v, struct several_side *out,
	struct build_options *build, struct error *err)
{
	*v = two_sides_load(&s->job, err);
	if (!*v || two_sides_compare(*v, &s->job, NULL, NULL, err) < 0 ||
		report_choices_make(&s->job, (*v)->base, build, err) < 0)
		return -1;
	build->several = true;
	*out = (struct several_side){
		.base = &(*v)->base_runs, .new = &(*v)->new_runs, .comparison = &(*v)->comparison};
	out->report =
		build_comparison(out->base, out->new, out->comparison, &(*v)->options, build, NULL);
	return 0;
}

/* Compares each further input with the first, at an equal part of alpha: so all claims together
 * keep it. */
static int run_several(struct settings *s, struct error *err)
{
	const struct job_settings asked = s->job;
	const char **input = s->job.input.data;
	const size_t count = asked.input.count, pairs = count - 1;
	const char **path = arena_array(s->arena, count, sizeof(*path));
	struct several_side *side = arena_array(s->arena, pairs, sizeof(*side));
	struct build_options build;
	struct two_sides **v = arena_array(s->arena, pairs, sizeof(struct two_sides *));
	int status = 0;

	if (s->explain_inputs || s->job.compare.explain) {
		error_set(err, ERROR_USAGE, s->explain_inputs ? "--explain-inputs" : "--explain",
			"needs two inputs, BASE and NEW, found %zu", count);
		return -1;
	}
	if (text_equal(input[0], "-"))
		return error_set(err, ERROR_USAGE, "-",
			"standard input is read once, and the first of several sides is compared "
			"with each");
	for (size_t i = 0, inputs = 0; i < count; i++)
		if (text_equal(input[i], "-") && inputs++)
			return error_set(err, ERROR_USAGE, "-",
				"standard input is read once: give a file for all inputs but one");
	memcpy(path, input, count * sizeof(*path));
	s->job.input.count = 2;
	s->job.compare.options.rule.alpha /= (double)pairs;
	s->job.sample.confidence = 1 - (1 - asked.sample.confidence) / (double)pairs;
	for (size_t i = 0; i < pairs && !status; i++) {
		input[1] = path[i + 1];
		s->job.steps = asked.steps;
		status = compare_pair(s, &v[i], &side[i], &build, err);
	}
	memcpy(input, path, count * sizeof(*path));
	s->job.input.count = count;
	if (!status) {
		struct report *report =
			build_several(side, pairs, asked.compare.options.rule.alpha, &build);
		struct extra_side *extra = arena_array(s->arena, pairs + 1, sizeof(*extra));

		extra[0] = (struct extra_side){"base", side->base->run.self};
		for (size_t i = 0; i < pairs; i++)
			extra[i + 1] =
				(struct extra_side){side[i].new->label, side[i].new->run.self};
		input_lines_add_extra(s, report, extra, pairs + 1);
		status = write_report(s, report, err);
	}
	for (size_t i = 0; i < pairs; i++) {
		report_free((struct report *)side[i].report);
		two_sides_free(v[i]);
	}
	return status;
}

static int run(struct settings *s, struct error *err)
{
	struct two_sides *v;
	int exit_status, status = ab_sides_answer(s, false, &exit_status, err);

	if (status)
		return status < 0 ? -1 : 0;
	two_sides_set_defaults(&s->job);
	if (s->job.input.count > 2 && !s->job.compare.base.count && !s->job.compare.new_side.count)
		return run_several(s, err);
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
	.arguments = "BASE NEW...",
	.summary = "which ops changed between two configurations by more than noise",
	.about = "BASE and NEW: a file or a folder each, best with 3 runs or more; or --base "
		 "F... --new F...\n"
		 "Of more than two each is compared with the first.\n"
		 "First steps (warm-up) and rare kinds of step are left out by default.",
	.examples = "  stepstat compare before/ after/ -o compare.md\n"
		    "  stepstat compare --base base_*/ --new new_*/ --explain=Conv2D\n",
	.run = run,
};
