/* Reading ProfileProto: expected values of real dumps, the edges of the format, old layout, damage,
 * caps. */
#include "base/number.h"
#include "tests/unit/test.h"
#include "tfprof/files/tfprof.h"
#include "tests/unit/encode.h"

#define PS 1000000
#define CPU0 "/job:localhost/replica:0/task:0/device:cpu:0"

static struct profile *read_input(
	struct input *in, const struct read_options *opt, struct error *err)
{
	const struct reader *reader = reader_find("tfprof", err);

	assert_non_null(in);
	struct profile *p = profile_new(input_path(in));
	int result = reader_read(reader, in, p, opt ? opt : &read_options_default, err);

	input_close(in);
	if (result == 0)
		return p;
	profile_free(p);
	return NULL;
}

static struct profile *read_file(const char *name)
{
	struct error err = {.kind = ERROR_NONE};
	char path[1024];
	struct profile *p =
		read_input(input_open(data_path(path, sizeof(path), name), &err), NULL, &err);

	assert_int_equal(err.kind, ERROR_NONE);
	assert_non_null(p);
	return p;
}

static struct profile *read_bytes(const struct text *t, struct error *err)
{
	return read_input(input_memory(text_string(t), t->size, "f"), NULL, err);
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
	for (size_t i = 0; i < p->op_count; i++)
		if (strcmp(p->op[i].name, name) == 0)
			return &p->op[i];
	return NULL;
}

/* A cell by name and number of the step; CELL_ABSENT also where there is no row. */
static int64_t cell(const struct profile *p, const char *op, int64_t step, enum measure_id id)
{
	for (size_t i = 0; i < p->obs.count; i++)
		if (strcmp(p->op[p->obs.op[i]].name, op) == 0 &&
			p->step[p->obs.step[i]].number == step)
			return p->obs.column[id][i];
	return CELL_ABSENT;
}

/* Compares a row of the expected table: name, steps_present, steps, then mean and two CVs of each
 * quantity. */
static void check_row(const struct profile *p, char *line)
{
	static const enum measure_id columns[] = {MEASURE_COUNT, MEASURE_ACCELERATOR, MEASURE_CPU,
		MEASURE_REQUESTED, MEASURE_PEAK, MEASURE_RESIDUAL, MEASURE_OUTPUT};
	char *field[24];
	size_t fields = 0;

	for (char *at = line; at; fields++) {
		assert_true(fields < 24);
		field[fields] = at;
		at = strpbrk(at, ",\n");
		if (at)
			*at++ = '\0';
		if (at && *at == '\0')
			at = NULL;
	}
	for (size_t q = 0; q < 7; q++) {
		int64_t sum = 0, rows = 0;
		double mean;

		for (size_t i = 0; i < p->obs.count; i++) {
			if (strcmp(p->op[p->obs.op[i]].name, field[0]) != 0)
				continue;
			sum += q ? p->obs.column[columns[q]][i]
				 : p->obs.column[MEASURE_ACCELERATOR][i] +
					       p->obs.column[MEASURE_CPU][i];
			rows++;
		}
		assert_int_equal(rows, strtol(field[1], NULL, 10));
		assert_true(number_parse_real(field[3 + 3 * q], strlen(field[3 + 3 * q]), &mean));
		/* times are in ps here; both are correctly rounded quotients of whole numbers */
		assert_true((double)(q < 3 ? sum / PS : sum) / (double)rows == mean);
	}
	assert_int_equal(p->step_count, strtol(field[2], NULL, 10));
}

static void check_table(const char *profile, const char *table)
{
	struct profile *p = read_file(profile);
	char path[1024], line[2000];
	FILE *f = fopen(data_path(path, sizeof(path), table), "r");
	size_t rows = 0, ran = 0;

	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	for (; fgets(line, sizeof(line), f); rows++)
		check_row(p, line);
	fclose(f);
	for (size_t i = 0; i < p->obs.count; i++)
		ran += i == 0 || p->obs.op[i] != p->obs.op[i - 1];
	assert_int_equal(ran, rows);
	profile_free(p);
}

