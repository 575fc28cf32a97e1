/*
 * Two sides next to each other: columns base, new, difference and change for each measure.
 */
#include "report/build_compare.h"

#include <math.h>
#include "base/text.h"

struct compare_builder {
	const struct compare_side *base, *next;
	const struct contrast *contrast;
	const struct build_options *opt;
	struct report *report;
};

enum { COLUMN_BASE, COLUMN_NEW, COLUMN_DIFFERENCE, COLUMN_CHANGE, COLUMNS_PER_MEASURE };

static const struct measure *measure_of(const struct compare_builder *b, size_t m)
{
	return measure_at(b->base->summary->options.measure[m]);
}

static size_t measure_count(const struct compare_builder *b)
{
	return b->base->summary->options.measure_count;
}

static struct column *text_column(struct compare_builder *b, struct table *table, const char *stat)
{
	struct column *column = report_add_column(b->report, table);

	column->stat = column->title = stat;
	column->align = ALIGN_LEFT;
	return column;
}

/* Measures after the first leave the difference to files. */
static bool is_shown(const struct table *table, const struct compare_builder *b, size_t m, size_t i)
{
	return table == &b->report->data || m == 0 || i != COLUMN_DIFFERENCE;
}

/* One unit for base, new and difference, or people would compare us with ms. */
static const struct unit *display_unit(const struct compare_builder *b, size_t m)
{
	const struct contrast_value *total = &b->contrast->total[m];

	return unit_choose(measure_of(b, m)->dimension, fmax(total->base, total->next));
}

static const struct unit *asked_unit(const struct compare_builder *b, size_t m)
{
	switch (measure_of(b, m)->dimension) {
	case DIMENSION_TIME:
		return b->opt->time_unit;
	case DIMENSION_BYTES:
		return b->opt->bytes_unit;
	default:
		return NULL;
	}
}

static void value_columns(struct compare_builder *b, struct table *table, size_t m)
{
	static const char *const stats[] = {"base", "new", "difference", "change"};
	const struct measure *measure = measure_of(b, m);
	const struct unit *unit = asked_unit(b, m);

	if (!unit && table == &b->report->display)
		unit = display_unit(b, m);
	for (size_t i = 0; i < COLUMNS_PER_MEASURE; i++) {
		struct column *column;

		if (!is_shown(table, b, m, i))
			continue;
		column = report_add_column(b->report, table);

		column->measure = measure->name;
		column->stat = stats[i];
		column->title = m ? arena_printf(b->report->arena, "%s %s", measure->name, stats[i])
				  : stats[i];
		column->dimension = i == COLUMN_CHANGE ? DIMENSION_FRACTION : measure->dimension;
		column->unit = i == COLUMN_CHANGE ? NULL : unit;
		column->decimals = i == COLUMN_CHANGE ? 1 : -1;
		column->show_sign = i == COLUMN_DIFFERENCE || i == COLUMN_CHANGE;
		column->drop = m ? 3 : 0;
	}
}

static size_t value_cells(const struct compare_builder *b, const struct table *table,
	struct cell *cell, const struct contrast_value *values)
{
	size_t c = 0;

	for (size_t m = 0; m < measure_count(b); m++) {
		cell[c++] = cell_real(values[m].base);
		cell[c++] = cell_real(values[m].next);
		if (is_shown(table, b, m, COLUMN_DIFFERENCE))
			cell[c++] = cell_real(values[m].difference);
		cell[c++] = cell_real(values[m].ratio - 1);
	}
	return c;
}

static const char *ran(const struct compare_builder *b, const struct summary_row *row)
{
	if (!row || row->value->is_static)
		return NULL;
	return arena_printf(b->report->arena, "%zu/%zu", row->value->ran, row->value->steps);
}

static void display_row(struct compare_builder *b, const struct contrast_row *from, bool on_screen)
{
	struct row *row = report_add_row(b->report, &b->report->display);
	size_t c = 0;

	row->on_screen = on_screen;
	row->cell[c++] = cell_text(from->name);
	if (b->opt->with_type)
		row->cell[c++] = cell_text(from->type);
	c += value_cells(b, &b->report->display, row->cell + c, from->value);
	row->cell[c++] = cell_text(ran(b, from->base));
	row->cell[c++] = cell_text(ran(b, from->next));
}

static struct cell count_cell(const struct summary_row *row, bool of_steps)
{
	if (!row)
		return cell_real(NAN);
	return cell_integer((int64_t)(of_steps ? row->value->steps : row->value->ran));
}

static void data_row(struct compare_builder *b, const struct contrast_row *from)
{
	struct row *row = report_add_row(b->report, &b->report->data);
	size_t c = 0;

	row->cell[c++] = cell_text(from->name);
	row->cell[c++] = cell_text(from->type);
	row->cell[c++] = cell_text(from->device);
	row->cell[c++] = count_cell(from->base, false);
	row->cell[c++] = count_cell(from->base, true);
	row->cell[c++] = count_cell(from->next, false);
	row->cell[c++] = count_cell(from->next, true);
	c += value_cells(b, &b->report->data, row->cell + c, from->value);
	row->cell[c++] = cell_text(!from->base ? "new" : !from->next ? "gone" : "");
}

static void total_row(struct compare_builder *b, const char *name, enum row_role role,
	const struct contrast_value *values)
{
	struct row *row = report_add_row(b->report, &b->report->display);
	size_t c = 0;

	row->role = role;
	row->in_files = role == ROW_TOTAL;
	row->cell[c++] = cell_text(name);
	if (b->opt->with_type)
		row->cell[c++] = cell_blank();
	c += value_cells(b, &b->report->display, row->cell + c, values);
	row->cell[c++] = cell_blank();
	row->cell[c++] = cell_blank();
}

