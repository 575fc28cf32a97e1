/* The cube's values: stored ones, derived ones, and the totals of the scope tree. */
#include "model/cube.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"

struct cube *cube_new(void)
{
	struct arena *arena = arena_new();
	struct cube *cube = arena_alloc(arena, sizeof(*cube));

	cube->arena = arena;
	issue_list_init(&cube->issues, arena);
	return cube;
}

void cube_free(struct cube *cube)
{
	if (!cube)
		return;
	cube_free(cube->given);
	collective_calls_release(&cube->collectives);
	arena_free(cube->arena);
}

uint32_t cube_find_op(const struct cube *cube, const char *name)
{
	size_t low = 0, high = cube->op_count;

	while (low < high) { /* they are in the order of their names */
		size_t middle = low + (high - low) / 2;

		if (strcmp(cube->op[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == cube->op_count || strcmp(cube->op[low].name, name) != 0)
		return UINT32_MAX;
	return (uint32_t)low;
}

static bool is_defined(const struct op *op)
{
	return op->defined > 0;
}

static bool knows_params(const struct op *op)
{
	return op->defined > 0 && op->params != CELL_ABSENT;
}

static bool knows_float_ops(const struct op *op)
{
	return op->float_ops_each != CELL_ABSENT;
}

static bool any_op(const struct cube *cube, bool (*holds)(const struct op *op))
{
	for (size_t o = 0; o < cube->op_count; o++)
		if (holds(&cube->op[o]))
			return true;
	return false;
}

bool cube_has(const struct cube *cube, enum measure_id id)
{
	if (cube->column[id])
		return true;
	switch (id) {
	case MEASURE_TIME:
		return cube->column[MEASURE_ACCELERATOR] || cube->column[MEASURE_CPU];
	case MEASURE_MICROS:
		return cube->column[MEASURE_ACCELERATOR] && cube->column[MEASURE_CPU];
	case MEASURE_FLOAT_OPS:
		return cube->column[MEASURE_OCCURRENCE] && any_op(cube, knows_float_ops);
	case MEASURE_ACHIEVED:
		return cube_has(cube, MEASURE_FLOAT_OPS) && cube_has(cube, MEASURE_TIME);
	case MEASURE_MATRIX_RATE:
		return cube->column[MEASURE_MATRIX_BYTES] && cube_has(cube, MEASURE_TIME);
	case MEASURE_PARAMS:
		return any_op(cube, knows_params);
	case MEASURE_DEFINED:
		return any_op(cube, is_defined);
	case MEASURE_DELAY:
		return cube->calls[CALLS_DELAY] != NULL;
	default:
		return false;
	}
}

size_t cube_measures(const struct cube *cube, enum measure_id out[MEASURE_COUNT])
{
	size_t n = 0;

	for (enum measure_id id = 0; id < MEASURE_COUNT; id++)
		if (!measure_is_own(id) && cube_has(cube, id))
			out[n++] = id;
	for (size_t i = 0; i < cube->own_count; i++)
		if (cube_has(cube, cube->own[i]))
			out[n++] = cube->own[i];
	return n;
}

static int64_t stored(const struct cube *cube, enum measure_id id, size_t row)
{
	return cube->column[id] ? cube->column[id][row] : CELL_ABSENT;
}

static int64_t derive_time(const struct cube *cube, uint32_t op, size_t row)
{
	if (cube->has_accelerator[op] || !cube->column[MEASURE_CPU])
		return stored(cube, MEASURE_ACCELERATOR, row);
	return stored(cube, MEASURE_CPU, row);
}

static int64_t derive_micros(const struct cube *cube, size_t row)
{
	int64_t accelerator = stored(cube, MEASURE_ACCELERATOR, row);
	int64_t cpu = stored(cube, MEASURE_CPU, row), sum;

	if (accelerator == CELL_ABSENT || cpu == CELL_ABSENT || !number_add(accelerator, cpu, &sum))
		return CELL_ABSENT;
	return sum;
}

static int64_t derive_float_ops(const struct cube *cube, uint32_t op, size_t row)
{
	int64_t count = stored(cube, MEASURE_OCCURRENCE, row), product;
	int64_t each = cube->op[op].float_ops_each;

	if (count == CELL_ABSENT || each == CELL_ABSENT || !number_multiply(count, each, &product))
		return CELL_ABSENT;
	return product;
}

/* The measure a second, in units of `parts` of one, rounded down. */
static int64_t derive_rate(
	const struct cube *cube, enum measure_id of, double parts, uint32_t op, size_t row)
{
	double rate;
	const int64_t count = cube_value(cube, of, op, row),
		      time_ps = cube_value(cube, MEASURE_TIME, op, row);

	if (count == CELL_ABSENT || time_ps == CELL_ABSENT || count < 0 || time_ps <= 0)
		return CELL_ABSENT;
	rate = (double)count * (parts * 1e12) / (double)time_ps;
	return rate < (double)INT64_MAX ? (int64_t)rate : CELL_ABSENT;
}

int64_t cube_derived(const struct cube *cube, enum measure_id id, uint32_t op, size_t row)
{
	switch (id) {
	case MEASURE_TIME:
		return derive_time(cube, op, row);
	case MEASURE_MICROS:
		return derive_micros(cube, row);
	case MEASURE_FLOAT_OPS:
		return derive_float_ops(cube, op, row);
	case MEASURE_ACHIEVED:
		return derive_rate(cube, MEASURE_FLOAT_OPS, 1, op, row);
	case MEASURE_MATRIX_RATE: /* in thousandths of a byte */
		return derive_rate(cube, MEASURE_MATRIX_BYTES, 1000, op, row);
	default:
		return CELL_ABSENT;
	}
}

bool cube_out_of_range(const struct cube *cube, enum measure_id id, uint32_t op, size_t row)
{
	bool has_float = cube->op[op].float_ops_each != CELL_ABSENT;

	if (cube_value(cube, id, op, row) != CELL_ABSENT || cube_has(cube, id) == false)
		return false;
	if (id == MEASURE_MICROS)
		return stored(cube, MEASURE_ACCELERATOR, row) != CELL_ABSENT &&
		       stored(cube, MEASURE_CPU, row) != CELL_ABSENT;
	return id == MEASURE_FLOAT_OPS && has_float &&
	       stored(cube, MEASURE_OCCURRENCE, row) != CELL_ABSENT;
}

bool cube_same_values(const struct cube *cube, enum measure_id a, enum measure_id b)
{
	if (measure_at(a)->dimension != measure_at(b)->dimension)
		return false;
	for (uint32_t o = 0; o < cube->op_count; o++)
		for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1]; r++)
			if (cube_value(cube, a, o, r) != cube_value(cube, b, o, r))
				return false;
	return true;
}

int64_t cube_static(const struct cube *cube, enum measure_id id, uint32_t op)
{
	const struct op *o = &cube->op[op];

	if (o->defined <= 0)
		return CELL_ABSENT;
	return id == MEASURE_PARAMS ? o->params : id == MEASURE_DEFINED ? o->defined : CELL_ABSENT;
}

/* ---- scope totals ---- */

struct scopes {
	struct intern *names; /* id = index of the scope, parents before children */
	uint32_t *parent;
	uint32_t *of_op; /* op of the cube -> scope */
	size_t count, room;
};

/* The scope of this name, made with its parents when new. */
static uint32_t scope_add(struct scopes *scopes, const char *name, size_t n)
{
	uint32_t id, parent = ACCOUNT_ROOT;
	size_t cut = n;

	if (intern_find(scopes->names, name, n, &id))
		return id;
	while (cut > 0 && name[cut - 1] != '/')
		cut--;
	if (cut > 1)
		parent = scope_add(scopes, name, cut - 1);
	id = intern_id(scopes->names, name, n);
	scopes->parent = memory_make_room(
		scopes->parent, &scopes->room, (size_t)id + 1, sizeof(*scopes->parent));
	scopes->parent[id] = parent;
	return id;
}

/* Names nested deeper than this are hostile: the recursion above follows them. */
#define SCOPE_DEPTH_MAX 4096

static int scopes_build(
	struct scopes *scopes, const struct cube *cube, struct arena *arena, struct error *err)
{
	scopes->names = intern_new(arena);
	scopes->of_op = arena_array(arena, cube->op_count, sizeof(uint32_t));
	for (size_t o = 0; o < cube->op_count; o++) {
		const char *name = cube->op[o].name;
		size_t depth = 0;

		for (const char *p = name; *p; p++)
			depth += *p == '/';
		if (depth > SCOPE_DEPTH_MAX)
			return error_set(err, ERROR_LIMIT, NULL,
				"an op name has %zu levels of scope, at most %d are followed",
				depth, SCOPE_DEPTH_MAX);
		scopes->of_op[o] = scope_add(scopes, name, strlen(name));
	}
	scopes->count = intern_count(scopes->names);
	return 0;
}

/* The rows of the cube step by step, as numbers of rows. A table of scopes times steps would hold
 * what most inputs have not: an op that ran in one step of a million. */
struct step_rows {
	size_t *first; /* steps + 1 */
	uint32_t *op;
	size_t *row;
};

static void step_rows_make(const struct cube *cube, struct arena *arena, struct step_rows *out)
{
	size_t *cursor = arena_array(arena, cube->step_count + 1, sizeof(*cursor));

	out->first = arena_array(arena, cube->step_count + 1, sizeof(*out->first));
	out->op = arena_array(arena, cube->row_count, sizeof(*out->op));
	out->row = arena_array(arena, cube->row_count, sizeof(*out->row));
	for (size_t r = 0; r < cube->row_count; r++)
		out->first[cube->step_of[r] + 1]++;
	for (size_t s = 0; s < cube->step_count; s++)
		out->first[s + 1] += out->first[s];
	memcpy(cursor, out->first, (cube->step_count + 1) * sizeof(*cursor));
	for (uint32_t o = 0; o < cube->op_count; o++)
		for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1]; r++) {
			size_t at = cursor[cube->step_of[r]]++;

			out->op[at] = o;
			out->row[at] = r;
		}
}

