/* Views as reports: columns, units, rows in the order of printing, and files of the typed
 * outputs. */
#include <fcntl.h>
#include <unistd.h>
#include "base/output/outfile.h"
#include "report/build.h"
#include "tests/unit/test.h"
#include "writers/writer.h"
#include "tests/unit/made_graph.h"
#include "tfprof/options/options.h"
#include "tfprof/session.h"
#include "tfprof/outputs.h"

#define CPU "/device:cpu:0"

static void set_shape(struct graph *g, uint32_t node, int64_t size)
{
	g->node[node].shape = arena_array(g->arena, 1, sizeof(int64_t));
	g->node[node].shape[0] = size;
	g->node[node].shape_count = 1;
}

/* Input `index` of the node is what `source` puts out, a vector of this size. */
static void add_input(struct graph *g, uint32_t node, int32_t index, uint32_t source, int64_t size)
{
	struct node_detail *to = &g->detail->node[node], *from = &g->detail->node[source];

	if (!to->input) {
		to->input = arena_array(g->arena, 4, sizeof(*to->input));
		to->source_output = arena_array(g->arena, 4, sizeof(*to->source_output));
	}
	to->input[to->input_count++] = (struct graph_input){.index = index, .source = source};
	if (!size)
		return;
	to->source_output[to->source_output_count++] =
		(struct graph_source_output){.source = source};
	from->output = arena_array(g->arena, 1, sizeof(*from->output));
	from->output[0].dim = arena_array(g->arena, 1, sizeof(int64_t));
	from->output[0].dim[0] = size;
	from->output[0].dim_count = from->output_count = 1;
}

/* w with 7 parameters and 5 us; s/a (3 us, step 1 too: 7 us) and s/b (2 us), which read it. */
static struct graph *small_graph(void)
{
	struct graph *g = made_graph();
	uint32_t w = made_node(g, "w", "VariableV2", CPU);
	uint32_t a, b;

	set_shape(g, w, 7);
	made_exec(g, 0, 0, 5)->requested_bytes = 28;
	a = made_node(g, "s/a", "MatMul", CPU);
	made_exec(g, 0, 1, 2)->requested_bytes = 1000;
	made_exec(g, 1, 3, 4)->requested_bytes = 3000;
	b = made_node(g, "s/b", "MatMul", "");
	made_exec(g, 0, 0, 2);
	add_input(g, a, 0, w, 7);
	add_input(g, a, 1, b, 0);
	add_input(g, b, 0, w, 7);
	return g;
}

static void select_words(struct tfprof_options *options, struct graph *g, const char *words)
{
	tfprof_select_set(options, words, g->arena);
}

/* Frees the report, not the graph. */
static void check_written(const struct view *view, const struct tfprof_options *options,
	const char *writer, const char *expected)
{
	const struct writer_options how = {.complete = true};
	struct report *report = view_report(view, options);
	struct outfile *out = outfile_memory();
	struct error err = {0};
	struct text text;
	const char *data;
	size_t size;

	assert_int_equal(writer_find(writer, &err)->write(report, &how, out, &err), 0);
	data = outfile_data(out, &size);
	text_init(&text);
	text_add_bytes(&text, data, size);
	assert_string_equal(text_string(&text), expected);
	text_release(&text);
	outfile_discard(out);
	report_free(report);
}

