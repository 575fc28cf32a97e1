/*
 * The headerless sheet of the tfprof notebook: short name, op name, then mean and CV of four
 * measures; 0 where nothing is defined, as that sheet had it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "report/build.h"

struct sheet_row {
	const char *recorded; /* name before the rules */
	const struct summary_row *row;
};

/* Order of tfprof's scope view: siblings by bytes, each followed by what is below it, so '/' sorts
 * first. */
static int compare_scopes(const void *a, const void *b)
{
	const char *x = ((const struct sheet_row *)a)->recorded;
	const char *y = ((const struct sheet_row *)b)->recorded;

	while (*x && *x == *y)
		x++, y++;
	if (*x == *y)
		return 0;
	if (!*x || !*y)
		return *x ? 1 : -1;
	if (*x == '/' || *y == '/')
		return *x == '/' ? -1 : 1;
	return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
}

/* "conv0/Relu" is conv0 and Relu; without a slash the op name is empty, but Relu for Relu_*. */
static void split_name(
	struct arena *arena, const char *name, const char **short_name, const char **op)
{
	const char *slash = strrchr(name, '/');

	if (slash) {
		*short_name = arena_strndup(arena, name, (size_t)(slash - name));
		*op = slash + 1;
	} else {
		*short_name = name;
		*op = text_starts(name, "Relu_") ? "Relu" : "";
	}
}

static double or_zero(double value)
{
	return isfinite(value) ? value : 0;
}

static void add_columns(struct report *report, const struct summary *summary)
{
	static const char *const text[] = {"short_name", "op_name"};

	for (size_t i = 0; i < 2; i++)
		report_text_column(report, &report->data, text[i]);
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
}

struct report *build_notebook(struct summary *summary)
{
	struct report *report = report_new("report");
	size_t n = summary->grouping->count;
	struct sheet_row *sorted = arena_array(report->arena, n, sizeof(*sorted));

	report->headerless = true;
	add_columns(report, summary);
	for (size_t g = 0; g < n; g++) {
		const struct summary_row *row = &summary->all.row[g];

		sorted[g] = (struct sheet_row){summary->cube->op[row->group->op[0]].name, row};
	}
	if (n)
		qsort(sorted, n, sizeof(*sorted), compare_scopes);
	for (size_t g = 0; g < n; g++) {
		struct row *row = report_add_row(report, &report->data);
		const char *short_name, *op;
		size_t c = 0;

		split_name(report->arena, sorted[g].row->group->name, &short_name, &op);
		row->cell[c++] = cell_text(short_name);
		row->cell[c++] = cell_text(op);
		for (size_t m = 0; m < summary->options.measure_count; m++) {
			const struct runs *runs = &sorted[g].row->value[m].runs;

			row->cell[c++] = cell_real(or_zero(runs->mean));
			row->cell[c++] = cell_real(or_zero(runs->cv_step));
		}
	}
	report->display = report->data;
	return report;
}
