/*
 * The report over single executions: rows as in the main report, columns that say that they are
 * about calls.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/number.h"
#include "report/build.h"
#include "report/build_notes.h"

static const enum statistic_id file_stats[] = {STATISTIC_N, STATISTIC_SUM, STATISTIC_SHARE,
	STATISTIC_MEAN, STATISTIC_SD, STATISTIC_CV, STATISTIC_MIN, STATISTIC_MAX};

#define FILE_STATS (sizeof(file_stats) / sizeof(*file_stats))

struct calls_builder {
	const struct calls *calls;
	const struct summary *summary;
	const struct cube *self;
	const struct build_options *opt;
	struct report *report;
	size_t *order; /* groups as sorted */
	size_t groups;
	bool *shown;	   /* per group: on the screen */
	const char **name; /* per group: the short form */
	enum statistic_id *file_stat;
	size_t file_stat_count;
};

static const struct measure *measure_of(const struct calls_builder *b, size_t m)
{
	return measure_at(b->summary->options.measure[m]);
}

/* ---- rows ---- */

struct calls_sort_item {
	double key;
	const char *text, *name; /* text: of a column of text, which is in its order */
	size_t group;
};

static int compare_items(const void *a, const void *b)
{
	const struct calls_sort_item *x = a, *y = b;
	int order;

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	order = strcmp(x->text, y->text);
	order = order ? order : strcmp(x->name, y->name);
	return order ? order : (x->group > y->group) - (x->group < y->group);
}

static void sort_groups(struct calls_builder *b)
{
	struct arena *scratch = arena_new();
	struct calls_sort_item *item = arena_array(scratch, b->groups, sizeof(*item));

	for (size_t g = 0; g < b->groups; g++) {
		const struct call_row *row = &b->calls->all.row[g];
		const char *text = b->opt->sort == SORT_TYPE	 ? row->group->type
				   : b->opt->sort == SORT_DEVICE ? row->group->device
								 : "";
		double key = b->opt->sort != SORT_STATISTIC
				     ? 0
				     : calls_statistic(b->calls, &row->value[b->opt->sort_measure],
					       b->opt->sort_stat.statistic->id);

		item[g] = (struct calls_sort_item){
			isnan(key) ? -INFINITY : key, text ? text : "", row->group->name, g};
	}
	if (b->groups)
		qsort(item, b->groups, sizeof(*item), compare_items);
	b->order = arena_array(b->report->arena, b->groups, sizeof(*b->order));
	b->shown = arena_array(b->report->arena, b->groups, sizeof(*b->shown));
	for (size_t i = 0, taken = 0; i < b->groups; i++) {
		size_t g = b->order[i] = item[i].group;
		double share = b->calls->all.row[g].value[0].share;

		b->shown[g] = taken < b->opt->top && !(share < b->opt->min_share);
		taken += b->shown[g];
	}
	arena_free(scratch);
}

/* ---- columns ---- */

static enum dimension stat_dimension(enum statistic_id id)
{
	return id == STATISTIC_N ? DIMENSION_COUNT
	       : id == STATISTIC_SHARE || id == STATISTIC_CV
		       ? DIMENSION_FRACTION
		       : DIMENSION_TIME; /* calls have no measures but times */
}

static const char *stat_title(const struct calls_builder *b, size_t m, enum statistic_id id)
{
	struct arena *arena = b->report->arena;
	const char *name = measure_of(b, m)->name, *title = "";

	switch (id) {
	case STATISTIC_SUM:
		return arena_printf(arena, "%s sum", name);
	case STATISTIC_MEAN:
		return arena_printf(arena, "%s/call", name);
	case STATISTIC_N:
		title = "calls";
		break;
	case STATISTIC_SHARE:
		title = "share";
		break;
	case STATISTIC_SD:
		title = "sd of calls";
		break;
	case STATISTIC_CV:
		title = "CV of calls";
		break;
	case STATISTIC_MIN:
		title = "min call";
		break;
	case STATISTIC_MAX:
		title = "max call";
		break;
	default:
		break;
	}
	return m ? arena_printf(arena, "%s %s", name, title) : title;
}

/* Names in files: what is of single calls says so; sum and share are the same per step. */
static const char *file_stat_name(const struct calls_builder *b, enum statistic_id id)
{
	switch (id) {
	case STATISTIC_N:
		return "calls";
	case STATISTIC_MEAN:
		return "call_mean";
	case STATISTIC_SD:
		return "call_sd";
	case STATISTIC_CV:
		return b->summary->options.sample.population ? "call_cvpop" : "call_cv";
	case STATISTIC_MIN:
		return "call_min";
	case STATISTIC_MAX:
		return "call_max";
	default:
		return statistic_at(id)->name;
	}
}

static void add_text_column(struct calls_builder *b, struct table *table, const char *stat,
	const char *title, int drop, bool shorten)
{
	struct column *column = report_add_column(b->report, table);

	column->stat = stat;
	column->title = title;
	column->align = ALIGN_LEFT;
	column->drop = drop;
	column->shorten = shorten;
}

