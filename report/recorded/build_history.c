/*
 * stepstat history: what changed over recorded runs, between which commits, and how to look at it.
 */
#include "report/recorded/build_recorded.h"

#include <math.h>
#include <string.h>
#include "base/text.h"
#include "report/compare/build_compare_words.h"
#include "stats/change_points.h"

#define COMPARED_MOST 5 /* runs of each side in the command that compares them */

struct history_builder {
	struct report *report;
	const struct recorded_input *in;
	const struct history *history;
	const char **name; /* of each row of `recorded` */
};

static const struct run *run_at(
	const struct history_builder *b, const struct history_series *series, size_t place)
{
	return &b->in->cube->run[b->in->recorded->run[series->run[place]]];
}

static const char *name_of(const struct history_builder *b, const struct history_series *series)
{
	return b->name[series->row - b->in->recorded->row];
}

/* The commit of a run, as short as people write it; NULL: not known. */
static const char *commit_of(const struct history_builder *b, const struct run *run)
{
	const char *commit = run->facts ? run->facts->commit : NULL;

	return commit ? arena_printf(b->report->arena, "%.12s", commit) : NULL;
}

static const char *machine_of(const struct history_builder *b, const struct history_series *series)
{
	return b->in->recorded->machine_name[series->machine];
}

static bool is_drift(const struct history_change *change)
{
	return change->class == CHANGE_DRIFT;
}

/* Runs on both sides of a change; of a drift the first and the last. */
static const struct run *run_before(const struct history_builder *b, const struct history_change *c)
{
	return run_at(b, c->series, is_drift(c) ? 0 : c->series->first_run[c->at] - 1);
}

static const struct run *run_after(const struct history_builder *b, const struct history_change *c)
{
	const size_t last = c->series->first_run[c->series->count] - 1;

	return run_at(b, c->series, is_drift(c) ? last : c->series->first_run[c->at]);
}

static const char *class_words(struct arena *arena, const struct history_change *c)
{
	switch (c->class) {
	case CHANGE_OF_ALL:
		return arena_printf(arena, "%zu of %zu rows: the machine, or what all use",
			c->rows_alike, c->rows_there);
	case CHANGE_OF_METHOD:
		return arena_printf(arena, "with it: %s", c->facts);
	case CHANGE_OF_NOISE:
		return "the spread, not the level";
	case CHANGE_DRIFT:
		return "drift: a line, no step";
	default:
		return c->series->row->is_step ? "the step" : "this row";
	}
}

static const char *class_name(enum change_class class)
{
	static const char *const names[] = {[CHANGE_OF_ROW] = "row",
		[CHANGE_OF_ALL] = "all",
		[CHANGE_OF_METHOD] = "method",
		[CHANGE_OF_NOISE] = "noise",
		[CHANGE_DRIFT] = "drift"};

	return names[class];
}

static enum tone tone_of(const struct history_change *c)
{
	const enum direction better = measure_at(c->series->row->measure)->better;
	const bool rises = c->change > 0;

	if (c->class == CHANGE_OF_NOISE || better == DIRECTION_UNKNOWN)
		return TONE_OPEN;
	return rises == (better == DIRECTION_LOWER) ? TONE_WORSE : TONE_BETTER;
}

/* True if a run of the other side of `middle` is in that file, so that it names no side. */
static bool is_of_both(const struct history_builder *b, const struct history_series *series,
	const char *path, bool of_base, size_t middle)
{
	const size_t end = of_base ? series->first_run[series->count] : middle;

	for (size_t i = of_base ? middle : 0; i < end; i++) {
		const char *other = run_at(b, series, i)->path;

		if (other && text_equal(path, other))
			return true;
	}
	return false;
}

/* Adds the files of these runs, each once. False: they do not name them. */
static bool add_files(const struct history_builder *b, const struct history_series *series,
	size_t first, size_t end, size_t middle, struct text *out)
{
	const char *before = "";

	for (size_t i = first; i < end; i++) {
		const char *path = run_at(b, series, i)->path;

		if (!path || is_of_both(b, series, path, first < middle, middle))
			return false;
		if (text_equal(path, before))
			continue;
		text_add_char(out, ' ');
		text_add_quoted(out, path);
		before = path;
	}
	return true;
}

/* The command that compares the runs next to the change, at most COMPARED_MOST a side; NULL: their
 * files do not name them. */
