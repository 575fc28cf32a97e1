/* From a graph to a profile: units, steps, wall and busy time, fingerprints, what does not fit. */
#include "tfprof/graph/graph.h"
#include "tests/unit/test.h"

#define PS 1000000

static struct graph_node *add_node(struct graph *g, const char *name)
{
	struct graph_node *node = graph_push_node(g);

	node->name = name;
	node->op = "Op";
	node->canonical_device = "/device:cpu:0";
	node->host_device = "";
	node->exec_first = g->exec_count;
	return node;
}

/* An execution of the node added last, with one interval. */
static struct exec *add_exec(struct graph *g, int64_t step, int64_t start, int64_t dur)
{
	struct exec *exec = graph_push_exec(g);

	exec->node = (uint32_t)g->node_count - 1;
	exec->step = step;
	exec->run_count = 1;
	exec->cpu_micros = dur;
	exec->start_micros = start;
	exec->end_micros = start + dur;
	g->node[exec->node].exec_count++;
	*graph_push_interval(g) = (struct interval){step, start, dur};
	return exec;
}

static struct profile *convert(const struct graph *g, const struct profile_limits *limits)
{
	struct profile *p = profile_new("f");
	struct error err = {.kind = ERROR_NONE};

	assert_int_equal(
		graph_to_profile(g, p, limits ? limits : &profile_limits_default, &err), 0);
	return p;
}

static const struct issue *find_issue(const struct profile *p, const char *code)
{
	for (size_t i = 0; i < p->issues.count; i++)
		if (strcmp(p->issues.issue[i].code, code) == 0)
			return &p->issues.issue[i];
	return NULL;
}

static int64_t params(int64_t *shape, size_t count, bool *incomplete)
{
	struct graph_node node = {.shape = shape, .shape_count = count};

	return graph_node_params(&node, incomplete);
}

TEST(params_of_shapes)
{
	bool incomplete;
	int64_t known[] = {784, 10}, zero[] = {0, 7}, scalar[] = {1}, open[] = {3, -1, 2},
		big[] = {1000000, 1000000}, huge[] = {INT64_MAX, 2},
		huge_open[] = {INT64_MAX, 4, -1};

	assert_int_equal(params(NULL, 0, &incomplete), 0);
	assert_false(incomplete);
	assert_int_equal(params(known, 2, &incomplete), 7840);
	assert_int_equal(params(zero, 2, &incomplete), 0);
	assert_int_equal(params(scalar, 1, &incomplete), 1);
	assert_int_equal(params(big, 2, &incomplete), 1000000000000);
	assert_false(incomplete);
	assert_int_equal(params(open, 3, &incomplete), 0);
	assert_true(incomplete);
	assert_int_equal(params(huge, 2, &incomplete), 0);
	assert_true(incomplete);
	assert_int_equal(params(huge_open, 3, &incomplete), 0);
	assert_true(incomplete);
}

TEST(values_get_base_units)
{
	struct graph *g = graph_new();

	add_node(g, "a")->float_ops = 12;
	struct exec *exec = add_exec(g, 7, 1795219702950521, 5);

	exec->accelerator_micros = 3;
	exec->run_count = 2;
	exec->requested_bytes = 100;
	exec->peak_bytes = 90;
	exec->residual_bytes = -8;
	exec->output_bytes = 64;
	struct profile *p = convert(g, NULL);

	assert_int_equal(p->op_count, 1);
	assert_string_equal(p->op[0].type, "Op");
	assert_string_equal(p->op[0].device, "/device:cpu:0");
	assert_int_equal(p->op[0].float_ops_each, 12);
	assert_int_equal(p->op[0].defined, 1);
	assert_int_equal(p->obs.count, 1);
	assert_int_equal(p->obs.column[MEASURE_CPU][0], 5 * PS);
	assert_int_equal(p->obs.column[MEASURE_ACCELERATOR][0], 3 * PS);
	assert_int_equal(p->obs.column[MEASURE_REQUESTED][0], 100);
	assert_int_equal(p->obs.column[MEASURE_PEAK][0], 90);
	assert_int_equal(p->obs.column[MEASURE_RESIDUAL][0], -8);
	assert_int_equal(p->obs.column[MEASURE_OUTPUT][0], 64);
	assert_int_equal(p->obs.column[MEASURE_OCCURRENCE][0], 2);
	assert_int_equal(p->step[0].number, 7);
	assert_true(p->base_ns == 1795219702950521000);
	assert_int_equal(p->step[0].start_ps, 0);
	assert_int_equal(p->step[0].end_ps, 5 * PS);
	profile_free(p);
	graph_free(g);
	graph_free(NULL);
}

