/*
 * The main report: heading, the sentences that answer, the short table and the complete one. Notes
 * are build_notes.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "report/build.h"
#include "report/build_notes.h"

#define JITTER_SHOWN 0.10 /* rows above this jitter share are always on the screen */

/* What is printed of each measure in files unless the user chooses. */
static const enum statistic_id file_stats[] = {STATISTIC_MEAN, STATISTIC_CI, STATISTIC_SD,
	STATISTIC_CV, STATISTIC_CV_RUN, STATISTIC_SE, STATISTIC_MIN, STATISTIC_MEDIAN,
	STATISTIC_MAX, STATISTIC_SUM, STATISTIC_SHARE, STATISTIC_JITTER};

/* A row of the report: a group, in all runs or in one. */
struct report_line {
	const struct summary_part *part;
	size_t group;
	double key;
};

struct report_builder {
	struct summary *summary;
	const struct build_options *opt;
	struct report *report;
	struct report_line *line; /* sorted; per_run: the runs of a group stand together */
	size_t line_count;
	bool *shown; /* per group: on the screen */
	struct statistic_choice *file_stat;
	size_t file_stat_count;
	const char **name; /* per group: the short form */
	const char **mark; /* per group: marks of the first measure's CV, or NULL */
};

static const struct measure *measure_of(const struct report_builder *b, size_t m)
{
	return measure_at(b->summary->options.measure[m]);
}

static double sort_key(const struct report_builder *b, size_t group)
{
	const struct summary_value *value = &b->summary->all.row[group].value[b->opt->sort_measure];

	switch (b->opt->sort) {
	case SORT_STATISTIC:
		break;
	case SORT_STEPS:
		return (double)value->steps;
	case SORT_LOW:
		return value->runs.low;
	case SORT_HIGH:
		return value->runs.high;
	case SORT_NAME:
	case SORT_TYPE:
	case SORT_DEVICE:
	case SORT_NOTES:
	case SORT_RUN:
		return 0;
	}
	if (value->is_static)
		return value->known ? value->static_value : -INFINITY;
	return summary_statistic(b->summary, value, &b->opt->sort_stat);
}

static const char *note_codes(struct report_builder *b, const struct summary_row *row);

/* Columns of text are in the order of their texts, those that are empty last. */
static const char *sort_text(struct report_builder *b, size_t group)
{
	const struct group *of = &b->summary->grouping->group[group];

	switch (b->opt->sort) {
	case SORT_TYPE:
		return of->type ? of->type : "";
	case SORT_DEVICE:
		return of->device ? of->device : "";
	case SORT_NOTES:
		return note_codes(b, &b->summary->all.row[group]);
	default:
		return "";
	}
}

struct row_sort_item {
	double key;
	const char *text, *name;
	size_t group;
};

static int compare_items(const void *a, const void *b)
{
	const struct row_sort_item *x = a, *y = b;
	int order;

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	if (!*x->text != !*y->text)
		return *x->text ? -1 : 1;
	order = strcmp(x->text, y->text);
	order = order ? order : strcmp(x->name, y->name);
	return order ? order : (x->group > y->group) - (x->group < y->group);
}

static void add_line(struct report_builder *b, size_t run, const struct row_sort_item *item)
{
	b->line[b->line_count++] = (struct report_line){
		b->summary->run ? &b->summary->run[run] : &b->summary->all, item->group, item->key};
}

static void sort_lines(struct report_builder *b)
{
	const struct summary *summary = b->summary;
	size_t groups = summary->grouping->count;
	size_t parts = summary->run ? summary->steps->run_count : 1;
	struct arena *scratch = arena_new();
	struct row_sort_item *item = arena_array(scratch, groups, sizeof(*item));

	for (size_t g = 0; g < groups; g++) {
		double key = sort_key(b, g);

		item[g] = (struct row_sort_item){isnan(key) ? -INFINITY : key, sort_text(b, g),
			summary->grouping->group[g].name, g};
	}
	if (groups)
		qsort(item, groups, sizeof(*item), compare_items);
	b->line = arena_array(b->report->arena, groups * parts, sizeof(*b->line));
	if (b->opt->sort == SORT_RUN)
		for (size_t r = 0; r < parts; r++)
			for (size_t g = 0; g < groups; g++)
				add_line(b, r, &item[g]);
	else
		for (size_t g = 0; g < groups; g++)
			for (size_t r = 0; r < parts; r++)
				add_line(b, r, &item[g]);
	arena_free(scratch);
}

