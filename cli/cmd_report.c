/* stepstat report: mean, spread and share of every op over the steps of a profile.
 *
 * The loop of --follow: wait, read what is new, make the report, paint it. Files are read once; the
 * reports of all of them are made anew each time. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/text.h"
#include "base/platform.h"
#include "base/watch/folder_watch.h"
#include "cli/explain.h"
#include "cli/options/command.h"
#include "cli/options/command_line.h"
#include "cli/options/input_lines.h"
#include "cli/options/options.h"
#include "cli/options/settings.h"
#include "cli/report_output.h"
#include "cli/screen.h"
#include "config.h"
#include "ingest/profile_cache.h"
#include "ingest/trace_tally.h"
#include "pipeline/one_side.h"
#include "pipeline/page_sides.h"
#include "pipeline/report_choices.h"
#include "report/build_tables.h"

#define CLEAR_SCREEN "\033[H\033[2J"

struct follower {
	struct settings *settings;
	int (*report)(struct settings *settings, struct error *err);
	struct folder_watch *watch;
	struct file_identity *output; /* what is written is no input */
	struct text screen, next;     /* the last whole report, and the one that is being made */
	struct text said;	      /* the last message */
	bool on_terminal, painted;
	int wake; /* of signals; -1: they end the program at once, since there is no report yet */
};

/* ---- what can be followed ---- */

static int check_folder(const char *path, struct error *err)
{
	struct stat info;

	if (text_equal(path, "-")) {
		error_set(err, ERROR_USAGE, "--follow", "standard input ends, and is no folder");
		return error_hint(err, "name the folder that the dumps are written to");
	}
	if (stat(path, &info) != 0)
		return error_set(
			err, ERROR_INPUT, path, "cannot follow the folder: %s", strerror(errno));
	if (S_ISDIR(info.st_mode))
		return 0;
	error_set(err, ERROR_USAGE, path, "is not a folder, and --follow watches folders");
	return error_hint(err, "name the folder that the dumps are written to");
}

static int refuse(const char *option, const char *why, struct error *err)
{
	return error_set(err, ERROR_USAGE, option, "%s: leave out --follow", why);
}

static int check(const struct settings *s, struct error *err)
{
	if (s->explain_inputs)
		return refuse("--explain-inputs", "is no report", err);
	if (s->layout == LAYOUT_NOTEBOOK)
		return refuse("--layout=notebook", "is a sheet of finished steps", err);
	if (s->job.read.calls)
		return refuse("--per=call", "needs the events of all files each time", err);
	for (size_t i = 0; i < s->job.input.count; i++)
		if (check_folder(*(const char *const *)vec_at(&s->job.input, i), err) < 0)
			return -1;
	return 0;
}

/* Each folder is a run of its name, unless the user says what a run is. */
static void name_runs(struct settings *s)
{
	const char **name = arena_array(s->arena, s->job.input.count, sizeof(*name));

	for (size_t i = 0; i < s->job.input.count; i++) {
		const char *path = *(const char *const *)vec_at(&s->job.input, i);

		name[i] = arena_strndup(s->arena, path, text_path_size(path));
	}
	s->job.input_run = name;
	if (s->job.runs_mode == RUNS_AUTO)
		s->job.runs_mode = RUNS_INPUTS;
}

static bool is_input(const void *context, const struct found_file *file)
{
	const struct follower *f = context;

	return !outputs_include(f->output, f->settings->output.count, file);
}

static bool is_whole(const void *context, const struct found_file *file)
{
	return folder_watch_is_whole(((const struct follower *)context)->watch, file->path);
}

/* ---- signals ---- */

static bool is_ignored(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* Catches signals from the first report on: a signal waits until the report that is being made is
 * whole. */
static void catch_signals(struct follower *f)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGWINCH};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!is_ignored(numbers[i]) && (numbers[i] != SIGWINCH || f->on_terminal))
			sigaddset(&set, numbers[i]);
	f->wake = platform_signals_open(&set);
}

/* ---- the screen ---- */

static size_t count_lines(const char *s)
{
	size_t lines = 0;

	for (; (s = strchr(s, '\n')); s++)
		lines++;
	return lines;
}

static const char *after_lines(const char *s, size_t lines)
{
	for (; lines; lines--)
		s = strchr(s, '\n') + 1;
	return s;
}

/* Prints the screen, or as much as fits; the rest is left to the whole report at the end. */
static void put_fitting(const struct follower *f, struct outfile *out)
{
	const char *text = text_string(&f->screen);
	const size_t lines = count_lines(text);
	struct winsize size;
	size_t room = SIZE_MAX;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 2)
		room = size.ws_row - 1u;
	if (lines <= room) {
		outfile_puts(out, text);
		return;
	}
	outfile_write(out, text, (size_t)(after_lines(text, room - 1) - text));
	outfile_printf(out, "[%zu more lines: Ctrl-C ends with all of them]\n", lines - (room - 1));
}

