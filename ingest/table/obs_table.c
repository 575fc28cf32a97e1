/*
 * Ops and series of .obs files.
 */
#include "ingest/table/obs_table.h"

#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "ingest/table/obs_format.h"

#define NAME_MOST ((size_t)65536)
#define VARINT_MOST 10
#define NO_ROW SIZE_MAX

int obs_damaged(const struct obs_context *context, const char *what, struct error *err)
{
	return wire_damaged(context->in, context->start, what, err);
}

void obs_context_release(struct obs_context *context)
{
	memory_free(context->text);
	memory_free(context->present);
	memory_free(context->known);
	memory_free(context->value);
}

void obs_table_init(struct obs_table *table, struct profile *profile)
{
	*table = (struct obs_table){.profile = profile};
	text_init(&table->name);
}

void obs_table_release(struct obs_table *table)
{
	text_release(&table->name);
	memory_free(table->op);
	memory_free(table->other_row);
}

/* ---- lists ---- */

static int64_t unzigzag(uint64_t value)
{
	return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

/* The hot loop of the reader. */
bool obs_differences(const struct wire_field *f, uint64_t factor, int64_t *out, size_t count)
{
	struct wire w = wire_inside(f);
	uint64_t now = 0, value;

	for (size_t i = 0; i < count; i++) {
		if (!wire_varint(&w, &value))
			return false;
		now += (uint64_t)unzigzag(value);
		out[i] = (int64_t)(now * factor);
	}
	return w.at == w.end;
}

size_t obs_count(const struct wire_field *f)
{
	size_t count = 0;

	for (uint64_t i = 0; i < f->size; i++)
		count += f->bytes[i] < 0x80;
	return count;
}

char *obs_copy_text(struct arena *arena, const struct wire_field *f)
{
	if (f->size && memchr(f->bytes, 0, (size_t)f->size))
		return NULL;
	return arena_strndup(arena, (const char *)f->bytes, (size_t)f->size);
}

bool obs_stretches(const struct wire_field *f, bool first, bool all, bool *out, size_t count)
{
	struct wire w = wire_inside(f);
	bool now = first;
	size_t at = 0;

	if (f->size == 0) {
		memset(out, all, count * sizeof(bool));
		return true;
	}
	while (w.at < w.end) {
		uint64_t length;

		if (!wire_varint(&w, &length) || length > count - at)
			return false;
		memset(out + at, now, (size_t)length * sizeof(bool));
		at += (size_t)length;
		now = !now;
	}
	memset(out + at, false, (count - at) * sizeof(bool));
	return true;
}

/* ---- ops ---- */

/* The op of the name that was put together; false when another op of the file has it. */
static bool add_op(struct obs_table *table, const struct obs_context *c, const struct op *op)
{
	bool is_new, other;
	uint32_t id = profile_op(table->profile, text_string(&table->name), table->name.size,
		&is_new, &c->opt->limits);
	struct op *into = &table->profile->op[id];

	other = strcmp(into->name, text_string(&table->name)) != 0;
	if (!is_new && !other)
		return false;
	if (!other) {
		const char *name = into->name;

		*into = *op;
		into->name = name;
	}
	table->op = memory_make_room(table->op, &table->room, table->count + 1, sizeof(*table->op));
	table->op[table->count++] = (struct obs_op){id, other};
	return true;
}

static bool find_text(const struct obs_context *c, uint64_t number, const char **out)
{
	if (number > c->text_count)
		return false;
	*out = number ? c->text[number - 1] : "";
	return true;
}

/* The name: what it shares with the one before, and the rest. */
static bool set_name(struct obs_table *table, uint64_t shared, const struct wire_field *rest)
{
	if (shared > table->name.size || rest->size > NAME_MOST ||
		(rest->size && memchr(rest->bytes, 0, rest->size)))
		return false;
	table->name.size = (size_t)shared;
	if (table->name.data)
		table->name.data[shared] = '\0';
	if (rest->size)
		text_add_bytes(&table->name, (const char *)rest->bytes, rest->size);
	return table->name.size <= NAME_MOST;
}

int obs_table_op(struct obs_table *table, struct obs_context *c, struct wire w, struct error *err)
{
	struct op op = {.type = "",
		.device = "",
		.shape = "",
		.params = CELL_ABSENT,
		.float_ops_each = CELL_ABSENT};
	struct wire_field f, rest = obs_nothing();
	enum wire_result got;
	uint64_t shared = 0;
	bool good = true;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (obs_is_number(&f, OBS_OP_SHARED))
			shared = f.value;
		else if (obs_is_bytes(&f, OBS_OP_REST))
			rest = f;
		else if (obs_is_number(&f, OBS_OP_TYPE))
			good = good && find_text(c, f.value, &op.type);
		else if (obs_is_number(&f, OBS_OP_DEVICE))
			good = good && find_text(c, f.value, &op.device);
		else if (obs_is_number(&f, OBS_OP_SHAPE))
			good = good && find_text(c, f.value, &op.shape);
		else if (obs_is_number(&f, OBS_OP_PARAMS))
			op.params = (int64_t)f.value;
		else if (obs_is_number(&f, OBS_OP_FLOAT_OPS_EACH))
			op.float_ops_each = (int64_t)f.value;
		else if (obs_is_number(&f, OBS_OP_DEFINED))
			op.defined = (int64_t)f.value;
	}
	if (got == WIRE_BAD || !good || !set_name(table, shared, &rest) || !add_op(table, c, &op))
		return obs_damaged(c, "an op", err);
	return 0;
}