static const char *comparison(const struct history_builder *b, const struct history_change *c)
{
	const struct history_series *series = c->series;
	const size_t all = series->first_run[series->count];
	const size_t middle = is_drift(c) ? all / 2 : series->first_run[c->at];
	const size_t before = middle < COMPARED_MOST ? middle : COMPARED_MOST;
	const size_t base = is_drift(c) ? 0 : middle - before;
	const size_t new_side = is_drift(c) ? all - before : middle;
	const size_t end = all - new_side < COMPARED_MOST ? all : new_side + COMPARED_MOST;
	const char *words = NULL;
	struct text text;

	if (c->class == CHANGE_OF_NOISE)
		return NULL;
	text_init(&text);
	text_add(&text, "stepstat compare --base");
	if (add_files(b, series, base, base + before, middle, &text)) {
		text_add(&text, " --new");
		if (add_files(b, series, new_side, end, middle, &text))
			words = arena_strdup(b->report->arena, text_string(&text));
	}
	text_release(&text);
	return words;
}

/* ---- tables ---- */

struct change_line {
	const struct history_builder *b;
	const struct history_change *change;
	bool for_people;
};

enum change_column {
	CHANGE_ROW,
	CHANGE_MEASURE,
	CHANGE_MACHINE,
	CHANGE_BEFORE,
	CHANGE_AFTER,
	CHANGE_START,
	CHANGE_SIZE,
	CHANGE_LOW,
	CHANGE_HIGH,
	CHANGE_P,
	CHANGE_Q,
	CHANGE_CLASS,
	CHANGE_ALIKE,
	CHANGE_FACTS,
	CHANGE_RUN_BEFORE,
	CHANGE_RUN_AFTER,
	CHANGE_PLACE,
	CHANGE_COMPARE,
	CHANGE_WHAT,
	CHANGE_COLUMNS
};

static struct cell change_cell(const struct column *column, const void *from)
{
	const struct change_line *line = from;
	const struct history_change *c = line->change;
	const struct history_builder *b = line->b;
	const struct run *before = run_before(b, c), *after = run_after(b, c);

	switch ((enum change_column)column->index) {
	case CHANGE_ROW:
		return cell_text(line->for_people ? name_of(b, c->series) : c->series->row->name);
	case CHANGE_MEASURE:
		return cell_text(measure_at(c->series->row->measure)->name);
	case CHANGE_MACHINE:
		return cell_text(machine_of(b, c->series));
	case CHANGE_BEFORE:
		return cell_text(commit_of(b, before));
	case CHANGE_AFTER:
		return cell_text(commit_of(b, after));
	case CHANGE_START:
		return cell_text(
			after->facts && after->facts->start
				? arena_printf(b->report->arena, "%.10s", after->facts->start)
				: NULL);
	case CHANGE_SIZE:
		return cell_real(c->change);
	case CHANGE_LOW:
		return cell_real(c->low);
	case CHANGE_HIGH:
		return cell_real(c->high);
	case CHANGE_P:
		return cell_real(c->p);
	case CHANGE_Q:
		return line->for_people ? cell_text(phrase_p(b->report->arena, c->q))
					: cell_real(c->q);
	case CHANGE_CLASS:
		return cell_text(class_name(c->class));
	case CHANGE_ALIKE:
		return cell_integer((int64_t)c->rows_alike);
	case CHANGE_FACTS:
		return cell_text(c->facts);
	case CHANGE_RUN_BEFORE:
		return cell_text(before->name);
	case CHANGE_RUN_AFTER:
		return cell_text(after->name);
	case CHANGE_PLACE:
		return is_drift(c) ? (struct cell){.kind = CELL_NONE}
				   : cell_integer((int64_t)c->at + 1);
	case CHANGE_COMPARE:
		return cell_text(comparison(b, c));
	default:
		return cell_text(class_words(b->report->arena, c));
	}
}

static const struct column change_columns[CHANGE_COLUMNS] = {
	[CHANGE_ROW] = {.stat = "op", .names = true, .shorten = true},
	[CHANGE_MEASURE] = {.stat = "measure"},
	[CHANGE_MACHINE] = {.stat = "machine", .shorten = true, .drop = 3},
	[CHANGE_BEFORE] = {.stat = "last_before", .title = "last before"},
	[CHANGE_AFTER] = {.stat = "first_after", .title = "first after"},
	[CHANGE_START] = {.stat = "since", .drop = 2},
	[CHANGE_SIZE] = {.stat = "change",
		.dimension = DIMENSION_FRACTION,
		.align = ALIGN_RIGHT,
		.decimals = 1,
		.show_sign = true},
	[CHANGE_LOW] = {.stat = "low",
		.dimension = DIMENSION_FRACTION,
		.align = ALIGN_RIGHT,
		.decimals = 1,
		.show_sign = true,
		.drop = 1},
	[CHANGE_HIGH] = {.stat = "high",
		.dimension = DIMENSION_FRACTION,
		.align = ALIGN_RIGHT,
		.decimals = 1,
		.show_sign = true,
		.drop = 1},
	NUMBER_COLUMN("p", DIMENSION_NONE, 4),
	NUMBER_COLUMN("q", DIMENSION_NONE, 4),
	[CHANGE_CLASS] = {.stat = "class"},
	NUMBER_COLUMN("rows_alike", DIMENSION_COUNT, 0),
	[CHANGE_FACTS] = {.stat = "facts"},
	[CHANGE_RUN_BEFORE] = {.stat = "run_before"},
	[CHANGE_RUN_AFTER] = {.stat = "run_after"},
	NUMBER_COLUMN("place", DIMENSION_COUNT, 0),
	[CHANGE_COMPARE] = {.stat = "compare"},
	[CHANGE_WHAT] = {.stat = "what", .wrap = true},
};

