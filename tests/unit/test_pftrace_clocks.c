/* Times of several clocks: by a snapshot, by several, through a clock between, of clocks that count
 * on, of a sequence's own. */
#include "ingest/perfetto/clocks.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"

struct shown {
	uint32_t id;
	int64_t time;
	bool incremental;
	int64_t unit;
};

static bool snapshot(struct pf_clocks *c, uint32_t sequence, const struct shown *shown,
	size_t count, uint32_t primary)
{
	struct text all, one;
	bool good;

	text_init(&all);
	text_init(&one);
	for (size_t i = 0; i < count; i++) {
		put_number(&one, 1, shown[i].id);
		put_number(&one, 2, shown[i].time);
		put_number(&one, 3, shown[i].incremental);
		if (shown[i].unit)
			put_number(&one, 4, shown[i].unit);
		put_message(&all, 1, &one);
	}
	if (primary)
		put_number(&all, 2, primary);
	good = pf_clocks_add(
		c, sequence, (struct pf_bytes){(const unsigned char *)text_string(&all), all.size});
	text_release(&all);
	text_release(&one);
	return good;
}

static void is(struct pf_clocks *c, uint32_t sequence, uint32_t id, uint64_t time, int64_t expected)
{
	int64_t ns;

	assert_true(pf_clocks_time(c, sequence, id, time, &ns));
	assert_int_equal(ns, expected);
}

static void is_unknown(struct pf_clocks *c, uint32_t sequence, uint32_t id, uint64_t time)
{
	int64_t ns;

	assert_false(pf_clocks_time(c, sequence, id, time, &ns));
}

TEST(one_clock)
{
	struct pf_clocks *c = pf_clocks_new();

	is(c, 1, PF_CLOCK_BOOTTIME, 5, 5);
	is(c, 1, 3, 7, 7); /* there is no other */
	is_unknown(c, 1, PF_CLOCK_BOOTTIME, UINT64_MAX);
	pf_clocks_free(c);
	pf_clocks_free(NULL);
}

TEST(by_snapshots)
{
	struct pf_clocks *c = pf_clocks_new();
	const struct shown first[] = {{6, 1000, false, 0}, {3, 100, false, 0},
		{128, 7, false, 1000}},
			   second[] = {{3, 600, false, 0}, {6, 1510, false, 0}},
			   between[] = {{3, 200, false, 0}, {1, 90000, false, 0}};

	assert_true(snapshot(c, 1, first, 3, 0));
	assert_int_equal(pf_clocks_epoch_ns(c), 0);
	is(c, 2, 3, 150, 1050);
	is(c, 2, 3, 50, 950); /* before the first */
	is(c, 2, 128, 9, 3000);
	is_unknown(c, 2, 1, 90000);
	assert_true(snapshot(c, 1, second, 2, 0));
	is(c, 2, 3, 150, 1050);
	is(c, 2, 3, 650, 1560);
	is(c, 2, 3, 599, 1499); /* from the snapshot on its own relation counts */
	is(c, 2, 3, 600, 1510);
	assert_true(snapshot(c, 1, between, 2, 0)); /* 200 of clock 3 is 1100 */
	is(c, 2, 1, 90005, 1105);
	assert_int_equal(pf_clocks_epoch_ns(c), 90000 - 1100); /* clock 1 is the time of day */
	pf_clocks_free(c);
}

/* Of two snapshots at one time of the clock the later counts; one at an earlier time does not. */
TEST(snapshots_of_one_time)
{
	struct pf_clocks *c = pf_clocks_new();
	const struct shown first[] = {{6, 1000, false, 0}, {3, 100, false, 0}},
			   again[] = {{6, 1005, false, 0}, {3, 100, false, 0}},
			   back[] = {{6, 1010, false, 0}, {3, 99, false, 0}};

	assert_true(snapshot(c, 1, first, 2, 0));
	assert_true(snapshot(c, 1, again, 2, 0));
	assert_true(snapshot(c, 1, back, 2, 0));
	is(c, 1, 3, 100, 1005);
	is(c, 1, 3, 99, 999);
	pf_clocks_free(c);
}

TEST(of_sequences)
{
	struct pf_clocks *c = pf_clocks_new();
	const struct shown a[] = {{6, 1000, false, 0}, {64, 5, true, 0}},
			   b[] = {{6, 9000, false, 0}, {64, 0, true, 1000}};

	assert_true(snapshot(c, 1, a, 2, 0));
	assert_true(snapshot(c, 2, b, 2, 0));
	is(c, 1, 64, 10, 1010);
	is(c, 2, 64, 2, 11000);
	is(c, 1, 64, 10, 1020);
	is(c, 2, 64, 0, 11000);
	is_unknown(c, 3, 64, 1);
	pf_clocks_free(c);
}

/* A unit of up to a second; a longer one is none, and the clock is in ns. */
TEST(units_of_clocks)
{
	static const struct {
		uint64_t unit;
		int64_t later;
	} of[] = {{1000000000, 1000000000}, {1000000001, 1}, {0, 1}};

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct pf_clocks *c = pf_clocks_new();
		const struct shown a[] = {{6, 1000, false, 0}, {128, 7, false, of[i].unit}};

		assert_true(snapshot(c, 1, a, 2, 0));
		is(c, 1, 128, 8, 1000 + of[i].later);
		pf_clocks_free(c);
	}
}

/* Clocks 64 to 127 are of a sequence, those around of all. */
TEST(which_clocks_are_of_sequences)
{
	static const uint32_t id[] = {63, 64, 127, 128};

	for (size_t i = 0; i < sizeof(id) / sizeof(*id); i++) {
		struct pf_clocks *c = pf_clocks_new();
		const struct shown a[] = {{6, 1000, false, 0}, {id[i], 5, false, 0}};

		assert_true(snapshot(c, 1, a, 2, 0));
		is(c, 1, id[i], 6, 1001);
		if (i == 0 || i == 3)
			is(c, 2, id[i], 6, 1001);
		else
			is_unknown(c, 2, id[i], 6);
		pf_clocks_free(c);
	}
}

TEST(another_clock_of_the_trace)
{
	struct pf_clocks *c = pf_clocks_new();
	const struct shown a[] = {{6, 1000, false, 0}, {3, 100, false, 0}};

	assert_true(snapshot(c, 1, a, 2, 3));
	is(c, 1, 3, 42, 42);
	is(c, 1, 6, 1001, 101);
	pf_clocks_free(c);
}

TEST(damaged)
{
	struct pf_clocks *c = pf_clocks_new();

	assert_false(pf_clocks_add(c, 1, (struct pf_bytes){(const unsigned char *)"\x0a\x09", 2}));
	pf_clocks_free(c);
}
