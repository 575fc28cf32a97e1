/*
 * Prints runs with their files, files that were not read, and every issue with its count and first
 * place.
 */
#include "cli/explain.h"

#include "base/text.h"
#include "cli/report_output.h"
#include "report/build.h"

enum run_column { RUN_NAME, RUN_STEPS, RUN_FIRST, RUN_LAST, RUN_FILES };

/* What the cells of a row are made from. */
struct run_line {
	const struct run *run;
	const struct step *step; /* its first one */
};

static struct cell run_cell(const struct column *column, const void *from)
{
	const struct run_line *line = from;

	switch ((enum run_column)column->index) {
	case RUN_NAME:
		return cell_text(line->run->name);
	case RUN_STEPS:
		return cell_integer((int64_t)line->run->step_count);
	case RUN_FIRST:
		return cell_integer(line->step->number);
	case RUN_LAST:
		return cell_integer(line->step[line->run->step_count - 1].number);
	case RUN_FILES:
		break;
	}
	return cell_text(line->run->sources);
}

static void add_table(struct report *report, struct table *table, const struct cube *cube)
{
	static const struct column columns[] = {[RUN_NAME] = {.stat = "run", .shorten = true},
		[RUN_STEPS] = {.stat = "steps", .dimension = DIMENSION_COUNT, .align = ALIGN_RIGHT},
		[RUN_FIRST] = {.stat = "first", .dimension = DIMENSION_COUNT, .align = ALIGN_RIGHT},
		[RUN_LAST] = {.stat = "last", .dimension = DIMENSION_COUNT, .align = ALIGN_RIGHT},
		[RUN_FILES] = {.stat = "files"}};

	report_add_columns(report, table, run_cell, columns, sizeof(columns) / sizeof(*columns));
	for (size_t r = 0; r < cube->run_count; r++)
		report_make_row(report, table,
			&(struct run_line){&cube->run[r], &cube->step[cube->run[r].step_first]});
}

/* Files that were not read: one line for each reason, with the first file. */
static void add_skipped(struct report *report, const struct side *side)
{
	for (size_t i = 0; i < side->skipped_count; i++) {
		const struct skipped_file *file = &side->skipped[i];
		struct text text;
		size_t same = 0;
		bool is_listed = false;

		for (size_t j = 0; j < i && !is_listed; j++)
			is_listed = text_equal(side->skipped[j].reason, file->reason);
		if (is_listed)
			continue;
		for (size_t j = i; j < side->skipped_count; j++)
			same += text_equal(side->skipped[j].reason, file->reason);
		text_init(&text);
		text_add_visible(&text, file->path);
		text_add(&text, ": ");
		text_add_visible(&text, file->reason);
		if (same == 1)
			report_note(report, NULL, NULL, "not read: %s", text_string(&text));
		else
			report_note(report, NULL, NULL, "not read: %zu files, first %s", same,
				text_string(&text));
		text_release(&text);
	}
}

static void add_notes(struct report *report, const struct side *side)
{
	static const char *const marks[] = {
		[ISSUE_INFO] = NULL, [ISSUE_LOSS] = "!", [ISSUE_ERROR] = "!"};

	for (size_t i = 0; i < side->self->issues.count; i++) {
		const struct issue *issue = &side->self->issues.issue[i];
		struct text text;

		text_init(&text);
		issue_add_sentence(&text, issue);
		report_note(report, marks[issue->severity], NULL, "%s", text_string(&text));
		text_release(&text);
	}
	add_skipped(report, side);
}

int explain_inputs(const struct settings *settings, const struct side *side, struct error *err)
{
	struct report *report = report_new("inputs");
	const struct cube *cube = side->self;
	int status;

	report->issues = &side->self->issues;
	report->display.name = report->data.name = "runs";
	report_heading(report, "%s: %s, %zu run%s, %zu steps, %zu ops", side->label,
		cube->format_title ? cube->format_title : "profile", cube->run_count,
		cube->run_count == 1 ? "" : "s", cube->step_count, cube->op_count);
	add_table(report, &report->display, cube);
	add_table(report, &report->data, cube);
	add_notes(report, side);
	status = report_output_write(settings, report, err);
	report_free(report);
	return status;
}

int explain_sides(const struct settings *settings, const struct two_sides *sides, struct error *err)
{
	if (explain_inputs(settings, sides->base, err) < 0)
		return -1;
	return explain_inputs(settings, sides->new_side, err);
}