/* True if any change has a cell there. */
static bool is_known(const struct history_builder *b, size_t which)
{
	struct column column = {.index = which};

	for (size_t i = 0; i < b->history->change_count; i++) {
		const struct change_line line = {b, &b->history->change[i], true};

		if (change_cell(&column, &line).kind != CELL_NONE)
			return true;
	}
	return false;
}

static void add_changes(struct history_builder *b, size_t top)
{
	static const size_t shown[] = {CHANGE_ROW, CHANGE_MACHINE, CHANGE_BEFORE, CHANGE_AFTER,
		CHANGE_START, CHANGE_SIZE, CHANGE_LOW, CHANGE_HIGH, CHANGE_Q, CHANGE_WHAT};
	struct report *report = b->report;
	const size_t count = b->history->change_count;
	struct change_line *line = arena_array(report->arena, 2 * count + 1, sizeof(*line));

	report->before.name = report->data.name = "changes";
	for (size_t i = 0; count && i < sizeof(shown) / sizeof(*shown); i++) {
		struct column *column;

		if (!is_known(b, shown[i]) ||
			(shown[i] == CHANGE_MACHINE && b->in->recorded->machines < 2))
			continue;
		column = report_add_column(report, &report->before);
		*column = change_columns[shown[i]];
		column->make = change_cell;
		column->index = shown[i];
		column->title = column->title ? column->title : column->stat;
	}
	report_add_columns(report, &report->data, change_cell, change_columns, CHANGE_COLUMNS);
	for (size_t i = 0; i < count; i++) {
		struct row *row;

		line[2 * i] = (struct change_line){b, &b->history->change[i], true};
		line[2 * i + 1] = (struct change_line){b, &b->history->change[i], false};
		row = report_make_row(report, &report->before, &line[2 * i]);
		row->on_screen = i < top;
		row->tone = tone_of(&b->history->change[i]);
		report_make_row(report, &report->data, &line[2 * i + 1])->tone = row->tone;
	}
}

enum series_column {
	SERIES_ROW,
	SERIES_MACHINE,
	SERIES_UNITS,
	SERIES_NOW,
	SERIES_CHANGES,
	SERIES_P
};

static void add_rows(struct history_builder *b, size_t top)
{
	static const struct column columns[] = {
		[SERIES_ROW] = {.stat = "op", .names = true, .shorten = true},
		[SERIES_MACHINE] = {.stat = "machine", .shorten = true, .drop = 1},
		[SERIES_UNITS] = NUMBER_COLUMN("sessions", DIMENSION_COUNT, 0),
		[SERIES_NOW] = {.stat = "last", .align = ALIGN_RIGHT},
		[SERIES_CHANGES] = NUMBER_COLUMN("changes", DIMENSION_COUNT, 0),
		[SERIES_P] = {.stat = "p", .align = ALIGN_RIGHT}};
	const struct history *h = b->history;
	struct report *report = b->report;

	report->display.name = "rows";
	report_add_columns(report, &report->display, NULL, columns, SERIES_P + 1);
	for (size_t i = 0; i < h->series_count; i++) {
		const struct history_series *series = &h->series[i];

		if (!series->count)
			continue;
		report_add_cells(report, &report->display,
			(const struct cell[]){cell_text(name_of(b, series)),
				cell_text(machine_of(b, series)),
				cell_integer((int64_t)series->count),
				cell_text(phrase_quantity(report->arena,
					measure_at(series->row->measure)->dimension,
					exp(series->value[series->count - 1]))),
				cell_integer((int64_t)series->changes),
				cell_text(phrase_p(report->arena, series->p))})
			->on_screen = report->display.row_count < top;
	}
}

