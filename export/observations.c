/* The table of observations, whichever format its cells are written in. */
#include "export/observations.h"

#include <string.h>
#include "base/text.h"
#include "export/observation_cells.h"
#include "model/issue/issue_text.h"
#include "model/own/measure_own.h"

#define CALLS_NAME "collective_calls"

/* A column of the wide form, a word of the column `measure` in the long one. */
struct observed_quantity {
	enum measure_id id;
	bool each; /* float operations of one execution; no measure of its own */
	bool total;
};

struct exporter {
	const struct observation_set *set;
	const struct observations_options *opt;
	struct observation_cells *cells;
	const struct unit *time, *bytes, *count;
	struct observed_quantity *quantity;
	size_t quantity_count;
	bool shapes;		    /* the wide form has the column `shape`: some op has one */
	bool facts;		    /* and `fact`: the files say something of their recording */
	bool starts;		    /* and `start`: the time of day of some step is known */
	bool ranks, groups;	    /* columns rank and group after the run: some run has one */
	bool indexes, kinds;	    /* columns around the step: numbers are not the order; some
				       step has a kind */
	struct op_series series[2]; /* of the rows, of the given totals */
	/* Calls of collectives by op, those of an op by step; of each op the first, and the next of
	 * the row that is written. NULL: none, or left out. */
	const struct collective_call *const *call;
	size_t *call_first, *call_next;
};

/* Looked up once: it is asked for each value. */
static void choose_units(struct exporter *e)
{
	const struct observations_options *opt = e->opt;

	e->time = opt->parquet	   ? unit_lookup("ps")
		  : opt->time_unit ? opt->time_unit
				   : unit_lookup("us");
	e->bytes = opt->bytes_unit ? opt->bytes_unit : unit_lookup("B");
	e->count = unit_lookup("count");
}

