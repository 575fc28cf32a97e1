/* Small reports of one table: the list of `stepstat ops` with every op before and after the rules,
 * and the sheet of the notebook. */
#include "report/build_ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/order.h"
#include "base/text.h"
#include "report/build.h"

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

/* The headerless sheet of the tfprof notebook: short name, op name, then mean and CV of four
 * measures; 0 where nothing is defined, as that sheet had it. */

/* Sources of the cells of a row. */
struct sheet_row {
	const char *recorded;	     /* name before the rules */
	const char *short_name, *op; /* the parts of the name after them */
	const struct summary_row *row;
};

/* Order of tfprof's scope view. */
ORDERED(compare_scopes, struct sheet_row, text_compare_tree(x->recorded, y->recorded));

static double or_zero(double value)
{
	return isfinite(value) ? value : 0;
}

struct report *build_notebook(struct summary *summary)
{
	struct report *report = report_new("report");
	size_t n = summary->grouping->count;
	struct sheet_row *sorted = arena_array(report->arena, n, sizeof(*sorted));

	report->headerless = true;
	report_text_column(report, &report->data, "short_name");
	report_text_column(report, &report->data, "op_name");
	for (size_t m = 0; m < summary->options.measure_count; m++) {
		const struct measure *measure = measure_at(summary->options.measure[m]);
		struct column *column = report_add_column(report, &report->data);

		column->measure = measure->name;
		column->stat = column->title = "mean";
		column->dimension = measure->dimension;
		column->unit = unit_lookup(measure->dimension == DIMENSION_BYTES ? "KB" : "us");
		column = report_add_column(report, &report->data);
		column->measure = measure->name;
		column->stat = column->title = "cvpop";
		column->dimension = DIMENSION_FRACTION;
	}
	for (size_t g = 0; g < n; g++) {
		sorted[g].row = &summary->all.row[g];
		sorted[g].recorded = summary->cube->op[sorted[g].row->group->op[0]].name;

		/* "conv0/Relu" is conv0 and Relu; without a slash the op name is empty, but Relu
		 * for Relu_*. */
		const char *name = sorted[g].row->group->name;
		const char **short_name = &sorted[g].short_name;
		const char **op = &sorted[g].op;
		const char *slash = strrchr(name, '/');

		if (slash) {
			*short_name = arena_strndup(report->arena, name, (size_t)(slash - name));
			*op = slash + 1;
		} else {
			*short_name = name;
			*op = text_starts(name, "Relu_") ? "Relu" : "";
		}
	}
	if (n)
		qsort(sorted, n, sizeof(*sorted), compare_scopes);
	for (size_t g = 0; g < n; g++) {
		struct cell *cell = report_add_row(report, &report->data)->cell;

		*cell++ = cell_text(sorted[g].short_name);
		*cell++ = cell_text(sorted[g].op);
		for (size_t m = 0; m < summary->options.measure_count; m++) {
			const struct runs *runs = &sorted[g].row->value[m].runs;

			*cell++ = cell_real(or_zero(runs->mean));
			*cell++ = cell_real(or_zero(runs->cv_step));
		}
	}
	report->display = report->data;
	return report;
}
