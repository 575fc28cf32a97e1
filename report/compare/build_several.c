/* Tables are joined by the names of their columns, with the label of the side in a first column;
 * sentences and notes begin with it. */
#include "report/compare/build_several.h"

#include <string.h>
#include "base/text.h"
#include "report/build_tables.h"
#include "report/compare/build_compare_words.h"

/* Bytes of the folder that the labels of all sides begin with, and are more than. */
static size_t common_folder(const struct several_side *side, size_t count)
{
	const char *base = side->base->label;
	size_t n = strlen(base), shortest = n;

	for (size_t i = 0; i < count; i++) {
		const char *label = side[i].new->label;

		while (strncmp(base, label, n) != 0)
			n--;
		shortest = strlen(label) < shortest ? strlen(label) : shortest;
	}
	while (n && base[n - 1] != '/')
		n--;
	return n < shortest ? n : 0;
}

/* ---- tables ---- */

static bool is_same_text(const char *a, const char *b)
{
	return text_equal(a ? a : "", b ? b : "");
}

static bool is_same_column(const struct column *a, const struct column *b)
{
	return is_same_text(a->title, b->title) && is_same_text(a->stat, b->stat) &&
	       is_same_text(a->measure, b->measure);
}

/* The place of the column in the table; column_count: it has none. */
static size_t find_column(const struct table *table, const struct column *column)
{
	size_t i = 0;

	while (i < table->column_count && !is_same_column(&table->column[i], column))
		i++;
	return i;
}

static void join_rows(
	struct report *out, struct table *to, const struct table *from, const char *label)
{
	size_t *at = arena_array(out->arena, from->column_count, sizeof(*at));

	for (size_t i = 0; i < from->column_count; i++)
		at[i] = find_column(to, &from->column[i]);
	for (size_t r = 0; r < from->row_count; r++) {
		struct row *row = report_add_row(out, to);
		struct cell *cell = row->cell;

		*row = from->row[r];
		row->cell = cell;
		cell[0] = cell_text(label);
		for (size_t i = 1; i < to->column_count; i++)
			cell[i] = cell_blank();
		for (size_t i = 0; i < from->column_count; i++)
			cell[at[i]] = from->row[r].cell[i];
	}
}

/* The table of a report by its place: before, display, data, then the further ones. NULL: none. */
static const struct table *table_at(const struct report *report, size_t place, const char *name)
{
	const struct table *const own[] = {&report->before, &report->display, &report->data};

	if (place < 3)
		return own[place];
	for (size_t i = 0; i < report->more_count; i++)
		if (text_equal(report->more[i].name, name))
			return &report->more[i];
	return NULL;
}

/* Joins the tables of this place into `to`, or where it is NULL into a further one. */
static void join_tables(struct report *out, const struct several_side *side, size_t count,
	size_t place, const char *name, struct table *to)
{
	struct column input = {.stat = "input", .title = "input", .digits = 15, .decimals = -1};

	for (size_t i = 0; i < count; i++) {
		const struct table *from = table_at(side[i].report, place, name);

		if (!from || !from->column_count)
			continue;
		to = to ? to : report_append_table(out, name);
		to->name = from->name;
		if (!to->column_count)
			*report_add_column(out, to) = input;
		for (size_t j = 0; j < from->column_count; j++) {
			const struct column *column = &from->column[j];
			const size_t at = find_column(to, column);

			if (at == to->column_count)
				*report_add_column(out, to) = *column;
			else if (column->decimals > to->column[at].decimals)
				to->column[at].decimals = column->decimals;
		}
	}
	for (size_t i = 0; i < count; i++) {
		const struct table *from = table_at(side[i].report, place, name);

		if (from)
			join_rows(out, to, from, place < 2 ? side[i].name : side[i].new->label);
	}
}

/* ---- sentences ---- */

/* Adds "SLOWER, 2 ops worse"; nothing where no change is claimed. */
static void add_claims(
	const struct comparison *c, const struct build_options *build, struct text *out)
{
	const struct compared *step = compared_step(c);
	const struct row_claims rows = compare_row_claims(c);
	const struct {
		const char *word;
		size_t rows;
	} part[] = {{"worse", rows.worse}, {"better", rows.better}, {"new", rows.new},
		{"gone", rows.gone}, {"lost", rows.lost}};
	const char *separator = "";

	if (!c->benchmarks && compared_claims_change(step)) {
		text_add(out, verdict_word(step->verdict == VERDICT_REGRESSED  ? VERDICT_SLOWER
					   : step->verdict == VERDICT_IMPROVED ? VERDICT_FASTER
									       : step->verdict,
				      verdict_dimension(measure_at(c->measure[0].id))));
		separator = ", ";
	}
	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++)
		if (part[i].rows) {
			text_printf(out, "%s%zu %s %s", separator, part[i].rows,
				phrase_noun(build, part[i].rows), part[i].word);
			separator = ", ";
		}
}