TEST(steps_are_sorted_and_compared_with_the_list)
{
	struct graph *g = graph_new();

	*graph_push_step(g) = 5;
	*graph_push_step(g) = -3;
	*graph_push_step(g) = 100; /* nothing ran */
	add_node(g, "never");
	add_node(g, "a");
	add_exec(g, 5, 1000, 1);
	add_exec(g, 9, 2000, 1); /* not listed */
	add_node(g, "b");
	add_exec(g, -3, 500, 1);
	struct profile *p = convert(g, NULL);

	assert_int_equal(p->op_count, 3);
	assert_int_equal(p->step_count, 3);
	assert_int_equal(p->step[0].number, -3);
	assert_int_equal(p->step[1].number, 5);
	assert_int_equal(p->step[2].number, 9);
	assert_int_equal(p->obs.step[0], 1);
	assert_int_equal(p->obs.step[1], 2);
	assert_int_equal(p->obs.step[2], 0);
	assert_int_equal(p->obs.op[2], 2);
	assert_int_equal(find_issue(p, "step-empty")->count, 1);
	assert_string_equal(find_issue(p, "step-empty")->place, "f: step 100");
	assert_int_equal(find_issue(p, "step-unlisted")->count, 1);
	assert_string_equal(find_issue(p, "step-unlisted")->place, "f: step 9");
	profile_free(p);
	graph_free(g);
}

TEST(no_list_of_steps_is_one_issue)
{
	struct graph *g = graph_new();

	add_node(g, "a");
	add_exec(g, 4, 1000, 1);
	add_exec(g, 6, 2000, 1);
	struct profile *p = convert(g, NULL);

	assert_int_equal(p->step_count, 2);
	assert_int_equal(p->issues.count, 1);
	assert_string_equal(p->issues.issue[0].code, "steps-missing");
	assert_int_equal(p->issues.issue[0].severity, ISSUE_INFO);
	profile_free(p);
	graph_free(g);
}

TEST(busy_is_the_union)
{
	/* [10, 20) [15, 30) [16, 18) [40, 41): 21 busy of 31. Another step far away. */
	const int64_t at[][2] = {{40, 1}, {15, 15}, {10, 10}, {16, 2}};
	const char *const names[] = {"a", "b", "c", "d"};
	struct graph *g = graph_new();

	*graph_push_step(g) = 1;
	*graph_push_step(g) = 2;
	for (size_t i = 0; i < 4; i++) {
		add_node(g, names[i]);
		add_exec(g, 1, 1000 + at[i][0], at[i][1]);
		if (i == 3)
			add_exec(g, 2, 900000, 7);
	}
	struct profile *p = convert(g, NULL);

	assert_true(p->step[0].has_wall);
	assert_int_equal(p->step[0].start_ps, 0);
	assert_int_equal(p->step[0].end_ps, 31 * PS);
	assert_int_equal(p->step[0].busy_ps, 21 * PS);
	assert_int_equal(p->step[1].start_ps, (900000 - 1010) * (int64_t)PS);
	assert_int_equal(p->step[1].busy_ps, 7 * PS);
	assert_int_equal(p->issues.count, 0);
	profile_free(p);
	graph_free(g);
}

/* Busy of [10, 20) and [15, 30), of which the graph has one as the execution's own: 20 of 20. The
 * memory of 1000 executions goes while rows are made, and the rows are all there. */