/* The largest rows, and every row that carries a tenth of the jitter. */
static void choose_shown(struct report_builder *b)
{
	const struct summary *summary = b->summary;
	size_t taken = 0;

	b->shown = arena_array(b->report->arena, summary->grouping->count, sizeof(bool));
	for (size_t i = 0; i < b->line_count; i++) {
		size_t g = b->line[i].group;
		const struct summary_value *value = &summary->all.row[g].value[0];
		bool small = value->share < b->opt->min_share;

		if (b->shown[g])
			continue;
		if (taken < b->opt->top && !small) {
			b->shown[g] = true;
			taken++;
		} else if (value->jitter > JITTER_SHOWN && !summary->overlap) {
			b->shown[g] = true;
		}
	}
}

/* ---- columns ---- */

static const struct unit *fixed_unit(const struct report_builder *b, enum dimension dimension)
{
	return dimension == DIMENSION_TIME    ? b->opt->time_unit
	       : dimension == DIMENSION_BYTES ? b->opt->bytes_unit
					      : NULL;
}

static enum dimension stat_dimension(
	const struct measure *measure, const struct statistic *stat, bool in_file)
{
	if (stat->id == STATISTIC_CI && !in_file)
		return DIMENSION_FRACTION;
	switch (stat->shape) {
	case SHAPE_SAME:
		return measure->dimension;
	case SHAPE_FRACTION:
		return DIMENSION_FRACTION;
	case SHAPE_COUNT:
		return DIMENSION_COUNT;
	case SHAPE_NUMBER:
		break;
	}
	return DIMENSION_NONE;
}

static const char *stat_title(const struct report_builder *b, size_t m,
	const struct statistic_choice *choice, bool several)
{
	struct arena *arena = b->report->arena;
	const char *name = measure_of(b, m)->name;
	const struct summary_options *opt = &b->summary->options;
	const char *title = choice->statistic->title;

	if (measure_of(b, m)->kind == MEASURE_STATIC)
		return name;
	switch (choice->statistic->id) {
	case STATISTIC_MEAN:
		return several ? arena_printf(arena, "%s/step", name) : name;
	case STATISTIC_CI: {
		char percent[NUMBER_TEXT_SIZE];

		title = arena_printf(arena, "± %s%%",
			number_format_real(percent, 100 * opt->sample.confidence, 6));
		break;
	}
	case STATISTIC_CV:
		if (b->summary->steps->run_count > 1 && !b->summary->run)
			title = "CV step";
		break;
	case STATISTIC_QUANTILE:
		title = choice->name;
		break;
	default:
		break;
	}
	return m ? arena_printf(arena, "%s %s", name, title) : title;
}

static void add_text_column(struct report_builder *b, struct table *table, const char *stat,
	const char *title, int drop, bool shorten)
{
	struct column *column = report_add_column(b->report, table);

	column->stat = stat;
	column->title = title;
	column->align = ALIGN_LEFT;
	column->drop = drop;
	column->shorten = shorten;
}

/* One step has none. */
static bool is_of_spread(const struct statistic_choice *choice)
{
	enum statistic_id id = choice->statistic->id;

	return id == STATISTIC_CI || id == STATISTIC_CV || id == STATISTIC_CV_RUN ||
	       id == STATISTIC_JITTER;
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
	if (choice->statistic->id == STATISTIC_RAN)
		return false;
	if (measure_of(b, m)->kind == MEASURE_STATIC)
		return choice == b->opt->stat;
	if (is_sorted_by(b, m, choice))
		return true;
	if (!b->opt->stat_given && b->summary->steps->count == 1 && is_of_spread(choice))
		return false;
	if (b->opt->stat_extra && choice == &b->opt->stat[b->opt->stat_count - 1])
		return false;
	if (choice->statistic->id == STATISTIC_CV_RUN && !b->opt->stat_given)
		return m == 0 && b->summary->steps->run_count > 1 && !b->summary->run;
	return m == 0 || b->opt->stat_given || choice->statistic->id == STATISTIC_MEAN;
}

