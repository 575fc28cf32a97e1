/* Calls as sums: means and spreads against Python's fractions, and what the log of events and the
 * merge make of them, by hand. */
#include <math.h>
#include "model/merge.h"
#include "stats/moments.h"
#include "tests/unit/event_trace.h"
#include "tests/unit/test.h"

static struct call_sums sums_of(const int64_t *dur, size_t n)
{
	struct call_sums sums = {0};

	for (size_t i = 0; i < n; i++)
		call_sums_add(&sums, CALLS_CPU, dur[i]);
	return sums;
}

static struct moments moments_of(const struct call_sums *sums)
{
	struct moments m;

	moments_of_sums(sums->count, sums->sum_ps, sums->squares, &m);
	return m;
}

/* Values from fractions.Fraction. */
TEST(sums_lose_no_digits)
{
	const int64_t near[] = {1000000000000001, 1000000000000002, 1000000000000004};
	const int64_t far[] = {INT64_C(1) << 61, (INT64_C(1) << 61) - 1, 1, 0, 7};
	struct call_sums sums = sums_of(near, 3);
	struct moments m = moments_of(&sums);

	assert_true(moments_mean(&m) == 1000000000000002.375); /* the double next to 7 / 3 */
	assert_true(fabs(moments_sd(&m, false) - 1.5275252316519468) < 1e-15);
	assert_true(fabsl(m.squares - 14.0L / 3) < 1e-18L);
	assert_false(m.constant);
	sums = sums_of(far, 5);
	m = moments_of(&sums);
	assert_int_equal(sums.min_ps, 0);
	assert_int_equal(sums.max_ps, INT64_C(1) << 61);
	assert_true(moments_mean(&m) == 9.223372036854776e+17);
	assert_true(fabs(moments_sd(&m, false) / 1.2629622302119327e+18 - 1) < 1e-15);
}

TEST(few_and_equal_calls)
{
	const int64_t equal[] = {3, 3, 3};
	struct call_sums sums = {0};
	struct moments m = moments_of(&sums);

	assert_true(isnan(moments_mean(&m)));
	sums = sums_of(equal, 1);
	m = moments_of(&sums);
	assert_true(moments_mean(&m) == 3);
	assert_true(isnan(moments_sd(&m, false)));
	assert_true(moments_cv(&m, true) == 0);
	sums = sums_of(equal, 3);
	m = moments_of(&sums);
	assert_true(m.constant);
	assert_true(moments_cv(&m, false) == 0);
}

/* 2^62 ps is the longest there can be; 16 squares of it are 2^128. */
TEST(squares_that_do_not_fit_are_unknown)
{
	struct call_sums sums = {0}, one = {0}, all = {0};

	call_sums_add(&one, CALLS_CPU, 5);
	for (size_t i = 0; i < 15; i++)
		call_sums_add(&sums, CALLS_CPU, INT64_C(1) << 62);
	assert_true(sums.squares == (unsigned __int128)15 << 124);
	call_sums_add(&sums, CALLS_CPU, INT64_C(1) << 62);
	assert_true(sums.squares == CALL_SQUARES_UNKNOWN);
	call_sums_add(&sums, CALLS_CPU, 0);
	call_sums_join(&all, &one);
	call_sums_join(&all, &sums);
	call_sums_join(&all, &one);
	assert_true(all.squares == CALL_SQUARES_UNKNOWN);
	assert_int_equal(all.count, 19);
	assert_int_equal(all.min_ps, 0);
	assert_true(all.sum_ps == ((__int128)16 << 62) + 10);
}

static const struct call_sums *calls_of(
	const struct profile *profile, const char *name, enum call_kind kind)
{
	const struct observations *obs = &profile->obs;

	for (size_t i = 0; i < obs->count; i++)
		if (!strcmp(profile->op[obs->op[i]].name, name))
			return &obs->calls[kind][i];
	return NULL;
}

static void check(
	const struct call_sums *sums, int64_t count, int64_t sum, int64_t min, int64_t max)
{
	assert_non_null(sums);
	assert_int_equal(sums->count, count);
	assert_int_equal((int64_t)sums->sum_ps, sum);
	assert_int_equal(sums->min_ps, min);
	assert_int_equal(sums->max_ps, max);
}

/* f [0, 100) calls itself [10, 60), which has g [20, 30); and g [200, 204) alone. */
TEST(the_log_counts_self_and_total)
{
	struct eventlog_options opt = plain;
	struct trace t;

	opt.calls = opt.totals = true;
	begin(&t, &opt);
	add_op(&t, "g", 200, 4);
	add_op(&t, "f", 10, 50);
	add_op(&t, "f", 0, 100);
	add_op(&t, "g", 20, 10);
	finish(&t);
	check(calls_of(t.profile, "f", CALLS_CPU), 2, 50 + 40, 40, 50);
	check(calls_of(t.profile, "g", CALLS_CPU), 2, 14, 4, 10);
	check(calls_of(t.profile->totals, "f", CALLS_CPU), 2, 150, 50, 100);
	assert_null(t.profile->obs.calls[CALLS_ACCELERATOR]);
	end(&t);
	opt.merge_only_child = true;
	begin(&t, &opt);
	add_op(&t, "f", 10, 50);
	add_op(&t, "f", 0, 100);
	add_op(&t, "g", 20, 10);
	finish(&t);
	check(calls_of(t.profile, "f", CALLS_CPU), 1, 90, 90, 90);
	check(calls_of(t.profile->totals, "f", CALLS_CPU), 1, 100, 100, 100);
	end(&t);
}

