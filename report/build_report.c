/* The report of one side, over steps or over calls: order of the rows, the short table and the
 * complete one. Each column makes its own cells. Sentences are build_answers.c, notes
 * build_notes.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/calls.h"
#include "analysis/totals.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"
#include "report/build.h"
#include "report/build_answers.h"
#include "report/build_notes.h"
#include "report/build_values.h"
#include "report/report_lines.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Statistics of each measure in files unless the user chooses. */
static const enum statistic_id step_file_stats[] = {STATISTIC_MEAN, STATISTIC_CI, STATISTIC_SD,
	STATISTIC_CV, STATISTIC_CV_RUN, STATISTIC_SE, STATISTIC_MIN, STATISTIC_MEDIAN,
	STATISTIC_MAX, STATISTIC_SUM, STATISTIC_SHARE, STATISTIC_JITTER};

/* Columns of text are in the order of their texts, those that are empty last. */
static const char *sort_text(const struct report_line *line)
{
	const char *text = "";

	if (line->b->opt->sort == SORT_TYPE)
		text = line->group->type;
	else if (line->b->opt->sort == SORT_DEVICE)
		text = line->group->device;
	else if (line->b->opt->sort == SORT_NOTES)
		text = line_note_codes(line);
	return text ? text : "";
}

struct row_sort_item {
	double key;
	const char *text, *name;
	size_t group;
};

ORDERED(compare_items, struct row_sort_item,
	ORDER(y->key, x->key)
		?: ORDER(!*x->text, !*y->text)
		?: strcmp(x->text, y->text)
		?: strcmp(x->name, y->name)
		?: ORDER(x->group, y->group));

static void add_origin(struct report_builder *b, size_t part, size_t group)
{
	b->origin[b->origin_count++] =
		(struct row_origin){b->summary->part ? part : ALL_PARTS, group};
}

static void sort_rows(struct report_builder *b)
{
	size_t groups = b->summary->grouping->count;
	size_t parts = b->summary->part ? b->summary->part_count : 1;
	struct arena *scratch = arena_new();
	struct row_sort_item *item = arena_array(scratch, groups, sizeof(*item));
	size_t *order = arena_array(scratch, parts, sizeof(*order));

	for (size_t g = 0; g < groups; g++) {
		struct report_line line = line_of(b, ALL_PARTS, g);

		/* ---- rows ---- */
		const struct build_options *opt = line.b->opt;
		double key = 0;

		if (opt->sort == SORT_STATISTIC)
			key = line_statistic(&line, opt->sort_measure, &opt->sort_stat);
		else if (opt->sort == SORT_LOW)
			key = line.value[opt->sort_measure].runs.low;
		else if (opt->sort == SORT_HIGH)
			key = line.value[opt->sort_measure].runs.high;
		item[g] = (struct row_sort_item){
			isnan(key) ? -INFINITY : key, sort_text(&line), line.group->name, g};
	}
	if (groups)
		qsort(item, groups, sizeof(*item), compare_items);

	/* Order of the parts: as they are, by run and rank; or by rank and run. */
	const struct summary_part *part = b->summary->part;

	for (size_t p = 0; p < parts; p++) {
		size_t at = p;

		for (; at > 0 && part && b->opt->sort == SORT_RANK && has_rows_of_ranks(b) &&
			text_compare_natural(part[order[at - 1]].rank, part[p].rank) > 0;
			at--)
			order[at] = order[at - 1];
		order[at] = p;
	}
	b->origin = arena_array(b->report->arena, groups * parts, sizeof(*b->origin));
	if (b->opt->sort == SORT_RUN || b->opt->sort == SORT_RANK)
		for (size_t p = 0; p < parts; p++)
			for (size_t g = 0; g < groups; g++)
				add_origin(b, order[p], item[g].group);
	else
		for (size_t g = 0; g < groups; g++)
			for (size_t p = 0; p < parts; p++)
				add_origin(b, order[p], item[g].group);
	arena_free(scratch);
}