static void add_value_column(
	struct calls_builder *b, struct table *table, size_t m, enum statistic_id id)
{
	struct column *column = report_add_column(b->report, table);

	column->measure = measure_of(b, m)->name;
	column->dimension = stat_dimension(id);
	column->stat = file_stat_name(b, id);
	column->unit = column->dimension == DIMENSION_TIME ? b->opt->time_unit : NULL;
	column->title = column->stat;
}

/* Measures after the first show only how many calls and their mean unless the user chose. */
static bool is_shown(const struct calls_builder *b, size_t m, enum statistic_id id)
{
	if (id == STATISTIC_RAN)
		return false;
	return m == 0 || b->opt->stat_given || id == STATISTIC_N || id == STATISTIC_MEAN;
}

static bool wants_ran(const struct calls_builder *b)
{
	for (size_t s = 0; s < b->opt->stat_count; s++)
		if (b->opt->stat[s].statistic->id == STATISTIC_RAN)
			return true;
	return false;
}

static void display_columns(struct calls_builder *b)
{
	struct table *table = &b->report->display;

	add_text_column(b, table, "op", b->opt->row_noun, 0, true);
	table->column[0].names = true;
	if (b->calls->run)
		add_text_column(b, table, "run", "run", 0, true);
	if (b->opt->with_type)
		add_text_column(b, table, "type", "type", 3, true);
	for (size_t m = 0; m < b->summary->options.measure_count; m++)
		for (size_t s = 0; s < b->opt->stat_count; s++) {
			enum statistic_id id = b->opt->stat[s].statistic->id;
			struct column *column;

			if (!is_shown(b, m, id))
				continue;
			add_value_column(b, table, m, id);
			column = &table->column[table->column_count - 1];
			column->title = stat_title(b, m, id);
			column->decimals = column->dimension == DIMENSION_FRACTION ? 1
					   : column->dimension == DIMENSION_COUNT  ? 0
										   : -1;
			column->drop = m && !b->opt->stat_given && !b->opt->measure_given ? 2 : 0;
		}
	if (wants_ran(b)) {
		add_text_column(b, table, "ran", "ran", b->opt->stat_given ? 0 : 1, false);
		table->column[table->column_count - 1].align = ALIGN_RIGHT;
	}
}

static void choose_file_stats(struct calls_builder *b)
{
	b->file_stat = arena_array(
		b->report->arena, b->opt->stat_count + FILE_STATS, sizeof(*b->file_stat));
	for (size_t s = 0; b->opt->stat_given && s < b->opt->stat_count; s++)
		if (b->opt->stat[s].statistic->id != STATISTIC_RAN)
			b->file_stat[b->file_stat_count++] = b->opt->stat[s].statistic->id;
	for (size_t s = 0; !b->opt->stat_given && s < FILE_STATS; s++)
		b->file_stat[b->file_stat_count++] = file_stats[s];
}

static void data_columns(struct calls_builder *b)
{
	static const char *const leading[] = {"run", "op", "type", "device", "ran", "steps"};
	struct table *table = &b->report->data;

	for (size_t i = 0; i < sizeof(leading) / sizeof(*leading); i++)
		add_text_column(b, table, leading[i], leading[i], 0, false);
	for (size_t m = 0; m < b->summary->options.measure_count; m++)
		for (size_t s = 0; s < b->file_stat_count; s++)
			add_value_column(b, table, m, b->file_stat[s]);
	add_text_column(b, table, "short", "short", 0, false);
	add_text_column(b, table, "notes", "notes", 0, false);
}

/* ---- cells ---- */

static struct cell value_cell(
	const struct calls_builder *b, const struct call_value *value, enum statistic_id id)
{
	if (id == STATISTIC_N)
		return cell_integer(value->sums.count);
	return cell_real(calls_statistic(b->calls, value, id));
}

/* `from` is NULL for what is not a row; its values are then those of self times. */
static void display_cells(struct calls_builder *b, struct row *row, const struct call_value *values,
	const char *name, const struct call_part *part, const struct call_row *from)
{
	size_t c = 0;

	row->cell[c++] = cell_text(name);
	if (b->calls->run)
		row->cell[c++] = part ? cell_text(part->run) : cell_blank();
	if (b->opt->with_type)
		row->cell[c++] = from ? cell_text(from->group->type) : cell_blank();
	for (size_t m = 0; m < b->summary->options.measure_count; m++)
		for (size_t s = 0; s < b->opt->stat_count; s++) {
			enum statistic_id id = b->opt->stat[s].statistic->id;

			if (!is_shown(b, m, id))
				continue;
			if (!from && b->summary->overlap && id != STATISTIC_N &&
				id != STATISTIC_SUM)
				row->cell[c++] = cell_blank(); /* those above are of other times */
			else
				row->cell[c++] = value_cell(b, &values[m], id);
		}
	if (wants_ran(b))
		row->cell[c++] = from ? cell_text(arena_printf(b->report->arena, "%zu/%zu",
						from->ran, from->steps))
				      : cell_blank();
}