/* A kernel on a lane of an accelerator. */
static void add_named_kernel(struct trace *t, const char *name, int64_t start, uint64_t link)
{
	const uint32_t stream = lane(t, "gpu", "7");

	eventlog_lane_at(t->log, stream)->accelerator = true;
	eventlog_lane_at(t->log, stream)->flat = true;
	add(t, &(struct event){.lane = stream,
		       .op = op(t, name),
		       .start_ps = start,
		       .dur_ps = 10,
		       .link = link,
		       .flags = EVENT_LAUNCHED});
}

static struct call_values *keep(struct eventlog_options *opt)
{
	const struct call_store_options store = {0};

	opt->calls = opt->totals = true;
	opt->call_store = call_store_new(&store);
	return call_store_values(opt->call_store);
}

/* From a launch at 100 to kernels at 130 and 90, the latter of another clock; one kernel without
 * launch is in the only step, and its delay is in no sum. */
TEST(delays_are_from_launch_to_start)
{
	struct eventlog_options opt = plain;
	struct call_values *values = keep(&opt);
	struct call_record record;
	struct error err;
	size_t delays = 0, records = 0;
	struct trace t;

	begin(&t, &opt);
	add_host_launch(&t, 100, 1);
	add_named_kernel(&t, "k", 130, 1);
	add_host_launch(&t, 200, 2);
	add_named_kernel(&t, "k", 190, 2);
	add_named_kernel(&t, "alone", 300, 9);
	finish(&t);
	check(calls_of(t.profile, "k", CALLS_DELAY), 2, 20, -10, 30);
	assert_int_equal(calls_of(t.profile, "k", CALLS_DELAY)->below, 1);
	assert_true(calls_of(t.profile, "k", CALLS_DELAY)->squares == 1000);
	check(calls_of(t.profile->totals, "k", CALLS_DELAY), 2, 20, -10, 30);
	check(calls_of(t.profile, "alone", CALLS_DELAY), 0, 0, 0, 0);
	check(calls_of(t.profile, "alone", CALLS_ACCELERATOR), 1, 10, 10, 10);
	assert_int_equal(calls_of(t.profile, "alone", CALLS_ACCELERATOR)->below, 1);
	/* own and total: two launches, three kernels, two delays */
	assert_int_equal(values->rewind(values, &err), 0);
	while (values->next(values, &record, &err) > 0) {
		const struct call_source *source = t.profile->call_source;

		records++;
		assert_int_equal(record.source, source->number);
		assert_true(record.place < source->place_count);
		assert_int_equal(source->step[record.place], 0);
		if (record.kind != CALLS_DELAY || record.total)
			continue;
		assert_string_equal(t.profile->op[record.op].name, "k");
		assert_int_equal(record.ps, delays++ ? 30 : -10);
	}
	assert_int_equal(records, 14);
	assert_int_equal(delays, 2);
	end(&t);
	values->free(values);
}

TEST(nobody_asked)
{
	struct trace t;

	begin(&t, NULL);
	add_op(&t, "f", 0, 100);
	finish(&t);
	assert_null(t.profile->obs.calls[CALLS_CPU]);
	end(&t);
}

static void begin_step(struct trace *t, int64_t number, int64_t from)
{
	struct eventlog_options opt = plain;

	opt.calls = true;
	begin(t, &opt);
	add_mark(t, NULL, number, from, from + 1000);
}

/* Two files of one run, the later step first: rows move, and the calls with them. */
TEST(calls_move_with_their_rows)
{
	static const struct merge_options merge = {.mode = RUNS_AUTO};
	struct trace late, early;
	struct error err;
	struct cube *cube;

	begin_step(&late, 8, 5000);
	add_op(&late, "f", 5000, 30);
	add_op(&late, "f", 5100, 31);
	finish(&late);
	begin_step(&early, 3, 0);
	add_op(&early, "f", 0, 7);
	add_op(&early, "a", 10, 8);
	finish(&early);
	struct profile *both[] = {late.profile, early.profile};

	cube = merge_profiles(both, 2, &merge, &err);
	assert_non_null(cube);
	assert_int_equal(cube->row_count, 3);
	assert_string_equal(cube->op[1].name, "f");
	check(&cube->calls[CALLS_CPU][0], 1, 8, 8, 8);
	check(&cube->calls[CALLS_CPU][1], 1, 7, 7, 7);
	check(&cube->calls[CALLS_CPU][2], 2, 61, 30, 31);
	cube_free(cube);
	end(&late);
	end(&early);
}
