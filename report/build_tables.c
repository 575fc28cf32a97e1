/*
 * Steps, totals and issues as tables. Columns are only ever added: programs read them by name.
 */
#include "report/build_tables.h"

#include <math.h>
#include "base/memory.h"
#include "base/text.h"
#include "report/build_ranks.h"

struct tables_maker {
	struct report *report;
	struct table *table;
	const struct build_options *opt;
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static struct table *add_table(struct report *report, const char *name)
{
	struct table *table = &report->more[report->more_count++];

	table->name = name;
	return table;
}

static struct column *add_number_column(struct tables_maker *m, const char *name,
	enum dimension dimension, struct cell (*make)(const struct column *, const void *),
	size_t index)
{
	struct column *column = report_add_column(m->report, m->table);

	column->stat = column->title = name;
	column->dimension = dimension;
	column->unit = unit_given(m->opt, dimension);
	if (dimension == DIMENSION_COUNT)
		column->decimals = 0;
	column->make = make;
	column->index = index;
	return column;
}

/* ---- steps ---- */

static const char *fate_word(enum step_fate fate)
{
	static const char *const word[] = {
		[STEP_KEPT] = "yes",
		[STEP_OTHER_KIND] = "other kind",
		[STEP_WARMUP] = "warm-up",
		[STEP_NOT_CHOSEN] = "not chosen",
		[STEP_OF_LEFT_OUT_RUN] = "run left out",
	};

	return word[fate];
}

/* The columns; of each total one comes before the index. */
enum step_column { STEP_RUN, STEP_NUMBER, STEP_KIND, STEP_FATE, STEP_OPS, STEP_INDEX, STEP_TOTALS };

struct step_line {
	const struct totals *totals;
	const struct cube *self;
	const int64_t *ops; /* per step */
	size_t run, step;   /* in the cube */
};

static struct cell step_cell(const struct column *column, const void *from)
{
	const struct step_line *line = from;
	const struct step_set *steps = line->totals->with.steps;
	const double *time;

	switch ((enum step_column)column->index) {
	case STEP_RUN:
		return cell_text(line->self->run[line->run].name);
	case STEP_INDEX:
		return cell_integer(line->self->step[line->step].index);
	case STEP_NUMBER:
		return cell_integer(line->self->step[line->step].number);
	case STEP_KIND:
		return steps->kinds.name
			       ? cell_text(steps->kinds.name[steps->kinds.of_step[line->step] - 1])
			       : cell_integer(steps->kinds.of_step[line->step]);
	case STEP_FATE:
		return cell_text(fate_word(steps->fate[line->step]));
	case STEP_OPS:
		return cell_integer(line->ops[line->step]);
	case STEP_TOTALS:
		break;
	}
	time = line->totals->total[column->index - STEP_TOTALS].step;
	return cell_real(time ? time[line->step] : NAN);
}

static void build_steps(
	struct tables_maker *m, const struct totals *totals, const struct cube *self)
{
	static const struct column columns[] = {[STEP_RUN] = {.stat = "run"},
		[STEP_NUMBER] = {.stat = "step",
			.dimension = DIMENSION_COUNT,
			.align = ALIGN_RIGHT},
		[STEP_KIND] = {.stat = "kind", .dimension = DIMENSION_COUNT, .align = ALIGN_RIGHT},
		[STEP_FATE] = {.stat = "kept"},
		[STEP_OPS] = {.stat = "ops", .dimension = DIMENSION_COUNT, .align = ALIGN_RIGHT}};
	int64_t *ops = arena_array(m->report->arena, self->step_count, sizeof(*ops));

	for (size_t r = 0; r < self->row_count; r++)
		ops[self->step_of[r]]++;
	struct step_line line = {totals, self, ops, 0, 0};

	m->table = add_table(m->report, "steps");
	report_add_columns(m->report, m->table, step_cell, columns, COUNT(columns));
	for (size_t i = 0; i < totals->count; i++)
		add_number_column(
			m, totals->total[i].name, DIMENSION_TIME, step_cell, STEP_TOTALS + i);
	add_number_column(m, "index", DIMENSION_COUNT, step_cell, STEP_INDEX);
	for (line.run = 0; line.run < self->run_count; line.run++)
		for (size_t i = 0; i < self->run[line.run].step_count; i++) {
			line.step = self->run[line.run].step_first + i;
			report_make_row(m->report, m->table, &line);
		}
}

/* ---- totals ---- */

struct total_line {
	const struct totals *totals;
	const struct total *total;
};

static struct cell total_run_cell(const struct column *column, const void *from)
{
	(void)column;
	return cell_text(((const struct total_line *)from)->totals->with.all.run);
}

static struct cell series_cell(const struct column *column, const void *from)
{
	(void)column;
	return cell_text(((const struct total_line *)from)->total->name);
}

/* index of an interval: 0 its lower end, 1 its upper end. */
static struct cell bound_cell(const struct column *column, const void *from)
{
	const struct total_line *line = from;
	const struct runs *runs = &line->total->value.runs;

