/* Rows by op and step: the last one of each op, as a rule. From where the steps of an op are in no
 * order on, through a hash table of row numbers: the keys are the observations themselves.
 * Durations are columns that grow with the steps; at the end they become arrays of all steps. */
#include "ingest/table/csv_table.h"

#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "model/issue/issue_text.h"

static size_t slot_bytes(const struct csv_table *table)
{
	return memory_product(table->mask + 1, sizeof(*table->slot));
}

void csv_table_init(struct csv_table *table, struct profile *profile)
{
	*table = (struct csv_table){.profile = profile};
}

void csv_table_release(struct csv_table *table)
{
	if (table->slot)
		memory_unmap(table->slot, slot_bytes(table));
	memory_free(table->op);
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		memory_free(table->line[m]);
	*table = (struct csv_table){0};
}

void csv_table_clear(struct csv_table *table)
{
	struct observations *obs = &table->profile->obs;
	const size_t lines = obs->count < table->line_room ? obs->count : table->line_room;

	for (size_t i = 0; i < table->measures && lines; i++)
		memset(table->line[table->measure[i]], 0, lines * sizeof(uint32_t));
	for (size_t o = 0; o < table->profile->op_count; o++)
		table->op[o].steps = 0;
	if (table->slot)
		memory_unmap(table->slot, slot_bytes(table));
	table->slot = NULL;
	obs->count = 0;
}

uint32_t csv_table_op(struct csv_table *table, const char *name, size_t n, bool *shared,
	const struct profile_limits *limits)
{
	struct profile *profile = table->profile;
	bool is_new;
	uint32_t id = profile_op(profile, name, n, &is_new, limits);

	if (is_new) {
		profile->op[id].params = CELL_ABSENT;
		profile->op[id].float_ops_each = CELL_ABSENT;
	}
	table->op =
		memory_make_room(table->op, &table->op_room, (size_t)id + 1, sizeof(*table->op));
	if (is_new)
		table->op[id] = (struct table_op){.line = {0}};
	*shared = strcmp(profile->op[id].name, name) != 0;
	return id;
}

bool csv_table_is_op(const struct csv_table *table, uint32_t op, const struct table_cell *field)
{
	const struct profile *profile = table->profile;

	/* Names that text_add_visible has written are read as others. */
	return op < profile->op_count && text_equal(profile->op[op].name, field->text) &&
	       !memchr(field->text, '\\', field->size);
}

static size_t first_slot(const struct csv_table *table, uint32_t op, uint32_t step)
{
	uint64_t key = (uint64_t)op << 32 | step;

	key *= UINT64_C(0x9e3779b97f4a7c15); /* the golden ratio: spreads what counts up */
	return (size_t)(key ^ key >> 32) & table->mask;
}

/* The slot of the row, or the empty one where it belongs. */
static uint32_t *find_slot(const struct csv_table *table, uint32_t op, uint32_t step)
{
	const struct observations *obs = &table->profile->obs;
	size_t i = first_slot(table, op, step);

	while (table->slot[i] &&
		(obs->op[table->slot[i] - 1] != op || obs->step[table->slot[i] - 1] != step))
		i = (i + 1) & table->mask;
	return &table->slot[i];
}

/* Room for twice as many rows as there are. */
static void make_slots(struct csv_table *table)
{
	const struct observations *obs = &table->profile->obs;

	if (table->slot)
		memory_unmap(table->slot, slot_bytes(table));
	table->mask = 255;
	while (table->mask / 4 < obs->count)
		table->mask = 2 * table->mask + 1;
	table->slot = memory_map(slot_bytes(table));
	for (size_t row = 0; row < obs->count; row++) {
		size_t i = first_slot(table, obs->op[row], obs->step[row]);

		while (table->slot[i])
			i = (i + 1) & table->mask;
		table->slot[i] = (uint32_t)row + 1;
	}
}

/* The row of an op in a step. False: there is none; *slot is where it belongs, if there are
 * slots. */
static bool find_row(
	struct csv_table *table, uint32_t op, uint32_t step, uint32_t **slot, size_t *row)
{
	const struct table_op *of = &table->op[op];

	*row = of->row;
	if (of->steps == step + 1)
		return true;
	if (step < of->steps && !table->slot)
		make_slots(table);
	if (!table->slot)
		return false;
	*slot = find_slot(table, op, step);
	*row = (size_t) * *slot - 1;
	return **slot != 0;
}