static void data_cells(struct calls_builder *b, const struct call_part *part,
	const struct call_row *from, size_t group)
{
	struct row *row = report_add_row(b->report, &b->report->data);
	bool summed = from->group->op_count > 1 && b->opt->with_type;
	bool absent = from->ran < from->steps;
	size_t c = 0;

	row->on_screen = b->shown[group];
	row->cell[c++] = cell_text(part->run);
	row->cell[c++] = cell_text(from->group->name);
	row->cell[c++] = cell_text(from->group->type);
	row->cell[c++] = cell_text(from->group->device);
	row->cell[c++] = cell_integer((int64_t)from->ran);
	row->cell[c++] = cell_integer((int64_t)from->steps);
	for (size_t m = 0; m < b->summary->options.measure_count; m++)
		for (size_t s = 0; s < b->file_stat_count; s++)
			row->cell[c++] = value_cell(b, &from->value[m], b->file_stat[s]);
	row->cell[c++] = cell_text(b->name[group]);
	row->cell[c++] = cell_text(
		absent ? (summed ? "absent summed" : "absent") : (summed ? "summed" : ""));
}

static void add_rest_row(struct calls_builder *b, const bool *shown, const char *label,
	bool on_screen, bool in_files)
{
	struct row *row = report_add_row(b->report, &b->report->display);

	row->role = ROW_OTHER;
	row->on_screen = on_screen;
	row->in_files = in_files;
	display_cells(b, row, calls_rest(b->calls, b->self, shown), label, NULL, NULL);
}

static void add_rest(struct calls_builder *b)
{
	const struct grouping *grouping = b->summary->grouping;
	struct arena *arena = b->report->arena;
	size_t hidden = 0, dropped = grouping->ops - grouping->ops_kept;
	bool *all = arena_array(arena, b->groups, sizeof(*all));

	if (b->summary->overlap || b->calls->run)
		return;
	for (size_t g = 0; g < b->groups; g++) {
		hidden += !b->shown[g];
		all[g] = true;
	}
	if (b->summary->options.of_selected)
		dropped = 0;
	if (hidden)
		add_rest_row(b, b->shown, phrase_rest(arena, b->opt, hidden, dropped), true, false);
	if (dropped)
		add_rest_row(b, all, phrase_rest(arena, b->opt, 0, dropped), !hidden, true);
}

static void add_rows(struct calls_builder *b)
{
	const struct calls *calls = b->calls;
	bool selected = b->summary->options.of_selected && !b->summary->overlap;
	size_t parts = calls->run ? b->summary->steps->run_count : 1;
	struct row *row;

	for (size_t i = 0; i < b->groups; i++)
		for (size_t r = 0; r < parts; r++) {
			const struct call_part *part = calls->run ? &calls->run[r] : &calls->all;
			const struct call_row *from = &part->row[b->order[i]];

			row = report_add_row(b->report, &b->report->display);
			row->on_screen = b->shown[b->order[i]];
			row->short_name = b->name[b->order[i]];
			display_cells(b, row, from->value, from->group->name, part, from);
			data_cells(b, part, from, b->order[i]);
		}
	add_rest(b);
	row = report_add_row(b->report, &b->report->display);
	row->role = ROW_TOTAL;
	display_cells(b, row, calls->all.total, selected ? "selected ops" : "all ops", NULL, NULL);
}

/* ---- words ---- */

static void add_answer(struct calls_builder *b)
{
	struct arena *arena = b->report->arena;
	const struct call_value *total = &b->calls->all.total[0];
	size_t steps = b->summary->steps->count, runs = b->summary->steps->run_count;
	bool selected = b->summary->options.of_selected && !b->summary->overlap;

	if (measure_of(b, 0)->id != MEASURE_TIME || !total->sums.count)
		return;
	report_answer(b->report,
		"%lld call%s%s in %zu step%s%s: %s of op time, %s per call on average.",
		(long long)total->sums.count, total->sums.count == 1 ? "" : "s",
		selected ? " of the selected ops" : "", steps, steps == 1 ? "" : "s",
		runs > 1 ? arena_printf(arena, " of %zu runs", runs) : "",
		phrase_quantity(arena, DIMENSION_TIME, (double)total->sums.sum_ps),
		phrase_quantity(arena, DIMENSION_TIME, moments_mean(&total->moments)));
}

struct report *build_calls(
	const struct calls *calls, const struct cube *self, const struct build_options *opt)
{
	struct calls_builder b = {.calls = calls,
		.summary = calls->summary,
		.self = self,
		.opt = opt,
		.report = report_new("report"),
		.groups = calls->summary->grouping->count};

	b.report->issues = &calls->summary->cube->issues;
	report_heading(b.report, "%s; per call, not per step",
		describe_inputs(b.report->arena, calls->summary, self, opt));
	add_answer(&b);
	sort_groups(&b);
	b.name = report_group_names(b.report->arena, b.summary->grouping, opt);
	notes_add_calls(b.report, calls->summary, self, opt);
	choose_file_stats(&b);
	display_columns(&b);
	data_columns(&b);
	add_rows(&b);
	return b.report;
}