static const struct unit *unit_of(const struct exporter *e, enum dimension dimension)
{
	return dimension == DIMENSION_TIME			     ? e->time
	       : dimension == DIMENSION_BYTES			     ? e->bytes
	       : dimension < DIMENSION_BYTES_RATE || e->opt->parquet ? e->count
								     : unit_choose(dimension, 0);
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
static void add_name(const struct observed_quantity *q, struct text *name)
{
	text_add(name, q->each ? "float_ops_each" : measure_at(q->id)->name);
	text_add(name, q->total ? "_total" : "");
}

static void put_name(struct exporter *e, const struct observed_quantity *q)
{
	struct text name;

	text_init(&name);
	add_name(q, &name);
	cells_text(e->cells, text_string(&name));
	text_release(&name);
}

static void put_value(struct exporter *e, enum dimension dimension, int64_t value)
{
	cells_value(e->cells, value, unit_of(e, dimension));
}

static void put_step(struct exporter *e, size_t i)
{
	const struct step *step = &e->set->cube->step[e->set->steps->step[i]];

	cells_text(e->cells, step->run);
	if (e->ranks)
		cells_text(e->cells, step->rank ? step->rank : "");
	if (e->groups)
		cells_text(e->cells, step->rank_group ? step->rank_group : "");
	if (e->indexes)
		cells_integer(e->cells, step->index);
	cells_integer(e->cells, step->number);
	if (e->kinds)
		cells_text(e->cells, step->kind ? step->kind : "");
}

/* The columns before the op, of what is not of a step. */
static void put_no_step(struct exporter *e)
{
	cells_skip(e->cells, 2 + (size_t)e->ranks + e->groups + e->indexes + e->kinds);
}

/* A measure of a file has its direction behind its unit. */
static void add_own_unit(const struct exporter *e, enum measure_id id, struct text *out)
{
	const struct measure *measure = measure_at(id);

	if (measure->dimension == DIMENSION_TIME || measure->dimension == DIMENSION_BYTES)
		text_add(out, unit_of(e, measure->dimension)->key);
	else
		measure_add_unit(measure, e->opt->parquet, out);
	measure_add_direction(measure, out);
}

static void put_quantity_unit(struct exporter *e, const struct observed_quantity *q)
{
	struct text unit;

	text_init(&unit);
	if (!q->each && measure_is_own(q->id))
		add_own_unit(e, q->id, &unit);
	else
		text_add(&unit, unit_of(e, dimension_of(q))->key);
	cells_text(e->cells, text_string(&unit));
	cells_end_row(e->cells);
	text_release(&unit);
}

static void put_unit(struct exporter *e, enum dimension dimension)
{
	cells_text(e->cells, unit_of(e, dimension)->key);
	cells_end_row(e->cells);
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

/* ---- calls of collectives ---- */

/* CSV, which people read, leaves them out. */
static void choose_calls(struct exporter *e, struct arena *arena)
{
	const struct collective_calls *calls = &e->set->cube->collectives;

	if (!e->opt->parquet || !e->set->complete || e->set->cube->totals || !calls->count)
		return;
	e->call = op_series_calls(e->set->cube, arena, &e->call_first);
	e->call_next = arena_array(arena, e->set->cube->op_count, sizeof(*e->call_next));
}

/* The calls of a row in step i; steps are asked for in their order. */
static void add_collectives_text(
	struct exporter *e, const struct group *group, size_t i, struct text *text)
{
	const uint32_t step = e->set->steps->step[i];
	const char *before = NULL;

	for (size_t k = 0; e->call && k < group->op_count; k++) {
		const uint32_t op = group->op[k];
		size_t *next = &e->call_next[op];

		for (; *next < e->call_first[op + 1] && e->call[*next]->step <= step; ++*next)
			if (e->call[*next]->step == step)
				collective_call_add_text(text, e->call[*next], &before);
	}
}

/* ---- the long form ---- */

static void put_text(struct exporter *e, const char *op, const char *measure, const char *text)
{
	put_no_step(e);
	if (op)
		cells_name(e->cells, op);
	else
		cells_skip(e->cells, 1);
	cells_text(e->cells, measure);
	cells_skip(e->cells, 1);
	cells_text(e->cells, text);
	cells_end_row(e->cells);
}

static const char *shape_of(const struct exporter *e, const struct group *group, bool total)
{
	/* of ops, not of what is below them */
	return total ? "" : grouping_shape(e->set->cube, group);
}

static void long_step(struct exporter *e, const struct group *group, size_t i, bool total)
{
	const struct op_series *series = &e->series[total];
	struct text calls;

	for (size_t k = 0, m = 0; k < e->quantity_count; k++) {
		const struct observed_quantity *q = &e->quantity[k];

		if (q->total != total || is_fact(q))
			continue;
		while (series->measure[m] != q->id)
			m++;
		/* Costs of products are known of few ops; the others have no row of them. */
		if ((q->id == MEASURE_FLOAT_OPS || q->id == MEASURE_MATRIX_BYTES) &&
			series->state[m][i] == 2)
			continue;
		put_step(e, i);
		cells_name(e->cells, group->name);
		put_name(e, q);
		if (series->state[m][i] == 1)
			put_value(e, dimension_of(q), series->value[m][i]);
		else
			cells_skip(e->cells, 1);
		put_quantity_unit(e, q);
	}
	if (total || !e->call)
		return;
	text_init(&calls);
	add_collectives_text(e, group, i, &calls);
	if (calls.size) {
		put_step(e, i);
		cells_name(e->cells, group->name);
		cells_text(e->cells, CALLS_NAME);
		cells_skip(e->cells, 1);
		cells_text(e->cells, text_string(&calls));
		cells_end_row(e->cells);
	}
	text_release(&calls);
}

/* ---- the wide form ---- */

/* Columns about the source: source, issue, fact, printed. */
enum file_column { COLUMN_SOURCE, COLUMN_ISSUE, COLUMN_FACT, COLUMN_PRINTED };

/* A row of an op in a step, or (i is not a step) of the facts alone. */
static void wide_row(struct exporter *e, const struct group *group, size_t i, bool total)
{
	const struct op_series *series = &e->series[total];
	bool in_step = i < series->step_count;

	if (in_step)
		put_step(e, i);
	else
		put_no_step(e);
	cells_name(e->cells, group->name);

	bool own = total == e->set->cube->totals;

	cells_text(e->cells, own ? group->type : "");
	cells_text(e->cells, own ? group->device : "");
	if (e->call) {
		struct text calls;

		text_init(&calls);
		if (in_step && !total)
			add_collectives_text(e, group, i, &calls);
		cells_text(e->cells, text_string(&calls));
		text_release(&calls);
	}
	for (size_t k = 0, m = 0; k < e->quantity_count; k++) {
		const struct observed_quantity *q = &e->quantity[k];
		int64_t value = 0;
		bool known = false;

		if (q->total == total && is_fact(q)) {
			known = fact_of(e, q, group, &value);
		} else if (q->total == total) {
			while (series->measure[m] != q->id)
				m++;
			known = in_step && series->state[m][i] == 1;
			value = known ? series->value[m][i] : 0;
		}
		if (known)
			put_value(e, dimension_of(q), value);
		else
			cells_skip(e->cells, 1);
	}
	/* Columns after those of measures and facts: shape, type and device of given totals. */
	if (e->set->complete && e->shapes)
		cells_text(e->cells, shape_of(e, group, total));
	if (e->set->complete && e->set->given && total) {
		cells_name(e->cells, group->type);
		cells_text(e->cells, group->device);
	}
	cells_end_row(e->cells);
}

/* ---- rows of both forms ---- */

static void put_group(struct exporter *e, const struct group *group, bool total)
{
	struct op_series *series = &e->series[total];

	op_series_read(series, group);
	if (!total) {
		for (size_t k = 0; e->call && k < group->op_count; k++)
			e->call_next[group->op[k]] = e->call_first[group->op[k]];
	}
	if (!e->opt->wide) {
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
			cells_name(e->cells, group->name);
			put_name(e, q);
			put_value(e, dimension_of(q), value);
			put_quantity_unit(e, q);
		}
	} else if (!series->ran)
		wide_row(e, group, SIZE_MAX, total);
	for (size_t i = 0; i < series->ran; i++)
		if (e->opt->wide)
			wide_row(e, group, series->step[i], total);
		else
			long_step(e, group, series->step[i], total);
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
	return (e->call != NULL) + e->quantity_count + e->shapes + (e->set->given ? 2 : 0);
}

/* "marker", "gpu:0_compute"; with a unit in the wide form. */
static void add_series_name(
	const struct step_series *series, const struct unit *unit, struct text *name)
{
	struct arena *scratch = arena_new();

	text_printf(name, "%s%s%s", step_series_place(scratch, series->device, series->cause),
		*series->device ? "_" : "", step_series_name(series->kind));
	arena_free(scratch);
	if (unit)
		text_printf(name, "_%s", unit->key);
}

static void put_time(struct exporter *e, bool known, int64_t value)
{
	if (known)
		put_value(e, DIMENSION_TIME, value);
	else
		cells_skip(e->cells, 1);
}

static void put_long_time(
	struct exporter *e, size_t i, const char *measure, bool known, int64_t value)
{
	put_step(e, i);
	cells_skip(e->cells, 1);
	cells_text(e->cells, measure);
	put_time(e, known, value);
	put_unit(e, DIMENSION_TIME);
}

/* In ns whatever the other units are: times since 1970 do not fit into ps. */
static void put_start(struct exporter *e, const struct step *step, size_t i)
{
	int64_t start_ns;

	if (!step_start(step, &start_ns)) {
		cells_skip(e->cells, e->opt->wide && e->starts);
		return;
	}
	if (!e->opt->wide) {
		put_step(e, i);
		cells_skip(e->cells, 1);
		cells_text(e->cells, "start");
	}
	cells_integer(e->cells, start_ns);
	if (!e->opt->wide) {
		cells_text(e->cells, "ns");
		cells_end_row(e->cells);
	}
}

static void put_steps(struct exporter *e)
{
	const struct step_series_list *list = &e->set->cube->series;

	for (size_t i = 0; i < e->set->steps->count; i++) {
		const struct step *step = &e->set->cube->step[e->set->steps->step[i]];
		const int64_t wall = step->end_ps - step->start_ps;

		if (e->opt->wide) {
			put_step(e, i);
			cells_skip(e->cells, 3 + empty_columns(e));
			put_time(e, step->has_wall, wall);
			put_time(e, step_knows_busy(step), step->busy_ps);
		} else {
			put_long_time(e, i, "wall", step->has_wall, wall);
			if (step_knows_busy(step))
				put_long_time(e, i, "busy", true, step->busy_ps);
		}
		put_start(e, step, i);
		for (size_t k = 0; k < list->count; k++) {
			const int64_t value = list->item[k].value_ps[e->set->steps->step[i]];
			const bool known = value != CELL_ABSENT;
			struct text name;

			if (e->opt->wide) {
				put_time(e, known, value);
				continue;
			}
			/* The first row of a series without a value says that there is such a
			 * series. */
			if (!known && (i > 0 || op_series_step_known(e->set, &list->item[k])))
				continue;
			put_step(e, i);
			cells_skip(e->cells, 1);
			text_init(&name);
			add_series_name(&list->item[k], NULL, &name);
			cells_text(e->cells, text_string(&name));
			text_release(&name);
			put_time(e, known, value);
			put_unit(e, DIMENSION_TIME);
		}
		if (e->opt->wide)
			cells_end_row(e->cells);
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
	cells_skip(e->cells, 5 + empty_columns(e) + e->starts + e->set->cube->series.count + at);
	cells_text(e->cells, text);
	cells_end_row(e->cells);
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

static void text_column(struct exporter *e, const char *name)
{
	cells_column(e->cells, name, CELL_OF_TEXT);
}

static void number_column(struct exporter *e, struct text *name)
{
	cells_column(e->cells, text_string(name), CELL_OF_NUMBER);
	text_clear(name);
}

/* Columns of times of a step: "wall_us", "gpu:0_idle_us". */
static void step_columns(struct exporter *e, struct text *name)
{
	const struct unit *time = unit_of(e, DIMENSION_TIME);
	static const char *const words[] = {"wall", "busy"};

	for (size_t i = 0; i < 2; i++) {
		text_printf(name, "%s_%s", words[i], time->key);
		number_column(e, name);
	}
	if (e->starts)
		cells_column(e->cells, "start_ns", CELL_OF_NUMBER);
	for (size_t i = 0; i < e->set->cube->series.count; i++) {
		add_series_name(&e->set->cube->series.item[i], time, name);
		number_column(e, name);
	}
}

static void wide_columns(struct exporter *e, struct text *name)
{
	text_column(e, "type");
	text_column(e, "device");
	if (e->call)
		text_column(e, CALLS_NAME);
	for (size_t k = 0; k < e->quantity_count; k++) {
		enum dimension dimension = dimension_of(&e->quantity[k]);

		add_name(&e->quantity[k], name);
		if (!e->quantity[k].each && measure_is_own(e->quantity[k].id)) {
			text_add(name, " [");
			add_own_unit(e, e->quantity[k].id, name);
			text_add_char(name, ']');
		} else if (dimension != DIMENSION_COUNT) {
			text_printf(name, "_%s", unit_of(e, dimension)->key);
		}
		number_column(e, name);
	}
	if (!e->set->complete)
		return;
	if (e->shapes)
		text_column(e, "shape");
	if (e->set->given) {
		text_column(e, "type_total");
		text_column(e, "device_total");
	}
	step_columns(e, name);
	text_column(e, "source");
	text_column(e, "issue");
	if (e->facts)
		text_column(e, "fact");
	if (e->set->printed)
		text_column(e, "printed");
}

static void put_header(struct exporter *e)
{
	struct text name;

	text_init(&name);
	text_column(e, "run");
	if (e->ranks)
		text_column(e, "rank");
	if (e->groups)
		text_column(e, "group");
	if (e->indexes)
		cells_column(e->cells, "index", CELL_OF_NUMBER);
	cells_column(e->cells, "step", CELL_OF_NUMBER);
	if (e->kinds)
		text_column(e, "kind");
	text_column(e, e->set->cube->benchmarks ? "benchmark" : "op");
	if (e->opt->wide) {
		wide_columns(e, &name);
	} else {
		text_column(e, "measure");
		cells_column(e->cells, "value", CELL_OF_NUMBER);
		text_column(e, "unit");
	}
	text_release(&name);
	cells_begin(e->cells);
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

static bool any_start(const struct observation_set *set)
{
	int64_t start_ns;

	for (size_t i = 0; i < set->steps->count; i++)
		if (step_start(&set->cube->step[set->steps->step[i]], &start_ns))
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

static int check(
	const struct observations_options *opt, const struct outfile *out, struct error *err)
{
	if (!opt->parquet || (!opt->time_unit && !opt->bytes_unit))
		return 0;
	error_set(err, ERROR_USAGE, "--unit", "the values of %s are whole ps and bytes",
		outfile_path(out));
	return error_hint(err, "leave out --unit, or write a CSV");
}

int observations_write_table(const struct observation_set *set,
	const struct observations_options *opt, struct outfile *out, struct error *err)
{
	struct arena *arena;
	struct exporter e = {.set = set,
		.opt = opt,
		.shapes = any_shape(set),
		.facts = !fact_lists_are_empty(&set->cube->facts),
		.starts = any_start(set)};
	struct grouping scopes;
	int result;

	if (check(opt, out, err) < 0)
		return -1;
	arena = arena_new();
	e.cells = opt->parquet ? observation_cells_parquet(out, opt->program)
			       : observation_cells_csv(out);
	choose_units(&e);

	const struct cube *cube = e.set->cube;

	for (size_t r = 0; r < e.set->steps->run_count; r++) {
		const struct run *run = &cube->run[e.set->steps->run[r]];

		e.ranks |= run->rank != NULL;
		e.groups |= run->rank && run->rank_group;
		for (size_t i = run->step_first; i < run->step_first + run->step_count; i++) {
			const struct step *step = &cube->step[i];

			e.indexes |= i > run->step_first && step->number <= step[-1].number;
			e.kinds |= step->kind != NULL;
		}
	}
	op_series_init(&e.series[set->cube->totals], set, false, arena);
	if (set->given)
		op_series_init(&e.series[1], set, true, arena);
	choose_quantities(&e, arena);
	choose_calls(&e, arena);
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
	result = cells_finish(e.cells, err);
	cells_free(e.cells);
	arena_free(arena);
	return result;
}
