/* Prints runs with their files, files that were not read, and every issue with its count and first
 * place. */
#include "cli/explain.h"

#include "base/text.h"
#include "cli/report_output.h"
#include "report/build.h"
#include "report/build_tables.h"
#include "report/document/extra_tables.h"

static bool is_same_reason(const struct skipped_file *a, const struct skipped_file *b)
{
	return a->broken == b->broken && text_equal(a->reason, b->reason);
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
	/* Files that were not read: one line for each reason, with the first file; one for each
	 * that is not whole. */
	for (size_t i = 0; i < side->skipped_count; i++) {
		const struct skipped_file *file = &side->skipped[i];
		struct text text;
		size_t same = 0;
		bool is_listed = false;

		for (size_t j = 0; j < i && !is_listed; j++)
			is_listed = !file->broken && is_same_reason(&side->skipped[j], file);
		if (is_listed)
			continue;
		for (size_t j = i; j < side->skipped_count; j++)
			same += is_same_reason(&side->skipped[j], file);
		text_init(&text);
		text_add_visible(&text, file->path);
		text_add(&text, ": ");
		text_add_visible(&text, file->reason);
		if (file->broken)
			report_note(report, "!", NULL, "not whole: %s", text_string(&text));
		else if (same == 1)
			report_note(report, NULL, NULL, "not read: %s", text_string(&text));
		else
			report_note(report, NULL, NULL, "not read: %zu files, first %s", same,
				text_string(&text));
		text_release(&text);
	}
}

int explain_inputs(const struct settings *settings, const struct side *side, struct error *err)
{
	struct report *report = report_new("inputs");
	const struct cube *cube = side->self;
	int status;

	report->issues = &side->self->issues;
	report->display.name = report->data.name = "runs";
	report_heading(report, "%s: %s, %zu run%s, %s%zu steps, %zu ops", side->label,
		cube->format_title ? cube->format_title : "profile", cube->run_count,
		cube->run_count == 1 ? "" : "s",
		cube->ranks ? arena_printf(report->arena, "%zu ranks, ", cube->ranks->count) : "",
		cube->step_count, cube->op_count);
	extra_fill_runs(report, &report->display, &(struct extra_side){NULL, cube}, 1);
	extra_fill_runs(report, &report->data, &(struct extra_side){NULL, cube}, 1);
	build_facts(report, &cube, NULL, 1);
	for (enum fact_id id = 0; id < FACT_COUNT; id++) {
		const char *values = describe_fact(report->arena, cube, id);

		if (values)
			report_note(report, NULL, NULL, "%s: %s", fact_name(id), values);
	}
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
