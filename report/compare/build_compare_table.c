/* The table for people: decided rows first, the rest folded into rows that keep the sums. */
#include <math.h>
#include "base/number.h"
#include "base/text.h"
#include "report/compare/build_compare_words.h"

#define DECIMALS_USUAL 2
#define DECIMALS_MOST 4

struct display {
	struct compare_builder *b;
	size_t measure;		 /* that of the rows */
	bool mixed;		 /* rows are of several measures, which they name */
	const struct unit *unit; /* of base, new and the difference */
	int decimals;		 /* of these */
	size_t bounds;		 /* columns of a number in an interval */
};

static const struct compared *value_of(const struct display *d, size_t row)
{
	return &d->b->comparison->row[row].value[d->measure];
}

/* Rows of several measures: each is of those that it has. */
static bool has_value(const struct display *d, const struct compared *value)
{
	return !d->mixed || compared_has_value(value);
}

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

/* Ops that the patterns dropped and the totals hold: of the side that has more of them. */
static size_t compare_dropped_ops(const struct compare_builder *b)
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
		return b->comparison->benchmarks ||
		       !(share(value, &b->comparison->measure[0].total) < b->opt->min_share);
	case VERDICT_LOST:
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

	if (value->verdict == VERDICT_NONE || (value->per_call && b->comparison->work.ops))
		return true;
	if (value->verdict != VERDICT_INCONCLUSIVE && value->verdict != VERDICT_RARE)
		return false;
	return fabs(value->change) > margin ||
	       fabs(value->difference) > margin / 2 * total->base_mean;
}

/* Not known to have changed, but against the other ops. */
static bool changed_against(const struct compare_builder *b, size_t row)
{
	const struct compared *against = b->comparison->row[row].against;

	return against && compared_claims_change(against) && !is_decided(b, first_value(b, row));
}

