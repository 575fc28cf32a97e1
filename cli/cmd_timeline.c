/* stepstat timeline: Chrome traces that are made of recorded steps, of their mean, or of several
 * traces. */
#include <inttypes.h>
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/options/settings.h"
#include "cli/screen.h"
#include "timeline/generate.h"
#include "timeline/merge/merge_files.h"

/* -1 without an input, and with an output that is not one file. The hints name `example`, a
 * command, and `output`, the file that it writes. */
static int timeline_check(
	const struct settings *s, const char *example, const char *output, struct error *err)
{
	if (!s->job.input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err, "%s", example);
	}
	if (s->output.count == 1)
		return 0;
	error_set(err, ERROR_USAGE, "-o", "expected one file name, found %s",
		s->output.count ? "several" : "none");
	return error_hint(err, "-o %s, -o %s.gz; - is standard output", output, output);
}

static const char *timeline_output(const struct settings *s)
{
	return *(const char **)vec_at(&s->output, 0);
}

/* The job that merge and mean share. */
static struct merge_job timeline_job(const struct settings *s)
{
	return (struct merge_job){
		.paths = s->job.input.data,
		.path_count = s->job.input.count,
		.output = timeline_output(s),
		.input_name = s->job.input_name,
		.from = s->job.from,
		.read = s->job.read,
		.clock = s->timeline.clock,
		.take = s->job.range.data,
		.take_count = s->job.range.count,
		.found = arena_array(s->arena, s->job.range.count, sizeof(bool)),
		.skip = s->timeline.skip.data,
		.skip_count = s->timeline.skip.count,
		.rules = s->job.rules,
		.max_bytes = s->timeline.max_bytes,
		.strict = s->job.strict,
		.cv_of_population = s->job.sample.population,
	};
}

static void timeline_report(const char *note)
{
	diagnostic_line("stepstat: note: ", note);
}

/* A trace has no place for these, so they are notes on standard error. */
static void timeline_report_issues(const struct issue_list *issues, enum issue_severity least)
{
	struct text line;

	text_init(&line);
	for (size_t i = 0; i < issues->count; i++) {
		if (issues->issue[i].severity < least)
			continue;
		text_clear(&line);
		issue_add_sentence(&line, &issues->issue[i]);
		timeline_report(text_string(&line));
	}
	text_release(&line);
}

static void timeline_report_count(uint64_t count, const char *what)
{
	struct text line;

	if (!count)
		return;
	text_init(&line);
	text_printf(&line, "%" PRIu64 " %s", count, what);
	timeline_report(text_string(&line));
	text_release(&line);
}

static int run_generate(struct settings *s, struct error *err)
{
	struct generate_job job = {
		.paths = s->job.input.data,
		.path_count = s->job.input.count,
		.input_name = s->job.input_name,
		.from = s->job.from,
		.read = s->job.read,
		.options = {.dataflow = !s->timeline.no_dataflow, .memory = s->timeline.memory},
		.strict = s->job.strict,
	};
	struct issue_list issues;

	if (timeline_check(s, "stepstat timeline generate run_meta_100 -o timeline.json",
		    "timeline.json", err) < 0)
		return -1;
	if (job.from && !text_starts(job.from->name, "run-metadata")) {
		error_set(err, ERROR_USAGE, "--from", "\"%s\" makes no timeline", job.from->name);
		return error_hint(err, "run-metadata or run-metadata-text");
	}
	job.output = timeline_output(s);
	issue_list_init(&issues, s->arena);
	if (generate_files(&job, &issues, err) < 0)
		return -1;
	timeline_report_issues(&issues, ISSUE_INFO);
	return 0;
}

static const struct command command_generate = {
	.name = "timeline generate",
	.letter = 'T',
	.arguments = "RUN_META... -o FILE",
	.summary = "the Chrome trace that timeline.py makes of RunMetadata",
	.about = "One step: byte by byte what Timeline(step_stats).generate_chrome_trace_format() "
		 "of TensorFlow\n"
		 "writes. Several files, or a folder: all steps in one trace, each with its own "
		 "processes.\n"
		 "A name that ends in .gz is gzipped. Open it in chrome://tracing or "
		 "ui.perfetto.dev.",
	.examples = "  stepstat timeline generate run_meta_100 -o timeline_100.json\n"
		    "  stepstat timeline generate run_meta/ --memory -o steps.json.gz\n",
	.run = run_generate,
	.output_help = "the file to write (.gz: gzipped; - is standard output)",
};