int csv_table_row(struct csv_table *table, uint32_t op, uint32_t step, size_t *row,
	const struct profile_limits *limits, struct error *err)
{
	struct observations *obs = &table->profile->obs;
	struct table_op *of = &table->op[op];
	uint32_t *slot = NULL;

	if (!find_row(table, op, step, &slot, row)) {
		if (profile_add_rows(table->profile, 1, row, limits, err) < 0)
			return -1;
		obs->op[*row] = op;
		obs->step[*row] = step;
		for (size_t i = 0; i < table->measures; i++)
			obs->column[table->measure[i]][*row] = CELL_ABSENT;
		if (table->slot)
			*slot = (uint32_t)*row + 1;
		if (table->slot && 2 * obs->count > table->mask)
			make_slots(table);
	}
	of->row = (uint32_t)*row;
	of->steps = step + 1;
	return 0;
}

/* The column, and room for the lines of its values up to the row. */
void csv_table_make_lines(struct csv_table *table, enum measure_id id, size_t row)
{
	struct observations *obs = &table->profile->obs;

	if (!obs->column[id]) {
		profile_have(table->profile, id);
		for (size_t r = 0; r < obs->count; r++)
			obs->column[id][r] = CELL_ABSENT;
	}
	if (row >= table->line_room) {
		/* The lines follow the room of the columns. */
		size_t room = table->profile->obs.room;

		for (size_t m = 0; m < MEASURE_STEP_COUNT; m++) {
			if (!table->line[m])
				continue;
			table->line[m] = memory_resize(
				table->line[m], memory_product(room, sizeof(*table->line[m])));
			memset(table->line[m] + table->line_room, 0,
				(room - table->line_room) * sizeof(*table->line[m]));
		}
		table->line_room = room;
	}
	if (table->line[id])
		return;
	table->line[id] = memory_alloc(memory_product(table->line_room, sizeof(*table->line[id])));
	table->measure[table->measures++] = id;
}

/* ---- rows of a part ---- */

#define NEW_ROW UINT32_MAX

struct csv_table_rows {
	const struct csv_table *part;
	const uint32_t *op_map, *step_map;
	uint32_t *row; /* in the whole table; NEW_ROW: it has none there */
	size_t count, added;
};

static bool has_same_value(
	const struct csv_table *table, size_t row, const struct csv_table *part, size_t part_row)
{
	for (size_t i = 0; i < part->measures; i++)
		if (csv_table_line(part, part->measure[i], part_row) &&
			csv_table_line(table, part->measure[i], row))
			return true;
	return false;
}

struct csv_table_rows *csv_table_find_rows(struct csv_table *table, const struct csv_table *part,
	const uint32_t *op_map, const uint32_t *step_map, struct arena *arena)
{
	const struct observations *obs = &part->profile->obs;
	struct csv_table_rows *rows = arena_alloc(arena, sizeof(*rows));
	uint32_t *slot;
	size_t row;

	*rows = (struct csv_table_rows){.part = part,
		.op_map = op_map,
		.step_map = step_map,
		.row = arena_array(arena, obs->count, sizeof(*rows->row)),
		.count = obs->count};
	for (size_t i = 0; i < obs->count; i++) {
		rows->row[i] = NEW_ROW;
		if (!find_row(table, op_map[obs->op[i]], step_map[obs->step[i]], &slot, &row)) {
			rows->added++;
			continue;
		}
		rows->row[i] = (uint32_t)row;
		if (has_same_value(table, row, part, i))
			return NULL;
	}
	return rows;
}

/* New rows without values; their places in rows->row. */
static void add_new_rows(struct csv_table *table, const struct csv_table_rows *rows, size_t first)
{
	const struct observations *from = &rows->part->profile->obs;
	struct observations *obs = &table->profile->obs;
	bool in_order = true;
	size_t next = first;

	for (size_t i = 0; i < rows->count; i++) {
		const uint32_t op = rows->op_map[from->op[i]], step = rows->step_map[from->step[i]];
		struct table_op *of = &table->op[op];

		if (rows->row[i] == NEW_ROW) {
			rows->row[i] = (uint32_t)next;
			obs->op[next] = op;
			obs->step[next++] = step;
			in_order &= step >= of->steps;
		}
		in_order &= step + 1 >= of->steps;
		of->row = rows->row[i];
		of->steps = step + 1;
	}
	if (in_order && !table->slot)
		return;
	if (!table->slot || 2 * obs->count > table->mask) {
		make_slots(table);
		return;
	}
	for (size_t row = first; row < next; row++)
		*find_slot(table, obs->op[row], obs->step[row]) = (uint32_t)row + 1;
}

