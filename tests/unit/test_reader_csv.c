/* Tables of observations: both forms, names and units, facts about ops and steps, and every mistake
 * with its line and column. */
#include <csv.h>
#include "base/text.h"
#include "ingest/table/csv_columns.h"
#include "ingest/table/csv_rows.h"
#include "ingest/reader.h"
#include "tests/unit/test.h"

static struct profile *read_with(
	const char *text, size_t size, const struct read_options *opt, struct error *err)
{
	struct input *in = input_memory(text, size, "t.csv");
	struct profile *p = profile_new("t.csv");
	struct error none = {.kind = ERROR_NONE};

	*err = none;
	p->format_title = "observations (CSV)";
	if (reader_find("csv", err)->read(in, p, opt, err) < 0) {
		profile_free(p);
		p = NULL;
	}
	input_close(in);
	return p;
}

static struct profile *read_text(const char *text)
{
	struct error err;
	struct profile *p = read_with(text, strlen(text), &read_options_default, &err);

	if (!p)
		print_message("%s: %s\n", err.place, err.message);
	assert_non_null(p);
	return p;
}

static uint32_t op_named(const struct profile *p, const char *name)
{
	uint32_t id;

	assert_true(intern_find(p->names, name, strlen(name), &id));
	return id;
}

static const struct step *step_at(const struct profile *p, const char *run, int64_t number)
{
	for (size_t s = 0; s < p->step_count; s++)
		if (p->step[s].number == number &&
			(run ? p->step[s].run && text_equal(p->step[s].run, run) : !p->step[s].run))
			return &p->step[s];
	fail_msg("no step %lld", (long long)number);
	return NULL;
}

/* Of the only run. */
static int64_t value(const struct profile *p, enum measure_id id, const char *op, int64_t number)
{
	const struct observations *obs = &p->obs;
	uint32_t o = op_named(p, op);

	for (size_t r = 0; r < obs->count; r++)
		if (obs->op[r] == o && p->step[obs->step[r]].number == number)
			return obs->column[id] ? obs->column[id][r] : CELL_ABSENT;
	fail_msg("no row %s %lld", op, (long long)number);
	return 0;
}

TEST(long_form)
{
	struct profile *p = read_text("run,step,op,measure,value,unit\n"
				      "r,3,a,cpu,1.5,us\n"
				      "r,3,a,requested,2,KB\n"
				      "r,4,a,cpu,0.000001,us\n"
				      "r,3,b,cpu,,us\n"
				      "r,3,b,occurrence,2,count\n"
				      "r,4,a,occurrence,1,\n");

	assert_int_equal(p->op_count, 2);
	assert_int_equal(p->step_count, 2);
	assert_int_equal(p->obs.count, 3);
	assert_string_equal(p->step[0].run, "r");
	assert_true(value(p, MEASURE_CPU, "a", 3) == 1500000);
	assert_true(value(p, MEASURE_CPU, "a", 4) == 1);
	assert_true(value(p, MEASURE_REQUESTED, "a", 3) == 2000);
	assert_true(value(p, MEASURE_REQUESTED, "a", 4) == CELL_ABSENT);
	assert_true(value(p, MEASURE_CPU, "b", 3) == CELL_ABSENT);
	assert_true(value(p, MEASURE_OCCURRENCE, "b", 3) == 2);
	assert_null(p->obs.column[MEASURE_TIME]);
	assert_false(p->step[0].has_wall);
	assert_int_equal(p->issues.count, 0);
	profile_free(p);
}

TEST(wide_form_of_another_profiler)
{
	/* other names, order, separator and units; a mark at the start, quotes, blank lines, CR
	 * LF */
	struct profile *p =
		read_text("\xef\xbb\xbf\"Duration [ms]\";calls;Op Type;kernel;iteration\r\n"
			  "0.25;3; MatMul ;\"a;\"\"b\"\"\";7\r\n"
			  "\r\n"
			  ";1;MatMul;c;7\r\n"
			  ";;;;\r\n"
			  "1e-3;1;;c;8.0\r\n");

	assert_int_equal(p->step_count, 2);
	assert_null(p->step[0].run);
	assert_true(value(p, MEASURE_TIME, "a;\"b\"", 7) == 250000000);
	assert_true(value(p, MEASURE_OCCURRENCE, "a;\"b\"", 7) == 3);
	assert_true(value(p, MEASURE_TIME, "c", 7) == CELL_ABSENT);
	assert_true(value(p, MEASURE_TIME, "c", 8) == 1000000);
	assert_string_equal(p->op[op_named(p, "c")].type, "MatMul");
	assert_true(p->op[0].params == CELL_ABSENT && p->op[0].defined == 0);
	assert_int_equal(p->issues.count, 0);
	profile_free(p);
}