/* The scopes of one step: those of its ops and all above them, children before their parents. */
struct touched {
	uint32_t *scope; /* room for all scopes */
	size_t count;
	uint32_t *last; /* of each scope: the step that touched it last, + 1 */
};

ORDERED(compare_falling, uint32_t, (*x < *y) - (*x > *y));

static void touch_step(const struct scopes *scopes, const struct step_rows *rows, uint32_t step,
	struct touched *out)
{
	out->count = 0;
	for (size_t i = rows->first[step]; i < rows->first[step + 1]; i++)
		for (uint32_t s = scopes->of_op[rows->op[i]];
			s != ACCOUNT_ROOT && out->last[s] != step + 1; s = scopes->parent[s]) {
			out->last[s] = step + 1;
			out->scope[out->count++] = s;
		}
	qsort(out->scope, out->count, sizeof(*out->scope), compare_falling);
}

/* Adds; a value that is not known, or an overflow, makes the sum unknown. Returns true on
 * overflow. */
static bool add_known(int64_t *sum, int64_t value)
{
	if (*sum == CELL_ABSENT || value == CELL_ABSENT) {
		*sum = CELL_ABSENT;
		return false;
	}
	if (number_add(*sum, value, sum) && *sum != CELL_ABSENT)
		return false;
	*sum = CELL_ABSENT;
	return true;
}