static bool wants_ran(const struct report_builder *b)
{
	for (size_t s = 0; s < b->opt->stat_count; s++)
		if (b->opt->stat[s].statistic->id == STATISTIC_RAN)
			return true;
	return false;
}

/* Asked for by name: never left out. */
static bool wants_ran_always(const struct report_builder *b)
{
	return b->opt->stat_given ||
	       (b->opt->sort_given && b->opt->sort_stat.statistic->id == STATISTIC_RAN);
}

static void display_columns(struct report_builder *b)
{
	struct table *table = &b->report->display;

	add_text_column(b, table, "op", b->opt->row_noun, 0, true);
	table->column[0].names = true;
	if (b->summary->run)
		add_text_column(b, table, "run", "run", 0, true);
	if (b->opt->with_type)
		add_text_column(b, table, "type", "type", b->opt->sort == SORT_TYPE ? 0 : 3, true);
	for (size_t m = 0; m < b->summary->options.measure_count; m++)
		for (size_t s = 0; s < b->opt->stat_count; s++) {
			const struct statistic_choice *choice = &b->opt->stat[s];
			struct column *column;

			if (!is_shown(b, m, choice))
				continue;
			column = report_add_column(b->report, table);
			column->measure = measure_of(b, m)->name;
			column->stat = choice->name;
			column->title = stat_title(b, m, choice, m == 0);
			column->dimension =
				stat_dimension(measure_of(b, m), choice->statistic, false);
			column->unit = fixed_unit(b, column->dimension);
			column->decimals = column->dimension == DIMENSION_FRACTION ? 1 : -1;
			column->drop = m && !b->opt->stat_given && !b->opt->measure_given &&
						       !is_sorted_by(b, m, choice)
					       ? 2
					       : 0;
		}
	if (wants_ran(b)) {
		add_text_column(b, table, "ran", "ran", wants_ran_always(b) ? 0 : 1, false);
		table->column[table->column_count - 1].align = ALIGN_RIGHT;
	}
}

static void file_column(
	struct report_builder *b, size_t m, const struct statistic_choice *choice, const char *stat)
{
	struct column *column = report_add_column(b->report, &b->report->data);

	column->measure = measure_of(b, m)->name;
	column->stat = stat;
	column->title = stat;
	column->dimension = stat_dimension(measure_of(b, m), choice->statistic, true);
	column->unit = fixed_unit(b, column->dimension);
	column->digits = choice->statistic->digits;
}

static const char *file_stat_name(
	const struct report_builder *b, const struct statistic_choice *choice)
{
	if (choice->statistic->id == STATISTIC_CV && b->summary->options.sample.population)
		return "cvpop";
	return choice->name;
}

static void data_columns(struct report_builder *b)
{
	static const char *const leading[] = {"run", "op", "type", "device", "ran", "steps"};
	struct table *table = &b->report->data;

	for (size_t i = 0; i < sizeof(leading) / sizeof(*leading); i++)
		add_text_column(b, table, leading[i], leading[i], 0, false);
	for (size_t m = 0; m < b->summary->options.measure_count; m++) {
		if (measure_of(b, m)->kind == MEASURE_STATIC) {
			file_column(b, m, &b->file_stat[0], "value");
			continue;
		}
		for (size_t s = 0; s < b->file_stat_count; s++) {
			const struct statistic_choice *choice = &b->file_stat[s];

			if (choice->statistic->id == STATISTIC_CI) {
				file_column(b, m, choice, "low");
				file_column(b, m, choice, "high");
			} else {
				file_column(b, m, choice, file_stat_name(b, choice));
			}
		}
	}
	add_text_column(b, table, "short", "short", 0, false);
	add_text_column(b, table, "notes", "notes", 0, false);
}

