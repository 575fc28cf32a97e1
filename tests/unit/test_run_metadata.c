/* RunMetadata against TensorFlow's own profile of the same steps, binary against text, and what is
 * odd. */
#include "tfprof/files/graph_def.h"
#include "ingest/reader.h"
#include "model/merge.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"

#define CPU "/job:localhost/replica:0/task:0/device:CPU:0"
#define AT 1500000000000000

static const struct reader *find_reader(const char *name)
{
	const struct reader *reader = reader_find(name, NULL);

	assert_non_null(reader);
	return reader;
}

static struct profile *read_file(
	const char *reader, const char *name, const struct read_options *opt)
{
	char path[1024];
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_open(data_path(path, sizeof(path), name), &err);

	if (!in)
		fail_msg("%s: %s", err.place, err.message);
	struct profile *p = profile_new(name);

	if (find_reader(reader)->read(in, p, opt, &err))
		fail_msg("%s: %s", err.place, err.message);
	input_close(in);
	return p;
}

static struct profile *read_bytes(const char *reader, const char *name, const void *bytes,
	size_t size, const struct read_options *opt, struct error *err)
{
	struct input *in = input_memory(bytes, size, name);
	struct profile *p = profile_new(name);

	if (find_reader(reader)->read(in, p, opt ? opt : &read_options_default, err)) {
		profile_free(p);
		p = NULL;
	}
	input_close(in);
	return p;
}

static const struct issue *find_issue(const struct profile *p, const char *code)
{
	for (size_t i = 0; i < p->issues.count; i++)
		if (strcmp(p->issues.issue[i].code, code) == 0)
			return &p->issues.issue[i];
	return NULL;
}

static const struct op *find_op(const struct profile *p, const char *name)
{
	uint32_t id;

	return intern_find(p->names, name, strlen(name), &id) ? &p->op[id] : NULL;
}

/* Row of the op in the step; SIZE_MAX: it is not there. */
static size_t find_row(const struct profile *p, const char *name, uint32_t step)
{
	const struct op *op = find_op(p, name);

	for (size_t i = 0; op && i < p->obs.count; i++)
		if (&p->op[p->obs.op[i]] == op && p->obs.step[i] == step)
			return i;
	return SIZE_MAX;
}

static int64_t value(const struct profile *p, const char *name, enum measure_id id)
{
	size_t row = find_row(p, name, 0);

	assert_true(row != SIZE_MAX);
	return p->obs.column[id][row];
}

/* ---- the same as TensorFlow's own dump ---- */

static void assert_same_row(const struct profile *a, size_t i, const struct profile *b, size_t k)
{
	const struct op *x = &a->op[a->obs.op[i]], *y = &b->op[b->obs.op[k]];

	assert_string_equal(x->type, y->type);
	assert_string_equal(x->device, y->device);
	assert_true(x->params == y->params);
	for (size_t id = 0; id < MEASURE_RECORDED_COUNT; id++)
		assert_true(
			id == MEASURE_TRANSFERRED || a->obs.column[id][i] == b->obs.column[id][k]);
}

/* The step of RunMetadata `a` against step s of the dump b. */
static void assert_same_step(const struct profile *a, const struct profile *b, uint32_t s)
{
	const struct step *x = &a->step[0], *y = &b->step[s];
	size_t rows = 0;

	for (size_t k = 0; k < b->obs.count; k++) {
		if (b->obs.step[k] != s)
			continue;
		size_t i = find_row(a, b->op[b->obs.op[k]].name, 0);

		if (i == SIZE_MAX)
			fail_msg("%s: no %s", a->path, b->op[b->obs.op[k]].name);
		assert_same_row(a, i, b, k);
		rows++;
	}
	assert_int_equal(rows, a->obs.count);
	assert_true(x->number == y->number);
	assert_false(x->unnumbered);
	assert_true(x->fingerprint == y->fingerprint);
	assert_true(x->has_wall && y->has_wall);
	assert_true(x->end_ps - x->start_ps == y->end_ps - y->start_ps);
	assert_true(x->busy_ps == y->busy_ps);
}