static int paint(struct follower *f, bool whole, struct error *err)
{
	const bool separate =
		f->painted && (!f->settings->to || text_equal(f->settings->to->name, "text"));
	struct outfile *out = f->screen.size ? screen_open(err) : NULL;

	if (!f->screen.size) /* --quiet, -o - */
		return 0;
	if (!out)
		return -1;
	if (f->on_terminal)
		outfile_puts(out, CLEAR_SCREEN);
	else if (separate)
		outfile_puts(out, "---\n");
	if (f->on_terminal && !whole)
		put_fitting(f, out);
	else
		outfile_puts(out, text_string(&f->screen));
	f->painted = true;
	return outfile_commit(out, err);
}

/* ---- one look at the folders ---- */

/* A message that lasts is said once. */
static void say(struct follower *f, const char *start, const char *text)
{
	if (text_equal(text_string(&f->said), text))
		return;
	text_clear(&f->said);
	text_add(&f->said, text);
	diagnostic_line(start, text);
}

static void say_error(struct follower *f, const struct error *err)
{
	struct text line;

	text_init(&line);
	text_printf(&line, "%s%s%s%s%s%s", err->place, *err->place ? ": " : "", err->message,
		*err->hint ? " (" : "", err->hint, *err->hint ? ")" : "");
	say(f, "stepstat: not yet: ", text_string(&line));
	text_release(&line);
}

static void say_broken(struct profile_cache *cache)
{
	for (size_t i = 0; i < cache->count; i++) {
		struct cached_file *file = &cache->file[i];
		struct text line;

		if (!file->broken || file->said)
			continue;
		file->said = true;
		text_init(&line);
		text_printf(&line, "%s cannot be read as it is now: %s", file->as_read.path,
			file->reason);
		diagnostic_line("stepstat: note: ", text_string(&line));
		text_release(&line);
	}
}

static void say_waiting(struct follower *f)
{
	const struct vec *input = &f->settings->job.input;
	struct text line;

	text_init(&line);
	text_add(&line, "waiting for the first dump in ");
	for (size_t i = 0; i < input->count; i++)
		text_printf(&line, "%s%s", i ? ", " : "", *(const char *const *)vec_at(input, i));
	text_add(&line, " ...");
	say(f, "stepstat: ", text_string(&line));
	text_release(&line);
}

/* Makes one report; values that it adds to the settings last as long as the report. */
static int report_once(struct follower *f, struct error *err)
{
	struct arena *kept = f->settings->arena;
	int status;

	f->settings->arena = arena_new();
	text_clear(&f->next);
	outputs_guard_again(f->settings);
	status = f->report(f->settings, err);
	arena_free(f->settings->arena);
	f->settings->arena = kept;
	return status;
}

/* Files of one folder that hold the same steps with other times are several runs. */
static int make_report(struct follower *f, struct error *err)
{
	struct job_settings *job = &f->settings->job;
	struct error first = {0}, second = {0};

	if (report_once(f, &first) >= 0)
		return 0;
	if (first.kind == ERROR_INPUT && job->runs_mode == RUNS_INPUTS) {
		job->runs_mode = RUNS_AUTO;
		if (report_once(f, &second) >= 0)
			return 0;
		job->runs_mode = RUNS_INPUTS;
	}
	*err = first;
	return -1;
}

/* Only what more dumps cannot mend is an error. */
static int update(struct follower *f, struct error *err)
{
	struct error now = {0};

	if (make_report(f, &now) == 0) {
		const struct text before = f->screen;

		f->screen = f->next;
		f->next = before;
		text_clear(&f->said);
		if (paint(f, false, err) < 0)
			return -1;
		if (f->wake < 0)
			catch_signals(f);
		return 0;
	}
	if (now.kind == ERROR_USAGE || now.kind == ERROR_OUTPUT) {
		*err = now;
		return -1;
	}
	say_error(f, &now);
	return 0;
}

static int look(struct follower *f, bool forced, struct error *err)
{
	struct settings *s = f->settings;
	struct profile_cache *cache = s->job.cache;
	struct arena *arena = arena_new();
	struct error now = {0};
	struct loaded *loaded;
	const bool was_empty = !cache->profiles;

	for (size_t i = 0; i < s->output.count; i++)
		file_identity_of(*(const char *const *)vec_at(&s->output, i), &f->output[i]);
	loaded = side_read(&s->job, s->job.input.data, s->job.input.count, arena, &now);
	loaded_free(loaded);
	arena_free(arena);
	if (!loaded && now.kind == ERROR_USAGE) {
		*err = now;
		return -1;
	}
	if (!loaded) {
		say_error(f, &now);
		return 0;
	}
	say_broken(cache);
	forced |= cache->changed;
	cache->changed = false;
	if (!cache->profiles) {
		if (!was_empty)
			text_clear(&f->said);
		say_waiting(f);
		return 0;
	}
	return forced ? update(f, err) : 0;
}

/* Prints the whole report where a part may have been on the screen, and ends as the signal asks. */
static int end(struct follower *f, int number, struct error *err)
{
	if (f->on_terminal && paint(f, true, err) < 0)
		return -1;
	platform_signals_close(f->wake);
	f->wake = -1;
	raise(number);
	return 0;
}