/* The sums of a cube over scopes while they are made. */
struct scope_sums {
	struct cube *out;
	const struct cube *cube;
	const struct scopes *scopes;
	const uint32_t *order; /* scopes by name */
	struct step_rows rows;
	struct touched touched;
	size_t *next; /* of each scope: its next row in `out` */
	size_t *row;  /* of each scope: its row in the present step */
};

/* One measure of one step. Returns how many sums left the range. */
static size_t sum_step(struct scope_sums *s, uint32_t step, enum measure_id id)
{
	const struct step_rows *rows = &s->rows;
	int64_t *column = s->out->column[id];
	size_t lost = 0;

	for (size_t i = rows->first[step]; i < rows->first[step + 1]; i++)
		lost += add_known(&column[s->row[s->scopes->of_op[rows->op[i]]]],
			cube_value(s->cube, id, rows->op[i], rows->row[i]));
	for (size_t i = 0; i < s->touched.count; i++) {
		uint32_t scope = s->touched.scope[i], parent = s->scopes->parent[scope];

		if (parent != ACCOUNT_ROOT)
			lost += add_known(&column[s->row[parent]], column[s->row[scope]]);
	}
	return lost;
}

/* Finds how many rows each scope has, and where they begin: in order of names. */
static void place_scopes(struct scope_sums *s)
{
	struct cube *out = s->out;
	size_t count = s->scopes->count;

	for (uint32_t step = 0; step < s->cube->step_count; step++) {
		touch_step(s->scopes, &s->rows, step, &s->touched);
		for (size_t i = 0; i < s->touched.count; i++)
			s->next[s->touched.scope[i]]++;
	}
	out->op_first = arena_array(out->arena, count + 1, sizeof(*out->op_first));
	for (size_t i = 0; i < count; i++) {
		out->op_first[i] = out->row_count;
		out->row_count += s->next[s->order[i]];
		s->next[s->order[i]] = out->op_first[i];
	}
	out->op_first[count] = out->row_count;
	out->step_of = arena_array(out->arena, out->row_count, sizeof(*out->step_of));
}

