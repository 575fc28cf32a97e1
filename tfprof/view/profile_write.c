/* Protobuf from the inside to the outside: each message is made in a buffer of its own and becomes
 * one field of the next, which empties the buffer. Fields are in the order of their numbers;
 * numbers of 0 and empty texts are left out, but for the keys and values of maps, as TensorFlow's
 * own files have it. Only one node is in memory as bytes. */
#include <string.h>
#include "tfprof/view/model.h"
#include "base/text.h"
#include "base/output/protobuf_writer.h"
#include "tfprof/graph/graph_detail.h"
#include "base/order.h"

/* Fields of ProfileProto and the messages below, by their numbers. */
enum {
	PROFILE_NODES = 1,
	PROFILE_HAS_TRACE = 2,
	PROFILE_STEPS = 3,
	PROFILE_TEXTS = 4,
	PROFILE_MISSES_STREAM = 5,
	NODE_NAME = 1,
	NODE_INPUTS = 2,
	NODE_SHAPE = 4,
	NODE_OP_TYPES = 5,
	NODE_CANONICAL_DEVICE = 6,
	NODE_HOST_DEVICE = 7,
	NODE_FLOAT_OPS = 8,
	NODE_OP = 9,
	NODE_TRACE = 10,
	NODE_ATTRIBUTES = 11,
	NODE_EXECS = 12,
	NODE_ID = 13,
	NODE_SOURCE_OUTPUTS = 14,
	NODE_OUTPUT_SHAPES = 15,
	TRACE_FRAMES = 1,
	FRAME_LINE = 2,
	FRAME_FUNC_START = 5,
	FRAME_FILE_ID = 6,
	FRAME_FUNCTION_ID = 7,
	FRAME_TEXT_ID = 8,
	EXEC_RUN_COUNT = 1,
	EXEC_START = 2,
	EXEC_END = 3,
	EXEC_ACCELERATOR_TIMES = 4,
	EXEC_CPU_TIMES = 5,
	EXEC_DEVICES = 6,
	EXEC_MEMORY = 7,
	EXEC_ALLOCATIONS = 11,
	TIMES_TUPLES = 1,
	TUPLE_NUMBERS = 1,
	MEMORY_OUTPUTS = 11,
	MAP_KEY = 1,
	MAP_VALUE = 2,
};

#define NO_NODE UINT32_MAX
#define NO_TEXT "none" /* text 0, which TensorFlow puts where it knows none */

struct profile_writer {
	const struct graph *graph;
	const struct graph_detail *detail;
	struct outfile *out;
	struct arena *arena;   /* of the texts */
	struct intern *texts;  /* of the traces; their ids */
	struct arena *scratch; /* of one node */
	struct text node, exec, part, inner, numbers, entry;
	size_t time, memory, allocation, device,
		attribute; /* the first of the detail that is not written yet */
};

/* ---- fields ---- */

static void add_number(struct text *t, uint32_t field, int64_t value)
{
	if (value)
		protobuf_add_number(t, field, (uint64_t)value);
}

static void add_string(struct text *t, uint32_t field, const char *s)
{
	if (*s)
		protobuf_add_string(t, field, s);
}

/* Repeated numbers, packed. */
static void add_numbers(struct profile_writer *w, struct text *t, uint32_t field,
	const int64_t *number, size_t count)
{
	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++)
		protobuf_add_varint(&w->numbers, (uint64_t)number[i]);
	protobuf_add_message(t, field, &w->numbers);
}

/* An entry of a map from numbers to numbers. */
static void add_pair(
	struct profile_writer *w, struct text *t, uint32_t field, int64_t key, int64_t value)
{
	protobuf_add_number(&w->entry, MAP_KEY, (uint64_t)key);
	protobuf_add_number(&w->entry, MAP_VALUE, (uint64_t)value);
	protobuf_add_message(t, field, &w->entry);
}

/* An entry of a map from numbers to messages. */
static void add_numbered(
	struct profile_writer *w, struct text *t, uint32_t field, int64_t key, struct text *value)
{
	protobuf_add_number(&w->entry, MAP_KEY, (uint64_t)key);
	protobuf_add_message(&w->entry, MAP_VALUE, value);
	protobuf_add_message(t, field, &w->entry);
}

/* An entry of a map from texts to messages. */
struct named_message {
	const char *key;
	size_t key_size;
	const void *value;
	size_t size;
};

static void add_named(
	struct profile_writer *w, struct text *t, uint32_t field, const struct named_message *entry)
{
	protobuf_add_bytes(&w->entry, MAP_KEY, entry->key, entry->key_size);
	protobuf_add_bytes(&w->entry, MAP_VALUE, entry->value, entry->size);
	protobuf_add_message(t, field, &w->entry);
}

/* ---- a node without its executions ---- */

static int64_t text_id(struct profile_writer *w, const char *text)
{
	return intern_id(w->texts, text, strlen(text));
}

