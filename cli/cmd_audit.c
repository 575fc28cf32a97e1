/* stepstat audit: what is false or missing in the inputs, file by file. */
#include <math.h>
#include <string.h>
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/report_output.h"
#include "pipeline/one_side.h"
#include "report/build.h"

/* One input. */
struct audited {
	const char *path;
	const char *title; /* of its format */
	size_t steps, ops;
	const struct issue_list *issues;
};

/* True if the issue is a finding, not plain information. */
static bool is_finding(const struct issue *issue)
{
	return issue->severity != ISSUE_INFO;
}

/* A finding of a file. */
struct found {
	const struct audited *file;
	const struct issue *issue;
	const char *effect; /* in words */
};

enum audit_column {
	AUDIT_FILE,
	AUDIT_CODE,
	AUDIT_COUNT,
	AUDIT_EFFECT,
	AUDIT_ROW,
	AUDIT_LOW,
	AUDIT_HIGH,
	AUDIT_RECORDED,
	AUDIT_UNIT,
	AUDIT_STEPS,
	AUDIT_PLACE,
	AUDIT_TEXT,
	AUDIT_ADVICE,
	AUDIT_LOST_OF,
	AUDIT_LOST,
};

static struct cell text_or_none(const char *text)
{
	return cell_text(text && *text ? text : NULL);
}

static struct cell bound_cell(int64_t bound)
{
	return bound == EFFECT_UNKNOWN ? (struct cell){.kind = CELL_NONE} : cell_integer(bound);
}

static struct cell found_cell(const struct column *column, const void *from)
{
	const struct found *found = from;
	const enum audit_column which = (enum audit_column)column->index;

	switch (which) {
	case AUDIT_FILE:
		return cell_text(found->file->path);
	case AUDIT_CODE:
		return cell_text(found->issue->code);
	case AUDIT_COUNT:
		return cell_integer((int64_t)found->issue->count);
	case AUDIT_EFFECT:
		return text_or_none(found->effect);
	case AUDIT_PLACE:
		return text_or_none(found->issue->place);
	case AUDIT_TEXT:
		return cell_text(found->issue->text);
	case AUDIT_ADVICE:
		return text_or_none(issue_advice(found->issue->code));
	case AUDIT_LOST_OF:
		return cell_text(
			found->issue->loss.kind ? issue_loss_word(found->issue->loss.kind) : NULL);
	case AUDIT_LOST:
		return cell_real(
			found->issue->loss.kind ? issue_lost_part(&found->issue->loss) : NAN);
	default:
		if (found->issue->effect.unit == EFFECT_NONE)
			return (struct cell){.kind = CELL_NONE};
		switch (which) {
		case AUDIT_ROW:
			return text_or_none(found->issue->effect.row);
		case AUDIT_LOW:
			return bound_cell(found->issue->effect.low);
		case AUDIT_HIGH:
			return bound_cell(found->issue->effect.high);
		case AUDIT_RECORDED:
			return bound_cell(found->issue->effect.recorded);
		case AUDIT_UNIT:
			return cell_text(issue_effect_unit(found->issue->effect.unit));
		default:
			return text_or_none(found->issue->effect.steps);
		}
	}
}

static struct found *list_found(
	struct arena *arena, const struct audited *file, size_t count, size_t *n)
{
	struct found *list;
	size_t room = 0;

	for (size_t i = 0; i < count; i++)
		room += file[i].issues->count;
	list = arena_array(arena, room + 1, sizeof(*list));
	*n = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < file[i].issues->count; k++) {
			struct text words;

			if (!is_finding(&file[i].issues->issue[k]))
				continue;
			text_init(&words);
			issue_add_effect(&words, &file[i].issues->issue[k].effect);
			list[(*n)++] = (struct found){&file[i], &file[i].issues->issue[k],
				arena_strdup(arena, text_string(&words))};
			text_release(&words);
		}
	return list;
}

