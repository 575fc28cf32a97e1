/*
 * Steps, totals and issues as tables. Columns are only ever added: programs read them by name.
 */
#include "report/build_tables.h"

#include <math.h>
#include "base/memory.h"
#include "base/text.h"

/* ---- columns ---- */

struct tables_maker {
	struct report *report;
	struct table *table;
	const struct build_options *opt;
};

static struct table *add_table(struct report *report, const char *name)
{
	struct table *table = &report->more[report->more_count++];

	table->name = name;
	return table;
}

static struct column *add_column(struct tables_maker *m, const char *name, enum dimension dimension)
{
	struct column *column = report_add_column(m->report, m->table);

	column->stat = column->title = name;
	column->dimension = dimension;
	if (dimension == DIMENSION_TIME)
		column->unit = m->opt->time_unit;
	if (dimension == DIMENSION_COUNT)
		column->decimals = 0;
	return column;
}

static void add_text_column(struct tables_maker *m, const char *name)
{
	add_column(m, name, DIMENSION_NONE)->align = ALIGN_LEFT;
}

static struct cell time_cell(const double *time, size_t step)
{
	return time ? cell_real(time[step]) : (struct cell){.kind = CELL_NONE};
}

/* ---- steps ---- */

static const char *fate_word(enum step_fate fate)
{
	static const char *const word[] = {
		[STEP_KEPT] = "yes",
		[STEP_OTHER_KIND] = "other kind",
		[STEP_WARMUP] = "warm-up",
		[STEP_NOT_CHOSEN] = "not chosen",
	};

	return word[fate];
}

/* How many ops are present in each step. */
static int64_t *count_ops(const struct cube *self, struct arena *arena)
{
	int64_t *ops = arena_array(arena, self->step_count, sizeof(*ops));

	for (size_t r = 0; r < self->row_count; r++)
		ops[self->step_of[r]]++;
	return ops;
}

static void build_steps(
	struct tables_maker *m, const struct totals *totals, const struct cube *self)
{
	const struct step_set *steps = totals->with.steps;
	int64_t *ops = count_ops(self, m->report->arena);

	m->table = add_table(m->report, "steps");
	add_text_column(m, "run");
	add_column(m, "step", DIMENSION_COUNT);
	add_column(m, "kind", DIMENSION_COUNT);
	add_text_column(m, "kept");
	add_column(m, "ops", DIMENSION_COUNT);
	for (enum total_kind kind = 0; kind < TOTAL_KINDS; kind++)
		add_column(m, total_name(kind), DIMENSION_TIME);
	for (size_t r = 0; r < self->run_count; r++)
		for (size_t i = 0; i < self->run[r].step_count; i++) {
			size_t s = self->run[r].step_first + i, c = 0;
			struct cell *cell = report_add_row(m->report, m->table)->cell;

			cell[c++] = cell_text(self->run[r].name);
			cell[c++] = cell_integer(self->step[s].number);
			cell[c++] = cell_integer(steps->kinds.of_step[s]);
			cell[c++] = cell_text(fate_word(steps->fate[s]));
			cell[c++] = cell_integer(ops[s]);
			for (enum total_kind kind = 0; kind < TOTAL_KINDS; kind++)
				cell[c++] = time_cell(totals->step[kind], s);
		}
}

/* ---- totals ---- */

static enum dimension statistic_dimension(const struct statistic *stat)
{
	switch (stat->shape) {
	case SHAPE_SAME:
		return DIMENSION_TIME;
	case SHAPE_FRACTION:
		return DIMENSION_FRACTION;
	case SHAPE_COUNT:
		return DIMENSION_COUNT;
	case SHAPE_NUMBER:
		break;
	}
	return DIMENSION_NONE;
}

static void statistic_columns(struct tables_maker *m, const struct totals *totals)
{
	for (size_t i = 0; i < totals->choice_count; i++) {
		const struct statistic_choice *choice = &totals->choice[i];
		const struct statistic *stat = choice->statistic;
		bool population =
			stat->id == STATISTIC_CV && totals->with.options.sample.population;

		if (stat->id == STATISTIC_CI) {
			add_column(m, "low", DIMENSION_TIME)->digits = stat->digits;
			add_column(m, "high", DIMENSION_TIME)->digits = stat->digits;
			continue;
		}
		add_column(m, population ? "cvpop" : choice->name, statistic_dimension(stat))
			->digits = stat->digits;
	}
}

static void build_totals(struct tables_maker *m, const struct totals *totals)
{
	m->table = add_table(m->report, "totals");
	add_text_column(m, "run");
	add_text_column(m, "series");
	statistic_columns(m, totals);
	for (enum total_kind kind = 0; kind < TOTAL_KINDS; kind++) {
		const struct summary_value *value = &totals->value[kind];
		struct cell *cell;
		size_t c = 0;

		if (!totals->known[kind])
			continue;
		cell = report_add_row(m->report, m->table)->cell;
		cell[c++] = cell_text(totals->with.all.run);
		cell[c++] = cell_text(total_name(kind));
		for (size_t i = 0; i < totals->choice_count; i++) {
			const struct statistic_choice *choice = &totals->choice[i];

			if (choice->statistic->id == STATISTIC_CI) {
				cell[c++] = cell_real(value->runs.low);
				cell[c++] = cell_real(value->runs.high);
				continue;
			}
			cell[c++] = cell_real(summary_statistic(&totals->with, value, choice));
		}
	}
}

/* ---- issues ---- */

static void build_issues(struct tables_maker *m)
{
	static const char *const severity[] = {
		[ISSUE_INFO] = "info",
		[ISSUE_LOSS] = "loss",
		[ISSUE_ERROR] = "error",
	};
	const struct issue_list *issues = m->report->issues;

	m->table = add_table(m->report, "issues");
	add_text_column(m, "severity");
	add_text_column(m, "code");
	add_column(m, "count", DIMENSION_COUNT);
	add_text_column(m, "text");
	add_text_column(m, "place");
	for (size_t i = 0; issues && i < issues->count; i++) {
		const struct issue *issue = &issues->issue[i];
		struct cell *cell = report_add_row(m->report, m->table)->cell;

		cell[0] = cell_text(severity[issue->severity]);
		cell[1] = cell_text(issue->code);
		cell[2] = cell_integer((int64_t)issue->count);
		cell[3] = cell_text(issue->text);
		cell[4] = cell_text(issue->place);
	}
}

void build_tables(struct report *report, const struct totals *totals, const struct cube *self,
	const struct build_options *opt)
{
	struct tables_maker m = {.report = report, .opt = opt};

	report->more = arena_array(report->arena, 3, sizeof(*report->more));
	build_steps(&m, totals, self);
	build_totals(&m, totals);
	build_issues(&m);
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

/* Notes with a mark belong to cells of the ops. */
static void keep_notes(struct report *part, const struct report *report)
{
	part->note = arena_array(report->arena, report->note_count, sizeof(*part->note));
	part->note_count = 0;
	for (size_t i = 0; i < report->note_count; i++)
		if (!report->note[i].mark)
			part->note[part->note_count++] = report->note[i];
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
		part->display = part->data = report->more[i];
		keep_notes(part, report);
		return part;
	}
	unknown_table(report, name, err);
	return NULL;
}