/* ---- columns ---- */

struct obs_column {
	uint64_t measure, factor;
	struct wire_field value, known;
};

static bool find_column(struct wire w, struct obs_column *column)
{
	struct wire_field f;
	enum wire_result got;

	*column = (struct obs_column){UINT64_MAX, 1, obs_nothing(), obs_nothing()};
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (obs_is_number(&f, OBS_COLUMN_MEASURE))
			column->measure = f.value;
		else if (obs_is_number(&f, OBS_COLUMN_FACTOR))
			column->factor = f.value;
		else if (obs_is_bytes(&f, OBS_COLUMN_VALUE))
			column->value = f;
		else if (obs_is_bytes(&f, OBS_COLUMN_KNOWN))
			column->known = f;
	}
	return got == WIRE_END;
}

/* `count` values; a single one is that of all. */
static bool read_values(const struct obs_column *column, int64_t *out, size_t count)
{
	bool one = column->value.size <= VARINT_MOST && obs_count(&column->value) == 1;

	if (!obs_differences(&column->value, column->factor, out, one ? 1 : count))
		return false;
	for (size_t i = 1; one && i < count; i++)
		out[i] = out[0];
	return true;
}

/* The values of `n` rows; absent where they are not known. */
static bool read_column(
	const struct obs_context *c, const struct obs_column *column, int64_t *out, size_t n)
{
	size_t count = 0, at = 0;

	if (column->known.size == 0)
		return read_values(column, out, n);
	if (!obs_stretches(&column->known, true, true, c->known, n))
		return false;
	for (size_t i = 0; i < n; i++)
		count += c->known[i];
	if (count == 0 || !read_values(column, c->value, count))
		return false;
	for (size_t i = 0; i < n; i++)
		out[i] = c->known[i] ? c->value[at++] : CELL_ABSENT;
	return true;
}

static void have(struct profile *profile, enum measure_id id)
{
	struct observations *obs = &profile->obs;

	if (obs->column[id])
		return;
	profile_have(profile, id);
	for (size_t i = 0; i < obs->count; i++)
		obs->column[id][i] = CELL_ABSENT;
}

/* ---- series ---- */

/* The rows of one op: n of them, from `first` on; NO_ROW: they are those of "[other names]". */
struct row_range {
	size_t first, n;
};

