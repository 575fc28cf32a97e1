/* Packed observations come back as they were: sorted, all values, all gaps. */
#include "model/packed_rows.h"
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

#define OPS 7
#define STEPS 40
#define KINDS 3

static const enum measure_id measures[KINDS] = {
	MEASURE_CPU, MEASURE_ACCELERATOR, MEASURE_REQUESTED};

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 11;
}

/* Values of one kind for each op: constant, narrow, in us, ns, the whole range, partly absent. */
static int64_t made_value(uint32_t op, uint64_t random)
{
	switch (op) {
	case 0:
		return 42;
	case 1:
		return 5000000000 + (int64_t)(random % 1000) * 1000000;
	case 2:
		return -300 + (int64_t)(random % 600);
	case 3:
		return (int64_t)(random << 11);
	case 4:
		return random % 3 ? (int64_t)random : CELL_ABSENT;
	case 5:
		return random % 2 ? INT64_MAX : INT64_MIN + 1;
	default:
		return CELL_ABSENT;
	}
}

/* Rows of all ops in a mixed order; every third step is without op 2. */
static struct profile *made(int64_t expected[OPS][STEPS][KINDS], bool present[OPS][STEPS])
{
	struct profile *p = made_profile("p", NULL);
	const char *name[OPS] = {"a", "b", "c", "d", "e", "f", "g"};
	uint64_t state = 7;

	for (uint32_t o = 0; o < OPS; o++)
		made_op(p, name[o]);
	made_op(p, "never ran");
	for (int s = 0; s < STEPS; s++)
		made_step(p, s);
	for (uint32_t i = 0; i < OPS * STEPS; i++) {
		const uint32_t at = i * 101 % (OPS * STEPS), o = at % OPS, s = at / OPS;

		if (o == 2 && s % 3 == 1)
			continue;
		present[o][s] = true;
		for (size_t k = 0; k < KINDS; k++) {
			expected[o][s][k] = made_value(o, next_random(&state));
			put(p, name[o], s, measures[k], expected[o][s][k]);
		}
	}
	return p;
}

static void check_rows(const struct packed_rows *rows, int64_t expected[OPS][STEPS][KINDS],
	bool present[OPS][STEPS])
{
	uint32_t step[STEPS];
	int64_t column[KINDS][STEPS], *value[MEASURE_STEP_COUNT] = {NULL};

	for (size_t k = 0; k < KINDS; k++)
		value[measures[k]] = column[k];
	for (uint32_t o = 0; o < OPS; o++) {
		const size_t n = packed_rows_read(rows, o, step, value);
		size_t at = 0;

		for (uint32_t s = 0; s < STEPS; s++) {
			if (!present[o][s])
				continue;
			assert_true(at < n);
			assert_int_equal(step[at], s);
			for (size_t k = 0; k < KINDS; k++)
				assert_int_equal(column[k][at], expected[o][s][k]);
			at++;
		}
		assert_int_equal(at, n);
	}
	assert_int_equal(packed_rows_read(rows, OPS, step, value), 0);
}

TEST(all_values_come_back)
{
	int64_t expected[OPS][STEPS][KINDS];
	bool present[OPS][STEPS] = {{false}};
	struct profile *p = made(expected, present);
	struct packed_rows *rows;
	size_t count = p->obs.count;

	rows = packed_rows_of(p);
	assert_int_equal(p->obs.count, 0);
	assert_int_equal(rows->count, count);
	assert_int_equal(rows->most, STEPS);
	check_rows(rows, expected, present);
	packed_rows_restore(rows, p);
	packed_rows_free(rows);
	assert_int_equal(p->obs.count, count);
	for (size_t i = 0; i < count; i++) {
		const uint32_t o = p->obs.op[i], s = p->obs.step[i];

		assert_true(present[o][s]);
		for (size_t k = 0; k < KINDS; k++)
			assert_int_equal(p->obs.column[measures[k]][i], expected[o][s][k]);
	}
	profile_free(p);
}

TEST(columns_can_be_passed_over)
{
	struct profile *p = made_profile("p", NULL);
	int64_t bytes[3], *value[MEASURE_STEP_COUNT] = {NULL};
	struct packed_rows *rows;
	uint32_t step[3];

	for (int s = 0; s < 3; s++) {
		put(p, "a", s, MEASURE_CPU, 1000 * s * s);
		put(p, "a", s, MEASURE_REQUESTED, 4096 + s);
	}
	rows = packed_rows_of(p);
	value[MEASURE_REQUESTED] = bytes;
	assert_int_equal(packed_rows_read(rows, 0, step, value), 3);
	assert_int_equal(bytes[2], 4098);
	value[MEASURE_PEAK] = bytes; /* a measure that the source does not have */
	value[MEASURE_REQUESTED] = NULL;
	packed_rows_read(rows, 0, step, value);
	assert_int_equal(bytes[0], CELL_ABSENT);
	packed_rows_free(rows);
	profile_free(p);
}

/* 100 steps of nanoseconds within 5 %: at most 3 bytes each, instead of 16. */
TEST(packed_rows_are_small)
{
	struct profile *p = made_profile("p", NULL);
	struct packed_rows *rows;
	uint64_t seed = 1;

	for (int s = 0; s < 100; s++)
		put(p, "a", s, MEASURE_CPU,
			4000000000 + (int64_t)(next_random(&seed) % 200000) * 1000);
	rows = packed_rows_of(p);
	assert_true(rows->first[0].byte == 0);
	assert_true(rows->first[rows->op_count].byte <= 300);
	packed_rows_free(rows);
	profile_free(p);
}
