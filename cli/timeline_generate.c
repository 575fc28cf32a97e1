/*
 * stepstat timeline generate: what TensorFlow's timeline.py makes of RunMetadata.
 */
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/timeline_part.h"
#include "timeline/generate_files.h"

static int run(struct settings *s, struct error *err)
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

const struct command command_timeline_generate = {
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
	.run = run,
	.output_help = "the file to write (.gz: gzipped; - is standard "
		       "output)",
};