static void add_values(struct csv_table *table, const struct csv_table_rows *rows,
	enum measure_id id, size_t first)
{
	const struct csv_table *part = rows->part;
	const int64_t *value = part->profile->obs.column[id];
	const uint32_t *line = part->line[id];
	const size_t count = rows->count < part->line_room ? rows->count : part->line_room;
	int64_t *into = table->profile->obs.column[id];

	if (line && rows->added == rows->count) {
		memcpy(into + first, value, rows->count * sizeof(*into));
		memcpy(table->line[id] + first, line, count * sizeof(*line));
		return;
	}
	for (size_t row = first; row < first + rows->added; row++)
		into[row] = CELL_ABSENT;
	for (size_t i = 0; line && i < count; i++)
		if (line[i])
			csv_table_set(table, id, rows->row[i], value[i], line[i]);
}

void csv_table_add_rows(struct csv_table *table, const struct csv_table_rows *rows,
	const struct profile_limits *limits)
{
	const struct csv_table *part = rows->part;
	size_t first = table->profile->obs.count;

	if (rows->added && profile_add_rows(table->profile, rows->added, &first, limits, NULL) < 0)
		return;
	add_new_rows(table, rows, first);
	for (size_t i = 0; i < part->measures && rows->count; i++)
		csv_table_make_lines(table, part->measure[i], table->profile->obs.count - 1);
	for (size_t i = 0; i < table->measures; i++)
		add_values(table, rows, table->measure[i], first);
}

/* ---- the whole ---- */

bool csv_table_says(struct profile *profile, const struct csv_quantity *quantity, const char *text)
{
	switch (quantity->kind) {
	case QUANTITY_SOURCE:
		profile->format_title = arena_strdup(profile->arena, text);
		return true;
	case QUANTITY_PRINTED:
		profile->is_printed = true;
		return true;
	case QUANTITY_FACT:
		return fact_line_parse(text, &profile->file_facts, profile->arena, profile->path);
	default:
		return issue_text_parse(text, &profile->issues);
	}
}

/* Sums of rows, by parts of all rows: each has sums of its own. */
struct fingerprints {
	const struct profile *profile;
	const uint64_t *of_op;
	uint64_t *sum; /* of each part and step */
	size_t parts;
};

#define ROWS_OF_PART ((size_t)1 << 15) /* at least */

static void add_fingerprints(void *context, size_t part, size_t thread)
{
	const struct fingerprints *f = context;
	const struct observations *obs = &f->profile->obs;
	enum measure_id measure[MEASURE_STEP_COUNT];
	const size_t count = observations_columns(obs, measure);
	uint64_t *sum = f->sum + part * f->profile->step_count;
	const size_t rows = obs->count / f->parts, first = part * rows;
	const size_t end = part + 1 == f->parts ? obs->count : first + rows;

	(void)thread;
	for (size_t row = first; row < end; row++) {
		uint64_t hash = f->of_op[obs->op[row]];

		for (size_t m = 0; m < count; m++) {
			const int64_t *value = &obs->column[measure[m]][row];

			if (*value != CELL_ABSENT)
				hash = intern_hash(value, sizeof(*value), hash + measure[m]);
		}
		sum[obs->step[row]] += hash;
	}
}

void csv_table_add_fingerprints(struct profile *profile, size_t threads)
{
	struct arena *scratch = arena_new();
	uint64_t *of_op = arena_array(scratch, profile->op_count, sizeof(*of_op));
	const size_t parts = profile->obs.count / (ROWS_OF_PART + profile->step_count);
	struct fingerprints f = {
		.profile = profile, .of_op = of_op, .parts = parts < threads ? parts : threads};

	if (f.parts < 1)
		f.parts = 1;
	f.sum = arena_array(scratch, memory_product(f.parts, profile->step_count), sizeof(*f.sum));
	for (size_t o = 0; o < profile->op_count; o++)
		of_op[o] = intern_hash(profile->op[o].name, strlen(profile->op[o].name), 0);
	threads_each(f.parts, f.parts, add_fingerprints, &f);
	for (size_t s = 0; s < profile->step_count; s++) {
		const struct step *step = &profile->step[s];
		const uint64_t run = step->run ? intern_hash(step->run, strlen(step->run), 1) : 0;

		profile->step[s].fingerprint =
			step->rank ? intern_hash(step->rank, strlen(step->rank), run) : run;
	}
	for (size_t i = 0; i < f.parts * profile->step_count; i++)
		profile->step[i % profile->step_count].fingerprint += f.sum[i];
	arena_free(scratch);
}

/* ---- durations of steps ---- */

