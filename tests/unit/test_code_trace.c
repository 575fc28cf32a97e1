/* Texts of code traces by number: numbers of any size, said before, after, twice or not at all. */
#include "base/text.h"
#include "encode.h"
#include "tests/unit/test.h"
#include "tfprof/files/tfprof_detail.h"

struct made {
	struct graph_detail detail;
	struct code_trace *trace;
	struct text bytes, frame;
};

static int set_up(void **state)
{
	struct made *m = calloc(1, sizeof(*m));

	graph_detail_init(&m->detail);
	m->trace = code_trace_new(&m->detail);
	text_init(&m->bytes);
	text_init(&m->frame);
	*state = m;
	return m ? 0 : -1;
}

static int tear_down(void **state)
{
	struct made *m = *state;

	code_trace_free(m->trace);
	graph_detail_release(&m->detail);
	text_release(&m->bytes);
	text_release(&m->frame);
	free(m);
	return 0;
}

static void say(struct made *m, int64_t id, const char *text)
{
	struct text entry;

	text_init(&entry);
	put_number(&entry, 1, id);
	put_string(&entry, 2, text);
	assert_true(
		code_trace_text(m->trace, (const unsigned char *)text_string(&entry), entry.size));
	text_release(&entry);
}

static void add_frame(struct made *m, int64_t file, int64_t function, int64_t text)
{
	put_number(&m->frame, 2, 7);
	put_number(&m->frame, 5, -1);
	put_number(&m->frame, 6, file);
	put_number(&m->frame, 7, function);
	put_number(&m->frame, 8, text);
	put_message(&m->bytes, 1, &m->frame);
}

static void give(struct made *m, struct node_detail *node)
{
	*node = (struct node_detail){0};
	assert_true(code_trace_add(
		m->trace, (const unsigned char *)text_string(&m->bytes), m->bytes.size));
	assert_true(code_trace_store(m->trace, node));
	text_clear(&m->bytes);
}

static void check(
	const struct graph_frame *frame, const char *file, const char *function, const char *text)
{
	assert_string_equal(frame->file, file);
	assert_string_equal(frame->function, function);
	assert_string_equal(frame->text, text);
	assert_int_equal(frame->line, 7);
	assert_int_equal(frame->func_start_line, -1);
}

TEST_WITH(numbers_of_any_size, set_up, tear_down)
{
	struct made *m = *state;
	struct node_detail first, second;

	say(m, 65535, "largest small");
	say(m, INT64_MIN, "least");
	add_frame(m, 65535, 65536, -1);
	add_frame(m, INT64_MIN, INT64_MAX, 0);
	give(m, &first);
	say(m, 65536, "smallest large");
	say(m, -1, "negative");
	add_frame(m, 0, -1, INT64_MAX);
	give(m, &second);
	say(m, INT64_MAX, "most");
	say(m, 0, "zero");
	code_trace_finish(m->trace);
	assert_int_equal(first.trace_count, 2);
	check(&first.trace[0], "largest small", "smallest large", "negative");
	check(&first.trace[1], "least", "most", "zero");
	assert_int_equal(second.trace_count, 1);
	check(&second.trace[0], "zero", "negative", "most");
}

TEST_WITH(later_entries_win_and_missing_ones_are_empty, set_up, tear_down)
{
	struct made *m = *state;
	struct node_detail node;

	say(m, 1, "old");
	say(m, 70000, "old too");
	add_frame(m, 1, 70000, 2);
	add_frame(m, 3, 80000, -5);
	give(m, &node);
	say(m, 70000, "new too");
	say(m, 1, "new");
	code_trace_finish(m->trace);
	check(&node.trace[0], "new", "new too", "");
	check(&node.trace[1], "", "", "");
}

/* Texts of TensorFlow 1.4 stand in the frame; what it has not, the table has, be it number 0 by
 * default. */
TEST_WITH(texts_in_the_frame_go_first, set_up, tear_down)
{
	struct made *m = *state;
	struct node_detail node;

	put_string(&m->frame, 1, "own.py");
	put_number(&m->frame, 2, 7);
	put_number(&m->frame, 5, -1);
	put_number(&m->frame, 6, 1);
	put_message(&m->bytes, 1, &m->frame);
	give(m, &node);
	say(m, 0, "none");
	say(m, 1, "other.py");
	code_trace_finish(m->trace);
	check(&node.trace[0], "own.py", "none", "none");
}
