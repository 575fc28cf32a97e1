/* Fields, lists, ops, series and collectives of containers of observations. Lists are protobuf's
 * packed fields. Differences are modulo 2^64, as zigzag varints. */
#include "ingest/table/obs_parts.h"

#include <string.h>
#include "base/memory.h"
#include "base/number.h"

#define NAME_MOST ((size_t)65536)
#define NO_ROW SIZE_MAX
#define RESERVED_MOST ((size_t)1 << 20) /* rows for which there is room before they are read */

bool obs_parts_of(struct obs_parts *parts, struct wire w)
{
	struct wire_field f;
	enum wire_result got;

	parts->numbers = parts->bytes = 0;
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.number >= OBS_PARTS_MOST || f.type == WIRE_GROUP)
			continue;
		const uint32_t bit = UINT32_C(1) << f.number;

		parts->field[f.number] = f;
		parts->bytes = f.type == WIRE_BYTES ? parts->bytes | bit : parts->bytes & ~bit;
		parts->numbers =
			f.type != WIRE_BYTES ? parts->numbers | bit : parts->numbers & ~bit;
	}
	return got == WIRE_END;
}

bool obs_parts_next(struct wire *w, uint32_t number, struct wire *inside)
{
	struct wire_field f;

	while (wire_next(w, &f) == WIRE_FIELD)
		if (f.number == number && f.type == WIRE_BYTES) {
			*inside = wire_inside(&f);
			return true;
		}
	return false;
}

/* ---- texts ---- */

const char *obs_copy(struct wire bytes, struct arena *arena)
{
	if (memchr(bytes.at, 0, obs_size(bytes)))
		return NULL;
	return arena_strndup(arena, (const char *)bytes.at, obs_size(bytes));
}

const char *obs_text(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, const char *otherwise)
{
	return obs_has_bytes(parts, number) ? obs_copy(obs_bytes(parts, number), arena) : otherwise;
}

/* ---- lists ---- */

size_t obs_count(struct wire list)
{
	const size_t size = obs_size(list);
	size_t count = 0;

	for (size_t i = 0; i < size; i++)
		count += list.at[i] < 0x80;
	return count;
}

/* The hot loop of the reader. */
bool obs_differences(struct wire *list, uint64_t *sum, uint64_t factor, int64_t *out, size_t count)
{
	struct wire w = *list;
	uint64_t now = *sum, value;

	for (size_t i = 0; i < count; i++) {
		if (!wire_varint(&w, &value))
			return false;
		now += packed_unzigzag(value);
		out[i] = (int64_t)(now * factor);
	}
	*list = w;
	*sum = now;
	return true;
}

int64_t *obs_list(const struct obs_parts *parts, uint32_t number, struct arena *arena, size_t count)
{
	struct wire list = obs_bytes(parts, number);
	int64_t *out = obs_count(list) == count ? arena_array(arena, count, sizeof(*out)) : NULL;
	uint64_t sum = 0;

	return out && obs_differences(&list, &sum, 1, out, count) && list.at == list.end ? out
											 : NULL;
}

int64_t *obs_list_or_zeros(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, size_t count)
{
	return obs_size(obs_bytes(parts, number)) ? obs_list(parts, number, arena, count)
						  : arena_array(arena, count, sizeof(int64_t));
}

uint64_t *obs_plain_list(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, size_t count)
{
	struct wire list = obs_bytes(parts, number);
	uint64_t *out = obs_count(list) == count ? arena_array(arena, count, sizeof(*out)) : NULL;

	for (size_t i = 0; out && i < count; i++)
		if (!wire_varint(&list, &out[i]))
			return NULL;
	return list.at == list.end ? out : NULL;
}

bool obs_stretches_next(struct obs_stretches *s)
{
	uint64_t length = s->count - s->to;

	s->from = s->to;
	s->is_set = s->rest;
	if (s->list.at == s->list.end) {
		s->to = s->count;
		return s->from < s->to;
	}
	s->is_set = s->next;
	s->next = !s->next;
	s->bad = !wire_varint(&s->list, &length) || length > s->count - s->to;
	s->to += s->bad ? 0 : (size_t)length;
	return !s->bad;
}

