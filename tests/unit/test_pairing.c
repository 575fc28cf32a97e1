/* Rows of two sides: by name, by type and shape, by nearest name, and what stays alone. */
#include "analysis/compare/pairing.h"
#include "base/text.h"
#include "ingest/reader.h"
#include "tests/unit/cube_build.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"

struct row {
	const char *name, *type, *shape;
};

struct side {
	struct cube *cube;
	struct rules *rules;
	struct grouping grouping;
};

struct sides {
	struct arena *arena;
	struct side base, new;
	struct pairing pairing;
	struct error err;
};

static void group_side(
	struct sides *s, struct side *side, const struct group_options *opt, const char *rename)
{
	side->rules = rules_new();
	if (rename)
		assert_int_equal(
			rules_add(side->rules, RULE_RENAME, rename, NULL, "--rename", &s->err), 0);
	assert_int_equal(
		grouping_make(side->cube, side->rules, opt, s->arena, &side->grouping, &s->err), 0);
}

/* One step in which all rows ran; the list ends with a name of NULL. */
static struct cube *cube_of_rows(const struct row *row, const char *device)
{
	struct profile *p = made_profile("side", NULL);

	for (; row->name; row++) {
		put_cpu(p, row->name, 1, 10);
		made_op_as(p, row->name, row->type, device)->shape = row->shape;
	}
	return cube_of(p);
}

static int pair_cubes(struct sides *s, struct cube *base, struct cube *new, enum pairing_mode mode,
	const struct group_options *opt, const char *rename)
{
	*s = (struct sides){.arena = arena_new(), .base.cube = base, .new.cube = new};
	group_side(s, &s->base, opt, rename);
	group_side(s, &s->new, opt, rename);
	return pairing_make(&(struct pairing_side){base, &s->base.grouping},
		&(struct pairing_side){new, &s->new.grouping}, mode, s->arena, &s->pairing,
		&s->err);
}

static int pair_rows(
	struct sides *s, const struct row *base, const struct row *new, enum pairing_mode mode)
{
	const struct group_options by_name = {.by = BY_NAME};

	return pair_cubes(
		s, cube_of_rows(base, "cpu:0"), cube_of_rows(new, "cpu:0"), mode, &by_name, NULL);
}

static void release(struct sides *s)
{
	struct side *side[] = {&s->base, &s->new};

	for (size_t i = 0; i < 2; i++) {
		rules_free(side[i]->rules);
		cube_free(side[i]->cube);
	}
	arena_free(s->arena);
}

/* "a=a b~c d-" : "=" by name, "*" by type and shape, "~" by nearest name, "-" alone. Each group of
 * either side is there once, and the counts are those of the list. */
static void assert_pairs(const struct sides *s, const char *expected)
{
	static const char sign[] = {'=', '*', '~', '-'};
	const struct grouping *base = &s->base.grouping, *new = &s->new.grouping;
	size_t count[4] = {0}, only_base = 0;
	struct text found;

	text_init(&found);
	for (size_t i = 0; i < s->pairing.count; i++) {
		const struct pair *p = &s->pairing.pair[i];

		text_printf(&found, "%s%s%c%s", i ? " " : "",
			p->base == SIZE_MAX ? "" : base->group[p->base].name, sign[p->how],
			p->new == SIZE_MAX ? "" : new->group[p->new].name);
		count[p->how]++;
		only_base += p->new == SIZE_MAX;
		assert_int_equal(p->how == UNPAIRED, p->base == SIZE_MAX || p->new == SIZE_MAX);
	}
	assert_string_equal(text_string(&found), expected);
	assert_int_equal(s->pairing.only_base, only_base);
	assert_int_equal(s->pairing.only_new, count[UNPAIRED] - only_base);
	assert_int_equal(s->pairing.by_shape, count[PAIRED_TYPE_SHAPE]);
	assert_int_equal(s->pairing.by_nearest, count[PAIRED_NEAREST]);
	assert_int_equal(s->pairing.paired, s->pairing.count - count[UNPAIRED]);
	assert_int_equal(s->pairing.paired + only_base, base->count);
	assert_int_equal(s->pairing.paired + s->pairing.only_new, new->count);
	text_release(&found);
}

static void check(
	const struct row *base, const struct row *new, enum pairing_mode mode, const char *expected)
{
	struct sides s;

	if (pair_rows(&s, base, new, mode) < 0)
		fail_msg("%s: %s", s.err.place, s.err.message);
	assert_pairs(&s, expected);
	release(&s);
}

