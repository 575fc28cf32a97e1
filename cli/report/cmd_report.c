/*
 * stepstat report: mean, spread and share of every op over the steps of a profile.
 */
#include <string.h>
#include "config.h"
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/options/command_line.h"
#include "cli/options/options.h"
#include "cli/diagnostic.h"
#include "cli/options/input_lines.h"
#include "cli/report_output.h"
#include "cli/explain.h"
#include "cli/report/follow.h"
#include "pipeline/report_choices.h"
#include "pipeline/tfprof_digits.h"
#include "pipeline/one_side.h"
#include "pipeline/page_sides.h"
#include "report/build_jobs.h"
#include "report/build_tables.h"

/* The notebook's conventions replace the user's choices. */
static int check_notebook(struct settings *s, struct error *err)
{
	static const enum measure_id sheet[] = {
		MEASURE_REQUESTED, MEASURE_MICROS, MEASURE_ACCELERATOR, MEASURE_CPU};

	if (s->layout == LAYOUT_FLAT) {
		error_set(err, ERROR_USAGE, "--layout", "flat is a table of events, not a report");
		return error_hint(err, "stepstat export INPUT... --layout=flat -o NAME/");
	}
	if (s->layout != LAYOUT_NOTEBOOK) {
		if (s->job.as_printed)
			return error_set(
				err, ERROR_USAGE, "--as-printed", "belongs to --layout=notebook");
		return 0;
	}
	if (s->table)
		return error_set(err, ERROR_USAGE, "--layout=notebook",
			"is one table of its own: leave out --table");
	if (s->job.measures_given || s->job.stats_given || s->job.group.by != BY_NAME)
		return error_set(err, ERROR_USAGE, "--layout=notebook",
			"has its own columns and rows: leave out --measures, --stats and --by");
	vec_clear(&s->job.measure);
	s->job.measures_option = "--layout=notebook";
	for (size_t i = 0; i < sizeof(sheet) / sizeof(*sheet); i++) {
		enum measure_id *slot = vec_push(&s->job.measure, err);

		if (!slot)
			return -1;
		*slot = sheet[i];
	}
	s->job.value_total = true;
	s->job.group.never_run = true;
	s->job.group.collision = COLLISION_KEEP;
	s->job.sample.population = true;
	s->job.skip_absent = false;
	return 0;
}

static int check_stats(struct settings *s, struct error *err)
{
	const bool calls = s->job.read.calls;
	bool of_measures = !s->job.stat.count;

	for (size_t i = 0; i < s->job.stat.count; i++) {
		struct statistic_choice *choice = vec_at(&s->job.stat, i);

		if (calls && choice->statistic->id == STATISTIC_CALLS) /* what n is here */
			choice->statistic = statistic_at(STATISTIC_N);
		if (report_choices_check_stat(calls, "--stats", choice, err) < 0)
			return -1;
		of_measures |= choice->statistic->id != STATISTIC_CALLS &&
			       choice->statistic->id != STATISTIC_RAN;
	}
	if (of_measures || s->shape != SHAPE_LONG)
		return 0;
	error_set(err, ERROR_USAGE, "--shape=long",
		"has a row per value of a measure, and calls and ran are of none");
	return error_hint(err, "add a statistic of a measure, --stats=mean,...: every row has the "
			       "column ran, of traces also calls");
}

/* Single executions have only times. */
static int check_calls(struct settings *s, struct error *err)
{
	if (!s->job.read.calls)
		return 0;
	if (s->layout == LAYOUT_NOTEBOOK)
		return error_set(err, ERROR_USAGE, "--layout=notebook",
			"is a sheet of steps: leave out --per=call");
	for (size_t i = 0; i < s->job.measure.count; i++) {
		enum measure_id id = *(enum measure_id *)vec_at(&s->job.measure, i);

		if (calls_have(id))
			continue;
		error_set(err, ERROR_USAGE, "--measures", "\"%s\" is not known of single calls",
			measure_at(id)->name);
		return error_hint(err,
			"--per=call has time, cpu, accelerator, micros and delay; --per=step has "
			"all but delay");
	}
	return 0;
}