/* "Against a: b changed (SLOWER, 2 ops worse), c changed (1 op better); no change is claimed of d."
 */
static void answer_changed(struct report *out, const struct several_side *side, size_t count,
	const char *base, const struct build_options *build)
{
	const char **open = arena_array(out->arena, count, sizeof(*open));
	size_t changed = 0, opened = 0;
	struct text text, claims;

	text_init(&text);
	text_init(&claims);
	for (size_t i = 0; i < count; i++) {
		text_clear(&claims);
		add_claims(side[i].comparison, build, &claims);
		if (claims.size)
			text_printf(&text, "%s%s changed (%s)", changed++ ? ", " : "", side[i].name,
				text_string(&claims));
		else
			open[opened++] = side[i].name;
		out->tone = i == 0 || side[i].report->tone == TONE_WORSE || out->tone == TONE_PLAIN
				    ? side[i].report->tone
				    : out->tone;
	}
	out->is_verdict = true;
	report_answer(out, "Against %s: %s%s%s%s.", base, text_string(&text),
		changed && opened ? "; " : "", opened ? "no change is claimed of " : "",
		opened ? phrase_list(out->arena, open, opened) : "");
	text_release(&claims);
	text_release(&text);
}

static bool is_heading(const struct report *out, const char *line)
{
	bool found = false;

	for (size_t i = 0; i < out->heading_count && !found; i++)
		found = text_equal(out->heading[i], line);
	return found;
}

/* True if all sides have the note with its mark: it is of base, or of all alike. */
static bool is_common(const struct note *note, const struct several_side *side, size_t count)
{
	size_t has = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t n = 0; n < side[i].report->note_count; n++)
			if (text_equal(side[i].report->note[n].text, note->text) &&
				is_same_text(side[i].report->note[n].mark, note->mark)) {
				has++;
				break;
			}
	return has == count;
}

/* One run each: the inputs may be the runs of two sides. */
static bool all_are_single(const struct several_side *side, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (side[i].comparison->runs_base > 1 || side[i].comparison->runs_new > 1)
			return false;
	return true;
}

struct report *build_several(
	struct several_side *side, size_t count, double alpha, const struct build_options *build)
{
	struct report *out = report_new("compare");
	const size_t folder = common_folder(side, count);
	const char *base = phrase_visible(out->arena, side->base->label + folder);

	const struct cube **cube = arena_array(out->arena, count + 1, sizeof(*cube));

	cube[0] = side->base->run.self;
	for (size_t i = 0; i < count; i++) {
		cube[1 + i] = side[i].new->run.self;
		side[i].name = phrase_visible(out->arena, side[i].new->label + folder);
	}

	/* Lines of the same place follow each other: base, the other sides, the rules. */
	size_t lines = 0;

	for (size_t i = 0; i < count; i++)
		lines = side[i].report->heading_count > lines ? side[i].report->heading_count
							      : lines;
	for (size_t l = 0; l < lines; l++) {
		for (size_t i = 0; i < count; i++)
			if (l < side[i].report->heading_count &&
				!is_heading(out, side[i].report->heading[l]))
				report_heading(out, "%s", side[i].report->heading[l]);
		if (l + 1 == side->report->side_count)
			out->side_count = out->heading_count;
	}
	report_heading(out, "%zu comparisons with %s, each at an equal part of %s", count, base,
		phrase_level(out->arena, alpha));
	answer_changed(out, side, count, base, build);
	if (all_are_single(side, count))
		report_next(out, "Next: give runs of two sides as such  (--base FILE... --new "
				 "FILE...).");
	for (size_t i = 0; i < count; i++)
		for (size_t a = 0; a < side[i].report->answer_count; a++)
			report_answer(out, "%s: %s", side[i].name, side[i].report->answer[a]);
	for (size_t i = 0; i < count; i++)
		for (size_t n = 0; n < side[i].report->note_count; n++) {
			const struct note *note = &side[i].report->note[n];
			const bool common = is_common(note, side, count);

			if (common && i)
				continue;
			report_note(out, note->mark, note->option, "%s%s%s",
				common ? "" : side[i].name, common ? "" : ": ", note->text);
			out->note[out->note_count - 1].detail = note->detail;
		}
	join_tables(out, side, count, 0, NULL, &out->before);
	join_tables(out, side, count, 1, NULL, &out->display);
	join_tables(out, side, count, 2, NULL, &out->data);
	for (size_t i = 0; i < count; i++)
		for (size_t t = 0; t < side[i].report->more_count; t++) {
			const char *name = side[i].report->more[t].name;

			if (!table_at(out, 3, name))
				join_tables(out, side, count, 3, name, NULL);
		}
	report_join_issues(out, cube, count + 1);
	return out;
}