TEST(what_is_given_up_is_counted_first)
{
	struct graph *g = graph_new();
	struct profile *p = profile_new("f");
	struct error err = {.kind = ERROR_NONE};

	add_node(g, "a");
	for (int64_t step = 0; step < 1000; step++) {
		add_exec(g, step, 1000 * step + 10, 10)->own_interval = true;
		g->interval_count--;
	}
	add_node(g, "b");
	for (int64_t step = 0; step < 1000; step++)
		add_exec(g, step, 1000 * step + 15, 15);
	assert_int_equal(graph_into_profile(g, p, &profile_limits_default, &err), 0);
	assert_int_equal(g->interval_count, 0);
	assert_int_equal(p->obs.count, 2000);
	assert_int_equal(p->step_count, 1000);
	for (size_t i = 0; i < 1000; i++) {
		assert_int_equal(p->step[i].start_ps, (int64_t)i * 1000 * PS);
		assert_int_equal(p->step[i].end_ps, ((int64_t)i * 1000 + 20) * PS);
		assert_int_equal(p->step[i].busy_ps, 20 * PS);
		assert_int_equal(p->obs.column[MEASURE_CPU][i], 10 * PS);
		assert_int_equal(p->obs.column[MEASURE_CPU][1000 + i], 15 * PS);
	}
	profile_free(p);
	graph_free(g);
}

TEST(without_a_start_there_is_no_wall)
{
	struct graph *g = graph_new();

	add_node(g, "odd\nname");
	add_exec(g, 4, 0, 0);
	*graph_push_step(g) = 4;
	struct profile *p = convert(g, NULL);

	assert_false(p->step[0].has_wall);
	assert_int_equal(p->step[0].busy_ps, 0);
	assert_int_equal(p->obs.count, 1);
	assert_int_equal(p->obs.column[MEASURE_CPU][0], 0);
	assert_string_equal(find_issue(p, "start-missing")->place, "f: op odd\\x0aname, step 4");
	profile_free(p);
	graph_free(g);
}

TEST(what_does_not_fit_is_absent)
{
	struct graph *g = graph_new();

	*graph_push_step(g) = 0;
	add_node(g, "huge");
	add_exec(g, 0, 1000, (int64_t)1 << 62);
	add_node(g, "wrapped");
	add_exec(g, 0, 1000, 5)->overflow = true;
	struct profile *p = convert(g, NULL);

	assert_true(p->obs.column[MEASURE_CPU][0] == CELL_ABSENT);
	assert_int_equal(p->obs.column[MEASURE_REQUESTED][0], 0);
	assert_int_equal(find_issue(p, "time-range")->count, 1);
	assert_null(p->obs.column[MEASURE_TRANSFERRED]);
	for (size_t id = 0; id < MEASURE_RECORDED_COUNT; id++)
		if (id != MEASURE_TRANSFERRED)
			assert_true(p->obs.column[id][1] ==
				    (id == MEASURE_OCCURRENCE ? 1 : CELL_ABSENT));
	assert_int_equal(find_issue(p, "sum-range")->count, 1);
	assert_int_equal(find_issue(p, "sum-range")->severity, ISSUE_LOSS);
	assert_false(p->step[0].has_wall); /* 2^62 us are no ps */
	profile_free(p);
	graph_free(g);
}

static uint64_t fingerprint(const char *const *names, const int64_t *durs, size_t count)
{
	struct graph *g = graph_new();

	for (size_t i = 0; i < count; i++) {
		add_node(g, names[i]);
		add_exec(g, 0, 1000, durs[i]);
	}
	struct profile *p = convert(g, NULL);
	uint64_t print = p->step[0].fingerprint;

	profile_free(p);
	graph_free(g);
	return print;
}

TEST(fingerprint_is_of_names_and_times)
{
	const char *const ab[] = {"a", "b"}, *const ba[] = {"b", "a"};
	const int64_t one_two[] = {1, 2}, two_one[] = {2, 1};

	assert_true(fingerprint(ab, one_two, 2) == fingerprint(ba, two_one, 2));
	assert_true(fingerprint(ab, one_two, 2) != fingerprint(ab, two_one, 2));
	assert_true(fingerprint(ab, one_two, 2) != fingerprint(ab, one_two, 1));
}

