/* Rows to observations. Rows may be in any order and are not stored: memory grows with the
 * observations. */
#include "ingest/table/table_read.h"

#include <inttypes.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "ingest/table/table_parts.h"
#include "model/op_shape.h"

#define NO_STEP CSV_NO_STEP
#define NOWHERE SIZE_MAX

/* ---- places ---- */

static const struct table_cell *field_of(const struct table_reader *r, enum column_role role)
{
	static const struct table_cell none = {.text = ""};
	size_t at = r->columns.at[role];

	return at == NO_COLUMN ? &none : &r->row.field[at];
}

static void place_text(const struct table_reader *r, char *out, size_t size)
{
	cell_rows_place(r->rows, r->row.line, out, size);
}

/* ---- numbers ---- */

static int read_number(struct table_reader *r, size_t at, enum dimension dimension,
	const struct unit *unit, int64_t *value, struct error *err)
{
	bool is_time = dimension == DIMENSION_TIME;
	struct csv_number number;

	if (csv_number_read(r->rows, &r->row, at, csv_number_factor(unit, r->opt->kilobyte),
		    &number, err) < 0)
		return -1;
	*value = number.value;
	/* 1e-9 of a large number of its own is beyond what it means. */
	if (number.rounded && dimension > DIMENSION_FRACTION)
		return 0;
	if (number.rounded && (!r->rounded[is_time]++ || r->row.line < r->rounded_line[is_time])) {
		r->rounded_line[is_time] = r->row.line;
		place_text(r, r->rounded_place[is_time], sizeof(r->rounded_place[0]));
	}
	return 0;
}

/* ---- run, step, op ---- */

/* The step of the row; *step is NO_STEP when the row has none. */
static int step_of_row(struct table_reader *r, uint32_t *step, struct error *err)
{
	const size_t before = r->out->step_count;

	if (csv_step_of_row(&r->steps, &(struct csv_row){r->rows, &r->row, &r->columns, r->scratch},
		    &r->recordings, step, err) < 0)
		return -1;
	if (r->out->step_count == before)
		return 0;
	table_reader_add_step(r, (uint32_t)before, r->steps.recording);
	return 0;
}

void table_reader_add_step(struct table_reader *r, uint32_t step, uint32_t recording)
{
	r->facts = memory_make_room(r->facts, &r->facts_room, (size_t)step + 1, sizeof(*r->facts));
	r->facts[step] = (struct step_facts){.recording = recording};
}

struct csv_table *table_reader_table(struct table_reader *r, bool total)
{
	if (!total)
		return &r->self;
	if (!r->out->totals) {
		r->out->totals = profile_new(r->out->path);
		csv_table_init(&r->totals, r->out->totals);
	}
	return &r->totals;
}

/* Finds the op of the row: it is the one of the row before, or the one that followed that, as a
 * rule. */
static struct row_place *op_of_row(struct table_reader *r, bool total)
{
	struct row_place *at = &r->at[total];
	const uint32_t before = at->op;
	const struct table_cell *field;
	struct csv_table *table;
	const char *name;

	if (at->op_line == r->row.line)
		return at;
	field = field_of(r, COLUMN_OP);
	table = table_reader_table(r, total);
	at->op_line = r->row.line;
	at->shared = false;
	if (cell_memo_find(&r->op_memo[total], field, &at->op))
		return at;
	if (csv_table_is_op(table, before, field))
		return at;
	at->op = table->op_room ? table->op[before].next : 0;
	if (csv_table_is_op(table, at->op, field)) {
		cell_memo_keep(&r->op_memo[total], field, at->op);
		return at;
	}
	name = visible_decode(field->text, r->scratch);
	at->op = csv_table_op(table, name, strlen(name), &at->shared, &r->opt->limits);
	table->op[before].next = at->op;
	if (!at->shared)
		cell_memo_keep(&r->op_memo[total], field, at->op);
	return at;
}

/* ---- facts ---- */

static int conflict(
	struct table_reader *r, size_t at, const char *what, uint32_t line, struct error *err)
{
	return cell_rows_error(r->rows, at, err, "another value for %s than in %s %" PRIu32, what,
		cell_rows_word(r->rows), line);
}

static uint32_t line_of_row(const struct table_reader *r)
{
	return r->row.line < UINT32_MAX ? (uint32_t)r->row.line : UINT32_MAX;
}