/* Averages are truncated: s/a has (3 + 7) / 2 = 5 us and 2000 bytes, accelerator 2 us, cpu 3 us. */
TEST(scope_has_rows_with_units)
{
	struct graph *g = small_graph();
	struct tfprof_options options = made_options(g, "name");

	select_words(&options, g, "micros,bytes,params,device,op_types,input_shapes");
	check_written(view_scope(made_values(g), &options, g->arena, NULL), &options, "csv",
		"name,depth,params_self,params_total,requested_self_bytes,requested_total_bytes,"
		"micros_self_us,micros_total_us,accelerator_self_us,accelerator_total_us,"
		"cpu_self_us,cpu_total_us,device,op_types,input_shapes\n"
		"_TFProfRoot,0,,7,,2028,,12,,2,,10,,,\n"
		"s,1,0,0,0,2000,0,7,0,2,0,5,,,\n"
		"s/a,2,0,0,2000,2000,5,5,2,2,3,3," CPU "," CPU "|MatMul,0:7|1:unknown\n"
		"s/b,2,0,0,0,0,2,2,0,0,2,2,,MatMul,0:7\n"
		"w,1,7,7,28,28,5,5,0,0,5,5," CPU "," CPU "|VariableV2,\n");
	graph_free(g);
}

/* Only what matches the types is accounted: the others' own values are not known. */
TEST(unaccounted_is_empty)
{
	struct graph *g = small_graph();
	struct tfprof_options options = made_options(g, "name");

	options.account_type = made_words(g, "MatMul", NULL);
	select_words(&options, g, "bytes");
	check_written(view_scope(made_values(g), &options, g->arena, NULL), &options, "md",
		"### scope view, average over the steps in which each node ran\n\n"
		"| name | depth | requested self | requested total |\n"
		"| :--- | ---: | ---: | ---: |\n"
		"| `_TFProfRoot` | 0 | - | 2 KB |\n"
		"| `s` | 1 | - | 2 KB |\n"
		"| `s/a` | 2 | 2 KB | 2 KB |\n"
		"| `s/b` | 2 | 0 KB | 0 KB |\n");
	graph_free(g);
}

/* The root is no row of the op view; totals run from below; input shapes of all nodes, each
 * once. */
TEST(op_has_rows_of_types)
{
	struct graph *g = small_graph();
	struct tfprof_options options = made_options(g, "name");

	select_words(&options, g, "cpu_micros,occurrence,device,input_shapes");
	check_written(view_op(made_values(g), &options, g->arena, NULL), &options, "csv",
		"name,depth,cpu_self_us,cpu_total_us,occurrence_self,occurrence_total,defined_self,"
		"defined_total,device,input_shapes\n"
		"MatMul,1,5,10,2,3,2,3,|" CPU ",0:7; 0:7|1:unknown\n"
		"VariableV2,1,5,5,1,1,1,1," CPU ",\n");
	graph_free(g);
}

/* s/a takes 3 and 7 us: mean 5, sd 2.828, CV 56.57 %; w 5 and 0: 2.5, 3.536, 141.4 %. */
TEST(several_steps_have_mean_and_cv)
{
	static int64_t step[] = {0, 1};
	static const struct slots slots = {.step = step, .count = 2};

	struct graph *g = small_graph();
	struct tfprof_options options = made_options(g, "name");
	struct node_values values;
	struct report *report;
	const struct row *row;

	select_words(&options, g, "micros");
	node_values_make(g, &slots, g->arena, &values);
	report = view_report(view_scope(&values, &options, g->arena, NULL), &options);
	assert_string_equal(report->heading[0], "scope view, 2 steps (0..1)");
	assert_int_equal(report->data.column_count, 2 + 3 * 4);
	assert_int_equal(report->data.row_count, 5);
	row = &report->data.row[2];
	assert_string_equal(row->cell[0].text, "s/a");
	assert_float_equal(row->cell[2].real, 5e6, 0);
	assert_float_equal(row->cell[3].real, 0.565685424949238, 1e-15);
	row = &report->data.row[4];
	assert_string_equal(row->cell[0].text, "w");
	assert_float_equal(row->cell[4].real, 2.5e6, 0);
	assert_float_equal(row->cell[5].real, 1.414213562373095, 1e-15);
	assert_int_equal(report->data.row[0].cell[2].kind, CELL_NONE);
	report_free(report);
	graph_free(g);
}

