/*
 * The list of `stepstat ops`: every op before and after the rules, which rule dropped or changed
 * it, and rules that did nothing.
 */
#include "report/build_ops.h"

static void add_columns(struct report *report, struct table *table)
{
	static const char *const names[] = {"op", "type", "becomes", "rule"};

	for (size_t i = 0; i < 4; i++) {
		struct column *column = report_add_column(report, table);

		column->stat = column->title = names[i];
		column->align = ALIGN_LEFT;
		column->shorten = i == 0 || i == 2;
		column->drop = i == 1 ? 1 : 0;
	}
}

static void add_op(struct report *report, struct table *table, const struct op_fate *fate)
{
	struct row *row = report_add_row(report, table);

	row->cell[0] = cell_text(fate->name);
	row->cell[1] = cell_text(fate->type);
	row->cell[2] = fate->becomes ? cell_text(fate->becomes) : cell_real(0.0 / 0.0);
	row->cell[3] = cell_text(fate->why);
}

struct report *build_ops(const char *label, const struct op_fate *fate, size_t count, size_t kept,
	const char *const *idle_rules, size_t idle_count)
{
	struct report *report = report_new("ops");

	report_heading(report, "%s: %zu ops, %zu kept", label, count, kept);
	add_columns(report, &report->display);
	add_columns(report, &report->data);
	for (size_t i = 0; i < count; i++) {
		add_op(report, &report->display, &fate[i]);
		add_op(report, &report->data, &fate[i]);
	}
	for (size_t i = 0; i < idle_count; i++)
		report_note(report, NULL, NULL, "did nothing: %s", idle_rules[i]);
	return report;
}
