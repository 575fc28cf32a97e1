/* Rows of ops that go are taken out in place. */
#include "model/host_device.h"

#include <string.h>
#include "base/memory.h"
#include "model/ranks.h"

static bool has_value(const int64_t *column, size_t row)
{
	return column && column[row] != CELL_ABSENT && column[row] != 0;
}

bool cube_host_is_apart(const struct cube *cube)
{
	const int64_t *accelerator = cube->column[MEASURE_ACCELERATOR];
	const int64_t *cpu = cube->column[MEASURE_CPU];
	double both = 0, all = 0;
	bool host = false;

	for (size_t r = 0; r < cube->row_count && accelerator && cpu; r++) {
		const double time = has_value(accelerator, r) ? (double)accelerator[r] : 0;

		host |= has_value(cpu, r) && (time == 0 || cube->host_is_apart);
		all += time;
		both += has_value(cpu, r) ? time : 0;
	}
	return host && (both < all / 2 || (cube->host_is_apart && all > 0));
}

static void move_rows(struct cube *cube, size_t to, size_t from, size_t count)
{
	if (to == from)
		return;
	memmove(cube->step_of + to, cube->step_of + from, count * sizeof(*cube->step_of));
	for (size_t m = 0; m < MEASURE_COUNT; m++) {
		int64_t *const column = cube->column[m];

		if (column)
			memmove(column + to, column + from, count * sizeof(*column));
	}
	for (size_t k = 0; k < CALL_KINDS; k++) {
		struct call_sums *const calls = cube->calls[k];

		if (calls)
			memmove(calls + to, calls + from, count * sizeof(*calls));
	}
}

static bool row_stays(const struct cube *cube, size_t row, enum rows_on on)
{
	const bool device = has_value(cube->column[MEASURE_ACCELERATOR], row);

	return on == ON_DEVICE ? device : !device || has_value(cube->column[MEASURE_CPU], row);
}

/* True if this op has cpu time in any row. */
static bool is_on_host(const struct cube *cube, size_t op)
{
	if (!cube->has_accelerator[op])
		return true;
	for (size_t r = cube->op_first[op]; r < cube->op_first[op + 1]; r++)
		if (has_value(cube->column[MEASURE_CPU], r))
			return true;
	return false;
}

/* Memory is requested by ops of the host: without them a column of zeros says nothing. */
static void drop_measures_of_host(struct cube *cube)
{
	static const enum measure_id of_host[] = {
		MEASURE_REQUESTED, MEASURE_PEAK, MEASURE_RESIDUAL, MEASURE_OUTPUT};

	for (size_t i = 0; i < sizeof(of_host) / sizeof(*of_host); i++) {
		bool any = false;

		for (size_t r = 0; r < cube->row_count; r++)
			any |= has_value(cube->column[of_host[i]], r);
		if (!any)
			cube->column[of_host[i]] = NULL;
	}
}

static void keep_ops(struct cube *cube, enum rows_on on)
{
	int64_t *other = cube->column[on == ON_DEVICE ? MEASURE_CPU : MEASURE_ACCELERATOR];
	uint32_t *to = memory_alloc(memory_product(cube->op_count, sizeof(*to)));
	size_t ops = 0, rows = 0;

	for (size_t o = 0; o < cube->op_count; o++) {
		const size_t first = cube->op_first[o], last = cube->op_first[o + 1];
		const bool stays = on == ON_DEVICE ? cube->has_accelerator[o] : is_on_host(cube, o);

		to[o] = stays ? (uint32_t)ops : UINT32_MAX;
		cube->is_one_side |= !stays && last > first;
		if (!stays)
			continue;
		cube->op[ops] = cube->op[o];
		cube->has_accelerator[ops] = on == ON_DEVICE;
		cube->op_first[ops++] = rows;
		for (size_t r = first; r < last && !cube->is_one_side; r++)
			cube->is_one_side = has_value(other, r);
		for (size_t r = first, from = first; r <= last; r++) {
			if (r < last && row_stays(cube, r, on))
				continue;
			move_rows(cube, rows, from, r - from);
			rows += r - from;
			from = r + 1;
		}
	}
	if (other && rows)
		memset(other, 0, rows * sizeof(*other));
	cube->op_count = ops;
	cube->row_count = rows;
	cube->op_first[ops] = rows;
	if (on == ON_DEVICE)
		drop_measures_of_host(cube);
	collective_calls_renumber(&cube->collectives, to, NULL);
	if (cube->ranks)
		ranks_renumber_ops(cube->ranks, cube, to, on);
	memory_free(to);
}

void cube_keep_on(struct cube *cube, enum rows_on on)
{
	if (on == ON_AUTO)
		on = cube_host_is_apart(cube) ? ON_DEVICE : ON_ALL;
	if (on != ON_DEVICE && on != ON_HOST)
		return;
	keep_ops(cube, on);
	if (cube->given)
		keep_ops(cube->given, on);
}