static void set_text(struct table_reader *r, const char **into, const struct table_cell *field,
	const char *code, const char *what)
{
	const char *text = visible_decode(field->text, r->scratch);
	char place[600];

	if (!**into) {
		*into = arena_strdup(r->out->arena, text);
	} else if (!text_equal(*into, text)) {
		place_text(r, place, sizeof(place));
		issue_add(&r->out->issues, ISSUE_INFO, code, what, 1, place);
	}
}

static int op_number(struct table_reader *r, size_t at, const struct csv_quantity *q, uint32_t id,
	struct error *err)
{
	struct csv_table *table = table_reader_table(r, q->total);
	struct op *op = &table->profile->op[id];
	bool params = q->kind == QUANTITY_PARAMS, defined = q->kind == QUANTITY_DEFINED;
	int64_t *into = params ? &op->params : defined ? &op->defined : &op->float_ops_each, value;
	uint32_t *line = &table->op[id].line[params ? 0 : defined ? 1 : 2];

	if (read_number(r, at, DIMENSION_COUNT, NULL, &value, err) < 0)
		return -1;
	if (*line && *into != value)
		return conflict(r, at,
			params	  ? "the params of this op"
			: defined ? "the nodes of this op"
				  : "the float operations of this op",
			*line, err);
	*into = value;
	if (!*line)
		*line = line_of_row(r);
	return 0;
}

/* A fact about the op of the row; creates the op, which may never run. */
static int op_fact(struct table_reader *r, size_t at, size_t text_at, const struct csv_quantity *q,
	struct error *err)
{
	const struct row_place *at_op = op_of_row(r, q->total);
	const uint32_t id = at_op->op;
	struct op *op = &table_reader_table(r, q->total)->profile->op[id];
	const struct table_cell *field = &r->row.field[text_at == NOWHERE ? at : text_at];

	if (at_op->shared)
		return 0;
	if (q->kind == QUANTITY_TYPE)
		set_text(r, &op->type, field, "type-differs",
			"ops have another type in another row; the first is used");
	else if (q->kind == QUANTITY_DEVICE)
		set_text(r, &op->device, field, "device-differs",
			"ops have another device in another row; the first is used");
	else if (q->kind == QUANTITY_SHAPE) {
		/* A shape that changes from row to row is not a property of the op. */
		const char *text = visible_decode(field->text, r->scratch);
		const char *shape = op_shape_join(op->shape, text);

		op->shape = shape == text ? arena_strdup(r->out->arena, shape) : shape;
	} else
		return r->row.field[at].given ? op_number(r, at, q, id, err) : 0;
	return 0;
}

/* A cell of the row whose number is of a step. */
struct step_cell {
	size_t at;     /* column of the number */
	size_t key_at; /* column that says what the number is, for messages */
	const struct csv_quantity *quantity;
	const struct unit *unit;
	uint32_t step;
};

static void add_series(struct table_reader *r, const char *name, struct csv_quantity *q)
{
	const char *device = arena_strndup(r->scratch, name, q->device_size);

	if (q->kind == QUANTITY_SERIES)
		q->number = step_values_series(
			&r->values, q->series, visible_decode(device, r->scratch), "");
}

static int series_fact(struct table_reader *r, const struct step_cell *cell, struct error *err)
{
	const size_t at = cell->at;
	int64_t value;

	if (!r->row.field[at].given)
		return 0;
	if (field_of(r, COLUMN_OP)->given)
		return cell_rows_error(
			r->rows, cell->key_at, err, "the duration of a step in a row with an op");
	if (read_number(r, at, DIMENSION_TIME, cell->unit, &value, err) < 0)
		return -1;
	if (value < 0)
		return cell_rows_error(r->rows, at, err, "a negative duration");
	if (step_values_set(&r->values, cell->quantity->number, cell->step, value) ==
		STEP_VALUE_DIFFERS)
		return cell_rows_error(
			r->rows, at, err, "another value than in a row above, for the same step");
	return 0;
}