/* The largest rows, and every row that carries a tenth of the jitter. */
static void choose_shown(struct report_builder *b)
{
	const struct summary *summary = b->summary;
	size_t count = 0;

	b->shown = arena_array(b->report->arena, summary->grouping->count, sizeof(bool));
	for (size_t i = 0; i < b->origin_count; i++) {
		size_t g = b->origin[i].group;
		const struct summary_value *value = &summary->all.row[g].value[0];
		double share = b->calls ? b->calls->all.row[g].value[0].share : value->share;

		if (b->shown[g])
			continue;
		if (count < b->opt->top && !(share < b->opt->min_share)) {
			b->shown[g] = true;
			count++;
		} else if (!b->calls && value->jitter > JITTER_SHOWN && !summary->overlap) {
			b->shown[g] = true;
		}
	}
}

/* ---- cells ---- */

/* Values of a line beside those of its measures. */
enum line_part {
	LINE_RUN,
	LINE_RANK,
	LINE_LABEL,
	LINE_TYPE,
	LINE_DEVICE,
	LINE_RAN,
	LINE_STEPS,
	LINE_SHORT,
	LINE_NOTES,
	LINE_RAN_OF_STEPS, /* "86/90" */
	LINE_EXECUTIONS,
};

static struct cell executions_cell(const struct report_line *line)
{
	const int64_t executions = line->only_jitter ? CELL_ABSENT : line_executions(line);

	if (line->only_jitter)
		return cell_blank();
	return executions == CELL_ABSENT ? cell_real(NAN) : cell_integer(executions);
}

static struct cell part_cell(const struct column *column, const void *from)
{
	const struct report_line *line = from;

	switch ((enum line_part)column->index) {
	case LINE_RUN:
		return line->part ? cell_text(line->part->run) : cell_blank();
	case LINE_RANK:
		return line->part ? cell_text(line->part->rank) : cell_blank();
	case LINE_LABEL:
		return cell_text(line->label);
	case LINE_TYPE:
		return line->group ? cell_text(line->group->type) : cell_blank();
	case LINE_DEVICE:
		return cell_text(line->group->device);
	case LINE_RAN:
		return cell_integer((int64_t)line->ran);
	case LINE_STEPS:
		return cell_integer((int64_t)line->steps);
	case LINE_SHORT:
		return cell_text(line->b->name[line->index]);
	case LINE_NOTES:
		return cell_text(line_note_codes(line));
	case LINE_EXECUTIONS:
		return executions_cell(line);
	case LINE_RAN_OF_STEPS:
		break;
	}
	if (!line->group || (line->value && line->value->is_static))
		return cell_blank();
	return cell_text(arena_printf(line->b->report->arena, "%zu/%zu", line->ran, line->steps));
}

static struct cell low_cell(const struct column *column, const void *from)
{
	return cell_real(((const struct report_line *)from)->value[column->index].runs.low);
}

static struct cell high_cell(const struct column *column, const void *from)
{
	return cell_real(((const struct report_line *)from)->value[column->index].runs.high);
}

static struct cell value_cell(const struct column *column, const void *from)
{
	const struct report_line *line = from;
	const struct statistic_choice *choice = column->of;
	enum statistic_id id = choice->statistic->id;
	double value;

	if (line->only_jitter && id != STATISTIC_JITTER)
		return cell_blank();
	value = line_statistic(line, column->index, choice);
	/* Rows of overlapping values are of other times than their rest and total. */
	if (line->call && !line->group && line->b->summary->overlap && id != STATISTIC_N &&
		id != STATISTIC_SUM)
		return cell_blank();
	if (line->call && id == STATISTIC_N)
		return cell_integer(line->call[column->index].sums.count);
	if (line->value && line->value[column->index].is_static && !isnan(value))
		return cell_integer((int64_t)value);
	return cell_real(value);
}

static struct cell display_cell(const struct column *column, const void *from)
{
	const struct report_line *line = from;
	const struct statistic_choice *choice = column->of;
	struct cell cell = value_cell(column, from);

	/* More than the value itself: the interval is one of logarithms, and its halves differ. */
	if (choice->statistic->id == STATISTIC_CI && cell.kind == CELL_REAL && cell.real > 1)
		return cell_text(">100%");
	if (column->index == 0 && choice->statistic->id == STATISTIC_CV && line->group &&
		line->b->mark)
		cell.mark = line->b->mark[line->index];
	return cell;
}