TEST(real_dumps_have_the_expected_values)
{
	check_table("tfprof/mnist_softmax_100.gz", "tfprof/mnist_softmax_100.csv");
	check_table("tfprof/gpu_synth_8.gz", "tfprof/gpu_synth_8.csv");
}

/* Both dumps of one training: the steps that they share are the same, and no two others are. */
TEST(fingerprints_tell_steps_apart)
{
	struct profile *a = read_file("tfprof/mnist_softmax_20.gz");
	struct profile *b = read_file("tfprof/mnist_softmax_100.gz");

	assert_int_equal(a->step_count, 19);
	assert_int_equal(b->step_count, 91);
	for (size_t i = 0; i < a->step_count; i++)
		for (size_t k = 0; k < b->step_count; k++)
			assert_true((a->step[i].fingerprint == b->step[k].fingerprint) ==
				    (a->step[i].number == b->step[k].number));
	profile_free(a);
	profile_free(b);
}

TEST(ops_have_type_device_params)
{
	struct profile *p = read_file("tfprof/gpu_synth_8.gz");
	const struct op *op = find_op(p, "v/tower_0/cg/conv0/conv2d/Conv2D");

	assert_non_null(op);
	assert_string_equal(op->type, "Conv2D");
	assert_string_equal(op->device, "/job:localhost/replica:0/task:0/device:gpu:0");
	assert_int_equal(op->float_ops_each, 1990656);
	assert_int_equal(op->defined, 1);
	op = find_op(p, "images"); /* shape 16 24 24 3, never runs under its own name */
	assert_int_equal(op->params, 16 * 24 * 24 * 3);
	assert_string_equal(op->device, "");
	/* step 3: kernel of 50 us, launch of 42 us, one execution; 147456 bytes of each kind */
	const char *name = "v/tower_0/cg/conv0/conv2d/Conv2D";

	assert_int_equal(cell(p, name, 3, MEASURE_ACCELERATOR), 50 * PS);
	assert_int_equal(cell(p, name, 3, MEASURE_CPU), 42 * PS);
	assert_int_equal(cell(p, name, 3, MEASURE_OCCURRENCE), 1);
	assert_int_equal(cell(p, name, 3, MEASURE_OUTPUT), 147456);
	assert_int_equal(p->issues.count, 0);
	profile_free(p);
}

/* Both files decoded by 40 lines of Python that know nothing but protobuf's wire format: fields 1
 * and 15 of each node. */
TEST(outputs_have_shapes)
{
	static const struct {
		const char *file;
		size_t ops, known;
		const char *op[4], *shape[4];
	} cases[] = {
		{"tfprof/gpu_synth_8.gz", 364, 328,
			{"v/tower_0/cg/conv0/conv2d/Conv2D",
				"v/tower_0/cg/conv0/batchnorm0/FusedBatchNorm",
				"v_1/tower_1/gradients/v_1/tower_1/cg/conv0/batchnorm0/"
				"FusedBatchNorm_grad/FusedBatchNormGradV3",
				"v/tower_0/gradients/zeros_like_15"},
			{"[8,24,24,8]", "[8,24,24,8][8][8][8][8]?", "[8,24,24,8][8][8][0][0]", ""}},
		{"tfprof/mnist_softmax_100.gz", 110, 102,
			{"Variable/read", "Const_1", "Placeholder", "_arg_Placeholder_0_0"},
			{"[784,10]", "[1]", "[?,784]", ""}},
	};

	for (size_t c = 0; c < 2; c++) {
		struct profile *p = read_file(cases[c].file);
		size_t known = 0;

		for (size_t o = 0; o < p->op_count; o++)
			known += *p->op[o].shape != '\0';
		assert_int_equal(p->op_count, cases[c].ops);
		assert_int_equal(known, cases[c].known);
		for (size_t i = 0; i < 4; i++)
			assert_string_equal(find_op(p, cases[c].op[i])->shape, cases[c].shape[i]);
		profile_free(p);
	}
}

