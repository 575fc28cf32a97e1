/*
 * The list of `stepstat ops`: every op before and after the rules, which rule dropped or changed
 * it, and rules that did nothing.
 */
#include "report/build_ops.h"

static void add_ops(
	struct report *report, struct table *table, const struct op_fate *fate, size_t count)
{
	static const struct column columns[] = {{.stat = "op", .shorten = true},
		{.stat = "type", .drop = 1}, {.stat = "becomes", .shorten = true},
		{.stat = "rule"}};

	report_add_columns(report, table, NULL, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < count; i++)
		report_add_cells(report, table,
			(const struct cell[]){cell_text(fate[i].name), cell_text(fate[i].type),
				cell_text(fate[i].becomes), cell_text(fate[i].why)});
}

struct report *build_ops(const char *label, const struct op_fate *fate, size_t count, size_t kept,
	const char *const *idle_rules, size_t idle_count)
{
	struct report *report = report_new("ops");

	report_heading(report, "%s: %zu ops, %zu kept", label, count, kept);
	add_ops(report, &report->display, fate, count);
	add_ops(report, &report->data, fate, count);
	for (size_t i = 0; i < idle_count; i++)
		report_note(report, NULL, NULL, "did nothing: %s", idle_rules[i]);
	return report;
}