static int step_fact(struct table_reader *r, const struct step_cell *cell, struct error *err)
{
	struct step_facts *facts = &r->facts[cell->step];
	bool busy = cell->quantity->kind == QUANTITY_BUSY;
	int64_t *into = busy ? &facts->busy : &facts->wall, value;
	uint32_t *line = &facts->line[busy];
	size_t at = cell->at;

	if (cell->quantity->kind == QUANTITY_SERIES)
		return series_fact(r, cell, err);
	if (!r->row.field[at].given)
		return 0;
	if (read_number(r, at, DIMENSION_TIME, cell->unit, &value, err) < 0)
		return -1;
	if (value < 0)
		return cell_rows_error(
			r->rows, at, err, "a negative %s time", busy ? "busy" : "wall");
	if (*line && *into != value)
		return conflict(r, at,
			busy ? "the busy time of this step" : "the wall time of this step", *line,
			err);
	*into = value;
	if (!*line)
		*line = line_of_row(r);
	return 0;
}

/* Reads a cell about the run of its row, or about its step. */
static int run_fact(struct table_reader *r, size_t at, const struct csv_quantity *q,
	const struct unit *unit, uint32_t step, struct error *err)
{
	const struct table_cell *field = &r->row.field[at];
	uint32_t recording;

	if (csv_recording_of_row(
		    &r->recordings, r->rows, &r->row, &r->columns, r->scratch, &recording, err) < 0)
		return -1;
	if (q->kind == QUANTITY_START)
		run_facts_add_start(&r->run_facts, r->rows, r->row.line, field, unit,
			step == NO_STEP ? run_facts_start(&r->run_facts, recording)
					: &r->facts[step].start_ns);
	else
		run_facts_add(&r->run_facts, recording, q, field);
	return 0;
}

static int file_fact(
	struct table_reader *r, size_t at, const struct csv_quantity *q, struct error *err)
{
	const struct table_cell *field = &r->row.field[at];

	if (!field->given || csv_table_says(r->out, q, visible_decode(field->text, r->scratch)))
		return 0;
	return cell_rows_error(r->rows, at, err, "expected %s",
		q->kind == QUANTITY_FACT ? "a fact like \"device_model 2 x NVIDIA A100\""
					 : "an issue like \"loss CODE 12 x TEXT (first: PLACE)\"");
}

/* ---- observations ---- */

static int observe(struct table_reader *r, const struct step_cell *cell, struct error *err)
{
	const struct csv_quantity *q = cell->quantity;
	struct csv_table *table = table_reader_table(r, q->total);
	struct row_place *at = op_of_row(r, q->total);
	int64_t value = CELL_ABSENT, old;
	uint32_t line;

	if (at->row_line != r->row.line &&
		csv_table_row(table, at->op, cell->step, &at->row, &r->opt->limits, err) < 0)
		return -1;
	at->row_line = r->row.line;
	if ((table_cell_is_measured(&r->row.field[cell->at]) &&
		    read_number(r, cell->at, q->dimension, cell->unit, &value, err) < 0))
		return -1;
	line = csv_table_line(table, q->measure, at->row);
	if (line && !at->shared) {
		cell_rows_error(r->rows, cell->key_at, err,
			"the same run, step, op and measure as in %s %" PRIu32,
			cell_rows_word(r->rows), line);
		return error_hint(err, "one value for each: add up the executions of a step first; "
				       "a column run separates runs");
	}
	if (line) {
		old = table->profile->obs.column[q->measure][at->row];
		if (value == CELL_ABSENT || old == CELL_ABSENT || !number_add(value, old, &value))
			value = CELL_ABSENT;
	}
	csv_table_set(table, q->measure, at->row, value, line_of_row(r));
	return 0;
}

static int add_calls(struct table_reader *r, size_t at, uint32_t step, struct error *err)
{
	const struct collective_call call = {.op = op_of_row(r, false)->op, .step = step};

	if (collective_calls_parse(
		    &r->out->collectives, call, r->row.field[at].text, r->process_groups))
		return 0;
	cell_rows_error(r->rows, at, err, "no calls of a collective");
	return error_hint(err, "each is NUMBER:PS, -1 where one is not known: 5:1200 6:-1");
}

/* ---- the long form ---- */

/* A measure of its own, which is another one where its unit is. */
static const struct csv_quantity *own_of_row(struct table_reader *r, struct error *err)
{
	const struct table_cell *unit = field_of(r, COLUMN_UNIT);
	const char *name = r->columns.by_unit ? quantity_name_of_unit(unit->text)
					      : field_of(r, COLUMN_MEASURE)->text,
		   *key = arena_printf(r->scratch, "%s\n%s", name, unit->given ? unit->text : "");
	struct csv_quantity q = {0};
	uint32_t id;

	if (intern_find(r->names, key, strlen(key), &id))
		return &r->quantity[id];
	r->met_measure = r->is_part;
	if (r->is_part)
		return NULL;
	if (r->columns.by_unit)
		q = quantity_find(name);
	if (!q.kind &&
		quantity_own(name, unit->given ? unit->text : NULL, r->scratch, &q, err) < 0) {
		cell_rows_at(r->rows, r->columns.at[COLUMN_MEASURE], err);
		return NULL;
	}
	return table_reader_add_quantity(r, key, strlen(key), &q);
}