TEST(the_same_as_the_dump)
{
	static const struct {
		const char *folder, *model, *dump;
		size_t steps;
	} cases[] = {
		{"mnist_softmax", "mnist_softmax", "models/mnist_softmax/profile_20.gz", 19},
		{"resnet_tower", "resnet_tower", "../../examples/resnet_tower/profile_14", 12},
		{"gpu_synth", "resnet_tower", "models/gpu_synth/profile_8.gz", 6},
		{"rnn_while", "rnn_while", "run_metadata/rnn_while/profile_5.gz", 6},
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct read_options opt = read_options_default;
		struct profile *dump = read_file("tfprof", cases[c].dump, &opt);
		char graph[1024], log[1024], name[200];
		struct error err = {.kind = ERROR_NONE};

		snprintf(name, sizeof(name), "run_metadata/%s/graph.pb.gz", cases[c].model);
		data_path(graph, sizeof(graph), name);
		snprintf(name, sizeof(name), "run_metadata/%s/op_log.gz", cases[c].model);
		data_path(log, sizeof(log), name);
		struct graph *model = graph_read_files(graph, log, &opt, &err);

		assert_non_null(model);
		opt.graph = model;
		assert_int_equal(dump->step_count, cases[c].steps);
		for (uint32_t s = 0; s < dump->step_count; s++) {
			snprintf(name, sizeof(name), "run_metadata/%s/run_meta_%d.gz",
				cases[c].folder, (int)dump->step[s].number);
			struct profile *p = read_file("run-metadata", name, &opt);

			assert_same_step(p, dump, s);
			assert_int_equal(p->issues.count, 0);
			profile_free(p);
		}
		profile_free(dump);
		graph_free(model);
	}
}

/* By hand: a node on two devices, a start of 0; the dump was made by TensorFlow 2.0.0. */
TEST(the_same_as_the_dump_by_hand)
{
	static const char *const names[2][2] = {
		{"run_metadata/synth/run_meta_0.gz", "run_metadata/synth/run_meta_1.gz"},
		{"run_metadata/synth/run_meta_0.pbtxt.gz",
			"run_metadata/synth/run_meta_1.pbtxt.gz"},
	};
	struct read_options opt = read_options_default;
	struct profile *dump = read_file("tfprof", "tfprof/synth_1", &opt);
	char graph[1024], log[1024];
	struct error err = {.kind = ERROR_NONE};
	struct graph *model = graph_read_files(
		data_path(graph, sizeof(graph), "run_metadata/synth/graph.pb.gz"),
		data_path(log, sizeof(log), "run_metadata/synth/op_log.pbtxt.gz"), &opt, &err);

	assert_non_null(model);
	opt.graph = model;
	assert_int_equal(dump->step_count, 2);
	for (size_t form = 0; form < 2; form++) {
		const char *reader = form ? "run-metadata-text" : "run-metadata";

		for (uint32_t s = 0; s < 2; s++) {
			struct profile *p = read_file(reader, names[form][s], &opt);

			assert_same_step(p, dump, s);
			assert_int_equal(find_issue(p, "device-changed")->count, 1);
			assert_int_equal(find_issue(p, "start-missing")->count, 1);
			profile_free(p);
		}
	}
	profile_free(dump);
	graph_free(model);
}

TEST(text_is_the_same_as_binary)
{
	for (int i = 0; i < 4; i++) {
		struct read_options opt = read_options_default;
		char a[100], b[100];

		snprintf(a, sizeof(a), "run_metadata/rnn_while/run_meta_%d.gz", i & 1);
		snprintf(b, sizeof(b), "run_metadata/text/run_meta_%d.gz", i & 1);
		opt.nanoseconds = i > 1;
		struct profile *x = read_file("run-metadata", a, &opt),
			       *y = read_file("run-metadata-text", b, &opt);

		assert_same_step(x, y, 0);
		assert_true(x->base_ns == y->base_ns);
		assert_int_equal(find_issue(x, "label-types")->count, 1);
		assert_int_equal(find_issue(y, "label-types")->count, 1);
		profile_free(x);
		profile_free(y);
	}
}