TEST(names_of_measures_and_units)
{
	static const struct {
		const char *column, *number;
		enum measure_id id;
		int64_t value;
	} cases[] = {
		{"time_us", "2", MEASURE_TIME, 2000000},
		{"time_ns", "2", MEASURE_TIME, 2000},
		{"Time (ms)", "2", MEASURE_TIME, 2000000000},
		{"time [s]", "2", MEASURE_TIME, 2000000000000},
		{"time/us", "-2.5", MEASURE_TIME, -2500000},
		{"dur_\302\265s", "2", MEASURE_TIME, 2000000},
		{"gpu_time_us", "2", MEASURE_ACCELERATOR, 2000000},
		{"cpu_time_us", "2", MEASURE_CPU, 2000000},
		{"micros_us", "2", MEASURE_MICROS, 2000000},
		{"requested_bytes", "2", MEASURE_REQUESTED, 2},
		{"requested_B", "2", MEASURE_REQUESTED, 2},
		{"requested_kb", "2.001", MEASURE_REQUESTED, 2001},
		{"Requested MB", "2", MEASURE_REQUESTED, 2000000},
		{"peak_KiB", "2", MEASURE_PEAK, 2048},
		{"peak (MiB)", "0.5", MEASURE_PEAK, 524288},
		{"occurrence", "2", MEASURE_OCCURRENCE, 2},
		{"calls", "+2e1", MEASURE_OCCURRENCE, 20},
		{"float_ops", "9223372036854775807", MEASURE_FLOAT_OPS, INT64_MAX},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct text t;

		text_init(&t);
		text_printf(&t, "step,op,%s\n1,x,%s\n", cases[i].column, cases[i].number);
		struct profile *p = read_text(text_string(&t));

		if (value(p, cases[i].id, "x", 1) != cases[i].value)
			fail_msg("%s", cases[i].column);
		profile_free(p);
		text_clear(&t);
		text_printf(
			&t, "step,op,measure,value\n1,x,%s,%s\n", cases[i].column, cases[i].number);
		p = read_text(text_string(&t));
		if (value(p, cases[i].id, "x", 1) != cases[i].value)
			fail_msg("long: %s", cases[i].column);
		profile_free(p);
		text_release(&t);
	}
}

TEST(kilobytes_of_1024)
{
	static const char text[] = "step,op,measure,value,unit\n1,x,requested,1.5,KB\n"
				   "1,x,peak,1,MB\n1,x,residual,1,GB\n1,x,output,1,KiB\n";
	struct read_options opt = read_options_default;
	struct error err;
	struct profile *p;

	opt.kilobyte = 1024;
	p = read_with(text, strlen(text), &opt, &err);
	assert_non_null(p);
	assert_true(value(p, MEASURE_REQUESTED, "x", 1) == 1536);
	assert_true(value(p, MEASURE_PEAK, "x", 1) == 1048576);
	assert_true(value(p, MEASURE_RESIDUAL, "x", 1) == 1073741824);
	assert_true(value(p, MEASURE_OUTPUT, "x", 1) == 1024);
	profile_free(p);
}