static const struct csv_quantity *quantity_of_row(struct table_reader *r, struct error *err)
{
	const struct table_cell *field = field_of(r, COLUMN_MEASURE);
	const struct csv_quantity *known = NULL;
	uint32_t id;

	if (r->columns.by_unit)
		return own_of_row(r, err);
	if (!field->given) {
		cell_rows_error(r->rows, r->columns.at[COLUMN_MEASURE], err, "no measure");
		return NULL;
	}
	if (cell_memo_find(&r->name_memo, field, &id)) {
		known = &r->quantity[id];
	} else if (intern_find(r->names, field->text, field->size, &id)) {
		known = &r->quantity[id];
		cell_memo_keep(&r->name_memo, field, id);
	} else {
		struct csv_quantity q = quantity_find(field->text);

		if (q.kind == QUANTITY_UNKNOWN && quantity_is_slip(field->text)) {
			quantity_unknown(r->rows, r->columns.at[COLUMN_MEASURE], field->text, err);
			return NULL;
		}
		if (q.kind == QUANTITY_UNKNOWN)
			q.kind = QUANTITY_OWN;
		else
			add_series(r, field->text, &q);
		known = table_reader_add_quantity(r, field->text, field->size, &q);
	}
	return known->kind == QUANTITY_OWN ? own_of_row(r, err) : known;
}

/* Rows of several measures take turns, each with its unit. */
static const struct unit *unit_of_text(struct table_reader *r, const struct table_cell *field)
{
	uint32_t id;

	if (cell_memo_find(&r->unit_memo, field, &id))
		return r->unit[id];
	if (!intern_find(r->units, field->text, field->size, &id)) {
		id = intern_id(r->units, field->text, field->size);
		r->unit =
			memory_make_room(r->unit, &r->unit_room, (size_t)id + 1, sizeof(*r->unit));
		r->unit[id] = unit_lookup_key(field->text);
	}
	cell_memo_keep(&r->unit_memo, field, id);
	return r->unit[id];
}

/* The unit of a value of the long form, from its own column or from the name of the measure. */
static int unit_of_row(struct table_reader *r, const struct csv_quantity *q,
	const struct unit **unit, struct error *err)
{
	const struct table_cell *field = field_of(r, COLUMN_UNIT);

	*unit = q->unit;
	if (measure_is_own(q->measure) && q->kind == QUANTITY_MEASURE)
		return 0;
	if (field->given) {
		*unit = unit_of_text(r, field);
		if (!*unit || (*unit)->dimension != q->dimension || (q->unit && q->unit != *unit))
			return quantity_bad_unit(
				r->rows, r->columns.at[COLUMN_UNIT], field->text, q, *unit, err);
	}
	if (*unit || q->dimension == DIMENSION_COUNT)
		return 0;
	cell_rows_error(r->rows, r->columns.at[COLUMN_VALUE], err, "a value without a unit");
	return error_hint(err,
		"write the unit (%s) in the column unit, or in the name of the measure",
		q->dimension == DIMENSION_TIME ? "us, ms, s" : "bytes, KB, MiB");
}

static int no_step(struct table_reader *r, struct error *err)
{
	return cell_rows_error(
		r->rows, r->columns.at[COLUMN_STEP], err, "no step for the value of an op");
}

static int no_op(struct table_reader *r, struct error *err)
{
	return cell_rows_error(r->rows, r->columns.at[COLUMN_OP], err, "no op");
}

/* Keeps the row for later; its op and its run, if it is about one, are found now. -1: there are
 * too many. */