/* Decoded from the files by 40 lines of Python that know nothing but protobuf's wire format. In
 * step 0 the loop runs three times and is left by the other output of its Switch. */
TEST(outputs_have_shapes)
{
	static const struct {
		const char *op, *shape[2]; /* in steps 0 and 1 */
	} cases[] = {
		{"_arg_inputs_0_0", {"[3,4,6]", "[4,4,6]"}},
		{"rnn/while/cell/BiasAdd", {"[4,12]", "[4,12]"}},
		{"gradients/rnn/while/cell/BiasAdd/Enter_grad/b_acc_2", {"[12]", "[12]"}},
		{"aux_cond/Switch", {"?[1]", "[1]"}},
		{"rnn/while/Switch_1", {"", ""}},
	};
	struct merge_options merge = {.mode = RUNS_AUTO};
	struct error err;

	for (size_t form = 0; form < 2; form++) {
		struct profile *p[2];

		for (int s = 0; s < 2; s++) {
			char name[100];

			snprintf(name, sizeof(name), "run_metadata/%s/run_meta_%d.gz",
				form ? "text" : "rnn_while", s);
			p[s] = read_file(form ? "run-metadata-text" : "run-metadata", name,
				&read_options_default);
			for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
				assert_string_equal(
					find_op(p[s], cases[i].op)->shape, cases[i].shape[s]);
		}
		struct cube *cube = merge_profiles(p, 2, &merge, &err);

		assert_non_null(cube);
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
			for (size_t o = 0; o < cube->op_count; o++)
				if (text_equal(cube->op[o].name, cases[i].op))
					assert_string_equal(cube->op[o].shape,
						text_equal(cases[i].shape[0], cases[i].shape[1])
							? cases[i].shape[0]
							: "");
		cube_free(cube);
		profile_free(p[0]);
		profile_free(p[1]);
	}
}

/* Sums, first start and last end of step 1, added up from the text form by other means. */
TEST(nanoseconds)
{
	struct read_options opt = read_options_default;
	int64_t total = 0;

	opt.nanoseconds = true;
	struct profile *p = read_file("run-metadata", "run_metadata/rnn_while/run_meta_1.gz", &opt);

	assert_int_equal(p->obs.count, 166);
	for (size_t i = 0; i < p->obs.count; i++)
		total += p->obs.column[MEASURE_CPU][i];
	assert_true(total == 557282000);
	assert_int_equal(
		value(p, "gradients/rnn/while/cell/MatMul_grad/MatMul_1", MEASURE_CPU), 143360000);
	assert_int_equal(value(p, "rnn/while/cell/BiasAdd", MEASURE_CPU), 30450000);
	assert_int_equal(value(p, "rnn/while/cell/BiasAdd", MEASURE_OCCURRENCE), 4);
	assert_true(p->base_ns == 1795219709648829038);
	assert_true(p->step[0].start_ps == 0 && p->step[0].end_ps == 1608136000);
	assert_true(p->step[0].busy_ps == 557282000);
	assert_null(find_issue(p, "nanos-missing"));
	profile_free(p);

	/* Times that were put in have none. */
	p = read_file("run-metadata", "run_metadata/gpu_synth/run_meta_3.gz", &opt);
	assert_int_equal(find_issue(p, "nanos-missing")->severity, ISSUE_INFO);
	profile_free(p);
}

/* Without the graph: the same times and bytes, types by the labels, and what only the graph says is
 * not known. */