/* Function that changes values before anything is computed. Text of tfprof is not rounded again. */
static double (*adjustment(const struct settings *s, const struct side *side))(
	const void *, enum measure_id, double)
{
	if (side->is_tfprof_text)
		return tfprof_digits_rescale;
	return s->job.as_printed ? tfprof_digits_round : NULL;
}

/* True if `stepstat sql` has all the options, so that it reads the same steps and ops. */
static bool sql_has_options(const struct page_source *source)
{
	for (size_t i = 0; i < source->option_count; i++) {
		const char *word = source->option[i];
		char name[64];
		const size_t n = strcspn(word, "=");
		const struct option_spec *spec;

		if (!text_starts(word, "--") || n - 2 >= sizeof(name))
			return false;
		memcpy(name, word + 2, n - 2);
		name[n - 2] = '\0';
		spec = options_find(name);
		if (!spec || !option_is_typed(spec, command_find("sql")->letter))
			return false;
	}
	return true;
}

/* The means of the rows in SQL; NULL where a query of one line would not give them. */
static const char *page_sql(
	const struct settings *s, const struct side *side, const struct page_source *source)
{
	if (side->self->ranks || s->job.skip_absent || s->job.group.by != BY_NAME ||
		s->job.value_total || side->summary->options.measure[0] != MEASURE_TIME ||
		!sql_has_options(source))
		return NULL;
	return arena_printf(s->arena,
		"stepstat sql %s \"WITH n AS (SELECT run, count(*) AS steps FROM steps GROUP BY "
		"run) "
		"SELECT op, sum(value * 1.0 / n.steps) / (SELECT count(*) FROM n) / 1e6 AS mean_us "
		"FROM obs JOIN n USING (run) WHERE measure = 'time' GROUP BY op "
		"ORDER BY mean_us DESC LIMIT 20\"",
		command_line_inputs_and_options(s));
}

/* Adds the page, with its drawings beside the tables. */
static struct page_sides *add_page(struct settings *s, struct side *side,
	const struct build_options *opt, const struct totals *totals, struct report *report,
	struct error *err)
{
	struct page_source source = {.self = side->self,
		.totals = totals,
		.opt = opt,
		.version = "stepstat " PACKAGE_VERSION,
		.command = command_line_text(s)};
	struct page_sides *sides;

	source.input = command_line_inputs(s, &source.input_count);
	source.option = command_line_options(s, &source.option_count);
	source.sql = page_sql(s, side, &source);
	sides = page_sides_make(side, &s->job, &source, err);
	if (sides)
		build_page(report, &source);
	return sides;
}

static bool has_file(const struct side *side, const char *folder)
{
	const size_t n = strlen(folder);

	for (size_t i = 0; i < side->file_count; i++)
		if (text_starts(side->file[i].path, folder) &&
			(side->file[i].path[n] == '/' || text_ends(folder, "/")))
			return true;
	return false;
}

/* Adds the state of each job, and of jobs that have nothing to show yet. */
static void add_jobs(const struct settings *s, const struct side *side,
	const struct build_options *opt, struct report *report)
{
	build_jobs(report, side->summary, run_latest_find(side->summary, side->self, side->arena),
		opt);
	report_note(report, NULL, "--table=jobs",
		"moved most: of the levels of all rows, the last quarter of the steps (what "
		"follows "
		"a jump, where one is shown) less what was before; trend: a test at 1 %%");
	if (s->job.runs_mode == RUNS_AUTO)
		report_note(report, NULL, "--runs=files",
			"files in one folder hold the same steps with other times: each is a run");
	for (size_t i = 0; i < s->job.input.count; i++)
		if (!has_file(side, s->job.input_run[i]))
			report_note(report, NULL, NULL, "no dump yet: %s",
				phrase_visible(report->arena, s->job.input_run[i]));
}

