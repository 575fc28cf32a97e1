/* stepstat events: the events of traces as they were read, one a line. Files are read twice: for
 * runs and steps, then for the events, which are not kept. */
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "cli/explain.h"
#include "cli/export_tables.h"
#include "cli/options/command.h"
#include "cli/screen.h"
#include "config.h"
#include "export/event_source.h"

struct events_job {
	struct settings *s;
	struct event_stream *stream;
	struct outfile **file;
	size_t count;
	const struct step_set *steps; /* of --steps; NULL: all events are wanted */
	/* Name of an op by the rules, by its recorded name; NULL: there are no rules. */
	struct intern *names;
	struct vec fate; /* of const char *: its name, NULL: dropped */
	uint64_t rows;
};

/* ---- outputs ---- */

/* The form of a file by the end of its name; of standard output, by --to. */
static int form_of(
	const struct settings *s, const char *path, enum stream_form *form, struct error *err)
{
	const bool file = !text_equal(path, "-");
	const struct writer *writer = file ? writer_for_path(path, NULL) : s->to;
	const char *name = writer ? writer->name : file ? "" : "text";

	*form = target_of(name).events;
	if (*form)
		return 0;
	error_set(err, ERROR_USAGE, file ? "-o" : "--to",
		file ? "events are written as .csv, .ndjson, .parquet and .txt, found \"%s\""
		     : "events are written as text, csv, ndjson and parquet, found \"%s\"",
		file ? path : name);
	return error_hint(err, file ? "-o events.csv" : "--to=csv");
}

static int open_output(struct events_job *j, const char *path, struct error *err)
{
	struct event_stream *stream = &j->stream[j->count];
	int status = form_of(j->s, path, &stream->form, err);

	if (status < 0)
		return -1;
	stream->csv_safe = j->s->csv_safe;
	stream->out = j->file[j->count] = text_equal(path, "-") && stream->form == STREAM_TEXT
						  ? screen_open(err)
						  : outfile_open(path, err);
	if (!stream->out)
		return -1;
	event_stream_begin(stream, "stepstat version " PACKAGE_VERSION);
	j->count++;
	return 0;
}

static int open_outputs(struct events_job *j, struct error *err)
{
	size_t count = j->s->output.count;

	j->stream = arena_array(j->s->arena, count + 1, sizeof(*j->stream));
	j->file = arena_array(j->s->arena, count + 1, sizeof(struct outfile *));
	for (size_t i = 0; i < count; i++)
		if (open_output(j, *(const char **)vec_at(&j->s->output, i), err) < 0)
			return -1;
	return count ? 0 : open_output(j, "-", err);
}

static int close_outputs(struct events_job *j, int status, struct error *err)
{
	size_t done = 0;

	for (size_t i = 0; i < j->count && !status; i++)
		status = event_stream_finish(&j->stream[i], err) < 0
				 ? -1
				 : outfile_finish(j->file[i], err);
	for (; done < j->count && !status; done++)
		status = outfile_commit(j->file[done], err);
	for (; done < j->count; done++)
		outfile_discard(j->file[done]);
	for (size_t i = 0; i < j->count; i++)
		event_stream_end(&j->stream[i]);
	return status;
}

/* ---- what is wanted ---- */

static bool is_chosen(const struct events_job *j, const struct event_step *step)
{
	return step && step->of_cube != UINT32_MAX &&
	       j->steps->index_of[step->of_cube] != STEP_NOT_KEPT;
}

/* The op's name after the rules, NULL when they drop it. The rules are applied once for each
 * name. */
static int fate(struct events_job *j, const char *name, const char **becomes, struct error *err)
{
	size_t known;
	uint32_t id;
	struct rule_outcome outcome;
	const char **slot;

	*becomes = name;
	if (!j->names)
		return 0;
	known = intern_count(j->names);
	id = intern_id(j->names, name, strlen(name));
	if (id == known) {
		slot = vec_push(&j->fate, err);
		if (!slot || rules_apply(j->s->job.rules, name, j->s->arena, &outcome, err) < 0)
			return -1;
		*slot = outcome.kept ? outcome.name : NULL;
	}
	*becomes = *(const char **)vec_at(&j->fate, id);
	return 0;
}

static int on_event(
	void *to, const struct event_place *at, const struct event_row *row, struct error *err)
{
	struct events_job *j = to;
	const char *op;

	if (j->steps && !is_chosen(j, at->step))
		return 0;
	if (fate(j, row->op, &op, err) < 0)
		return -1;
	if (!op)
		return 0;
	j->rows++;
	for (size_t i = 0; i < j->count; i++)
		event_stream_add(&j->stream[i], at, op, row);
	return 0;
}

