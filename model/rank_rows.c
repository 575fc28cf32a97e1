/* The rows of a job of several ranks: op by op, the parts of all ranks are added up, each op by one
 * of several threads, so that only few ops are unpacked at a time. */
#include "model/ranks.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "base/ordered_work.h"

#define NOWHERE UINT32_MAX
#define SLOTS_MOST_BYTES ((size_t)32 << 20) /* of further threads */
#define VALUES_WORTH 4096		    /* of an op: less is not handed to another thread */

/* The rows of a cube that is being filled, op by op. */
struct row_maker {
	struct cube *cube;
	const struct ranks *ranks;
	uint32_t *const *step_of; /* where each step of each source goes */
	bool *in_line; /* sources all of whose steps go to steps that follow each other */
	bool largest;
	bool have[MEASURE_STEP_COUNT], have_calls[CALL_KINDS];
	size_t rows, room;
	uint32_t next; /* op */
	struct op_sums *slot;
	struct arena *arena;
};

/* The sums of one op over its steps. */
struct op_sums {
	const struct row_maker *maker;
	uint32_t op;
	size_t too_large; /* sums */
	bool *touched;	  /* of each step */
	uint32_t *step;
	size_t steps;			  /* of these */
	int64_t *sum[MEASURE_STEP_COUNT]; /* NULL: no source has them */
	struct call_sums *calls[CALL_KINDS];
	/* A part: its steps, where each goes, its columns. */
	uint32_t *part_step, *to;
	int64_t *wanted[MEASURE_STEP_COUNT];
};

/* Adds a rank's value to the sum, or takes the maximum where the largest is asked for. The
 * result is CELL_ABSENT when either is, and when the sum overflows, which is counted. */
static void add_value(int64_t *sum, int64_t value, bool largest, size_t *too_large)
{
	if (*sum == CELL_ABSENT || value == CELL_ABSENT) {
		*sum = CELL_ABSENT;
	} else if (largest) {
		*sum = value > *sum ? value : *sum;
	} else if (!number_add(*sum, value, sum)) {
		*sum = CELL_ABSENT;
		++*too_large;
	}
}

static void touch_step(struct op_sums *sums, uint32_t step)
{
	if (sums->touched[step])
		return;
	sums->step[sums->steps++] = step;
	sums->touched[step] = true;
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		if (sums->sum[m])
			sums->sum[m][step] = sums->maker->largest ? -INT64_MAX : 0;
}

/* Adds a column, all of whose values are known, to these sums. */
static void add_column(
	struct op_sums *sums, int64_t *sum, const struct packed_column *column, size_t n)
{
	const struct packed_column c = *column; /* what is stored here cannot change it */
	const bool largest = sums->maker->largest;

	for (size_t i = 0; i < n; i++)
		add_value(&sum[i], packed_column_at(&c, i), largest, &sums->too_large);
}

/* Adds a part whose steps follow each other, as those of the cube do where they go, without
 * unpacking it. False: nothing is added. */
static bool add_line(struct op_sums *sums, const struct rank_source *source,
	const uint32_t *step_of, uint32_t op)
{
	struct packed_line line[MEASURE_STEP_COUNT];
	uint32_t to = 0;
	size_t n = 0;

	for (size_t k = 0; k < CALL_KINDS; k++)
		if (sums->calls[k])
			return false;
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		if (sums->sum[m] && !packed_rows_line(source->rows, op, m, &line[m]))
			return false;
		else if (sums->sum[m]) {
			to = step_of[line[m].step];
			n = line[m].count;
		}
	const bool *step = sums->touched + to, *const end = step + n;

	for (; (step = memchr(step, false, (size_t)(end - step))); step++)
		touch_step(sums, (uint32_t)(step - sums->touched));
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		if (sums->sum[m])
			add_column(sums, sums->sum[m] + to, &line[m].column, n);
	return n > 0;
}