static void totals_rows(struct cube *out, const struct cube *cube, const struct scopes *scopes,
	const uint32_t *order)
{
	struct arena *scratch = arena_new();
	struct scope_sums s = {
		.out = out,
		.cube = cube,
		.scopes = scopes,
		.order = order,
		.touched.scope = arena_array(scratch, scopes->count, sizeof(*s.touched.scope)),
		.touched.last = arena_array(scratch, scopes->count, sizeof(*s.touched.last)),
		.next = arena_array(scratch, scopes->count, sizeof(*s.next)),
		.row = arena_array(scratch, scopes->count, sizeof(*s.row)),
	};
	size_t lost = 0;

	step_rows_make(cube, scratch, &s.rows);
	place_scopes(&s);
	for (enum measure_id id = 0; id < MEASURE_STEP_COUNT; id++)
		if (!measure_is_own(id) && cube_has(cube, id)) /* they do not add up */
			out->column[id] = arena_array(out->arena, out->row_count, sizeof(int64_t));
	memset(s.touched.last, 0, scopes->count * sizeof(*s.touched.last));
	for (uint32_t step = 0; step < cube->step_count; step++) {
		touch_step(scopes, &s.rows, step, &s.touched);
		for (size_t i = 0; i < s.touched.count; i++) {
			uint32_t scope = s.touched.scope[i];

			s.row[scope] = s.next[scope]++;
			out->step_of[s.row[scope]] = step;
		}
		for (enum measure_id id = 0; id < MEASURE_COUNT; id++)
			if (out->column[id])
				lost += sum_step(&s, step, id);
	}
	issue_add(&out->issues, ISSUE_LOSS, "total-overflow",
		"sums over scopes left the range of 64 bits; they are not known", lost, NULL);
	arena_free(scratch);
}

/* Static values, and the type, device and shape of scopes that are ops themselves. */
static void totals_ops(struct cube *out, const struct cube *cube, const struct scopes *scopes,
	const uint32_t *order)
{
	int64_t *params = arena_array(out->arena, scopes->count, sizeof(int64_t));
	int64_t *defined = arena_array(out->arena, scopes->count, sizeof(int64_t));
	const struct op **self = arena_array(out->arena, scopes->count, sizeof(*self));
	bool has_params = cube_has(cube, MEASURE_PARAMS), wrapped = false;

	for (size_t o = 0; o < cube->op_count; o++) {
		uint32_t s = scopes->of_op[o];

		self[s] = &cube->op[o];
		if (cube->op[o].params != CELL_ABSENT)
			wrapped |=
				__builtin_add_overflow(params[s], cube->op[o].params, &params[s]);
		defined[s] += cube->op[o].defined;
	}
	wrapped |= account_totals(scopes->parent, scopes->count, 1, NULL, params);
	if (wrapped) {
		has_params = false;
		issue_add(&out->issues, ISSUE_LOSS, "total-overflow",
			"sums of parameters left the range of 64 bits; they are not known", 1,
			NULL);
	}
	account_totals(scopes->parent, scopes->count, 1, NULL, defined);
	out->op_count = scopes->count;
	out->op = arena_array(out->arena, scopes->count, sizeof(*out->op));
	out->has_accelerator = arena_array(out->arena, scopes->count, sizeof(bool));
	for (size_t i = 0; i < scopes->count; i++) {
		uint32_t s = order[i];
		struct op *op = &out->op[i];

		op->name = arena_strdup(out->arena, intern_name(scopes->names, s));
		op->type = self[s] ? arena_strdup(out->arena, self[s]->type) : "";
		op->device = self[s] ? arena_strdup(out->arena, self[s]->device) : "";
		op->shape = self[s] ? arena_strdup(out->arena, self[s]->shape) : "";
		op->params = has_params ? params[s] : CELL_ABSENT;
		op->defined = defined[s];
	}
}