const bool *compare_choose_rows(const struct compare_builder *b)
{
	size_t count = b->comparison->count, taken = 0;
	bool *shown = arena_array(b->report->arena, count, sizeof(*shown));
	bool all = b->build->top == SIZE_MAX;

	for (size_t i = 0; i < count; i++) {
		const struct compared *value = first_value(b, i);

		/* Two runtimes may have most rows on one side only: an answer sums them up. */
		const bool lonely = compare_is_of_runtimes(b) && !value->base != !value->new;

		shown[i] = all || (!value->small && !lonely &&
					  (is_decided(b, value) || changed_against(b, i)));
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

/* ---- columns and cells ---- */

/* Sources of the cells of a row. */
struct display_line {
	const struct display *d;
	enum row_role role;
	const char *name;
	const struct compared *value; /* of a sum: its means, change and difference alone */
	const char *verdict;	      /* NULL: none is given */
	const char *mark;	      /* letters of the notes about the verdict, or NULL */
	bool without_values;	      /* of parts that do not add up */
};

enum display_column {
	DISPLAY_NAME,
	DISPLAY_MEASURE,
	DISPLAY_BASE,
	DISPLAY_NEW,
	DISPLAY_CHANGE,
	DISPLAY_INTERVAL,
	DISPLAY_Q,
	DISPLAY_DIFFERENCE,
	DISPLAY_VERDICT,
	DISPLAY_COLUMNS
};

/* The column has the unit of the first measure. */
static struct cell mean_cell(const struct display_line *line, double mean)
{
	const struct compare_builder *b = line->d->b;

	if (line->without_values || (line->d->measure && isnan(mean)))
		return cell_blank();
	return line->d->measure ? cell_text(phrase_quantity(b->report->arena,
					  compare_measure_of(b, line->d->measure)->dimension, mean))
				: cell_real(mean);
}

static struct cell change_cell(const struct display_line *line)
{
	const struct compared *value = line->value;

	if (value->verdict == VERDICT_LOST)
		return cell_text("lost");
	if (!value->base != !value->new || value->verdict == VERDICT_NEW)
		return cell_text(value->verdict == VERDICT_NEW || !value->base ? "new" : "gone");
	if (value->change > FACTOR_FROM && !line->without_values)
		return cell_text(phrase_factor(arena_of(line->d->b), value->change));
	return line->without_values ? cell_blank() : cell_real(value->change);
}

static struct cell interval_cell(const struct display_line *line)
{
	const struct compared *value = line->value;
	const char *bounds =
		phrase_bounds(arena_of(line->d->b), value->low, value->high, line->d->bounds);

	if (!value->base != !value->new)
		return cell_blank();
	if (bounds && value->evidence != EVIDENCE_EXACT)
		return cell_text(bounds);
	return value->evidence == EVIDENCE_LINEAR ? cell_real(NAN) : cell_blank();
}

/* "q" of what has no q: how it was decided, or nothing. */
static struct cell q_cell(const struct display_line *line)
{
	const char *q = phrase_p(arena_of(line->d->b), line->value->q);

	if (line->role == ROW_TOTAL)
		return cell_blank();
	if (line->value->evidence == EVIDENCE_EXACT)
		return cell_text("exact");
	return q ? cell_text(q) : cell_blank();
}

static struct cell difference_cell(const struct display_line *line)
{
	double difference = line->value->difference / (double)line->d->unit->factor;

	/* A number that prints as zero has no sign. */
	if (fabs(difference) < 0.5 * pow(10, -line->d->decimals))
		difference = 0;
	return line->without_values ? cell_blank() : cell_real(difference);
}

/* True if the table has the column. The difference of a benchmark is no part of a sum. */
static bool has_column(const struct display *d, enum display_column column)
{
	return column == DISPLAY_MEASURE      ? d->mixed
	       : column == DISPLAY_DIFFERENCE ? !d->b->comparison->benchmarks
					      : true;
}

static void add_columns(const struct display *d)
{
	struct report *report = d->b->report;
	const struct measure *measure = compare_measure_of(d->b, 0);
	const char *level = arena_printf(
		report->arena, "[%s]", phrase_level(report->arena, d->b->opt->confidence));
	/* The unit is in the title, so that the numbers are bare. */
	const char *difference = arena_printf(
		report->arena, "%s/step", *d->unit->name ? d->unit->name : measure->name);
	const struct column mean = {.measure = measure->name,
		.dimension = measure->dimension,
		.unit = d->b->comparison->benchmarks ? unit_given(d->b->build, measure->dimension)
						     : d->unit,
		.own_units = d->b->comparison->benchmarks,
		.decimals = d->decimals,
		.align = ALIGN_RIGHT,
		.drop = 2};
	struct column columns[] = {[DISPLAY_NAME] = {.stat = "op",
					   .title = d->b->build->row_noun,
					   .shorten = true,
					   .names = true},
		[DISPLAY_MEASURE] = {.stat = "measure"},
		[DISPLAY_BASE] = mean,
		[DISPLAY_NEW] = mean,
		[DISPLAY_CHANGE] = {.measure = measure->name,
			.stat = "change",
			.dimension = DIMENSION_FRACTION,
			.decimals = 1,
			.align = ALIGN_RIGHT,
			.show_sign = true},
		[DISPLAY_INTERVAL] = {.stat = "interval",
			.title = level,
			.align = ALIGN_RIGHT,
			.drop = 1},
		[DISPLAY_Q] = {.stat = "q", .align = ALIGN_RIGHT, .drop = 1},
		[DISPLAY_DIFFERENCE] = {.stat = "difference",
			.title = difference,
			.decimals = d->decimals,
			.align = ALIGN_RIGHT,
			.show_sign = true,
			.drop = 3},
		[DISPLAY_VERDICT] = {.stat = "verdict", .wrap = true, .toned = true}};

	columns[DISPLAY_BASE].stat = "base";
	columns[DISPLAY_NEW].stat = "new";
	for (size_t i = 0; i < DISPLAY_COLUMNS; i++)
		if (has_column(d, (enum display_column)i))
			report_add_columns(report, &report->display, NULL, &columns[i], 1);
}

/* ---- rows ---- */

static struct row *add_row(const struct display_line *line)
{
	struct report *report = line->d->b->report;
	struct row *row = report_add_row(report, &report->display);
	struct cell *to = row->cell;
	const struct cell cell[] = {[DISPLAY_NAME] = cell_text(line->name),
		[DISPLAY_MEASURE] =
			cell_text(compare_measure_of(line->d->b, line->d->measure)->name),
		[DISPLAY_BASE] = mean_cell(line, line->value->base_mean),
		[DISPLAY_NEW] = mean_cell(line, line->value->new_mean),
		[DISPLAY_CHANGE] = change_cell(line),
		[DISPLAY_INTERVAL] = interval_cell(line),
		[DISPLAY_Q] = q_cell(line),
		[DISPLAY_DIFFERENCE] = difference_cell(line),
		[DISPLAY_VERDICT] = line->verdict ? cell_text(line->verdict) : cell_blank()};

	for (size_t i = 0; i < DISPLAY_COLUMNS; i++)
		if (has_column(line->d, (enum display_column)i))
			*to++ = cell[i];
	to[-1].mark = line->mark;
	row->role = line->role;
	row->tone = compare_tone(line->value->verdict);
	row->band = line->without_values ? NULL : compare_band(report, line->value);
	return row;
}

static const char *verdict_text(const struct display *d, const struct compared *value)
{
	return phrase_verdict(d->b, value, verdict_dimension(compare_measure_of(d->b, d->measure)));
}

/* "INCONCLUSIVE; against the others REGRESSED +5.2 % [+4.7, +5.8]". */
static const char *verdict_against(const struct display *d, size_t row)
{
	const enum dimension dimension = verdict_dimension(compare_measure_of(d->b, 0));
	const struct compared *v = d->b->comparison->row[row].against;
	struct arena *arena = arena_of(d->b);

	return arena_printf(arena, "%s; against the others %s %s",
		verdict_word(first_value(d->b, row)->verdict, dimension),
		verdict_word(v->verdict, dimension),
		phrase_change_within(arena, v->change, v->low, v->high));
}

struct fold {
	size_t count;
	double base, new, largest; /* largest change */
	size_t verdict[VERDICT_COUNT];
};

static struct fold fold_rest(const struct display *d, const bool *shown)
{
	struct fold fold = {.largest = NAN};

	for (size_t i = 0; i < d->b->comparison->count; i++) {
		const struct compared *value = value_of(d, i);

		if (shown[i] || value->small || !has_value(d, value))
			continue;
		fold.count++;
		fold.base += zero_if_nan(value->base_mean);
		fold.new += zero_if_nan(value->new_mean);
		fold.verdict[value->verdict]++;
		if (value->base && isfinite(value->change) && value->new) {
			const double whole = value->per_call && value->base_mean > 0
						     ? value->new_mean / value->base_mean - 1
						     : 0;

			fold.largest = fmax(fold.largest, fmax(fabs(value->change), fabs(whole)));
		}
	}
	return fold;
}

/* "44 SAME, 2 INCONCLUSIVE". */
static const char *fold_verdicts(const struct display *d, const struct fold *fold)
{
	enum dimension dimension = verdict_dimension(compare_measure_of(d->b, d->measure));
	struct text text;
	const char *result;

	text_init(&text);
	for (size_t v = VERDICT_NONE + 1; v < VERDICT_COUNT; v++)
		if (fold->verdict[v])
			text_printf(&text, "%s%zu %s", text.size ? ", " : "", fold->verdict[v],
				verdict_word((enum verdict)v, dimension));
	if (fold->verdict[VERDICT_NONE])
		text_printf(&text, "%s%s", text.size ? ", " : "",
			text.size ? arena_printf(arena_of(d->b), "%zu without verdict",
					    fold->verdict[VERDICT_NONE])
				  : "no verdict");
	result = arena_strdup(arena_of(d->b), text_string(&text));
	text_release(&text);
	return result;
}

/* Rounded up, so that none is above it. */
static const char *fold_name(const struct display *d, const struct fold *fold)
{
	struct arena *arena = arena_of(d->b);
	char number[NUMBER_TEXT_SIZE];
	double percent = 100 * fold->largest;

	if (percent == 0)
		return arena_printf(arena, "[%zu %s, no change]", fold->count,
			phrase_noun(d->b->build, fold->count));
	if (isnan(percent) || !isfinite(percent))
		return arena_printf(arena, "[%zu other %s]", fold->count,
			phrase_noun(d->b->build, fold->count));
	number_format_fixed(number, percent < 10 ? ceil(10 * percent) / 10 : ceil(percent),
		percent < 10 ? 1 : 0);
	return arena_printf(arena, "[%zu %s, %s above %s %%]", fold->count,
		phrase_noun(d->b->build, fold->count), fold->count == 1 ? "not" : "none", number);
}

/* Means that nothing tested. */
static struct compared sum_of(double base, double new)
{
	return (struct compared){.base_mean = base,
		.new_mean = new,
		.change = base > 0 ? new / base - 1 : NAN,
		.difference = new - base,
		.low = NAN,
		.high = NAN,
		.q = NAN};
}

static bool any_far_off(const struct comparison *c)
{
	bool any = c->measure[0].total.far_off.run != NULL;

	for (size_t i = 0; i < c->count && !any; i++)
		any = c->row[i].value[0].far_off.run != NULL;
	return any;
}

/* The rest of the total beside the rows. */
static void add_remainder(const struct display *d)
{
	const struct comparison *comparison = d->b->comparison;
	const struct compared *total = &comparison->measure[0].total;
	size_t dropped = compare_dropped_ops(d->b);
	double base = total->base_mean, new = total->new_mean, least;
	struct compared sum;
	const char *name;

	for (size_t i = 0; i < comparison->count; i++) {
		base -= zero_if_nan(first_value(d->b, i)->base_mean);
		new -= zero_if_nan(first_value(d->b, i)->new_mean);
	}
	/* Sums in another order differ in their last digits. */
	least = 1e-9 * fmax(fabs(total->base_mean), fabs(total->new_mean));
	if (!compare_adds_up(d->b) || isnan(base) || isnan(new) ||
		(!dropped && fabs(base) <= least && fabs(new) <= least))
		return;
	sum = sum_of(fabs(base) <= least ? 0 : base, fabs(new) <= least ? 0 : new);
	if (dropped)
		name = arena_printf(arena_of(d->b), "[%zu op%s not selected]", dropped,
			dropped == 1 ? "" : "s");
	else if (total->base->unknown || total->new->unknown)
		name = "[steps that are not known]";
	else if (any_far_off(comparison))
		name = "[runs far off, left out of a row]";
	else
		name = "[not in these rows]";
	add_row(&(struct display_line){.d = d, .role = ROW_OTHER, .name = name, .value = &sum});
}

static void add_body(const struct display *d, size_t i, bool shown, const char *mark)
{
	const struct compared_row *from = &d->b->comparison->row[i];
	const struct compared *value = value_of(d, i);
	struct row *row = add_row(&(struct display_line){.d = d,
		.name = from->name,
		.value = value,
		.verdict = value->small && value->verdict == VERDICT_NONE
				   ? "small, tested with the others"
			   : !d->measure && changed_against(d->b, i) ? verdict_against(d, i)
								     : verdict_text(d, value),
		.mark = mark});

	row->on_screen = shown;
	row->short_name = d->b->short_name[i];
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
			widen_scale(d, value_of(d, i), &whole);
	widen_scale(d, &measure->total, &whole);
	if (measure->small_count)
		widen_scale(d, &measure->small, &whole);
	if (whole)
		d->decimals = 0;
}

/* Rows of a further measure: those that changed, and as many of the rest as there are places. */
static const bool *choose_further(const struct display *d, size_t *taken)
{
	const size_t count = d->b->comparison->count;
	bool *shown = arena_array(arena_of(d->b), count, sizeof(*shown));

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < count; i++) {
			const struct compared *value = value_of(d, i);

			if (shown[i] || !has_value(d, value) ||
				!(pass ? *taken < d->b->build->top &&
							(is_worth_a_row(d->b, value) ||
								d->b->build->top == SIZE_MAX)
				       : is_decided(d->b, value)))
				continue;
			shown[i] = true;
			++*taken;
		}
	return shown;
}

static void add_measure(const struct display *d, const bool *shown, const char *const *mark)
{
	for (size_t i = 0; i < d->b->comparison->count; i++)
		if (has_value(d, value_of(d, i)))
			add_body(d, i, shown[i], d->measure ? NULL : mark[i]);

	struct fold fold = fold_rest(d, shown);
	struct compared sum = sum_of(fold.base, fold.new);

	if (!fold.count)
		return;
	add_row(&(struct display_line){.d = d,
			.role = ROW_OTHER,
			.name = fold_name(d, &fold),
			.value = &sum,
			.verdict = fold_verdicts(d, &fold),
			.without_values = !compare_adds_up(d->b)})
		->in_files = false;
}

bool compare_is_mixed(const struct compare_builder *b)
{
	return b->comparison->benchmarks && b->comparison->measure_count > 1;
}

void compare_add_display(struct compare_builder *b, const bool *shown, const char *const *mark)
{
	struct display d = {.b = b, .unit = compare_unit(b), .mixed = compare_is_mixed(b)};
	size_t taken = 0;

	choose_scale(&d, shown);
	add_columns(&d);
	add_measure(&d, shown, mark);
	for (size_t i = 0; i < b->comparison->count; i++)
		taken += shown[i];
	for (d.measure = 1; d.mixed && d.measure < b->comparison->measure_count; d.measure++)
		add_measure(&d, choose_further(&d, &taken), mark);
	d.measure = 0;
	const struct compared_measure *measure = &d.b->comparison->measure[0];

	/* Files hold the small rows one by one. */
	if (measure->small_count && d.b->build->top != SIZE_MAX)
		add_row(&(struct display_line){.d = &d,
				.role = ROW_OTHER,
				.name = arena_printf(d.b->report->arena,
					"[%zu small %s, tested as one]", measure->small_count,
					phrase_noun(d.b->build, measure->small_count)),
				.value = &measure->small,
				.verdict = verdict_text(&d, &measure->small)})
			->in_files = false;
	add_remainder(&d);

	bool selected = d.b->opt->value.of_selected && !d.b->base->run.cube->totals;

	if (d.b->comparison->benchmarks)
		return;
	add_row(&(struct display_line){.d = &d,
		.role = ROW_TOTAL,
		.name = selected ? "selected ops" : "all ops",
		.value = &d.b->comparison->measure[0].total});
}