/* Every value, for programs, spreadsheets and the page. */
static void add_series(struct history_builder *b)
{
	static const struct column columns[] = {{.stat = "op"}, {.stat = "measure"},
		{.stat = "machine"}, NUMBER_COLUMN("place", DIMENSION_COUNT, 0), {.stat = "run"},
		{.stat = "commit"}, {.stat = "start"}, NUMBER_COLUMN("value", DIMENSION_NONE, -1),
		NUMBER_COLUMN("level", DIMENSION_NONE, -1), {.stat = "unit"}};
	struct table *table = arena_alloc(b->report->arena, sizeof(*table));
	const struct history *h = b->history;

	table->name = "series";
	report_add_columns(b->report, table, NULL, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < h->series_count; i++) {
		const struct history_series *series = &h->series[i];
		const struct measure *measure = measure_at(series->row->measure);
		const struct unit *unit = unit_choose(measure->dimension, 0);
		const double factor = unit ? (double)unit->factor : 1;

		for (size_t u = 0; u < series->count; u++) {
			const struct run *run = run_at(b, series, series->first_run[u]);
			const struct facts *facts = run->facts;

			report_add_cells(b->report, table,
				(const struct cell[]){cell_text(series->row->name),
					cell_text(measure->name), cell_text(machine_of(b, series)),
					cell_integer((int64_t)u + 1), cell_text(run->name),
					cell_text(facts ? facts->commit : NULL),
					cell_text(facts ? facts->start : NULL),
					cell_real(exp(series->value[u]) / factor),
					cell_real(exp(series->level[u]) / factor),
					cell_text(unit ? unit->name : "")});
		}
	}
	b->report->more = table;
	b->report->more_count = 1;
}

/* ---- sentences ---- */

static const char *between(const struct history_builder *b, const struct history_change *c)
{
	const char *before = commit_of(b, run_before(b, c)), *after = commit_of(b, run_after(b, c));
	struct arena *arena = b->report->arena;

	if (!before || !after) {
		before = run_before(b, c)->name;
		after = run_after(b, c)->name;
	}
	return arena_printf(arena, is_drift(c) ? "from %s to %s" : "between %s and %s",
		phrase_visible(arena, before), phrase_visible(arena, after));
}

static void answer_change(struct history_builder *b, const struct history_change *c)
{
	struct report *report = b->report;
	struct arena *arena = report->arena;
	const char *command;

	report_answer(report, "%s %s %s: %s.", phrase_visible(arena, name_of(b, c->series)),
		phrase_change_within(arena, c->change, c->low, c->high), between(b, c),
		class_words(arena, c));
	command = comparison(b, c);
	if (command)
		report_next(report, "%s: %s",
			b->in->cube->op_count > 1 && !b->in->cube->benchmarks
				? "Which ops changed there"
				: "Both sides of it",
			command);
}

static void answer(struct history_builder *b)
{
	const struct history *h = b->history;
	size_t series = 0, changed = 0;

	for (size_t i = 0; i < h->series_count; i++) {
		series += !isnan(h->series[i].p);
		changed += h->series[i].changes > 0;
	}
	if (!series)
		report_answer(b->report,
			"Too few sessions for a history: a row needs %d of one machine.",
			CHANGE_POINTS_LEAST);
	else if (!h->change_count)
		report_answer(b->report, "Nothing changed in %s (%s).",
			arena_count(b->report->arena, series, "row"),
			phrase_recorded(b->report->arena, b->in->recorded));
	else {
		report_answer(b->report, "%s in %zu of %s.",
			arena_count(b->report->arena, h->change_count, "change"), changed,
			arena_count(b->report->arena, series, "row"));
		answer_change(b, &h->change[0]);
	}
	if (series && h->too_few)
		report_note(b->report, "!", NULL,
			"%zu row%s of a machine with fewer than %d sessions %s not looked at",
			h->too_few, h->too_few == 1 ? "" : "s", CHANGE_POINTS_LEAST,
			h->too_few == 1 ? "is" : "are");
}

struct report *build_history(const struct recorded_input *in, const struct history *history,
	const struct build_options *opt)
{
	struct report *report = report_new("history");
	struct history_builder *b = arena_alloc(report->arena, sizeof(*b));
	bool of_runs = false;

	*b = (struct history_builder){report, in, history, recorded_names(report, in, opt)};
	recorded_begin(report, in, opt);
	answer(b);
	add_changes(b, opt->top);
	if (in->recorded->count)
		add_rows(b, opt->top);
	add_series(b);
	for (size_t i = 0; i < history->series_count; i++)
		of_runs |= history->series[i].of_runs;
	if (of_runs)
		report_note(report, "!", "stepstat record --session=NAME",
			"all runs of a machine are one session: what changes from session to "
			"session "
			"is not known, and changes are between runs");
	report_note(report, NULL, NULL,
		"change points by permutation of the whole search, adjusted over rows by direction "
		"(Benjamini and Hochberg); correlation of neighbours is allowed for");
	return report;
}
