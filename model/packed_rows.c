/* Blocks of bytes, one for each op: the number of rows, their steps, a block for each column.
 * Numbers are of a variable length, seven bits in a byte, lowest first. */
#include "model/packed_rows.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/packed_number.h"

enum column_form { COLUMN_ABSENT, COLUMN_CONSTANT, COLUMN_BITS, COLUMN_WHOLE };

static const uint64_t factors[] = {1, 1000, 1000000}; /* ps, ns, us */

struct packer {
	unsigned char *bytes;
	size_t size, room;
};

static unsigned char *make_room(struct packer *p, size_t n)
{
	p->bytes = memory_make_room(p->bytes, &p->room, p->size + n + PACKED_SLACK, 1);
	return p->bytes + p->size;
}

static void put_number(struct packer *p, uint64_t value)
{
	p->size += packed_varint(make_room(p, PACKED_VARINT_MOST), value);
}

static uint64_t get_number(const unsigned char **at)
{
	uint64_t value = 0;

	packed_varint_next(at, *at + PACKED_VARINT_MOST, &value);
	return value;
}

static size_t bits_size(size_t n, unsigned bits)
{
	return (n * bits + 7) / 8;
}

static void put_column(struct packer *p, const int64_t *value, size_t n)
{
	int64_t least = value[0], most = value[0];
	bool absent = value[0] == CELL_ABSENT;
	size_t factor;
	unsigned bits;

	for (size_t i = 1; i < n; i++) {
		least = value[i] < least ? value[i] : least;
		most = value[i] > most ? value[i] : most;
	}
	if (least == most) {
		put_number(p, absent ? COLUMN_ABSENT : COLUMN_CONSTANT);
		if (!absent)
			put_number(p, packed_zigzag((uint64_t)least));
		return;
	}

	/* The largest of the factors that all differences are multiples of. */
	bool thousand = true, million = true;

	for (size_t i = 0; i < n && thousand; i++) {
		const uint64_t rest = (uint64_t)value[i] - (uint64_t)least;

		thousand = rest % 1000 == 0;
		million = million && rest % 1000000 == 0;
	}
	factor = !thousand ? 0 : million ? 2 : 1;
	bits = packed_bits(((uint64_t)most - (uint64_t)least) / factors[factor]);
	if (bits > PACKED_BITS_MOST || least == CELL_ABSENT) {
		put_number(p, COLUMN_WHOLE);
		memcpy(make_room(p, n * sizeof(*value)), value, n * sizeof(*value));
		p->size += n * sizeof(*value);
		return;
	}
	put_number(p, COLUMN_BITS);
	put_number(p, packed_zigzag((uint64_t)least));
	put_number(p, factor);
	put_number(p, bits);

	const size_t size = bits_size(n, bits);
	unsigned char *to = make_room(p, size);
	uint64_t word = 0; /* of the bits that are not written yet */
	unsigned used = 0;

	for (size_t i = 0; i < n; i++) {
		const uint64_t above = (uint64_t)value[i] - (uint64_t)least;
		const uint64_t bits_of = factor == 0   ? above
					 : factor == 1 ? above / 1000
						       : above / 1000000;

		word |= bits_of << used;
		used += bits;
		if (used < 64)
			continue;
		word = little_64(word);
		memcpy(to, &word, sizeof(word));
		to += sizeof(word);
		used -= 64;
		word = bits_of >> (bits - used);
	}
	word = little_64(word);
	memcpy(to, &word, sizeof(word));
	p->size += size;
}

/* A column of whole numbers has as many bits. */
#define WHOLE_BITS 64

/* Passes over a column of n rows. */
static struct packed_column take_column(const unsigned char **at, size_t n)
{
	const enum column_form form = (enum column_form)get_number(at);
	struct packed_column out = {.bytes = *at, .least = (uint64_t)CELL_ABSENT};

	if (form == COLUMN_WHOLE) {
		out.width = WHOLE_BITS;
	} else if (form != COLUMN_ABSENT) {
		out.least = packed_unzigzag(get_number(at));
		if (form == COLUMN_BITS) {
			out.factor = factors[get_number(at)];
			out.width = (unsigned)get_number(at);
		}
		out.bytes = *at;
	}
	*at += bits_size(n, out.width);
	return out;
}