#define LEFT_OUT UINT32_MAX /* a series past the cap */

struct step_values_series {
	enum step_series_kind kind;
	const char *device, *cause;
	int64_t *value;
	size_t count, room;
};

void step_values_init(
	struct step_values *values, struct profile *out, const struct profile_limits *limits)
{
	*values = (struct step_values){
		.out = out, .arena = arena_new(), .most = limits->observations};
	values->keys = intern_new(values->arena);
}

uint32_t step_values_series(struct step_values *values, enum step_series_kind kind,
	const char *device, const char *cause)
{
	const char *key =
		arena_printf(values->arena, "%s %s\n%s", step_series_name(kind), device, cause);
	uint32_t id;

	if (intern_find(values->keys, key, strlen(key), &id))
		return id;
	if (intern_count(values->keys) == STEP_VALUES_MOST)
		return LEFT_OUT;
	id = intern_id(values->keys, key, strlen(key));
	values->series = memory_make_room(
		values->series, &values->series_room, (size_t)id + 1, sizeof(*values->series));
	values->series[id] = (struct step_values_series){.kind = kind,
		.device = arena_strdup(values->arena, device),
		.cause = arena_strdup(values->arena, cause)};
	return id;
}

/* Room for the values of all steps up to this one; false when that is too much. */
static bool make_room(struct step_values *values, struct step_values_series *series, uint32_t step)
{
	const size_t before = series->room;

	if (step < series->count)
		return true;
	if (values->cells - before > values->most ||
		step >= values->most - (values->cells - before))
		return false;
	series->value = memory_make_room(
		series->value, &series->room, (size_t)step + 1, sizeof(*series->value));
	values->cells += series->room - before;
	while (series->count <= step)
		series->value[series->count++] = CELL_ABSENT;
	return true;
}

enum step_value_result step_values_set(
	struct step_values *values, uint32_t series, uint32_t step, int64_t value_ps)
{
	int64_t *into;

	if (series == LEFT_OUT || !make_room(values, &values->series[series], step)) {
		values->dropped++;
		return STEP_VALUE_SET;
	}
	into = &values->series[series].value[step];
	if (*into != CELL_ABSENT)
		return *into == value_ps ? STEP_VALUE_SAME : STEP_VALUE_DIFFERS;
	*into = value_ps;
	return STEP_VALUE_SET;
}

/* Splits "DEVICE in CAUSE" behind a device that is known; else at the first place. */
static struct step_series split(
	const struct step_values *values, const struct step_values_series *of)
{
	const char *in = strstr(of->device + 1, STEP_SERIES_IN);
	size_t longest = 0;

	for (uint32_t i = 0; i < intern_count(values->keys); i++) {
		const struct step_values_series *late = &values->series[i];
		const size_t n = strlen(late->device);

		if (late->kind == SERIES_HOST_LATE && n > longest &&
			strncmp(of->device, late->device, n) == 0 &&
			strncmp(of->device + n, STEP_SERIES_IN, strlen(STEP_SERIES_IN)) == 0 &&
			of->device[n + strlen(STEP_SERIES_IN)]) {
			longest = n;
			in = of->device + n;
		}
	}
	return (struct step_series){.kind = of->kind,
		.device = arena_strndup(values->arena, of->device, (size_t)(in - of->device)),
		.cause = in + strlen(STEP_SERIES_IN)};
}

void step_values_finish(struct step_values *values)
{
	const size_t steps = values->out->step_count, count = intern_count(values->keys);
	const size_t fit = steps ? values->most / steps : count; /* series of this many steps */

	for (size_t i = 0; i < count; i++) {
		const struct step_values_series *from = &values->series[i];
		int64_t *into;

		if (i >= fit) {
			values->dropped += from->count;
			continue;
		}
		const struct step_series like = from->kind >= SERIES_PARTS_END && !*from->cause
							? split(values, from)
							: (struct step_series){.kind = from->kind,
								  .device = from->device,
								  .cause = from->cause};

		into = step_series_add_like(&values->out->series, values->out->arena, &like, steps);
		if (from->count)
			memcpy(into, from->value, from->count * sizeof(*into));
	}
	issue_add(&values->out->issues, ISSUE_LOSS, "step-series-limit",
		"durations of steps, of more devices and steps than are kept", values->dropped,
		values->out->path);
}

void step_values_release(struct step_values *values)
{
	for (uint32_t i = 0; i < intern_count(values->keys); i++)
		memory_free(values->series[i].value);
	memory_free(values->series);
	arena_free(values->arena);
}