static const struct row old_net[] = {{"conv/a", "Conv2D", "[8,10]"}, {"dense/b", "MatMul", "[8,4]"},
	{"gone", "Relu", "[8]"}, {"same", "Add", "[2]"}, {NULL, NULL, NULL}};
static const struct row new_net[] = {{"block/z", "Conv2D", "[8,10]"}, {"more", "Tanh", "[3]"},
	{"same", "Sub", "[9]"}, {"zz/b", "MatMul", "[8,4]"}, {NULL, NULL, NULL}};

/* An equal name is enough, also where type and shape changed. */
TEST(by_name_alone)
{
	check(old_net, new_net, PAIRING_NAME,
		"conv/a- dense/b- gone- same=same -block/z -more -zz/b");
}

TEST(names_that_moved)
{
	check(old_net, new_net, PAIRING_TYPE_SHAPE,
		"conv/a*block/z dense/b*zz/b gone- same=same -more");
}

/* As many on both sides: in order of name, however near other names are. */
TEST(equal_shapes_twice)
{
	const struct row base[] = {{"a/1", "Mul", "[4]"}, {"a/2", "Mul", "[4]"},
		{"a/3", "Mul", "[5]"}, {NULL, NULL, NULL}};
	const struct row new[] = {{"b/2", "Mul", "[4]"}, {"b/3", "Mul", "[5]"},
		{"b/9", "Mul", "[4]"}, {NULL, NULL, NULL}};

	check(base, new, PAIRING_TYPE_SHAPE, "a/1*b/2 a/2*b/9 a/3*b/3");
}

/* Edits: x/1 to y/1 1, to y/7 2; x/7 to y/1 2, to y/7 1; x/q to both 2. Then however far. */
TEST(different_counts)
{
	const struct row base[] = {{"x/1", "Mul", "[4]"}, {"x/7", "Mul", "[4]"},
		{"x/q", "Mul", "[4]"}, {NULL, NULL, NULL}};
	const struct row new[] = {{"y/1", "Mul", "[4]"}, {"y/7", "Mul", "[4]"}, {NULL, NULL, NULL}};
	const struct row far[] = {{"entirely-different", "Mul", "[4]"}, {NULL, NULL, NULL}};

	check(base, new, PAIRING_TYPE_SHAPE, "x/1*y/1 x/7*y/7 x/q-");
	check(new, base, PAIRING_TYPE_SHAPE, "y/1*x/1 y/7*x/7 -x/q");
	/* x/1 and x/7 are as near (18 edits of 18): the first in order of name */
	check(base, far, PAIRING_TYPE_SHAPE, "x/1*entirely-different x/7- x/q-");
}

TEST(unknown_type_or_shape_is_no_reason)
{
	const struct row base[] = {
		{"a", "", "[4]"}, {"b", "Mul", ""}, {"c", "Mul", "[4]"}, {NULL, NULL, NULL}};
	const struct row new[] = {
		{"p", "", "[4]"}, {"q", "Mul", ""}, {"r", "Add", "[4]"}, {NULL, NULL, NULL}};

	check(base, new, PAIRING_TYPE_SHAPE, "a- b- c- -p -q -r");
}

TEST(the_device_counts_for_shapes)
{
	const struct row base[] = {{"a", "Mul", "[4]"}, {NULL, NULL, NULL}};
	const struct row new[] = {{"b", "Mul", "[4]"}, {NULL, NULL, NULL}};
	const struct group_options by_name = {.by = BY_NAME};
	struct sides s;

	assert_int_equal(pair_cubes(&s, cube_of_rows(base, "cpu:0"), cube_of_rows(new, "gpu:0"),
				 PAIRING_TYPE_SHAPE, &by_name, NULL),
		0);
	assert_pairs(&s, "a- -b");
	release(&s);
}

TEST(a_side_without_shapes)
{
	const struct row without[] = {{"a", "Mul", ""}, {NULL, NULL, NULL}};
	struct sides s;

	assert_int_equal(pair_rows(&s, old_net, without, PAIRING_TYPE_SHAPE), -1);
	assert_int_equal(s.err.kind, ERROR_INPUT);
	assert_string_equal(s.err.place, "--match");
	assert_non_null(strstr(s.err.message, "of new has a shape"));
	assert_non_null(strstr(s.err.hint, "--match=nearest"));
	assert_non_null(strstr(s.err.hint, "--rename"));
	release(&s);
	assert_int_equal(pair_rows(&s, without, old_net, PAIRING_TYPE_SHAPE), -1);
	assert_non_null(strstr(s.err.message, "of base has a shape"));
	release(&s);
	check(without, without, PAIRING_NEAREST, "a=a");
}