TEST(facts_about_ops_and_steps)
{
	struct profile *p =
		read_text("run,step,op,measure,value,unit\n"
			  ",,,source,,TensorFlow profile\n"
			  ",,,issue,,loss start-missing 12 x no start (first: f: op a)\n"
			  "r,1,,wall,4,us\n"
			  "r,1,,busy,3,us\n"
			  "r,2,,wall,,us\n"
			  "r,3,,wall,5,us\n"
			  ",,a,type,,Conv2D\n"
			  ",,a,device,,gpu:0\n"
			  ",,a,params,10,count\n"
			  ",,a,float_ops_each,7,\n"
			  "r,1,a,cpu,1,us\n"
			  ",,idle,type,Const,\n"
			  ",,\"\",type,,\n"
			  "r,2,\"\",cpu,1,us\n");
	const struct op *a = &p->op[op_named(p, "a")];

	assert_string_equal(p->format_title, "TensorFlow profile");
	assert_int_equal(p->issues.count, 1);
	assert_int_equal(p->issues.issue[0].severity, ISSUE_LOSS);
	assert_string_equal(p->issues.issue[0].code, "start-missing");
	assert_string_equal(p->issues.issue[0].text, "no start");
	assert_string_equal(p->issues.issue[0].place, "f: op a");
	assert_int_equal(p->issues.issue[0].count, 12);
	assert_string_equal(a->type, "Conv2D");
	assert_string_equal(a->device, "gpu:0");
	assert_true(a->params == 10 && a->float_ops_each == 7 && a->defined == 1);
	assert_string_equal(p->op[op_named(p, "idle")].type, "Const");
	assert_int_equal(p->op_count, 3);
	assert_int_equal(p->obs.count, 2);
	assert_true(step_at(p, "r", 1)->has_wall);
	assert_true(step_at(p, "r", 1)->end_ps == 4000000);
	assert_true(step_at(p, "r", 1)->busy_ps == 3000000);
	assert_false(step_at(p, "r", 2)->has_wall);
	assert_true(step_at(p, "r", 3)->busy_ps == 5000000);
	profile_free(p);

	p = read_text("step,op,type,time_us,params,defined,wall_ms\n"
		      ",idle,,,,1,\n"
		      "1,a,T,3,4,2,0.005\n"
		      "1,b,,,,,\n"
		      "2,,,,,,6\n");
	assert_int_equal(p->op_count, 3);
	assert_int_equal(p->obs.count, 2);
	assert_true(p->op[op_named(p, "a")].params == 4 && p->op[op_named(p, "a")].defined == 2);
	assert_true(p->op[op_named(p, "idle")].defined == 1);
	assert_true(value(p, MEASURE_TIME, "b", 1) == CELL_ABSENT);
	assert_true(step_at(p, NULL, 1)->end_ps == 5000000);
	assert_true(step_at(p, NULL, 2)->end_ps == 6000000000);
	profile_free(p);
}

/* In both forms; a shape that changes from row to row is none, and a total has none. */
TEST(shapes_of_outputs)
{
	static const char *const tables[] = {
		"run,step,op,measure,value,unit\n"
		",,a,shape,,\"[32,128][1]\"\n"
		"r,1,a,cpu,1,us\n"
		",,b,shape,[4],\n"
		",,b,shape,[5],\n"
		",,b,shape,[4],\n"
		",,c,type,,T\n",
		"step,op,Output Shapes,time_us,type\n"
		"1,a,\"[32,128][1]\",3,\n"
		"2,a,,3,\n"
		"3,a,\"[32,128][1]\",3,\n"
		"1,b,[4],3,\n"
		"2,b,[5],3,\n"
		"3,b,[4],3,\n"
		"3,c,,3,T\n",
	};

	for (size_t i = 0; i < 2; i++) {
		struct profile *p = read_text(tables[i]);

		assert_string_equal(p->op[op_named(p, "a")].shape, "[32,128][1]");
		assert_string_equal(p->op[op_named(p, "b")].shape, "");
		assert_string_equal(p->op[op_named(p, "c")].shape, "");
		assert_int_equal(p->issues.count, 0);
		profile_free(p);
	}
	assert_int_equal(quantity_find("shape").kind, QUANTITY_SHAPE);
	assert_int_equal(quantity_find("shape_total").kind, QUANTITY_UNKNOWN);
}

TEST(runs_are_kept_apart)
{
	struct profile *p = read_text("run,step,op,time_us\n"
				      "a,1,x,1\n"
				      "b,1,x,1\n"
				      ",1,x,1\n"
				      "a,2,x,2\n"
				      ",2,x,2\n");

	assert_int_equal(p->step_count, 5);
	assert_true(step_at(p, "a", 1)->fingerprint != step_at(p, "b", 1)->fingerprint);
	assert_true(step_at(p, "a", 1)->fingerprint != step_at(p, "a", 2)->fingerprint);
	assert_true(step_at(p, "a", 1)->fingerprint != step_at(p, NULL, 1)->fingerprint);
	profile_free(p);
}