/* ---- the command ---- */

static int write_events(struct events_job *j, const struct event_files *files, struct error *err)
{
	int status;

	if (rules_count(j->s->job.rules)) {
		j->names = intern_new(j->s->arena);
		vec_init(&j->fate, sizeof(const char *), j->s->job.read.limits.ops + 1,
			"ops (max-ops)");
	}
	status = open_outputs(j, err);
	if (status == 0)
		status = events_each(files, on_event, j, err);
	if (status == 0 && !j->s->job.group.allow_empty)
		status = trace_tally_check(&j->s->job.read.trace, err);
	status = close_outputs(j, status, err);
	vec_release(&j->fate);
	return status;
}

/* Prints losses on standard error: the table of events has no place for them. */
static void print_issues(const struct issue_list *issues)
{
	struct text line;

	text_init(&line);
	for (size_t i = 0; i < issues->count; i++) {
		const struct issue *issue = &issues->issue[i];

		if (issue->severity == ISSUE_INFO)
			continue;
		text_clear(&line);
		issue_add_sentence(&line, issue);
		diagnostic_line("stepstat: note: ", text_string(&line));
	}
	text_release(&line);
}

/* Standard input cannot be read twice: its steps are as recorded. */
static int write_stream(struct settings *s, struct error *err)
{
	struct event_file file = {.path = "-"};
	struct issue_list issues;
	struct event_files files = {.file = &file,
		.count = 1,
		.from = s->job.from,
		.input_name = s->job.input_name,
		.read = s->job.read,
		.issues = &issues};
	struct events_job job = {.s = s};

	if (s->job.range.count || s->explain_inputs || s->job.strict ||
		s->job.runs_mode != RUNS_AUTO) {
		const char *option = s->job.range.count		     ? "--steps"
				     : s->job.strict		     ? "--strict"
				     : s->job.runs_mode != RUNS_AUTO ? "--runs"
								     : "--explain-inputs";

		error_set(err, ERROR_USAGE, option, "not with standard input");
		return error_hint(err, "give the file by its name");
	}
	if (s->job.input_name) /* of a file that is alone */
		file.run = text_base_name(s->job.input_name);
	issue_list_init(&issues, s->arena);
	if (write_events(&job, &files, err) < 0)
		return -1;
	print_issues(&issues);
	if (job.rows)
		return 0;
	error_set(err, ERROR_INPUT, s->job.input_name ? s->job.input_name : "standard input",
		"no events");
	return error_hint(
		err, "traces have events: timelines, PyTorch, ONNX Runtime, any Chrome trace");
}

static int run(struct settings *s, struct error *err)
{
	struct events_job job = {.s = s};
	const struct event_files *files;
	struct side *side;
	int status = -1;

	if (!s->job.input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err, "stepstat events trace.json");
	}
	if (s->job.input.count == 1 && text_equal(*(const char **)vec_at(&s->job.input, 0), "-"))
		return write_stream(s, err);
	s->job.ranks_apart = true; /* the events of each rank, not only of the first */
	side = side_load(&s->job, s->job.input.data, s->job.input.count, err);
	if (!side)
		return -1;
	files = export_events(s, side);
	if (s->explain_inputs)
		status = explain_inputs(s, side, err);
	else if (!files) {
		error_set(err, ERROR_INPUT, side->label, "%s, which holds sums, not single events",
			side->self->format_title);
		status = error_hint(err, "traces have events: timelines, PyTorch, ONNX Runtime, "
					 "any Chrome trace; stepstat report shows the sums");
	} else if (side_select(side, &s->job, err) == 0) {
		if (side->steps.count < side->self->step_count)
			job.steps = &side->steps;
		status = write_events(&job, files, err);
		if (status == 0)
			print_issues(&side->self->issues);
	}
	side_free(side);
	return status;
}

const struct command command_events = {
	.name = "events",
	.letter = 'V',
	.arguments = "INPUT...",
	.summary = "the single events of traces: step, thread, op, start, duration",
	.about = "One line per event that counts as an op, thread by thread in order of time: run, "
		 "step (none: outside\n"
		 "of all), process, lane, device, op, type, start_us as in the file, dur_us, "
		 "self_us (without nested events),\n"
		 "depth, bytes, rank, index (place of the step in time, from 0) and kind of the "
		 "step. Times are exact decimals.",
	.examples = "  stepstat events trace.json --include='Conv' | less\n"
		    "  stepstat events trace.json.gz --steps=3 -o events.csv\n",
	.run = run,
	.output_help =
		"write a file (repeatable; .csv, .ndjson, .parquet, .txt; - is standard output)",
};
