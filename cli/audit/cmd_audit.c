/*
 * stepstat audit: what is false or missing in the inputs, file by file.
 */
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/report_output.h"
#include "pipeline/one_side.h"
#include "cli/audit/findings_report.h"

#define STATUS_FINDINGS 1

/* Adds each finding about several files together to the file that it names. Files that make no runs
 * together are audited all the same, each by itself. */
static void add_of_runs(const struct settings *s, struct loaded *loaded, struct arena *arena)
{
	struct issue_list found;
	struct error ignored;

	issue_list_init(&found, arena);
	if (side_check_runs(&s->job, loaded, &found, &ignored) < 0)
		return;
	for (size_t i = 0; i < found.count; i++)
		for (size_t p = 0; p < loaded->count; p++) {
			const struct issue *issue = &found.issue[i];
			struct profile *profile = loaded->profile[p];

			if (!is_finding(issue) || !issue->place ||
				!text_equal(profile->path, issue->place))
				continue;
			issue_add(&profile->issues, issue->severity, issue->code, issue->text,
				issue->count, issue->place);
			issue_set_effect(&profile->issues, issue->code, &issue->effect);
			break;
		}
}

static int show(const struct settings *s, const struct loaded *loaded, struct arena *arena,
	struct error *err)
{
	struct audited *file = arena_array(arena, loaded->count + 1, sizeof(*file));
	struct report *report;
	size_t findings;
	int status;

	for (size_t i = 0; i < loaded->count; i++) {
		const struct profile *profile = loaded->profile[i];

		file[i] = (struct audited){.path = profile->path,
			.title = profile->format_title,
			.steps = profile->step_count,
			.ops = profile->op_count,
			.issues = &profile->issues};
	}
	report = findings_report(file, loaded->count, &findings);
	status = report_output_write(s, report, err);
	report_free(report);
	return status < 0 || findings == 0 ? status : STATUS_FINDINGS;
}

static int run(struct settings *s, struct error *err)
{
	struct arena *arena;
	struct loaded *loaded;
	int status = -1;

	if (!s->job.input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err, "stepstat audit FILE");
	}
	arena = arena_new();
	loaded = side_read(&s->job, s->job.input.data, s->job.input.count, arena, err);
	if (loaded) {
		add_of_runs(s, loaded, arena);
		status = show(s, loaded, arena, err);
	}
	loaded_free(loaded);
	arena_free(arena);
	return status;
}

const struct command command_audit = {
	.name = "audit",
	.letter = 'D',
	.arguments = "INPUT...",
	.summary = "what is false or missing in traces, and what it changes",
	.about = "Exit: 0 nothing is found; 1 something is; 2 wrong options; 3 an input cannot be "
		 "read.\nThe findings are in every report, too; doc/audit.md explains each code.",
	.examples = "  stepstat audit trace.json.gz\n"
		    "  stepstat audit runs/ --to=csv -o audit.md\n",
	.run = run,
	.shows_all_rows = true,
};
