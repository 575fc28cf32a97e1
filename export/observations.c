/*
 * The CSV of observations.
 */
#include "export/observations.h"

#include <string.h>
#include "base/decimal.h"
#include "base/number.h"
#include "model/issue/issue_text.h"
#include "report/writers/csv_field.h"

/* A column of the wide form, a word of the column `measure` in the long one. */
struct observed_quantity {
	enum measure_id id;
	bool each; /* float operations of one execution; no measure of its own */
	bool total;
};

struct exporter {
	const struct observation_set *set;
	const struct observations_options *opt;
	struct outfile *out;
	struct text line; /* of the output, reused */
	struct observed_quantity *quantity;
	size_t quantity_count;
	bool shapes;		    /* the wide form has the column `shape`: some op has one */
	bool facts;		    /* and `fact`: the files say something of their recording */
	bool ranks, groups;	    /* columns rank and group after the run: some run has one */
	struct op_series series[2]; /* of the rows, of the given totals */
};

static const struct unit *unit_of(const struct exporter *e, enum dimension dimension)
{
	switch (dimension) {
	case DIMENSION_TIME:
		return e->opt->time_unit ? e->opt->time_unit : unit_lookup("us");
	case DIMENSION_BYTES:
		return e->opt->bytes_unit ? e->opt->bytes_unit : unit_lookup("B");
	default:
		return unit_lookup("count");
	}
}

static enum dimension dimension_of(const struct observed_quantity *q)
{
	return q->each ? DIMENSION_COUNT : measure_at(q->id)->dimension;
}

static bool is_fact(const struct observed_quantity *q)
{
	return q->each || measure_at(q->id)->kind == MEASURE_STATIC;
}

/* "cpu", "params_total" */
static void put_name(struct exporter *e, const struct observed_quantity *q)
{
	text_add(&e->line, q->each ? "float_ops_each" : measure_at(q->id)->name);
	if (q->total)
		text_add(&e->line, "_total");
}

/* value / factor as an exact decimal where the factor is a power of ten, else with 15 digits. */
static void put_value(struct exporter *e, enum dimension dimension, int64_t value)
{
	const struct unit *unit = unit_of(e, dimension);
	int64_t factor = unit ? unit->factor : 1, scale = factor;
	char digits[NUMBER_TEXT_SIZE];
	int decimals = 0;

	if (value % factor == 0) {
		text_add(&e->line, number_format_int(digits, value / factor));
		return;
	}
	while (scale % 10 == 0) {
		scale /= 10;
		decimals++;
	}
	if (scale != 1) {
		text_add(&e->line, number_format_real(digits, (double)value / (double)factor, 15));
		return;
	}
	decimal_format_short(digits, value, decimals);
	text_add(&e->line, digits);
}

/* An empty name is written in quotes: nothing at all says that the row has no op. */
static void put_op(struct exporter *e, const char *name)
{
	if (*name)
		csv_field(&e->line, name, false);
	else
		text_add(&e->line, "\"\"");
}

static void put_step(struct exporter *e, size_t i)
{
	const struct step *step = &e->set->cube->step[e->set->steps->step[i]];
	char digits[NUMBER_TEXT_SIZE];

	csv_field(&e->line, step->run, false);
	text_add(&e->line, ",");
	if (e->ranks) {
		csv_field(&e->line, step->rank ? step->rank : "", false);
		text_add(&e->line, ",");
	}
	if (e->groups) {
		csv_field(&e->line, step->rank_group ? step->rank_group : "", false);
		text_add(&e->line, ",");
	}
	text_printf(&e->line, "%s,", number_format_int(digits, step->number));
}

/* The columns before the op, of what is not of a step. */
static void put_no_step(struct exporter *e)
{
	text_add_repeat(&e->line, ',', 2 + (size_t)e->ranks + e->groups);
}