static int show(struct settings *s, struct side *side, struct error *err)
{
	struct build_options opt;
	struct totals *totals;
	struct report *report;
	bool rounded = s->job.as_printed || side->is_tfprof_text;
	struct page_sides *page = NULL;
	struct calls *calls = NULL;
	int status = 0;

	if (s->layout == LAYOUT_NOTEBOOK) {
		report = build_notebook(side->summary);
		diagnostic_line(
			"stepstat: notebook layout: population CV, 0 where none is defined, absent "
			"steps as 0, values with everything below, KB of ",
			rounded && s->job.kilobyte == 1024 ? "1024 bytes, rounded as tfprof prints"
			: rounded			   ? "1000 bytes, rounded as tfprof prints"
			: s->job.kilobyte == 1024	   ? "1024 bytes"
							   : "1000 bytes");
		if (!s->to && !s->output.count)
			s->to = writer_find("csv", err);
	} else {
		if (report_choices_make(&s->job, side, &opt, err) < 0)
			return -1;
		opt.screen_only = !s->job.read.calls && !s->output.count &&
				  (!s->to || text_equal(s->to->name, "text"));
		if (s->job.read.calls) {
			const struct calls_options options = report_choices_percentiles(&s->job);

			calls = calls_make(side->summary, side->self, &options);
		}
		opt.with_values = s->sheet_values;
		report = build_report(side->summary, calls, side->self, &opt);
		totals = totals_make(side->summary, side->self, side->arena);
		build_tables(report, totals, side->self, &opt);
		if (s->follow)
			add_jobs(s, side, &opt, report);
		if (s->config)
			report_note(report, NULL, "stepstat config", "settings and rules from %s",
				s->config);
		input_lines_add_extra(s, report, &(struct extra_side){NULL, side->self}, 1);
		if (!s->output.count)
			report_footer(report,
				"All rows: --top=all   sheet: -o ops.xlsx   page: -o ops.html   "
				"pull "
				"request: -o ops.md   columns: stepstat help columns");
		/* A page draws steps and what adds up to them. */
		if (!calls && !side->self->benchmarks && report_output_wants_page(s)) {
			page = add_page(s, side, &opt, totals, report, err);
			status = page ? 0 : -1;
		}
	}
	if (!status)
		status =
			calls && calls_check(calls, err) ? -1 : report_output_write(s, report, err);
	page_sides_free(page);
	report_free(report);
	return status;
}

static int load_and_show(struct settings *s, struct error *err)
{
	struct side *side = side_load(&s->job, s->job.input.data, s->job.input.count, err);
	int status = -1;

	if (!side)
		return -1;
	if (s->explain_inputs)
		status = explain_inputs(s, side, err);
	else if (side_select(side, &s->job, err) == 0 &&
		 side_summarize(side, &s->job, adjustment(s, side), err) == 0)
		status = show(s, side, err);
	side_free(side);
	return status;
}

static int run(struct settings *s, struct error *err)
{
	if (!s->job.input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err,
			"stepstat FILE..., for instance stepstat profile_100; stepstat --help");
	}
	if (check_calls(s, err) < 0 || check_stats(s, err) < 0 || check_notebook(s, err) < 0)
		return -1;
	report_choices_set_stats(&s->job);
	/* The first lines of the report state how busy a step is only where no device does. */
	s->job.read.trace.parts_suffice = report_output_is_of_ops(s) && !s->follow;
	return s->follow ? follow(s, load_and_show, err) : load_and_show(s, err);
}

const struct command command_report = {
	.name = "report",
	.letter = 'R',
	.arguments = "INPUT...",
	.summary = "mean, spread and share of every op over the steps of a profile",
	.about = "INPUT: profile_N of tfprof, run_meta_N, timelines or tfprof's text of "
		 "TensorFlow; traces of PyTorch, JAX,\n"
		 "TF 2, ONNX Runtime, Chrome; CSV, .obs: files or folders, plain or .gz, - for "
		 "stdin; how to record: stepstat help pytorch",
	.examples =
		"  stepstat profile_100 --by=type -o ops.csv -o ops.md\n"
		"  stepstat report runs/ --include='Conv2D|MatMul' --warmup=auto --sort=jitter\n",
	.run = run,
};