static void add_tables(struct report *report, const struct found *found, size_t count)
{
#define NUMBER(name)                                                                               \
	{                                                                                          \
		.stat = name, .dimension = DIMENSION_COUNT, .align = ALIGN_RIGHT                   \
	}
	static const struct column columns[] = {[AUDIT_FILE] = {.stat = "file", .shorten = true},
		[AUDIT_CODE] = {.stat = "code"},
		[AUDIT_COUNT] = NUMBER("count"),
		[AUDIT_EFFECT] = {.stat = "effect", .title = "what it changes most", .wrap = true},
		[AUDIT_ROW] = {.stat = "row"},
		[AUDIT_LOW] = NUMBER("low"),
		[AUDIT_HIGH] = NUMBER("high"),
		[AUDIT_RECORDED] = NUMBER("recorded"),
		[AUDIT_UNIT] = {.stat = "unit"},
		[AUDIT_STEPS] = {.stat = "steps"},
		[AUDIT_PLACE] = {.stat = "place"},
		[AUDIT_TEXT] = {.stat = "text"},
		[AUDIT_ADVICE] = {.stat = "advice"},
		[AUDIT_LOST_OF] = {.stat = "lost_of"},
		[AUDIT_LOST] = {
			.stat = "lost", .dimension = DIMENSION_FRACTION, .align = ALIGN_RIGHT}};
#undef NUMBER
	report->display.name = report->data.name = "findings";
	if (count)
		report_add_columns(report, &report->display, found_cell, columns, AUDIT_EFFECT + 1);
	report_add_columns(report, &report->data, found_cell, columns, AUDIT_LOST + 1);
	for (size_t i = 0; i < count; i++) {
		report_make_row(report, &report->display, &found[i]);
		report_make_row(report, &report->data, &found[i]);
	}
}

/* Strings must outlive the report. *findings: of all files. */
static struct report *findings_report(const struct audited *file, size_t count, size_t *findings)
{
	struct report *report = report_new("audit");
	struct found *found = list_found(report->arena, file, count, findings);
	struct issue_list *issues = arena_alloc(report->arena, sizeof(*issues));
	size_t with = 0;

	for (size_t i = 0; i < count; i++) {
		bool any = false;

		for (size_t k = 0; k < file[i].issues->count; k++)
			any |= is_finding(&file[i].issues->issue[k]);
		with += any;
	}

	issue_list_init(issues, report->arena);
	for (size_t i = 0; i < count; i++) {
		report_heading(report, "%s: %s, %zu step%s, %zu op%s", file[i].path,
			file[i].title ? file[i].title : "profile", file[i].steps,
			file[i].steps == 1 ? "" : "s", file[i].ops, file[i].ops == 1 ? "" : "s");
		issue_list_join(issues, file[i].issues);
	}
	report->issues = issues;
	if (*findings == 0)
		report_answer(report,
			"Nothing false or missing is found: text, times, ids, streams, launches, "
			"waits, nesting, steps, limits of writers.");
	else
		report_answer(report,
			"%zu finding%s in %zu of %zu file%s. Bounds are of the "
			"total over the whole file.",
			*findings, *findings == 1 ? "" : "s", with, count, count == 1 ? "" : "s");
	add_tables(report, found, *findings);
	/* Add a note about each kind of finding, once for each code with the place of the first,
	 * and the remedy. */
	for (size_t i = 0; i < *findings; i++) {
		const struct issue *issue = found[i].issue;
		const char *advice = issue_advice(issue->code);
		bool is_told = false;

		for (size_t k = 0; k < i && !is_told; k++)
			is_told = text_equal(found[k].issue->code, issue->code);
		if (!is_told)
			report_note(report, "!", NULL, "%s: %s (first: %s)%s%s", issue->code,
				issue->text, *issue->place ? issue->place : found[i].file->path,
				advice ? ". What to do: " : "", advice ? advice : "");
	}
	return report;
}

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
