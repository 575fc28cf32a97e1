/* Totals over a tree: several slots, nodes that are not kept, sums that wrap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "model/cube.h"

/* root a(b(c), d), root e; two slots. */
static const uint32_t tree[] = {ACCOUNT_ROOT, 0, 1, 0, ACCOUNT_ROOT};

static void totals_are_self_plus_children(void **state)
{
	(void)state;
	int64_t value[] = {1, 100, 2, 200, 3, 300, 4, 400, 5, 500};
	const int64_t expected[] = {10, 1000, 5, 500, 3, 300, 4, 400, 5, 500};

	assert_false(account_totals(tree, 5, 2, NULL, value));
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(value[i], expected[i]);
}

static void dropped_node_passes_nothing_up(void **state)
{
	(void)state;
	int64_t value[] = {1, 2, 3, 4, 5};
	const bool keep[] = {true, false, true, true, true};
	const int64_t expected[] = {5, 5, 3, 4, 5};

	assert_false(account_totals(tree, 5, 1, keep, value));
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(value[i], expected[i]);
}

static void wrapping_is_reported(void **state)
{
	(void)state;
	int64_t value[] = {INT64_MAX, 1, 0, 0, 0};

	assert_true(account_totals(tree, 5, 1, NULL, value));
	assert_true(value[0] == INT64_MIN);
}

static void nothing_is_fine(void **state)
{
	(void)state;
	assert_false(account_totals(NULL, 0, 3, NULL, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_are_self_plus_children),
		cmocka_unit_test(dropped_node_passes_nothing_up),
		cmocka_unit_test(wrapping_is_reported),
		cmocka_unit_test(nothing_is_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