static void add_part(struct op_sums *sums, const struct rank_source *source,
	const uint32_t *step_of, uint32_t op)
{
	const size_t first = source->rows->first[op].row;
	const size_t n = packed_rows_read(source->rows, op, sums->part_step, sums->wanted);
	uint32_t *to = sums->to;

	for (size_t i = 0; i < n; i++) {
		to[i] = step_of[sums->part_step[i]];
		if (to[i] != NOWHERE)
			touch_step(sums, to[i]);
	}
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		for (size_t i = 0; sums->wanted[m] && i < n; i++)
			if (to[i] != NOWHERE)
				add_value(&sums->sum[m][to[i]], sums->wanted[m][i],
					sums->maker->largest, &sums->too_large);
	for (size_t k = 0; k < CALL_KINDS; k++)
		for (size_t i = 0; sums->calls[k] && source->rows->calls[k] && i < n; i++)
			if (to[i] != NOWHERE)
				call_sums_join(
					&sums->calls[k][to[i]], &source->rows->calls[k][first + i]);
}

/* It must not look at the cube, to which the caller adds other ops meanwhile. */
static void add_op(void *item, size_t thread)
{
	struct op_sums *sums = item;
	const struct row_maker *maker = sums->maker;
	const struct ranks *ranks = maker->ranks;

	(void)thread;
	for (size_t i = ranks->part_first[sums->op]; i < ranks->part_first[sums->op + 1]; i++) {
		const struct rank_part *from = &ranks->part[i];
		const struct rank_source *source = &ranks->source[from->source];
		const uint32_t *to =
			maker->step_of ? maker->step_of[from->source] : source->step_of;

		ranks_prefetch(ranks, i);
		if (!maker->in_line[from->source] || !add_line(sums, source, to, from->op))
			add_part(sums, source, to, from->op);
	}
}

static void make_row_room(struct row_maker *maker, size_t need)
{
	struct cube *cube = maker->cube;
	size_t room;

	if (need <= maker->room)
		return;
	room = memory_next_room(maker->room, need);
	cube->step_of = memory_resize(cube->step_of, memory_product(room, sizeof(*cube->step_of)));
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		if (cube->column[m])
			cube->column[m] = memory_resize(
				cube->column[m], memory_product(room, sizeof(int64_t)));
	for (size_t k = 0; k < CALL_KINDS; k++)
		if (cube->calls[k])
			cube->calls[k] = memory_resize(
				cube->calls[k], memory_product(room, sizeof(struct call_sums)));
	maker->room = room;
}

void ranks_note_too_large(struct cube *cube, size_t count, const char *place)
{
	if (count)
		issue_add(&cube->issues, ISSUE_LOSS, "sum-range",
			"sums over the ranks of a step of more than 64 bits, left out", count,
			place);
}

/* The sums of the op become its rows. */
static void put_op(struct row_maker *maker, struct op_sums *sums)
{
	struct cube *cube = maker->cube;

	if (sums->steps)
		qsort(sums->step, sums->steps, sizeof(*sums->step), order_uint32);
	make_row_room(maker, maker->rows + sums->steps);
	for (size_t i = 0; i < sums->steps; i++, maker->rows++) {
		const uint32_t step = sums->step[i];

		cube->step_of[maker->rows] = step;
		sums->touched[step] = false;
		for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
			if (cube->column[m])
				cube->column[m][maker->rows] = sums->sum[m][step];
		for (size_t k = 0; k < CALL_KINDS; k++)
			if (cube->calls[k]) {
				cube->calls[k][maker->rows] = sums->calls[k][step];
				sums->calls[k][step] = (struct call_sums){0};
			}
	}
	cube->op_first[sums->op + 1] = maker->rows;
	sums->steps = 0;
	ranks_note_too_large(cube, sums->too_large, cube->op[sums->op].name);
	sums->too_large = 0;
}

static void *own_block(struct cube *cube, void *heap_block)
{
	if (heap_block)
		arena_defer(cube->arena, memory_free, heap_block);
	return heap_block;
}

/* Makes the columns that the sources have; each gets a first block. */
static void open_columns(struct row_maker *maker)
{
	const struct ranks *ranks = maker->ranks;
	struct cube *cube = maker->cube;

	for (size_t s = 0; s < ranks->source_count; s++) {
		for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
			maker->have[m] |= ranks->source[s].rows->have[m];
		for (size_t k = 0; k < CALL_KINDS; k++)
			maker->have_calls[k] |= ranks->source[s].rows->calls[k] != NULL;
	}
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		cube->column[m] = maker->have[m] ? memory_alloc(sizeof(int64_t)) : NULL;
	for (size_t k = 0; k < CALL_KINDS; k++)
		cube->calls[k] =
			maker->have_calls[k] ? memory_alloc(sizeof(struct call_sums)) : NULL;
}