TEST(order_of_rows_and_form_do_not_matter)
{
	struct profile *p = read_text("step,op,measure,value,unit\n"
				      "2,b,cpu,3,us\n1,a,cpu,1,us\n1,b,requested,5,B\n"
				      "1,b,cpu,2,us\n1,a,requested,4,B\n2,b,requested,6,B\n");
	struct profile *q = read_text("op,requested_kb,step,cpu_ns\n"
				      "a,0.004,1,1000\nb,0.005,1,2000\nb,0.006,2,3000\n");

	for (int64_t s = 1; s <= 2; s++)
		assert_true(step_at(p, NULL, s)->fingerprint == step_at(q, NULL, s)->fingerprint);
	profile_free(p);
	profile_free(q);
}

TEST(totals_of_scopes)
{
	struct profile *p = read_text("step,op,cpu_us,cpu_total_us,type_total\n"
				      "1,s/a,2,,\n"
				      "1,s,,5,scope\n"
				      ",t,,,x\n");

	assert_int_equal(p->op_count, 1);
	assert_int_equal(p->obs.count, 1);
	assert_non_null(p->totals);
	assert_int_equal(p->totals->op_count, 2);
	assert_int_equal(p->totals->obs.count, 1);
	assert_true(p->totals->obs.column[MEASURE_CPU][0] == 5000000);
	assert_string_equal(p->totals->op[0].type, "scope");
	profile_free(p);
}

TEST(what_is_not_read_is_reported)
{
	struct profile *p = read_text("step,op,time_us,occurrence,colour\n"
				      "1,x,0.0000015,1.5,red\n"
				      "2,x,0.0000005,1,red\n");

	assert_true(value(p, MEASURE_TIME, "x", 1) == 2);
	assert_true(value(p, MEASURE_OCCURRENCE, "x", 1) == 2);
	assert_int_equal(p->issues.count, 3);
	assert_string_equal(p->issues.issue[0].code, "time-rounded");
	assert_int_equal(p->issues.issue[0].severity, ISSUE_INFO);
	assert_int_equal(p->issues.issue[0].count, 2);
	assert_string_equal(p->issues.issue[0].place, "t.csv:2");
	assert_string_equal(p->issues.issue[1].code, "value-rounded");
	assert_int_equal(p->issues.issue[1].severity, ISSUE_LOSS);
	assert_string_equal(p->issues.issue[2].code, "column-ignored");
	assert_string_equal(p->issues.issue[2].place, "t.csv: column colour");
	profile_free(p);
}

TEST(names_out_of_their_visible_form)
{
	struct profile *p =
		read_text("step,op,time_us\n"
			  "1,a\\x0ab,1\n1,\\xff,1\n1,c\\x41,1\n1,d\\x00,1\n1,e\\xFF,1\n");

	op_named(p, "a\nb");
	op_named(p, "\xff");
	op_named(p, "c\\x41"); /* nobody writes an A like that */
	op_named(p, "d\\x00");
	op_named(p, "e\\xFF");
	profile_free(p);
}