/* Of ten characters four may be edited, of nine three (40 % are 3.6). */
TEST(nearest_has_a_threshold)
{
	const struct row base[] = {
		{"abcdefghij", "Mul", ""}, {"nopqrstuv", "Add", ""}, {NULL, NULL, NULL}};
	const struct row near[] = {
		{"abcdef0000", "Mul", ""}, {"nopqrs000", "Add", ""}, {NULL, NULL, NULL}};
	const struct row far[] = {
		{"abcde00000", "Mul", ""}, {"nopqr0000", "Add", ""}, {NULL, NULL, NULL}};

	check(base, near, PAIRING_NEAREST, "abcdefghij~abcdef0000 nopqrstuv~nopqrs000");
	check(base, far, PAIRING_NEAREST, "abcdefghij- nopqrstuv- -abcde00000 -nopqr0000");
}

/* layer10 to layer1 and layer11 is one edit each; layer1 is first. What layer2 would rather have is
 * then gone, and layer11 is two edits of seven away: 28 %. */
TEST(nearest_first_then_by_name)
{
	const struct row base[] = {
		{"layer10", "Mul", ""}, {"layer2", "Mul", ""}, {NULL, NULL, NULL}};
	const struct row new[] = {
		{"layer1", "Mul", ""}, {"layer11", "Mul", ""}, {NULL, NULL, NULL}};

	check(base, new, PAIRING_NEAREST, "layer10~layer1 layer2~layer11");
}

TEST(nearest_within_a_type)
{
	const struct row base[] = {{"net/a1", "Mul", ""}, {"net/b1", "", ""}, {"net/c1", "Add", ""},
		{NULL, NULL, NULL}};
	const struct row new[] = {
		{"net/a2", "Add", ""}, {"net/b2", "", ""}, {"net/c2", "", ""}, {NULL, NULL, NULL}};

	/* c1 to a2 is two edits of six: 33 %; Mul has no partner of its type */
	check(base, new, PAIRING_NEAREST, "net/a1- net/b1~net/b2 net/c1~net/a2 -net/c2");
}

TEST(nothing_is_left)
{
	const struct row none[] = {{"x", "Mul", "[1]"}, {NULL, NULL, NULL}};
	const struct row two[] = {{"w", "Mul", "[1]"}, {"x", "Mul", "[1]"}, {NULL, NULL, NULL}};

	for (enum pairing_mode mode = PAIRING_NAME; mode <= PAIRING_NEAREST; mode++) {
		check(none, none, mode, "x=x");
		check(two, none, mode, "w- x=x");
	}
}

TEST(kept_collisions_pair_in_order)
{
	const struct row base[] = {{"t0/a", "Mul", "[1]"}, {"t1/a", "Mul", "[2]"},
		{"t2/a", "Mul", "[3]"}, {NULL, NULL, NULL}};
	const struct row new[] = {{"t0/a", "Mul", "[1]"}, {"t1/a", "Mul", "[2]"},
		{"t2/b", "Mul", "[3]"}, {NULL, NULL, NULL}};
	const struct group_options keep = {.by = BY_NAME, .collision = COLLISION_KEEP};
	struct sides s;

	for (enum pairing_mode mode = PAIRING_NAME; mode <= PAIRING_TYPE_SHAPE; mode++) {
		assert_int_equal(pair_cubes(&s, cube_of_rows(base, ""), cube_of_rows(new, ""), mode,
					 &keep, "s#^t[0-9]/##"),
			0);
		assert_pairs(&s, mode == PAIRING_NAME ? "a=a a=a a- -b" : "a=a a=a a*b");
		for (size_t i = 0; i < 3; i++)
			assert_int_equal(s.base.grouping.group[s.pairing.pair[i].base].op[0], i);
		release(&s);
	}
}

/* The shape of a row of several ops is theirs where it is one. */
TEST(rows_of_several_ops)
{
	const struct row base[] = {{"p/a", "Mul", "[4]"}, {"p/b", "Mul", "[4]"},
		{"q/a", "Add", "[4]"}, {"q/b", "Add", "[5]"}, {NULL, NULL, NULL}};
	const struct row new[] = {{"r/a", "Mul", "[4]"}, {"s/a", "Add", "[4]"},
		{"s/b", "Add", "[5]"}, {NULL, NULL, NULL}};
	const struct group_options by_scope = {.by = BY_SCOPE, .scope_depth = 1};
	struct sides s;

	assert_int_equal(pair_cubes(&s, cube_of_rows(base, ""), cube_of_rows(new, ""),
				 PAIRING_TYPE_SHAPE, &by_scope, NULL),
		0);
	assert_string_equal(grouping_shape(s.base.cube, &s.base.grouping.group[0]), "[4]");
	assert_string_equal(grouping_shape(s.base.cube, &s.base.grouping.group[1]), "");
	assert_pairs(&s, "p*r q- -s");
	release(&s);
}