TEST(hand_made_model_of_tensorflow_2_0)
{
	/* Values from its readable run data: see layer1/MatMul under gpu:0, stream:all and
	 * memcpy. */
	struct profile *p = read_file("tfprof/synth_1");

	assert_int_equal(p->op_count, 41);
	assert_int_equal(p->step_count, 2);
	assert_int_equal(cell(p, "layer1/MatMul", 0, MEASURE_ACCELERATOR), 50 * PS);
	assert_int_equal(cell(p, "layer1/MatMul", 1, MEASURE_ACCELERATOR), 80 * PS);
	assert_int_equal(cell(p, "while/MatMul", 0, MEASURE_OCCURRENCE), 3);
	assert_int_equal(cell(p, "only_stream", 0, MEASURE_OCCURRENCE), 0);
	assert_int_equal(cell(p, "only_stream", 0, MEASURE_ACCELERATOR), 10 * PS);
	assert_int_equal(cell(p, "input/labels", 0, MEASURE_CPU), 0);
	assert_int_equal(find_issue(p, "start-missing")->count, 2);
	profile_free(p);
}

TEST(layout_of_tensorflow_1_4)
{
	struct profile *p = read_file("tfprof/layout_1_4");
	const char *name = "logits/MatMul";

	assert_int_equal(p->op_count, 2);
	assert_int_equal(cell(p, name, 10, MEASURE_CPU), 200 * PS);
	assert_int_equal(cell(p, name, 10, MEASURE_OCCURRENCE), 2);
	assert_int_equal(cell(p, name, 10, MEASURE_REQUESTED), 4000);
	assert_int_equal(cell(p, name, 10, MEASURE_PEAK), 4096);
	assert_int_equal(cell(p, name, 10, MEASURE_RESIDUAL), -8);
	assert_int_equal(cell(p, name, 10, MEASURE_OUTPUT), 4000);
	assert_int_equal(cell(p, name, 11, MEASURE_RESIDUAL), 0);
	assert_int_equal(find_op(p, "weights")->params, 7840);
	assert_int_equal(p->issues.count, 1);
	assert_int_equal(find_issue(p, "layout-1.4")->count, 4);
	assert_int_equal(find_issue(p, "layout-1.4")->severity, ISSUE_INFO);
	assert_non_null(strstr(find_issue(p, "layout-1.4")->place, "layout_1_4: op weights"));
	profile_free(p);
}

TEST(edges_of_the_format)
{
	struct profile *p = read_file("tfprof/odd/big");

	assert_true(cell(p, "a", 0, MEASURE_CPU) == CELL_ABSENT);
	assert_int_equal(cell(p, "c", 0, MEASURE_CPU), (int64_t)999999 * PS);
	assert_int_equal(find_issue(p, "time-range")->count, 2);
	profile_free(p);

	p = read_file("tfprof/odd/key_not_id"); /* inputs name keys, so none is missing */
	assert_int_equal(p->issues.count, 0);
	profile_free(p);

	p = read_file("tfprof/odd/names");
	assert_int_equal(p->op_count, 7);
	assert_non_null(find_op(p, ""));
	assert_non_null(find_op(p, "a(b), c"));
	profile_free(p);

	p = read_file("tfprof/odd/utf8");
	assert_non_null(find_op(p, "gr\xc3\xb6\xc3\x9f"
				   "e/\xc3\xa4"));
	assert_string_equal(find_op(p, "z")->type, "\xc3\x9c"
						   "ber");
	profile_free(p);

	p = read_file("tfprof/odd/shapes");
	assert_int_equal(find_op(p, "a")->params, 0);
	assert_int_equal(find_op(p, "b")->params, 0);
	assert_int_equal(find_op(p, "c")->params, 1000000000000);
	assert_int_equal(find_op(p, "d")->float_ops_each, -5);
	assert_int_equal(find_issue(p, "shape-incomplete")->count, 1);
	profile_free(p);
}

