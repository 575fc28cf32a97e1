/*
 * stepstat timeline mean: the mean step as one trace.
 */
#include <inttypes.h>
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/diagnostic.h"
#include "timeline/mean_files.h"

static int check(const struct settings *s, struct error *err)
{
	if (!s->job.input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err, "stepstat timeline mean timeline_*.json -o mean.json");
	}
	if (s->output.count == 1)
		return 0;
	error_set(err, ERROR_USAGE, "-o", "expected one file name, found %s",
		s->output.count ? "several" : "none");
	return error_hint(err, "-o mean.json, -o mean.json.gz; - is standard output");
}

static void note(struct text *line)
{
	diagnostic_line("stepstat: note: ", text_string(line));
	text_clear(line);
}

static void note_count(struct text *line, uint64_t count, const char *what)
{
	if (!count)
		return;
	text_printf(line, "%" PRIu64 " %s", count, what);
	note(line);
}

static void tell(const struct mean_told *told, const struct issue_list *issues)
{
	struct text line;

	text_init(&line);
	for (size_t i = 0; i < issues->count; i++) {
		const struct issue *issue = &issues->issue[i];

		if (issue->severity == ISSUE_INFO)
			continue;
		issue_add_sentence(&line, issue);
		note(&line);
	}
	note_count(&line, told->files_left_out, "files left out");
	note_count(&line, told->outside,
		"executions left out that are in no step, or in none that was chosen");
	text_release(&line);
}

static int run(struct settings *s, struct error *err)
{
	struct merge_job job = {
		.paths = s->job.input.data,
		.path_count = s->job.input.count,
		.from = s->job.from,
		.read = s->job.read,
		.take = s->job.range.data,
		.take_count = s->job.range.count,
		.found = arena_array(s->arena, s->job.range.count, sizeof(bool)),
		.skip = s->timeline.skip.data,
		.skip_count = s->timeline.skip.count,
		.rules = s->job.rules,
		.strict = s->job.strict,
		.cv_of_population = s->job.sample.population,
	};
	struct mean_told told;
	struct issue_list issues;

	if (check(s, err) < 0)
		return -1;
	job.output = *(const char **)vec_at(&s->output, 0);
	issue_list_init(&issues, s->arena);
	if (mean_files(&job, &told, &issues, err) < 0)
		return -1;
	tell(&told, &issues);
	return 0;
}

const struct command command_timeline_mean = {
	.name = "timeline mean",
	.letter = 'A',
	.arguments = "FILE... -o FILE",
	.summary = "the mean step: each op at its mean start, with n, mean, CV and p95",
	.about = "Traces with steps, of any producer that stepstat reads: files of one step "
		 "each, or of several. A slice\n"
		 "is the mean of the k-th executions of an op on its lane, over all steps that "
		 "have it.",
	.examples = "  stepstat timeline mean timeline_*.json --skip=0 -o mean.json\n"
		    "  stepstat timeline mean run.pt.trace.json.gz -o mean.json.gz\n",
	.run = run,
	.output_help = "the file to write (.gz: gzipped; - is standard output)",
};