static double zero_if_nan(double value)
{
	return isnan(value) ? 0 : value;
}

/* Ops that the patterns dropped and the totals hold: of the side that has more of them. */
static size_t dropped_ops(const struct compare_builder *b)
{
	const struct grouping *base = b->base->summary->grouping;
	const struct grouping *next = b->next->summary->grouping;
	size_t of_base = base->ops - base->ops_kept, of_next = next->ops - next->ops_kept;

	if (b->base->summary->options.of_selected)
		return 0;
	return of_base > of_next ? of_base : of_next;
}

/* What the rows that are not on the screen add up to: total minus shown, on both sides. */
static void rest_row(struct compare_builder *b, size_t shown)
{
	size_t hidden = b->contrast->count - shown;
	size_t dropped = dropped_ops(b);
	struct contrast_value *rest =
		arena_array(b->report->arena, measure_count(b), sizeof(*rest));

	if (!hidden && !dropped)
		return;
	for (size_t m = 0; m < measure_count(b); m++) {
		rest[m] = b->contrast->total[m];
		for (size_t i = 0; i < shown; i++) {
			rest[m].base -= zero_if_nan(b->contrast->row[i].value[m].base);
			rest[m].next -= zero_if_nan(b->contrast->row[i].value[m].next);
		}
		rest[m].difference = rest[m].next - rest[m].base;
		rest[m].ratio = rest[m].base > 0 ? rest[m].next / rest[m].base : NAN;
	}
	total_row(b,
		hidden ? arena_printf(b->report->arena, "[%zu other %s]", hidden + dropped,
				 phrase_noun(b->opt, hidden + dropped))
		       : "[ops not selected]",
		ROW_OTHER, rest);
}

static void add_tables(struct compare_builder *b)
{
	static const char *const leading[] = {
		"op", "type", "device", "base_ran", "base_steps", "new_ran", "new_steps"};
	struct table *display = &b->report->display, *data = &b->report->data;
	size_t shown = b->contrast->count < b->opt->top ? b->contrast->count : b->opt->top;
	struct column *column = text_column(b, display, "op");
	bool adds_up = !b->base->summary->options.skip_absent && !b->base->summary->overlap;

	column->title = b->opt->row_noun;
	column->shorten = true;
	if (b->opt->with_type) {
		column = text_column(b, display, "type");
		column->drop = 4;
		column->shorten = true;
	}
	for (size_t i = 0; i < sizeof(leading) / sizeof(*leading); i++)
		text_column(b, data, leading[i]);
	for (size_t m = 0; m < measure_count(b); m++) {
		value_columns(b, display, m);
		value_columns(b, data, m);
	}
	for (size_t i = 0; i < 2; i++) {
		column = text_column(b, display, i ? "new_ran" : "base_ran");
		column->title = i ? "ran new" : "ran base";
		column->align = ALIGN_RIGHT;
		column->drop = 2;
	}
	text_column(b, data, "notes");
	for (size_t i = 0; i < b->contrast->count; i++) {
		display_row(b, &b->contrast->row[i], i < shown);
		data_row(b, &b->contrast->row[i]);
	}
	if (adds_up)
		rest_row(b, shown);
	total_row(b, "all ops", ROW_TOTAL, b->contrast->total);
}

static void add_heading(
	struct compare_builder *b, const char *which, const struct compare_side *side)
{
	struct text label;

	text_init(&label);
	text_add_visible(&label, side->label);
	report_heading(b->report, "%s  %s: %s, %s, %zu %s%s%s", which, text_string(&label),
		side->self->format_title ? side->self->format_title : "profile",
		describe_steps(b->report->arena, side->summary->cube, side->summary->steps),
		side->summary->grouping->ops, side->summary->overlap ? "scope" : "op",
		side->summary->grouping->ops == 1 ? "" : "s",
		side->summary->steps->kinds.count > 1
			? arena_printf(b->report->arena, ", %zu kinds of step",
				  side->summary->steps->kinds.count)
			: "");
	text_release(&label);
}

static void add_answer(struct compare_builder *b)
{
	const struct contrast_value *total = &b->contrast->total[0];
	struct arena *arena = b->report->arena;

	if (measure_of(b, 0)->id != MEASURE_TIME || isnan(total->ratio))
		return;
	report_answer(b->report, "Op time per step: %s -> %s, %+.1f %%.",
		phrase_quantity(arena, DIMENSION_TIME, total->base),
		phrase_quantity(arena, DIMENSION_TIME, total->next), 100 * (total->ratio - 1));
	report_answer(
		b->report, "No test was made: these are differences of means, and may be noise.");
}

struct report *build_compare(const struct compare_side *base, const struct compare_side *next,
	const struct contrast *contrast, const struct build_options *opt)
{
	struct compare_builder b = {base, next, contrast, opt, report_new("compare")};

	add_heading(&b, "base", base);
	add_heading(&b, "new ", next);
	b.report->issues = &base->self->issues;
	add_answer(&b);
	add_tables(&b);
	if (contrast->only_base || contrast->only_next)
		report_note(b.report, NULL, "--rename",
			"%zu %s only in base, %zu only in new; they count as 0 on the other side",
			contrast->only_base, phrase_noun(opt, contrast->only_base),
			contrast->only_next);
	if (base->summary->options.skip_absent)
		report_note(b.report, NULL, "--absent=zero",
			"means are over the steps in which each %s ran: they do not add up to the "
			"total",
			opt->row_noun);
	if (base->summary->overlap)
		report_note(b.report, NULL, "--value=self",
			"rows hold everything below them and overlap: they do not add up to the "
			"total");
	return b.report;
}