static void put_unit(struct exporter *e, enum dimension dimension)
{
	text_printf(&e->line, ",%s\n", unit_of(e, dimension)->key);
}

static void flush(struct exporter *e)
{
	outfile_write(e->out, e->line.data, e->line.size);
	text_clear(&e->line);
}

/* The value of a fact about a row; false when it is not known. */
static bool fact_of(const struct exporter *e, const struct observed_quantity *q,
	const struct group *group, int64_t *value)
{
	const struct cube *cube = e->series[q->total].cube;

	if (q->each) {
		*value = op_series_float_ops_each(cube, group);
		return *value != CELL_ABSENT;
	}
	return grouping_static(cube, group, q->id, value);
}

/* ---- the long form ---- */

static void put_text(struct exporter *e, const char *op, const char *measure, const char *text)
{
	put_no_step(e);
	if (op)
		put_op(e, op);
	text_printf(&e->line, ",%s,,", measure);
	csv_field(&e->line, text, false);
	text_add(&e->line, "\n");
}

static const char *shape_of(const struct exporter *e, const struct group *group, bool total)
{
	/* of ops, not of what is below them */
	return total ? "" : grouping_shape(e->set->cube, group);
}

static void long_facts(struct exporter *e, const struct group *group, bool total)
{
	const char *shape = shape_of(e, group, total);

	if (e->set->complete)
		put_text(e, group->name, total ? "type_total" : "type", group->type);
	if (e->set->complete && *group->device)
		put_text(e, group->name, total ? "device_total" : "device", group->device);
	if (e->set->complete && *shape)
		put_text(e, group->name, "shape", shape);
	for (size_t k = 0; k < e->quantity_count; k++) {
		const struct observed_quantity *q = &e->quantity[k];
		int64_t value;

		if (q->total != total || !is_fact(q) || !fact_of(e, q, group, &value))
			continue;
		put_no_step(e);
		put_op(e, group->name);
		text_add(&e->line, ",");
		put_name(e, q);
		text_add(&e->line, ",");
		put_value(e, dimension_of(q), value);
		put_unit(e, dimension_of(q));
	}
}

static void long_step(struct exporter *e, const struct group *group, size_t i, bool total)
{
	const struct op_series *series = &e->series[total];

	for (size_t k = 0, m = 0; k < e->quantity_count; k++) {
		const struct observed_quantity *q = &e->quantity[k];

		if (q->total != total || is_fact(q))
			continue;
		while (series->measure[m] != q->id)
			m++;
		put_step(e, i);
		put_op(e, group->name);
		text_add(&e->line, ",");
		put_name(e, q);
		text_add(&e->line, ",");
		if (series->state[m][i] == 1)
			put_value(e, dimension_of(q), series->value[m][i]);
		put_unit(e, dimension_of(q));
	}
}

/* ---- the wide form ---- */

static void wide_texts(struct exporter *e, const struct group *group, bool total)
{
	bool own = total == e->set->cube->totals;

	text_add(&e->line, ",");
	if (own)
		csv_field(&e->line, group->type, false);
	text_add(&e->line, ",");
	if (own)
		csv_field(&e->line, group->device, false);
}

/* Columns about the source: source, issue, fact, printed. */
enum file_column { COLUMN_SOURCE, COLUMN_ISSUE, COLUMN_FACT, COLUMN_PRINTED };

static size_t file_columns(const struct exporter *e)
{
	return 2 + e->facts + e->set->printed;
}

/* Columns after those of measures, facts, shape and given totals: wall, busy, the series of steps,
 * and those about the source. */
static size_t after_shape(const struct exporter *e)
{
	return 2 + e->set->cube->series.count + file_columns(e);
}

/* What follows the columns of measures and facts: shape, type and device of given totals, and
 * what is empty here. */