static void read_column(const struct packed_column *column, int64_t *out, size_t n)
{
	const struct packed_column c = *column;

	if (c.width == WHOLE_BITS)
		memcpy(out, c.bytes, n * sizeof(*out));
	else
		for (size_t i = 0; i < n; i++)
			out[i] = packed_column_at(&c, i);
}

struct row_key {
	uint32_t step;
	size_t row;
};

ORDERED(compare_keys, struct row_key, ORDER(x->step, y->step));

/* The rows of the observations by op and step. */
static struct row_key *sort_rows(
	const struct observations *obs, size_t op_count, const struct packed_place *first)
{
	struct row_key *key = memory_alloc(memory_product(obs->count + 1, sizeof(*key)));
	size_t *next = memory_alloc(memory_product(op_count + 1, sizeof(*next)));

	for (size_t o = 0; o < op_count; o++)
		next[o] = first[o].row;
	for (size_t i = 0; i < obs->count; i++)
		key[next[obs->op[i]]++] = (struct row_key){obs->step[i], i};
	for (size_t o = 0; o < op_count; o++) {
		bool sorted = true;

		for (size_t i = first[o].row + 1; i < first[o + 1].row && sorted; i++)
			sorted = key[i - 1].step < key[i].step;
		if (!sorted)
			qsort(key + first[o].row, first[o + 1].row - first[o].row, sizeof(*key),
				compare_keys);
	}
	memory_free(next);
	return key;
}

/* The rows of one op: their steps, and the columns that there are. */
static void pack_op(struct packer *p, const struct packed_rows *rows, const uint32_t *step,
	const int64_t *const column[MEASURE_STEP_COUNT], size_t n)
{
	/* The first step, then 0 where all others follow it one by one, or each distance to the one
	 * before. */
	const bool dense = step[n - 1] - step[0] == n - 1;

	put_number(p, (uint64_t)step[0] << 1 | !dense);
	for (size_t i = 1; i < n && !dense; i++)
		put_number(p, step[i] - step[i - 1]);
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		if (rows->have[m])
			put_column(p, column[m], n);
}

/* The same of rows that are not in order. */
static void pack_unsorted_op(struct packer *p, const struct packed_rows *rows,
	const struct observations *obs, const struct row_key *key, size_t n)
{
	uint32_t *step = memory_alloc(memory_product(n, sizeof(*step)));
	int64_t *value[MEASURE_STEP_COUNT];
	const int64_t *column[MEASURE_STEP_COUNT];

	for (size_t i = 0; i < n; i++)
		step[i] = key[i].step;
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++) {
		value[m] = rows->have[m] ? memory_alloc(memory_product(n, sizeof(**value))) : NULL;
		column[m] = value[m];
		for (size_t i = 0; rows->have[m] && i < n; i++)
			value[m][i] = obs->column[m][key[i].row];
	}
	pack_op(p, rows, step, column, n);
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		memory_free(value[m]);
	memory_free(step);
}

struct packed_rows *packed_rows_of(struct profile *profile)
{
	struct observations *obs = &profile->obs;
	struct packed_rows *rows = memory_alloc(sizeof(*rows));
	struct packer p = {0};
	struct row_key *key = NULL;

	rows->count = obs->count;
	rows->op_count = profile->op_count;
	rows->first = memory_alloc(memory_product(rows->op_count + 1, sizeof(*rows->first)));
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		rows->have[m] = obs->column[m] != NULL;
	/* rows->first: where the rows of each op begin when they are sorted. */
	bool sorted = true;

