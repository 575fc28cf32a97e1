/*
 * One row after the other: its numbers are those of the summary, its values are read from the cube
 * once more, because a page shows them step by step.
 */
#include "report/page/page_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/totals.h"
#include "base/order.h"
#include "base/text.h"
#include "model/measure.h"
#include "report/build_tables.h"
#include "stats/sample.h"

/* Digits of values of ops that a page holds at most, and commas between them. */
#define PAGE_DIGITS_MOST 2500000

/* Values of a group of ops in every step of a cube. */
struct page_values {
	const struct cube *cube;
	enum measure_id id;
	double *x; /* [cube->step_count]: of the group read last; NaN: it did not run, or not known
		    */
	uint32_t *every_step; /* each step is its own index */
	int64_t *value;
	unsigned char *state;
	uint32_t *touched;
};

/* Bound of outliers, as in sample_outliers. */
#define OUTLIER_MADS (10 * 1.482602218505602)

static const double quantile_at[PAGE_QUANTILES] = {0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};
#define QUANTILE_P95 5

struct rows_maker {
	struct web_page *page;
	const struct page_source *from;
	struct report *report;
	const struct summary *summary;
	enum page_kind kind;
	size_t second;
	struct arena *scratch;
	struct page_values values;
	double *x;     /* = values.x */
	double *kept;  /* of the kept steps; 0: it did not run */
	size_t *at;    /* of each of these, its step */
	size_t *order; /* groups, the largest mean first */
	bool *in_page; /* per group: its values are */
};

/* ---- numbers ---- */

struct page_numbers page_numbers_of(
	const struct summary *summary, const struct summary_value *value, size_t second)
{
	const struct sample *all = &value->runs.pooled;
	const bool several = value->runs.runs > 1;
	struct page_numbers out = {.mean = value->runs.mean,
		.low = value->runs.low,
		.high = value->runs.high,
		.sd = several ? NAN : all->sd,
		.cv = value->runs.cv_step,
		.cv_run = several ? value->runs.cv_run : NAN,
		.robust_cv = several ? NAN : all->robust_cv,
		.cv_floor = sample_cv_floor(summary->time_resolution_ps, value->runs.mean),
		.min = all->min,
		.median = all->median,
		.p95 = NAN,
		.max = all->max,
		.share = value->share,
		.jitter = value->jitter,
		.lag1 = several ? NAN : all->lag1,
		.n_eff = several ? NAN : all->n_eff,
		.second = second == SIZE_MAX ? NAN : value[second].runs.mean,
		.calls = NAN,
		.n = all->n,
		.ran = value->ran,
		.steps = value->steps};

	if (!(summary->time_resolution_ps > 0) ||
		measure_at(summary->options.measure[0])->dimension != DIMENSION_TIME)
		out.cv_floor = NAN;
	return out;
}

/* ---- values ---- */

static void page_values_init(
	struct page_values *v, const struct cube *cube, enum measure_id id, struct arena *scratch)
{
	const size_t steps = cube->step_count;

	*v = (struct page_values){.cube = cube, .id = id};
	v->every_step = arena_array(scratch, steps, sizeof(*v->every_step));
	for (size_t s = 0; s < steps; s++)
		v->every_step[s] = (uint32_t)s;
	v->value = arena_array(scratch, steps, sizeof(*v->value));
	v->state = arena_array(scratch, steps, sizeof(*v->state));
	v->touched = arena_array(scratch, steps, sizeof(*v->touched));
	v->x = arena_array(scratch, steps, sizeof(*v->x));
}

static void page_values_read(struct page_values *v, const struct group *group)
{
	const size_t steps = v->cube->step_count;
	const struct group_series series = {.cube = v->cube,
		.step_index = v->every_step,
		.count = steps,
		.value = v->value,
		.state = v->state,
		.touched = v->touched};
	const size_t count = grouping_series(&series, group, v->id);

	for (size_t s = 0; s < steps; s++)
		v->x[s] = NAN;
	for (size_t i = 0; i < count; i++) {
		const uint32_t s = v->touched[i];

		if (v->state[s] == 1)
			v->x[s] = cube_mean(v->cube, s, v->value[s]);
		v->value[s] = 0;
		v->state[s] = 0;
	}
}

/* The outliers that are farthest from the median, farthest first. */
static void keep_far(const struct rows_maker *m, const struct sample *all, struct page_row *row)
{
	for (size_t k = 0; k < row->outlier_count; k++) {
		const double x = isnan(m->x[row->outlier[k]]) ? 0 : m->x[row->outlier[k]];
		size_t place = row->far_count;

		while (place > 0 && fabs(row->far[place - 1] - all->median) < fabs(x - all->median))
			place--;
		if (place >= PAGE_OUTLIERS)
			continue;
		if (row->far_count < PAGE_OUTLIERS)
			row->far_count++;
		memmove(&row->far[place + 1], &row->far[place],
			(row->far_count - place - 1) * sizeof(*row->far));
		row->far[place] = x;
	}
}