/* Adds to the rows that hold several ops. */
static bool add_to_others(struct obs_table *table, const struct obs_context *c,
	const struct obs_column *column, enum measure_id id, size_t n)
{
	int64_t *value = arena_array(c->scratch, n, sizeof(*value));

	if (!read_column(c, column, value, n))
		return false;
	for (size_t i = 0; i < n; i++) {
		size_t row = table->other_row[c->present[i]] - 1;
		int64_t *cell = &table->profile->obs.column[id][row];

		if (*cell == CELL_ABSENT || value[i] == CELL_ABSENT)
			*cell = *cell == CELL_ABSENT ? value[i] : *cell;
		else if (!number_add(*cell, value[i], cell))
			*cell = CELL_ABSENT;
	}
	return true;
}

static bool put_column(struct obs_table *table, const struct obs_context *c, struct wire w,
	const struct row_range *rows, bool *seen)
{
	struct obs_column column;
	int id;

	if (!find_column(w, &column) || column.measure >= c->measure_count)
		return false;
	id = c->measure[column.measure];
	if (id < 0)
		return true;
	if (seen[id])
		return false;
	seen[id] = true;
	have(table->profile, (enum measure_id)id);
	if (rows->first == NO_ROW)
		return add_to_others(table, c, &column, (enum measure_id)id, rows->n);
	return read_column(c, &column, table->profile->obs.column[id] + rows->first, rows->n);
}

static int read_columns(struct obs_table *table, const struct obs_context *c, struct wire w,
	const struct row_range *rows, struct error *err)
{
	const struct observations *obs = &table->profile->obs;
	bool seen[MEASURE_STEP_COUNT] = {false};
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (obs_is_bytes(&f, OBS_SERIES_COLUMN) &&
			!put_column(table, c, wire_inside(&f), rows, seen))
			return obs_damaged(c, "a series", err);
	if (rows->first == NO_ROW)
		return 0;
	for (size_t id = 0; id < MEASURE_STEP_COUNT; id++)
		for (size_t i = 0; !seen[id] && obs->column[id] && i < rows->n; i++)
			obs->column[id][rows->first + i] = CELL_ABSENT;
	return 0;
}

static void make_room(struct obs_context *c)
{
	if (c->present && c->out->step_count <= c->room)
		return;
	c->room = c->out->step_count + 1;
	c->present = memory_resize(c->present, memory_product(c->room, sizeof(*c->present)));
	c->known = memory_resize(c->known, memory_product(c->room, sizeof(*c->known)));
	c->value = memory_resize(c->value, memory_product(c->room, sizeof(*c->value)));
}

/* The steps of a series into c->present; 0 when there are none or more than there are steps. */
static size_t read_present(struct obs_context *c, const struct wire_field *f)
{
	size_t steps = c->out->step_count, at = 0, n = 0;
	struct wire w = wire_inside(f);
	bool now = false;

	make_room(c);
	for (; f->size == 0 && n < steps; n++)
		c->present[n] = (uint32_t)n;
	for (; w.at < w.end; now = !now) {
		uint64_t length;

		if (!wire_varint(&w, &length) || length > steps - at)
			return 0;
		for (uint64_t i = 0; now && i < length; i++)
			c->present[n++] = (uint32_t)(at + i);
		at += (size_t)length;
	}
	return n;
}

static int find_other_rows(struct obs_table *table, const struct obs_context *c, uint32_t op,
	size_t n, struct error *err)
{
	if (!table->other_row)
		table->other_row = memory_alloc(memory_product(c->out->step_count, sizeof(size_t)));
	for (size_t i = 0; i < n; i++) {
		size_t *row = &table->other_row[c->present[i]];

		if (*row)
			continue;
		if (profile_observe(table->profile, op, c->present[i], row, &c->opt->limits, err) <
			0)
			return -1;
		++*row;
	}
	return 0;
}

static int add_rows(struct obs_table *table, const struct obs_context *c, const struct obs_op *op,
	struct row_range *rows, struct error *err)
{
	struct observations *obs = &table->profile->obs;