static void choose_file_stats(struct report_builder *b)
{
	size_t n = 0;

	b->file_stat = arena_array(b->report->arena,
		b->opt->stat_count + sizeof(file_stats) / sizeof(*file_stats),
		sizeof(*b->file_stat));
	if (b->opt->stat_given) {
		for (size_t s = 0; s < b->opt->stat_count; s++)
			if (b->opt->stat[s].statistic->id != STATISTIC_RAN)
				b->file_stat[n++] = b->opt->stat[s];
	} else {
		for (size_t s = 0; s < sizeof(file_stats) / sizeof(*file_stats); s++) {
			const struct statistic *stat = statistic_at(file_stats[s]);

			if (stat->id == STATISTIC_CV_RUN && b->summary->steps->run_count < 2)
				continue;
			b->file_stat[n++] = (struct statistic_choice){stat, 0, stat->name};
		}
	}
	b->file_stat_count = n;
}

/* ---- cells ---- */

static struct cell value_cell(const struct report_builder *b, const struct summary_value *value,
	const struct statistic_choice *choice)
{
	if (value->is_static)
		return value->known ? cell_integer((int64_t)value->static_value) : cell_real(NAN);
	return cell_real(summary_statistic(b->summary, value, choice));
}

static void display_cells(struct report_builder *b, struct row *row,
	const struct summary_value *values, const char *name, const struct summary_part *part,
	const char *type, const char *mark)
{
	size_t c = 0;
	const struct summary_value *first = &values[0];

	row->cell[c++] = cell_text(name);
	if (b->summary->run)
		row->cell[c++] = part ? cell_text(part->run) : cell_blank();
	if (b->opt->with_type)
		row->cell[c++] = type ? cell_text(type) : cell_blank();
	for (size_t m = 0; m < b->summary->options.measure_count; m++)
		for (size_t s = 0; s < b->opt->stat_count; s++) {
			const struct statistic_choice *choice = &b->opt->stat[s];

			if (!is_shown(b, m, choice))
				continue;
			row->cell[c] = value_cell(b, &values[m], choice);
			/* More than the value itself: the interval is cut at 0, so it has no half.
			 */
			if (choice->statistic->id == STATISTIC_CI &&
				row->cell[c].kind == CELL_REAL && row->cell[c].real > 1)
				row->cell[c] = cell_text(">100%");
			if (m == 0 && choice->statistic->id == STATISTIC_CV)
				row->cell[c].mark = mark;
			c++;
		}
	if (wants_ran(b))
		row->cell[c++] = row->role != ROW_BODY || first->is_static
					 ? cell_blank()
					 : cell_text(arena_printf(b->report->arena, "%zu/%zu",
						   first->ran, first->steps));
}

static const char *note_codes(struct report_builder *b, const struct summary_row *row)
{
	struct text text;
	const char *codes;
	const struct summary_value *value = row->value;

	text_init(&text);
	if (!value->is_static && value->ran < value->steps)
		text_add(&text, " absent");
	if (value->spiky)
		text_add(&text, " spiky");
	if (value->resolution_limited)
		text_add(&text, " resolution");
	for (size_t m = 0; m < b->summary->options.measure_count; m++)
		if (value[m].lost) {
			text_add(&text, " lost");
			break;
		}
	if (row->group->op_count > 1 && b->opt->with_type)
		text_add(&text, " summed");
	codes = arena_strdup(b->report->arena, text.size ? text_string(&text) + 1 : "");
	text_release(&text);
	return codes;
}

static void data_cells(struct report_builder *b, struct row *row, const struct report_line *line)
{
	const struct summary_row *from = &line->part->row[line->group];
	size_t c = 0;

	row->cell[c++] = cell_text(line->part->run);
	row->cell[c++] = cell_text(from->group->name);
	row->cell[c++] = cell_text(from->group->type);
	row->cell[c++] = cell_text(from->group->device);
	row->cell[c++] = cell_integer((int64_t)from->value->ran);
	row->cell[c++] = cell_integer((int64_t)from->value->steps);
	for (size_t m = 0; m < b->summary->options.measure_count; m++) {
		const struct summary_value *value = &from->value[m];

		if (value->is_static) {
			row->cell[c++] = value_cell(b, value, NULL);
			continue;
		}
		for (size_t s = 0; s < b->file_stat_count; s++) {
			if (b->file_stat[s].statistic->id == STATISTIC_CI) {
				row->cell[c++] = cell_real(value->runs.low);
				row->cell[c++] = cell_real(value->runs.high);
			} else {
				row->cell[c++] = value_cell(b, value, &b->file_stat[s]);
			}
		}
	}
	row->cell[c++] = cell_text(b->name[line->group]);
	row->cell[c++] = cell_text(note_codes(b, from));
}

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
	struct row *row = report_add_row(b->report, &b->report->display);

	row->role = ROW_OTHER;
	row->on_screen = on_screen;
	row->in_files = in_files;
	display_cells(
		b, row, summary_rest(b->summary, &b->summary->all, shown), label, NULL, NULL, NULL);
}