static const struct mistake {
	const char *text, *place, *message;
} mistakes[] = {
	{"", "t.csv", "empty file"},
	{"step,op,time_us\n", "t.csv:2", "no observation"},
	{"step,time_us\n1,1\n", "t.csv:1:1", "no column for the op"},
	{"step,op\n1,x\n", "t.csv:1:1", "no column for the measure"},
	{"step,op,measure\n1,x,time\n", "t.csv:1:1", "no column for the value"},
	{"step,op,op,time_us\n1,x,x,1\n", "t.csv:1:9", "a second column \"op\""},
	{"step,op,time_us,time_ms\n1,x,1,1\n", "t.csv:1:17", "a second column \"time_ms\""},
	{"step,op,time\n1,x,1\n", "t.csv:1:9", "the column \"time\" has no unit"},
	{"step,op,time_kb\n1,x,1\n", "t.csv:1:9", "the column \"time_kb\" is a time"},
	{"step,op,time_us,ocurrence\n1,x,1,1\n", "t.csv:1:17",
		"unknown measure \"ocurrence\" (did you mean \"occurrence\"?)"},
	{"step,op,measure,value,unit\n1,x,tmie,1,us\n", "t.csv:2:5",
		"unknown measure \"tmie\" (did you mean \"time\"?)"},
	{"step,op,measure,value,unit\n1,x,time,1,MB\n", "t.csv:2:12", "\"MB\" is a unit of bytes"},
	{"step,op,measure,value,unit\n1,x,time,1,usecs\n", "t.csv:2:12", "unknown unit \"usecs\""},
	{"step,op,measure,value,unit\n1,x,time_ms,1,us\n", "t.csv:2:15",
		"the unit \"us\", but the measure says \"ms\""},
	{"step,op,measure,value,unit\n1,x,time,1,\n", "t.csv:2:10", "a value without a unit"},
	{"step,op,measure,value,unit\n1,x,,1,us\n", "t.csv:2:5", "no measure"},
	{"step,op,measure,value,unit\n1,,time,1,us\n", "t.csv:2:3", "no op"},
	{"step,op,measure,value,unit\n,x,time,1,us\n", "t.csv:2:1", "no step for the value"},
	{"step,op,measure,value,unit\n,,wall,1,us\n", "t.csv:2:1", "no step for the value"},
	{"step,op,time_us\n,x,1\n", "t.csv:2:1", "no step for the value"},
	{"step,op,time_us\n1,,1\n", "t.csv:2:3", "no op"},
	{"step,op,time_us\n1.5,x,1\n", "t.csv:2:1", "\"1.5\" is not a step number"},
	{"step,op,time_us\nfirst,x,1\n", "t.csv:2:1", "\"first\" is not a step number"},
	{"step,op,time_us\n1,x,abc\n", "t.csv:2:5", "\"abc\" is not a number"},
	{"step,op,time_us\n1,x,0x10\n", "t.csv:2:5", "\"0x10\" is not a number"},
	{"step,op,time_us\n1,x,1e30\n", "t.csv:2:5", "\"1e30\" is out of range"},
	/* -2^63 ps is how an absent value is kept */
	{"step,op,time_ps\n1,x,-9223372036854775808\n", "t.csv:2:5", "is out of range"},
	{"step,op,time_us\n1,x,\"1,5\"\n", "t.csv:2:5", "\"1,5\" has a comma"},
	{"step;op;time_us\n1;x;1,5\n", "t.csv:2:5", "\"1,5\" has a comma"},
	{"step;op;time_us\n1;x;1.234,5\n", "t.csv:2:5", "\"1.234,5\" has a comma"},
	{"step,op,time_us\n1,x,1,5\n", "t.csv:2:7", "4 fields, but the header has 3"},
	{"step,op,time_us\n1,x\n", "t.csv:2:3", "2 fields, but the header has 3"},
	{"step,op,time_us\n1,x\"y,1\n", "t.csv:2:4", "a quote inside a field that is not quoted"},
	{"step,op,time_us\n1,\"x\"y,1\n", "t.csv:2:6", "text after a closing quote"},
	{"step,op,time_us\n1,x,1\n2,\"x,1\n3,x,1\n", "t.csv:3:3",
		"a quoted field that is not closed"},
	{"step,op,time_us\n1,\"a\nb\",1\n1,\"c\r\nd\",1\n2,\"x\ny\",z\n", "t.csv:7:4",
		"\"z\" is not a number"},
	{"step,op,time_us\r1,x,1\r2,x,z\r", "t.csv:3:5", "\"z\" is not a number"},
	{"step,op,time_us\r\n1,x,1\r\n\r\n2,x,z\r\n", "t.csv:4:5", "\"z\" is not a number"},
	{"step,op,time_us\n1,\303\251\303\251,z\n", "t.csv:2:6", "\"z\" is not a number"},
	{"step,op,time_us\n1,x,1\n2,x,1\n1,x,2\n", "t.csv:4:3",
		"the same run, step, op and measure as in line 2"},
	{"step,op,measure,value,unit\n1,x,cpu,1,us\n1,x,peak,1,B\n1,x,cpu,2,us\n", "t.csv:4:5",
		"the same run, step, op and measure as in line 2"},
	{"step,op,measure,value,unit\n1,x,cpu,,us\n1,x,cpu,2,us\n", "t.csv:3:5",
		"the same run, step, op and measure as in line 2"},
	{"step,op,time_us,params\n1,x,1,2\n2,x,1,3\n", "t.csv:3:7",
		"another value for the params of this op than in line 2"},
	{"step,op,time_us,wall_us\n1,x,1,2\n1,y,1,3\n", "t.csv:3:7",
		"another value for the wall time of this step than in line 2"},
	{"step,op,time_us,wall_us\n1,x,1,-2\n", "t.csv:2:7", "a negative wall time"},
	{"step,op,time_us,wall_us,busy_us\n1,x,1,2,3\n", "t.csv:2",
		"the step is busy for longer than its wall time"},
	{"step,op,time_total_us\n1,x,1\n", "t.csv", "only totals"},
	{"step,op,measure,value,unit\n,,issue,,something\n", "t.csv:2:10",
		"expected an issue like"},
};

