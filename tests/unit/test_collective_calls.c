/* Calls of collectives of profiles: order, new numbers, the cap. */
#include "model/collective_calls.h"
#include "tests/unit/test.h"

#define GONE UINT32_MAX

static void put(struct collective_calls *calls, uint32_t op, uint32_t step, int64_t dur_ps)
{
	collective_calls_add(calls,
		&(struct collective_call){
			.op = op, .step = step, .sequence = COLLECTIVE_UNKNOWN, .dur_ps = dur_ps});
}

TEST(calls_of_a_step_keep_their_order)
{
	static const int64_t expected[] = {3, 6, 2, 5, 1, 4};
	struct collective_calls calls = {0};

	for (int64_t i = 1; i <= 6; i++)
		put(&calls, 0, (uint32_t)(2 - (i - 1) % 3), i);
	collective_calls_sort(&calls, 3);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(calls.call[i].dur_ps, expected[i]);
	collective_calls_sort(&calls, 3);
	assert_int_equal(calls.call[5].dur_ps, 4);
	collective_calls_release(&calls);
	collective_calls_sort(&calls, 3);
	assert_int_equal(calls.count, 0);
}

TEST(what_has_no_place_goes)
{
	static const uint32_t op_to[] = {7, GONE}, step_to[] = {GONE, 9},
			      again[] = {[7] = 1, [8] = GONE};
	struct collective_calls from = {0}, calls = {0};

	put(&from, 0, 0, 1);
	put(&from, 0, 1, 2);
	put(&from, 1, 1, 3);
	collective_calls_join(&calls, &from, op_to, step_to);
	assert_int_equal(calls.count, 1);
	assert_true(calls.call[0].op == 7 && calls.call[0].step == 9 && calls.call[0].dur_ps == 2);
	put(&calls, 8, 9, 4);
	collective_calls_renumber(&calls, again, NULL);
	assert_int_equal(calls.count, 1);
	assert_true(calls.call[0].op == 1 && calls.call[0].step == 9 && calls.call[0].dur_ps == 2);
	/* Numbered in place as they are when they are joined. */
	collective_calls_renumber(&from, op_to, step_to);
	assert_int_equal(from.count, 1);
	assert_true(from.call[0].op == 7 && from.call[0].step == 9 && from.call[0].dur_ps == 2);
	collective_calls_release(&calls);
	collective_calls_release(&from);
}

TEST(equal_names_of_groups_are_one)
{
	char one[] = "g", other[] = "g";
	struct arena *arena = arena_new();
	struct collective_calls calls = {0};

	collective_calls_add(&calls, &(struct collective_call){.group = one});
	collective_calls_add(&calls, &(struct collective_call){.group = NULL});
	collective_calls_add(&calls, &(struct collective_call){.group = other});
	collective_calls_name(&calls, intern_new(arena));
	assert_ptr_equal(calls.call[0].group, calls.call[2].group);
	assert_string_equal(calls.call[0].group, "g");
	assert_null(calls.call[1].group);
	collective_calls_release(&calls);
	arena_free(arena);
}

TEST(the_cap_is_counted)
{
	struct arena *arena = arena_new();
	struct collective_calls calls = {0};
	struct issue_list issues;

	issue_list_init(&issues, arena);
	for (size_t i = 0; i < COLLECTIVE_CALLS_MOST; i++)
		put(&calls, 0, 0, 1);
	collective_calls_report(&calls, &issues, "x.json");
	assert_int_equal(issues.count, 0);
	put(&calls, 0, 0, 1);
	put(&calls, 0, 0, 1);
	assert_int_equal(calls.count, COLLECTIVE_CALLS_MOST);
	collective_calls_report(&calls, &issues, "x.json");
	assert_int_equal(issues.count, 1);
	assert_int_equal(issues.issue[0].count, 2);
	assert_int_equal(issues.issue[0].severity, ISSUE_LOSS);
	collective_calls_release(&calls);
	arena_free(arena);
}
