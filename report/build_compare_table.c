/*
 * The table for people: decided rows first, the rest folded into rows that keep the sums.
 */
#include "report/build_compare_table.h"

#include <math.h>
#include "base/number.h"
#include "base/text.h"

#define DECIMALS_USUAL 2
#define DECIMALS_MOST 4

struct display {
	struct compare_builder *b;
	const struct unit *unit; /* of base, new and the difference */
	int decimals;		 /* of these */
	size_t bounds;		 /* columns of a number in an interval */
};

static double zero_if_nan(double value)
{
	return isnan(value) ? 0 : value;
}

static const struct compared *first_value(const struct compare_builder *b, size_t row)
{
	return &b->comparison->row[row].value[0];
}

bool compare_adds_up(const struct compare_builder *b)
{
	return !b->opt->value.skip_absent && b->opt->value.kind == RUN_VALUE_MEAN &&
	       !b->base->run.cube->totals && !b->new->run.cube->totals;
}

size_t compare_dropped_ops(const struct compare_builder *b)
{
	const struct grouping *base = b->base->run.grouping, *new = b->new->run.grouping;
	size_t of_base = base->ops - base->ops_kept, of_new = new->ops - new->ops_kept;

	if (b->opt->value.of_selected)
		return 0;
	return of_base > of_new ? of_base : of_new;
}

/* ---- which rows ---- */

static double share(const struct compared *value, const struct compared *total)
{
	double base = zero_if_nan(value->base_mean) / total->base_mean;
	double new = zero_if_nan(value->new_mean) / total->new_mean;

	return fmax(zero_if_nan(base), zero_if_nan(new));
}

static bool is_decided(const struct compare_builder *b, const struct compared *value)
{
	switch (value->verdict) {
	case VERDICT_NEW:
	case VERDICT_GONE:
		return !(share(value, &b->comparison->measure[0].total) < b->opt->min_share);
	case VERDICT_REGRESSED:
	case VERDICT_IMPROVED:
	case VERDICT_SLOWER:
	case VERDICT_FASTER:
		return true;
	default:
		return false;
	}
}

/* Not decided, and large enough that one would look for it. */
static bool is_worth_a_row(const struct compare_builder *b, const struct compared *value)
{
	const struct compared *total = &b->comparison->measure[0].total;
	double margin = isfinite(value->margin) ? value->margin : 0;

	if (value->verdict == VERDICT_NONE)
		return true;
	if (value->verdict != VERDICT_INCONCLUSIVE && value->verdict != VERDICT_RARE)
		return false;
	return fabs(value->change) > margin ||
	       fabs(value->difference) > margin / 2 * total->base_mean;
}

const bool *compare_choose_rows(const struct compare_builder *b)
{
	size_t count = b->comparison->count, taken = 0;
	bool *shown = arena_array(b->report->arena, count, sizeof(*shown));
	bool all = b->build->top == SIZE_MAX;

	for (size_t i = 0; i < count; i++) {
		const struct compared *value = first_value(b, i);

		shown[i] = all || (!value->small && is_decided(b, value));
		taken += shown[i];
	}
	for (size_t i = 0; i < count && taken < b->build->top; i++) {
		const struct compared *value = first_value(b, i);

		if (shown[i] || value->small || !is_worth_a_row(b, value))
			continue;
		shown[i] = true;
		taken++;
	}
	return shown;
}

/* ---- columns ---- */

static struct column *text_column(
	const struct display *d, const char *stat, const char *title, enum column_align align)
{
	struct column *column = report_add_column(d->b->report, &d->b->report->display);

	column->stat = stat;
	column->title = title;
	column->align = align;
	return column;
}

static struct column *value_column(const struct display *d, const char *stat)
{
	struct column *column = text_column(d, stat, stat, ALIGN_RIGHT);
	const struct measure *measure = compare_measure_of(d->b, 0);

	column->measure = measure->name;
	column->dimension = measure->dimension;
	column->unit = d->unit;
	column->decimals = d->decimals;
	return column;
}

static void add_columns(const struct display *d)
{
	struct arena *arena = d->b->report->arena;
	const struct measure *measure = compare_measure_of(d->b, 0);
	struct column *column;

	column = text_column(d, "op", d->b->build->row_noun, ALIGN_LEFT);
	column->shorten = column->names = true;
	value_column(d, "base")->drop = 1;
	value_column(d, "new")->drop = 1;
	column = value_column(d, "change");
	column->dimension = DIMENSION_FRACTION;
	column->unit = NULL;
	column->decimals = 1;
	column->show_sign = true;
	text_column(d, "interval",
		arena_printf(arena, "[%s]", phrase_level(arena, d->b->opt->confidence)),
		ALIGN_RIGHT)
		->drop = 2;
	text_column(d, "q", "q", ALIGN_RIGHT)->drop = 3;
	/* The unit is in the title, so that the numbers are bare. */
	column = text_column(d, "difference",
		arena_printf(arena, "%s/step", *d->unit->name ? d->unit->name : measure->name),
		ALIGN_RIGHT);
	column->decimals = d->decimals;
	column->show_sign = true;
	text_column(d, "verdict", "verdict", ALIGN_LEFT)->wrap = true;
}

