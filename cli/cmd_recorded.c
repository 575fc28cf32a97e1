/* stepstat noise, stepstat history: what recorded runs say of noise, and of what changed. */
#include "analysis/recorded/history.h"
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/options/input_lines.h"
#include "cli/report_output.h"
#include "pipeline/one_side.h"
#include "pipeline/report_choices.h"
#include "pipeline/two_sides.h"
#include "report/recorded/build_recorded.h"

#define MARGIN 0.02

/* A run that cannot be read is missing in what is said of the others. */
static void note_unread(struct report *report, const struct side *side)
{
	const struct skipped_file *first = NULL;
	size_t count = 0;

	for (size_t i = side->skipped_count; i-- > 0;)
		if (side->skipped[i].broken || text_ends(side->skipped[i].path, ".obs")) {
			first = &side->skipped[i];
			count++;
		}
	if (first)
		report_note(report, "!", NULL,
			"%zu file%s could not be read and %s no run here (first: %s: %s)", count,
			count == 1 ? "" : "s", count == 1 ? "is" : "are", first->path,
			first->reason);
}

static int show(struct settings *s, struct side *side,
	struct report *(*make)(const struct recorded_input *, const struct history *,
		const struct build_options *),
	struct error *err)
{
	const struct run_side run = {side->self, side->cube, &side->steps, &side->grouping};
	const struct compare_options *compare = &s->job.compare.options;
	const struct run_value_options *value = &compare->value;
	struct recorded_input in = {.cube = side->self,
		.grouping = &side->grouping,
		.steps = &side->steps,
		.alpha = compare->rule.alpha,
		.margin =
			compare->rule.margin_relative > 0 ? compare->rule.margin_relative : MARGIN};
	const enum measure_id *measure;
	struct build_options build;
	struct recorded_runs *recorded;
	struct history *history;
	struct report *report;
	size_t measures;
	int status;

	if (side_measures(side, &s->job, side->arena, &measure, &measures, err) < 0 ||
		report_choices_make(&s->job, side, &build, err) < 0)
		return -1;
	in.recorded = recorded =
		recorded_make(&run, measure, measures, value, s->job.min_share, side->arena);
	history = history_make(recorded, side->self, in.alpha, side->arena);
	history_take_out(history, recorded);
	report = make(&in, history, &build);
	note_unread(report, side);
	input_lines_add_extra(s, report, (struct extra_side[]){{"", side->self}}, 1);
	status = report_output_write(s, report, err);
	report_free(report);
	history_free(history);
	return status;
}

static int look(struct settings *s,
	struct report *(*make)(const struct recorded_input *, const struct history *,
		const struct build_options *),
	struct error *err)
{
	struct side *side;
	int status = -1;

	if (!s->job.input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err, "stepstat %s STORE", s->command_name);
	}
	two_sides_set_defaults(&s->job);
	s->job.steps.leave_out_unsteady = false;
	side = side_load(&s->job, s->job.input.data, s->job.input.count, err);
	if (side && side_choose_rows(side, &s->job, err) == 0 &&
		side_select(side, &s->job, err) == 0)
		status = show(s, side, make, err);
	side_free(side);
	return status;
}

static int run_noise(struct settings *s, struct error *err)
{
	return look(s, build_noise, err);
}

static int run_history(struct settings *s, struct error *err)
{
	return look(s, build_history, err);
}

const struct command command_noise = {
	.name = "noise",
	.letter = 'N',
	.arguments = "STORE|RUN...",
	.summary = "how much steps, runs, sessions and machines differ, and what a gate can see",
	.about =
		"Standard deviations of each level, the smallest change that a gate of one run in "
		"a new session sees\nin 80 % of cases (alone, and as one of all rows), that of "
		"five pairs in turns, and what it costs to see\n--margin. Runs are of one session "
		"where `record --session` says so, else where less than an hour lies between them.",
	.examples = "  stepstat noise store/\n"
		    "  stepstat noise store/ --margin=1% -o noise.csv\n",
	.run = run_noise,
};

const struct command command_history = {
	.name = "history",
	.letter = 'H',
	.arguments = "STORE|RUN...",
	.summary = "what changed over recorded runs: rows, sizes, commits, machines",
	.about = "Change points of each row over the sessions of each machine, in order of start, "
		 "with the commits between\nwhich they lie; whether one row moved, all rows did "
		 "(the machine), facts changed with it (driver, framework),\nthe spread changed, "
		 "or the row drifts. A row needs six sessions.",
	.examples = "  stepstat history store/\n"
		    "  stepstat history store/ --to=json\n",
	.run = run_history,
};