	return cell_real(column->index ? runs->high : runs->low);
}

static struct cell total_cell(const struct column *column, const void *from)
{
	const struct total_line *line = from;

	return cell_real(summary_statistic(
		&line->totals->with, &line->total->value, &line->totals->choice[column->index]));
}

static void build_totals(struct tables_maker *m, const struct totals *totals)
{
	struct total_line line = {.totals = totals};

	m->table = add_table(m->report, "totals");
	report_text_column(m->report, m->table, "run")->make = total_run_cell;
	report_text_column(m->report, m->table, "series")->make = series_cell;
	for (size_t i = 0; i < totals->choice_count; i++) {
		const struct statistic_choice *choice = &totals->choice[i];
		const struct statistic *stat = choice->statistic;
		bool population = totals->with.options.sample.population;

		if (stat->id == STATISTIC_CI) {
			add_number_column(m, "low", DIMENSION_TIME, bound_cell, 0)->digits =
				stat->digits;
			add_number_column(m, "high", DIMENSION_TIME, bound_cell, 1)->digits =
				stat->digits;
			continue;
		}
		add_number_column(m, statistic_column_name(choice, population),
			statistic_dimension(stat, DIMENSION_TIME), total_cell, i)
			->digits = stat->digits;
	}
	for (size_t i = 0; i < totals->count; i++) {
		line.total = &totals->total[i];
		if (line.total->known)
			report_make_row(m->report, m->table, &line);
	}
}

/* ---- issues ---- */

enum issue_column {
	ISSUE_SEVERITY,
	ISSUE_CODE,
	ISSUE_COUNT,
	ISSUE_TEXT,
	ISSUE_PLACE,
	ISSUE_ROW,
	ISSUE_LOW,
	ISSUE_HIGH,
	ISSUE_RECORDED,
	ISSUE_UNIT,
	ISSUE_STEPS,
	ISSUE_LOST_OF,
	ISSUE_LOST,
};

static struct cell issue_bound_cell(const struct issue_effect *effect, int64_t bound)
{
	if (effect->unit == EFFECT_NONE || bound == EFFECT_UNKNOWN)
		return (struct cell){.kind = CELL_NONE};
	return cell_integer(bound);
}

static struct cell effect_cell(const struct issue_effect *effect, enum issue_column column)
{
	const bool is_there = effect->unit != EFFECT_NONE;

	switch (column) {
	case ISSUE_LOW:
		return issue_bound_cell(effect, effect->low);
	case ISSUE_HIGH:
		return issue_bound_cell(effect, effect->high);
	case ISSUE_RECORDED:
		return issue_bound_cell(effect, effect->recorded);
	case ISSUE_UNIT:
		return cell_text(is_there ? issue_effect_unit(effect->unit) : NULL);
	case ISSUE_STEPS:
		return cell_text(is_there && *effect->steps ? effect->steps : NULL);
	default:
		return cell_text(is_there ? effect->row : NULL);
	}
}

static struct cell issue_cell(const struct column *column, const void *from)
{
	static const char *const severity[] = {
		[ISSUE_INFO] = "info",
		[ISSUE_LOSS] = "loss",
		[ISSUE_ERROR] = "error",
	};
	const struct issue *issue = from;

	switch ((enum issue_column)column->index) {
	case ISSUE_SEVERITY:
		return cell_text(severity[issue->severity]);
	case ISSUE_CODE:
		return cell_text(issue->code);
	case ISSUE_COUNT:
		return cell_integer((int64_t)issue->count);
	case ISSUE_TEXT:
		return cell_text(issue->text);
	case ISSUE_PLACE:
		return cell_text(issue->place);
	case ISSUE_LOST_OF:
		return cell_text(issue->loss.kind ? issue_loss_word(issue->loss.kind) : NULL);
	case ISSUE_LOST:
		return cell_real(issue->loss.kind ? issue_lost_part(&issue->loss) : NAN);
	default:
		return effect_cell(&issue->effect, (enum issue_column)column->index);
	}
}

void report_fill_issues(struct report *report, struct table *table)
{
	static const struct column columns[] = {[ISSUE_SEVERITY] = {.stat = "severity"},
		[ISSUE_CODE] = {.stat = "code"},
		[ISSUE_COUNT] = {.stat = "count",
			.dimension = DIMENSION_COUNT,
			.align = ALIGN_RIGHT},
		[ISSUE_TEXT] = {.stat = "text"},
		[ISSUE_PLACE] = {.stat = "place"},
		[ISSUE_ROW] = {.stat = "row"},
		[ISSUE_LOW] = {.stat = "low", .dimension = DIMENSION_COUNT, .align = ALIGN_RIGHT},
		[ISSUE_HIGH] = {.stat = "high", .dimension = DIMENSION_COUNT, .align = ALIGN_RIGHT},
		[ISSUE_RECORDED] = {.stat = "recorded",
			.dimension = DIMENSION_COUNT,
			.align = ALIGN_RIGHT},
		[ISSUE_UNIT] = {.stat = "unit"},
		[ISSUE_STEPS] = {.stat = "steps"},
		[ISSUE_LOST_OF] = {.stat = "lost_of"},
		[ISSUE_LOST] = {
			.stat = "lost", .dimension = DIMENSION_FRACTION, .align = ALIGN_RIGHT}};
	const struct issue_list *issues = report->issues;

	report_add_columns(report, table, issue_cell, columns, COUNT(columns));
	for (size_t i = 0; issues && i < issues->count; i++)
		report_make_row(report, table, &issues->issue[i]);
}

/* ---- facts ---- */

enum fact_column { FACT_SIDE, FACT_NAME, FACT_VALUE, FACT_FILES };

struct fact_line {
	const char *side;
	enum fact_id id;
	const struct fact_value *value;
};

static struct cell fact_cell(const struct column *column, const void *from)
{
	const struct fact_line *line = from;

