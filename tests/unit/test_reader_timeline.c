/* Timelines of TensorFlow by hand: which rows count, where merged steps part, names and types. */
#include "base/text.h"
#include "ingest/reader.h"
#include "ingest/input/step_number.h"
#include "tests/unit/test.h"

#define PS_PER_US 1000000
#define CPU "/job:localhost/replica:0/task:0/device:CPU:0"
#define GPU "/job:localhost/replica:0/task:0/device:GPU:0"

static struct text json;

static void begin(void)
{
	text_init(&json);
	text_add(&json, "{\"traceEvents\": [\n");
}

static void row(int process, const char *name)
{
	text_printf(&json,
		"{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %d, \"args\": {\"name\": "
		"\"%s\"}},\n",
		process, name);
}

static void execution(int process, const char *name, const char *type, int start_us, int dur_us)
{
	text_printf(&json,
		"{\"ph\": \"X\", \"cat\": \"Op\", \"name\": \"%s\", \"pid\": %d, \"tid\": 0, "
		"\"ts\": %d, \"dur\": %d, \"args\": {\"name\": \"%s\", \"op\": \"%s\"}},\n",
		type, process, start_us, dur_us, name, type);
}

static int read_json(struct profile *p, struct error *err)
{
	struct input *in;
	int result;

	text_add(&json, "]}");
	in = input_memory(text_string(&json), json.size, p->path);
	result = reader_find("timeline", err)->read(in, p, &read_options_default, err);
	input_close(in);
	text_release(&json);
	return result;
}

static struct profile *finish(void)
{
	struct error err = {.kind = ERROR_NONE};
	struct profile *p = profile_new("timeline_7.json");

	if (read_json(p, &err) != 0)
		fail_msg("%s: %s", err.place, err.message);
	return p;
}

static int64_t value(const struct profile *p, enum measure_id measure, const char *op, int64_t step)
{
	for (size_t i = 0; i < p->obs.count; i++)
		if (text_equal(p->op[p->obs.op[i]].name, op) &&
			p->step[p->obs.step[i]].number == step)
			return p->obs.column[measure] ? p->obs.column[measure][i] : 0;
	return -1;
}

static const struct op *op_named(const struct profile *p, const char *name)
{
	uint32_t id;

	assert_true(intern_find(p->names, name, strlen(name), &id));
	return &p->op[id];
}

static size_t issue_count(const struct profile *p, const char *code)
{
	for (size_t i = 0; i < p->issues.count; i++)
		if (text_equal(p->issues.issue[i].code, code))
			return p->issues.issue[i].count;
	return 0;
}

TEST(test_devices)
{
	struct profile *p;

	begin();
	row(1, GPU " Compute");
	row(3, "/device:GPU:0/stream:all Compute");
	row(5, "/device:GPU:0/stream:14 Compute");
	row(7, "/device:GPU:0/memcpy Compute");
	row(9, "/host:XLA Compute");
	execution(3, "mul:Mul", "Mul", 20, 7);
	execution(1, "mul", "_FusedMul", 10, 5);
	execution(5, "mul", "Mul", 20, 7);
	execution(7, "edge_1_mul", "MEMCPYHtoD", 12, 3);
	execution(9, "compile", "X", 12, 1000);
	execution(3, "edge_2_mul", "MEMCPYDtoH", 40, 2);
	execution(1, "RecvTensor", "RecvTensor", 10, 500);
	execution(1, "odd", "unknown", 15, 1);
	p = finish();
	assert_int_equal(p->step_count, 1);
	assert_int_equal(p->step[0].number, 7);
	assert_int_equal(value(p, MEASURE_CPU, "mul", 7), 5 * PS_PER_US);
	assert_int_equal(value(p, MEASURE_ACCELERATOR, "mul", 7), 7 * PS_PER_US);
	assert_int_equal(value(p, MEASURE_OCCURRENCE, "mul", 7), 1);
	assert_string_equal(op_named(p, "mul")->type, "_FusedMul");
	assert_string_equal(
		op_named(p, "mul")->device, "/job:localhost/replica:0/task:0/device:gpu:0");
	assert_int_equal(value(p, MEASURE_ACCELERATOR, "edge_2_mul", 7), 2 * PS_PER_US);
	assert_int_equal(value(p, MEASURE_OCCURRENCE, "edge_2_mul", 7), 0);
	assert_string_equal(op_named(p, "edge_2_mul")->type, "MEMCPYDtoH");
	assert_int_equal(value(p, MEASURE_CPU, "edge_1_mul", 7), -1);
	assert_int_equal(value(p, MEASURE_CPU, "RecvTensor", 7), -1);
	assert_int_equal(issue_count(p, "timeline-stream"), 1);
	assert_int_equal(issue_count(p, "timeline-copy"), 1);
	assert_int_equal(issue_count(p, "timeline-device"), 1);
	assert_int_equal(issue_count(p, "timeline-transport"), 1);
	assert_int_equal(issue_count(p, "timeline-unknown"), 1);
	/* 10 to 42 us */
	assert_int_equal(p->step[0].end_ps - p->step[0].start_ps, (int64_t)32 * PS_PER_US);
	profile_free(p);
}

