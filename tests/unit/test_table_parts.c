/* Tables that several threads read in parts: what is read, refused and counted is what one thread
 * reads, row by row. */
#include "tests/unit/threads_agree.h"

#define OPS 700
#define STEPS 150

/* Text that takes the place of a row, or stands before it. */
struct odd_row {
	size_t row; /* 0: none */
	const char *text;
};

/* Rows by step, the wide form; several MB. */
static void add_wide(struct text *to, const char *row, const struct odd_row *odd)
{
	size_t n = 0;

	text_add(to, "run,step,op,time_us,requested_bytes,cpu_total_us\n");
	for (int step = 0; step < STEPS; step++)
		for (int op = 0; op < OPS; op++, n++) {
			if (odd && odd->row == n)
				text_add(to, odd->text);
			text_printf(to, row, step % 3, step, op, op * 3 + step, op * 64);
		}
}

/* Rows by op, the long form, with facts of steps and of ops between. */
static void add_long(struct text *to, const struct odd_row *odd)
{
	size_t n = 0;

	text_add(to, "step,op,measure,value,unit\n,,source,,made\n");
	for (int op = 0; op < OPS; op++) {
		text_printf(
			to, ",op_%d,params,%d,\n,op_%d,type,,kind %d\n", op, op * 10, op, op % 7);
		for (int step = 0; step < STEPS; step++, n++) {
			if (odd && odd->row == n)
				text_add(to, odd->text);
			if (op % 300 == 0)
				text_printf(to, "%d,,wall,%d.25,ms\n", step, 9000 + step);
			text_printf(to, "%d,op_%d,time,%d.125,us\n%d,op_%d,tokens,%d,token/s\n",
				step, op, op + step, step, op, op * step);
		}
	}
}

static void agree(struct text *bytes, const struct read_options *options, const char *what)
{
	struct text out;

	threads_agree("csv", bytes, options, &out);
	if (!strstr(text_string(&out), what))
		fail_msg("no \"%s\" in %.300s", what, text_string(&out));
	text_release(&out);
	text_release(bytes);
}

static void wide_agrees(const char *row, const struct odd_row *odd, const char *what)
{
	struct text bytes;

	text_init(&bytes);
	add_wide(&bytes, row, odd);
	agree(&bytes, &read_options_default, what);
}

static void long_agrees(const struct odd_row *odd, const char *what)
{
	struct text bytes;

	text_init(&bytes);
	add_long(&bytes, odd);
	agree(&bytes, &read_options_default, what);
}

#define PLAIN "run %d,%d,scope/of/the/operation_%d,%d.5,%d,\n"

TEST(rows_by_step)
{
	wide_agrees(PLAIN, NULL, "step 149:");
	wide_agrees("run %d,%d,op_%d,%d.5,%d,\r\n", NULL, "step 149:");
	/* Rounded picoseconds, totals, one column of them empty. */
	wide_agrees("run %d,%d,operation_%d,%d.1234567,%d,7.25\n", NULL, "time-rounded: 105000");
	wide_agrees("%d,%d,operation_%d,,,%d%d\n", NULL, "only totals");
	/* Names with the separator, and with line ends. */
	wide_agrees("run %d,%d,\"void f<a, %d>\",%d.5,%d,\n", NULL, "op void f<a, 699>");
	wide_agrees("run %d,%d,\"a \"\"name\"\"\n of %d\",%d.5,%d,\n", NULL, "step 149:");
}

TEST(rows_by_op)
{
	long_agrees(NULL, "op op_699|kind 6|");
}

/* Parts without a row, and with more copies of rows that are no observations than they may have. */
TEST(parts_that_are_not_whole)
{
	struct text bytes;

	text_init(&bytes);
	add_wide(&bytes, PLAIN, NULL);
	text_add_repeat(&bytes, '\n', 3000000);
	agree(&bytes, &read_options_default, "step 149:");
	text_init(&bytes);
	text_add(&bytes, "step,op,measure,value,unit");
	text_add_repeat(&bytes, ',', 300);
	text_add(&bytes, "\n");
	for (int i = 0; i < 12000; i++) {
		text_printf(&bytes, i % 2 ? ",op_%d,params,%d," : "1,op_%d,time,%d,us", i, i);
		text_add_repeat(&bytes, ',', 300);
		text_add(&bytes, "\n");
	}
	agree(&bytes, &read_options_default, "op op_11999|");
}