/* What the rows leave of the total: on the screen also the rows that are not shown there. */
static void add_rest(struct report_builder *b)
{
	const struct grouping *grouping = b->summary->grouping;
	size_t hidden = 0, dropped = grouping->ops - grouping->ops_kept;
	bool *all = arena_array(b->report->arena, grouping->count, sizeof(bool)), left;
	const char *of_files = "[ops that never ran]";

	if (b->summary->overlap || b->summary->run)
		return;
	for (size_t g = 0; g < grouping->count; g++) {
		hidden += !b->shown[g];
		all[g] = true;
	}
	if (b->summary->options.of_selected)
		dropped = 0;
	left = dropped || rest_of_never_run(b);
	if (dropped)
		of_files = phrase_rest(b->report->arena, b->opt, 0, dropped);
	if (hidden)
		add_rest_row(b, b->shown, phrase_rest(b->report->arena, b->opt, hidden, dropped),
			true, false);
	if (left)
		add_rest_row(b, all, of_files, !hidden, true);
}

static void add_rows(struct report_builder *b)
{
	const char *total = b->summary->options.of_selected && !b->summary->overlap ? "selected ops"
										    : "all ops";
	struct row *row;

	for (size_t i = 0; i < b->line_count; i++) {
		const struct report_line *line = &b->line[i];
		const struct summary_row *from = &line->part->row[line->group];

		if (b->opt->screen_only && !b->shown[line->group])
			continue;
		row = report_add_row(b->report, &b->report->display);
		row->on_screen = b->shown[line->group];
		row->short_name = b->name[line->group];
		display_cells(b, row, from->value, from->group->name, line->part, from->group->type,
			b->mark ? b->mark[line->group] : NULL);
		if (b->opt->screen_only)
			continue;
		row = report_add_row(b->report, &b->report->data);
		row->on_screen = b->shown[line->group];
		data_cells(b, row, line);
	}
	add_rest(b);
	row = report_add_row(b->report, &b->report->display);
	row->role = ROW_TOTAL;
	display_cells(b, row, b->summary->all.total, total, NULL, NULL, NULL);
}

/* ---- words ---- */

static bool is_of_selected(const struct report_builder *b)
{
	return b->summary->options.of_selected && !b->summary->overlap;
}

static void answer_total(struct report_builder *b)
{
	struct arena *arena = b->report->arena;
	const struct summary_part *all = &b->summary->all;
	const struct summary_value *total = &all->total[0];
	const struct runs *runs = &total->runs;
	const char *interval = "", *spread = "";
	bool several = runs->runs > 1;

	if (isnan(runs->mean) || measure_of(b, 0)->id != MEASURE_TIME)
		return;
	if (runs->mean == 0) {
		report_answer(b->report, "%s no time: every recorded time is 0.",
			is_of_selected(b) ? "The selected ops took"
					  : "The ops of these steps took");
		return;
	}
	if (!isnan(runs->low))
		interval =
			phrase_interval(arena, DIMENSION_TIME, runs->mean, runs->low, runs->high);
	if (several && !isnan(runs->cv_run))
		spread = arena_printf(
			arena, ", CV %s between runs", phrase_percent(arena, runs->cv_run));
	if (!isnan(runs->cv_step))
		spread = arena_printf(arena, "%s, CV %s%s", spread,
			phrase_percent(arena, runs->cv_step),
			steps_may_be_averages(b->summary->cube) ? " between these reports"
			: several				? " between steps"
								: "");
	report_answer(b->report, "%s %s of op time%s%s.",
		is_of_selected(b) ? "The selected ops of a step take" : "A step takes",
		phrase_quantity(arena, DIMENSION_TIME, runs->mean), interval, spread);
}

