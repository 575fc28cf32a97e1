/* The reader of tfprof's text: what becomes of whole reports, with all that may stand around
 * them. */
#include "ingest/reader.h"
#include "model/merge.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"

#define US INT64_C(1000000) /* ps */

#define TIMES "node name | total execution time | accelerator execution time | cpu execution time\n"
#define SCOPE_DOC                                                                                  \
	"\nDoc:\nscope: The nodes in the model graph are organized by their names, which is "      \
	"hierarchical like filesystem.\nhelp\n\nProfile:\n"
#define OPTIONS(step)                                                                              \
	"\n=========================Options=============================\n"                        \
	"-max_depth                  100\n"                                                        \
	"-step                       " step "\n"                                                   \
	"-output                     stdout:\n"                                                    \
	"\n==================Model Analysis Report======================\n"
#define END "\n======================End of Report==========================\n"

static struct profile *try_read(const char *path, const char *text, struct error *err)
{
	const struct reader *reader = reader_find("tfprof-text", NULL);
	struct read_options opt = read_options_default;
	struct input *in = input_memory(text, strlen(text), path);
	struct profile *p = profile_new(path);

	*err = (struct error){.kind = ERROR_NONE};
	p->format_title = reader->title;
	if (reader_read(reader, in, p, &opt, err)) {
		profile_free(p);
		p = NULL;
	}
	input_close(in);
	return p;
}

static struct profile *read_as(const char *path, const char *text)
{
	struct error err;
	struct profile *p = try_read(path, text, &err);

	if (!p)
		fail_msg("%s: %s", err.place, err.message);
	p->is_file_a_step = true;
	return p;
}