static void close_columns(struct row_maker *maker)
{
	struct cube *cube = maker->cube;

	cube->row_count = maker->rows;
	own_block(cube, cube->step_of);
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		own_block(cube, cube->column[m]);
	for (size_t k = 0; k < CALL_KINDS; k++)
		own_block(cube, cube->calls[k]);
}

static void make_slot(const struct row_maker *maker, struct op_sums *sums)
{
	const size_t steps = maker->cube->step_count, most = maker->ranks->most;
	struct arena *arena = maker->arena;

	sums->maker = maker;
	sums->touched = arena_array(arena, steps, sizeof(*sums->touched));
	sums->step = arena_array(arena, steps, sizeof(*sums->step));
	sums->part_step = arena_array(arena, most, sizeof(*sums->part_step));
	sums->to = arena_array(arena, most, sizeof(*sums->to));
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		if (maker->have[m]) {
			sums->sum[m] = arena_array(arena, steps, sizeof(int64_t));
			sums->wanted[m] = arena_array(arena, most, sizeof(int64_t));
		}
	for (size_t k = 0; k < CALL_KINDS; k++)
		if (maker->have_calls[k])
			sums->calls[k] = arena_array(arena, steps, sizeof(*sums->calls[k]));
}

static void *begin_op(void *context, size_t slot)
{
	struct row_maker *maker = context;
	struct op_sums *sums = &maker->slot[slot];

	if (maker->next == maker->cube->op_count)
		return NULL;
	if (!sums->maker)
		make_slot(maker, sums);
	sums->op = maker->next++;
	return sums;
}

/* Threads that are worth while and whose slots are not too large. */
static size_t adding_threads(const struct row_maker *maker)
{
	const struct ranks *ranks = maker->ranks;
	size_t slot = maker->cube->step_count + ranks->most, values = 0, measures = 1;

	for (size_t s = 0; s < ranks->source_count; s++)
		values += ranks->source[s].rows->count;
	if (values / VALUES_WORTH < maker->cube->op_count)
		return 1;
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
		measures += maker->have[m];
	for (size_t k = 0; k < CALL_KINDS; k++)
		measures += maker->have_calls[k] ? sizeof(struct call_sums) / sizeof(int64_t) : 0;
	slot = memory_product(slot, measures * sizeof(int64_t));

	const size_t most = 1 + SLOTS_MOST_BYTES / ORDERED_WORK_WORTH / (slot + 1);

	return ranks->threads < most ? ranks->threads : most;
}

void ranks_sum_rows(
	struct cube *cube, const struct ranks *ranks, uint32_t *const *step_of, bool largest)
{
	struct row_maker maker = {.cube = cube,
		.ranks = ranks,
		.step_of = step_of,
		.largest = largest,
		.arena = arena_new()};
	struct ordered_work *work;
	struct op_sums *sums;

	maker.in_line = arena_array(maker.arena, ranks->source_count, sizeof(*maker.in_line));
	for (size_t p = 0; p < ranks->source_count; p++) {
		const uint32_t *to = step_of ? step_of[p] : ranks->source[p].step_of;
		bool *in_line = &maker.in_line[p];

		*in_line = ranks->source[p].step_count && to[0] != NOWHERE;
		for (size_t s = 1; *in_line && s < ranks->source[p].step_count; s++)
			*in_line = to[s] == to[0] + s;
	}
	open_columns(&maker);
	cube->op_first = arena_array(cube->arena, cube->op_count + 1, sizeof(*cube->op_first));
	work = ordered_work_new(adding_threads(&maker), add_op);
	maker.slot = arena_array(maker.arena, ordered_work_depth(work), sizeof(*maker.slot));
	while ((sums = ordered_work_next(work, begin_op, &maker)))
		put_op(&maker, sums);
	ordered_work_free(work);
	close_columns(&maker);
	arena_free(maker.arena);
}
