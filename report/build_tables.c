/* Steps, totals, issues, facts and jobs as tables. Columns are only ever added: programs read them
 * by name. */
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

static struct column *add_number_column(
	struct tables_maker *m, const char *name, enum dimension dimension)
{
	struct column *column = report_add_column(m->report, m->table);

	column->stat = column->title = name;
	column->dimension = dimension;
	column->unit = unit_given(m->opt, dimension);
	if (dimension == DIMENSION_COUNT)
		column->decimals = 0;
	return column;
}

/* ---- steps ---- */

static void add_step(struct tables_maker *m, const struct totals *totals, const struct cube *self,
	size_t run, size_t step, int64_t ops)
{
	static const char *const fate[] = {
		[STEP_KEPT] = "yes",
		[STEP_OTHER_KIND] = "other kind",
		[STEP_WARMUP] = "warm-up",
		[STEP_NOT_CHOSEN] = "not chosen",
		[STEP_OF_LEFT_OUT_RUN] = "run left out",
	};
	const struct step_set *steps = totals->with.steps;
	const uint32_t kind = steps->kinds.of_step[step];
	struct cell *cell = report_add_row(m->report, m->table)->cell;

	*cell++ = cell_text(self->run[run].name);
	*cell++ = cell_integer(self->step[step].number);
	*cell++ = steps->kinds.name ? cell_text(steps->kinds.name[kind - 1]) : cell_integer(kind);
	*cell++ = cell_text(fate[steps->fate[step]]);
	*cell++ = cell_integer(ops);
	for (size_t i = 0; i < totals->count; i++)
		if (!totals->total[i].is_cause)
			*cell++ = cell_real(
				totals->total[i].step ? totals->total[i].step[step] : NAN);
	*cell = cell_integer(self->step[step].index);
}

