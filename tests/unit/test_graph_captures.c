/* Replays and captures whose pairs are known by hand. Real ones are in the golden area kineto. */
#include "ingest/events/graph_captures.h"

#include "tests/unit/test.h"

/* Adds a graph: a letter for each kernel, '*' for one without a name, 'M' for a copy. The row of a
 * launch is the graph's name, its type the place in it. */
static void capture(struct graph_captures *c, const char *graph, const char *kernels)
{
	static const char *const place[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

	graph_captures_begin(c);
	for (size_t i = 0; kernels[i]; i++)
		graph_captures_add(
			c, &(struct captured_launch){
				   .kernel = strchr("*M", kernels[i])
						     ? 0
						     : graph_captures_kernel(c, &kernels[i], 1, 64),
				   .is_copy = kernels[i] == 'M',
				   .row = graph,
				   .type = place[i]});
}

/* "A012": of graph A, launches 0, 1, 2; "" where there is none. */
static const char *replay(struct graph_captures *c, const char *kernels)
{
	static char names[16][2], found[32];
	struct replayed_kernel kernel[16];
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

TEST(in_order)
{
	struct graph_captures *c = graph_captures_new();

	capture(c, "A", "abcabcabca");
	capture(c, "B", "abcabcabM");
	assert_string_equal(replay(c, "abcabcabca"), "A0123456789");
	assert_string_equal(replay(c, "abcabcabM"), "B012345678");
	/* Launches that the replay does not have are passed over. */
	assert_string_equal(replay(c, "abcabcabc"), "A012345678");
	assert_string_equal(replay(c, "bcabcabca"), "A123456789");
	assert_string_equal(replay(c, "bbcabcabc"), "");
	assert_string_equal(replay(c, "abcabcabcaa"), "");
	assert_string_equal(replay(c, "abcabcabMx"), "");
	graph_captures_free(c);
}

/* A replay has nine of ten launches of its capture at least. */
TEST(one_of_many)
{
	struct graph_captures *c = graph_captures_new();

	capture(c, "A", "abcdefghij");
	capture(c, "B", "klmnopqrs");
	assert_string_equal(replay(c, "a"), "");
	assert_string_equal(replay(c, "acdefghij"), "A023456789");
	assert_string_equal(replay(c, "klmnopqr"), "");
	assert_string_equal(replay(c, "acdefghi"), "");
	graph_captures_free(c);
}

TEST(side_by_side)
{
	struct graph_captures *c = graph_captures_new();

	capture(c, "A", "abab");
	/* Two streams: as many of each name, the first of a name is the first captured. */
	assert_string_equal(replay(c, "aabb"), "A0213");
	assert_string_equal(replay(c, "bbaa"), "A1302");
	assert_string_equal(replay(c, "aaab"), "");
	graph_captures_free(c);
}

TEST(without_names)
{
	struct graph_captures *c = graph_captures_new(), *same = graph_captures_new(),
			      *others = graph_captures_new();

	capture(c, "A", "**M");
	/* Only their number and what copies can tell. */
	assert_string_equal(replay(c, "xyM"), "A012");
	assert_string_equal(replay(c, "xMy"), "");
	assert_string_equal(replay(c, "xM"), "");
	/* A further one with the same rows is as good, one with others leaves it open. */
	capture(c, "A", "**M");
	graph_captures_join(same, c);
	assert_string_equal(replay(same, "xyM"), "A012");
	capture(c, "B", "**M");
	graph_captures_join(others, c);
	assert_string_equal(replay(others, "xyM"), "");
	graph_captures_free(same);
	graph_captures_free(others);
	graph_captures_free(c);
}

TEST(alike)
{
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

TEST(nothing)
{
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