static void wide_end(struct exporter *e, const struct group *group, bool total)
{
	if (!e->set->complete) {
		text_add(&e->line, "\n");
		return;
	}
	if (e->shapes) {
		text_add(&e->line, ",");
		csv_field(&e->line, shape_of(e, group, total), false);
	}
	if (e->set->given) {
		text_add(&e->line, ",");
		if (total)
			put_op(e, group->type);
		text_add(&e->line, ",");
		if (total)
			csv_field(&e->line, group->device, false);
	}
	text_add_repeat(&e->line, ',', after_shape(e));
	text_add(&e->line, "\n");
}

/* A row of an op in a step, or (i is not a step) of the facts alone. */
static void wide_row(struct exporter *e, const struct group *group, size_t i, bool total)
{
	const struct op_series *series = &e->series[total];
	bool in_step = i < series->step_count;

	if (in_step)
		put_step(e, i);
	else
		put_no_step(e);
	put_op(e, group->name);
	wide_texts(e, group, total);
	for (size_t k = 0, m = 0; k < e->quantity_count; k++) {
		const struct observed_quantity *q = &e->quantity[k];
		int64_t value;

		text_add(&e->line, ",");
		if (q->total != total)
			continue;
		if (is_fact(q)) {
			if (fact_of(e, q, group, &value))
				put_value(e, dimension_of(q), value);
			continue;
		}
		while (series->measure[m] != q->id)
			m++;
		if (in_step && series->state[m][i] == 1)
			put_value(e, dimension_of(q), series->value[m][i]);
	}
	wide_end(e, group, total);
}

/* ---- rows of both forms ---- */

static void put_group(struct exporter *e, const struct group *group, bool total)
{
	struct op_series *series = &e->series[total];

	op_series_read(series, group);
	if (!e->opt->wide)
		long_facts(e, group, total);
	else if (!series->ran)
		wide_row(e, group, SIZE_MAX, total);
	for (size_t i = 0; i < series->ran; i++)
		if (e->opt->wide)
			wide_row(e, group, series->step[i], total);
		else
			long_step(e, group, series->step[i], total);
	flush(e);
}

/* Rows that ran and, between them in order of name, those that never did. */
static void put_groups(struct exporter *e)
{
	const struct grouping *rows = e->set->rows, *all = e->set->all;
	size_t next = 0;

	for (size_t g = 0; all && g < all->count; g++) {
		const char *name = all->group[g].name;

		if (next < rows->count && strcmp(rows->group[next].name, name) <= 0) {
			while (next < rows->count && strcmp(rows->group[next].name, name) <= 0)
				put_group(e, &rows->group[next++], e->set->cube->totals);
			continue;
		}
		if (g == 0 || strcmp(all->group[g - 1].name, name) != 0)
			put_group(e, &all->group[g], e->set->cube->totals);
	}
	while (next < rows->count)
		put_group(e, &rows->group[next++], e->set->cube->totals);
}

/* Between `device` and `wall`. */
static size_t empty_columns(const struct exporter *e)
{
	return e->quantity_count + e->shapes + (e->set->given ? 2 : 0);
}

/* "marker", "gpu:0_compute"; with a unit in the wide form. */
static void put_series_name(
	struct exporter *e, const struct step_series *series, const struct unit *unit)
{
	struct text name;

	text_init(&name);
	text_printf(&name, "%s%s%s", series->device, *series->device ? "_" : "",
		step_series_name(series->kind));
	if (unit)
		text_printf(&name, "_%s", unit->key);
	csv_field(&e->line, text_string(&name), false);
	text_release(&name);
}

static void put_series(struct exporter *e, const struct step_series *series, size_t i)
{
	const int64_t value = series->value_ps[e->set->steps->step[i]];
	const bool known = value != CELL_ABSENT;

	if (e->opt->wide) {
		text_add(&e->line, ",");
		if (known)
			put_value(e, DIMENSION_TIME, value);
		return;
	}
	/* The first row of a series without a value says that there is such a series. */
	if (!known && (i > 0 || op_series_step_known(e->set, series)))
		return;
	put_step(e, i);
	text_add(&e->line, ",");
	put_series_name(e, series, NULL);
	text_add(&e->line, ",");
	if (known)
		put_value(e, DIMENSION_TIME, value);
	put_unit(e, DIMENSION_TIME);
}