static int keep_row(struct table_reader *r, const struct csv_quantity *q, size_t text,
	uint32_t step, struct error *err)
{
	const bool of_op = q->kind == QUANTITY_PARAMS || q->kind == QUANTITY_DEFINED ||
			   q->kind == QUANTITY_FLOAT_OPS_EACH || q->kind == QUANTITY_SHAPE ||
			   q->kind == QUANTITY_TYPE || q->kind == QUANTITY_DEVICE,
		   of_call = q->kind == QUANTITY_CALLS && step != NO_STEP;
	size_t bytes = arena_size_bytes(r->kept) + r->row.count * sizeof(struct table_cell);
	struct table_cell *field;
	struct cell_row *later;
	uint32_t recording;

	for (size_t i = 0; i < r->row.count; i++)
		bytes += r->row.field[i].kind == TABLE_TEXT ? r->row.field[i].size + 1 : 0;
	if (bytes > r->kept_most)
		return -1;
	field = arena_array(r->kept, r->row.count, sizeof(*field));
	later = vec_push(&r->later, NULL);
	for (size_t i = 0; i < r->row.count; i++) {
		field[i] = r->row.field[i];
		field[i].entry = 0;
		if (field[i].kind == TABLE_TEXT)
			field[i].text = arena_strndup(r->kept, field[i].text, field[i].size);
	}
	*later = (struct cell_row){r->row.line, field, r->row.count};
	if (field_of(r, COLUMN_OP)->given && (of_op || of_call))
		op_of_row(r, of_op && q->total);
	return quantity_is_of_run(q) && r->row.field[text].given
		       ? csv_recording_of_row(&r->recordings, r->rows, &r->row, &r->columns,
				 r->scratch, &recording, err)
		       : 0;
}

static int read_long(struct table_reader *r, struct error *err)
{
	const struct csv_quantity *q = quantity_of_row(r, err);
	bool has_op = field_of(r, COLUMN_OP)->given;
	size_t value = r->columns.at[COLUMN_VALUE], text = r->columns.at[COLUMN_UNIT];
	struct step_cell cell = {
		.at = value, .key_at = r->columns.at[COLUMN_MEASURE], .quantity = q};

	if (!q || step_of_row(r, &cell.step, err) < 0)
		return -1;
	if (text == NO_COLUMN || r->row.field[value].given)
		text = value;
	if (r->is_part && q->kind != QUANTITY_MEASURE)
		return keep_row(r, q, text, cell.step, err);
	if ((!quantity_is_text(q) || q->kind == QUANTITY_START) && r->row.field[value].given &&
		unit_of_row(r, q, &cell.unit, err) < 0)
		return -1;
	if (quantity_is_of_file(q))
		return file_fact(r, text, q, err);
	if (quantity_is_of_run(q))
		return r->row.field[text].given ? run_fact(r, text, q, cell.unit, cell.step, err)
						: 0;
	if (q->kind == QUANTITY_WALL || q->kind == QUANTITY_BUSY || q->kind == QUANTITY_SERIES)
		return cell.step == NO_STEP ? no_step(r, err) : step_fact(r, &cell, err);
	if (!has_op)
		return no_op(r, err);
	if (q->kind != QUANTITY_MEASURE && q->kind != QUANTITY_CALLS)
		return op_fact(r, value, quantity_is_text(q) ? text : NOWHERE, q, err);
	if (cell.step == NO_STEP)
		return no_step(r, err);
	return q->kind == QUANTITY_CALLS ? add_calls(r, text, cell.step, err)
					 : observe(r, &cell, err);
}

