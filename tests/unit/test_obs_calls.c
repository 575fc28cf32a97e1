/* Calls of collectives in .obs files: what is read is what was written, and the schema says the
 * same of the bytes (unpacked by protobuf-c). */
#include "ingest/proto/obs.pb-c.h"
#include "tests/unit/test.h"
#include "tests/unit/written_obs.h"

/* In all steps, of two ops and three groups, by turns and one unknown. */
static void put_calls(struct profile *p)
{
	static const char *const group[] = {NULL, "0 [0, 1]", "h"};
	const uint32_t op[] = {
		(uint32_t)(made_op(p, "z") - p->op), (uint32_t)(made_op(p, "a/bc") - p->op)};

	for (uint32_t i = 0; i < 5 * p->step_count; i++)
		collective_calls_add(&p->collectives,
			&(struct collective_call){.op = op[i % 2],
				.step = (uint32_t)(i % p->step_count),
				.group = group[i % 3],
				.sequence = i % 3 ? (int64_t)i * 1000000007 : COLLECTIVE_UNKNOWN,
				.dur_ps = i % 7 ? INT64_MAX / 3 - i : COLLECTIVE_UNKNOWN});
	collective_calls_sort(&p->collectives, p->step_count);
}

static bool is_alike(const struct collective_call *x, const struct collective_call *y)
{
	return x->op == y->op && x->step == y->step &&
	       text_equal(x->group ? x->group : "", y->group ? y->group : "");
}

/* The calls that have op, step and group in common are the same, in the same order. */
static void same_calls(const struct collective_calls *a, const struct collective_calls *b)
{
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		const struct collective_call *x = &a->call[i], *y = NULL;
		size_t before = 0;

		for (size_t k = 0; k < i; k++)
			before += is_alike(&a->call[k], x);
		for (size_t k = 0; k < b->count; k++)
			if (is_alike(&b->call[k], x) && before-- == 0)
				y = &b->call[k];
		assert_non_null(y);
		assert_true(x->sequence == y->sequence && x->dur_ps == y->dur_ps);
	}
}

static struct cube *made(void)
{
	struct profile *p = made_profile("r", NULL);

	for (int64_t s = 3; s < 40; s++) {
		put_cpu(p, "a/bc", s, 7);
		put_cpu(p, "z", s, s);
	}
	put_calls(p);
	return cube_of(p);
}

TEST(what_is_written_is_read)
{
	struct written w;
	struct error err;
	struct profile *p;
	struct cube *again;

	write_obs(&w, made());
	p = read_obs(w.bytes, w.size, &err);
	assert_non_null(p);
	again = cube_of(p);
	same_calls(&w.cube->collectives, &again->collectives);
	cube_free(again);
	release(&w);
}

TEST(the_schema_explains_the_bytes)
{
	struct written w;
	size_t n_calls = 0;

	write_obs(&w, made());
	Obs__Obs *file = obs__obs__unpack(NULL, w.size, (const uint8_t *)w.bytes);

	assert_non_null(file);
	/* two ops, three groups */
	assert_int_equal(file->n_collectives, 6);
	for (size_t i = 0; i < file->n_collectives; i++) {
		const Obs__Collectives *calls = file->collectives[i];

		assert_true(calls->op < w.cube->op_count && calls->n_step == calls->n_duration);
		assert_int_equal(calls->n_sequence, calls->has_group ? calls->n_step : 0);
		n_calls += calls->n_step;
	}
	assert_int_equal(n_calls, w.cube->collectives.count);
	obs__obs__free_unpacked(file, NULL);
	release(&w);
}