TEST(mistakes_have_a_place)
{
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		const struct mistake *m = &mistakes[i];
		struct error err;

		assert_null(read_with(m->text, strlen(m->text), &read_options_default, &err));
		if (!text_equal(err.place, m->place) || !strstr(err.message, m->message))
			fail_msg("\"%s\" gave %s: %s", m->text, err.place, err.message);
		assert_int_equal(err.kind, ERROR_INPUT);
	}
}

TEST(limits)
{
	static const char text[] = "step,op,time_us\n1,a,1\n1,b,2\n1,c,3\n2,c,4\n";
	struct read_options opt = read_options_default;
	struct error err;
	struct profile *p;

	opt.limits.observations = 3;
	assert_null(read_with(text, strlen(text), &opt, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	opt = read_options_default;
	opt.limits.steps = 1;
	assert_null(read_with(text, strlen(text), &opt, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	/* further names share a row, their values are added up */
	opt = read_options_default;
	opt.limits.ops = 1;
	p = read_with(text, strlen(text), &opt, &err);
	assert_non_null(p);
	assert_true(value(p, MEASURE_TIME, "a", 1) == 1000000);
	assert_true(value(p, MEASURE_TIME, "[other names]", 1) == 5000000);
	assert_true(value(p, MEASURE_TIME, "[other names]", 2) == 4000000);
	profile_free(p);
	opt = read_options_default;
	opt.max_record_bytes = 15;
	assert_null(read_with(text, strlen(text), &opt, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(err.place, "t.csv:1:1");
	opt.max_record_bytes = 16;
	assert_null(read_with(
		"step,op,time_us\n1,\"a\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n", 36, &opt, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(err.place, "t.csv:2:3");
	assert_string_equal(err.message, "a quoted field that is not closed");
	assert_null(read_with("step,op,time_us\n1,a\0b,1\n", 24, &read_options_default, &err));
	assert_string_equal(err.place, "t.csv:2:4");
}

/* A table that is longer than the window of the input, line ends cut at every place. */
TEST(long_input)
{
	struct text t;

	text_init(&t);
	text_add(&t, "step,op,time_us\r\n");
	for (int i = 0; i < 60000; i++)
		text_printf(&t, "%d,\"op\r\n%d\",%d\r\n", i / 100, i % 100, i);
	struct profile *p = read_text(text_string(&t));

	assert_int_equal(p->op_count, 100);
	assert_int_equal(p->step_count, 600);
	assert_int_equal(p->obs.count, 60000);
	assert_true(value(p, MEASURE_TIME, "op\r\n99", 599) == INT64_C(59999000000));
	profile_free(p);
	text_add(&t, "1,x,z\r\n");
	struct error err;

	assert_null(read_with(t.data, t.size, &read_options_default, &err));
	assert_string_equal(err.place, "t.csv:120002:5");
	text_release(&t);
}

static void note_field(void *bytes, size_t size, void *context)
{
	text_printf(context, bytes ? "<%.*s>" : "-", (int)size, (const char *)bytes);
}

/* A row of which no field is given is none. */
static void note_row(int ended_by, void *context)
{
	struct text *t = context;
	const char *end = t->data + t->size, *row = end;

	(void)ended_by;
	while (row > t->data && row[-1] != '\n')
		row--;
	if (row[strspn(row, "-")])
		text_add_char(t, '\n');
	else
		t->data[t->size = (size_t)(row - t->data)] = '\0';
}

/* The rows of made texts, with quotes in few of their lines, are those of libcsv. */
TEST(lines_without_quotes)
{
	static const char letters[] = "ab,,,; \t\n\n\r\"";
	uint64_t random = 3;

	for (int round = 0; round < 20000; round++) {
		char bytes[40];
		struct text expected, found;
		struct csv_parser parser;
		struct cell_row row;
		struct error err;
		bool whole;
		int got;

		for (size_t i = 0; i < sizeof(bytes); i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			bytes[i] = letters[(random >> 33) %
					   (sizeof(letters) - 1 - (round % 3 ? 1 : 0))];
		}
		text_init(&expected);
		text_init(&found);
		text_add(&expected, "");
		csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_EMPTY_IS_NULL);
		csv_set_delim(&parser, round % 2 ? ',' : '\t');
		whole = csv_parse(&parser, bytes, sizeof(bytes), note_field, note_row, &expected) ==
				sizeof(bytes) &&
			csv_fini(&parser, note_field, note_row, &expected) == 0;
		csv_free(&parser);

		struct input *in = input_memory(bytes, sizeof(bytes), "t.csv");
		struct cell_rows *rows = csv_rows_new(in, round % 2 ? ',' : '\t', 1000);

		while ((got = rows->next(rows, &row, &err)) > 0) {
			for (size_t i = 0; i < row.count; i++)
				note_field(row.field[i].given ? (void *)row.field[i].text : NULL,
					row.field[i].size, &found);
			text_add_char(&found, '\n');
		}
		assert_int_equal(got, whole ? 0 : -1);
		if (whole)
			assert_string_equal(text_string(&found), text_string(&expected));
		csv_rows_free(rows);
		input_close(in);
		text_release(&expected);
		text_release(&found);
	}
}

/* Each value is in its row, and a second one is refused, whatever the order of steps and ops. */
TEST(rows_in_any_order)
{
	static const int strides[] = {1, 7, 13, 89}; /* of 90 rows */
	struct error err;
	struct text t;

	for (size_t k = 0; k < sizeof(strides) / sizeof(*strides); k++) {
		text_init(&t);
		text_add(&t, "step,op,time_us\n");
		for (int i = 0; i < 90; i++)
			text_printf(&t, "%d,op %d,%d\n", i * strides[k] % 90 / 9,
				i * strides[k] % 90 % 9, i * strides[k] % 90);

		struct profile *p = read_text(text_string(&t));

		assert_int_equal(p->obs.count, 90);
		for (int i = 0; i < 90; i++)
			assert_true(value(p, MEASURE_TIME,
					    (char[]){'o', 'p', ' ', (char)('0' + i % 9), '\0'},
					    i / 9) == INT64_C(1000000) * i);
		profile_free(p);
		text_add(&t, "4,op 5,1\n");
		assert_null(read_with(t.data, t.size, &read_options_default, &err));
		assert_string_equal(err.place, "t.csv:92:3");
		text_release(&t);
	}
}

static int score(const char *text)
{
	struct probe p = {
		.bytes = (const unsigned char *)text, .size = strlen(text), .whole = true};

	return reader_find("csv", NULL)->probe(&p);
}

TEST(probes)
{
	assert_int_equal(score("run,step,op,measure,value,unit\n"), 90);
	assert_int_equal(score("op;iteration;time_us\n"), 90);
	assert_int_equal(score("kernel\tstep\tDuration [ms]"), 90);
	assert_true(score("op,time_us\n") > 30); /* read, to say what is missing */
	assert_int_equal(score("run,op,type,device,ran,steps,time_mean_us,notes\n"), 0);
	assert_int_equal(score("run,op,type,measure,stat,value,unit\n"), 0);
	assert_int_equal(score("a,b,c\n1,2,3\n"), 0);
	assert_int_equal(score("name,value\n"), 0);
	assert_int_equal(score(""), 0);
	assert_int_equal(score("step op time_us\n"), 0);
}
