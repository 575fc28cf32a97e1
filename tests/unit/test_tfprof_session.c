/* -proto_out: the file of the answer as a message. Numbers are those of TensorFlow's tests over the
 * same files: 451 parameters, 10.44k float operations. */
#include <unistd.h>
#include "ingest/protobuf/wire.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"
#include "tfprof/session.h"

#define MESSAGE "tfprof_session.message"
#define TIMELINE "tfprof_session.timeline"
#define UNWRITABLE "E: no/such/folder/m: cannot write: No such file or directory\n"

struct opened {
	char graph[1024], run[1024], log[1024], checkpoint[1024];
	const char *runs[1];
	struct tfprof_inputs inputs;
	struct tfprof_model *model;
	struct tfprof_session session;
	struct text out, messages, bytes;
};

static int open_model(void **state)
{
	static struct opened o;
	struct tfprof_options options;
	int status;

	o = (struct opened){.inputs = {.run_meta_count = 1}};
	o.runs[0] = data_path(o.run, sizeof(o.run), "tfprof-cli/tf-2.0/run_meta");
	o.inputs.run_meta_path = o.runs;
	o.inputs.graph_path = data_path(o.graph, sizeof(o.graph), "tfprof-cli/tf-2.0/graph.pbtxt");
	o.inputs.op_log_path = data_path(o.log, sizeof(o.log), "tfprof-cli/tf-2.0/tfprof_log");
	o.inputs.checkpoint_path = data_path(o.checkpoint, sizeof(o.checkpoint), "ckpt_tf2/ckpt");
	text_init(&o.out);
	text_init(&o.messages);
	text_init(&o.bytes);
	o.model = tfprof_model_load(&o.inputs, &o.out, &o.messages, &status);
	text_clear(&o.out);
	text_clear(&o.messages);
	tfprof_options_init(&options, o.model->arena);
	tfprof_session_init(&o.session, o.model, &options);
	*state = &o;
	return status == -1 ? 0 : -1;
}

static int close_model(void **state)
{
	struct opened *o = *state;

	remove(MESSAGE);
	tfprof_session_release(&o->session);
	tfprof_model_free(o->model);
	text_release(&o->out);
	text_release(&o->messages);
	text_release(&o->bytes);
	return 0;
}

static void read_message(struct opened *o)
{
	FILE *file = fopen(MESSAGE, "rb");
	int c;

	assert_non_null(file);
	text_clear(&o->bytes);
	while ((c = getc(file)) != EOF)
		text_add_char(&o->bytes, (char)c);
	fclose(file);
	assert_int_equal(remove(MESSAGE), 0);
}

/* A number of the outermost message, or how many parts of this field it has. */
static int64_t field(const struct opened *o, uint32_t number)
{
	const unsigned char *start = (const unsigned char *)text_string(&o->bytes);
	struct wire w = {start, start + o->bytes.size};
	struct wire_field f;
	int64_t found = 0;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == number)
			found = f.type == WIRE_BYTES ? found + 1 : (int64_t)f.value;
	assert_ptr_equal(w.at, w.end);
	return found;
}

TEST_WITH(the_answer_is_a_message_too, open_model, close_model)
{
	struct opened *o = *state;

	tfprof_session_line(&o->session,
		"scope -account_type_regexes VariableV2 -proto_out " MESSAGE, &o->out,
		&o->messages);
	assert_non_null(strstr(text_string(&o->out), "_TFProfRoot"));
	read_message(o);
	assert_memory_equal(o->bytes.data, "\x0a\x0b_TFProfRoot", 13);
	assert_int_equal(field(o, 8), 451); /* total_parameters */
	assert_int_equal(field(o, 6), 13);  /* total_exec_micros */
	assert_int_equal(field(o, 12), 3);  /* children: DW, DW2, ScalarW */
	tfprof_session_line(&o->session, "op -select params -order_by params -proto_out " MESSAGE,
		&o->out, &o->messages);
	read_message(o);
	assert_int_equal(field(o, 8), 451);
	assert_int_equal(field(o, 9), 10440); /* total_float_ops */
	assert_int_equal(field(o, 11), 1);    /* rows are a chain */
}

/* The bytes of the first field of this number, in *size. */
static const unsigned char *part(const unsigned char *bytes, size_t *size, uint32_t number)
{
	struct wire w = {bytes, bytes + *size};
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == number && f.type == WIRE_BYTES) {
			*size = f.size;
			return f.bytes;
		}
	fail_msg("no field %u", (unsigned)number);
	return NULL;
}

/* TensorFlow's own test of the same: 162 doubles, first and last ones as there, type DT_FLOAT. The
 * node that the checkpoint has not is told once. */