bool obs_stretches_count(struct obs_stretches s, size_t *set)
{
	*set = 0;
	while (obs_stretches_next(&s))
		*set += s.is_set ? s.to - s.from : 0;
	return !s.bad;
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

/* ---- ops ---- */

bool obs_next_name(const struct obs_parts *parts, uint32_t shared, uint32_t rest, struct text *name)
{
	const uint64_t keep = obs_number(parts, shared, 0);
	const struct wire more = obs_bytes(parts, rest);

	if (keep > name->size || obs_size(more) > NAME_MOST || memchr(more.at, 0, obs_size(more)))
		return false;
	name->size = (size_t)keep;
	if (name->data)
		name->data[keep] = '\0';
	if (obs_size(more))
		text_add_bytes(name, (const char *)more.at, obs_size(more));
	return name->size <= NAME_MOST;
}

/* The op of the name that was put together; false when another op of the file has it. */
static bool add_op(struct obs_table *table, const struct obs_reader *r, const struct op *op)
{
	bool is_new, other;
	uint32_t id = profile_op(table->profile, text_string(&table->name), table->name.size,
		&is_new, &r->opt->limits);
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

/* The text that a field names; NULL: there is none of this number. */
static const char *find_text(
	const struct obs_reader *r, const struct obs_parts *parts, uint32_t number)
{
	const uint64_t at = obs_number(parts, number, 0);

	return at > r->text_count ? NULL : at ? r->text[at - 1] : "";
}

enum obs_result obs_read_op(struct obs_reader *r, struct obs_table *table, struct wire w)
{
	struct obs_parts parts;

	if (!obs_parts_of(&parts, w))
		return OBS_DAMAGED;
	const struct op op = {.type = find_text(r, &parts, OBS_OP_TYPE),
		.device = find_text(r, &parts, OBS_OP_DEVICE),
		.shape = find_text(r, &parts, OBS_OP_SHAPE),
		.params = (int64_t)obs_number(&parts, OBS_OP_PARAMS, (uint64_t)CELL_ABSENT),
		.float_ops_each =
			(int64_t)obs_number(&parts, OBS_OP_FLOAT_OPS_EACH, (uint64_t)CELL_ABSENT),
		.defined = (int64_t)obs_number(&parts, OBS_OP_DEFINED, 0)};

	return obs_sound(op.type && op.device && op.shape &&
			 obs_next_name(&parts, OBS_OP_SHARED, OBS_OP_REST, &table->name) &&
			 add_op(table, r, &op));
}

/* ---- columns ---- */

/* The values of `n` rows, of which a single one is that of all; absent where they are not known. */
static bool read_column(const struct obs_parts *column, int64_t *out, size_t n)
{
	struct obs_stretches known =
		obs_stretches_of(obs_bytes(column, OBS_COLUMN_KNOWN), true, true, n);
	struct wire list = obs_bytes(column, OBS_COLUMN_VALUE);
	const uint64_t factor = obs_number(column, OBS_COLUMN_FACTOR, 1);
	const bool one = obs_size(list) <= PACKED_VARINT_MOST && obs_count(list) == 1;
	int64_t value = CELL_ABSENT;
	uint64_t sum = 0;
	bool any = false;

	if (one && !obs_differences(&list, &sum, factor, &value, 1))
		return false;
	while (obs_stretches_next(&known)) {
		any |= known.is_set && known.from < known.to;
		if (one || !known.is_set)
			for (size_t i = known.from; i < known.to; i++)
				out[i] = known.is_set ? value : CELL_ABSENT;
		else if (!obs_differences(
				 &list, &sum, factor, out + known.from, known.to - known.from))
			return false;
	}
	return any && !known.bad && list.at == list.end;
}

static void add_measure(struct profile *profile, enum measure_id id)
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
static bool add_to_others(struct obs_table *table, const struct obs_reader *r,
	const struct obs_parts *column, enum measure_id id, size_t n)
{
	int64_t *value = arena_array(r->scratch, n, sizeof(*value));

	if (!read_column(column, value, n))
		return false;
	for (size_t i = 0; i < n; i++) {
		size_t row = table->other_row[r->present[i]] - 1;
		int64_t *cell = &table->profile->obs.column[id][row];

		if (*cell == CELL_ABSENT || value[i] == CELL_ABSENT)
			*cell = *cell == CELL_ABSENT ? value[i] : *cell;
		else if (!number_add(*cell, value[i], cell))
			*cell = CELL_ABSENT;
	}
	return true;
}

static bool put_column(struct obs_table *table, const struct obs_reader *r, struct wire w,
	const struct row_range *rows, bool *seen)
{
	struct obs_parts column;
	uint64_t measure;
	int id;

	if (!obs_parts_of(&column, w) ||
		(measure = obs_number(&column, OBS_COLUMN_MEASURE, UINT64_MAX)) >= r->measure_count)
		return false;
	id = r->measure[measure];
	if (id < 0)
		return true;
	if (seen[id])
		return false;
	seen[id] = true;
	add_measure(table->profile, (enum measure_id)id);
	if (rows->first == NO_ROW)
		return add_to_others(table, r, &column, (enum measure_id)id, rows->n);
	return read_column(&column, table->profile->obs.column[id] + rows->first, rows->n);
}

static int add_rows(struct obs_table *table, const struct obs_reader *r, const struct obs_op *op,
	struct row_range *rows, struct error *err)
{
	struct observations *obs = &table->profile->obs;

	rows->first = NO_ROW;
	if (op->other) {
		if (!table->other_row)
			table->other_row =
				memory_alloc(memory_product(r->out->step_count, sizeof(size_t)));
		for (size_t i = 0; i < rows->n; i++) {
			size_t *row = &table->other_row[r->present[i]];

			if (*row)
				continue;
			if (profile_observe(table->profile, op->id, r->present[i], row,
				    &r->opt->limits, err) < 0)
				return -1;
			++*row;
		}
		return 0;
	}
	if (table->profile->op_count <= RESERVED_MOST / (r->out->step_count + 1))
		profile_reserve(table->profile, table->profile->op_count * r->out->step_count);
	if (profile_observe_many(table->profile, rows->n, &rows->first, &r->opt->limits, err) < 0)
		return -1;
	for (size_t i = 0; i < rows->n; i++)
		obs->op[rows->first + i] = op->id;
	memcpy(obs->step + rows->first, r->present, rows->n * sizeof(*obs->step));
	return 0;
}

enum obs_result obs_read_series(
	struct obs_reader *r, struct obs_table *table, struct wire w, struct error *err)
{
	struct obs_parts parts;
	struct row_range rows;
	uint64_t number;

	if (!obs_parts_of(&parts, w))
		return OBS_DAMAGED;
	number = obs_number(&parts, OBS_SERIES_OP, UINT64_MAX);
	if (number >= table->count || number < table->next_series)
		return OBS_DAMAGED;
	table->next_series = (size_t)number + 1;

	/* The steps of a series into r->present */
	struct obs_stretches present = obs_stretches_of(
		obs_bytes(&parts, OBS_SERIES_PRESENT), false, true, r->out->step_count);
	size_t n = 0;

	r->present =
		memory_make_room(r->present, &r->room, r->out->step_count + 1, sizeof(*r->present));
	while (obs_stretches_next(&present))
		for (size_t i = present.from; present.is_set && i < present.to; i++)
			r->present[n++] = (uint32_t)i;
	rows.n = present.bad ? 0 : n;
	if (rows.n == 0)
		return OBS_DAMAGED;
	r->observations += rows.n;
	if (add_rows(table, r, &table->op[number], &rows, err) < 0)
		return OBS_FAILED;

	const struct observations *obs = &table->profile->obs;
	bool seen[MEASURE_STEP_COUNT] = {false};
	struct wire column;

	while (obs_parts_next(&w, OBS_SERIES_COLUMN, &column))
		if (!put_column(table, r, column, &rows, seen))
			return OBS_DAMAGED;
	if (rows.first == NO_ROW)
		return OBS_READ;
	for (size_t id = 0; id < MEASURE_STEP_COUNT; id++)
		for (size_t i = 0; !seen[id] && obs->column[id] && i < rows.n; i++)
			obs->column[id][rows.first + i] = CELL_ABSENT;
	return OBS_READ;
}

/* ---- collectives ---- */

enum obs_result obs_read_collectives(struct obs_reader *r, struct wire w)
{
	struct profile *profile = r->out;
	struct obs_parts parts;
	const int64_t *step, *sequence, *dur_ps;
	const char *group;
	bool numbered;
	uint64_t op;
	size_t count;

	if (!obs_parts_of(&parts, w))
		return OBS_DAMAGED;
	numbered = obs_size(obs_bytes(&parts, OBS_COLLECTIVES_SEQUENCE)) > 0;
	op = obs_number(&parts, OBS_COLLECTIVES_OP, UINT64_MAX);
	group = find_text(r, &parts, OBS_COLLECTIVES_GROUP);
	count = obs_count(obs_bytes(&parts, OBS_COLLECTIVES_STEP));
	step = obs_list(&parts, OBS_COLLECTIVES_STEP, r->scratch, count);
	sequence = obs_list_or_zeros(&parts, OBS_COLLECTIVES_SEQUENCE, r->scratch, count);
	dur_ps = obs_list(&parts, OBS_COLLECTIVES_DURATION, r->scratch, count);
	if (op >= r->self.count || !group || !step || !sequence || !dur_ps)
		return OBS_DAMAGED;
	for (size_t i = 0; i < count; i++) {
		const struct collective_call call = {.op = r->self.op[op].id,
			.step = (uint32_t)step[i],
			.group = *group ? group : NULL,
			.sequence = numbered ? sequence[i] : COLLECTIVE_UNKNOWN,
			.dur_ps = dur_ps[i]};

		if (step[i] < 0 || (uint64_t)step[i] >= profile->step_count ||
			call.sequence < COLLECTIVE_UNKNOWN || call.dur_ps < COLLECTIVE_UNKNOWN)
			return OBS_DAMAGED;
		collective_calls_add(&profile->collectives, &call);
	}
	return OBS_READ;
}
