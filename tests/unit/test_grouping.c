/* Ops to rows: by name, type, device, scope; rules; names that collide; sums per step. */
#include "analysis/select/grouping.h"
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

/* Four ops that run in steps 1 to 3, one that never does. */
static struct cube *model(void)
{
	struct profile *p = made_profile("p", NULL);
	const int x[] = {1, 2, 3}, y[] = {10, -1, 30}, z[] = {100, 100, 100}, w[] = {-1, -1, 7};

	made_op_as(p, "net/conv0/Conv2D", "Conv2D", "cpu:0");
	made_op_as(p, "net/conv0/Relu", "Relu", "cpu:0");
	made_op_as(p, "net/conv1/Conv2D", "Conv2D", "cpu:1");
	made_op_as(p, "Read", "", "");
	made_op_as(p, "net/conv1/weights", "VariableV2", "cpu:0")->params = 12;
	made_op_as(p, "net/conv0/Relu", "Relu", "cpu:0")->params = 3;
	put_series(p, "net/conv0/Conv2D", 1, x, 3);
	put_series(p, "net/conv0/Relu", 1, y, 3);
	put_series(p, "net/conv1/Conv2D", 1, z, 3);
	put_series(p, "Read", 1, w, 3);
	return cube_of(p);
}

struct bench {
	struct cube *cube;
	struct rules *rules;
	struct arena *arena;
	struct grouping grouping;
	struct error err;
};

static int set_up(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->cube = model();
	b->rules = rules_new();
	b->arena = arena_new();
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	cube_free(b->cube);
	rules_free(b->rules);
	arena_free(b->arena);
	free(b);
	return 0;
}

static void add_rule(struct bench *b, enum rule_kind kind, const char *text)
{
	assert_int_equal(rules_add(b->rules, kind, text, NULL, "--test", &b->err), 0);
}

/* The rows' names with the number of their ops: "a 1, b 2". */
static const char *rows(struct bench *b, const struct group_options *opt)
{
	const char *s = "";

	assert_int_equal(grouping_make(b->cube, b->rules, opt, b->arena, &b->grouping, &b->err), 0);
	for (size_t i = 0; i < b->grouping.count; i++)
		s = arena_printf(b->arena, "%s%s%s %zu", s, i ? ", " : "",
			b->grouping.group[i].name, b->grouping.group[i].op_count);
	return s;
}

/* Sums of cpu time of row i in steps 1 to 3 in us; states as digits behind. */
static const char *values(struct bench *b, size_t i)
{
	const uint32_t place[] = {0, 1, 2};
	int64_t value[3];
	unsigned char known[3];

	grouping_values(&(struct group_series){.cube = b->cube,
				.step_index = place,
				.count = 3,
				.value = value,
				.state = known},
		&b->grouping.group[i], MEASURE_CPU);
	return arena_printf(b->arena, "%lld %lld %lld %d%d%d", (long long)value[0] / US,
		(long long)value[1] / US, (long long)value[2] / US, known[0], known[1], known[2]);
}

TEST_WITH(by_name, set_up, tear_down)
{
	const struct group_options opt = {.by = BY_NAME};
	struct bench *b = *state;

	assert_string_equal(
		rows(b, &opt), "Read 1, net/conv0/Conv2D 1, net/conv0/Relu 1, net/conv1/Conv2D 1");
	assert_int_equal(b->grouping.ops, 4);
	assert_int_equal(b->grouping.ops_kept, 4);
	assert_string_equal(values(b, 1), "1 2 3 111");
	assert_string_equal(values(b, 2), "10 0 30 101");
	assert_string_equal(b->grouping.group[1].type, "Conv2D");
	assert_string_equal(b->grouping.group[3].device, "cpu:1");
}

TEST_WITH(by_type, set_up, tear_down)
{
	const struct group_options opt = {.by = BY_TYPE};
	struct bench *b = *state;

	assert_string_equal(rows(b, &opt), "(no type) 1, Conv2D 2, Relu 1");
	assert_string_equal(values(b, 1), "101 102 103 111");
	assert_string_equal(b->grouping.group[1].type, "Conv2D");
	assert_string_equal(b->grouping.group[1].device, ""); /* two devices */
	assert_int_equal(b->grouping.collisions, 0);
}

