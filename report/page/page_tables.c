/*
 * Tables of what a page draws, which JSON has, too.
 */
#include "report/page/page_tables.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "report/build_tables.h"
#include "report/page/page_stack.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Most cells of ranks and steps for which the excess of each step is added; more cannot be looked
 * at. */
#define RANK_CELLS_MOST 60000

static struct cell list_cell(struct report *report, const double *value, size_t count)
{
	struct cell_list *list = arena_alloc(report->arena, sizeof(*list));

	*list = (struct cell_list){value, count};
	return value ? (struct cell){.kind = CELL_LIST, .list = list} : cell_real(NAN);
}

/* ---- rows over the steps ---- */

#define OF(name, dimension, member)                                                                \
	{                                                                                          \
		name, dimension, offsetof(struct page_numbers, member)                             \
	}
#define OF_PAGE DIMENSION_NONE /* what the rows are of */
static const struct {
	const char *stat;
	enum dimension dimension;
	size_t at;
} numbers[] = {OF("mean", OF_PAGE, mean), OF("low", OF_PAGE, low), OF("high", OF_PAGE, high),
	OF("sd", OF_PAGE, sd), OF("min", OF_PAGE, min), OF("median", OF_PAGE, median),
	OF("p95", OF_PAGE, p95), OF("max", OF_PAGE, max), OF("share", DIMENSION_FRACTION, share),
	OF("jitter", DIMENSION_FRACTION, jitter), OF("cv", DIMENSION_FRACTION, cv),
	OF("cvrun", DIMENSION_FRACTION, cv_run), OF("robustcv", DIMENSION_FRACTION, robust_cv),
	OF("cvfloor", DIMENSION_FRACTION, cv_floor), OF("lag1", DIMENSION_COUNT, lag1),
	OF("neff", DIMENSION_COUNT, n_eff), OF("calls", DIMENSION_COUNT, calls),
	OF("second", DIMENSION_BYTES, second)};

static const double *as_doubles(struct report *report, const size_t *index, size_t count)
{
	double *out = arena_array(report->arena, count, sizeof(*out));

	for (size_t i = 0; i < count; i++)
		out[i] = (double)index[i];
	return out;
}

