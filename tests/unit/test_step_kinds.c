/* Kinds of step: by which ops ran, of all cubes together; what comes and goes makes no kind. */
#include "analysis/step_kinds.h"
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

/* Frees the cube; `expected` has one kind per step. */
static void check_kinds(struct cube *cube, const uint32_t *expected, size_t kinds)
{
	const struct cube *const cubes[] = {cube};
	struct arena *arena = arena_new();
	struct kinds found;
	size_t *count = arena_array(arena, kinds + 1, sizeof(*count));

	kinds_find(cubes, 1, arena, &found);
	assert_int_equal(found.count, kinds);
	for (size_t s = 0; s < cube->step_count; s++) {
		assert_int_equal(found.of_step[s], expected[s]);
		count[expected[s]]++;
	}
	for (size_t k = 0; k < kinds; k++)
		assert_int_equal(found.steps[k], count[k + 1]);
	arena_free(arena);
	cube_free(cube);
}

/* A run in which op is there in the steps that have its letter: "aaba". A blank: none is. */
static struct profile *run_of(const char *name, const char *letters)
{
	struct profile *p = made_profile(name, NULL);

	for (int s = 0; letters[s]; s++) {
		put_cpu(p, "common", s, 10);
		for (char op[] = "a1"; op[1] <= '2'; op[1]++) {
			op[0] = letters[s];
			put_cpu(p, op, s, letters[s] == 'z' ? 0 : 50);
		}
	}
	return p;
}

static struct cube *cube_of_run(const char *letters)
{
	return cube_of(run_of("p", letters));
}

TEST(steps_of_the_same_ops_are_one_kind)
{
	const uint32_t expected[] = {1, 1, 1};

	check_kinds(cube_of_run("aaa"), expected, 1);
}

TEST(training_and_evaluation_are_two)
{
	const uint32_t expected[] = {1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2};

	check_kinds(cube_of_run("aabaabaabaabaab"), expected, 2);
}

TEST(larger_kind_is_the_first)
{
	const uint32_t expected[] = {2, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1};

	check_kinds(cube_of_run("bbaabaabaaba"), expected, 2);
}