static int run_mean(struct settings *s, struct error *err)
{
	struct merge_job job;
	struct mean_outcome outcome;
	struct issue_list issues;

	if (timeline_check(
		    s, "stepstat timeline mean timeline_*.json -o mean.json", "mean.json", err) < 0)
		return -1;
	job = timeline_job(s);
	issue_list_init(&issues, s->arena);
	if (mean_files(&job, &outcome, &issues, err) < 0)
		return -1;
	timeline_report_issues(&issues, ISSUE_LOSS);
	timeline_report_count(outcome.files_left_out, "files left out");
	timeline_report_count(outcome.outside,
		"executions left out that are in no step, or in none that was chosen");
	return 0;
}

static const struct command command_mean = {
	.name = "timeline mean",
	.letter = 'A',
	.arguments = "FILE... -o FILE",
	.summary = "the mean step: each op at its mean place, with n, mean, CV and p95",
	.about = "Traces with steps, of any producer that stepstat reads: files of one step each, "
		 "or of several. A slice\n"
		 "is the k-th execution of an op on its lane in a step, over all steps that have "
		 "it.",
	.examples = "  stepstat timeline mean timeline_*.json --skip=0 -o mean.json\n"
		    "  stepstat timeline mean run.pt.trace.json.gz -o mean.json.gz\n",
	.run = run_mean,
	.output_help = "the file to write (.gz: gzipped; - is standard output)",
};

static void report(const struct merge_outcome *outcome, const struct issue_list *issues)
{
	timeline_report_issues(issues, ISSUE_INFO);
	if (outcome->moved)
		timeline_report("the files are far apart in time: they were laid one after the "
				"other (--keep-clock leaves times alone)");
	timeline_report_count(outcome->files_left_out, "files left out");
	timeline_report_count(outcome->outside, "events left out that start in none of the steps");
	timeline_report_count(outcome->filtered, "events left out by --include and --exclude");
	timeline_report_count(outcome->arrows, "ends of arrows left out");
	struct text line;

	if (outcome->short_slices) {
		text_init(&line);
		text_printf(&line, "%" PRIu64 " slices shorter than %.15g us left out (--max-size)",
			outcome->short_slices, (double)outcome->shortest_ps / 1e6);
		if (outcome->cut_kept)
			text_printf(&line,
				"; of those of at least %.15g us a part is kept, evenly over the "
				"files",
				(double)outcome->cut_ps / 1e6);
		timeline_report(text_string(&line));
		text_release(&line);
	}
	timeline_report_count(outcome->others,
		"counters, instants, objects and other events left out (--max-size)");
}

static int run_merge(struct settings *s, struct error *err)
{
	struct merge_job job;
	struct merge_outcome outcome;
	struct issue_list issues;

	if (timeline_check(s, "stepstat timeline merge timeline_*.json -o merged.json",
		    "merged.json", err) < 0)
		return -1;
	job = timeline_job(s);
	issue_list_init(&issues, s->arena);
	if (merge_files(&job, &outcome, &issues, err) < 0)
		return -1;
	report(&outcome, &issues);
	return 0;
}

static const struct command command_merge = {
	.name = "timeline merge",
	.letter = 'M',
	.arguments = "FILE... -o FILE",
	.summary = "traces of several steps, ranks or jobs in one",
	.about = "Chrome and Perfetto traces of any producer, plain or gzip; a folder is all "
		 "traces in it. Processes, threads, arrows\n"
		 "and ids of each file stay apart, and processes are labelled with their file and "
		 "step. Files that share a\n"
		 "clock keep it; files far apart are laid one after the other. One file loses "
		 "nothing.",
	.examples = "  stepstat timeline merge timeline_*.json -o merged.json\n"
		    "  stepstat timeline merge rank0.json.gz rank1.json.gz --align=step -o "
		    "ranks.json.gz\n",
	.run = run_merge,
	.output_help = "the file to write (.gz: gzipped; - is standard output)",
};

const struct command command_timeline = {
	.name = "timeline",
	.arguments = "COMMAND",
	.summary = "Chrome traces (chrome://tracing, Perfetto) of recorded steps",
	.examples = "  stepstat timeline generate run_meta_100 -o timeline.json\n",
	.part = (const struct command *const[]){&command_generate, &command_merge, &command_mean,
		NULL},
};
