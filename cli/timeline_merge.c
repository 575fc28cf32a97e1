/*
 * stepstat timeline merge: traces of several steps, ranks or jobs in one.
 */
#include <inttypes.h>
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/timeline_part.h"
#include "timeline/merge/merge_files.h"

static void report_cut(const struct merge_outcome *outcome)
{
	struct text line;

	if (!outcome->short_slices)
		return;
	text_init(&line);
	text_printf(&line, "%" PRIu64 " slices shorter than %.15g us left out (--max-size)",
		outcome->short_slices, (double)outcome->shortest_ps / 1e6);
	if (outcome->cut_kept)
		text_printf(&line,
			"; of those of at least %.15g us a part is kept, evenly over the files",
			(double)outcome->cut_ps / 1e6);
	timeline_report(text_string(&line));
	text_release(&line);
}

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
	report_cut(outcome);
	timeline_report_count(outcome->others,
		"counters, instants, objects and other events left out (--max-size)");
}

static int run(struct settings *s, struct error *err)
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

const struct command command_timeline_merge = {
	.name = "timeline merge",
	.letter = 'M',
	.arguments = "FILE... -o FILE",
	.summary = "traces of several steps, ranks or jobs in one",
	.about = "Chrome and Perfetto traces of any producer, plain or gzip; a folder is all "
		 "traces in it. "
		 "Processes, "
		 "threads, arrows\n"
		 "and ids of each file stay apart, and processes are labelled with their file and "
		 "step. "
		 "Files that share a\n"
		 "clock keep it; files far apart are laid one after the other. One file loses "
		 "nothing.",
	.examples = "  stepstat timeline merge timeline_*.json -o merged.json\n"
		    "  stepstat timeline merge rank0.json.gz rank1.json.gz --align=step -o "
		    "ranks.json.gz\n",
	.run = run,
	.output_help = "the file to write (.gz: gzipped; - is standard "
		       "output)",
};