TEST(test_streams_alone)
{
	struct profile *p;

	begin();
	row(1, "/gpu:0/stream:7 Compute");
	row(2, "/gpu:0/memcpy Compute");
	row(3, "/gpu:1/memcpy Compute");
	execution(1, "a", "Add", 0, 5);
	execution(1, "edge_1_a", "MEMCPYHtoD", 5, 2);
	execution(2, "edge_1_a", "MEMCPYHtoD", 5, 2);
	execution(3, "edge_2_a", "MEMCPYHtoD", 5, 4);
	p = finish();
	assert_int_equal(value(p, MEASURE_ACCELERATOR, "a", 7), 5 * PS_PER_US);
	assert_int_equal(value(p, MEASURE_ACCELERATOR, "edge_1_a", 7), 2 * PS_PER_US);
	assert_int_equal(value(p, MEASURE_ACCELERATOR, "edge_2_a", 7), 4 * PS_PER_US);
	assert_int_equal(issue_count(p, "timeline-stream-all"), 3);
	assert_int_equal(issue_count(p, "timeline-copy"), 1);
	profile_free(p);
}

/* The second run has its devices in the other order; its rows stand under the wrong names. */
TEST(test_merged)
{
	struct profile *p;

	begin();
	row(1, CPU " Compute");
	row(3, GPU " Compute");
	execution(1, "_SOURCE", "NoOp", 100, 1);
	execution(3, "_SOURCE", "NoOp", 103, 1);
	execution(1, "read", "Read", 105, 10);
	execution(3, "mul", "Mul", 110, 20);
	execution(3, "_SOURCE", "NoOp", 500, 1);
	execution(1, "_SOURCE", "NoOp", 501, 1);
	execution(3, "read", "Read", 505, 12);
	execution(1, "mul", "Mul", 510, 0);
	execution(1, "mul", "Mul", 517, 0);
	p = finish();
	assert_int_equal(p->step_count, 2);
	assert_int_equal(issue_count(p, "timeline-merged"), 2);
	assert_int_equal(issue_count(p, "timeline-exchanged"), 2);
	assert_int_equal(value(p, MEASURE_CPU, "read", 0), 10 * PS_PER_US);
	assert_int_equal(value(p, MEASURE_CPU, "read", 1), 12 * PS_PER_US);
	assert_int_equal(value(p, MEASURE_CPU, "mul", 0), 20 * PS_PER_US);
	assert_int_equal(value(p, MEASURE_CPU, "mul", 1), 0);
	assert_int_equal(value(p, MEASURE_OCCURRENCE, "mul", 1), 2);
	/* 105 to 130 us: the pause is in no step. */
	assert_in_range(p->step[0].end_ps - p->step[0].start_ps, (int64_t)25 * PS_PER_US,
		(int64_t)25 * PS_PER_US + 1);
	profile_free(p);
}