/* Columns of either form that say something of the op or of the run. */
static int read_texts(struct table_reader *r, struct error *err)
{
	const bool has_op = field_of(r, COLUMN_OP)->given;
	uint32_t step;

	if (step_of_row(r, &step, err) < 0)
		return -1;
	for (size_t i = 0; i < r->columns.count; i++) {
		const struct csv_quantity *q = &r->columns.quantity[i];

		if (r->columns.role[i] != COLUMN_QUANTITY || !r->row.field[i].given)
			continue;
		if (quantity_is_of_op(q) && has_op && op_fact(r, i, NOWHERE, q, err) < 0)
			return -1;
		if ((quantity_is_of_run(q) || q->kind == QUANTITY_DEVICE) &&
			run_fact(r, i, q, q->unit, step, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- the wide form ---- */

static bool is_about_totals(const struct table_reader *r)
{
	for (size_t i = 0; i < r->columns.count; i++)
		if (r->columns.role[i] == COLUMN_QUANTITY && r->columns.quantity[i].total &&
			r->row.field[i].given)
			return true;
	return false;
}

static int read_cell(
	struct table_reader *r, size_t i, uint32_t step, const bool *observed, struct error *err)
{
	const struct csv_quantity *q = &r->columns.quantity[i];
	const struct step_cell cell = {i, r->columns.at[COLUMN_OP], q, q->unit, step};
	bool has_op = field_of(r, COLUMN_OP)->given, given = r->row.field[i].given;

	switch (q->kind) {
	case QUANTITY_CALLS:
		return given && has_op && step != NO_STEP ? add_calls(r, i, step, err) : 0;
	case QUANTITY_MEASURE:
		if (!given && (!has_op || step == NO_STEP || !observed[q->total]))
			return 0;
		if (!has_op)
			return no_op(r, err);
		if (step == NO_STEP)
			return no_step(r, err);
		return observe(r, &cell, err);
	case QUANTITY_WALL:
	case QUANTITY_BUSY:
	case QUANTITY_SERIES:
		if (given && step == NO_STEP)
			return no_step(r, err);
		return given ? step_fact(r, &cell, err) : 0;
	case QUANTITY_SOURCE:
	case QUANTITY_ISSUE:
	case QUANTITY_FACT:
	case QUANTITY_PRINTED:
		return file_fact(r, i, q, err);
	case QUANTITY_TYPE:
	case QUANTITY_DEVICE:
	case QUANTITY_SHAPE:
	case QUANTITY_START:
	case QUANTITY_OF_RUN:
		return 0;
	default:
		if (given && !has_op)
			return no_op(r, err);
		return given ? op_fact(r, i, NOWHERE, q, err) : 0;
	}
}

static int read_wide(struct table_reader *r, struct error *err)
{
	bool observed[2];
	uint32_t step;

	if (step_of_row(r, &step, err) < 0)
		return -1;

	/* A row is an observation of the op itself, of its total, or both, by the cells that are
	 * filled. */
	bool *self = &observed[0];
	bool *total = &observed[1];

	*self = *total = false;
	for (size_t i = 0; i < r->columns.count; i++) {
		const struct csv_quantity *q = &r->columns.quantity[i];

		if (r->columns.role[i] != COLUMN_QUANTITY || q->kind != QUANTITY_MEASURE)
			continue;
		if (r->row.field[i].given)
			*(q->total ? total : self) = true;
	}
	*self |= !*total;
	for (size_t i = 0; i < r->columns.count; i++)
		if (r->columns.role[i] == COLUMN_QUANTITY &&
			read_cell(r, i, step, observed, err) < 0)
			return -1;
	/* A row without a step says that there is such an op. */
	if (step == NO_STEP && field_of(r, COLUMN_OP)->given && !is_about_totals(r))
		op_of_row(r, false);
	return 0;
}

/* ---- the whole ---- */

static int check_width(struct table_reader *r, struct error *err)
{
	size_t count = r->columns.count, found = r->row.count;

	if (found == count)
		return 0;
	cell_rows_error(r->rows, found < count ? found - 1 : count, err,
		"%zu fields, but the header has %zu", found, count);
	return error_hint(err, found > count ? "a text with the separator in it is quoted; "
					       "decimals are written with a point"
					     : "fields that have no value are left empty");
}

static int use_columns(struct table_reader *r, struct error *err)
{
	enum table_use *use;

	if (!r->rows->use)
		return 0;
	use = arena_array(r->scratch, r->columns.count, sizeof(*use));
	for (size_t i = 0; i < r->columns.count; i++)
		use[i] = csv_columns_use(&r->columns, i);
	return r->rows->use(r->rows, use, err);
}

/* A text may have been cut where its next line is missing. */
static int no_observation(struct table_reader *r, uint64_t line, const char *why, struct error *err)
{
	char place[600];

	cell_rows_place(r->rows, r->rows->has_lines ? line : 0, place, sizeof(place));
	return error_set(err, ERROR_INPUT, place, "no observation: %s", why);
}

int table_reader_row(struct table_reader *r, struct error *err)
{
	if (check_width(r, err) < 0 ||
		(r->columns.is_long ? read_long(r, err) : read_wide(r, err)) < 0)
		return -1;
	return r->columns.has_texts ? read_texts(r, err) : 0;
}

int table_reader_next(struct table_reader *r, struct error *err)
{
	const int got = r->rows->next(r->rows, &r->row, err);

	if (got > 0 && table_reader_row(r, err) < 0)
		return -1;
	if (r->row.line % ROWS_KEPT == 0)
		arena_reset(r->scratch);
	return got;
}

static int read_rows(struct table_reader *r, struct error *err)
{
	struct cell_row header;
	int got = r->rows->next(r->rows, &header, err);

	if (got < 0)
		return -1;
	if (got == 0)
		return error_set(err, ERROR_INPUT, r->out->path, "empty file");
	if (csv_columns_read(r->rows, &header, r->out->arena, &r->columns, err) < 0)
		return -1;
	r->out->benchmarks |= r->columns.benchmarks;
	for (size_t i = 0; i < r->columns.count; i++)
		add_series(r, header.field[i].text, &r->columns.quantity[i]);
	if (use_columns(r, err) < 0 || table_parts_read(r, err) < 0)
		return -1;
	while ((got = table_reader_next(r, err)) > 0)
		;
	return got < 0 || r->row.line
		       ? got
		       : no_observation(r, header.line + 1, "no row follows the header", err);
}

static int finish_step(struct table_reader *r, size_t i, struct error *err)
{
	const struct step_facts *facts = &r->facts[i];
	struct step *step = &r->out->step[i];
	char place[600];

	step->base_ns = facts->start_ns ? facts->start_ns
					: *run_facts_start(&r->run_facts, facts->recording);
	if (!facts->line[0])
		return 0;
	step->has_wall = true;
	step->end_ps = facts->wall;
	step->busy_ps = facts->line[1] ? facts->busy : facts->wall;
	if (step->busy_ps <= step->end_ps)
		return 0;
	cell_rows_place(r->rows, facts->line[1], place, sizeof(place));
	return error_set(err, ERROR_INPUT, place,
		"the step is busy for longer than its wall time (%s %" PRIu32 ")",
		cell_rows_word(r->rows), facts->line[0]);
}

static int finish(struct table_reader *r, struct error *err)
{
	if (r->out->step_count == 0)
		return no_observation(r, r->row.line + 1, "no row has a step", err);
	if (r->out->obs.count == 0 && r->out->totals) { /* shares and kinds need the ops */
		error_set(err, ERROR_INPUT, r->out->path,
			"only totals (columns or measures named ..._total), which overlap");
		return error_hint(err, "give the values of the ops themselves too: export without "
				       "--value=total; report --value=total adds them up");
	}
	for (size_t i = 0; i < r->out->step_count; i++)
		if (finish_step(r, i, err) < 0)
			return -1;
	for (size_t t = 0; t < 2; t++) {
		struct profile *profile = t ? r->out->totals : r->out;

		for (size_t o = 0; profile && o < profile->op_count; o++)
			if (profile->op[o].params != CELL_ABSENT && profile->op[o].defined == 0)
				profile->op[o].defined = 1;
	}
	step_values_finish(&r->values);
	collective_calls_sort(&r->out->collectives, r->out->step_count);
	collective_calls_report(&r->out->collectives, &r->out->issues, r->out->path);

	bool *has_steps = arena_array(r->arena, r->recordings.item.count, sizeof(*has_steps));

	for (size_t s = 0; s < r->out->step_count; s++)
		has_steps[r->facts[s].recording] = true;
	run_facts_finish(&r->run_facts, &r->recordings, has_steps, r->out);
	profile_share_facts(r->out);
	csv_table_add_fingerprints(r->out, r->opt->threads);

	struct issue_list *issues = &r->out->issues;
	struct text place;

	issue_add(issues, ISSUE_INFO, "time-rounded",
		"times that are not whole picoseconds, rounded", r->rounded[1],
		r->rounded_place[1]);
	issue_add(issues, ISSUE_LOSS, "value-rounded",
		"bytes or counts that are not whole numbers, rounded", r->rounded[0],
		r->rounded_place[0]);
	text_init(&place);
	text_printf(&place, "%s: column ", r->out->path);
	text_add_visible(&place, r->columns.ignored ? r->columns.ignored : "");
	issue_add(issues, ISSUE_LOSS, "column-ignored",
		"columns that are not a known measure or text, not read", r->columns.ignored_count,
		text_string(&place));
	text_release(&place);
	return 0;
}

int table_read(struct cell_rows *rows, struct profile *out, const struct read_options *opt,
	struct error *err)
{
	struct table_reader r;
	int result;

	table_reader_init(&r, rows, out, opt);
	result = read_rows(&r, err);
	csv_steps_end(&r.steps);
	if (result == 0)
		result = finish(&r, err);
	table_reader_release(&r);
	return result;
}