TEST_WITH(by_device, set_up, tear_down)
{
	const struct group_options opt = {.by = BY_DEVICE};
	struct bench *b = *state;

	/* The op that never ran belongs to cpu:0, but makes no row. */
	assert_string_equal(rows(b, &opt), "(no device) 1, cpu:0 3, cpu:1 1");
	assert_string_equal(values(b, 1), "11 2 33 111");
}

TEST_WITH(by_scope, set_up, tear_down)
{
	struct group_options opt = {.by = BY_SCOPE, .scope_depth = 1};
	struct bench *b = *state;

	assert_string_equal(rows(b, &opt), "Read 1, net 4");
	opt.scope_depth = 2;
	assert_string_equal(rows(b, &opt), "Read 1, net/conv0 2, net/conv1 2");
	assert_string_equal(values(b, 1), "11 2 33 111");
	opt.scope_depth = 3;
	assert_string_equal(
		rows(b, &opt), "Read 1, net/conv0/Conv2D 1, net/conv0/Relu 1, net/conv1/Conv2D 1");
}

TEST_WITH(type_rules_give_types, set_up, tear_down)
{
	const struct group_options opt = {.by = BY_TYPE};
	struct bench *b = *state;

	assert_int_equal(rules_add(b->rules, RULE_TYPE, "conv1", "second", "--test", &b->err), 0);
	assert_string_equal(rows(b, &opt), "(no type) 1, Conv2D 1, Relu 1, second 2");
}

TEST_WITH(patterns_keep_and_drop, set_up, tear_down)
{
	const struct group_options opt = {.by = BY_NAME};
	struct bench *b = *state;

	add_rule(b, RULE_INCLUDE, "conv0");
	add_rule(b, RULE_INCLUDE, "Read");
	add_rule(b, RULE_EXCLUDE, "Relu");
	assert_string_equal(rows(b, &opt), "Read 1, net/conv0/Conv2D 1");
	assert_int_equal(b->grouping.ops, 4);
	assert_int_equal(b->grouping.ops_kept, 2);
}

TEST_WITH(names_that_collide_are_summed, set_up, tear_down)
{
	struct group_options opt = {.by = BY_NAME, .collision = COLLISION_SUM};
	struct bench *b = *state;

	add_rule(b, RULE_RENAME, "s#net/conv[0-9]/##");
	assert_string_equal(rows(b, &opt), "Conv2D 2, Read 1, Relu 1");
	assert_string_equal(values(b, 0), "101 102 103 111");
	assert_int_equal(b->grouping.collisions, 1);
	assert_int_equal(b->grouping.collided, 2);
	assert_string_equal(b->grouping.collision_name, "Conv2D");
}

/* A sum is absent only where all its parts are. */
TEST_WITH(sum_is_present_where_a_part_is, set_up, tear_down)
{
	struct group_options opt = {.by = BY_NAME, .collision = COLLISION_SUM};
	struct bench *b = *state;

	add_rule(b, RULE_RENAME, "s#.*(Relu|Read)#same#");
	assert_string_equal(rows(b, &opt), "net/conv0/Conv2D 1, net/conv1/Conv2D 1, same 2");
	assert_string_equal(values(b, 2), "10 0 37 101");
}

TEST_WITH(names_that_collide_are_kept, set_up, tear_down)
{
	struct group_options opt = {.by = BY_NAME, .collision = COLLISION_KEEP};
	struct bench *b = *state;

	add_rule(b, RULE_RENAME, "s#net/conv[0-9]/##");
	assert_string_equal(rows(b, &opt), "Conv2D 1, Conv2D 1, Read 1, Relu 1");
	assert_string_equal(values(b, 0), "1 2 3 111");
	assert_string_equal(values(b, 1), "100 100 100 111");
}

TEST_WITH(names_that_collide_are_an_error, set_up, tear_down)
{
	struct group_options opt = {.by = BY_NAME, .collision = COLLISION_ERROR};
	struct bench *b = *state;

	add_rule(b, RULE_RENAME, "s#net/conv[0-9]/##");
	assert_int_equal(
		grouping_make(b->cube, b->rules, &opt, b->arena, &b->grouping, &b->err), -1);
	assert_string_equal(b->err.place, "on-collision");
	assert_string_equal(b->err.message,
		"two ops end up as \"Conv2D\": net/conv0/Conv2D and net/conv1/Conv2D");
}

