/*
 * Sources of the numbers of a report: lines typed, the runs with their files, oddities in them,
 * checks of a gate.
 */
#include "report/document/extra_tables.h"

#include "base/text.h"
#include "model/ranks.h"
#include "report/build.h"
#include "report/build_tables.h"
#include "writers/writer.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static struct cell cell_text_or_blank(const char *text)
{
	return text && *text ? cell_text(text) : cell_blank();
}

static void add_text_columns(
	struct report *report, struct table *table, const char *const *name, size_t count)
{
	for (size_t i = 0; i < count; i++)
		report_text_column(report, table, name[i]);
}

void extra_add_inputs(struct report *report, const struct input_line *line, size_t count)
{
	static const char *const names[] = {"what", "name", "value", "from"};
	struct table *table = report_append_extra(report, "inputs and rules");

	add_text_columns(report, table, names, COUNT(names));
	for (size_t i = 0; i < count; i++) {
		struct cell *cell = report_add_row(report, table)->cell;

		cell[0] = cell_text(line[i].what);
		cell[1] = cell_text_or_blank(line[i].name);
		cell[2] = cell_text_or_blank(line[i].value);
		cell[3] = cell_text_or_blank(line[i].from);
	}
}

/* ---- runs ---- */

struct runs_columns {
	bool sides, ranks;
};

static void add_run(struct report *report, struct table *table, const struct runs_columns *has,
	const struct extra_side *side, const struct cube *cube, const struct run *run)
{
	struct cell *cell = report_add_row(report, table)->cell;
	const struct step *first = &cube->step[run->step_first];

	if (has->sides)
		*cell++ = cell_text(side->side);
	*cell++ = cell_text(run->name);
	if (has->ranks)
		*cell++ = cell_text(run->rank);
	*cell++ = cell_integer((int64_t)run->step_count);
	*cell++ = cell_integer(first->number);
	*cell++ = cell_integer(first[run->step_count - 1].number);
	*cell++ = cell_text(run->sources);
}

static void release_cube(void *cube)
{
	cube_free(cube);
}

/* Adds the runs of a side; with ranks a row for each rank of each run. */
static void add_runs_of(struct report *report, struct table *table, const struct runs_columns *has,
	const struct extra_side *side)
{
	const struct cube *cube = side->cube;

	if (cube->ranks) {
		struct cube *recordings = cube_of_recordings(cube);

		arena_defer(report->arena, release_cube, recordings);
		cube = recordings;
	}
	for (size_t r = 0; r < cube->run_count; r++)
		add_run(report, table, has, side, cube, &cube->run[r]);
}

void extra_fill_runs(
	struct report *report, struct table *table, const struct extra_side *side, size_t count)
{
	static const char *const counts[] = {"steps", "first", "last"};
	struct runs_columns has = {.sides = side[0].side != NULL};

	for (size_t i = 0; i < count; i++)
		has.ranks |= side[i].cube->ranks != NULL;
	if (has.sides)
		report_text_column(report, table, "side");
	report_text_column(report, table, "run")->shorten = true;
	if (has.ranks)
		report_text_column(report, table, "rank");
	for (size_t i = 0; i < COUNT(counts); i++) {
		struct column *column = report_add_column(report, table);

		column->stat = column->title = counts[i];
		column->dimension = DIMENSION_COUNT;
		column->decimals = 0;
	}
	report_text_column(report, table, "files");
	for (size_t i = 0; i < count; i++)
		add_runs_of(report, table, &has, &side[i]);
}

void extra_add_runs(struct report *report, const struct extra_side *side, size_t count)
{
	extra_fill_runs(report, report_append_extra(report, "runs"), side, count);
}

/* ---- issues and checks ---- */

void extra_add_issues(struct report *report)
{
	for (size_t i = 0; i < report->more_count; i++)
		if (text_equal(report->more[i].name, "issues"))
			return;
	if (report->issues)
		report_fill_issues(report, report_append_extra(report, "issues"));
}

void extra_add_checks(struct report *report)
{
	static const char *const names[] = {
		"policy", "subject", "measure", "status", "verdict", "message"};
	struct table *table;

	if (!report->has_result)
		return;
	table = report_append_extra(report, "checks");
	add_text_columns(report, table, names, COUNT(names));
	for (size_t i = 0; i < report->check_count; i++) {
		const struct check *check = &report->check[i];
		struct cell *cell = report_add_row(report, table)->cell;

		cell[0] = cell_text_or_blank(check->name);
		cell[1] = cell_text_or_blank(check->subject);
		cell[2] = cell_text_or_blank(check->measure);
		cell[3] = cell_text(check_status_word(check->status));
		cell[4] = cell_text_or_blank(check->verdict);
		cell[5] = cell_text_or_blank(check->message);
	}
}