	for (size_t i = 0, end; i < obs->count; i = end) {
		const uint32_t op = obs->op[i];

		for (end = i + 1; end < obs->count && obs->op[end] == op; end++)
			sorted &= obs->step[end] > obs->step[end - 1];
		sorted &= i == 0 || op > obs->op[i - 1];
		rows->first[op + 1].row += end - i;
	}
	for (size_t o = 0; o < rows->op_count; o++)
		rows->first[o + 1].row += rows->first[o].row;
	if (!sorted)
		key = sort_rows(obs, rows->op_count, rows->first);
	for (size_t o = 0; o < rows->op_count; o++) {
		const size_t first = rows->first[o].row, n = rows->first[o + 1].row - first;

		rows->most = n > rows->most ? n : rows->most;
		rows->first[o].byte = p.size;
		if (n && key)
			pack_unsorted_op(&p, rows, obs, key + first, n);
		else if (n) {
			const int64_t *column[MEASURE_STEP_COUNT];

			for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
				column[m] = rows->have[m] ? obs->column[m] + first : NULL;
			pack_op(&p, rows, obs->step + first, column, n);
		}
	}
	rows->first[rows->op_count].byte = p.size;
	make_room(&p, 0);
	memset(p.bytes + p.size, 0, PACKED_SLACK);
	rows->bytes = memory_resize(p.bytes, p.size + PACKED_SLACK);
	/* key NULL: they are in order. */
	for (size_t k = 0; k < CALL_KINDS; k++) {
		if (!obs->calls[k])
			continue;
		rows->calls[k] = memory_alloc(memory_product(obs->count, sizeof(*rows->calls[k])));
		for (size_t i = 0; i < obs->count; i++)
			rows->calls[k][i] = obs->calls[k][key ? key[i].row : i];
	}
	memory_free(key);
	if (!profile->is_kept) {
		for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
			memory_free(obs->column[m]);
		for (size_t k = 0; k < CALL_KINDS; k++)
			memory_free(obs->calls[k]);
		memory_free(obs->op);
		memory_free(obs->step);
		*obs = (struct observations){0};
	}
	return rows;
}

void packed_rows_free(struct packed_rows *rows)
{
	if (!rows)
		return;
	for (size_t k = 0; k < CALL_KINDS; k++)
		memory_free(rows->calls[k]);
	memory_free(rows->first);
	memory_free(rows->bytes);
	memory_free(rows);
}

size_t packed_rows_read(const struct packed_rows *rows, uint32_t op, uint32_t *step,
	int64_t *const value[MEASURE_STEP_COUNT])
{
	const size_t n = rows->first[op + 1].row - rows->first[op].row;
	const unsigned char *at = rows->bytes + rows->first[op].byte;

	if (!n)
		return 0;

	const uint64_t head = get_number(&at);

	step[0] = (uint32_t)(head >> 1);
	for (size_t i = 1; i < n; i++)
		step[i] = step[i - 1] + (head & 1 ? (uint32_t)get_number(&at) : 1);
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++) {
		const struct packed_column column =
			rows->have[m]
				? take_column(&at, n)
				: (struct packed_column){rows->bytes, 0, 0, (uint64_t)CELL_ABSENT};

		if (value[m])
			read_column(&column, value[m], n);
	}
	return n;
}

bool packed_rows_line(
	const struct packed_rows *rows, uint32_t op, size_t measure, struct packed_line *out)
{
	const size_t n = rows->first[op + 1].row - rows->first[op].row;
	const unsigned char *at = rows->bytes + rows->first[op].byte;
	uint64_t head;

	if (!n || !rows->have[measure] || ((head = get_number(&at)) & 1))
		return false;
	*out = (struct packed_line){.step = (uint32_t)(head >> 1), .count = n};
	for (size_t m = 0; m <= measure; m++)
		if (rows->have[m])
			out->column = take_column(&at, n);
	return out->column.width != WHOLE_BITS && out->column.least != (uint64_t)CELL_ABSENT;
}

void packed_rows_restore(const struct packed_rows *rows, struct profile *profile)
{
	struct observations *obs = &profile->obs;
	int64_t *value[MEASURE_STEP_COUNT];

	obs->count = obs->room = rows->count;
	obs->op = memory_alloc(memory_product(rows->count, sizeof(*obs->op)));
	obs->step = memory_alloc(memory_product(rows->count, sizeof(*obs->step)));
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		if (rows->have[m])
			obs->column[m] = memory_alloc(memory_product(rows->count, sizeof(int64_t)));
	for (size_t k = 0; k < CALL_KINDS; k++) {
		if (!rows->calls[k])
			continue;
		obs->calls[k] = memory_alloc(memory_product(rows->count, sizeof(*obs->calls[k])));
		memcpy(obs->calls[k], rows->calls[k], rows->count * sizeof(*obs->calls[k]));
	}
	for (uint32_t o = 0; o < rows->op_count; o++) {
		const size_t first = rows->first[o].row;

		for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
			value[m] = obs->column[m] ? obs->column[m] + first : NULL;
		for (size_t i = first; i < rows->first[o + 1].row; i++)
			obs->op[i] = o;
		packed_rows_read(rows, o, obs->step + first, value);
	}
}