TEST(steps_at_the_edges)
{
	struct profile *p = read_file("tfprof/odd/negative_step");

	assert_int_equal(p->step[0].number, -3);
	assert_int_equal(p->step[1].number, 2);
	assert_int_equal(cell(p, "a", -3, MEASURE_CPU), 9 * PS);
	profile_free(p);

	p = read_file("tfprof/odd/no_steps");
	assert_int_equal(p->step_count, 1);
	assert_int_equal(find_issue(p, "steps-missing")->count, 1);
	profile_free(p);

	p = read_file("tfprof/odd/step_not_listed");
	assert_int_equal(p->step_count, 2);
	assert_int_equal(cell(p, "a", 4, MEASURE_CPU), 13 * PS);
	assert_int_equal(find_issue(p, "step-unlisted")->count, 1);
	profile_free(p);

	p = read_file("tfprof/odd/partial"); /* an empty entry is present, with values of 0 */
	assert_int_equal(cell(p, "a", 1, MEASURE_CPU), 0);
	assert_int_equal(cell(p, "a", 1, MEASURE_OCCURRENCE), 0);
	assert_true(cell(p, "b", 0, MEASURE_CPU) == CELL_ABSENT);
	assert_int_equal(cell(p, "b", 1, MEASURE_REQUESTED), -8);
	assert_int_equal(find_issue(p, "start-missing")->count, 1);
	profile_free(p);
}

/* Builds a file from parts: one execution {step, start, dur} on the CPU, one node, one file. */
struct build {
	struct text file, entry, node, exec, map, time, tuple;
};

static void build_init(struct build *b)
{
	memset(b, 0, sizeof(*b));
}

static void build_release(struct build *b)
{
	struct text *all[] = {
		&b->file, &b->entry, &b->node, &b->exec, &b->map, &b->time, &b->tuple};

	for (size_t i = 0; i < 7; i++)
		text_release(all[i]);
}

static void add_time(struct build *b, int64_t start, int64_t dur)
{
	put_number(&b->tuple, 1, start);
	put_number(&b->tuple, 1, dur);
	put_message(&b->time, 1, &b->tuple);
}

static void add_exec(struct build *b, int64_t step, int64_t start, int64_t dur)
{
	add_time(b, start, dur);
	put_message(&b->map, 2, &b->time);
	put_string(&b->map, 1, CPU0);
	put_message(&b->exec, 5, &b->map);
	put_number(&b->exec, 1, 1);
	put_number(&b->exec, 2, start);
	put_number(&b->exec, 3, start + dur);
	put_message(&b->map, 2, &b->exec);
	put_number(&b->map, 1, step);
	put_message(&b->node, 12, &b->map);
}

static void add_node(struct build *b, int64_t key, const char *name)
{
	put_string(&b->node, 1, name);
	put_message(&b->entry, 2, &b->node);
	put_number(&b->entry, 1, key);
	put_message(&b->file, 1, &b->entry);
}

static struct profile *built(struct build *b)
{
	struct error err = {.kind = ERROR_NONE};
	struct profile *p = read_bytes(&b->file, &err);

	assert_int_equal(err.kind, ERROR_NONE);
	text_clear(&b->file);
	return p;
}

static void add_output(struct build *b, int64_t index, const char *packed, size_t size)
{
	put_bytes(&b->tuple, 1, packed, size);
	put_message(&b->map, 2, &b->tuple);
	put_number(&b->map, 1, index);
	put_message(&b->node, 15, &b->map);
}