TEST(without_the_graph)
{
	const struct read_options *opt = &read_options_default;
	struct profile *p = read_file(
			       "run-metadata", "run_metadata/mnist_softmax/run_meta_3.gz", opt),
		       *dump = read_file("tfprof", "models/mnist_softmax/profile_20.gz", opt);

	assert_true(p->step[0].fingerprint == dump->step[3].fingerprint);
	assert_string_equal(find_op(p, "gradients/MatMul_grad/MatMul_1")->type, "MatMul");
	assert_string_equal(find_op(p, "Variable")->type, "VariableV2");
	assert_string_equal(find_op(p, "_arg_Placeholder_0_0")->type, "_Arg");
	assert_true(find_op(p, "Variable")->params == CELL_ABSENT);
	assert_true(find_op(p, "Variable")->float_ops_each == CELL_ABSENT);
	assert_null(find_op(p, "_SOURCE"));
	profile_free(p);
	profile_free(dump);
}

/* ---- made by hand ---- */

static void put_stats(
	struct text *device, const char *name, int64_t start, int64_t dur, const char *label)
{
	struct text t;

	text_init(&t);
	put_string(&t, 1, name);
	put_number(&t, 2, start);
	put_number(&t, 4, dur);
	put_string(&t, 8, label);
	put_message(device, 2, &t);
	text_release(&t);
}

TEST(the_device_may_come_last)
{
	struct text file, step, device;
	struct error err = {.kind = ERROR_NONE};

	text_init(&file);
	text_init(&step);
	text_init(&device);
	put_string(&device, 1, "/gpu:0/stream:all"); /* replaced by the later one */
	put_stats(&device, "a:x", AT, 5, "");
	put_number(&device, 9, 1);
	put_string(&device, 3, "thread names");
	put_stats(&device, "a", AT + 5, 6, "");
	put_string(&device, 1, CPU);
	put_message(&step, 1, &device);
	put_string(&step, 2, "?");
	put_message(&file, 1, &step);
	put_string(&file, 2, "cost graph");
	put_string(&device, 1, "/gpu:0/stream:all");
	put_stats(&device, "a:k", AT + 20, 100, "");
	put_message(&step, 1, &device);
	put_message(&file, 1, &step); /* a second one is merged */
	struct profile *p =
		read_bytes("run-metadata", "run_meta_7", file.data, file.size, NULL, &err);

	assert_non_null(p);
	assert_int_equal(p->obs.count, 1);
	assert_int_equal(value(p, "a", MEASURE_CPU), 11000000);
	assert_int_equal(value(p, "a", MEASURE_ACCELERATOR), 100000000);
	assert_int_equal(value(p, "a", MEASURE_OCCURRENCE), 2);
	assert_int_equal(p->step[0].number, 7);
	assert_int_equal(p->step[0].end_ps, 120000000);
	assert_int_equal(p->step[0].busy_ps, 111000000);
	profile_free(p);
	text_release(&file);
	text_release(&step);
	text_release(&device);
}

TEST(labels)
{
	static const struct {
		const char *label, *type;
	} cases[] = {
		{"n = MatMul(a, b)", "MatMul"},
		{"a/b:MatMul = MatMul()", "MatMul"},
		{"n = _FusedMatMul(a)", "_FusedMatMul"},
		{"n = Addons>Gelu(x)", "Addons>Gelu"},
		{"", "n"},
		{"n", "n"},
		{"n = ", "n"},
		{"n = MatMul", "n"},
		{"n = Mat Mul(a)", "n"},
		{"n = (a)", "n"},
		{" = A(", "A"},
		{"MEMCPYHtoD 4 bytes = ?(", "n"},
		{"[4] = tensor from a to b", "n"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err = {.kind = ERROR_NONE};
		char text[300];

		snprintf(text, sizeof(text),
			"step_stats { dev_stats { device: '" CPU "' node_stats { node_name: 'n' "
			"all_start_micros: 9 timeline_label: '%s' } } }",
			cases[i].label);
		struct profile *p =
			read_bytes("run-metadata-text", "x", text, strlen(text), NULL, &err);

		assert_non_null(p);
		assert_string_equal(find_op(p, "n")->type, cases[i].type);
		assert_true((find_issue(p, "label-types") != NULL) ==
			    (strcmp(cases[i].type, "n") != 0));
		profile_free(p);
	}
}

TEST(the_number_is_in_the_name)
{
	static const struct {
		const char *name;
		int64_t number; /* -1: none */
	} cases[] = {
		{"run_meta_12", 12},
		{"run_meta_12.gz", 12},
		{"a/b.7/run_meta_0012.pb.gz", 12},
		{"run_meta12.pbtxt", 12},
		{"run_meta.5", 5},
		{"step-3.run_metadata", 3},
		{"100", 100},
		{"run_meta", -1},
		{"run_meta.gz", -1},
		{"steps_7/run_meta", -1},
		{"run_meta_12x", -1},
		{"run_meta_99999999999999999999", -1},
		{"-", -1},
		{"", -1},
		{".gz", -1},
	};
	static const char text[] = "step_stats { dev_stats { device: '" CPU
				   "' node_stats { node_name: 'n' all_start_micros: 9 } } }";

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err = {.kind = ERROR_NONE};
		struct profile *p = read_bytes(
			"run-metadata-text", cases[i].name, text, strlen(text), NULL, &err);

		assert_non_null(p);
		assert_int_equal(p->step_count, 1);
		assert_true(p->step[0].unnumbered == (cases[i].number < 0));
		assert_int_equal(p->step[0].number, cases[i].number < 0 ? 0 : cases[i].number);
		profile_free(p);
	}
}