TEST_WITH(values_of_variables_are_in_the_message, open_model, close_model)
{
	struct opened *o = *state;
	static const double first[] = {-0.000534315, -0.00089602, -0.000417239, 0.00041444},
			    last[] = {-0.000317367, -0.000417829};

	tfprof_session_line(&o->session,
		"scope -max_depth 10 -show_name_regexes DW,DW/read -select tensor_value -output "
		"none -proto_out " MESSAGE,
		&o->out, &o->messages);
	assert_string_equal(text_string(&o->messages), "Key DW/read not found in checkpoint\n");
	read_message(o);
	size_t size = o->bytes.size;
	const unsigned char *bytes = (const unsigned char *)text_string(&o->bytes);

	bytes = part(bytes, &size, 12); /* DW */
	bytes = part(bytes, &size, 15);
	assert_memory_equal(bytes, "\x08\x01", 2);
	bytes = part(bytes, &size, 2);
	assert_int_equal(size, 162 * sizeof(double));
	assert_memory_equal(bytes, first, sizeof(first));
	assert_memory_equal(bytes + size - sizeof(last), last, sizeof(last));
	tfprof_session_line(&o->session, "scope -show_name_regexes DW -proto_out " MESSAGE, &o->out,
		&o->messages);
	read_message(o);
	assert_true(o->bytes.size < 162 * sizeof(double)); /* not selected */
}

/* What a session keeps for its views is made once. */
TEST_WITH(many_commands_take_no_more_memory, open_model, close_model)
{
	struct opened *o = *state;
	size_t kept, printed;

	tfprof_session_line(&o->session, "scope -max_depth 100", &o->out, &o->messages);
	kept = arena_size_bytes(o->session.words);
	printed = o->out.size;
	for (int i = 0; i < 100; i++) {
		text_clear(&o->out);
		tfprof_session_line(&o->session, "scope -max_depth 100", &o->out, &o->messages);
		assert_int_equal(o->out.size, printed);
		assert_int_equal(arena_size_bytes(o->session.words), kept);
	}
	assert_string_equal(text_string(&o->messages), "");
}

TEST_WITH(advice_is_a_message_of_three_checkers, open_model, close_model)
{
	struct opened *o = *state;

	tfprof_session_line(&o->session, "advise -proto_out " MESSAGE, &o->out, &o->messages);
	read_message(o);
	assert_int_equal(field(o, 1), 3);
	assert_memory_equal(o->bytes.data + 2,
		"\x0a\x1d"
		"AcceleratorUtilizationChecker",
		31);
}

/* The file of `set` is that of each line; empty quotes end it. */
TEST_WITH(set_names_the_file_until_it_is_empty, open_model, close_model)
{
	struct opened *o = *state;

	tfprof_session_line(&o->session, "set -proto_out " MESSAGE, &o->out, &o->messages);
	assert_int_not_equal(access(MESSAGE, F_OK), 0);
	tfprof_session_line(&o->session, "scope", &o->out, &o->messages);
	read_message(o);
	tfprof_session_line(&o->session, "set -proto_out ''", &o->out, &o->messages);
	tfprof_session_line(&o->session, "scope", &o->out, &o->messages);
	assert_int_not_equal(access(MESSAGE, F_OK), 0);
	assert_string_equal(text_string(&o->messages), "");
}

/* The model has no traces, and only step 0. */
TEST_WITH(a_refused_command_writes_nothing, open_model, close_model)
{
	struct opened *o = *state;

	tfprof_session_line(&o->session, "code -proto_out " MESSAGE, &o->out, &o->messages);
	tfprof_session_line(
		&o->session, "scope -step 1 -proto_out " MESSAGE, &o->out, &o->messages);
	tfprof_session_line(&o->session, "op -output pprof:outfile=F -proto_out " MESSAGE, &o->out,
		&o->messages);
	assert_string_equal(text_string(&o->out), "");
	assert_int_not_equal(access(MESSAGE, F_OK), 0);
}

TEST_WITH(a_file_that_cannot_be_made_is_reported, open_model, close_model)
{
	struct opened *o = *state;

	tfprof_session_line(
		&o->session, "scope -proto_out no/such/folder/m", &o->out, &o->messages);
	assert_string_equal(text_string(&o->messages), UNWRITABLE);
	text_clear(&o->messages);
	tfprof_session_line(
		&o->session, "advise -proto_out no/such/folder/m", &o->out, &o->messages);
	assert_true(text_ends(text_string(&o->messages), UNWRITABLE));
}

/* A timeline for each step, and one message: that of the average. */
TEST_WITH(a_timeline_of_all_steps_has_one_message, open_model, close_model)
{
	struct opened *o = *state;
	struct text average;

	text_init(&average);
	tfprof_session_line(&o->session, "graph -proto_out " MESSAGE, &o->out, &o->messages);
	read_message(o);
	text_add_bytes(&average, o->bytes.data, o->bytes.size);
	text_clear(&o->out);
	tfprof_session_line(&o->session,
		"graph -output timeline:outfile=" TIMELINE " -proto_out " MESSAGE, &o->out,
		&o->messages);
	assert_null(strstr(text_string(&o->out), "node name"));
	assert_int_equal(remove(TIMELINE "_0"), 0);
	read_message(o);
	assert_int_equal(o->bytes.size, average.size);
	assert_memory_equal(o->bytes.data, average.data, average.size);
	text_release(&average);
}