/* A variable that never ran is no collision with the op that took its name. */
TEST_WITH(never_run_ops_do_not_collide, set_up, tear_down)
{
	struct group_options opt = {.by = BY_NAME, .collision = COLLISION_ERROR};
	struct bench *b = *state;

	add_rule(b, RULE_RENAME, "s#net/conv1/.*#conv1#");
	assert_string_equal(rows(b, &opt), "Read 1, conv1 2, net/conv0/Conv2D 1, net/conv0/Relu 1");
	assert_int_equal(b->grouping.collisions, 0);
	assert_string_equal(b->grouping.group[1].type, "Conv2D");
}

TEST_WITH(renames_that_change_nothing_are_reported, set_up, tear_down)
{
	const struct group_options opt = {.by = BY_NAME};
	struct bench *b = *state;

	add_rule(b, RULE_RENAME, "s/tower//");
	add_rule(b, RULE_RENAME, "s/^Read$/Input/");
	rows(b, &opt);
	assert_int_equal(b->grouping.dead_rename_count, 1);
	assert_string_equal(b->grouping.dead_renames[0], "s/tower//");
}

TEST_WITH(include_that_takes_nothing_names_the_nearest, set_up, tear_down)
{
	struct group_options opt = {.by = BY_NAME};
	struct bench *b = *state;

	add_rule(b, RULE_INCLUDE, "conv2d");
	assert_int_equal(
		grouping_make(b->cube, b->rules, &opt, b->arena, &b->grouping, &b->err), -1);
	assert_int_equal(b->err.kind, ERROR_INPUT);
	assert_string_equal(b->err.place, "--test");
	assert_string_equal(b->err.message, "no op matches \"conv2d\" (of 5 ops)");
	assert_string_equal(b->err.hint, "the nearest names: net/conv0/Conv2D, net/conv1/Conv2D; "
					 "--allow-empty lets it pass");
	opt.allow_empty = true;
	assert_string_equal(rows(b, &opt), "");
}

/* Near is also what is near to the last part of a name only. */
TEST_WITH(last_parts_of_names_are_near_too, set_up, tear_down)
{
	const struct group_options opt = {.by = BY_NAME};
	struct bench *b = *state;

	add_rule(b, RULE_INCLUDE, "Reluu");
	assert_int_equal(
		grouping_make(b->cube, b->rules, &opt, b->arena, &b->grouping, &b->err), -1);
	assert_non_null(strstr(b->err.hint, "the nearest names: net/conv0/Relu;"));
}

TEST_WITH(include_without_any_near_name, set_up, tear_down)
{
	const struct group_options opt = {.by = BY_NAME};
	struct bench *b = *state;

	add_rule(b, RULE_INCLUDE, "^QQQQQQQQQQQQ$");
	assert_int_equal(
		grouping_make(b->cube, b->rules, &opt, b->arena, &b->grouping, &b->err), -1);
	assert_string_equal(b->err.hint,
		"no name is near; `stepstat ops INPUT` lists all, --allow-empty lets it pass; "
		"the first: Read, net/conv0/Conv2D, net/conv0/Relu");
}

TEST_WITH(ops_that_never_ran_on_request, set_up, tear_down)
{
	const struct group_options opt = {.by = BY_NAME, .never_run = true};
	struct bench *b = *state;

	rows(b, &opt);
	assert_int_equal(b->grouping.count, 5);
	assert_int_equal(b->grouping.ops, 5);
	assert_string_equal(b->grouping.group[4].name, "net/conv1/weights");
	assert_string_equal(values(b, 4), "0 0 0 000");
}

/* Only what ran in the steps that are looked at counts. */
TEST_WITH(ops_of_other_steps_make_no_rows, set_up, tear_down)
{
	const uint32_t place[] = {UINT32_MAX, 0, UINT32_MAX};
	const struct group_options opt = {.by = BY_NAME, .step_index = place};
	struct bench *b = *state;

	assert_string_equal(rows(b, &opt), "net/conv0/Conv2D 1, net/conv1/Conv2D 1");
	assert_int_equal(b->grouping.ops, 2);
}

TEST_WITH(unknown_part_makes_the_sum_unknown, set_up, tear_down)
{
	const struct group_options opt = {.by = BY_TYPE};
	struct bench *b = *state;
	uint32_t o = op_at(b->cube, "net/conv0/Conv2D");

	b->cube->column[MEASURE_CPU][b->cube->op_first[o] + 1] = CELL_ABSENT;
	rows(b, &opt);
	assert_string_equal(values(b, 1) + strlen(values(b, 1)) - 3, "121");
}

