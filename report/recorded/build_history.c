/* stepstat history: what changed over recorded runs, between which commits, and how to look at
 * it. */
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
	return recorded_run_at(b->in, series, place);
}

static const struct unit *unit_of(const struct history_series *series)
{
	return unit_choose(measure_at(series->row->measure)->dimension, 0);
}

static const char *name_of(const struct history_builder *b, const struct history_series *series)
{
	return b->name[series->row - b->in->recorded->row];
}

/* The commit of a run, as short as people write it; NULL: not known. */
static const char *commit_of(const struct history_builder *b, const struct run *run)
{
	const char *commit = run->facts ? run->facts->commit : NULL;

	return commit ? arena_strndup(b->report->arena, commit, (size_t)facts_commit_shown(commit))
		      : NULL;
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

/* The ratio of two spreads; it is none where one of them is 0. */
static const char *spread_words(struct arena *arena, double ratio)
{
	const char *words = "the spread, not the level";

	if (!(ratio > 0) || !isfinite(ratio))
		return words;
	return arena_printf(arena, "%s: %.1f times as %s", words, fmax(ratio, 1 / ratio),
		ratio < 1 ? "small" : "large");
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
		return spread_words(arena, 1 + c->change);
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

#define CHANGE(name, less)                                                                         \
	{                                                                                          \
		.stat = name, .dimension = DIMENSION_FRACTION, .align = ALIGN_RIGHT,               \
		.decimals = 1, .show_sign = true, .drop = less                                     \
	}
static void add_change_columns(struct report *report)
{
	static const struct column people[] = {{.stat = "op", .names = true, .shorten = true},
		{.stat = "machine", .shorten = true, .drop = 3},
		{.stat = "last_before", .title = "last before"},
		{.stat = "first_after", .title = "first after"}, {.stat = "since", .drop = 2},
		CHANGE("change", 0), CHANGE("low", 1), CHANGE("high", 1),
		NUMBER_COLUMN("q", DIMENSION_NONE, 4), {.stat = "what", .wrap = true}};
	static const struct column all[] = {{.stat = "op"}, {.stat = "measure"},
		{.stat = "machine"}, {.stat = "last_before"}, {.stat = "first_after"},
		{.stat = "since"}, CHANGE("change", 0), CHANGE("low", 0), CHANGE("high", 0),
		NUMBER_COLUMN("p", DIMENSION_NONE, 4), NUMBER_COLUMN("q", DIMENSION_NONE, 4),
		{.stat = "class"}, NUMBER_COLUMN("rows_alike", DIMENSION_COUNT, 0),
		{.stat = "facts"}, {.stat = "run_before"}, {.stat = "run_after"},
		NUMBER_COLUMN("place", DIMENSION_COUNT, 0), {.stat = "compare"}, {.stat = "what"},
		NUMBER_COLUMN("sessions", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("last", DIMENSION_NONE, -1), {.stat = "unit"}};

	report->before.name = report->data.name = "changes";
	report_add_columns(report, &report->before, NULL, people, sizeof(people) / sizeof(*people));
	report_add_columns(report, &report->data, NULL, all, sizeof(all) / sizeof(*all));
}
#undef CHANGE

/* A value of a series in the unit of files. */
static struct cell value_cell(const struct history_series *series, double value)
{
	const struct unit *unit = unit_of(series);

	return cell_real(exp(value) / (unit ? (double)unit->factor : 1));
}

static struct cell last_cell(const struct history_series *series)
{
	return value_cell(series, series->value[series->count - 1]);
}

static struct cell unit_cell(const struct history_series *series)
{
	const struct unit *unit = unit_of(series);

	return cell_text(unit ? unit->name : "");
}

static void add_change(struct history_builder *b, const struct history_change *c, bool is_on_screen)
{
	struct report *report = b->report;
	struct arena *arena = report->arena;
	const struct run *before = run_before(b, c), *after = run_after(b, c);
	const char *start = after->facts ? after->facts->start : NULL;
	const struct cell machine = cell_text(machine_of(b, c->series)), none = cell_text(NULL),
			  last_before = cell_text(commit_of(b, before)),
			  first_after = cell_text(commit_of(b, after)),
			  since = cell_text(start ? arena_printf(arena, "%.10s", start) : NULL),
			  change = cell_real(c->change), low = cell_real(c->low),
			  high = cell_real(c->high), what = cell_text(class_words(arena, c));
	struct row *row = report_add_cells(report, &report->before,
		(const struct cell[]){cell_text(name_of(b, c->series)),
			b->in->recorded->machines > 1 ? machine : none, last_before, first_after,
			since, change, low, high, cell_text(phrase_p(arena, c->q)), what});

	row->on_screen = is_on_screen;
	row->tone = tone_of(c);
	report_add_cells(report, &report->data,
		(const struct cell[]){cell_text(c->series->row->name),
			cell_text(measure_at(c->series->row->measure)->name), machine, last_before,
			first_after, since, change, low, high, cell_real(c->p), cell_real(c->q),
			cell_text(class_name(c->class)), cell_integer((int64_t)c->rows_alike),
			cell_text(c->facts), cell_text(recorded_name_of(arena, before)),
			cell_text(recorded_name_of(arena, after)),
			is_drift(c) ? none : cell_integer((int64_t)c->at + 1),
			cell_text(comparison(b, c)), what, cell_integer((int64_t)c->series->count),
			last_cell(c->series), unit_cell(c->series)})
		->tone = row->tone;
}

/* A row in which nothing changed is a line of files, too. */
static void add_unchanged(struct history_builder *b, const struct history_series *series)
{
	const struct cell none = cell_text(NULL), number = {.kind = CELL_NONE};

	report_add_cells(b->report, &b->report->data,
		(const struct cell[]){cell_text(series->row->name),
			cell_text(measure_at(series->row->measure)->name),
			cell_text(machine_of(b, series)), none, none, none, number, number, number,
			cell_real(series->p), number, cell_text("none"), number, none, none, none,
			number, none,
			cell_text(isnan(series->p) ? "too few sessions" : "nothing changed"),
			cell_integer((int64_t)series->count), last_cell(series),
			unit_cell(series)});
}

static void add_changes(struct history_builder *b, size_t top)
{
	add_change_columns(b->report);
	for (size_t i = 0; i < b->history->change_count; i++)
		add_change(b, &b->history->change[i], i < top);
	for (size_t i = 0; i < b->history->series_count; i++)
		if (b->history->series[i].count && !b->history->series[i].changes)
			add_unchanged(b, &b->history->series[i]);
	table_drop_unknown(&b->report->before, 0, b->report->before.column_count);
}

static void add_rows(struct history_builder *b, size_t top)
{
	static const struct column columns[] = {{.stat = "op", .names = true, .shorten = true},
		{.stat = "machine", .shorten = true, .drop = 1},
		NUMBER_COLUMN("sessions", DIMENSION_COUNT, 0),
		{.stat = "last", .align = ALIGN_RIGHT},
		NUMBER_COLUMN("changes", DIMENSION_COUNT, 0), {.stat = "p", .align = ALIGN_RIGHT}};
	const struct history *h = b->history;
	struct report *report = b->report;

	report->display.name = "rows";
	report_add_columns(
		report, &report->display, NULL, columns, sizeof(columns) / sizeof(*columns));
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

		for (size_t u = 0; u < series->count; u++) {
			const struct run *run = run_at(b, series, series->first_run[u]);
			const struct facts *facts = run->facts;

			report_add_cells(b->report, table,
				(const struct cell[]){cell_text(series->row->name),
					cell_text(measure->name), cell_text(machine_of(b, series)),
					cell_integer((int64_t)u + 1),
					cell_text(recorded_name_of(b->report->arena, run)),
					cell_text(facts ? facts->commit : NULL),
					cell_text(facts ? facts->start : NULL),
					value_cell(series, series->value[u]),
					value_cell(series, series->level[u]), unit_cell(series)});
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
	if (b->in->recorded->constant && !b->in->recorded->count)
		report_answer(b->report, "No row differs between runs.");
	else if (!series)
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
			"session is not known, and changes are between runs");
	report_note(report, NULL, NULL,
		"change points by permutation of the whole search, adjusted over rows by direction "
		"(Benjamini and Hochberg); correlation of neighbours is allowed for");
	return report;
}
