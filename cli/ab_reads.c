/* Comparison of what runs wrote, as `compare` makes it. */
#include "cli/ab_reads.h"

#include <math.h>
#include <string.h>
#include "pipeline/report_choices.h"
#include "pipeline/two_sides.h"
#include "report/build.h"
#include "report/compare/build_compare.h"

/* Parts of the comparison that the screen has room for. */
#define ROWS_ON_SCREEN 5
#define ANSWERS 2
#define NOTES 2
/* Rounds that are too few claim nothing: a level that no test reaches. */
#define LEVEL_LEAST 1e-12

static int add_inputs(struct settings *s, const struct ab_session *session, size_t from,
	size_t side, enum input_side which, struct error *err)
{
	s->job.compare.side = which;
	for (size_t round = from + 1; round <= session->rounds; round++)
		if (job_settings_add_input(&s->job,
			    arena_printf(s->arena, "%s/reads/%s", session->folder,
				    ab_run_name(session, round, side)),
			    err) < 0)
			return -1;
	return 0;
}

int ab_reads_ask(
	struct settings *s, const struct ab_session *session, size_t side, struct error *err)
{
	const struct ab_options *o = &session->options;
	const double level = fmax(ab_row_level(session, side ? side : 1), LEVEL_LEAST);

	if (side) {
		const size_t from = ab_rounds_without(session, side);

		s->job.input.count = s->job.compare.base.count = 0;
		s->job.compare.new_side.count = 0;
		if (add_inputs(s, session, from, 0, INPUT_BASE, err) < 0 ||
			add_inputs(s, session, from, side, INPUT_NEW, err) < 0)
			return -1;
		s->job.runs_mode = RUNS_FOLDERS;
	}
	s->job.compare.options.method = METHOD_PAIRED;
	s->job.compare.method_text = "paired";
	s->job.compare.pair = PAIR_ORDER;
	s->job.compare.options.rule.alpha = level;
	s->job.compare.options.rule.margin_relative = o->margin_relative;
	s->job.compare.options.margin_ps = o->margin_ps > 0 ? o->margin_ps : NAN;
	s->job.sample.confidence = 1 - level;
	/* The policies of a gate are set from texts. */
	s->job.compare.alpha_text = arena_printf(s->arena, "%.15g%%", level * 100);
	if (!s->job.compare.margin_text)
		s->job.compare.margin_text =
			o->margin_ps > 0
				? arena_printf(s->arena, "%.15g%%+%.15gns",
					  o->margin_relative * 100, o->margin_ps / 1000)
				: arena_printf(s->arena, "%.15g%%", o->margin_relative * 100);
	return 0;
}

static int compare(struct settings *s, const struct ab_session *session, size_t side,
	struct two_sides **v, struct error *err)
{
	if (ab_reads_ask(s, session, side, err) < 0)
		return -1;
	if (!s->job.top_given)
		s->job.top = ROWS_ON_SCREEN;
	two_sides_set_defaults(&s->job);
	*v = two_sides_load(&s->job, err);
	return *v && two_sides_compare(*v, &s->job, NULL, NULL, err) == 0 ? 0 : -1;
}

static void release_sides(void *sides)
{
	two_sides_free(sides);
}

static void release_report(void *report)
{
	report_free(report);
}

static struct column *interval_of(const struct table *table)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (*table->column[i].title == '[')
			return &table->column[i];
	return NULL;
}

static void join(struct report *report, struct report *rows, const char *name)
{
	struct column *own;
	struct table *more = arena_array(
		report->arena, report->more_count + rows->more_count + 1, sizeof(*more));

	if (report->more_count)
		memcpy(more, report->more, report->more_count * sizeof(*more));
	more[report->more_count] = rows->data;
	more[report->more_count++].name = name;
	report->more = more;
	if (report->before.column_count)
		return; /* of several commands the screen shows the first */
	report->before = report->display;
	report->display = rows->display;
	own = interval_of(&report->display);
	if (own)
		own->title = interval_of(&report->before)->title; /* as often as one looks */
	for (size_t i = 0; i < rows->answer_count && i < ANSWERS; i++)
		report_answer(report, "%s", rows->answer[i]);
	for (size_t i = 0; i < rows->note_count; i++) {
		report_note(
			report, rows->note[i].mark, rows->note[i].option, "%s", rows->note[i].text);
		report->note[report->note_count - 1].detail = i >= NOTES || rows->note[i].detail;
	}
}

void ab_reads_add(
	struct settings *s, const struct ab_session *session, size_t side, struct report *report)
{
	struct build_options build;
	struct error err = {0};
	struct two_sides *v = NULL;
	struct report *rows;

	if (!(ab_row_level(session, side) > 0))
		return;
	if (compare(s, session, side, &v, &err) < 0 ||
		report_choices_make(&s->job, v->base, &build, &err) < 0) {
		report_note(report, "!", "--reads",
			"what the runs of %s wrote is not compared: %s%s%s",
			ab_side_name(session, side), err.place, *err.place ? ": " : "",
			err.message);
		two_sides_free(v);
		return;
	}
	rows = build_comparison(
		&v->base_runs, &v->new_runs, &v->comparison, &v->options, &build, NULL);
	arena_defer(report->arena, release_sides, v);
	arena_defer(report->arena, release_report, rows);
	join(report, rows, arena_printf(report->arena, "rows_%s", ab_side_name(session, side)));
}

/* Verdicts that leave a row open; an error, or nothing to compare, is one such. */
static size_t rows_left(struct settings *s, const struct ab_session *session, size_t side)
{
	static const enum verdict open[] = {VERDICT_INCONCLUSIVE, VERDICT_SLOWER, VERDICT_FASTER};
	struct two_sides *v = NULL;
	struct error err = {0};
	size_t left = 0;

	if (!(ab_row_level(session, side) > 0) || compare(s, session, side, &v, &err) < 0 ||
		!v->comparison.measure_count)
		left = 1;
	for (size_t i = 0; i < sizeof(open) / sizeof(*open) && !left; i++)
		left += v->comparison.measure[0].verdicts[open[i]];
	two_sides_free(v);
	return left;
}

bool ab_reads_decided(struct settings *s, const struct ab_session *session)
{
	const struct job_settings asked = s->job;
	struct vec *input[] = {&s->job.input, &s->job.compare.base, &s->job.compare.new_side};
	bool decided = true;

	for (size_t side = 1; side < session->options.sides && decided; side++) {
		for (size_t i = 0; i < sizeof(input) / sizeof(*input); i++)
			vec_init(input[i], sizeof(const char *), SIZE_MAX, "inputs");
		decided = !rows_left(s, session, side);
		for (size_t i = 0; i < sizeof(input) / sizeof(*input); i++)
			vec_release(input[i]);
		s->job = asked;
	}
	return decided;
}