/* What is not known along call stacks is empty, with a note. */
TEST(code_has_notes)
{
	struct graph *g = small_graph();
	struct tfprof_options options = made_options(g, "name");
	struct report *report;
	const struct row *last;

	made_frame(g, 0, "f.py", 3, "main");
	select_words(&options, g, "cpu_micros,occurrence");
	report = view_report(view_code(made_values(g), &options, g->arena, NULL), &options);
	assert_int_equal(report->note_count, 1);
	assert_string_equal(
		report->note[0].text, "runs and input shapes are not known along call stacks");
	last = &report->data.row[report->data.row_count - 1];
	assert_string_equal(last->cell[0].text, "f.py:3:main");
	assert_int_equal(last->cell[3].integer, 5 * 1000000);
	assert_int_equal(last->cell[4].kind, CELL_NONE);
	assert_int_equal(last->cell[5].kind, CELL_NONE);
	report_free(report);
	graph_free(g);
}

/* 2^62 us are more than 64 bits of ps: as near as a double is. */
TEST(long_times_do_not_wrap)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");

	made_node(g, "a", "Op", "");
	made_exec(g, 0, 0, INT64_C(1) << 62);
	select_words(&options, g, "cpu_micros");
	check_written(view_op(made_values(g), &options, g->arena, NULL), &options, "csv",
		"name,depth,cpu_self_us,cpu_total_us\n"
		"Op,1,4.61168601842739e+18,4.61168601842739e+18\n");
	graph_free(g);
}

TEST(outputs_have_writers)
{
	static const struct {
		const char *value, *writer;
	} cases[] = {{"csv:outfile=x", "csv"}, {"json:outfile=x", "json"}, {"md:outfile=x", "md"},
		{"txt:outfile=x", "text"}, {"file:outfile=x", NULL}, {"stdout", NULL},
		{"none", NULL}, {"pprof:outfile=x", NULL}, {"timeline:outfile=x", NULL}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arena *arena = arena_new();
		struct tfprof_options options;
		struct text text;

		text_init(&text);
		tfprof_options_init(&options, arena);
		assert_true(tfprof_output_parse(&options, cases[i].value, arena, &text));
		if (cases[i].writer) {
			assert_string_equal(tfprof_output_writer(options.output), cases[i].writer);
			tfprof_output_print(&options, &text);
			assert_string_equal(text_string(&text), cases[i].value);
		} else {
			assert_null(tfprof_output_writer(options.output));
		}
		text_release(&text);
		arena_free(arena);
	}
}

/* Runs a typed line on the small graph in the folder; returns what is said on standard error. */
static void run_line(const char *line, struct text *messages)
{
	struct graph *g = small_graph();
	struct tfprof_model model = {.arena = g->arena, .graph = g};
	struct tfprof_options options;
	struct tfprof_session session;
	struct text out;

	tfprof_options_init(&options, g->arena);
	tfprof_session_init(&session, &model, &options);
	text_init(&out);
	tfprof_session_line(&session, line, &out, messages);
	assert_string_equal(text_string(&out), "");
	text_release(&out);
	tfprof_session_release(&session);
	graph_free(g);
}

TEST(lines_write_files)
{
	char folder[] = "/tmp/test_tfprof_report_XXXXXX", buffer[256];
	struct text messages;
	ssize_t n;
	int file;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	text_init(&messages);
	run_line("op -select params -output csv:outfile=x.csv", &messages);
	assert_string_equal(text_string(&messages), "");
	file = open("x.csv", O_RDONLY);
	assert_true(file >= 0);
	n = read(file, buffer, sizeof(buffer) - 1);
	close(file);
	assert_true(n >= 0);
	buffer[n] = 0;
	assert_string_equal(
		buffer, "name,depth,params_self,params_total\nMatMul,1,0,7\nVariableV2,1,7,7\n");
	run_line("op -output md:outfile=none/x.md", &messages);
	assert_non_null(strstr(text_string(&messages), "E: none/x.md: "));
	text_release(&messages);
	assert_int_equal(unlink("x.csv"), 0);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(folder), 0);
}