struct name_order {
	const char *name;
	uint32_t id;
};

ORDERED(compare_names, struct name_order, strcmp(x->name, y->name));

static void copy_axis(struct cube *out, const struct cube *cube)
{
	out->run_count = cube->run_count;
	out->run = arena_array(out->arena, cube->run_count, sizeof(*out->run));
	for (size_t i = 0; i < cube->run_count; i++) {
		out->run[i] = cube->run[i];
		out->run[i].name = arena_strdup(out->arena, cube->run[i].name);
		out->run[i].sources = arena_strdup(out->arena, cube->run[i].sources);
		if (cube->run[i].path)
			out->run[i].path = arena_strdup(out->arena, cube->run[i].path);
	}
	out->step_count = cube->step_count;
	out->step = arena_array(out->arena, cube->step_count, sizeof(*out->step));
	memcpy(out->step, cube->step, cube->step_count * sizeof(*out->step));
	step_series_join(
		&out->series, out->arena, cube->step_count, &cube->series, cube->step_count, NULL);
	out->times = cube->times;
	if (cube->times.time_ps) {
		out->times.time_ps =
			arena_array(out->arena, cube->step_count, sizeof(*out->times.time_ps));
		memcpy(out->times.time_ps, cube->times.time_ps,
			cube->step_count * sizeof(*out->times.time_ps));
	}
	out->rank_count = cube->rank_count;
	out->divisor = cube->divisor;
	out->format_title = cube->format_title;
	out->repeats = cube->repeats;
	out->benchmarks = cube->benchmarks;
	out->totals = true;
	issue_list_join(&out->issues, &cube->issues);
}

static struct cube *sum_totals(const struct cube *cube, struct error *err)
{
	struct arena *scratch = arena_new();
	struct scopes scopes = {0};
	struct cube *out = NULL;
	struct name_order *sorted;
	uint32_t *order;

	if (scopes_build(&scopes, cube, scratch, err) < 0)
		goto done;
	sorted = arena_array(scratch, scopes.count, sizeof(*sorted));
	order = arena_array(scratch, scopes.count, sizeof(*order));
	for (uint32_t i = 0; i < scopes.count; i++)
		sorted[i] = (struct name_order){intern_name(scopes.names, i), i};
	qsort(sorted, scopes.count, sizeof(*sorted), compare_names);
	for (size_t i = 0; i < scopes.count; i++)
		order[i] = sorted[i].id;
	out = cube_new();
	copy_axis(out, cube);
	out->nesting = TOTALS_SCOPES;
	totals_ops(out, cube, &scopes, order);
	totals_rows(out, cube, &scopes, order);
done:
	memory_free(scopes.parent);
	arena_free(scratch);
	return out;
}

/* ---- totals that the sources give ---- */

/* The same op and step among the ops themselves; false when they have no such row. */
static bool find_own(
	const struct cube *cube, const char *name, uint32_t step, uint32_t *op, size_t *row)
{
	size_t low, high;

	*op = cube_find_op(cube, name);
	if (*op == UINT32_MAX)
		return false;
	low = cube->op_first[*op];
	high = cube->op_first[*op + 1];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (cube->step_of[middle] < step)
			low = middle + 1;
		else
			high = middle;
	}
	*row = low;
	return low < cube->op_first[*op + 1] && cube->step_of[low] == step;
}

/* `time` of a scope is that of the ops in it: known where no accelerator has a part in it, and
 * where the scope is an op and nothing below it has a time. */
static int64_t given_time(const struct cube *cube, uint32_t o, size_t row)
{
	const struct cube *given = cube->given;
	int64_t accelerator = stored(given, MEASURE_ACCELERATOR, row);
	int64_t cpu = stored(given, MEASURE_CPU, row);
	int64_t time = stored(given, MEASURE_TIME, row);
	uint32_t own;
	size_t own_row;

	if (time != CELL_ABSENT) /* the source says it itself */
		return time;
	if (!given->has_accelerator[o] || !given->column[MEASURE_CPU])
		return derive_time(given, o, row);
	if (!find_own(cube, given->op[o].name, given->step_of[row], &own, &own_row) ||
		stored(cube, MEASURE_ACCELERATOR, own_row) != accelerator ||
		stored(cube, MEASURE_CPU, own_row) != cpu)
		return CELL_ABSENT;
	return derive_time(cube, own, own_row);
}