static void expect_error(const char *text, const char *place, const char *message)
{
	struct error err;

	assert_null(try_read("x.txt", text, &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.place, place);
	if (!strstr(err.message, message))
		fail_msg("\"%s\" is not in \"%s\"", message, err.message);
}

/* How often, 0 where there is no such issue. */
static size_t issue_count(const struct profile *p, const char *code)
{
	for (size_t i = 0; i < p->issues.count; i++)
		if (strcmp(p->issues.issue[i].code, code) == 0)
			return p->issues.issue[i].count;
	return 0;
}

static const struct issue *issue_of(const struct profile *p, const char *code)
{
	for (size_t i = 0; i < p->issues.count; i++)
		if (strcmp(p->issues.issue[i].code, code) == 0)
			return &p->issues.issue[i];
	fail_msg("no issue %s", code);
	return NULL;
}

static const struct op *op_of(const struct profile *p, const char *name)
{
	for (size_t i = 0; i < p->op_count; i++)
		if (strcmp(p->op[i].name, name) == 0)
			return &p->op[i];
	return NULL;
}

/* Value in the step of that place; CELL_ABSENT where the op has no row there. */
static int64_t value(const struct profile *p, const char *name, enum measure_id id, uint32_t step)
{
	for (size_t i = 0; i < p->obs.count; i++)
		if (strcmp(p->op[p->obs.op[i]].name, name) == 0 && p->obs.step[i] == step)
			return p->obs.column[id] ? p->obs.column[id][i] : CELL_ABSENT;
	return CELL_ABSENT;
}

TEST(a_scope_view)
{
	struct profile *p = read_as("scope_12.txt.gz",
		"Reading Files...\nParsing Inputs...\nrun graph coverage: 0.16\n" SCOPE_DOC
		"node name | # parameters | # float_ops | requested bytes | total execution time | "
		"accelerator execution time | cpu execution time | assigned devices | op types | "
		"op count (run|defined) | input shapes\n"
		"_TFProfRoot (--/166 params, --/5.00k flops, --/3.50KB, --/1.01ms, --/4us, "
		"--/1.00ms, _kTFScopeParent, --/3|--/4, )\n"
		"  a (0/162 params, 0/5.00k flops, 0B/3.50KB, 0us/1.01ms, 0us/4us, 0us/1.00ms, "
		"_kTFScopeParent, 0/3|1/4, )\n"
		"    a/Conv (0/0 params, 5.00k/5.00k flops, 1.50KB/1.50KB, 10us/10us, 4us/4us, "
		"6us/6us, "
		"/gpu:0, /gpu:0|Conv2D, 2/2|1/1, 0:2x3)\n"
		"    a/never (0/0 params, 7/7 flops, 0B/0B, 0us/0us, 0us/0us, 0us/0us, "
		"Mul, 0/0|1/1, 0:unknown)\n"
		"    a/v (3x3x18, 162/162 params, 0/0 flops, 2.00KB/2.00KB, 1.00ms/1.00ms, "
		"0us/0us, 1.00ms/1.00ms, /cpu:0, /cpu:0|VariableV2|_trainable_variables, 1/1|1/1, "
		")\n");

	assert_int_equal(p->step_count, 1);
	assert_int_equal(p->step[0].number, 12);
	assert_false(p->step[0].unnumbered || p->step[0].has_wall);
	assert_true(p->is_printed);
	assert_int_equal(p->op_count, 3);
	assert_null(op_of(p, "a"));
	assert_string_equal(op_of(p, "a/Conv")->type, "Conv2D");
	assert_string_equal(op_of(p, "a/Conv")->device, "/gpu:0");
	assert_string_equal(op_of(p, "a/v")->type, "VariableV2");
	assert_string_equal(op_of(p, "a/never")->type, "Mul");
	assert_int_equal(op_of(p, "a/v")->params, 162);
	assert_int_equal(op_of(p, "a/v")->defined, 1);
	assert_int_equal(p->obs.count, 2);
	assert_int_equal(value(p, "a/Conv", MEASURE_ACCELERATOR, 0), 4 * US);
	assert_int_equal(value(p, "a/Conv", MEASURE_CPU, 0), 6 * US);
	assert_int_equal(value(p, "a/Conv", MEASURE_MICROS, 0), 10 * US);
	assert_int_equal(value(p, "a/Conv", MEASURE_FLOAT_OPS, 0), 5000);
	assert_int_equal(value(p, "a/Conv", MEASURE_OCCURRENCE, 0), 2);
	assert_int_equal(value(p, "a/v", MEASURE_REQUESTED, 0), 2000);
	assert_null(p->obs.column[MEASURE_PEAK]);
	assert_int_equal(p->totals->op_count, 4);
	assert_int_equal(value(p->totals, "a", MEASURE_REQUESTED, 0), 3500);
	assert_int_equal(value(p->totals, "a", MEASURE_MICROS, 0), 1010 * US);
	assert_int_equal(op_of(p->totals, "a")->params, 162);
	assert_int_equal(op_of(p->totals, "a")->defined, 4);
	assert_int_equal(issue_count(p, "step-from-name"), 1);
	assert_int_equal(issue_count(p, "step-unknown"), 1);
	assert_int_equal(issue_count(p, "printed-requested-1"), 3);
	assert_string_equal(
		issue_of(p, "printed-requested-1")->text, "requested: printed to 0.01 KB");
	assert_int_equal(issue_count(p, "printed-cpu-1"), 2);
	assert_int_equal(issue_count(p, "printed-accelerator-1"), 0);
	assert_int_equal(issue_of(p, "printed-cpu-1")->severity, ISSUE_INFO);
	assert_int_equal(issue_count(p, "line-odd"), 0);
	profile_free(p);
}

TEST(an_op_view)
{
	struct profile *p = read_as("x",
		"\nDoc:\nop: The nodes are operation kernel type, such as MatMul, Conv2D. Graph "
		"nodes belonging to the same type are aggregated together.\nhelp\n\nProfile:\n"
		"node name | cpu execution time | assigned devices | op occurrence (run|defined) | "
		"input shapes\n"
		"MatMul                           1.50ms (100.00%, 90.00%), |/cpu:0,        4|6\n\n"
		"input_type: 0:2x3,\t1:3x4\t(run*4|defined*6)\texec_time: 1.50ms\n\n"
		"Relu                              5us (10.00%, 10.00%), /cpu:0|/cpu:1,        "
		"2|2\n\n"
		"input_type: \t(run*2|defined*2)\texec_time: 5us\n\n"
		"NoOp                                0us (0.00%, 0.00%), ,        0|3");

	assert_int_equal(p->op_count, 3);
	assert_int_equal(p->obs.count, 2);
	assert_int_equal(value(p, "MatMul", MEASURE_CPU, 0), 1500 * US);
	assert_int_equal(value(p, "MatMul", MEASURE_OCCURRENCE, 0), 4);
	assert_string_equal(op_of(p, "MatMul")->type, "MatMul");
	assert_string_equal(op_of(p, "MatMul")->device, "/cpu:0");
	assert_string_equal(op_of(p, "Relu")->device, ""); /* several */
	assert_int_equal(op_of(p, "NoOp")->defined, 3);
	assert_int_equal(op_of(p, "NoOp")->params, CELL_ABSENT);
	assert_null(p->totals);
	assert_true(p->step[0].unnumbered);
	assert_int_equal(issue_count(p, "step-unknown"), 1);
	assert_int_equal(issue_count(p, "line-unended"), 1);
	profile_free(p);
}

TEST(numbers_of_steps)
{
	static const struct {
		const char *path, *text;
		int64_t number;
		bool unnumbered;
	} sample[] = {
		{"run/scope_12.txt", TIMES "a (1us/1us, 0us/0us, 1us/1us)\n", 12, false},
		{"7", TIMES "a (1us/1us, 0us/0us, 1us/1us)\n", 7, false},
		{"v2/scope.txt", TIMES "a (1us/1us, 0us/0us, 1us/1us)\n", 0, true},
		{"average.txt", TIMES "a (1us/1us, 0us/0us, 1us/1us)\n", 0, true},
		{"x_3.txt", OPTIONS("40") TIMES "a (1us/1us, 0us/0us, 1us/1us)\n" END, 40, false},
		{"x_3.txt", OPTIONS("0") TIMES "a (1us/1us, 0us/0us, 1us/1us)\n" END, 0, false},
		{"x_3.txt", OPTIONS("-7") TIMES "a (1us/1us, 0us/0us, 1us/1us)\n" END, -1, false},
		{"x_3.txt", OPTIONS("none") TIMES "a (1us/1us, 0us/0us, 1us/1us)\n" END, 3, false},
	};

	for (size_t i = 0; i < sizeof(sample) / sizeof(*sample); i++) {
		struct profile *p = read_as(sample[i].path, sample[i].text);

		assert_int_equal(p->step_count, 1);
		assert_int_equal(p->step[0].number, sample[i].number);
		assert_int_equal(p->step[0].unnumbered, sample[i].unnumbered);
		assert_int_equal(issue_count(p, "tfprof-average"), sample[i].number == -1);
		assert_int_equal(issue_count(p, "line-odd"), 0);
		profile_free(p);
	}
}

TEST(several_reports_in_one_file)
{
	struct profile *p = read_as("log.txt", "epoch 1\n" OPTIONS("3") TIMES
		"a (3us/3us, 0us/0us, 3us/3us)\n" END "loss 0.5\n" OPTIONS("5") TIMES
		"a (5us/5us, 0us/0us, 5us/5us)\nb (1us/1us, 0us/0us, 1us/1us)\n" END OPTIONS("5")
			TIMES "a (9us/9us, 0us/0us, 9us/9us)\n" END /* a step twice */
				/* other columns */
				OPTIONS("6") "node name | requested bytes\na (1B/1B)\n" END TIMES
					     "a (9us/9us, 0us/0us, 9us/9us)\n"); /* no step */

	assert_int_equal(p->step_count, 2);
	assert_int_equal(p->step[1].number, 5);
	assert_int_equal(p->obs.count, 3);
	assert_int_equal(value(p, "a", MEASURE_CPU, 0), 3 * US);
	assert_int_equal(value(p, "a", MEASURE_CPU, 1), 5 * US);
	assert_int_equal(value(p->totals, "b", MEASURE_CPU, 1), US);
	assert_int_equal(issue_count(p, "report-further"), 3);
	assert_int_equal(issue_of(p, "report-further")->severity, ISSUE_LOSS);
	assert_int_equal(issue_count(p, "line-odd"), 0);
	assert_int_equal(issue_count(p, "row-repeated"), 0);
	assert_true(p->step[0].fingerprint != p->step[1].fingerprint);
	profile_free(p);
}

/* The graph view has the header of the scope view; a row there is below what it is an input of. */
TEST(a_graph_view)
{
	struct profile *p =
		read_as("x", SCOPE_DOC TIMES "_TFProfRoot (--/10us, --/0us, --/10us)\n"
					     "  train/step (3us/10us, 0us/0us, 3us/10us)\n"
					     "    loss (7us/7us, 0us/0us, 7us/7us)\n");

	assert_int_equal(p->obs.count, 2);
	assert_null(p->totals);
	assert_int_equal(issue_count(p, "graph-view"), 1);
	profile_free(p);
	p = read_as("x", SCOPE_DOC TIMES "_TFProfRoot (--/10us, --/0us, --/10us)\n"
					 "  train (3us/10us, 0us/0us, 3us/10us)\n"
					 "    train/a/b (7us/7us, 0us/0us, 7us/7us)\n"
					 "  train2 (0us/0us, 0us/0us, 0us/0us)\n");
	assert_non_null(p->totals);
	assert_int_equal(issue_count(p, "graph-view"), 0);
	profile_free(p);
}

TEST(a_code_view)
{
	expect_error(
		"\nDoc:\ncode: When python trace is available, the nodes are python lines and "
		"their are organized by the python call stack.\nhelp\n\nProfile:\n" TIMES
		"_TFProfRoot (--/1us, --/0us, --/1us)\n  a.py:3:f (0us/1us, 0us/0us, 0us/1us)\n",
		"x.txt", "code view");
	/* Versions 1.3 to 1.5 do not say so. */
	expect_error(TIMES "_TFProfRoot (--/1us, --/0us, --/1us)\n"
			   "  a.py:3:f (0us/1us, 0us/0us, 0us/1us)\n"
			   "    b.py:30:<module> (1us/1us, 0us/0us, 1us/1us)\n",
		"x.txt", "code view");
}

TEST(values_not_accounted)
{
	struct profile *p = read_as("x", TIMES "_TFProfRoot (--/10us, --/0us, --/10us)\n"
					       "  a (--/10us, --/0us, --/10us)\n"
					       "    a/b (10us/10us, 0us/0us, 10us/10us)\n");

	assert_null(op_of(p, "a"));
	assert_int_equal(p->obs.count, 1);
	assert_int_equal(value(p->totals, "a", MEASURE_CPU, 0), 10 * US);
	assert_int_equal(issue_count(p, "own-unknown"), 1);
	assert_int_equal(issue_of(p, "own-unknown")->severity, ISSUE_INFO);
	profile_free(p);
	p = read_as("x",
		TIMES "_TFProfRoot (--/10us, --/0us, --/10us)\n  a (--/10us, --/0us, --/10us)\n");
	assert_int_equal(p->obs.count, 0);
	assert_int_equal(issue_of(p, "own-unknown")->severity, ISSUE_LOSS);
	profile_free(p);
}

/* TensorFlow 1.0 to 1.2: no legend, one time, bytes of the outputs. */
TEST(old_versions)
{
	struct profile *p = read_as("x",
		"_TFProfRoot (--/450 params, --/0 flops, --/1.80KB, --/5us)\n"
		"  DW (3x3x3x6, 162/162 params, 0/0 flops, 648B/648B, 0us/0us)\n"
		"  DW2 (2x2x6x12, 288/288 params, 0/0 flops, 1.15KB/1.15KB, 5us/5us, /gpu:0, x)\n"
		"    ...hidden 3...\n"
		"      DW2/read (0/0 params, 0/0 flops, 0B/0B, 0us/0us)\n");

	assert_int_equal(p->op_count, 3);
	assert_int_equal(value(p, "DW2", MEASURE_CPU, 0), 5 * US);
	assert_int_equal(value(p, "DW2", MEASURE_OUTPUT, 0), 1150);
	assert_null(p->obs.column[MEASURE_REQUESTED]);
	assert_null(p->obs.column[MEASURE_MICROS]);
	assert_int_equal(op_of(p, "DW")->params, 162);
	assert_int_equal(issue_count(p, "time-undivided"), 1);
	assert_int_equal(issue_count(p, "line-odd"), 0);
	profile_free(p);
	expect_error("_TFProfRoot (--/1.80KB, --/1.80KB)\n  a (1B/1B, 1B/1B)\n", "x.txt:1",
		"no legend line");
}

TEST(lines_that_are_no_rows)
{
	struct profile *p = read_as("x",
		"\xef\xbb\xbf" SCOPE_DOC "node name | # parameters | requested bytes\r\n"
		"_TFProfRoot (--/4 params, --/8B)\r\n"
		"  a (2, 2/4 params, 8B/8B)\r\n"
		"[[1.00 2.00 ],\n],\n...omitted from display\n\n"
		"Incomplete shape.\n"
		"    a/b (2, 2/2 params, 0B/0B)\n"
		"  what is this\n"
		"  a (2, 2/2 params, 9B/9B)\n"
		"oops\n");

	assert_int_equal(p->op_count, 2);
	assert_int_equal(p->obs.count, 1);
	assert_int_equal(value(p, "a", MEASURE_REQUESTED, 0), 8);
	assert_int_equal(issue_count(p, "line-odd"), 2);
	assert_string_equal(issue_of(p, "line-odd")->place, "x:16");
	assert_int_equal(issue_count(p, "row-repeated"), 1);
	assert_int_equal(issue_count(p, "ran-unknown"), 1);
	profile_free(p);
}

TEST(nothing_to_read)
{
	expect_error("", "x.txt:1", "no report");
	expect_error("hello\n", "x.txt:2", "no report");
	expect_error(TIMES, "x.txt", "shows no op");
	expect_error(TIMES "_TFProfRoot (--/0us, --/0us, --/0us)\n", "x.txt", "only the root");
	expect_error("\n" TIMES "a (1us/1us)\nb (1us/1us)\n", "x.txt:3",
		"no row fits the legend of line 2; the first line below it is \"a (1us/1us)\"");
	expect_error("node name | bites\n", "x.txt:1", "unknown column");
	expect_error("node name | input shapes\na ()\n", "x.txt:1", "no column of numbers");
}

TEST(hints_around_the_report)
{
	struct profile *p = read_as("x",
		"\n\nFound accelerator operation but misses accelerator stream stats!\n\nIt's "
		"likely a gpu tracing issue rather than tf-profiler issue.\n\n" SCOPE_DOC TIMES
		"_TFProfRoot (--/9.99ms, --/0us, --/9.99ms)\n"
		"  a (9.98ms/9.98ms, 0us/0us, 9.98ms/9.98ms)\n");

	assert_int_equal(issue_count(p, "stream-missing"), 1);
	assert_int_equal(issue_count(p, "ops-hidden"), 0); /* rounding could explain it */
	profile_free(p);
	p = read_as("x", SCOPE_DOC TIMES "_TFProfRoot (--/9.99ms, --/0us, --/9.99ms)\n"
					 "  a (9.97ms/9.97ms, 0us/0us, 9.97ms/9.97ms)\n");
	assert_int_equal(issue_count(p, "ops-hidden"), 1);
	profile_free(p);
}

/* What is out of range is not known, and the op ran all the same. */
TEST(a_time_out_of_range)
{
	struct profile *p =
		read_as("x", "node name | cpu execution time\n"
			     "  a (4611686018427.39sec/4611686018427.39sec)\n  b (1us/1us)\n");

	assert_int_equal(p->obs.count, 2);
	assert_int_equal(value(p, "a", MEASURE_CPU, 0), CELL_ABSENT);
	assert_int_equal(issue_count(p, "number-range"), 2);
	assert_int_equal(issue_of(p, "number-range")->severity, ISSUE_LOSS);
	profile_free(p);
}

TEST(too_many_names)
{
	const char *text = TIMES "a (1us/1us, 0us/0us, 1us/1us)\nb (2us/2us, 0us/0us, 2us/2us)\n"
				 "c (3us/3us, 0us/0us, 3us/3us)\nd (4us/4us, 0us/0us, 4us/4us)\n";
	const struct reader *reader = reader_find("tfprof-text", NULL);
	struct read_options opt = read_options_default;
	struct input *in = input_memory(text, strlen(text), "x");
	struct profile *p = profile_new("x");
	struct error err;

	opt.limits.ops = 2;
	assert_int_equal(reader_read(reader, in, p, &opt, &err), 0);
	assert_int_equal(p->op_count, 3);
	assert_int_equal(value(p, "[other names]", MEASURE_CPU, 0), 7 * US);
	assert_int_equal(value(p->totals, "[other names]", MEASURE_CPU, 0), 7 * US);
	assert_int_equal(issue_count(p, "names-capped"), 2);
	profile_free(p);
	input_close(in);
}

static int64_t cell(const struct cube *cube, const char *name, enum measure_id id, size_t nth)
{
	for (uint32_t o = 0; o < cube->op_count; o++)
		if (strcmp(cube->op[o].name, name) == 0 &&
			cube->op_first[o] + nth < cube->op_first[o + 1])
			return cube_value(cube, id, o, cube->op_first[o] + nth);
	return CELL_ABSENT;
}

/* Totals of the cube are the printed ones, also where the shown ops add up to less. */
TEST(printed_totals_are_the_totals)
{
	struct profile *p[2] = {
		read_as("x_1", TIMES "_TFProfRoot (--/90us, --/4us, --/86us)\n"
				     "  a (1us/90us, 0us/4us, 1us/86us)\n"
				     "    a/b (6us/6us, 4us/4us, 2us/2us)\n"
				     "  c (7us/8us, 0us/0us, 7us/8us)\n"),
		read_as("x_2", TIMES "_TFProfRoot (--/3us, --/0us, --/3us)\n"
				     "  a (1us/3us, 0us/0us, 1us/3us)\n"
				     "    a/b (0us/0us, 0us/0us, 0us/0us)\n"),
	};
	struct merge_options opt = {.mode = RUNS_AUTO};
	struct error err;
	struct cube *cube = merge_profiles(p, 2, &opt, &err);
	struct cube *totals = cube_totals(cube, &err);

	assert_int_equal(cube->run_count, 1);
	assert_int_equal(cube->step_count, 2);
	assert_int_equal(totals->op_count, 3);
	assert_true(totals->totals);
	assert_int_equal(cell(totals, "a", MEASURE_MICROS, 0), 90 * US);
	assert_int_equal(cell(totals, "a", MEASURE_MICROS, 1), 3 * US);
	assert_int_equal(cell(totals, "c", MEASURE_CPU, 0), 8 * US);
	assert_int_equal(cell(totals, "c", MEASURE_TIME, 0), 8 * US);
	assert_int_equal(cell(totals, "a/b", MEASURE_TIME, 0), 4 * US);
	assert_int_equal(
		cell(totals, "a", MEASURE_TIME, 0), CELL_ABSENT); /* 4us and what of the rest? */
	assert_int_equal(cell(cube, "a", MEASURE_MICROS, 0), US);
	cube_free(totals);
	cube_free(cube);
	profile_free(p[0]);
	profile_free(p[1]);
}

TEST(totals_of_some_inputs_only)
{
	struct profile *p[2] = {
		read_as("x_1", TIMES "a (1us/1us, 0us/0us, 1us/1us)\n"),
		read_as("x_2",
			TIMES "MatMul                               1us (100.00%, 100.00%),        "
			      "     0us (0.00%, 0.00%),        1us (100.00%, 100.00%)\n"),
	};
	struct merge_options opt = {.mode = RUNS_AUTO};
	struct error err;
	struct cube *cube = merge_profiles(p, 2, &opt, &err);

	assert_null(p[1]->totals);
	assert_null(cube_totals(cube, &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	cube_free(cube);
	profile_free(p[0]);
	profile_free(p[1]);
}

/* An average is never a step among the steps of a run. */
TEST(an_average_is_a_run_of_its_own)
{
	struct profile *p[3] = {
		read_as("x_1", TIMES "a (1us/1us, 0us/0us, 1us/1us)\n"),
		read_as("x_2", TIMES "a (2us/2us, 0us/0us, 2us/2us)\n"),
		read_as("x_3", OPTIONS("-1") TIMES "a (3us/3us, 0us/0us, 3us/3us)\n"),
	};
	struct merge_options opt = {.mode = RUNS_AUTO};
	struct error err;
	struct cube *cube = merge_profiles(p, 3, &opt, &err);

	assert_int_equal(cube->run_count, 2);
	assert_int_equal(cube->step_count, 3);
	cube_free(cube);
	for (size_t i = 0; i < 3; i++)
		profile_free(p[i]);
}
