/*
 * stepstat timeline generate: what TensorFlow's timeline.py makes of RunMetadata.
 */
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/diagnostic.h"
#include "timeline/generate_files.h"

static int check(const struct settings *s, struct error *err)
{
	if (!s->job.input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err, "stepstat timeline generate run_meta_100 -o timeline.json");
	}
	if (s->output.count != 1) {
		error_set(err, ERROR_USAGE, "-o", "expected one file name, found %s",
			s->output.count ? "several" : "none");
		return error_hint(
			err, "-o timeline.json, -o timeline.json.gz; - is standard output");
	}
	if (s->job.from && !text_starts(s->job.from->name, "run-metadata")) {
		error_set(
			err, ERROR_USAGE, "--from", "\"%s\" makes no timeline", s->job.from->name);
		return error_hint(err, "run-metadata or run-metadata-text");
	}
	return 0;
}

/* What was lost, on standard error: the file has no place for it. */
static void tell(const struct issue_list *issues)
{
	struct text line;

	text_init(&line);
	for (size_t i = 0; i < issues->count; i++) {
		const struct issue *issue = &issues->issue[i];

		text_clear(&line);
		issue_add_sentence(&line, issue);
		diagnostic_line("stepstat: note: ", text_string(&line));
	}
	text_release(&line);
}

static int run(struct settings *s, struct error *err)
{
	struct generate_job job = {
		.paths = s->job.input.data,
		.path_count = s->job.input.count,
		.from = s->job.from,
		.read = s->job.read,
		.options = {.dataflow = !s->timeline.no_dataflow, .memory = s->timeline.memory},
		.strict = s->job.strict,
	};
	struct issue_list issues;

	if (check(s, err) < 0)
		return -1;
	job.output = *(const char **)vec_at(&s->output, 0);
	issue_list_init(&issues, s->arena);
	if (generate_files(&job, &issues, err) < 0)
		return -1;
	tell(&issues);
	return 0;
}

const struct command command_timeline_generate = {
	.name = "timeline generate",
	.letter = 'T',
	.arguments = "RUN_META... -o FILE",
	.summary = "the Chrome trace that timeline.py makes from RunMetadata",
	.about = "One step: byte by byte what "
		 "Timeline(step_stats).generate_chrome_trace_format() of TensorFlow\n"
		 "writes. Several files, or a folder: all steps in one trace, each with its "
		 "own processes.\n"
		 "If the name ends in .gz, the file is gzipped. Open it in chrome://tracing or "
		 "ui.perfetto.dev.",
	.examples = "  stepstat timeline generate run_meta_100 -o timeline_100.json\n"
		    "  stepstat timeline generate run_meta/ --memory -o steps.json.gz\n",
	.run = run,
	.output_help = "the file to write (.gz: gzipped; - is standard output)",
};