static void copy_rows(struct cube *out, const struct cube *given)
{
	out->op_count = given->op_count;
	out->op = arena_array(out->arena, given->op_count, sizeof(*out->op));
	out->has_accelerator = arena_array(out->arena, given->op_count, sizeof(bool));
	out->op_first = arena_array(out->arena, given->op_count + 1, sizeof(size_t));
	for (size_t i = 0; i < given->op_count; i++) {
		out->op[i] = given->op[i];
		out->op[i].name = arena_strdup(out->arena, given->op[i].name);
		out->op[i].type = arena_strdup(out->arena, given->op[i].type);
		out->op[i].device = arena_strdup(out->arena, given->op[i].device);
		out->op[i].shape = arena_strdup(out->arena, given->op[i].shape);
		out->has_accelerator[i] = given->has_accelerator[i];
		out->op_first[i + 1] = given->op_first[i + 1];
	}
	out->row_count = given->row_count;
	for (size_t k = 0; k < CALL_KINDS; k++) {
		if (!given->calls[k])
			continue;
		out->calls[k] = arena_array(out->arena, given->row_count, sizeof(struct call_sums));
		memcpy(out->calls[k], given->calls[k], given->row_count * sizeof(struct call_sums));
	}
	out->step_of = arena_array(out->arena, given->row_count, sizeof(uint32_t));
	for (size_t r = 0; r < given->row_count; r++)
		out->step_of[r] = given->step_of[r];
}

struct cube *cube_totals(const struct cube *cube, struct error *err)
{
	if (cube->totals_partly) {
		error_set(err, ERROR_INPUT, "--value=total",
			"some inputs have totals of their own, others only ops");
		error_hint(err, "report them separately, or leave out --value=total");
		return NULL;
	}
	if (!cube->given)
		return sum_totals(cube, err);

	const struct cube *given = cube->given;
	struct cube *out = cube_new();
	bool timed = cube_has(given, MEASURE_TIME);
	size_t unknown = 0;

	copy_axis(out, cube);
	out->nesting = given->nesting;
	copy_rows(out, given);
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++) {
		if (!cube_has(given, (enum measure_id)m))
			continue;
		out->column[m] = arena_array(out->arena, given->row_count, sizeof(int64_t));
		for (uint32_t o = 0; o < given->op_count; o++)
			for (size_t r = given->op_first[o]; r < given->op_first[o + 1]; r++)
				out->column[m][r] =
					m == MEASURE_TIME
						? given_time(cube, o, r)
						: cube_value(given, (enum measure_id)m, o, r);
	}
	for (size_t r = 0; timed && r < out->row_count; r++)
		unknown += out->column[MEASURE_TIME][r] == CELL_ABSENT &&
			   stored(given, MEASURE_ACCELERATOR, r) != CELL_ABSENT &&
			   stored(given, MEASURE_CPU, r) != CELL_ABSENT;
	if (unknown)
		issue_add(&out->issues, ISSUE_LOSS, "total-time",
			"totals of scopes with accelerator time: how much of their cpu time is of "
			"other "
			"ops is not known, so `time` is not (micros, accelerator and cpu are)",
			unknown, NULL);
	return out;
}

/* Totals over a tree, bottom up. Because parents come before their children, one pass from the last
 * node to the first is enough. */

bool account_totals(
	const uint32_t *parent, size_t nodes, size_t slots, const bool *keep, int64_t *value)
{
	bool wrapped = false;

	for (size_t i = nodes; i-- > 0;) {
		if (parent[i] == ACCOUNT_ROOT || (keep && !keep[i]))
			continue;
		const int64_t *own = value + i * slots;
		int64_t *up = value + (size_t)parent[i] * slots;

		for (size_t s = 0; s < slots; s++)
			wrapped |= __builtin_add_overflow(up[s], own[s], &up[s]);
	}
	return wrapped;
}
