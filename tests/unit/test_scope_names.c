/* The scopes that names spell, their order, and that their cost goes with the bytes of the names.
 * Expected lists are written by hand. */
#include "tfprof/graph/graph.h"
#include "tests/unit/test.h"
#include "tfprof/view/view.h"

#define NONE UINT32_MAX

struct expected {
	const char *name;
	uint32_t node, above;
};

static struct scope_names *scopes_of(struct graph *g, const char *const *name, size_t count)
{
	for (size_t i = 0; i < count; i++)
		graph_node_add(g, name[i]);
	return scope_names_new(g, node_values_order(g, g->arena), g->arena);
}

static void check(const char *const *name, size_t count, const struct expected *expected,
	size_t expected_count)
{
	struct graph *g = graph_new();
	const struct scope_names *scopes = scopes_of(g, name, count);

	assert_int_equal(scopes->count, expected_count);
	for (size_t i = 0; i < expected_count; i++) {
		const struct scope_name *item = &scopes->item[i];

		assert_int_equal(item->bytes, strlen(expected[i].name));
		assert_memory_equal(item->name, expected[i].name, item->bytes);
		assert_int_equal(item->node, expected[i].node);
		assert_int_equal(item->above, expected[i].above);
	}
	graph_free(g);
}

#define CHECK(name, expected)                                                                      \
	check(name, sizeof(name) / sizeof(*(name)), expected,                                      \
		sizeof(expected) / sizeof(*(expected)))

TEST(scopes_are_made_up)
{
	static const char *const name[] = {"b/c/d", "a", "b/c/e", "b"};
	static const struct expected expected[] = {
		{"a", 1, NONE}, {"b", 3, NONE}, {"b/c", NONE, 1}, {"b/c/d", 0, 2}, {"b/c/e", 2, 2}};

	CHECK(name, expected);
}

/* '-' and '.' sort in front of '/': the name order of nodes is not that of the scopes. */
TEST(signs_in_front_of_the_slash)
{
	static const char *const name[] = {"a/x", "a-1/x", "a.b", "a0", "a-1/x/y"};
	static const struct expected expected[] = {{"a", NONE, NONE}, {"a/x", 0, 0},
		{"a-1", NONE, NONE}, {"a-1/x", 1, 2}, {"a-1/x/y", 4, 3}, {"a.b", 2, NONE},
		{"a0", 3, NONE}};

	CHECK(name, expected);
}

/* A slash at either end, or two of them, make a scope whose own part is empty. */
TEST(parts_may_be_empty)
{
	static const char *const name[] = {"/a", "b//c", "d/", "d", ""};
	static const struct expected expected[] = {{"", 4, NONE}, {"/a", 0, 0}, {"b", NONE, NONE},
		{"b/", NONE, 2}, {"b//c", 1, 3}, {"d", 3, NONE}, {"d/", 2, 5}};

	CHECK(name, expected);
}

/* Bytes count as unsigned numbers. */
TEST(bytes_above_ascii_come_last)
{
	static const char *const name[] = {"a/\xc3\xa9", "a/z", "a/~"};
	static const struct expected expected[] = {
		{"a", NONE, NONE}, {"a/z", 1, 0}, {"a/~", 2, 0}, {"a/\xc3\xa9", 0, 0}};

	CHECK(name, expected);
}

static size_t bytes_of_depth(size_t depth)
{
	struct graph *g = graph_new();
	char *name = arena_alloc(g->arena, 2 * depth + 2);
	size_t before;

	memset(name, 'a', 2 * depth + 1);
	for (size_t i = 0; i < depth; i++)
		name[2 * i + 1] = '/';
	struct arena *arena = arena_new();

	graph_node_add(g, name);
	before = arena_size_bytes(arena);
	assert_int_equal(
		scope_names_new(g, node_values_order(g, g->arena), arena)->count, depth + 1);
	before = arena_size_bytes(arena) - before;
	arena_free(arena);
	graph_free(g);
	return before;
}

/* Ten times the depth is not a hundred times the memory. */
TEST(memory_is_linear_in_depth)
{
	size_t less = bytes_of_depth(10000), more = bytes_of_depth(100000);

	assert_true(less < 64 * 10000);
	assert_true(more < 12 * less);
}