static struct cube *many(size_t count, const char *form, const char *shape)
{
	struct profile *p = made_profile("many", NULL);
	char name[64];

	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), form, i);
		made_op_as(p, name, "Mul", "")->shape = shape;
	}
	put_cpu(p, "ran", 1, 1);
	return cube_of(p);
}

/* Beyond the cap names are not compared, but equal counts of a shape still pair. */
TEST(more_than_can_be_compared)
{
	const struct group_options all = {.by = BY_NAME, .never_run = true};
	struct sides s;

	assert_int_equal(pair_cubes(&s, many(PAIRING_MOST + 1, "a%05zu", "[1]"),
				 many(3, "b%05zu", "[1]"), PAIRING_NEAREST, &all, NULL),
		-1);
	assert_int_equal(s.err.kind, ERROR_LIMIT);
	assert_string_equal(s.err.place, "--match");
	assert_non_null(strstr(s.err.message, "more than 3000 rows of base"));
	assert_non_null(strstr(s.err.hint, "--rename"));
	release(&s);
	assert_int_equal(
		pair_cubes(&s, many(PAIRING_MOST + 1, "a%05zu", "[1]"),
			many(PAIRING_MOST + 1, "b%05zu", "[1]"), PAIRING_TYPE_SHAPE, &all, NULL),
		0);
	assert_int_equal(s.pairing.by_shape, PAIRING_MOST + 1);
	assert_int_equal(s.pairing.pair[7].new, 7);
	release(&s);
}

#define NAMES 70

/* Names of a few letters, some of them edited copies of the other side's. */
static void random_names(char name[2][NAMES][132], uint64_t seed)
{
	for (size_t i = 0; i < NAMES; i++)
		for (size_t side = 0; side < 2; side++) {
			char *out = name[side][i];
			size_t n = 2 + i % 8 * 16;

			for (size_t k = 0; k < n; k++) {
				seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
				bool copied = side && i % 3 && (seed >> 44) % 32 > i % 17;

				out[k] = copied ? name[0][i][k] : (char)('a' + (seed >> 35) % 3);
			}
			snprintf(out + n, 4, "%zu", i);
		}
}

/* All distances in one list, as the comment in pairing.h says it. */
static size_t plain_partner(const struct sides *s, size_t *partner)
{
	const struct grouping *base = &s->base.grouping, *new = &s->new.grouping;
	bool taken[NAMES] = {false};
	size_t paired = 0;

	for (size_t i = 0; i < base->count; i++)
		partner[i] = SIZE_MAX;
	for (size_t edits = 0; edits < 132; edits++)
		for (size_t i = 0; i < base->count; i++)
			for (size_t j = 0; partner[i] == SIZE_MAX && j < new->count; j++) {
				const char *a = base->group[i].name, *b = new->group[j].name;
				size_t longer = strlen(a) > strlen(b) ? strlen(a) : strlen(b);

				if (taken[j] || edits > longer * 2 / 5 ||
					text_distance(a, b, SIZE_MAX) != edits)
					continue;
				partner[i] = j;
				taken[j] = true;
				paired++;
			}
	return paired;
}

/* However the near ones are found, they are the pairs of the plain algorithm. */
TEST(nearest_as_the_plain_algorithm)
{
	static char name[2][NAMES][132];
	const struct group_options by_name = {.by = BY_NAME};

	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct cube *cube[2];
		struct sides s;
		size_t partner[NAMES], paired;

		random_names(name, seed);
		for (size_t side = 0; side < 2; side++) {
			struct profile *p = made_profile("side", NULL);

			for (size_t i = 0; i < NAMES; i++)
				put_cpu(p, name[side][i], 1, 10);
			cube[side] = cube_of(p);
		}
		assert_int_equal(
			pair_cubes(&s, cube[0], cube[1], PAIRING_NEAREST, &by_name, NULL), 0);
		paired = plain_partner(&s, partner);
		assert_true(paired > NAMES / 3);
		assert_int_equal(s.pairing.paired, paired);
		for (size_t i = 0; i < s.base.grouping.count; i++)
			assert_int_equal(s.pairing.pair[i].new, partner[i]);
		release(&s);
	}
}