/* A function that is called has its own _SOURCE, while the op that calls it runs. */
TEST(test_functions)
{
	struct profile *p;

	begin();
	row(1, CPU " Compute");
	execution(1, "_SOURCE", "NoOp", 100, 1);
	execution(1, "call", "PartitionedCall", 105, 50);
	execution(1, "_SOURCE", "NoOp", 110, 1);
	execution(1, "inner", "Add", 112, 10);
	execution(1, "_SOURCE", "NoOp", 130, 1);
	execution(1, "inner", "Add", 132, 10);
	p = finish();
	assert_int_equal(p->step_count, 1);
	assert_int_equal(p->step[0].number, 7);
	assert_int_equal(issue_count(p, "timeline-merged"), 0);
	assert_int_equal(value(p, MEASURE_CPU, "inner", 7), 20 * PS_PER_US);
	profile_free(p);
}

/* More stretches than are kept unsettled, in the worst order: the steps are found all the same. */
TEST(test_many)
{
	struct profile *p;

	begin();
	row(1, CPU " Compute");
	for (int step = 20; step-- > 0;) {
		for (int i = 500; i-- > 0;)
			execution(1, "op", "Op", step * 10000 + 5 + 10 * i, 9);
		execution(1, "_SOURCE", "NoOp", step * 10000, 1);
	}
	p = finish();
	assert_int_equal(p->step_count, 20);
	for (int step = 0; step < 20; step++) {
		assert_int_equal(value(p, MEASURE_CPU, "op", step), (int64_t)500 * 9 * PS_PER_US);
		assert_int_equal(value(p, MEASURE_OCCURRENCE, "op", step), 500);
	}
	profile_free(p);
}

/* Steps with rows of their own, as `stepstat timeline generate` writes them. */
TEST(test_labels)
{
	struct profile *p;

	begin();
	row(1, "step 12 (run_meta_12): " CPU " Compute");
	row(2, "step 9 (old: run_meta_9): " CPU " Compute");
	execution(1, "_SOURCE", "NoOp", 200, 1);
	execution(1, "a", "Add", 205, 3);
	execution(2, "_SOURCE", "NoOp", 100, 1);
	execution(2, "a", "Add", 105, 4);
	p = finish();
	assert_int_equal(p->step_count, 2);
	assert_int_equal(value(p, MEASURE_CPU, "a", 12), 3 * PS_PER_US);
	assert_int_equal(value(p, MEASURE_CPU, "a", 9), 4 * PS_PER_US);
	assert_string_equal(
		op_named(p, "a")->device, "/job:localhost/replica:0/task:0/device:cpu:0");
	assert_int_equal(issue_count(p, "timeline-merged"), 0);
	profile_free(p);
}

TEST(test_overlap)
{
	struct profile *p = profile_new("t.json");
	struct error err = {.kind = ERROR_NONE};

	begin();
	row(1, "step 1 (a): " CPU " Compute");
	row(2, "step 2 (b): " CPU " Compute");
	execution(1, "a", "Add", 100, 3);
	execution(1, "b", "Add", 110, 3);
	execution(2, "a", "Add", 112, 3);
	assert_int_equal(read_json(p, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.message, "at the same time"));
	profile_free(p);
}

/* A drawing of sums is no recording. */
TEST(test_scope)
{
	struct profile *p = profile_new("t.json");
	struct error err = {.kind = ERROR_NONE};

	begin();
	row(0, "Scope:0");
	execution(0, "_TFProfRoot", "_TFProfRoot", 0, 10);
	assert_int_equal(read_json(p, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.message, "scope or code view"));
	profile_free(p);
}

TEST(test_names)
{
	static const struct {
		const char *path;
		int64_t number; /* -1: none */
	} names[] = {
		{"a/timeline_100_mem.json", 100},
		{"a/timeline_100.json.gz", 100},
		{"520.timeline_1.json", 1},
		{"timeline_02_step_1.json", 1},
		{"timeline_3.mem.json", 3},
		{"12.json", 12},
		{"12-mem", 12},
		{"a_7/timeline.json", -1},
		{"resnet50_mem.json", -1},
		{"v2x_mem.json", -1},
		{"_mem.json", -1},
		{".json", -1},
		{"", -1},
		{"timeline_99999999999999999999_mem.json", -1},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int64_t number = -1;

		if (step_number_among_words(names[i].path, &number) != (names[i].number >= 0) ||
			number != names[i].number)
			fail_msg("%s: %lld", names[i].path, (long long)number);
	}
}