static int loop(struct follower *f, struct error *err)
{
	bool forced = false;
	const char *limit = NULL;

	for (;;) {
		if (look(f, forced, err) < 0)
			return -1;
		if (!limit && (limit = folder_watch_limit(f->watch))) {
			diagnostic_line(
				"stepstat: note: looking at the folders every second: ", limit);
		}
		forced = false;
		if (folder_watch_wait(f->watch, f->wake) == FOLDER_CHANGED)
			continue;
		for (int number; (number = platform_signals_take(f->wake));) {
			if (number != SIGWINCH)
				return end(f, number, err);
			forced = true;
		}
	}
}

/* `report` makes the report and writes it as usual; the text for the screen is put in
 * settings->screen. Ends by SIGINT or SIGTERM, as the program does anyway; returns -1 when the
 * folders cannot be followed, when the settings are wrong, or an output cannot be written. */
static int follow(struct settings *s, int (*report)(struct settings *settings, struct error *err),
	struct error *err)
{
	struct follower f = {.settings = s, .report = report, .wake = -1};
	const struct profile_cache_options cache = {is_input, is_whole, &f};
	int status;

	if (check(s, err) < 0)
		return -1;
	name_runs(s);
	text_init(&f.screen);
	text_init(&f.next);
	text_init(&f.said);
	f.output = arena_array(s->arena, s->output.count + 1, sizeof(*f.output));
	f.on_terminal = isatty(STDOUT_FILENO) && (!s->to || text_equal(s->to->name, "text"));
	s->screen = &f.next;
	s->job.cache = profile_cache_new(&cache);
	trace_tally_reset(s->job.read.trace.tally);
	f.watch = folder_watch_new();
	for (size_t i = 0; i < s->job.input.count; i++)
		folder_watch_add(f.watch, *(const char *const *)vec_at(&s->job.input, i));
	status = loop(&f, err);
	if (f.wake >= 0)
		platform_signals_close(f.wake);
	folder_watch_free(f.watch);
	profile_cache_free(s->job.cache);
	s->job.cache = NULL;
	s->screen = NULL;
	text_release(&f.screen);
	text_release(&f.next);
	text_release(&f.said);
	return status;
}

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
		return error_hint(err, "--per=call has time, cpu, accelerator, micros and delay; "
				       "--per=step has all but delay");
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
		"run) SELECT op, sum(value * 1.0 / n.steps) / (SELECT count(*) FROM n) / 1e6 AS "
		"mean_us FROM obs JOIN n USING (run) WHERE measure = 'time' GROUP BY op ORDER BY "
		"mean_us DESC LIMIT 20\"",
		command_line_inputs_and_options(s));
}

/* True if `stepstat timeline merge` reads the files: JSON and Perfetto's traces. */
static bool is_cut(const struct side *side)
{
	static const char *const ends[] = {".json", ".json.gz", ".pftrace", ".pftrace.gz"};
	bool all = side->is_trace && side->file_count;

	for (size_t i = 0; all && i < side->file_count; i++) {
		bool is_one = false;

		for (size_t k = 0; k < sizeof(ends) / sizeof(*ends); k++)
			is_one |= text_ends(side->file[i].path, ends[k]);
		all = is_one;
	}
	return all;
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
	source.is_cut = is_cut(side);
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
		"moved most: the row in which most of the trend is, by how much it changed; trend: "
		"a test at 1 %%");
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
	struct totals *totals = NULL;
	struct report *report;
	bool rounded = s->job.as_printed || side->is_tfprof_text;
	struct page_sides *page = NULL;
	struct calls *calls = NULL;
	int status = 0;

	if (s->layout == LAYOUT_NOTEBOOK) {
		report = build_notebook(side->summary);
		diagnostic_line("stepstat: notebook layout: population CV, 0 where none is "
				"defined, absent steps as 0, values with everything below, KB of ",
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
		if (s->follow || !report_output_is_of_ops(s)) {
			totals = totals_make(side->summary, side->self, side->arena);
			build_tables(report, totals, side->self, &opt);
			input_lines_add_extra(s, report, &(struct extra_side){NULL, side->self}, 1);
		}
		if (s->follow)
			add_jobs(s, side, &opt, report);
		if (s->config)
			report_note(report, NULL, "stepstat config", "settings and rules from %s",
				s->config);
		if (!s->output.count)
			report_footer(report,
				"All rows: --top=all   sheet: -o ops.xlsx   page: -o ops.html   "
				"pull request: -o ops.md   columns: stepstat help columns");
		/* A page draws steps and what adds up to them. */
		if (!calls && !side->self->benchmarks && report_output_wants_page(s, false)) {
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
	/* The first lines of the report state how busy a step is only where no device does, and
	 * nothing of single calls of collectives. */
	s->job.read.trace.ops_suffice = report_output_is_of_ops(s) && !s->follow;
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