/* Where the steps have a start and an end. */
static void answer_wall(struct report_builder *b)
{
	struct arena *arena = b->report->arena;
	const struct summary_part *all = &b->summary->all;
	const char *spread = "", *busy = "";

	if (!all->has_wall || !(all->wall.mean > 0) || measure_of(b, 0)->id != MEASURE_TIME ||
		isnan(all->total[0].runs.mean))
		return;
	if (!isnan(all->wall.cv_step))
		spread = arena_printf(arena, ", CV %s", phrase_percent(arena, all->wall.cv_step));
	if (all->busy.mean < 0.995 * all->wall.mean)
		busy = arena_printf(arena, "; ops run in %s of that (busy)",
			phrase_percent(arena, all->busy.mean / all->wall.mean));
	report_answer(b->report, "A step lasts %s from first start to last end (wall time)%s%s.",
		phrase_quantity(arena, DIMENSION_TIME, all->wall.mean), spread, busy);
}

struct culprit {
	double jitter;
	const char *name, *shown;
};

static int compare_culprits(const void *a, const void *b)
{
	const struct culprit *x = a, *y = b;

	if (x->jitter != y->jitter)
		return x->jitter > y->jitter ? -1 : 1;
	return strcmp(x->name, y->name);
}

#define CULPRITS_NAMED 3

/* Each op with its own share: shares of ops that compensate are negative, so the others may add up
 * to more than 100 %. */
static void answer_jitter(struct report_builder *b)
{
	struct arena *arena = b->report->arena;
	const struct grouping *grouping = b->summary->grouping;
	struct culprit *culprit = arena_array(arena, grouping->count, sizeof(*culprit));
	struct text named;
	double sum = 0;
	size_t n = 0;

	if (isnan(b->summary->all.total[0].jitter) || b->summary->overlap)
		return;
	for (size_t g = 0; g < grouping->count; g++)
		if (b->summary->all.row[g].value[0].jitter > JITTER_SHOWN)
			culprit[n++] = (struct culprit){b->summary->all.row[g].value[0].jitter,
				grouping->group[g].name, b->name[g]};
	if (!n) {
		report_answer(b->report,
			"No %s %s carries more than 10 %% of the step-to-step jitter.",
			grouping->ops_kept < grouping->ops ? "selected" : "single",
			b->opt->row_noun);
		return;
	}
	qsort(culprit, n, sizeof(*culprit), compare_culprits);
	n = n > CULPRITS_NAMED ? CULPRITS_NAMED : n;
	text_init(&named);
	for (size_t i = 0; i < n; i++) {
		sum += culprit[i].jitter;
		text_add(&named, !i ? "" : i + 1 < n ? ", " : " and ");
		text_printf(&named, "%s (%s%s)", phrase_list(arena, &culprit[i].shown, 1),
			phrase_percent(arena, culprit[i].jitter), i ? "" : " of the jitter");
	}
	report_answer(b->report, "The op time varies from step to step with %s%s.",
		text_string(&named), sum > 1.005 ? "; other ops compensate for a part" : "");
	text_release(&named);
}

struct report *build_report(
	struct summary *summary, const struct cube *self, const struct build_options *opt)
{
	struct report_builder b = {.summary = summary, .opt = opt, .report = report_new("report")};

	b.report->issues = &summary->cube->issues;
	report_heading(b.report, "%s", describe_inputs(b.report->arena, summary, self, opt));
	b.name = report_group_names(b.report->arena, summary->grouping, opt);
	answer_total(&b);
	answer_wall(&b);
	if (measure_of(&b, 0)->id == MEASURE_TIME)
		answer_jitter(&b);
	sort_lines(&b);
	choose_shown(&b);
	b.mark = notes_add(b.report, summary, self, opt, b.shown, b.name);
	choose_file_stats(&b);
	display_columns(&b);
	data_columns(&b);
	add_rows(&b);
	return b.report;
}