TEST_WITH(sum_out_of_range_is_unknown, set_up, tear_down)
{
	const struct group_options opt = {.by = BY_TYPE};
	struct bench *b = *state;
	uint32_t o = op_at(b->cube, "net/conv0/Conv2D");

	b->cube->column[MEASURE_CPU][b->cube->op_first[o] + 2] = INT64_MAX;
	rows(b, &opt);
	assert_string_equal(values(b, 1) + strlen(values(b, 1)) - 3, "113");
}

TEST_WITH(static_values_are_summed, set_up, tear_down)
{
	const struct group_options opt = {.by = BY_SCOPE, .scope_depth = 1};
	struct bench *b = *state;
	int64_t value;

	rows(b, &opt);
	assert_true(grouping_static(b->cube, &b->grouping.group[1], MEASURE_PARAMS, &value));
	assert_int_equal(value, 15);
	assert_true(grouping_static(b->cube, &b->grouping.group[1], MEASURE_DEFINED, &value));
	assert_int_equal(value, 4);
	assert_false(grouping_static(b->cube, &b->grouping.group[1], MEASURE_CPU, &value));
}

/* The three steps are of the kinds 1, 2, 1. */
TEST_WITH(rows_of_kinds, set_up, tear_down)
{
	static const uint32_t kinds[] = {1, 2, 1}, many[] = {3, GROUPING_KINDS + 5, 90};
	struct group_options opt = {.by = BY_NAME, .kind_of_step = kinds};
	struct bench *b = *state;
	int64_t value;

	assert_string_equal(rows(b, &opt),
		"Read 1, net/conv0/Conv2D 1, net/conv0/Conv2D [kind 2] 1, net/conv0/Relu 1, "
		"net/conv1/Conv2D 1, net/conv1/Conv2D [kind 2] 1");
	assert_int_equal(b->grouping.ops, 4);
	assert_int_equal(b->grouping.collisions, 0);
	assert_string_equal(values(b, 1), "1 0 3 101");
	assert_string_equal(values(b, 2), "0 2 0 010");
	opt = (struct group_options){.by = BY_SCOPE, .scope_depth = 1, .kind_of_step = kinds};
	assert_string_equal(rows(b, &opt), "Read 1, net 4, net [kind 2] 2");
	assert_string_equal(values(b, 2), "0 102 0 010");
	assert_true(grouping_static(b->cube, &b->grouping.group[1], MEASURE_PARAMS, &value));
	assert_int_equal(value, 15);
	assert_false(grouping_static(b->cube, &b->grouping.group[2], MEASURE_PARAMS, &value));
	opt.kind_of_step = many;
	assert_string_equal(
		rows(b, &opt), "Read [other kinds] 1, net [kind 3] 3, net [other kinds] 3");
	assert_string_equal(values(b, 2), "0 102 133 011");
}

/* Sums of cpu time of row i of a cube in steps 1 to 3. */
static const char *values_of(struct bench *b, struct cube *cube, size_t i)
{
	struct cube *own = b->cube;
	const char *s;

	b->cube = cube;
	s = values(b, i);
	b->cube = own;
	return s;
}

static const char *rows_of(struct bench *b, struct cube *cube, const struct group_options *opt)
{
	struct cube *own = b->cube;
	const char *s;

	b->cube = cube;
	s = rows(b, opt);
	b->cube = own;
	return s;
}

/* Scopes of one row that are in another one of it are left out: that has their values. */
TEST_WITH(a_row_of_totals_has_its_outermost_scopes, set_up, tear_down)
{
	struct group_options opt = {.by = BY_TYPE};
	struct bench *b = *state;
	struct cube *totals = cube_totals(b->cube, &b->err);

	/* Read has no type. Neither have net, net/conv0 and net/conv1, which are no ops. */
	assert_string_equal(rows_of(b, totals, &opt), "(no type) 1, Conv2D 2, Relu 1");
	assert_string_equal(values_of(b, totals, 0), "0 0 7 001");
	assert_string_equal(values_of(b, totals, 1), "101 102 103 111");
	opt.by = BY_DEVICE;
	assert_string_equal(rows_of(b, totals, &opt), "(no device) 2, cpu:0 3, cpu:1 1");
	opt = (struct group_options){.by = BY_SCOPE, .scope_depth = 2};
	assert_string_equal(rows_of(b, totals, &opt), "Read 1, net 1, net/conv0 1, net/conv1 1");
	opt.by = BY_NAME;
	add_rule(b, RULE_RENAME, "s#conv[0-9]#conv#");
	assert_string_equal(rows_of(b, totals, &opt),
		"Read 1, net 1, net/conv 2, net/conv/Conv2D 2, net/conv/Relu 1");
	assert_string_equal(values_of(b, totals, 2), "111 102 133 111");
	assert_int_equal(b->grouping.collisions, 2);
	assert_int_equal(b->grouping.overlaps, 0);
	opt.collision = COLLISION_KEEP;
	assert_string_equal(rows_of(b, totals, &opt),
		"Read 1, net 1, net/conv 1, net/conv 1, net/conv/Conv2D 1, net/conv/Conv2D 1, "
		"net/conv/Relu 1");
	opt.collision = COLLISION_ERROR;
	assert_int_equal(
		grouping_make(totals, b->rules, &opt, b->arena, &b->grouping, &b->err), -1);
	cube_free(totals);
}