TEST(names_past_the_cap_share_one_row_in_a_step)
{
	const struct profile_limits limits = {1, 10, 10, 0};
	struct graph *g = graph_new();
	const char *const names[] = {"a", "b", "c"};

	for (size_t i = 0; i < 3; i++) {
		add_node(g, names[i]);
		add_exec(g, 0, 1000, 10 + (int64_t)i);
		if (i == 2)
			add_exec(g, 1, 2000, 30);
	}
	struct profile *p = convert(g, &limits);

	assert_int_equal(p->op_count, 2);
	assert_int_equal(p->op[1].defined, 2);
	assert_string_equal(p->op[1].type, "");
	assert_int_equal(p->obs.count, 3);
	assert_int_equal(p->obs.column[MEASURE_CPU][1], 23 * PS);
	assert_int_equal(p->obs.column[MEASURE_OCCURRENCE][1], 2);
	assert_int_equal(p->obs.column[MEASURE_CPU][2], 30 * PS);
	profile_free(p);
	graph_free(g);
}

TEST(caps_are_errors)
{
	const struct profile_limits few_steps = {10, 1, 10, 0}, few_rows = {10, 10, 1, 0};
	struct graph *g = graph_new();
	struct error err = {.kind = ERROR_NONE};

	add_node(g, "a");
	add_exec(g, 0, 1000, 1);
	add_exec(g, 1, 2000, 1);
	struct profile *p = profile_new("f");

	assert_int_equal(graph_to_profile(g, p, &few_steps, &err), -1);
	assert_string_equal(err.message, "more than 1 steps");
	profile_free(p);
	p = profile_new("f");
	assert_int_equal(graph_to_profile(g, p, &few_rows, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	profile_free(p);
	graph_free(g);
}

TEST(nothing_ran_is_no_error)
{
	struct graph *g = graph_new();

	add_node(g, "a");
	struct profile *p = convert(g, NULL);

	assert_int_equal(p->op_count, 1);
	assert_int_equal(p->step_count, 0);
	assert_int_equal(p->obs.count, 0);
	profile_free(p);
	graph_free(g);
}

/* An op log gives one node any number of types, each of them several times. */
static size_t bytes_of_types(size_t count)
{
	struct graph *base = graph_new(), *graph = graph_new();
	uint32_t node = graph_node_add(base, "n");
	char type[32];

	for (size_t turn = 0; turn < 2; turn++)
		for (size_t i = 0; i < count; i++) {
			snprintf(type, sizeof(type), "t%zu", i);
			graph_node_type(base, node, graph_word(base, type, strlen(type), NULL));
		}
	assert_int_equal(base->node[node].op_type_count, count);
	/* Types come from the base and are added to without a change there. */
	graph->base = base;
	node = graph_node_add(graph, "n");
	graph_node_type(graph, node, "t0");
	graph_node_type(graph, node, "more");
	graph_node_type(graph, node, "more");
	assert_int_equal(graph->node[node].op_type_count, count + 1);
	assert_int_equal(base->node[0].op_type_count, count);
	assert_string_equal(graph->node[node].op_types[0], "t0");
	assert_string_equal(graph->node[node].op_types[count - 1], type);
	assert_string_equal(graph->node[node].op_types[count], "more");
	size_t bytes = arena_size_bytes(base->arena) + arena_size_bytes(graph->arena);

	graph_free(graph);
	graph_free(base);
	return bytes;
}

TEST(many_types_of_a_node_take_linear_memory)
{
	bytes_of_types(3);
	bytes_of_types(16);
	size_t few = bytes_of_types(10000), many = bytes_of_types(40000);

	assert_true(many < 6 * few);
	assert_true(many < (size_t)32 << 20);
}

TEST(executions_are_found_by_step)
{
	const struct exec dense[] = {{.step = 7}, {.step = 8}, {.step = 9}};
	const struct exec gaps[] = {{.step = INT64_MIN}, {.step = -3}, {.step = 5}, {.step = 100}};

	assert_ptr_equal(exec_find(dense, 3, 7), &dense[0]);
	assert_ptr_equal(exec_find(dense, 3, 9), &dense[2]);
	assert_null(exec_find(dense, 3, 6));
	assert_null(exec_find(dense, 3, 10));
	assert_ptr_equal(exec_find(gaps, 4, INT64_MIN), &gaps[0]);
	assert_ptr_equal(exec_find(gaps, 4, 5), &gaps[2]);
	assert_ptr_equal(exec_find(gaps, 4, 100), &gaps[3]);
	assert_null(exec_find(gaps, 4, 4));
	assert_null(exec_find(gaps, 4, INT64_MAX));
	assert_null(exec_find(NULL, 0, 0));
}
