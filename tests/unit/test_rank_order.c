/* Steps of ranks whose numbers come again, of which a rank lacks some. */
#include "model/run/rank_order.h"
#include "tests/unit/test.h"

#define STEPS_MOST 40

/* The places in the job of the steps of two ranks, whose numbers are digits. Starts are every
 * second, of the second rank from its first one on; epoch: clocks are known. */
static const char *places(const char *longest, const char *other, int first_s, bool epoch)
{
	static char said[2 * STEPS_MOST];
	struct arena *arena = arena_new();
	struct step step[2][STEPS_MOST] = {0};
	struct profile profile[2] = {{.step = step[0]}, {.step = step[1]}},
		       *of[2] = {profile, profile + 1};
	struct run_piece piece[2 * STEPS_MOST];
	const char *numbers[2] = {longest, other};
	size_t first[3] = {0}, n = 0;
	char *end = said;

	for (uint32_t r = 0; r < 2; r++) {
		uint32_t seen[10] = {0};

		profile[r].base_ns = epoch ? INT64_C(1700000000000000000) : 0;
		for (uint32_t i = 0; numbers[r][i]; i++) {
			const int digit = numbers[r][i] - '0';

			step[r][i].has_wall = true;
			step[r][i].start_ps = (r ? first_s + i : i) * INT64_C(1000000000000);
			piece[n++] = (struct run_piece){.profile = r,
				.step = i,
				.number = digit,
				.again = seen[digit]++,
				.rank = r};
		}
		first[r + 1] = n;
	}
	rank_order_steps(of, piece, first, 2, arena);
	for (size_t i = 0; i < n; i++)
		if (piece[i].rank == 1)
			*end++ = (char)('a' + (int)piece[i].place);
	*end = '\0';
	arena_free(arena);
	return said;
}

TEST(lacks_some)
{
	assert_string_equal(places("012012012", "012012012", 0, false), "abcdefghi");
	assert_string_equal(places("012012012", "12012012", 1, false), "bcdefghi");
	assert_string_equal(places("012012012", "01212012", 0, false), "abcefghi");
	assert_string_equal(places("012012012", "01201201", 0, false), "abcdefgh");
	assert_string_equal(places("543215432154321", "4321543214321", 1, false), "bcdefghijlmno");
	/* Steps that the longest one lacks come where they were. */
	assert_string_equal(places("0120120129", "01270120", 0, false), "abcdefgh");
}

/* Which ones are missing only clocks say; without them the last. */
TEST(several_answers)
{
	assert_string_equal(places("000000", "0000", 2, false), "abcd");
	assert_string_equal(places("000000", "0000", 2, true), "cdef");
	assert_string_equal(places("000000", "0000", 0, true), "abcd");
	assert_string_equal(places("012012012", "012012", 3, true), "defghi");
	/* Numbers come before clocks. */
	assert_string_equal(places("012012012", "12012012", 4, true), "bcdefghi");
}

/* The numbers of 70 steps of the second of two ranks, numbered by place, whose first one it starts
 * late_ms after that of the first rank; every 100 ms. Collectives: the first has number 10 + its
 * step, `call` is the number of the second rank's first. */
static int64_t shifted(int late_ms, const char *host, int64_t call, size_t *undecided)
{
	struct step step[2][70] = {0};
	struct collective_call calls[2][70];
	struct profile profile[2] = {{.step = step[0]}, {.step = step[1]}},
		       *of[2] = {profile, profile + 1};
	struct run_piece piece[140];
	const size_t first[3] = {0, 70, 140};

	for (uint32_t i = 0; i < 140; i++) {
		const uint32_t r = i / 70, at = i % 70;

		step[r][at] = (struct step){.by_place = true,
			.has_wall = true,
			.start_ps = (at * INT64_C(100) + (r ? late_ms : 0)) * 1000000000};
		calls[r][at] = (struct collective_call){
			.step = at, .group = "tp", .sequence = (r ? call : 10) + at};
		piece[i] = (struct run_piece){.profile = r, .step = at, .number = at, .rank = r};
	}
	for (size_t r = 0; r < 2; r++) {
		profile[r].base_ns = INT64_C(1700000000000000000);
		profile[r].facts.host = r ? host : "a";
		profile[r].collectives.call = calls[r];
		profile[r].collectives.count = call ? 70 : 0;
	}
	*undecided = rank_shift_steps(of, piece, first, 2);
	return piece[70].number - piece[0].number;
}

TEST(steps_without_numbers)
{
	size_t undecided;

	assert_int_equal(shifted(3, "a", 0, &undecided), 0);
	assert_int_equal(undecided, 0);
	assert_int_equal(shifted(203, "a", 0, &undecided), 2);
	assert_int_equal(shifted(-97, "b", 0, &undecided), -1);
	assert_int_equal(undecided, 0);
	/* Between two steps: which one is not known. */
	assert_int_equal(shifted(150, "a", 0, &undecided), 0);
	assert_int_equal(undecided, 1);
	/* Up to 32 steps. */
	assert_int_equal(shifted(3200, "a", 0, &undecided), 32);
	assert_int_equal(shifted(-3200, "a", 0, &undecided), -32);
	assert_int_equal(undecided, 0);
	shifted(3300, "a", 0, &undecided);
	assert_int_equal(undecided, 1);
	/* A quarter of a period apart is one step still. */
	assert_int_equal(shifted(-225, "a", 0, &undecided), -2);
	assert_int_equal(undecided, 0);
	shifted(26, "a", 0, &undecided);
	assert_int_equal(undecided, 1);
	/* Numbers of collectives come before clocks. */
	assert_int_equal(shifted(150, "b", 11, &undecided), 1);
	assert_int_equal(undecided, 0);
	assert_int_equal(shifted(0, "b", 8, &undecided), -2);
}