/* ---- columns ---- */

static enum dimension column_dimension(
	const struct measure *measure, const struct statistic *stat, bool in_file)
{
	if (measure->kind == MEASURE_STATIC)
		return measure->dimension;
	if (stat->id == STATISTIC_CI && !in_file)
		return DIMENSION_FRACTION;
	return statistic_dimension(stat, measure->dimension);
}

static const char *step_title(
	const struct report_builder *b, size_t m, const struct statistic_choice *choice)
{
	struct arena *arena = b->report->arena;
	const char *name = measure_of(b, m)->name;
	const struct summary_options *opt = &b->summary->options;
	const char *title = choice->statistic->title;

	if (measure_of(b, m)->kind == MEASURE_STATIC)
		return name;
	switch (choice->statistic->id) {
	case STATISTIC_MEAN:
		return m == 0 && cube_adds_up(b->self, measure_of(b, m)->id)
			       ? arena_printf(arena, "%s/step", name)
			       : name;
	case STATISTIC_CI: {
		char percent[NUMBER_TEXT_SIZE];

		title = arena_printf(arena, "± %s%%",
			number_format_real(percent, 100 * opt->sample.confidence, 6));
		break;
	}
	case STATISTIC_CV:
		if (are_of_several_runs(b))
			title = "CV step";
		break;
	case STATISTIC_QUANTILE:
	case STATISTIC_QUANTILE_LOW:
	case STATISTIC_QUANTILE_HIGH:
		title = choice->name;
		break;
	default:
		break;
	}
	return m ? arena_printf(arena, "%s %s", name, title) : title;
}

static bool is_sorted_by(
	const struct report_builder *b, size_t m, const struct statistic_choice *choice)
{
	return b->opt->sort_given && b->opt->sort == SORT_STATISTIC && m == b->opt->sort_measure &&
	       choice->statistic == b->opt->sort_stat.statistic && choice->p == b->opt->sort_stat.p;
}

/* Measures after the first show only their mean unless the user chose statistics. */
static bool is_shown(
	const struct report_builder *b, size_t m, const struct statistic_choice *choice)
{
	enum statistic_id id = choice->statistic->id;

	if (!b->calls && measure_of(b, m)->kind == MEASURE_STATIC)
		return choice == b->opt->stat;
	if (id == STATISTIC_RAN || id == STATISTIC_CALLS)
		return false;
	/* A measure that does not add up has no shares. */
	if ((id == STATISTIC_SHARE || id == STATISTIC_JITTER) && !b->opt->stat_given &&
		!cube_adds_up(b->self, measure_of(b, m)->id))
		return false;
	if (is_sorted_by(b, m, choice))
		return true;
	if (b->opt->stat_extra && choice == &b->opt->stat[b->opt->stat_count - 1])
		return false;
	if (b->calls)
		return b->opt->stat_given ||
		       call_column_is_usual(b->calls, measure_of(b, m), m == 0, choice);
	if (!b->opt->stat_given && b->summary->steps->count == 1 &&
		(choice->statistic->traits & STATISTIC_OF_SPREAD))
		return false;
	/* Benchmarks that have one value in each run have the spread of runs alone. */
	if (id == STATISTIC_CV && !b->opt->stat_given && b->self->benchmarks &&
		b->summary->steps->count == b->summary->steps->run_count)
		return false;
	if (id == STATISTIC_CV_RUN && !b->opt->stat_given)
		return m == 0 && are_of_several_runs(b);
	return m == 0 || b->opt->stat_given || id == STATISTIC_MEAN;
}

/* Letters of notes stand at the CV of the first measure. */
static bool shows_cv(const struct report_builder *b)
{
	for (size_t s = 0; s < b->opt->stat_count; s++)
		if (b->opt->stat[s].statistic->id == STATISTIC_CV &&
			is_shown(b, 0, &b->opt->stat[s]))
			return true;
	return false;
}

/* Statistics of the row as a whole have one column, whatever the measures. */
static bool wants(const struct report_builder *b, enum statistic_id id)
{
	for (size_t s = 0; s < b->opt->stat_count; s++)
		if (b->opt->stat[s].statistic->id == id)
			return true;
	return false;
}