/* Four evaluations are too few to be told from chance, unless they have nothing in common. */
TEST(few_steps_make_no_kind)
{
	const uint32_t one[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
	const uint32_t two[] = {1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1};
	struct profile *p = run_of("p", "aabaabaabaaba");

	check_kinds(cube_of(p), two, 2);
	p = run_of("p", "aabaabaabaaba");
	for (int s = 0; s < 13; s++)
		put_cpu(p, "forward", s, 30);
	check_kinds(cube_of(p), one, 1);
}

/* A far longer step of the same ops is of the same kind. */
TEST(time_makes_no_kind)
{
	struct profile *p = made_profile("p", NULL);
	const int work[] = {10, 10, 900, 900, 10, 900, 10, 10, 900, 10, 900, 900};
	const uint32_t expected[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

	put_series(p, "work", 1, work, 12);
	check_kinds(cube_of(p), expected, 1);
}

TEST(odd_steps_are_a_kind)
{
	const uint32_t one[] = {2, 1, 1, 1}, two[] = {2, 2, 1, 1, 1, 1},
		       five[] = {2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1};
	struct profile *p = made_profile("p", NULL);
	const int init[] = {50, -1, -1, -1}, train[] = {1, 70, 80, 75};
	const int compile[] = {900, -1, -1, -1}, both[] = {50, 50, 50, 50};
	const uint32_t same[] = {1, 1, 1, 1};

	put_series(p, "init", 1, init, 4);
	put_series(p, "step", 1, train, 4);
	/* `step` takes little of the first step, but all of the others. */
	check_kinds(cube_of(p), same, 1);
	p = made_profile("p", NULL);
	put_series(p, "init", 1, init, 4);
	put_series(p, "step", 1, (const int[]){-1, 70, 80, 75}, 4);
	check_kinds(cube_of(p), one, 2);
	/* A first step that has the work of the others is one of them, whatever it does beside. */
	p = made_profile("p", NULL);
	put_series(p, "compile", 1, compile, 4);
	put_series(p, "step", 1, both, 4);
	check_kinds(cube_of(p), same, 1);
	p = made_profile("p", NULL);
	put_series(p, "init", 1, (const int[]){50, -1, -1, -1, -1, -1}, 6);
	put_series(p, "load", 1, (const int[]){-1, 60, -1, -1, -1, -1}, 6);
	put_series(p, "step", 1, (const int[]){-1, -1, 9, 9, 9, 9}, 6);
	check_kinds(cube_of(p), two, 2);
	p = made_profile("p", NULL);
	put_series(p, "init", 1, (const int[]){5, 5, 5, 5, 5, -1, -1, -1, -1, -1, -1}, 11);
	put_series(p, "step", 1, (const int[]){-1, -1, -1, -1, -1, 9, 9, 9, 9, 9, 9}, 11);
	check_kinds(cube_of(p), five, 2);
}

TEST(steps_without_time_come_last)
{
	struct profile *p = made_profile("p", NULL);
	const int work[] = {0, 0, 0, 0, 9, 9};
	const uint32_t expected[] = {2, 2, 2, 2, 1, 1}, all[] = {1, 1, 1};

	put_series(p, "work", 1, work, 6);
	check_kinds(cube_of(p), expected, 2);
	p = made_profile("p", NULL);
	put_series(p, "work", 1, work, 3);
	check_kinds(cube_of(p), all, 1);
}

/* Far more sets of ops than steps of each. */
TEST(endless_names_are_one_kind)
{
	enum { STEPS = 400 };
	struct profile *p = made_profile("p", NULL);
	uint32_t expected[STEPS];

	for (int s = 0; s < STEPS; s++) {
		char name[20];

		snprintf(name, sizeof(name), "op%d", s / 2);
		put_cpu(p, name, s, 1);
		expected[s] = 1;
	}
	for (int s = 0; s < STEPS; s++)
		put_cpu(p, "loop", s, 1);
	check_kinds(cube_of(p), expected, 1);
}

struct two_cubes {
	const char *base, *new; /* letters of each of three runs */
	size_t kinds;
	const char *base_kinds, *new_kinds;
};

static struct cube *cube_of_runs(const char *letters)
{
	struct profile *p[3];
	static const char *const name[] = {"p", "q", "r"};
	struct error err;

	for (size_t r = 0; r < 3; r++)
		p[r] = run_of(name[r], letters);
	return made_cube(p, 3, RUNS_FILES, &err);
}

static void check_side(const struct kinds *kinds, const char *expected)
{
	for (size_t s = 0; s < 3 * strlen(expected); s++)
		assert_int_equal(kinds->of_step[s], expected[s % strlen(expected)] - '0');
}

/* Kinds are those of both cubes together. */
TEST(sides_have_the_same_kinds)
{
	static const struct two_cubes cases[] = {
		{"aabaabaaba", "babababa", 2, "1121121121", "21212121"},
		/* numbered by the steps of both */
		{"aabaabaaba", "bbbbabbbbbb", 2, "2212212212", "11112111111"},
		/* a kind that one side alone has */
		{"aabaabaaba", "aaaaaaaa", 2, "1121121121", "11111111"},
		/* the first kind is one that both have */
		{"aaaaaaaaab", "bbbb", 2, "2222222221", "1111"},
		/* other names of the work: the kinds of one are those of the other */
		{"aabaabaaba", "ccbccbccbc", 2, "1121121121", "1121121121"},
		/* all names are others: most steps of a run, and odd ones */
		{"aabaabaaba", "ccdccdccdc", 2, "1121121121", "1121121121"},
		/* as often as the others: which kind would be which? */
		{"abababab", "cdcdcdcd", 1, "11111111", "11111111"},
		{"aaaaaa", "bbbbbb", 1, "111111", "111111"},
		/* a first step that has nothing in common with the others */
		{"saaaaa", "saaaaa", 2, "211111", "211111"},
		{"saaaaa", "tbbbbb", 2, "211111", "211111"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (size_t swap = 0; swap < 2; swap++) {
			struct cube *cube[] = {
				cube_of_runs(cases[i].base), cube_of_runs(cases[i].new)};
			const struct cube *const cubes[] = {cube[swap], cube[1 - swap]};
			struct arena *arena = arena_new();
			struct kinds found[2];

			kinds_find(cubes, 2, arena, found);
			assert_int_equal(found[0].count, cases[i].kinds);
			assert_int_equal(found[1].count, cases[i].kinds);
			check_side(&found[swap], cases[i].base_kinds);
			check_side(&found[1 - swap], cases[i].new_kinds);
			arena_free(arena);
			cube_free(cube[0]);
			cube_free(cube[1]);
		}
}

/* A step a letter, in which an op runs and whose kind has the name of the letter; '.': none. */
static struct cube *cube_of_names(const char *letters)
{
	static const char *const name[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k",
		"l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x"};
	struct profile *p = made_profile("run", NULL);

	for (size_t s = 0; letters[s]; s++) {
		put(p, "op", (int64_t)s, MEASURE_CPU, US);
		made_step(p, (int64_t)s)->kind = letters[s] == '.' ? NULL : name[letters[s] - 'a'];
	}
	return cube_of(p);
}

/* Numbers of kinds are by how many sides have them, then by their steps, then by name. Many names
 * are none where each is of a step or two: of 20 they may be, of 21 at least 42 steps have them.
 * The last cases have one kind by content. */
TEST(names_of_the_source_are_kinds)
{
	static const struct {
		const char *base, *new;
		size_t kinds;
		const char *base_kinds, *first;
	} cases[] = {{"abbab", "b", 2, "21121", "b"}, {"bbbba", "a", 2, "22221", "a"},
		{"bab", "aba", 2, "212", "a"}, {"a.a", "a", 2, "121", "a"},
		{"..", ".", 1, "11", NULL}, {"aaaa", "b", 1, "1111", NULL},
		{"abcdefghijklmnopqrst", "a", 20, NULL, "a"},
		{"abcdefghijklmnopqrstu", "aabcdefghijklmnopqrst", 21, NULL, "a"},
		{"abcdefghijklmnopqrstu", "abcdefghijklmnopqrst", 1, NULL, NULL}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arena *arena = arena_new();
		struct cube *base = cube_of_names(cases[i].base),
			    *new = cube_of_names(cases[i].new);
		struct kinds found[2];

		kinds_find((const struct cube *[]){base, new}, 2, arena, found);
		assert_int_equal(found[0].count, cases[i].kinds);
		assert_int_equal(found[1].count, cases[i].kinds);
		for (const char *kind = cases[i].base_kinds; kind && *kind; kind++)
			assert_int_equal(found[0].of_step[kind - cases[i].base_kinds], *kind - '0');
		assert_int_equal(found[0].name != NULL, cases[i].first != NULL);
		if (cases[i].first)
			assert_string_equal(found[1].name[0], cases[i].first);
		cube_free(base);
		cube_free(new);
		arena_free(arena);
	}
}