static void build_steps(
	struct tables_maker *m, const struct totals *totals, const struct cube *self)
{
	static const struct column columns[] = {{.stat = "run"},
		NUMBER_COLUMN("step", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("kind", DIMENSION_COUNT, 0), {.stat = "kept"},
		NUMBER_COLUMN("ops", DIMENSION_COUNT, 0)};
	int64_t *ops = arena_array(m->report->arena, self->step_count, sizeof(*ops));

	for (size_t r = 0; r < self->row_count; r++)
		ops[self->step_of[r]]++;
	m->table = add_table(m->report, "steps");
	report_add_columns(m->report, m->table, NULL, columns, COUNT(columns));
	for (size_t i = 0; i < totals->count; i++)
		if (!totals->total[i].is_cause) /* --table=totals has them, and the export */
			add_number_column(m, totals->total[i].name, DIMENSION_TIME);
	add_number_column(m, "index", DIMENSION_COUNT);
	for (size_t r = 0; r < self->run_count; r++)
		for (size_t i = 0; i < self->run[r].step_count; i++) {
			const size_t step = self->run[r].step_first + i;

			add_step(m, totals, self, r, step, ops[step]);
		}
}

/* ---- totals ---- */

/* ---- issues ---- */

static struct cell issue_bound_cell(const struct issue_effect *effect, int64_t bound)
{
	if (effect->unit == EFFECT_NONE || bound == EFFECT_UNKNOWN)
		return (struct cell){.kind = CELL_NONE};
	return cell_integer(bound);
}

void report_fill_issues(struct report *report, struct table *table)
{
	static const char *const severity[] = {
		[ISSUE_INFO] = "info",
		[ISSUE_LOSS] = "loss",
		[ISSUE_ERROR] = "error",
	};
	static const struct column columns[] = {{.stat = "severity"}, {.stat = "code"},
		NUMBER_COLUMN("count", DIMENSION_COUNT, 0), {.stat = "text"}, {.stat = "place"},
		{.stat = "row"}, NUMBER_COLUMN("low", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("high", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("recorded", DIMENSION_COUNT, 0), {.stat = "unit"}, {.stat = "steps"},
		{.stat = "lost_of"}, NUMBER_COLUMN("lost", DIMENSION_FRACTION, 0)};
	const struct issue_list *issues = report->issues;

	report_add_columns(report, table, NULL, columns, COUNT(columns));
	for (size_t i = 0; issues && i < issues->count; i++) {
		const struct issue *issue = &issues->issue[i];
		const struct issue_effect *effect = &issue->effect;
		const bool has_effect = effect->unit != EFFECT_NONE;
		const struct issue_loss *loss = &issue->loss;

		report_add_cells(report, table,
			(const struct cell[]){cell_text(severity[issue->severity]),
				cell_text(issue->code), cell_integer((int64_t)issue->count),
				cell_text(issue->text), cell_text(issue->place),
				cell_text(has_effect ? effect->row : NULL),
				issue_bound_cell(effect, effect->low),
				issue_bound_cell(effect, effect->high),
				issue_bound_cell(effect, effect->recorded),
				cell_text(has_effect ? issue_effect_unit(effect->unit) : NULL),
				cell_text(has_effect && *effect->steps ? effect->steps : NULL),
				cell_text(loss->kind ? issue_loss_word(loss->kind) : NULL),
				cell_real(loss->kind ? issue_lost_part(loss) : NAN)});
	}
}

/* ---- facts ---- */

static struct table *with_room(
	struct report *report, const struct table *old, size_t count, size_t further)
{
	struct table *all = arena_array(report->arena, count + further, sizeof(*all));

	if (count)
		memcpy(all, old, count * sizeof(*all));
	return all;
}

struct table *report_append_table(struct report *report, const char *name)
{
	report->more = with_room(report, report->more, report->more_count, 1);
	return add_table(report, name);
}

struct table *report_append_extra(struct report *report, const char *name)
{
	report->extra = with_room(report, report->extra, report->extra_count, 1);
	report->extra[report->extra_count].name = name;
	return &report->extra[report->extra_count++];
}

struct table *report_append_drawn(struct report *report, const char *name)
{
	report->drawn = with_room(report, report->drawn, report->drawn_count, 1);
	report->drawn[report->drawn_count].name = name;
	return &report->drawn[report->drawn_count++];
}

void build_facts(struct report *report, const struct cube *const *cube, const char *const *side,
	size_t count)
{
	static const struct column columns[] = {{.stat = "side"}, {.stat = "fact"},
		{.stat = "value"}, NUMBER_COLUMN("files", DIMENSION_COUNT, 0)};
	const size_t without_side = side ? 0 : 1;
	struct table *table;
	bool any = false;

	for (size_t i = 0; i < count; i++)
		any |= !fact_lists_are_empty(&cube[i]->facts);
	if (!any)
		return;
	table = report_append_table(report, "facts");
	report_add_columns(
		report, table, NULL, columns + without_side, COUNT(columns) - without_side);
	for (size_t i = 0; i < count; i++)
		for (enum fact_id id = 0; id < FACT_COUNT; id++)
			for (size_t v = 0; v < cube[i]->facts.of[id].count; v++) {
				const struct fact_value *value = &cube[i]->facts.of[id].value[v];
				const uint64_t files = value->files;
				const struct cell cell[] = {cell_text(side ? side[i] : NULL),
					cell_text(fact_name(id)), cell_text(value->text),
					cell_integer(
						files > INT64_MAX ? INT64_MAX : (int64_t)files)};

				report_add_cells(report, table, cell + without_side);
			}
}

void build_tables(struct report *report, const struct totals *totals, const struct cube *self,
	const struct build_options *opt)
{
	struct tables_maker m = {.report = report, .opt = opt};

	report->more = with_room(report, report->more, report->more_count, 3);
	build_steps(&m, totals, self);

	const bool population = totals->with.options.sample.population;

	m.table = add_table(m.report, "totals");
	report_text_column(m.report, m.table, "run");
	report_text_column(m.report, m.table, "series");
	for (size_t i = 0; i < totals->choice_count; i++) {
		const struct statistic *stat = totals->choice[i].statistic;

		if (stat->id == STATISTIC_CI) {
			add_number_column(&m, "low", DIMENSION_TIME)->digits = stat->digits;
			add_number_column(&m, "high", DIMENSION_TIME)->digits = stat->digits;
		} else {
			add_number_column(&m, statistic_column_name(&totals->choice[i], population),
				statistic_dimension(stat, DIMENSION_TIME))
				->digits = stat->digits;
		}
	}
	for (size_t t = 0; t < totals->count; t++) {
		const struct total *total = &totals->total[t];
		struct cell *cell;

		if (!total->known)
			continue;
		cell = report_add_row(m.report, m.table)->cell;
		*cell++ = cell_text(totals->with.all.run);
		*cell++ = cell_text(total->name);
		for (size_t i = 0; i < totals->choice_count; i++) {
			const struct statistic_choice *choice = &totals->choice[i];

			if (choice->statistic->id == STATISTIC_CI) {
				*cell++ = cell_real(total->value.runs.low);
				*cell++ = cell_real(total->value.runs.high);
			} else {
				*cell++ = cell_real(
					summary_statistic(&totals->with, &total->value, choice));
			}
		}
	}
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

/* One row for each run, the same for people and for programs. */

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum job_column {
	JOB_NAME,
	JOB_STEPS,
	JOB_MEAN,
	JOB_LAST,
	JOB_LAST_VALUE,
	JOB_TREND,
	JOB_CHANGE,
	JOB_MOVED,
	JOB_MOVED_BY,
	JOB_MOVED_FROM,
};

static const char *trend_word(struct arena *arena, const struct run_latest *run)
{
	const bool up = run->trend_change > 0;

	switch (run->trend) {
	case TREND_UNKNOWN:
		break;
	case TREND_NONE:
		return "none shown";
	case TREND_DRIFT:
		return up ? "rising" : "falling";
	case TREND_SHIFT:
		return arena_printf(
			arena, "%s at step %lld", up ? "up" : "down", (long long)run->shift_step);
	}
	return NULL;
}

/* Adds the columns; the level before is left out for people. */
static void add_columns(struct report *report, struct table *table, const struct summary *summary,
	const struct build_options *opt)
{
	const struct measure *measure = measure_at(summary->options.measure[0]);
	const struct column value = {.measure = measure->name,
		.dimension = measure->dimension,
		.unit = unit_given(opt, measure->dimension),
		.decimals = 2,
		.align = ALIGN_RIGHT};
	struct column columns[] = {
		[JOB_NAME] = {.stat = "job", .shorten = true},
		[JOB_STEPS] = {.stat = "steps",
			.dimension = DIMENSION_COUNT,
			.align = ALIGN_RIGHT,
			.drop = 2},
		[JOB_MEAN] = value,
		[JOB_LAST] = {.stat = "last_step",
			.title = "last step",
			.dimension = DIMENSION_COUNT,
			.align = ALIGN_RIGHT},
		[JOB_LAST_VALUE] = value,
		[JOB_TREND] = {.stat = "trend"},
		[JOB_CHANGE] = {.stat = "trend_change",
			.title = "change",
			.dimension = DIMENSION_FRACTION,
			.decimals = 1,
			.align = ALIGN_RIGHT,
			.show_sign = true,
			.drop = 1},
		[JOB_MOVED] = {.stat = "moved",
			.title = "moved most",
			.shorten = true,
			.names = true},
		[JOB_MOVED_BY] = value,
		[JOB_MOVED_FROM] = value,
	};
	const bool of_people = table == &report->before;

	columns[JOB_MEAN].stat = "mean";
	columns[JOB_MEAN].title = arena_printf(report->arena, "%s/step", measure->name);
	columns[JOB_LAST_VALUE].stat = "last";
	columns[JOB_LAST_VALUE].title = "it took";
	columns[JOB_MOVED_BY].stat = "moved_by";
	columns[JOB_MOVED_BY].title = "by";
	columns[JOB_MOVED_BY].show_sign = true;
	columns[JOB_MOVED_FROM].stat = "moved_from";
	report_add_columns(report, table, NULL, columns, COUNT(columns) - of_people);
}

void build_jobs(struct report *report, const struct summary *summary,
	const struct run_latest *latest, const struct build_options *opt)
{
	struct table *const tables[] = {&report->before, report_append_table(report, "jobs")};

	report->before.name = "jobs";
	for (size_t t = 0; t < COUNT(tables); t++) {
		add_columns(report, tables[t], summary, opt);
		for (size_t r = 0; r < summary->steps->run_count; r++) {
			const struct run_latest *run = &latest[r];

			report_add_cells(report, tables[t],
				(const struct cell[]){[JOB_NAME] = cell_text(run->run),
					[JOB_STEPS] = cell_integer((int64_t)run->steps),
					[JOB_MEAN] = cell_real(run->mean),
					[JOB_LAST] = cell_integer(run->last),
					[JOB_LAST_VALUE] = cell_real(run->last_value),
					[JOB_TREND] = cell_text(trend_word(report->arena, run)),
					[JOB_CHANGE] = cell_real(run->trend == TREND_UNKNOWN
									 ? NAN
									 : run->trend_change),
					[JOB_MOVED] =
						cell_text(run->moved ? run->moved->name : NULL),
					[JOB_MOVED_BY] =
						cell_real(run->moved ? run->moved_by : NAN),
					[JOB_MOVED_FROM] =
						cell_real(run->moved ? run->moved_from : NAN)});
		}
	}
}