TEST(what_is_wrong)
{
	static const struct {
		struct odd_row row;
		const char *what;
	} wide[] = {
		{{90000, "run 0,90,new,x,1,\n"}, "\"x\" is not a number"},
		{{90000, "run 0,90,new,1\n"}, "4 fields, but the header has 6"},
		{{90000, "run 0,90,new,99999999999999999999,1,\n"}, "out of range"},
		/* The same op and step as far above. */
		{{90000, "run 0,3,scope/of/the/operation_5,1,1,\n"},
			"the same run, step, op and measure as in line 2107"},
		{{90000, "run 0,x,new,1,1,\n"}, "\"x\" is not a step number"},
		{{90000, "run 0,3,\"new,1,1,\n"}, "not closed"},
		{{90000, "run 0,3,ne\"w\",1,1,\n"}, "a quote inside a field"},
		{{90000, "run 0,3,\"new\"w,1,1,\n"}, "text after a closing quote"},
		{{90000, "run 0,3,,1,1,\n"}, "no op"},
		/* Neither of these is wrong. */
		{{90000, "\n\r\nrun 0,3,new,1,1,\r\n"}, "op new|"},
		{{90000, "run 0,3,new,1,1,\rrun 0,4,new,1,1,\n"}, "op new|"},
		{{90000, "run 0,,only named,,,\n"}, "op only named|"},
		{{104999, "run 0,3,the last row but one,1,1,\n"}, "op the last"},
	};
	static const struct {
		struct odd_row row;
		const char *what;
	} rows[] = {
		{{90000, "3,op_1,time,7,us\n"}, "the same run, step, op and measure as in line"},
		{{90000, "3,,wall,7,ms\n"}, "another value for the wall time of this step than in"},
		{{90000, ",op_1,params,7,\n"}, "another value for the params of this op"},
		{{90000, ",op_1,type,,another\n"}, "type-differs: 1"},
		{{90000, "3,op_1,tokens_new,7,token/s\n3,op_1,latency_new,7,ms\n"}, "step 149:"},
		{{90000, "3,op_1,tiem,7,ms\n"}, "unknown measure"},
		{{90000, "3,new,time,7,bytes\n"}, "bytes"},
		{{90000, "3,,wall,0.0000000001,ms\n"}, "wall time"},
		{{60000, "200,,wall,0.1234567891234,ms\n"}, "time-rounded: 1, "},
		{{90000, "3,,time,7,us\n"}, "no op"},
		{{90000, ",op_1,time,7,us\n"}, "no step"},
	};

	for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++)
		wide_agrees(PLAIN, &wide[i].row, wide[i].what);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		long_agrees(&rows[i].row, rows[i].what);
}

static void limits_agree(const struct profile_limits *limits, const char *what)
{
	struct read_options options = read_options_default;
	struct text bytes;

	options.limits = *limits;
	text_init(&bytes);
	add_long(&bytes, NULL);
	agree(&bytes, &options, what);
	text_init(&bytes);
	add_wide(&bytes, PLAIN, NULL);
	agree(&bytes, &options, what);
}

TEST(limits)
{
	const struct profile_limits most = PROFILE_LIMITS;
	struct profile_limits limits = most;

	limits.ops = 400;
	limits_agree(&limits, "names");
	limits = most;
	limits.name_bytes = 1800;
	limits_agree(&limits, "names");
	limits = most;
	limits.steps = 140;
	limits_agree(&limits, "more than 140 steps");
	limits = most;
	limits.observations = 80000;
	limits_agree(&limits, "more than 80000 observations");
}

TEST(ranks_and_kinds)
{
	static const char *const what[] = {"step 149:", "was in another group before", "step 149:"};
	struct text bytes;

	for (int wrong = 0; wrong < 3; wrong++) {
		text_init(&bytes);
		text_add(&bytes, "rank,group,step,kind,op,time_us\n");
		for (int step = 0; step < STEPS; step++)
			for (int op = 0; op < OPS; op++)
				text_printf(&bytes,
					"rank %d,stage %d,%d,%s,operation number %d,1\n", op % 4,
					wrong == 1 && step == 120 && op == 300 ? 7 : op % 2, step,
					step % 5		    ? "train"
					: wrong == 2 && step == 130 ? (op % 2 ? "" : "test")
								    : "eval",
					op);
		agree(&bytes, &read_options_default, what[wrong]);
	}
}

/* Rows of one op in three parts, in no order of its steps: the last one is there already. */
TEST(steps_in_no_order)
{
	struct text bytes;
	int step = 1000;

	text_init(&bytes);
	text_add(&bytes, "step,op,measure,value,unit\n3,a,time,1,us\n");
	for (; step < 61000; step++)
		text_printf(&bytes, "%d,other,time,1,us\n", step);
	text_add(&bytes, "5,a,time,1,us\n3,a,requested,7,bytes\n");
	for (; step < 181000; step++)
		text_printf(&bytes, "%d,other,time,1,us\n", step);
	text_add(&bytes, "5,a,time,2,us\n");
	for (; step < 241000; step++)
		text_printf(&bytes, "%d,other,time,1,us\n", step);
	agree(&bytes, &read_options_default, "the same run, step, op and measure as in line 60003");
}