static void add_attributes(struct profile_writer *w, uint32_t node)
{
	const struct graph_detail *detail = w->detail;

	for (; w->attribute < detail->attribute_count; w->attribute++) {
		const struct graph_attribute *a = &detail->attribute[w->attribute];

		if (a->node != node)
			return;
		add_named(w, &w->node, NODE_ATTRIBUTES,
			&(struct named_message){a->key, a->key_size, a->value, a->value_size});
	}
}

/* ---- an execution ---- */

/* The times of one class, as a map by device, in [from, end) of the detail. */
static void add_times(struct profile_writer *w, bool accelerator, size_t from, size_t end)
{
	const struct exec_time *time = w->detail->time;

	for (size_t i = from; i < end;) {
		const char *device = time[i].device;

		for (; i < end && text_equal(time[i].device, device); i++) {
			const int64_t tuple[2] = {time[i].start_micros, time[i].dur_micros};

			if (time[i].accelerator != accelerator)
				continue;
			add_numbers(w, &w->inner, TUPLE_NUMBERS, tuple, 2);
			protobuf_add_message(&w->part, TIMES_TUPLES, &w->inner);
		}
		if (w->part.size)
			add_named(w, &w->exec,
				accelerator ? EXEC_ACCELERATOR_TIMES : EXEC_CPU_TIMES,
				&(struct named_message){device, strlen(device),
					text_string(&w->part), w->part.size});
		text_clear(&w->part);
	}
}

static void add_devices(struct profile_writer *w, const struct exec *exec)
{
	const struct graph_detail *detail = w->detail;

	for (; w->device < detail->device_count; w->device++) {
		const struct exec_device *d = &detail->device[w->device];

		if (d->node != exec->node || d->step != exec->step)
			return;
		protobuf_add_string(&w->exec, EXEC_DEVICES, d->device);
	}
}

static void add_memory(struct profile_writer *w, const struct exec *exec)
{
	const struct graph_detail *detail = w->detail;

	for (; w->memory < detail->exec_memory_count; w->memory++) {
		const struct exec_memory *m = &detail->exec_memory[w->memory];

		if (m->node != exec->node || m->step != exec->step)
			return;
		/* Fields 1 to 10. */
		const int64_t number[] = {m->memory_micros, m->rest->host_temp_bytes,
			m->rest->host_persistent_bytes, m->rest->accelerator_temp_bytes,
			m->accelerator_persistent_bytes, m->rest->requested_bytes,
			m->rest->peak_bytes, m->rest->residual_bytes, m->rest->output_bytes,
			m->bytes_in_use};

		for (uint32_t i = 0; i < sizeof(number) / sizeof(*number); i++)
			add_number(&w->part, i + 1, number[i]);

		/* Add outputs in order of slots; of equal ones the last. */
		size_t count = m->rest->output_count;
		struct keyed *item = arena_array(w->scratch, 2 * (count + 1), sizeof(*item));

		for (size_t i = 0; i < count; i++)
			item[i] = (struct keyed){m->rest->output[i].slot, (int64_t)i};
		order_by_key(item, item + count, count);
		for (size_t i = 0; i < count; i++) {
			const struct exec_output *output = &m->rest->output[item[i].value];

			if (i + 1 < count && item[i + 1].key == item[i].key)
				continue;
			add_number(&w->inner, 1, output->bytes);
			add_number(&w->inner, 2, (int64_t)output->address);
			add_numbered(w, &w->part, MEMORY_OUTPUTS, output->slot, &w->inner);
		}
		protobuf_add_message(&w->exec, EXEC_MEMORY, &w->part);
	}
}

static void add_allocations(struct profile_writer *w, const struct exec *exec)
{
	const struct graph_detail *detail = w->detail;

	for (; w->allocation < detail->allocation_count; w->allocation++) {
		const struct exec_allocation *a = &detail->allocation[w->allocation];

		if (a->node != exec->node || a->step != exec->step)
			return;
		add_number(&w->part, 1, a->alloc_micros);
		add_number(&w->part, 2, a->alloc_bytes);
		protobuf_add_message(&w->exec, EXEC_ALLOCATIONS, &w->part);
	}
}

static void add_exec(struct profile_writer *w, const struct exec *exec)
{
	const struct graph_detail *detail = w->detail;
	size_t from = w->time;

	while (w->time < detail->time_count && detail->time[w->time].node == exec->node &&
		detail->time[w->time].step == exec->step)
		w->time++;
	add_number(&w->exec, EXEC_RUN_COUNT, exec->run_count);
	add_number(&w->exec, EXEC_START, exec->start_micros);
	add_number(&w->exec, EXEC_END, exec->end_micros);
	add_times(w, true, from, w->time);
	add_times(w, false, from, w->time);
	add_devices(w, exec);
	add_memory(w, exec);
	add_allocations(w, exec);
	add_numbered(w, &w->node, NODE_EXECS, exec->step, &w->exec);
}

/* ---- everything ---- */