/* Asked for by name: never left out. */
static bool wants_always(const struct report_builder *b, enum statistic_id id)
{
	return wants(b, id) &&
	       (b->opt->stat_given ||
		       (b->opt->sort_given && b->opt->sort_stat.statistic->id == id));
}

static struct column *part_column(
	struct report_builder *b, struct table *table, const char *name, enum line_part part)
{
	struct column *column = report_text_column(b->report, table, name);

	column->make = part_cell;
	column->index = part;
	return column;
}

static struct column *executions_column(struct report_builder *b, struct table *table)
{
	struct column *column = part_column(b, table, "calls", LINE_EXECUTIONS);

	column->dimension = DIMENSION_COUNT;
	column->align = ALIGN_RIGHT;
	column->decimals = 0;
	return column;
}

static const char *stat_name(
	const struct report_builder *b, const struct statistic_choice *choice, bool in_file)
{
	bool population = b->summary->options.sample.population;

	if (b->calls)
		return call_column_name(b->report->arena, choice, population);
	return statistic_column_name(choice, population && in_file);
}

static struct column *value_column(struct report_builder *b, struct table *table, size_t m,
	const struct statistic_choice *choice)
{
	struct column *column = report_add_column(b->report, table);
	bool in_file = table == &b->report->data;

	column->measure = measure_of(b, m)->name;
	column->stat = column->title = stat_name(b, choice, in_file);
	column->dimension = column_dimension(measure_of(b, m), choice->statistic, in_file);
	column->unit = unit_given(b->opt, column->dimension);
	column->own_units = b->self->benchmarks;
	column->index = m;
	column->of = choice;
	column->make = in_file ? value_cell : display_cell;
	return column;
}

static void display_columns(struct report_builder *b)
{
	const struct build_options *opt = b->opt;
	struct table *table = &b->report->display;
	struct column *column;

	if (has_rows_of_ranks(b))
		part_column(b, table, "rank", LINE_RANK);
	column = part_column(b, table, "op", LINE_LABEL);

	column->title = opt->row_noun;
	column->shorten = column->names = true;
	if (b->summary->parts_of->options.parts == PARTS_RUNS)
		part_column(b, table, "run", LINE_RUN)->shorten = true;
	if (opt->with_type) {
		column = part_column(b, table, "type", LINE_TYPE);
		column->drop = opt->sort == SORT_TYPE ? 0 : 3;
		column->shorten = true;
	}
	if (wants(b, STATISTIC_CALLS) && (opt->with_calls || wants_always(b, STATISTIC_CALLS))) {
		column = executions_column(b, table);
		column->drop = wants_always(b, STATISTIC_CALLS) ? 0 : 2;
	}
	for (size_t m = 0; m < b->summary->options.measure_count; m++)
		for (size_t s = 0; s < opt->stat_count; s++) {
			const struct statistic_choice *choice = &opt->stat[s];

			if (!is_shown(b, m, choice))
				continue;
			column = value_column(b, table, m, choice);
			column->title = b->calls ? call_column_title(b->report->arena,
							   measure_of(b, m), m == 0, choice)
						 : step_title(b, m, choice);
			column->bar = m == 0 && choice->statistic->id == STATISTIC_SHARE;
			if (column->dimension == DIMENSION_FRACTION)
				column->decimals = 1;
			else if (b->calls && column->dimension == DIMENSION_COUNT)
				column->decimals = 0;
			if (opt->stat_given || is_sorted_by(b, m, choice))
				continue;
			if (m && !opt->measure_given)
				column->drop = 2;
			if (b->calls)
				column->drop = call_column_drop(
					measure_of(b, m), m == 0, opt->measure_given, choice);
		}
	if (wants(b, STATISTIC_RAN)) {
		column = part_column(b, table, "ran", LINE_RAN_OF_STEPS);
		column->drop = wants_always(b, STATISTIC_RAN) ? 0 : 1;
		column->align = ALIGN_RIGHT;
	}
}