static void put_busy(struct exporter *e, const struct step *step, size_t i)
{
	if (e->opt->wide) {
		text_add(&e->line, ",");
		if (step->has_wall)
			put_value(e, DIMENSION_TIME, step->busy_ps);
		return;
	}
	put_unit(e, DIMENSION_TIME);
	if (!step->has_wall)
		return;
	put_step(e, i);
	text_add(&e->line, ",busy,");
	put_value(e, DIMENSION_TIME, step->busy_ps);
	put_unit(e, DIMENSION_TIME);
}

static void put_steps(struct exporter *e)
{
	const struct step_series_list *list = &e->set->cube->series;

	for (size_t i = 0; i < e->set->steps->count; i++) {
		const struct step *step = &e->set->cube->step[e->set->steps->step[i]];

		put_step(e, i);
		if (e->opt->wide) {
			text_add_repeat(&e->line, ',', 3 + empty_columns(e));
		} else {
			text_add(&e->line, ",wall,");
		}
		if (step->has_wall)
			put_value(e, DIMENSION_TIME, step->end_ps - step->start_ps);
		put_busy(e, step, i);
		for (size_t k = 0; k < list->count; k++)
			put_series(e, &list->item[k], i);
		if (e->opt->wide) {
			text_add_repeat(&e->line, ',', file_columns(e));
			text_add(&e->line, "\n");
		}
		if (e->line.size > 65536)
			flush(e);
	}
}

static void put_file_fact(
	struct exporter *e, const char *measure, enum file_column column, const char *text)
{
	/* `printed` comes after `fact`, which may be missing. */
	size_t at = column == COLUMN_PRINTED && !e->facts ? COLUMN_FACT : column;

	if (!e->opt->wide) {
		put_text(e, NULL, measure, text);
		return;
	}
	put_no_step(e);
	text_add_repeat(&e->line, ',', 5 + empty_columns(e) + e->set->cube->series.count + at);
	csv_field(&e->line, text, false);
	text_add_repeat(&e->line, ',', file_columns(e) - 1 - at);
	text_add(&e->line, "\n");
}

static void put_facts(struct exporter *e, const struct fact_lists *facts)
{
	struct text text;

	text_init(&text);
	for (enum fact_id id = 0; id < FACT_COUNT; id++)
		for (size_t i = 0; i < facts->of[id].count; i++) {
			text_clear(&text);
			fact_line_add(&text, id, &facts->of[id].value[i]);
			put_file_fact(e, "fact", COLUMN_FACT, text_string(&text));
		}
	text_release(&text);
}

static void put_source(struct exporter *e)
{
	const struct cube *cube = e->set->cube;
	struct text text;

	if (cube->format_title)
		put_file_fact(e, "source", COLUMN_SOURCE, cube->format_title);
	if (e->set->printed)
		put_file_fact(e, "printed", COLUMN_PRINTED, "yes");
	put_facts(e, &cube->facts);
	text_init(&text);
	for (size_t i = 0; i < cube->issues.count; i++) {
		text_clear(&text);
		issue_text_add(&text, &cube->issues.issue[i]);
		put_file_fact(e, "issue", COLUMN_ISSUE, text_string(&text));
	}
	text_release(&text);
}

