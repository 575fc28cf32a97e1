/*
 * stepstat timeline merge: traces of several steps, ranks or jobs in one.
 */
#include <inttypes.h>
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/diagnostic.h"
#include "timeline/merge_files.h"

static int check(const struct settings *s, struct error *err)
{
	if (!s->job.input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err, "stepstat timeline merge timeline_*.json -o merged.json");
	}
	if (s->output.count == 1)
		return 0;
	error_set(err, ERROR_USAGE, "-o", "expected one file name, found %s",
		s->output.count ? "several" : "none");
	return error_hint(err, "-o merged.json, -o merged.json.gz; - is standard output");
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

static void tell(const struct merge_told *told, const struct issue_list *issues)
{
	struct text line;

	text_init(&line);
	for (size_t i = 0; i < issues->count; i++) {
		const struct issue *issue = &issues->issue[i];

		issue_add_sentence(&line, issue);
		note(&line);
	}
	if (told->moved) {
		text_add(&line, "the files are far apart in time: they were laid one after the "
				"other (--keep-clock leaves times alone)");
		note(&line);
	}
	note_count(&line, told->files_left_out, "files left out");
	note_count(&line, told->outside, "events left out that start in none of the steps");
	note_count(&line, told->filtered, "events left out by --include and --exclude");
	note_count(&line, told->arrows, "ends of arrows left out");
	if (told->short_slices) {
		text_printf(&line, "%" PRIu64 " slices shorter than %.15g us left out (--max-size)",
			told->short_slices, (double)told->shortest_ps / 1e6);
		if (told->cut_kept)
			text_printf(&line,
				"; of those of at least %.15g us a part is kept, evenly over the "
				"files",
				(double)told->cut_ps / 1e6);
		note(&line);
	}
	note_count(&line, told->others,
		"counters, instants, objects and other events left out (--max-size)");
	text_release(&line);
}

static int run(struct settings *s, struct error *err)
{
	struct merge_job job = {
		.paths = s->job.input.data,
		.path_count = s->job.input.count,
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
	};
	struct merge_told told;
	struct issue_list issues;

	if (check(s, err) < 0)
		return -1;
	job.output = *(const char **)vec_at(&s->output, 0);
	issue_list_init(&issues, s->arena);
	if (merge_files(&job, &told, &issues, err) < 0)
		return -1;
	tell(&told, &issues);
	return 0;
}

const struct command command_timeline_merge = {
	.name = "timeline merge",
	.letter = 'M',
	.arguments = "FILE... -o FILE",
	.summary = "traces of several steps, ranks or jobs in one",
	.about = "Chrome traces of any producer, plain or gzip; a folder is all traces in it. "
		 "Processes, threads, arrows\n"
		 "and ids of each file stay distinct, and processes are labelled with their "
		 "file and step. Files that share a\n"
		 "clock keep it; files far apart are placed one after the other. A single file "
		 "loses nothing.",
	.examples = "  stepstat timeline merge timeline_*.json -o merged.json\n"
		    "  stepstat timeline merge rank0.json.gz rank1.json.gz --align=step -o "
		    "ranks.json.gz\n",
	.run = run,
	.output_help = "the file to write (.gz: gzipped; - is standard output)",
};