/* Values and outliers of a row. */
static void fill_values(struct rows_maker *m, size_t g, struct page_row *row)
{
	const struct sample *all = &m->summary->all.row[g].value->runs.pooled;
	double *copy;
	size_t n;

	for (size_t i = 0; i < PAGE_QUANTILES; i++)
		row->quantile[i] = NAN;

	const struct summary *summary = m->summary;

	page_values_read(&m->values, &m->summary->grouping->group[g]);
	for (size_t s = 0; summary->options.adjust && s < m->page->step_count; s++)
		if (!isnan(m->x[s]))
			m->x[s] = summary->options.adjust(
				summary->options.adjust_context, m->values.id, m->x[s]);

	/* The values that the statistics are over; returns. */
	const bool skip = m->summary->options.skip_absent;
	n = 0;

	for (size_t s = 0; s < m->page->step_count; s++) {
		if (!m->page->step[s].kept || (skip && isnan(m->x[s])))
			continue;
		m->at[n] = s;
		m->kept[n++] = isnan(m->x[s]) ? 0 : m->x[s];
	}
	const double limit = OUTLIER_MADS * all->mad;
	size_t *outlier;

	if (all->mad > 0 && !(fmax(all->max - all->median, all->median - all->min) <= limit)) {
		for (size_t i = 0; i < n; i++)
			row->outlier_count += fabs(m->kept[i] - all->median) > limit;
		row->outlier = outlier =
			arena_array(m->report->arena, row->outlier_count, sizeof(*outlier));
		for (size_t i = 0, k = 0; i < n; i++)
			if (fabs(m->kept[i] - all->median) > limit)
				outlier[k++] = m->at[i];
	}
	if (!m->in_page[g]) {
		sample_quantiles(m->kept, n, quantile_at, PAGE_QUANTILES, row->quantile);
		row->number.p95 = row->quantile[QUANTILE_P95];
		keep_far(m, all, row);
		return;
	}
	row->number.p95 = sample_quantile(m->kept, n, quantile_at[QUANTILE_P95]);
	row->value = copy = arena_array(m->report->arena, m->page->step_count, sizeof(*copy));
	memcpy(copy, m->x, m->page->step_count * sizeof(*copy));
}

/* ---- which rows ---- */

struct weighted_row {
	double key;
	const char *name;
	size_t group;
};

static int compare_weighted(const void *a, const void *b)
{
	const struct weighted_row *x = a, *y = b;

	return ORDER(y->key, x->key) ?: strcmp(x->name, y->name);
}

static size_t *rank_by(struct rows_maker *m, double (*key)(const struct summary_value *))
{
	const struct grouping *grouping = m->summary->grouping;
	struct weighted_row *item = arena_array(m->scratch, grouping->count, sizeof(*item));
	size_t *order = arena_array(m->scratch, grouping->count, sizeof(*order));

	for (size_t g = 0; g < grouping->count; g++)
		item[g] = (struct weighted_row){
			key(m->summary->all.row[g].value), grouping->group[g].name, g};
	if (grouping->count)
		qsort(item, grouping->count, sizeof(*item), compare_weighted);
	for (size_t g = 0; g < grouping->count; g++)
		order[g] = item[g].group;
	return order;
}

static double by_mean(const struct summary_value *value)
{
	return isnan(value->runs.mean) ? -INFINITY : value->runs.mean;
}

static double or_zero(double x)
{
	return isnan(x) ? 0 : x;
}

static double by_weight(const struct summary_value *value)
{
	return fmax(or_zero(value->share), or_zero(value->jitter));
}

/* Characters of that many values of a row as text, each with a comma. */
static double page_digits_of(double mean, double grid, size_t steps)
{
	return (double)steps * (mean / grid > 1 ? floor(log10(mean / grid)) + 2 : 2);
}

/* Values of the rows that matter most, until the page is full. */
static void choose_values(struct rows_maker *m)
{
	const size_t count = m->summary->grouping->count;
	const size_t *order = rank_by(m, by_weight);
	double digits = 0;

	m->in_page = arena_array(m->scratch, count, sizeof(*m->in_page));
	for (size_t i = 0; i < count; i++) {
		digits += page_digits_of(m->summary->all.row[order[i]].value->runs.mean,
			m->page->grid, m->page->step_count);
		if (digits > PAGE_DIGITS_MOST)
			return;
		m->in_page[order[i]] = true;
	}
}

/* ---- what a row is ---- */

