/*
 * The list of `stepstat ops`: every op before and after the rules, which rule dropped or changed
 * it, and rules that did nothing.
 */
#include "report/build_ops.h"

enum op_column { OP_NAME, OP_TYPE, OP_BECOMES, OP_RULE };

static struct cell op_cell(const struct column *column, const void *from)
{
	const struct op_fate *fate = from;

	switch ((enum op_column)column->index) {
	case OP_NAME:
		return cell_text(fate->name);
	case OP_TYPE:
		return cell_text(fate->type);
	case OP_BECOMES:
		return cell_text(fate->becomes);
	case OP_RULE:
		break;
	}
	return cell_text(fate->why);
}

static void add_ops(
	struct report *report, struct table *table, const struct op_fate *fate, size_t count)
{
	static const struct column columns[] = {[OP_NAME] = {.stat = "op", .shorten = true},
		[OP_TYPE] = {.stat = "type", .drop = 1},
		[OP_BECOMES] = {.stat = "becomes", .shorten = true},
		[OP_RULE] = {.stat = "rule"}};

	report_add_columns(report, table, op_cell, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < count; i++)
		report_make_row(report, table, &fate[i]);
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