static void put_header(struct exporter *e)
{
	const char *time = unit_of(e, DIMENSION_TIME)->key;
	const char *ranks = e->ranks ? "rank," : "", *groups = e->groups ? "group," : "";

	if (!e->opt->wide) {
		text_printf(&e->line, "run,%s%sstep,op,measure,value,unit\n", ranks, groups);
		return;
	}
	text_printf(&e->line, "run,%s%sstep,op,type,device", ranks, groups);
	for (size_t k = 0; k < e->quantity_count; k++) {
		enum dimension dimension = dimension_of(&e->quantity[k]);

		text_add(&e->line, ",");
		put_name(e, &e->quantity[k]);
		if (dimension != DIMENSION_COUNT)
			text_printf(&e->line, "_%s", unit_of(e, dimension)->key);
	}
	if (!e->set->complete) {
		text_add(&e->line, "\n");
		return;
	}
	text_add(&e->line, e->shapes ? ",shape" : "");
	if (e->set->given)
		text_add(&e->line, ",type_total,device_total");
	text_printf(&e->line, ",wall_%s,busy_%s", time, time);
	for (size_t i = 0; i < e->set->cube->series.count; i++) {
		text_add(&e->line, ",");
		put_series_name(e, &e->set->cube->series.item[i], unit_of(e, DIMENSION_TIME));
	}
	text_printf(&e->line, ",source,issue%s%s\n", e->facts ? ",fact" : "",
		e->set->printed ? ",printed" : "");
}

static void find_ranks(struct exporter *e)
{
	const struct cube *cube = e->set->cube;

	for (size_t r = 0; r < e->set->steps->run_count; r++) {
		const struct run *run = &cube->run[e->set->steps->run[r]];

		e->ranks |= run->rank != NULL;
		e->groups |= run->rank && run->rank_group;
	}
}

static bool any_shape(const struct observation_set *set)
{
	const struct grouping *groups[] = {set->rows, set->all};

	for (size_t i = 0; i < 2 && set->complete && !set->cube->totals; i++)
		for (size_t g = 0; groups[i] && g < groups[i]->count; g++)
			if (*grouping_shape(set->cube, &groups[i]->group[g]))
				return true;
	return false;
}

static void add_quantity(struct exporter *e, enum measure_id id, bool each, bool total)
{
	e->quantity[e->quantity_count++] =
		(struct observed_quantity){.id = id, .each = each, .total = total};
}

static void choose_quantities(struct exporter *e, struct arena *arena)
{
	const struct observation_set *set = e->set;
	bool total = set->cube->totals;

	e->quantity =
		arena_array(arena, set->measure_count + set->given_count + 6, sizeof(*e->quantity));
	for (size_t m = 0; m < set->measure_count; m++)
		add_quantity(e, set->measure[m], false, total);
	for (size_t m = 0; m < set->given_count; m++)
		add_quantity(e, set->given_measure[m], false, true);
	for (size_t t = 0; t < 2; t++) {
		if (!set->complete || (t != total && !(t && set->given)))
			continue;
		add_quantity(e, MEASURE_PARAMS, false, t);
		add_quantity(e, MEASURE_FLOAT_OPS, true, t);
		add_quantity(e, MEASURE_DEFINED, false, t);
	}
}

void observations_write_csv(const struct observation_set *set,
	const struct observations_options *opt, struct outfile *out)
{
	struct arena *arena = arena_new();
	struct exporter e = {.set = set,
		.opt = opt,
		.out = out,
		.shapes = any_shape(set),
		.facts = !fact_lists_are_empty(&set->cube->facts)};
	struct grouping scopes;

	find_ranks(&e);
	op_series_init(&e.series[set->cube->totals], set, false, arena);
	if (set->given)
		op_series_init(&e.series[1], set, true, arena);
	choose_quantities(&e, arena);
	text_init(&e.line);
	put_header(&e);
	if (set->complete) {
		put_source(&e);
		put_steps(&e);
	}
	put_groups(&e);
	if (set->given) {
		scopes = op_series_each_op(set->given, arena);
		for (size_t g = 0; g < scopes.count; g++)
			put_group(&e, &scopes.group[g], true);
	}
	flush(&e);
	text_release(&e.line);
	arena_free(arena);
}