	switch ((enum fact_column)column->index) {
	case FACT_SIDE:
		return cell_text(line->side);
	case FACT_NAME:
		return cell_text(fact_name(line->id));
	case FACT_VALUE:
		return cell_text(line->value->text);
	case FACT_FILES:
		break;
	}
	return cell_integer(
		line->value->files > INT64_MAX ? INT64_MAX : (int64_t)line->value->files);
}

static struct table *with_room(struct report *report, const struct table *old, size_t count)
{
	struct table *all = arena_array(report->arena, count + 1, sizeof(*all));

	if (count)
		memcpy(all, old, count * sizeof(*all));
	return all;
}

struct table *report_append_table(struct report *report, const char *name)
{
	report->more = with_room(report, report->more, report->more_count);
	return add_table(report, name);
}

struct table *report_append_extra(struct report *report, const char *name)
{
	report->extra = with_room(report, report->extra, report->extra_count);
	report->extra[report->extra_count].name = name;
	return &report->extra[report->extra_count++];
}

void build_facts(struct report *report, const struct cube *const *cube, const char *const *side,
	size_t count)
{
	static const struct column columns[] = {[FACT_SIDE] = {.stat = "side"},
		[FACT_NAME] = {.stat = "fact"},
		[FACT_VALUE] = {.stat = "value"},
		[FACT_FILES] = {
			.stat = "files", .dimension = DIMENSION_COUNT, .align = ALIGN_RIGHT}};
	struct table *table;
	bool any = false;

	for (size_t i = 0; i < count; i++)
		any |= !fact_lists_are_empty(&cube[i]->facts);
	if (!any)
		return;
	table = report_append_table(report, "facts");
	report_add_columns(report, table, fact_cell, columns, COUNT(columns));
	if (!side) {
		table->column++;
		table->column_count--;
	}
	for (size_t i = 0; i < count; i++)
		for (enum fact_id id = 0; id < FACT_COUNT; id++)
			for (size_t v = 0; v < cube[i]->facts.of[id].count; v++)
				report_make_row(report, table,
					&(struct fact_line){side ? side[i] : NULL, id,
						&cube[i]->facts.of[id].value[v]});
}

void build_tables(struct report *report, const struct totals *totals, const struct cube *self,
	const struct build_options *opt)
{
	struct tables_maker m = {.report = report, .opt = opt};

	report->more = arena_array(report->arena, 3, sizeof(*report->more));
	build_steps(&m, totals, self);
	build_totals(&m, totals);
	report_fill_issues(report, add_table(report, "issues"));
	if (opt->ranks)
		build_rank_tables(report, &totals->with, opt);
	build_facts(report, &self, NULL, 1);
}

/* ---- choosing ---- */

static int unknown_table(const struct report *report, const char *name, struct error *err)
{
	const char **names = arena_array(report->arena, report->more_count + 1, sizeof(*names));
	struct text list;
	int nearest;

	names[0] = report->data.name;
	for (size_t i = 0; i < report->more_count; i++)
		names[i + 1] = report->more[i].name;
	text_init(&list);
	for (size_t i = 0; i <= report->more_count; i++)
		text_printf(&list, "%s%s", i ? ", " : "", names[i]);
	nearest = text_nearest(name, names, report->more_count + 1);
	error_set(err, ERROR_USAGE, "--table", "unknown table \"%s\"", name);
	if (nearest >= 0)
		error_hint(err, "did you mean \"%s\"? there are %s", names[nearest],
			text_string(&list));
	else
		error_hint(err, "there are %s", text_string(&list));
	text_release(&list);
	return -1;
}

struct report *report_of_table(struct report *report, const char *name, struct error *err)
{
	struct report *part = arena_alloc(report->arena, sizeof(*part));

	if (text_equal(name, report->data.name))
		return report;
	for (size_t i = 0; i < report->more_count; i++) {
		if (!text_equal(name, report->more[i].name))
			continue;
		*part = *report;
		part->before = (struct table){0};
		part->display = part->data = report->more[i];
		part->note = arena_array(report->arena, report->note_count, sizeof(*part->note));
		part->note_count = 0;
		for (size_t j = 0; j < report->note_count; j++)
			if (!report->note[j].mark)
				part->note[part->note_count++] = report->note[j];
		return part;
	}
	unknown_table(report, name, err);
	return NULL;
}
