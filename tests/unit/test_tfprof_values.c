/* Tests of tfprof/view/values.c: averages over a node's own steps, as the original divides them. */
#include "tests/unit/made_graph.h"
#include "tests/unit/test.h"

static int64_t average_accelerator_micros(const int64_t *micros, size_t count)
{
	static const struct slots slots = {.average = true, .count = 1};
	struct graph *g = made_graph();
	struct node_values values;
	int64_t average;

	made_node(g, "a", "MatMul", "/job:localhost/replica:0/task:0/device:gpu:0");
	for (size_t i = 0; i < count; i++)
		made_exec(g, (int64_t)i, micros[i], 0);
	node_values_make(g, &slots, g->arena, &values);
	average = *node_value(&values, 0, QUANTITY_ACCELERATOR_MICROS);
	graph_free(g);
	return average;
}

/* (3 + 4) / 2 is 3. */
TEST(sums_above_zero_truncate)
{
	assert_int_equal(average_accelerator_micros((int64_t[]){3, 4}, 2), 3);
}

/* The original divides int64 by size_t, which C++ does without signs: (2^64 - 3) / 2 = 2^63 - 2,
 * (2^64 - 6) / 3 = 6148914691236517203, and by 1 the sum stays what it was. */
TEST(sums_below_zero_are_divided_without_sign)
{
	assert_int_equal(average_accelerator_micros((int64_t[]){-3, 0}, 2), INT64_MAX - 1);
	assert_int_equal(
		average_accelerator_micros((int64_t[]){-1, -2, -3}, 3), 6148914691236517203);
	assert_int_equal(average_accelerator_micros((int64_t[]){-3}, 1), -3);
}