static void file_column(struct report_builder *b, size_t m, const struct statistic_choice *choice,
	const char *stat, struct cell (*make)(const struct column *, const void *))
{
	struct column *column = value_column(b, &b->report->data, m, choice);

	column->stat = column->title = stat;
	column->digits = choice->statistic->digits;
	column->make = make;
}

/* Columns that name the row. */
static void leading_columns(struct report_builder *b, struct table *table)
{
	static const struct column leading[] = {[LINE_RUN] = {.stat = "run"},
		[LINE_RANK] = {.stat = "rank"},
		[LINE_LABEL] = {.stat = "op"},
		[LINE_TYPE] = {.stat = "type"},
		[LINE_DEVICE] = {.stat = "device"},
		[LINE_RAN] = {.stat = "ran"},
		[LINE_STEPS] = {.stat = "steps"}};

	for (size_t i = 0; i < COUNT(leading); i++) {
		if (i == LINE_RANK && !has_rows_of_ranks(b))
			continue;
		report_add_columns(b->report, table, part_cell, &leading[i], 1);
		table->column[table->column_count - 1].index = i;
	}
}

static void data_columns(struct report_builder *b)
{
	struct table *table = &b->report->data;
	struct column *column;

	leading_columns(b, table);
	for (size_t m = 0; m < b->summary->options.measure_count; m++) {
		if (measure_of(b, m)->kind == MEASURE_STATIC) {
			column = value_column(b, table, m, &b->opt->stat[0]);
			column->stat = column->title = "value";
			continue;
		}
		for (size_t s = 0; s < b->file_stat_count; s++) {
			const struct statistic_choice *choice = &b->file_stat[s];

			if (b->calls && !b->opt->stat_given &&
				!call_column_is_defined(measure_of(b, m), choice))
				continue;
			if (choice->statistic->id == STATISTIC_CI) {
				file_column(b, m, choice, "low", low_cell);
				file_column(b, m, choice, "high", high_cell);
			} else {
				file_column(b, m, choice, stat_name(b, choice, true), value_cell);
			}
		}
	}
	part_column(b, table, "short", LINE_SHORT);
	if (!b->calls && (b->opt->with_calls || wants_always(b, STATISTIC_CALLS)))
		executions_column(b, table);
	part_column(b, table, "notes", LINE_NOTES);
}

static void choose_file_stats(struct report_builder *b)
{
	size_t n = 0, count = COUNT(step_file_stats);

	if (b->calls && !b->opt->stat_given) {
		b->file_stat_count = call_columns_of_files(b->report->arena, &b->file_stat);
		return;
	}
	b->file_stat =
		arena_array(b->report->arena, b->opt->stat_count + count, sizeof(*b->file_stat));
	for (size_t s = 0; b->opt->stat_given && s < b->opt->stat_count; s++)
		if (b->opt->stat[s].statistic->id != STATISTIC_RAN &&
			b->opt->stat[s].statistic->id != STATISTIC_CALLS)
			b->file_stat[n++] = b->opt->stat[s];
	for (size_t s = 0; !b->opt->stat_given && s < count; s++) {
		const struct statistic *stat = statistic_at(step_file_stats[s]);

		if (stat->id == STATISTIC_CV_RUN && b->summary->steps->run_count < 2)
			continue;
		b->file_stat[n++] = (struct statistic_choice){stat, 0, stat->name};
	}
	b->file_stat_count = n;
}

/* ---- the tables ---- */

/* Ops that never ran have no row, but their parameters are in the total. */
static bool rest_of_never_run(const struct report_builder *b)
{
	const struct summary_part *all = &b->summary->all;

	for (size_t m = 0; m < b->summary->options.measure_count; m++) {
		double rest = all->total[m].static_value;

		for (size_t g = 0; g < b->summary->grouping->count; g++)
			rest -= all->row[g].value[m].static_value;
		if (measure_of(b, m)->kind == MEASURE_STATIC && all->total[m].known && rest != 0)
			return true;
	}
	return false;
}

