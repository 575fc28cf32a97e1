/* Executions packed and unpacked again: any numbers, any count, part of the fields. */
#include "tfprof/graph/exec_pack.h"
#include "tests/unit/test.h"

#define MOST 300

static uint64_t next_random(uint64_t *state) /* xorshift64 (Marsaglia 2003) */
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void check_equal(const struct exec *a, const struct exec *b)
{
	assert_int_equal(a->overflow, b->overflow);
	assert_int_equal(a->own_interval, b->own_interval);
	assert_true(a->step == b->step);
	assert_true(a->run_count == b->run_count);
	assert_true(a->accelerator_micros == b->accelerator_micros);
	assert_true(a->cpu_micros == b->cpu_micros);
	assert_true(a->requested_bytes == b->requested_bytes);
	assert_true(a->peak_bytes == b->peak_bytes);
	assert_true(a->residual_bytes == b->residual_bytes);
	assert_true(a->output_bytes == b->output_bytes);
	assert_true(a->start_micros == b->start_micros);
	assert_true(a->end_micros == b->end_micros);
}

/* Numbers of as many bits, shifted; the last field is the same in all. */
static void fill(struct exec *exec, size_t count, unsigned bits, int64_t shift)
{
	uint64_t state = 88172645463325252u, mask = bits ? UINT64_MAX >> (64 - bits) : 0;

	for (size_t i = 0; i < count; i++) {
		int64_t *const to[] = {&exec[i].step, &exec[i].run_count,
			&exec[i].accelerator_micros, &exec[i].cpu_micros, &exec[i].requested_bytes,
			&exec[i].peak_bytes, &exec[i].residual_bytes, &exec[i].start_micros,
			&exec[i].end_micros};

		exec[i] = (struct exec){.output_bytes = shift};
		for (size_t k = 0; k < sizeof(to) / sizeof(to[0]); k++)
			*to[k] = (int64_t)((next_random(&state) & mask) + (uint64_t)shift);
		exec[i].overflow = next_random(&state) % 5 == 0;
		exec[i].own_interval = next_random(&state) % 2;
	}
}

static const size_t counts[] = {0, 1, 2, 17, MOST};
static const int64_t shifts[] = {0, -1, 1, -1000, 1555555555000000, INT64_MIN, INT64_MAX};

TEST(comes_back_whole)
{
	static struct exec in[MOST], out[MOST];

	for (unsigned bits = 0; bits <= 64; bits++)
		for (size_t c = 0; c < 5; c++)
			for (size_t s = 0; s < 7; s++) {
				struct exec_pack pack = {0};
				size_t at, end;

				exec_pack_add(&pack, in, 1); /* something before it */
				fill(in, counts[c], bits, shifts[s]);
				at = exec_pack_add(&pack, in, counts[c]);
				end = pack.size;
				assert_int_equal(exec_pack_add(&pack, in, counts[c]), end);
				memset(out, 0, sizeof(out));
				assert_int_equal(
					exec_pack_get(&pack, at, EXEC_WHOLE, out, counts[c]), end);
				for (size_t i = 0; i < counts[c]; i++)
					check_equal(&in[i], &out[i]);
				exec_pack_release(&pack);
			}
}

TEST(times_alone_leave_the_rest)
{
	static struct exec in[MOST], out[MOST];
	struct exec_pack pack = {0};

	fill(in, MOST, 20, 5);
	exec_pack_add(&pack, in, MOST);
	for (size_t i = 0; i < MOST; i++)
		out[i] = (struct exec){.node = 3, .cpu_micros = -7, .peak_bytes = -8};
	assert_int_equal(exec_pack_get(&pack, 0, EXEC_TIMES, out, MOST), pack.size);
	for (size_t i = 0; i < MOST; i++) {
		struct exec expected = {
			.overflow = in[i].overflow,
			.own_interval = in[i].own_interval,
			.step = in[i].step,
			.cpu_micros = -7,
			.peak_bytes = -8,
			.start_micros = in[i].start_micros,
			.end_micros = in[i].end_micros,
		};

		check_equal(&expected, &out[i]);
		assert_int_equal(out[i].node, 3);
	}
	exec_pack_release(&pack);
}

/* A byte for each of 11 columns, then their least numbers, twice their size for the sign: step 3 in
 * a byte, the start in 3, duration, run count and CPU time in a byte each. Nothing for an
 * execution. */
TEST(what_does_not_change_costs_nothing)
{
	static struct exec in[MOST];
	struct exec_pack pack = {0};

	for (size_t i = 0; i < MOST; i++)
		in[i] = (struct exec){.step = 3 + (int64_t)i,
			.run_count = 1,
			.cpu_micros = 100,
			.start_micros = 1000000,
			.end_micros = 1000100};
	exec_pack_add(&pack, in, MOST);
	assert_int_equal(pack.size, 11 + 1 + 3 + 1 + 1 + 1);
	exec_pack_release(&pack);
}