static void add_series(struct report *report, const struct web_page *page)
{
	static const struct column texts[] = {{.stat = "op"}, {.stat = "short"}, {.stat = "type"},
		{.stat = "class"}, {.stat = "device"}, {.stat = "mark"},
		NUMBER_COLUMN("n", DIMENSION_COUNT, 0), NUMBER_COLUMN("ran", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("steps", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("out", DIMENSION_COUNT, 0)};
	const struct column lists[] = {NUMBER_COLUMN("values", page->dimension, -1),
		NUMBER_COLUMN("quantiles", page->dimension, -1),
		NUMBER_COLUMN("far", page->dimension, -1)};
	const struct page_rows *rows = &page->rows[PAGE_NAME];
	struct table *table = report_append_drawn(report, "series");
	struct cell cell[COUNT(texts) + COUNT(numbers) + COUNT(lists)];

	report_add_columns(report, table, NULL, texts, COUNT(texts));
	for (size_t k = 0; k < COUNT(numbers); k++)
		report_add_columns(report, table, NULL,
			&(const struct column)NUMBER_COLUMN(numbers[k].stat,
				numbers[k].dimension == OF_PAGE ? page->dimension
								: numbers[k].dimension,
				-1),
			1);
	report_add_columns(report, table, NULL, lists, COUNT(lists));
	for (size_t i = 0; i < rows->count; i++) {
		const struct page_row *row = &rows->row[i];
		const struct page_numbers *number = &row->number;
		const struct cell first[COUNT(texts)] = {cell_text(row->name),
			cell_text(row->short_name), cell_text(row->type),
			cell_text(row->class_name), cell_text(row->device), cell_text(row->mark),
			cell_integer((int64_t)number->n), cell_integer((int64_t)number->ran),
			cell_integer((int64_t)number->steps),
			list_cell(report, as_doubles(report, row->outlier, row->outlier_count),
				row->value ? row->outlier_count : 0)};
		struct cell *at = cell + COUNT(texts);

		memcpy(cell, first, sizeof(first));
		for (size_t k = 0; k < COUNT(numbers); k++)
			*at++ = cell_real(*(const double *)((const char *)number + numbers[k].at));
		*at++ = list_cell(report, row->value, page->step_count);
		*at++ = list_cell(report, row->value ? NULL : row->quantile, PAGE_QUANTILES);
		*at = list_cell(report, row->value ? NULL : row->far, row->far_count);
		report_add_cells(report, table, cell);
	}
}

/* ---- steps ---- */

/* The value of each step, and of its neighbours. */
static void add_levels(struct report *report, const struct web_page *page)
{
	const struct column columns[] = {{.stat = "run"}, {.stat = "step"}, {.stat = "kept"},
		NUMBER_COLUMN("time", page->dimension, -1),
		NUMBER_COLUMN("level", page->dimension, -1),
		NUMBER_COLUMN("total", page->dimension, -1),
		NUMBER_COLUMN("outlier", DIMENSION_COUNT, 0)};
	struct table *table = report_append_drawn(report, "levels");
	double *value = arena_array(report->arena, page->step_count, sizeof(*value));
	const double *level;

	for (size_t s = 0; s < page->step_count; s++)
		value[s] = page_step_value(page, &page->step[s]);
	level = page_levels(page, value, report->arena);
	report_add_columns(report, table, NULL, columns, COUNT(columns));
	for (size_t s = 0; s < page->step_count; s++) {
		const struct page_step *step = &page->step[s];

		/* "3 (2nd)" is no number. */
		report_add_cells(report, table,
			(const struct cell[]){cell_text(page->run[step->run].name),
				strchr(step->label, ' ')
					? cell_text(step->label)
					: cell_integer(strtoll(step->label, NULL, 10)),
				cell_text(step->fate), cell_real(value[s]), cell_real(level[s]),
				cell_real(step->op_time), cell_integer(step->outlier)});
	}
}

/* ---- what steps are split into ---- */

static void add_stacks(struct report *report, const struct web_page *page)
{
	const struct column columns[] = {{.stat = "id"}, {.stat = "label"}, {.stat = "text"},
		{.stat = "name"}, {.stat = "kind"}, NUMBER_COLUMN("mean", page->dimension, -1),
		NUMBER_COLUMN("value", page->dimension, -1),
		NUMBER_COLUMN("level", page->dimension, -1)};
	struct page_stack stack[PAGE_STACKS];
	const size_t count = page_stacks_make(page, report->arena, stack);
	struct table *table = report_append_drawn(report, "stacks");

	report_add_columns(report, table, NULL, columns, COUNT(columns));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < stack[i].count; k++) {
			const struct page_stack_row *row = &stack[i].row[k];

			report_add_cells(report, table,
				(const struct cell[]){cell_text(stack[i].id),
					cell_text(stack[i].label), cell_text(stack[i].text),
					cell_text(row->name), cell_text(row->kind),
					cell_real(row->mean),
					list_cell(report, row->value, page->step_count),
					list_cell(report, row->level, page->step_count)});
		}
}

/* ---- ranks ---- */

/* Work over the median rank, in the order of the table of ranks. */
static void add_excess(struct report *report, const struct web_page *page)
{
	static const struct column columns[] = {{.stat = "rank"},
		NUMBER_COLUMN("mean", DIMENSION_TIME, -1),
		NUMBER_COLUMN("culprit", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("steps", DIMENSION_TIME, -1)};
	const bool all =
		page->rank_count <= RANK_CELLS_MOST / (page->kept_count ? page->kept_count : 1);
	struct table *table;

	if (!page->rank_count)
		return;
	table = report_append_drawn(report, "excess");
	report_add_columns(report, table, NULL, columns, COUNT(columns));
	for (size_t r = 0; r < page->rank_count; r++)
		report_add_cells(report, table,
			(const struct cell[]){cell_text(page->rank[r].name),
				cell_real(page->rank[r].excess_mean),
				cell_integer(page->rank[r].culprit),
				list_cell(report, all ? page->rank[r].excess : NULL,
					page->kept_count)});
}

void page_tables_add(
	struct report *report, const struct web_page *page, const struct build_options *opt)
{
	const size_t first = report->drawn_count;

	add_series(report, page);
	add_levels(report, page);
	add_stacks(report, page);
	add_excess(report, page);
	for (size_t i = first; i < report->drawn_count; i++)
		report_give_units(&report->drawn[i], opt);
}
