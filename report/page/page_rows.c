/* One row after the other: its numbers are those of the summary, its values are read from the cube
 * once more, because a page shows them step by step. */
#include "report/page/page_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/totals.h"
#include "base/intern.h"
#include "base/order.h"
#include "base/text.h"
#include "model/measure.h"
#include "report/build_tables.h"
#include "report/page/page_stack.h"
#include "stats/sample.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

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

#define OUTLIERS_FAR 8

static const double quantile_at[] = {0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};
#define QUANTILE_P95 5
#define QUANTILES COUNT(quantile_at)

struct rows_maker {
	struct web_page *page;
	const struct page_source *from;
	struct report *report;
	const struct summary *summary;
	size_t second;
	struct arena *scratch;
	struct page_values values;
	double *x;		 /* = values.x */
	double *kept;		 /* of the kept steps; 0: it did not run */
	size_t *at;		 /* of each of these, its step */
	size_t *outlier;	 /* places among them */
	size_t *order;		 /* groups, the largest mean first */
	bool *in_page;		 /* per group: its values are */
	const char **class_of;	 /* per op */
	struct table *table;	 /* rows by name... */
	struct page_marks marks; /* ... and of each the letter of its note */
};

/* ---- numbers ---- */

struct page_numbers page_numbers_of(const struct summary_value *value, size_t second)
{
	return (struct page_numbers){.mean = value->runs.mean,
		.low = value->runs.low,
		.high = value->runs.high,
		.cv = value->runs.cv_step,
		.cv_run = value->runs.runs > 1 ? value->runs.cv_run : NAN,
		.jitter = value->jitter,
		.second = second == SIZE_MAX ? NAN : value[second].runs.mean};
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

/* Reads the values of all steps. */
static void read_values(struct rows_maker *m, size_t g)
{
	const struct summary_options *opt = &m->summary->options;

	page_values_read(&m->values, &m->summary->grouping->group[g]);
	for (size_t s = 0; opt->adjust && s < m->page->step_count; s++)
		if (!isnan(m->x[s]))
			m->x[s] = opt->adjust(opt->adjust_context, m->values.id, m->x[s]);
}

static const double *keep(const struct rows_maker *m, const double *value, size_t count)
{
	double *copy = arena_array(m->report->arena, count, sizeof(*copy));

	memcpy(copy, value, count * sizeof(*copy));
	return copy;
}

/* The values that the statistics are over; returns how many. */
static size_t choose_kept(struct rows_maker *m)
{
	const bool skip = m->summary->options.skip_absent;
	size_t n = 0;

	for (size_t s = 0; s < m->page->step_count; s++) {
		if (!m->page->step[s].kept || (skip && isnan(m->x[s])))
			continue;
		m->at[n] = s;
		m->kept[n++] = isnan(m->x[s]) ? 0 : m->x[s];
	}
	return n;
}

/* The outliers that are farthest from the median, farthest first. */
static size_t choose_far(const struct rows_maker *m, double median, const size_t *outlier,
	size_t count, double far[OUTLIERS_FAR])
{
	size_t n = 0;

	for (size_t k = 0; k < count; k++) {
		const double x = m->kept[outlier[k]];
		size_t place = n;

		while (place > 0 && fabs(far[place - 1] - median) < fabs(x - median))
			place--;
		if (place >= OUTLIERS_FAR)
			continue;
		if (n < OUTLIERS_FAR)
			n++;
		memmove(&far[place + 1], &far[place], (n - place - 1) * sizeof(*far));
		far[place] = x;
	}
	return n;
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

void page_marks_find(struct page_marks *marks, const struct report *report)
{
	const struct table *table = &report->display;

	marks->name = intern_new(report->arena);
	marks->mark = arena_array(report->arena, table->row_count, sizeof(*marks->mark));
	for (size_t r = 0; report->note_count && r < table->row_count; r++) {
		const struct row *row = &table->row[r];
		const char *mark = NULL;

		if (row->role != ROW_BODY || !row->on_screen || row->cell[0].kind != CELL_TEXT)
			continue;
		for (size_t c = 0; !mark && c < table->column_count; c++)
			mark = row->cell[c].mark;

		const char *name = row->cell[0].text;
		const size_t known = intern_count(marks->name);

		if (mark && intern_id(marks->name, name, strlen(name)) == known)
			marks->mark[known] = mark;
	}
}

const char *page_row_mark(const struct page_marks *marks, const char *name)
{
	uint32_t id;

	return intern_find(marks->name, name, strlen(name), &id) ? marks->mark[id] : NULL;
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
	m->outlier = arena_array(m->scratch, steps, sizeof(*m->outlier));
	m->order = rank_by(m, by_mean);
}

size_t page_second_measure(const struct web_page *page, const struct summary *summary)
{
	for (size_t i = 1; page->second && i < summary->options.measure_count; i++)
		if (text_equal(measure_at(summary->options.measure[i])->name, page->second))
			return i;
	return SIZE_MAX;
}

/* ---- the table of rows by name ---- */

/* A row of the table, of which the values are read. */
static void add_row(struct rows_maker *m, size_t g, const struct page_row *row)
{
	const struct summary *summary = m->summary;
	const struct group *group = &summary->grouping->group[g];
	const struct summary_value *value = summary->all.row[g].value;
	const struct sample *all = &value->runs.pooled;
	const struct page_numbers number = page_numbers_of(value, m->second);
	const bool one = value->runs.runs <= 1;
	const size_t n = choose_kept(m),
		     count = sample_described_outliers(m->kept, n, all, m->outlier);
	double out[QUANTILES] = {0}, far[OUTLIERS_FAR];
	double *at = arena_array(m->report->arena, count, sizeof(*at));
	size_t far_count = 0;

	if (row->value) {
		for (size_t k = 0; k < count; k++)
			at[k] = (double)m->at[m->outlier[k]];
		out[QUANTILE_P95] = sample_quantile(m->kept, n, quantile_at[QUANTILE_P95]);
	} else {
		sample_quantiles(m->kept, n, quantile_at, QUANTILES, out);
		far_count = choose_far(m, all->median, m->outlier, count, far);
	}
	report_add_cells(m->report, m->table,
		(const struct cell[]){cell_text(row->name), cell_text(row->short_name),
			cell_text(group->type),
			cell_text(group->op_count ? m->class_of[group->op[0]] : NULL),
			cell_text(group->device), cell_text(page_row_mark(&m->marks, row->name)),
			cell_integer((int64_t)all->n), cell_integer((int64_t)value->ran),
			cell_integer((int64_t)value->steps),
			page_list(m->report->arena, at, row->value ? count : 0),
			cell_real(number.mean), cell_real(number.low), cell_real(number.high),
			cell_real(one ? all->sd : NAN), cell_real(all->min), cell_real(all->median),
			cell_real(out[QUANTILE_P95]), cell_real(all->max), cell_real(value->share),
			cell_real(number.jitter), cell_real(number.cv), cell_real(number.cv_run),
			cell_real(one ? all->robust_cv : NAN),
			cell_real(
				summary->time_resolution_ps > 0 &&
						m->page->dimension == DIMENSION_TIME
					? sample_cv_floor(summary->time_resolution_ps, number.mean)
					: NAN),
			cell_real(one ? all->lag1 : NAN), cell_real(one ? all->n_eff : NAN),
			cell_real(calls_of(m, group)), cell_real(number.second),
			page_list(m->report->arena, row->value, m->page->step_count),
			page_list(m->report->arena, row->value ? NULL : keep(m, out, QUANTILES),
				QUANTILES),
			page_list(m->report->arena, row->value ? NULL : keep(m, far, far_count),
				far_count)});
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
		.second = page_second_measure(page, from->summary[kind])};
	struct page_rows *rows = &page->rows[kind];
	const struct grouping *grouping = m.summary->grouping;
	const char **short_name = report_group_names(report->arena, grouping, from->opt);

	start(&m);
	choose_values(&m);
	if (kind == PAGE_NAME) {
		page_marks_find(&m.marks, report);
		m.class_of = classes_of_ops(&m);
		m.table = report_spell_columns(report, report_append_drawn(report, "series"),
			from->opt, page->dimension,
			"op short type class device mark n:n ran:n steps:n out:n mean:v low:v "
			"high:v sd:v min:v median:v p95:v max:v share:f jitter:f cv:f cvrun:f "
			"robustcv:f cvfloor:f lag1:c neff:c calls:c second:b values:v quantiles:v "
			"far:v");
	}
	rows->noun = kind == PAGE_NAME ? from->opt->row_noun : noun[kind];
	rows->nouns = kind == PAGE_NAME ? from->opt->row_nouns : nouns[kind];
	rows->count = grouping->count;
	rows->row = arena_array(report->arena, rows->count, sizeof(*rows->row));
	for (size_t i = 0; i < rows->count; i++) {
		const size_t g = m.order[i];
		const struct summary_value *value = m.summary->all.row[g].value;
		struct page_row *row = &rows->row[i];

		*row = (struct page_row){.name = grouping->group[g].name,
			.short_name = short_name[g],
			.share = value->share,
			.jitter = value->jitter};
		if (!m.table && !m.in_page[g])
			continue;
		read_values(&m, g);
		if (m.in_page[g])
			row->value = keep(&m, m.x, page->step_count);
		if (m.table)
			add_row(&m, g, row);
	}
	arena_free(m.scratch);
}

void page_scopes_add(const struct page_source *from, struct report *report)
{
	const struct summary *summary = from->summary[PAGE_SCOPE];
	struct table *table = report_spell_columns(report, report_append_drawn(report, "scopes"),
		from->opt, measure_at(summary->options.measure[0])->dimension,
		"scope:s mean:v share:f cv:f");
	struct rows_maker m = {.summary = summary, .scratch = arena_new()};
	const size_t *order = rank_by(&m, by_mean);

	for (size_t i = 0; i < summary->grouping->count; i++) {
		const struct summary_value *value = summary->all.row[order[i]].value;

		report_add_cells(report, table,
			(const struct cell[]){cell_text(summary->grouping->group[order[i]].name),
				cell_real(value->runs.mean), cell_real(value->share),
				cell_real(value->runs.cv_step)});
	}
	arena_free(m.scratch);
}