/* ---- cells ---- */

/* "q" of what has no q: how it was decided, or nothing. */
static struct cell q_cell(const struct display *d, const struct compared *value)
{
	struct arena *arena = d->b->report->arena;
	const char *q = phrase_p(arena, value->q);

	if (value->evidence == EVIDENCE_EXACT)
		return cell_text("exact");
	return q ? cell_text(q) : cell_blank();
}

static const char *verdict_text(const struct display *d, const struct compared *value)
{
	return phrase_verdict(d->b, value, compare_measure_of(d->b, 0)->dimension);
}

/* Means, change and difference; the cells between and after them are left to the caller. */
static void fill_values(const struct display *d, struct row *row, const char *name, double base,
	double new, double change, double difference)
{
	row->cell[0] = cell_text(name);
	row->cell[1] = cell_real(base);
	row->cell[2] = cell_real(new);
	row->cell[3] = cell_real(change);
	row->cell[4] = row->cell[5] = row->cell[7] = cell_blank();
	difference /= (double)d->unit->factor;
	/* What prints as zero has no sign. */
	if (fabs(difference) < 0.5 * pow(10, -d->decimals))
		difference = 0;
	row->cell[6] = cell_real(difference);
}

static struct row *add_row(const struct display *d, const char *name, const struct compared *value)
{
	struct row *row = report_add_row(d->b->report, &d->b->report->display);
	const char *bounds = phrase_bounds(d->b->report->arena, value->low, value->high, d->bounds);

	fill_values(
		d, row, name, value->base_mean, value->new_mean, value->change, value->difference);
	if (!value->base != !value->new)
		row->cell[3] = cell_text(value->base ? "gone" : "new");
	else if (bounds && value->evidence != EVIDENCE_EXACT)
		row->cell[4] = cell_text(bounds);
	else if (value->evidence == EVIDENCE_LINEAR)
		row->cell[4] = cell_real(NAN);
	row->cell[5] = q_cell(d, value);
	return row;
}

/* ---- rows ---- */

struct fold {
	size_t count;
	double base, new, largest; /* largest change */
	size_t verdict[VERDICT_COUNT];
};

static struct fold fold_rest(const struct compare_builder *b, const bool *shown)
{
	struct fold fold = {.largest = NAN};

	for (size_t i = 0; i < b->comparison->count; i++) {
		const struct compared *value = first_value(b, i);

		if (shown[i] || value->small)
			continue;
		fold.count++;
		fold.base += zero_if_nan(value->base_mean);
		fold.new += zero_if_nan(value->new_mean);
		fold.verdict[value->verdict]++;
		if (value->base && isfinite(value->change) && value->new)
			fold.largest = fmax(fold.largest, fabs(value->change));
	}
	return fold;
}

/* "44 SAME, 2 INCONCLUSIVE". */
static const char *fold_verdicts(const struct display *d, const struct fold *fold)
{
	enum dimension dimension = compare_measure_of(d->b, 0)->dimension;
	struct text text;
	const char *result;

	text_init(&text);
	for (size_t v = VERDICT_NONE + 1; v < VERDICT_COUNT; v++)
		if (fold->verdict[v])
			text_printf(&text, "%s%zu %s", text.size ? ", " : "", fold->verdict[v],
				verdict_word((enum verdict)v, dimension));
	if (fold->verdict[VERDICT_NONE])
		text_printf(&text, "%s%s", text.size ? ", " : "",
			text.size ? arena_printf(d->b->report->arena, "%zu without verdict",
					    fold->verdict[VERDICT_NONE])
				  : "no verdict");
	result = arena_strdup(d->b->report->arena, text_string(&text));
	text_release(&text);
	return result;
}

/* Rounded up, so that none is above it. */
static const char *fold_name(const struct display *d, const struct fold *fold)
{
	struct arena *arena = d->b->report->arena;
	char number[NUMBER_TEXT_SIZE];
	double percent = 100 * fold->largest;

	if (percent == 0)
		return arena_printf(arena, "[%zu %s, no change]", fold->count,
			phrase_noun(d->b->build, fold->count));
	if (isnan(percent))
		return arena_printf(arena, "[%zu other %s]", fold->count,
			phrase_noun(d->b->build, fold->count));
	number_format_fixed(number, percent < 10 ? ceil(10 * percent) / 10 : ceil(percent),
		percent < 10 ? 1 : 0);
	return arena_printf(arena, "[%zu %s, %s above %s %%]", fold->count,
		phrase_noun(d->b->build, fold->count), fold->count == 1 ? "not" : "none", number);
}

static struct row *add_sum(const struct display *d, const char *name, double base, double new)
{
	struct row *row = report_add_row(d->b->report, &d->b->report->display);