/* A source that gives totals, and does not say what runs inside of what. */
TEST_WITH(totals_that_may_overlap_have_no_sum, set_up, tear_down)
{
	struct group_options opt = {.by = BY_TYPE};
	struct bench *b = *state;
	struct cube *totals = model();
	int64_t value;

	totals->totals = true;
	assert_string_equal(rows_of(b, totals, &opt), "(no type) 1, Conv2D 2, Relu 1");
	assert_string_equal(values_of(b, totals, 1), "0 0 0 222");
	assert_int_equal(b->grouping.overlaps, 1);
	assert_false(grouping_static(totals, &b->grouping.group[1], MEASURE_PARAMS, &value));
	opt.by = BY_DEVICE;
	assert_string_equal(rows_of(b, totals, &opt), "(no device) 1, cpu:0 3, cpu:1 1");
	assert_string_equal(values_of(b, totals, 1), "0 0 0 222");
	totals->nesting = TOTALS_OF_ROWS;
	assert_string_equal(rows_of(b, totals, &opt), "(no device) 1, cpu:0 3, cpu:1 1");
	assert_int_equal(b->grouping.overlaps, 1);
	opt.by = BY_TYPE;
	assert_string_equal(rows_of(b, totals, &opt), "(no type) 1, Conv2D 2, Relu 1");
	assert_int_equal(b->grouping.overlaps, 0);
	assert_string_equal(values_of(b, totals, 1), "101 102 103 111");
	totals->op[cube_find_op(totals, "net/conv0/Conv2D")].types_differ = true;
	assert_string_equal(rows_of(b, totals, &opt), "(no type) 1, Conv2D 2, Relu 1");
	assert_int_equal(b->grouping.overlaps, 1);
	cube_free(totals);
}

static const struct group *find_group(const struct grouping *grouping, const char *name)
{
	for (size_t g = 0; g < grouping->count; g++)
		if (strcmp(grouping->group[g].name, name) == 0)
			return &grouping->group[g];
	return NULL;
}

/* By hand: weights Read 7, net/conv0/Conv2D 6, net/conv0/Relu 40, net/conv1/Conv2D 300. */
TEST_WITH(scopes_hold_all_that_is_below, set_up, tear_down)
{
	struct bench *b = *state;
	static const double weight[] = {7, 6, 40, 300}; /* rows are sorted by name */
	const struct group_options options = {.by = BY_NAME};
	struct grouping scopes;

	assert_int_equal(
		grouping_make(b->cube, b->rules, &options, b->arena, &b->grouping, &b->err), 0);
	assert_int_equal(b->grouping.count, 4);
	scopes_make(&b->grouping, weight, 0, 100, b->arena, &scopes);
	assert_int_equal(scopes.count, 7); /* net, net/conv0, net/conv1, and the four ops */
	assert_int_equal(find_group(&scopes, "net")->op_count, 3);
	assert_int_equal(find_group(&scopes, "net/conv0")->op_count, 2);
	assert_int_equal(find_group(&scopes, "net/conv1")->op_count, 1);
	scopes_make(&b->grouping, weight, 40, 100, b->arena, &scopes);
	assert_int_equal(scopes.count, 5);
	assert_null(find_group(&scopes, "Read"));
	assert_null(find_group(&scopes, "net/conv0/Conv2D"));
	assert_non_null(find_group(&scopes, "net/conv0")); /* 46 */
	scopes_make(&b->grouping, weight, 0, 1, b->arena, &scopes);
	assert_int_equal(scopes.count, 1);
	assert_string_equal(scopes.group[0].name, "net"); /* 346, the heaviest */
}