/* The class of each op of the cube; NULL where classes say nothing more. */
static const char **classes_of_ops(struct rows_maker *m)
{
	const struct summary *of = m->from->summary[PAGE_CLASS];
	const char **name = arena_array(m->scratch, m->summary->cube->op_count, sizeof(*name));

	for (size_t g = 0; of && g < of->grouping->count; g++)
		for (size_t i = 0; i < of->grouping->group[g].op_count; i++)
			name[of->grouping->group[g].op[i]] = of->grouping->group[g].name;
	return name;
}

const char *page_row_mark(const struct report *report, const char *name)
{
	const struct table *table = &report->display;

	for (size_t r = 0; r < table->row_count; r++) {
		const struct row *row = &table->row[r];

		if (row->role != ROW_BODY || !row->on_screen || !row->cell[0].text ||
			!text_equal(row->cell[0].text, name))
			continue;
		for (size_t c = 0; c < table->column_count; c++)
			if (row->cell[c].mark)
				return row->cell[c].mark;
	}
	return NULL;
}

static double calls_of(const struct rows_maker *m, const struct group *group)
{
	const int64_t calls = m->from->opt->with_calls
				      ? executions_of_group(m->summary, &m->summary->all, group)
				      : CELL_ABSENT;

	return calls == CELL_ABSENT ? NAN : (double)calls;
}

static void start(struct rows_maker *m)
{
	const size_t steps = m->page->step_count;

	m->scratch = arena_new();
	page_values_init(&m->values, m->summary->cube, m->summary->options.measure[0], m->scratch);
	m->x = m->values.x;
	m->kept = arena_array(m->scratch, steps, sizeof(*m->kept));
	m->at = arena_array(m->scratch, steps, sizeof(*m->at));
	m->order = rank_by(m, by_mean);
}

static size_t second_measure(const struct web_page *page, const struct summary *summary)
{
	for (size_t i = 1; page->second && i < summary->options.measure_count; i++)
		if (text_equal(measure_at(summary->options.measure[i])->name, page->second))
			return i;
	return SIZE_MAX;
}

void page_rows_fill(struct web_page *page, enum page_kind kind, const struct page_source *from,
	struct report *report)
{
	static const char *const noun[] = {"op", "type", "class"};
	static const char *const nouns[] = {"ops", "types", "classes"};
	struct rows_maker m = {.page = page,
		.from = from,
		.report = report,
		.summary = from->summary[kind],
		.kind = kind,
		.second = second_measure(page, from->summary[kind])};
	struct page_rows *rows = &page->rows[kind];
	const struct grouping *grouping = m.summary->grouping;
	const char **short_name = report_group_names(report->arena, grouping, from->opt);
	const char **class_of;

	start(&m);
	class_of = classes_of_ops(&m);
	choose_values(&m);
	rows->noun = kind == PAGE_NAME ? from->opt->row_noun : noun[kind];
	rows->nouns = kind == PAGE_NAME ? from->opt->row_nouns : nouns[kind];
	rows->count = grouping->count;
	rows->row = arena_array(report->arena, rows->count, sizeof(*rows->row));
	for (size_t i = 0; i < rows->count; i++) {
		const size_t g = m.order[i];
		const struct group *group = &grouping->group[g];
		struct page_row *row = &rows->row[i];

		row->name = group->name;
		row->short_name = short_name[g];
		row->number = page_numbers_of(m.summary, m.summary->all.row[g].value, m.second);
		if (kind == PAGE_NAME) {
			row->type = group->type;
			row->device = group->device;
			row->class_name = group->op_count ? class_of[group->op[0]] : NULL;
			row->mark = report->note_count ? page_row_mark(report, group->name) : NULL;
			row->number.calls = calls_of(&m, group);
		}
		fill_values(&m, g, row);
	}
	arena_free(m.scratch);
}

void page_scopes_add(const struct page_source *from, struct report *report)
{
	const struct summary *summary = from->summary[PAGE_SCOPE];
	const struct column columns[] = {{.stat = "scope", .names = true},
		NUMBER_COLUMN("mean", measure_at(summary->options.measure[0])->dimension, -1),
		NUMBER_COLUMN("share", DIMENSION_FRACTION, -1),
		NUMBER_COLUMN("cv", DIMENSION_FRACTION, -1)};
	struct table *table = report_append_drawn(report, "scopes");
	struct rows_maker m = {.summary = summary, .scratch = arena_new()};
	const size_t *order = rank_by(&m, by_mean);

	report_add_columns(report, table, NULL, columns, sizeof(columns) / sizeof(*columns));
	report_give_units(table, from->opt);
	for (size_t i = 0; i < summary->grouping->count; i++) {
		const struct summary_value *value = summary->all.row[order[i]].value;

		report_add_cells(report, table,
			(const struct cell[]){cell_text(summary->grouping->group[order[i]].name),
				cell_real(value->runs.mean), cell_real(value->share),
				cell_real(value->runs.cv_step)});
	}
	arena_free(m.scratch);
}
