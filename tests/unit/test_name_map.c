/* Maps of names for two sides: which line does what, to which side, in which order, and the exact
 * words for each mistake. Expected values are written by hand. */
#include "analysis/select/rename.h"
#include "tests/unit/test.h"

static struct arena *arena;

static int setup(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static struct name_map *read_map(const char *text, struct error *err)
{
	return name_map_read_memory(text, strlen(text), "map.txt", arena, err);
}

static struct name_map *good_map(const char *text)
{
	struct error err = {.kind = ERROR_NONE};
	struct name_map *map = read_map(text, &err);

	if (!map)
		fail_msg("%s: %s", err.place, err.message);
	return map;
}

static void expect(
	const struct name_map *map, size_t side, const char *name, const char *type, const char *to)
{
	struct error err = {.kind = ERROR_NONE};
	const char *out = NULL;

	assert_int_equal(rules_map(name_map_side(map, side), name, type, arena, &out, &err), 0);
	assert_string_equal(out, to);
}

TEST_WITH(each_side_has_its_lines, setup, teardown)
{
	struct name_map *map = good_map("# a comment\n"
					"\n"
					"base s/^aten:://\n"
					"  new\ttype ^(Fused)?Gemm$ = addmm\r\n"
					"both ^(mm|addmm)$ = matrix product\n"
					"new s#^fc([0-9])/#layer $1 #");

	expect(map, 0, "aten::addmm", "cpu_op", "matrix product");
	expect(map, 0, "aten::relu", "cpu_op", "relu");
	expect(map, 0, "fc1/x", "Gemm", "fc1/x"); /* types are new's */
	expect(map, 1, "aten::relu", "", "aten::relu");
	expect(map, 1, "fc1/Gemm_7", "FusedGemm", "matrix product");
	expect(map, 1, "fc1/Gemm_7", "GemmX", "layer 1 Gemm_7");
	expect(map, 1, "mm", "", "matrix product");
}

/* On the result of those before; the type stays what it was. */
TEST_WITH(rules_run_in_order, setup, teardown)
{
	struct name_map *map = good_map("both a = b\n"
					"both b = c\n"
					"both s/^c$/d/\n"
					"both type T = e\n"
					"both e = f g\n");

	expect(map, 0, "xax", "", "d");
	expect(map, 1, "xbx", "", "d");
	expect(map, 0, "z", "T", "f g");
	expect(map, 0, "z", "", "z");
}

/* Blanks around the sign make it one; the last one counts. A name that begins like a rename. */
TEST_WITH(texts_that_look_like_others, setup, teardown)
{
	struct name_map *map = good_map("base a=b = c\n"
					"base x = y = z\n"
					"base s.*max = softmax\n"
					"base s/ = /:/\n"
					"base [t]ype 1 = typed\n"
					"base q = $1\\n\n");

	expect(map, 0, "a=b", "", "c");
	expect(map, 0, "x = y", "", "z");
	expect(map, 0, "Logsoftmax", "", "softmax");
	expect(map, 0, "k = v", "", "k:v");
	expect(map, 0, "type 1", "", "typed");
	expect(map, 0, "q", "", "$1\\n"); /* a name is no text of a rename */
}

static void dead(const struct name_map *map, const char *const *lines, size_t count)
{
	const char **found;
	size_t n = name_map_dead(map, arena, &found);

	assert_int_equal(n, count);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(found[i], lines[i]);
}

/* A rule of both sides is alive where it matches on one; one that gives the name that is there
 * already matches; a rename has to change something. */
TEST_WITH(lines_that_match_nothing, setup, teardown)
{
	struct name_map *map = good_map("base a = A\n"
					"new a = A\n"
					"both b = B\n"
					"both c = C\n"
					"base s/A/A/\n");
	static const char *const all[] = {"map.txt:1: base a = A", "map.txt:2: new a = A",
		"map.txt:3: both b = B", "map.txt:4: both c = C", "map.txt:5: base s/A/A/"};
	static const char *const some[] = {
		"map.txt:2: new a = A", "map.txt:4: both c = C", "map.txt:5: base s/A/A/"};

	dead(map, all, 5);
	expect(map, 0, "a", "", "A");
	expect(map, 1, "b", "", "B");
	dead(map, some, 3);
	rules_reset_hits(name_map_side(map, 0));
	rules_reset_hits(name_map_side(map, 1));
	dead(map, all, 5);
}

TEST_WITH(mistakes, setup, teardown)
{
	static const struct {
		const char *text, *place, *message;
	} wrong[] = {
		{"", "map.txt", "has no rule"},
		{"# nothing\n\n", "map.txt", "has no rule"},
		{"a = b\n", "map.txt:1", "found \"a\", expected base, new or both"},
		{"base x = y\nbas y = z\n", "map.txt:2",
			"found \"bas\", expected base, new or both"},
		{"base\n", "map.txt:1", "found the end, expected s/REGEX/TEXT/g or REGEX = NAME"},
		{"\nnew  a b\n", "map.txt:2",
			"found \"a b\", expected s/REGEX/TEXT/g or REGEX = NAME"},
		{"new a=b\n", "map.txt:1",
			"found \"a=b\", expected s/REGEX/TEXT/g or REGEX = NAME"},
		{"new a( = b\n", "map.txt:1",
			"pattern \"a(\": at character 3: missing closing parenthesis"},
		{"new type b[ = b\n", "map.txt:1",
			"type pattern \"b[\": at character 3: missing terminating ] for character "
			"class"},
		{"new a =\n", "map.txt:1", "found an empty name, expected a name"},
		{"new = b\n", "map.txt:1", "found an empty pattern, expected a pattern"},
		{"both s/a/$1/\n", "map.txt:1",
			"rename \"s/a/$1/\": at character 5: TEXT has group 1, REGEX has no group"},
		{"both s/a\n", "map.txt:1",
			"rename \"s/a\": at character 4: found the end, expected \"/\" after "
			"REGEX"},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct error err = {.kind = ERROR_NONE};

		if (read_map(wrong[i].text, &err))
			fail_msg("accepted: %s", wrong[i].text);
		assert_string_equal(err.place, wrong[i].place);
		assert_string_equal(err.message, wrong[i].message);
	}
}

TEST_WITH(files, setup, teardown)
{
	struct error err = {.kind = ERROR_NONE};

	assert_null(name_map_read("/nonexistent/map.txt", arena, &err));
	assert_string_equal(err.message, "cannot open: No such file or directory");
	err = (struct error){.kind = ERROR_NONE};
	assert_null(name_map_read("/", arena, &err));
	err = (struct error){.kind = ERROR_NONE};
	assert_null(name_map_read_memory("base a = b\0", 11, "map.txt", arena, &err));
	assert_string_equal(err.message, "is no text: it has a zero byte");
	assert_string_equal(name_map_path(good_map("\xef\xbb\xbf"
						   "base a = b")),
		"map.txt");
}
