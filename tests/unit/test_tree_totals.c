/* Totals over a tree: several slots, nodes that are not kept, sums that wrap. */
#include "model/cube.h"
#include "tests/unit/test.h"

/* root a(b(c), d), root e; two slots. */
static const uint32_t tree[] = {ACCOUNT_ROOT, 0, 1, 0, ACCOUNT_ROOT};

TEST(totals_are_self_plus_children)
{
	int64_t value[] = {1, 100, 2, 200, 3, 300, 4, 400, 5, 500};
	const int64_t expected[] = {10, 1000, 5, 500, 3, 300, 4, 400, 5, 500};

	assert_false(account_totals(tree, 5, 2, NULL, value));
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(value[i], expected[i]);
}

TEST(dropped_node_passes_nothing_up)
{
	int64_t value[] = {1, 2, 3, 4, 5};
	const bool keep[] = {true, false, true, true, true};
	const int64_t expected[] = {5, 5, 3, 4, 5};

	assert_false(account_totals(tree, 5, 1, keep, value));
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(value[i], expected[i]);
}

TEST(wrapping_is_reported)
{
	int64_t value[] = {INT64_MAX, 1, 0, 0, 0};

	assert_true(account_totals(tree, 5, 1, NULL, value));
	assert_true(value[0] == INT64_MIN);
}

TEST(nothing_is_fine)
{
	assert_false(account_totals(NULL, 0, 3, NULL, NULL));
}
