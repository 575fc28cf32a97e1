/*
 * stepstat timeline mean: the mean step as one trace.
 */
#include "cli/options/command.h"
#include "cli/timeline_part.h"
#include "timeline/merge/mean_files.h"

static int run(struct settings *s, struct error *err)
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

const struct command command_timeline_mean = {
	.name = "timeline mean",
	.letter = 'A',
	.arguments = "FILE... -o FILE",
	.summary = "the mean step: each op at its mean place, with n, mean, CV and p95",
	.about = "Traces with steps, of any producer that stepstat reads: files of one step each, "
		 "or of "
		 "several. A slice\n"
		 "is the k-th execution of an op on its lane in a step, over all steps that have "
		 "it.",
	.examples = "  stepstat timeline mean timeline_*.json --skip=0 -o mean.json\n"
		    "  stepstat timeline mean run.pt.trace.json.gz -o mean.json.gz\n",
	.run = run,
	.output_help = "the file to write (.gz: gzipped; - is standard "
		       "output)",
};