/* More names than are compared each with each, all of one template: each finds its own number again
 * when the template changes at its start, its end or in between. */
TEST(many_names_of_a_template)
{
	static const char *const form[] = {"jit(train)/layers/block/op%zu/fusion",
		"jit(eval)/layers/block/op%zu/fusion", "jit(train)/layers/block/op%zu/fusion.1",
		"jit(train)/layers/block/new_op%zu/fusion",
		"jit(eval)/layers/block/op%zu/fusion.1"};
	const struct group_options all = {.by = BY_NAME, .never_run = true};

	for (size_t f = 1; f < sizeof(form) / sizeof(*form); f++) {
		struct sides s;
		size_t count = 0;

		assert_int_equal(pair_cubes(&s, many(1500, form[0], "[1]"),
					 many(1500, form[f], "[1]"), PAIRING_NEAREST, &all, NULL),
			0);
		assert_int_equal(s.pairing.by_nearest, 1500);
		for (size_t i = 0; i < s.pairing.count; i++) {
			const struct pair *p = &s.pairing.pair[i];
			size_t base, new;

			if (p->how != PAIRED_NEAREST)
				continue;
			base = strtoul(
				strstr(s.base.grouping.group[p->base].name, "op") + 2, NULL, 10);
			new = strtoul(
				strstr(s.new.grouping.group[p->new].name, "op") + 2, NULL, 10);
			assert_int_equal(base, new);
			count++;
		}
		assert_int_equal(count, 1500);
		release(&s);
	}
}

/* A set of one type and shape with more of them on one side: all of the smaller side are paired,
 * however far the names are, also where there are too many to compare each with each. */
TEST(many_of_a_shape)
{
	const struct group_options all = {.by = BY_NAME, .never_run = true};
	struct sides s;

	assert_int_equal(
		pair_cubes(&s, many(900, "a%zu", "[1]"), many(1001, "QQQQQQ/%06zu/r", "[1]"),
			PAIRING_TYPE_SHAPE, &all, NULL),
		0);
	assert_int_equal(s.pairing.by_shape, 900);
	release(&s);
}

static struct cube *cube_of_file(const char *name)
{
	char path[1024];
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_open(data_path(path, sizeof(path), name), &err);
	struct profile *p = profile_new(name);

	assert_non_null(in);
	assert_int_equal(reader_find("tfprof", &err)->read(in, p, &read_options_default, &err), 0);
	input_close(in);
	return cube_of(p);
}

/* 182 ops of the dump ran, 41 of them under v/tower_0/, all with a shape (counted from the file
 * with a decoder of its own). Under another prefix each finds itself again: every set of equal
 * type, device and shape has as many on both sides, in the same order. */
TEST(a_renamed_scope_of_a_real_model)
{
	static const char dump[] = "../../examples/resnet_tower/profile_14";
	const struct group_options by_name = {.by = BY_NAME};
	struct sides s;

	assert_int_equal(pair_cubes(&s, cube_of_file(dump), cube_of_file(dump), PAIRING_NAME,
				 &by_name, NULL),
		0);
	assert_int_equal(s.pairing.paired, 182);
	assert_int_equal(s.pairing.only_base + s.pairing.only_new, 0);
	assert_int_equal(rules_add(s.new.rules, RULE_RENAME, "s#^v/tower_0/#w/first/#", NULL,
				 "--rename", &s.err),
		0);
	assert_int_equal(
		grouping_make(s.new.cube, s.new.rules, &by_name, s.arena, &s.new.grouping, &s.err),
		0);
	assert_int_equal(pairing_make(&(struct pairing_side){s.base.cube, &s.base.grouping},
				 &(struct pairing_side){s.new.cube, &s.new.grouping}, PAIRING_NAME,
				 s.arena, &s.pairing, &s.err),
		0);
	assert_int_equal(s.pairing.paired, 182 - 41);
	assert_int_equal(pairing_make(&(struct pairing_side){s.base.cube, &s.base.grouping},
				 &(struct pairing_side){s.new.cube, &s.new.grouping},
				 PAIRING_TYPE_SHAPE, s.arena, &s.pairing, &s.err),
		0);
	assert_int_equal(s.pairing.paired, 182);
	assert_int_equal(s.pairing.by_shape, 41);
	for (size_t i = 0; i < s.pairing.count; i++) {
		const struct pair *p = &s.pairing.pair[i];

		assert_int_equal(
			s.base.grouping.group[p->base].op[0], s.new.grouping.group[p->new].op[0]);
	}
	release(&s);
}