/* Entries in any order, packed and not; without any, the node's own shape. */
TEST(shapes_in_every_form)
{
	struct build b;
	struct error err = {.kind = ERROR_NONE};

	build_init(&b);
	add_output(&b, 3, "\x05", 1);
	add_output(&b, 1, "", 0);
	put_number(&b.tuple, 1, 7);
	put_number(&b.tuple, 1, -1);
	put_message(&b.map, 2, &b.tuple); /* no key: 0 */
	put_message(&b.node, 15, &b.map);
	put_number(&b.node, 4, 9);
	add_node(&b, 1, "several");
	put_number(&b.node, 4, 128);
	put_number(&b.node, 4, -1);
	add_node(&b, 2, "own");
	add_node(&b, 3, "none");
	for (int64_t i = 0; i < 2000; i++)
		add_output(&b, i, "\x01", 1);
	add_node(&b, 4, "many");
	struct profile *p = built(&b);

	assert_string_equal(find_op(p, "several")->shape, "[7,?]??[5]");
	assert_string_equal(find_op(p, "own")->shape, "[128,?]");
	assert_string_equal(find_op(p, "none")->shape, "");
	assert_string_equal(find_op(p, "many")->shape, "");
	profile_free(p);
	add_output(&b, 0, "\x80", 1);
	add_node(&b, 1, "cut number");
	assert_null(read_bytes(&b.file, &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	build_release(&b);
}

TEST(later_keys_replace)
{
	struct build b;

	build_init(&b);
	add_exec(&b, 0, 1000, 5);
	add_exec(&b, 0, 2000, 7); /* the same step again */
	add_exec(&b, 1, 3000, 9);
	add_node(&b, 4, "gone");
	add_exec(&b, 0, 2000, 11);
	add_node(&b, 2, "other");
	add_exec(&b, 0, 1000, 13);
	add_exec(&b, 0, 2000, 17);
	add_node(&b, 4, "stays"); /* the same key again: not a loss but the rule of maps */
	put_number(&b.file, 3, 0);
	struct profile *p = built(&b);

	assert_int_equal(p->op_count, 2);
	assert_null(find_op(p, "gone"));
	assert_int_equal(p->obs.count, 2);
	assert_int_equal(cell(p, "stays", 0, MEASURE_CPU), 17 * PS);
	assert_int_equal(cell(p, "other", 0, MEASURE_CPU), 11 * PS);
	assert_int_equal(p->step_count, 1);
	assert_int_equal(p->step[0].busy_ps, 17 * PS);
	assert_int_equal(p->issues.count, 0);
	profile_free(p);
	build_release(&b);
}

TEST(of_one_name_the_lowest_key_counts)
{
	struct build b;

	build_init(&b);
	for (int64_t key = 9; key > 6; key--) {
		add_exec(&b, 0, 1000, key);
		add_node(&b, key, key == 8 ? "b" : "a");
	}
	put_number(&b.file, 3, 0);
	struct profile *p = built(&b);

	assert_int_equal(p->op_count, 2);
	assert_int_equal(cell(p, "a", 0, MEASURE_CPU), 7 * PS);
	assert_int_equal(cell(p, "b", 0, MEASURE_CPU), 8 * PS);
	assert_int_equal(p->step[0].busy_ps, 8 * PS);
	assert_int_equal(find_issue(p, "node-repeated")->count, 1);
	assert_string_equal(find_issue(p, "node-repeated")->place, "f: op a");
	profile_free(p);
	build_release(&b);
}

TEST(missing_inputs_and_bad_times_are_issues)
{
	struct build b;

	build_init(&b);
	for (int64_t i = 0; i < 4; i++) {
		put_number(&b.map, 1, i ? -i : 0); /* negative int32: ten bytes */
		put_number(&b.map, 2, i);
		put_message(&b.node, 2, &b.map);
	}
	put_number(&b.tuple, 1, 1000); /* a start without a duration */
	put_message(&b.time, 1, &b.tuple);
	put_bytes(&b.tuple, 1, "\x01\x02\x03", 3);
	put_message(&b.time, 1, &b.tuple);
	put_message(&b.time, 1, &b.tuple);
	put_bytes(&b.tuple, 1, "\xe8\x07\x05", 3); /* packed: 1000, 5 */
	put_message(&b.time, 1, &b.tuple);
	add_exec(&b, 0, 2000, 6);
	add_node(&b, 1, "a");
	add_node(&b, 3, "b");
	put_bytes(&b.file, 3, "\x00", 1);
	struct profile *p = built(&b);

	assert_int_equal(cell(p, "a", 0, MEASURE_CPU), 11 * PS);
	assert_int_equal(find_issue(p, "time-malformed")->count, 3);
	assert_int_equal(find_issue(p, "time-malformed")->severity, ISSUE_LOSS);
	assert_int_equal(find_issue(p, "input-missing")->count, 2); /* 0 and 2 */
	assert_string_equal(find_issue(p, "input-missing")->place, "f: op a");
	profile_free(p);
	build_release(&b);
}

TEST(unknown_fields_are_passed_over)
{
	struct build b;
	static const char junk[] = "\xa3\x06\x08\x05\xa4\x06\xad\x06"
				   "1234\xb1\x06"
				   "12345678\xb8\x06\x7f";

	build_init(&b);
	struct text *levels[] = {&b.file, &b.entry, &b.node, &b.exec, &b.map, &b.time, &b.tuple};

	for (size_t i = 0; i < 7; i++) {
		text_add_bytes(levels[i], junk, sizeof(junk) - 1);
		put_string(levels[i], 99, "unknown");
	}
	add_exec(&b, 5, 1000, 3);
	add_node(&b, 0, "a");
	put_number(&b.file, 3, 5);
	struct profile *p = built(&b);

	assert_int_equal(cell(p, "a", 5, MEASURE_CPU), 3 * PS);
	assert_int_equal(p->issues.count, 0);
	profile_free(p);
	build_release(&b);
}

TEST(hostile_names)
{
	struct build b;

	build_init(&b);
	add_exec(&b, 0, 1000, 3);
	put_bytes(&b.node, 9, "\0", 1);
	put_bytes(&b.node, 1, "x\0y\xff\n", 5); /* the last of two is the name */
	put_message(&b.entry, 2, &b.node);
	put_message(&b.file, 1, &b.entry);
	put_number(&b.file, 3, 0);
	struct profile *p = built(&b);

	assert_non_null(find_op(p, "x\\0y\xff\n"));
	assert_string_equal(p->op[0].type, "\\0");
	assert_int_equal(find_issue(p, "name-zero")->count, 2);
	profile_free(p);
	build_release(&b);
}

TEST(order_in_the_file_does_not_matter)
{
	struct profile *p[2];

	for (int i = 0; i < 2; i++) {
		struct build b;

		build_init(&b);
		if (i)
			put_bytes(&b.file, 3, "\x02\x01\x00", 3);
		for (int64_t n = 0; n < 5; n++) {
			int64_t key = i ? 4 - n : n;
			char name[] = "op0";

			name[2] = (char)('0' + key);
			for (int64_t s = 0; s < 40; s++)
				add_exec(&b, (i ? 39 - s : s) % 40, 1000 + key, key + 1);
			add_node(&b, key, name);
		}
		if (!i)
			for (int64_t s = 0; s < 3; s++)
				put_number(&b.file, 3, s);
		p[i] = built(&b);
		build_release(&b);
	}
	assert_int_equal(p[0]->obs.count, 200);
	assert_int_equal(p[1]->obs.count, 200);
	for (size_t i = 0; i < 200; i++) {
		assert_string_equal(p[0]->op[p[0]->obs.op[i]].name, p[1]->op[p[1]->obs.op[i]].name);
		assert_int_equal(p[0]->obs.step[i], p[1]->obs.step[i]);
		assert_int_equal(
			p[0]->obs.column[MEASURE_CPU][i], p[1]->obs.column[MEASURE_CPU][i]);
	}
	assert_string_equal(p[0]->issues.issue[0].place, p[1]->issues.issue[0].place);
	profile_free(p[0]);
	profile_free(p[1]);
}

TEST(cut_files_are_errors_or_sound)
{
	char path[1024];
	static char bytes[20000];
	FILE *f = fopen(data_path(path, sizeof(path), "tfprof/synth_1"), "rb");

	assert_non_null(f);
	size_t size = fread(bytes, 1, sizeof(bytes), f), sound = 0;

	fclose(f);
	for (size_t cut = 0; cut < size; cut++) {
		struct error err = {.kind = ERROR_NONE};
		struct profile *p = read_input(input_memory(bytes, cut, "f"), NULL, &err);

		sound += p != NULL;
		if (!p) {
			assert_int_equal(err.kind, ERROR_INPUT);
			if (cut == 0) {
				assert_string_equal(err.message, "empty file");
			} else {
				char place[32];

				snprintf(place, sizeof(place), "f:byte %zu", cut);
				assert_string_equal(err.place, place);
				assert_int_equal(strncmp(err.message, "ends inside ", 12), 0);
				assert_non_null(strstr(err.hint, "cut off"));
			}
		}
		profile_free(p);
	}
	assert_true(sound > 40 && sound < 400); /* between two fields of the outermost message */
}

TEST(damage_names_the_place)
{
	struct error err = {.kind = ERROR_NONE};
	struct build b;

	build_init(&b);
	add_exec(&b, 0, 1000, 3);
	add_node(&b, 0, "abc");
	/* the tag of `times` in the map entry of the device becomes one of no type */
	char *at = memchr(b.file.data, 'j', b.file.size); /* "/job...": after the times */

	assert_non_null(at);
	for (char *k = b.file.data; k < at; k++)
		if (memcmp(k, "\x0a\x05\x08\xe8\x07\x08\x03", 7) == 0)
			k[0] = 0x0f;
	assert_null(read_bytes(&b.file, &err));
	assert_string_equal(err.message, "damaged inside an execution");
	assert_int_equal(strncmp(err.place, "f:byte ", 7), 0);
	assert_int_equal((unsigned char)b.file.data[strtol(err.place + 7, NULL, 10)], 0x0f);
	build_release(&b);
}

TEST(big_constants_are_passed_over)
{
	struct read_options opt = read_options_default;
	struct error err = {.kind = ERROR_NONE};
	struct build b;
	size_t size = (size_t)5 << 20;
	char *constant = calloc(1, size);

	build_init(&b);
	put_bytes(&b.node, 11, constant, size);
	put_bytes(&b.node, 10, constant, size);
	add_exec(&b, 0, 1000, 3);
	add_node(&b, 0, "a");
	put_bytes(&b.file, 4, constant, size);
	free(constant);
	opt.max_record_bytes = 1000;
	struct profile *p = read_input(input_memory(b.file.data, b.file.size, "f"), &opt, &err);

	assert_non_null(p);
	assert_int_equal(cell(p, "a", 0, MEASURE_CPU), 3 * PS);
	profile_free(p);
	opt.max_record_bytes = 50;
	assert_null(read_input(input_memory(b.file.data, b.file.size, "f"), &opt, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_non_null(strstr(err.message, "bytes for an execution, at most 50 are allowed"));
	assert_non_null(strstr(err.hint, "max-record"));
	build_release(&b);
}

TEST(caps_of_steps_and_observations)
{
	struct read_options opt = read_options_default;
	struct error err = {.kind = ERROR_NONE};
	struct build b;

	build_init(&b);
	for (int64_t s = 0; s < 5; s++) {
		add_exec(&b, s, 1000, 3);
		put_number(&b.file, 3, s);
	}
	add_node(&b, 0, "a");
	opt.limits.steps = 4;
	assert_null(read_input(input_memory(b.file.data, b.file.size, "f"), &opt, &err));
	assert_string_equal(err.message, "more than 4 steps");
	opt.limits.steps = 5;
	opt.limits.observations = 4;
	assert_null(read_input(input_memory(b.file.data, b.file.size, "f"), &opt, &err));
	assert_string_equal(err.message, "more than 4 observations (ops times steps)");
	opt.limits.observations = 5;
	struct profile *p = read_input(input_memory(b.file.data, b.file.size, "f"), &opt, &err);

	assert_non_null(p);
	profile_free(p);
	build_release(&b);
}
