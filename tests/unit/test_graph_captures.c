/*
 * Replays and captures whose pairs are known by hand. Real ones are in the golden area kineto.
 */
#include "ingest/events/graph_captures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* Adds a graph: a letter for each kernel, '*' for one without a name, 'M' for a copy. The row of a
 * launch is the graph's name, its type the place in it. */
static void capture(struct graph_captures *c, const char *graph, const char *kernels)
{
	static const char *const place[] = {"0", "1", "2", "3", "4", "5", "6", "7"};

	graph_captures_begin(c);
	for (size_t i = 0; kernels[i]; i++)
		graph_captures_add(
			c, &(struct captured_launch){
				   .kernel = strchr("*M", kernels[i])
						     ? 0
						     : graph_captures_kernel(c, &kernels[i], 1),
				   .is_copy = kernels[i] == 'M',
				   .row = graph,
				   .type = place[i]});
}

/* "A012": of graph A, launches 0, 1, 2; "" where there is none. */
static const char *replay(struct graph_captures *c, const char *kernels)
{
	static char names[8][2], found[16];
	struct replayed_kernel kernel[8];
	const size_t count = strlen(kernels);

	for (size_t i = 0; i < count; i++) {
		names[i][0] = kernels[i];
		names[i][1] = '\0';
		kernel[i] = (struct replayed_kernel){names[i], kernels[i] == 'M', NULL};
	}
	memset(found, 0, sizeof(found));
	if (!graph_captures_match(c, kernel, count))
		return "";
	found[0] = *kernel[0].of->row;
	for (size_t i = 0; i < count; i++)
		found[i + 1] = *kernel[i].of->type;
	return found;
}

static void in_order(void **state)
{
	(void)state;
	struct graph_captures *c = graph_captures_new();

	capture(c, "A", "abca");
	capture(c, "B", "abM");
	assert_string_equal(replay(c, "abca"), "A0123");
	assert_string_equal(replay(c, "abM"), "B012");
	/* Launches that the replay does not have are passed over; B has fewer of them. */
	assert_string_equal(replay(c, "ab"), "B01");
	assert_string_equal(replay(c, "ca"), "A23");
	assert_string_equal(replay(c, "bb"), "");
	assert_string_equal(replay(c, "abcaa"), "");
	assert_string_equal(replay(c, "aMx"), "");
	graph_captures_free(c);
}

static void side_by_side(void **state)
{
	(void)state;
	struct graph_captures *c = graph_captures_new();

	capture(c, "A", "abab");
	/* Two streams: as many of each name, the first of a name is the first captured. */
	assert_string_equal(replay(c, "aabb"), "A0213");
	assert_string_equal(replay(c, "bbaa"), "A1302");
	assert_string_equal(replay(c, "aaab"), "");
	graph_captures_free(c);
}

static void without_names(void **state)
{
	(void)state;
	struct graph_captures *c = graph_captures_new();

	capture(c, "A", "**M");
	/* Only their number and what copies can tell. */
	assert_string_equal(replay(c, "xyM"), "A012");
	assert_string_equal(replay(c, "xMy"), "");
	assert_string_equal(replay(c, "xM"), "");
	graph_captures_free(c);
}

static void alike(void **state)
{
	(void)state;
	struct graph_captures *c = graph_captures_new(), *all = graph_captures_new();

	capture(c, "A", "ab");
	capture(c, "B", "ab");
	assert_string_equal(replay(c, "ab"), "A01");
	assert_string_equal(replay(c, "ab"), "B01");
	assert_string_equal(replay(c, "ab"), "A01");
	assert_int_equal(graph_captures_count(c), 4);
	/* Numbers of names are those of another table. */
	capture(all, "Z", "b");
	graph_captures_join(all, c);
	assert_string_equal(replay(all, "ab"), "A01");
	assert_string_equal(replay(all, "b"), "Z0");
	graph_captures_free(c);
	graph_captures_free(all);
}

static void nothing(void **state)
{
	(void)state;
	struct graph_captures *c = graph_captures_new();

	assert_string_equal(replay(c, "a"), "");
	graph_captures_begin(c);
	graph_captures_begin(c);
	assert_string_equal(replay(c, "a"), "");
	assert_true(graph_kernel_copies("__amd_rocclr_copyBuffer.kd", "kernel"));
	assert_true(graph_kernel_copies("Memcpy DtoD (Device -> Device)", "gpu_memcpy"));
	assert_false(graph_kernel_copies("copy_kernel", "kernel"));
	graph_captures_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order),
		cmocka_unit_test(side_by_side),
		cmocka_unit_test(without_names),
		cmocka_unit_test(alike),
		cmocka_unit_test(nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
