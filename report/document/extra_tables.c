/* Sources of the numbers of a report: lines typed, the runs with their files, oddities in them,
 * checks of a gate. */
#include "report/document/extra_tables.h"

#include <string.h>
#include "analysis/statistic.h"
#include "base/text.h"
#include "model/measure.h"
#include "model/own/measure_own.h"
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
	for (size_t r = 0; r < cube->run_count; r++) {
		struct cell *cell = report_add_row(report, table)->cell;
		const struct step *first = &cube->step[cube->run[r].step_first];

		if (has->sides)
			*cell++ = cell_text(side->side);
		*cell++ = cell_text(cube->run[r].name);
		if (has->ranks)
			*cell++ = cell_text(cube->run[r].rank);
		*cell++ = cell_integer((int64_t)cube->run[r].step_count);
		*cell++ = cell_integer(first->number);
		*cell++ = cell_integer(first[cube->run[r].step_count - 1].number);
		*cell++ = cell_text(cube->run[r].sources);
	}
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

/* Words of columns: those of columns.def, those of the table they stand in, statistics,
 * measures. */

static const struct {
	const char *table; /* NULL: in every other table */
	const char *name, *text;
} word_table[] = {
#define COLUMN(name, text) {NULL, #name, text},
#define COLUMN_OF(table, name, text) {#table, #name, text},
#include "report/document/columns.def"
#undef COLUMN
#undef COLUMN_OF
};

/* True if `own` names the table: in columns.def a blank of a table's name is an underscore. */
static bool is_table(const char *own, const char *table)
{
	for (; *own && *table; own++, table++)
		if (*own != (*table == ' ' ? '_' : *table))
			return false;
	return *own == *table;
}

static const char *word_of(const char *table, const char *word)
{
	for (size_t i = 0; i < sizeof(word_table) / sizeof(*word_table); i++) {
		const char *own = word_table[i].table;

		if (text_equal(word_table[i].name, word) &&
			(table ? own && is_table(own, table) : !own))
			return word_table[i].text;
	}
	return NULL;
}

const char *column_word(const char *word)
{
	return word_of(NULL, word);
}

const char *column_word_or_statistic(const char *word)
{
	const char *text = column_word(word);
	struct statistic_choice choice;
	struct error none = {0};

	if (!text && statistic_choose(word, &choice, &none) == 0)
		text = choice.statistic->summary;
	return text;
}

/* The text in one line. */
static void add_line(struct text *out, const char *text)
{
	for (; *text; text++) {
		if (*text != '\n') {
			text_add_char(out, *text);
			continue;
		}
		text_add_char(out, ' ');
		text += strspn(text + 1, " ");
	}
}

/* "gpu:0_compute": the longest end behind a '_' that is a word names the work of the device. */
static bool add_word_of_device(struct text *out, const char *name)
{
	for (const char *end = strchr(name, '_'); end; end = strchr(end + 1, '_')) {
		const char *text = column_word(end + 1);

		if (!text)
			continue;
		text_add_bytes(out, name, (size_t)(end - name));
		text_add(out, ": ");
		add_line(out, text);
		return true;
	}
	return false;
}

static bool add_stat(struct text *out, const char *table, const char *stat)
{
	const char *text = word_of(table, stat), *of_call = "";

	if (!text && text_starts(stat, "call_")) {
		stat += strlen("call_");
		of_call = "of single executions: ";
	}
	if (!text)
		text = column_word_or_statistic(stat);
	if (!text)
		return !*of_call && add_word_of_device(out, stat);
	text_add(out, of_call);
	add_line(out, text);
	return true;
}

static const struct measure *measure_named(const char *name)
{
	const struct measure *known = measure_lookup(name);

	return known ? known : measure_own_lookup(name);
}

void column_about(const struct table *table, size_t c, struct text *out)
{
	const struct column *column = &table->column[c];
	const struct measure *measure = column->measure ? measure_named(column->measure) : NULL;
	bool said = column->stat && add_stat(out, table->name, column->stat);

	if (measure) {
		text_printf(out, "%s%s: ", said ? "; " : "", measure->name);
		add_line(out, measure->summary);
	}
}

/* The table that explains the columns of all others. */

struct column_line {
	struct report *report;
	struct table *to;
	struct text name, about;
};

static void explain_table(struct column_line *line, const struct table *table)
{
	for (size_t c = 0; c < table->column_count; c++) {
		const struct column *column = &table->column[c];
		/* A column for each step is explained once: its title says what its number is. */
		const char *title = table->column[c].title;
		size_t last = c;

		while (!table->column[c].measure && title != table->column[c].stat &&
			last + 1 < table->column_count && table->column[last + 1].title == title)
			last++;

		text_clear(&line->name);
		text_clear(&line->about);
		writer_column_name(column, &line->name);
		if (last > c) {
			text_add(&line->name, " ... ");
			writer_column_name(&table->column[last], &line->name);
			text_add(&line->about, column->title);
		} else {
			column_about(table, c, &line->about);
		}

		const char *unit =
			column->dimension == DIMENSION_NONE ? "" : writer_column_unit_key(column);
		struct arena *arena = line->report->arena;
		struct cell *cell = report_add_row(line->report, line->to)->cell;

		cell[0] = cell_text(table->name);
		cell[1] = cell_text(arena_strdup(arena, text_string(&line->name)));
		cell[2] = *unit ? cell_text(unit) : cell_blank();
		cell[3] = cell_text(arena_strdup(arena, text_string(&line->about)));
		c = last;
	}
}

void extra_add_columns(struct report *report)
{
	static const char *const names[] = {"sheet", "column", "unit", "meaning"};
	const size_t extra = report->extra_count;
	struct column_line line = {.report = report};

	line.to = report_append_extra(report, "columns");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		report_text_column(report, line.to, names[i]);
	text_init(&line.name);
	text_init(&line.about);
	explain_table(&line, &report->data);
	for (size_t i = 0; i < report->more_count; i++)
		explain_table(&line, &report->more[i]);
	for (size_t i = 0; i < extra; i++)
		explain_table(&line, &report->extra[i]);
	text_release(&line.name);
	text_release(&line.about);
}