/* Nothing traced, or nothing but what is no node: no step. */
TEST(no_steps)
{
	static const char *const texts[] = {"", "cost_graph { }", "step_stats { }",
		"step_stats { dev_stats { } }",
		"step_stats { dev_stats { device: '" CPU
		"' node_stats { node_name: '_SOURCE' } } }"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct error err = {.kind = ERROR_NONE};
		struct profile *p = read_bytes(
			"run-metadata-text", "r_1", texts[i], strlen(texts[i]), NULL, &err);

		assert_non_null(p);
		assert_int_equal(p->step_count, 0);
		profile_free(p);
	}
}

TEST(limits)
{
	static const char text[] =
		"step_stats { dev_stats { device: '" CPU
		"' node_stats { node_name: 'n' } node_stats { node_name: 'm' } } }";
	struct read_options opt = read_options_default;
	struct error err = {.kind = ERROR_NONE};

	opt.limits.observations = 1;
	assert_null(read_bytes("run-metadata-text", "x", text, strlen(text), &opt, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(err.hint, "allow more with max-observations in stepstat.yaml");
	opt = read_options_default;
	opt.max_record_bytes = 4;
	err = (struct error){.kind = ERROR_NONE};
	assert_null(read_bytes("run-metadata-text", "x", text, strlen(text), &opt, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(err.hint, "allow more with max-record in stepstat.yaml");
}

/* Every beginning, and every byte changed, ends in a profile or in an error with a place. */
TEST(damaged)
{
	for (int form = 0; form < 2; form++) {
		static char bytes[20000];
		char path[1024];
		struct error err = {.kind = ERROR_NONE};
		const unsigned char *plain;
		size_t size, errors = 0;
		struct input *in =
			input_open(data_path(path, sizeof(path),
					   form ? "run_metadata/synth/run_meta_0.pbtxt.gz"
						: "run_metadata/synth/run_meta_0.gz"),
				&err);

		assert_non_null(in);
		assert_int_equal(input_peek(in, sizeof(bytes), &plain, &size, &err), 0);
		assert_true(size < sizeof(bytes));
		memcpy(bytes, plain, size);
		input_close(in);
		for (size_t at = 1; at < 2 * size; at++) {
			bool flip = at >= size;

			err = (struct error){.kind = ERROR_NONE};
			if (flip)
				bytes[at - size] ^= 0x15;
			struct profile *p = read_bytes(form ? "run-metadata-text" : "run-metadata",
				"r_1", bytes, flip ? size : at, NULL, &err);

			if (flip)
				bytes[at - size] ^= 0x15;
			if (!p)
				assert_true(err.message[0] && err.place[0]);
			errors += !p;
			profile_free(p);
		}
		assert_true(errors > size / 2);
	}
}