static void add_rest_row(struct report_builder *b, const bool *shown, const char *label,
	bool on_screen, bool in_files)
{
	struct report_line line = line_of_rest(b, shown, label);
	struct row *row = report_make_row(b->report, &b->report->display, &line);

	row->role = ROW_OTHER;
	row->on_screen = on_screen;
	row->in_files = in_files;
	row_set_rest(b->report, b->summary, shown, row);
}

/* Rest of the total without the rows: on the screen also the rows that are not shown there. */
static void add_rest(struct report_builder *b)
{
	const struct grouping *grouping = b->summary->grouping;
	size_t hidden = 0, dropped = grouping->ops - grouping->ops_kept;
	bool *all = arena_array(b->report->arena, grouping->count, sizeof(bool));

	if (b->summary->overlap || b->summary->part)
		return;
	for (size_t g = 0; g < grouping->count; g++) {
		hidden += !b->shown[g];
		all[g] = true;
	}
	if (b->summary->options.of_selected)
		dropped = 0;
	if (hidden)
		add_rest_row(b, b->shown, phrase_rest(b->report->arena, b->opt, hidden, dropped),
			true, false);
	if (dropped || rest_of_never_run(b))
		add_rest_row(b, all,
			dropped ? phrase_rest(b->report->arena, b->opt, 0, dropped)
				: "[ops that never ran]",
			!hidden, true);
}

static void add_rows(struct report_builder *b)
{
	struct report_line total = line_of_total(b);
	struct row *row;

	for (size_t i = 0; i < b->origin_count; i++) {
		size_t group = b->origin[i].group;
		struct report_line line = line_of(b, b->origin[i].part, group);

		if (b->opt->screen_only && !b->shown[group])
			continue;
		row = report_make_row(b->report, &b->report->display, &line);
		row->on_screen = b->shown[group];
		row->short_name = b->name[group];
		if (line.summary == b->summary) /* ranks have steps of their own */
			row_set_steps(b->report, b->summary, line.part, line.index, row);
		if (b->opt->screen_only)
			continue;
		report_make_row(b->report, &b->report->data, &line)->on_screen = b->shown[group];
	}
	add_rest(b);

	/* Idle, waiting, what overlaps: with it the shares of the jitter add up. */
	struct report_line line = line_of_not_in_ops(b);
	bool any = false;

	for (size_t m = 0; m < b->summary->options.measure_count; m++)
		any |= !isnan(line.value[m].jitter);
	if (any && !b->calls && !b->summary->part)
		report_make_row(b->report, &b->report->display, &line)->role = ROW_OTHER;
	if (b->self->benchmarks)
		return;
	row = report_make_row(b->report, &b->report->display, &total);
	row->role = ROW_TOTAL;
	row_set_rest(b->report, b->summary, NULL, row);
}

struct report *build_report(struct summary *summary, struct calls *calls, const struct cube *self,
	const struct build_options *opt)
{
	struct report_builder b = {.summary = summary,
		.calls = calls,
		.self = self,
		.opt = opt,
		.report = report_new("report")};
	const struct report_warmup warmup = warmup_of(b.report->arena, summary, opt);

	b.report->issues = &summary->cube->issues;
	report_heading(b.report, "%s%s", describe_inputs(b.report->arena, summary, self, opt),
		calls ? "; per call, not per step" : "");
	b.name = report_group_names(b.report->arena, summary->grouping, opt);
	sort_rows(&b);
	choose_shown(&b);
	if (calls) {
		answers_add_calls(b.report, calls);
		notes_add_calls(b.report, calls, self, opt, &warmup);
	} else {
		report_set_steps(b.report, summary);
		const struct answered answered =
			answers_add(b.report, summary, self, opt, &warmup, b.name);

		b.mark = notes_add(b.report, summary, self, opt, &warmup, answered,
			shows_cv(&b) ? b.shown : NULL, b.name);
	}
	choose_file_stats(&b);
	display_columns(&b);
	data_columns(&b);
	add_rows(&b);
	if (opt->with_values && !calls) {
		size_t *group = arena_array(b.report->arena, b.origin_count, sizeof(*group));

		for (size_t i = 0; i < b.origin_count; i++)
			group[i] = b.origin[i].group;
		build_values(b.report, b.summary, group, b.origin_count, b.name, b.opt);
	}
	return b.report;
}