static void write_node(struct profile_writer *w, uint32_t index)
{
	const struct graph_node *node = &w->graph->node[index];
	const struct node_detail *detail = &w->detail->node[index];

	arena_reset(w->scratch);
	add_string(&w->node, NODE_NAME, node->name);
	for (size_t i = 0; i < detail->input_count; i++) {
		const struct graph_input *input = &detail->input[i];

		add_pair(w, &w->node, NODE_INPUTS, input->index,
			input->source == NO_NODE ? -1 : (int64_t)input->source);
	}
	add_numbers(w, &w->node, NODE_SHAPE, node->shape, node->shape_count);
	for (size_t i = 0; i < node->op_type_count; i++)
		protobuf_add_string(&w->node, NODE_OP_TYPES, node->op_types[i]);
	add_string(&w->node, NODE_CANONICAL_DEVICE, node->canonical_device);
	add_string(&w->node, NODE_HOST_DEVICE, node->host_device);
	add_number(&w->node, NODE_FLOAT_OPS, node->float_ops);
	add_string(&w->node, NODE_OP, node->op);
	if (detail->trace) {
		for (size_t i = 0; i < detail->trace_count; i++) {
			const struct graph_frame *frame = &detail->trace[i];

			add_number(&w->inner, FRAME_LINE, frame->line);
			add_number(&w->inner, FRAME_FUNC_START, frame->func_start_line);
			add_number(&w->inner, FRAME_FILE_ID, text_id(w, frame->file));
			add_number(&w->inner, FRAME_FUNCTION_ID, text_id(w, frame->function));
			add_number(&w->inner, FRAME_TEXT_ID, text_id(w, frame->text));
			protobuf_add_message(&w->part, TRACE_FRAMES, &w->inner);
		}
		protobuf_add_message(&w->node, NODE_TRACE, &w->part);
	}
	add_attributes(w, index);
	for (size_t i = 0; i < node->exec_count; i++)
		add_exec(w, &w->graph->exec[node->exec_first + i]);
	add_number(&w->node, NODE_ID, index);

	/* Add outputs in order of their sources; a source that is not in the graph has no number to
	 * write here. */
	size_t count = 0;
	struct keyed *item =
		arena_array(w->scratch, 2 * (detail->source_output_count + 1), sizeof(*item));

	for (size_t i = 0; i < detail->source_output_count; i++) {
		const struct graph_source_output *from = &detail->source_output[i];

		if (from->source != NO_NODE)
			item[count++] = (struct keyed){from->source, from->output};
	}
	order_by_key(item, item + count, count);
	for (size_t i = 0; i < count; i++)
		add_pair(w, &w->node, NODE_SOURCE_OUTPUTS, item[i].key, item[i].value);
	for (size_t i = 0; i < detail->output_count; i++) {
		const struct graph_shape *shape = &detail->output[i];

		add_numbers(w, &w->inner, TUPLE_NUMBERS, shape->dim, shape->dim_count);
		add_numbered(w, &w->node, NODE_OUTPUT_SHAPES, shape->index, &w->inner);
	}
	add_numbered(w, &w->exec, PROFILE_NODES, index, &w->node);
	outfile_write(w->out, text_string(&w->exec), w->exec.size);
	text_clear(&w->exec);
}

void profile_write(const struct graph *graph, struct outfile *out)
{
	struct arena *arena = arena_new();
	struct profile_writer w = {
		.graph = graph,
		.detail = graph->detail,
		.out = out,
		.arena = arena,
		.texts = intern_new(arena),
		.scratch = arena_new(),
	};
	struct text *const buffer[] = {&w.node, &w.exec, &w.part, &w.inner, &w.numbers, &w.entry};
	const size_t buffers = sizeof(buffer) / sizeof(*buffer);

	for (size_t i = 0; i < buffers; i++)
		text_init(buffer[i]);
	if (graph->has_trace)
		text_id(&w, NO_TEXT);
	for (size_t i = 0; i < graph->node_count; i++)
		write_node(&w, (uint32_t)i);

	/* Write the fields after the nodes. */
	bool misses = w.detail->misses_stream || w.detail->profile_misses_stream;

	add_number(&w.node, PROFILE_HAS_TRACE, w.graph->has_trace);
	add_numbers(&w, &w.node, PROFILE_STEPS, w.graph->step, w.graph->step_count);
	for (uint32_t i = 0; i < intern_count(w.texts); i++) {
		const char *text = intern_name(w.texts, i);

		protobuf_add_number(&w.entry, MAP_KEY, i);
		protobuf_add_string(&w.entry, MAP_VALUE, text);
		protobuf_add_message(&w.node, PROFILE_TEXTS, &w.entry);
	}
	add_number(&w.node, PROFILE_MISSES_STREAM, misses);
	outfile_write(w.out, text_string(&w.node), w.node.size);
	for (size_t i = 0; i < buffers; i++)
		text_release(buffer[i]);
	arena_free(w.scratch);
	arena_free(arena);
}