	rows->first = NO_ROW;
	if (op->other)
		return find_other_rows(table, c, op->id, rows->n, err);
	if (profile_observe_many(table->profile, rows->n, &rows->first, &c->opt->limits, err) < 0)
		return -1;
	for (size_t i = 0; i < rows->n; i++)
		obs->op[rows->first + i] = op->id;
	memcpy(obs->step + rows->first, c->present, rows->n * sizeof(*obs->step));
	return 0;
}

int obs_table_series(
	struct obs_table *table, struct obs_context *c, struct wire w, struct error *err)
{
	struct wire_field f, present = obs_nothing();
	struct wire whole = w;
	enum wire_result got;
	uint64_t number = UINT64_MAX;
	struct row_range rows;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (obs_is_number(&f, OBS_SERIES_OP))
			number = f.value;
		else if (obs_is_bytes(&f, OBS_SERIES_PRESENT))
			present = f;
	}
	if (got == WIRE_BAD || number >= table->count || number < table->next_series)
		return obs_damaged(c, "a series", err);
	table->next_series = (size_t)number + 1;
	rows.n = read_present(c, &present);
	if (rows.n == 0)
		return obs_damaged(c, "a series", err);
	c->observations += rows.n;
	if (add_rows(table, c, &table->op[number], &rows, err) < 0)
		return -1;
	return read_columns(table, c, whole, &rows, err);
}

/* ---- collectives ---- */

struct obs_collectives {
	uint64_t op;
	const char *group;
	struct wire_field step, sequence, duration;
};

static bool find_collectives(
	const struct obs_context *c, struct wire w, struct obs_collectives *out)
{
	struct wire_field f;
	enum wire_result got;
	bool good = true;

	*out = (struct obs_collectives){
		UINT64_MAX, "", obs_nothing(), obs_nothing(), obs_nothing()};
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (obs_is_number(&f, OBS_COLLECTIVES_OP))
			out->op = f.value;
		else if (obs_is_number(&f, OBS_COLLECTIVES_GROUP))
			good = good && find_text(c, f.value, &out->group);
		else if (obs_is_bytes(&f, OBS_COLLECTIVES_STEP))
			out->step = f;
		else if (obs_is_bytes(&f, OBS_COLLECTIVES_SEQUENCE))
			out->sequence = f;
		else if (obs_is_bytes(&f, OBS_COLLECTIVES_DURATION))
			out->duration = f;
	}
	return got == WIRE_END && good;
}

int obs_table_collectives(
	struct obs_table *table, struct obs_context *c, struct wire w, struct error *err)
{
	struct profile *profile = table->profile;
	struct obs_collectives parts;
	int64_t *step, *sequence, *dur_ps;
	size_t count;

	if (!find_collectives(c, w, &parts) || parts.op >= table->count)
		return obs_damaged(c, "collectives", err);
	count = obs_count(&parts.step);
	step = arena_array(c->scratch, count, sizeof(*step));
	sequence = arena_array(c->scratch, count, sizeof(*sequence));
	dur_ps = arena_array(c->scratch, count, sizeof(*dur_ps));
	if (!obs_differences(&parts.step, 1, step, count) ||
		!obs_differences(&parts.duration, 1, dur_ps, count) ||
		(parts.sequence.size && !obs_differences(&parts.sequence, 1, sequence, count)))
		return obs_damaged(c, "collectives", err);
	for (size_t i = 0; i < count; i++) {
		const struct collective_call call = {.op = table->op[parts.op].id,
			.step = (uint32_t)step[i],
			.group = *parts.group ? parts.group : NULL,
			.sequence = parts.sequence.size ? sequence[i] : COLLECTIVE_UNKNOWN,
			.dur_ps = dur_ps[i]};

		if (step[i] < 0 || (uint64_t)step[i] >= profile->step_count ||
			call.sequence < COLLECTIVE_UNKNOWN || call.dur_ps < COLLECTIVE_UNKNOWN)
			return obs_damaged(c, "collectives", err);
		collective_calls_add(&profile->collectives, &call);
	}
	return 0;
}