	row->role = ROW_OTHER;
	fill_values(d, row, name, base, new, base > 0 ? new / base - 1 : NAN, new - base);
	return row;
}

static void add_fold(const struct display *d, const bool *shown)
{
	struct fold fold = fold_rest(d->b, shown);
	struct row *row;

	if (!fold.count)
		return;
	row = add_sum(d, fold_name(d, &fold), fold.base, fold.new);
	row->in_files = false;
	row->cell[7] = cell_text(fold_verdicts(d, &fold));
	if (!compare_adds_up(d->b))
		row->cell[1] = row->cell[2] = row->cell[3] = row->cell[6] = cell_blank();
}

/* Files hold the small rows one by one. */
static void add_small(const struct display *d)
{
	const struct compared_measure *measure = &d->b->comparison->measure[0];
	struct row *row;

	if (!measure->small_count || d->b->build->top == SIZE_MAX)
		return;
	row = add_row(d,
		arena_printf(d->b->report->arena, "[%zu small %s, tested as one]",
			measure->small_count, phrase_noun(d->b->build, measure->small_count)),
		&measure->small);
	row->role = ROW_OTHER;
	row->in_files = false;
	row->cell[7] = cell_text(verdict_text(d, &measure->small));
}

/* What the rows leave of the total. */
static void add_remainder(const struct display *d)
{
	const struct comparison *comparison = d->b->comparison;
	const struct compared *total = &comparison->measure[0].total;
	size_t dropped = compare_dropped_ops(d->b);
	double base = total->base_mean, new = total->new_mean, least;

	for (size_t i = 0; i < comparison->count; i++) {
		base -= zero_if_nan(first_value(d->b, i)->base_mean);
		new -= zero_if_nan(first_value(d->b, i)->new_mean);
	}
	/* Sums in another order differ in their last digits. */
	least = 1e-9 * fmax(fabs(total->base_mean), fabs(total->new_mean));
	if (!compare_adds_up(d->b) || isnan(base) || isnan(new) ||
		(!dropped && fabs(base) <= least && fabs(new) <= least))
		return;
	add_sum(d,
		dropped ? arena_printf(d->b->report->arena, "[%zu op%s not selected]", dropped,
				  dropped == 1 ? "" : "s")
		: total->base->unknown || total->new->unknown ? "[steps that are not known]"
							      : "[not in these rows]",
		fabs(base) <= least ? 0 : base, fabs(new) <= least ? 0 : new);
}

static void add_body(const struct display *d, size_t i, bool shown, const char *mark)
{
	const struct compared_row *from = &d->b->comparison->row[i];
	const struct compared *value = &from->value[0];
	struct row *row = add_row(d, from->name, value);

	row->on_screen = shown;
	row->short_name = d->b->short_name[i];
	row->cell[7] = cell_text(value->small && value->verdict == VERDICT_NONE
					 ? "small, tested with the others"
					 : verdict_text(d, value));
	row->cell[7].mark = mark;
}

static void add_total(const struct display *d)
{
	const struct compared *total = &d->b->comparison->measure[0].total;
	bool selected = d->b->opt->value.of_selected && !d->b->base->run.cube->totals;
	struct row *row = add_row(d, selected ? "selected ops" : "all ops", total);

	row->role = ROW_TOTAL;
	row->cell[5] = cell_blank();
}

/* As many as show the smallest value on the screen; none for whole numbers of the base unit. */
static void widen_scale(struct display *d, const struct compared *value, bool *whole)
{
	const double part[] = {value->base_mean, value->new_mean};

	for (size_t i = 0; i < 2; i++) {
		double v = fabs(zero_if_nan(part[i])) / (double)d->unit->factor;

		*whole = *whole && v == floor(v);
		while (d->decimals < DECIMALS_MOST && v >= 0.5 * pow(10, -DECIMALS_MOST) &&
			v < 0.5 * pow(10, -d->decimals))
			d->decimals++;
	}
	size_t width = bounds_width(value->low, value->high);

	if (width > d->bounds)
		d->bounds = width;
}

static void choose_scale(struct display *d, const bool *shown)
{
	const struct compared_measure *measure = &d->b->comparison->measure[0];
	bool whole = d->unit->factor == 1;

	d->decimals = DECIMALS_USUAL;
	for (size_t i = 0; i < d->b->comparison->count; i++)
		if (shown[i])
			widen_scale(d, first_value(d->b, i), &whole);
	widen_scale(d, &measure->total, &whole);
	if (measure->small_count)
		widen_scale(d, &measure->small, &whole);
	if (whole)
		d->decimals = 0;
}

void compare_add_display(struct compare_builder *b, const bool *shown, const char *const *mark)
{
	struct display d = {.b = b, .unit = compare_unit(b, 0)};

	choose_scale(&d, shown);
	add_columns(&d);
	for (size_t i = 0; i < b->comparison->count; i++)
		add_body(&d, i, shown[i], mark[i]);
	add_fold(&d, shown);
	add_small(&d);
	add_remainder(&d);
	add_total(&d);
}
