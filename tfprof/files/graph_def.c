/* Reading of GraphDef and OpLogProto. Nodes and entries are brought into small binary messages,
 * from the stream or from text, and unpacked one by one; constants never get into memory. */
#include "tfprof/files/graph_def.h"

#include <string.h>
#include "base/text.h"
#include "tfprof/files/tfprof_detail.h"
#include "base/output/protobuf_writer.h"
#include "ingest/proto/graph_def.pb-c.h"
#include "ingest/protobuf/message_shape.h"
#include "ingest/protobuf/text_proto.h"
#include "ingest/protobuf/wire.h"
#include "tfprof/graph/graph_detail.h"

#define A_NODE "a node of the graph"
#define AN_ENTRY "an entry of the op log"
#define ATTRIBUTE_MOST 4096 /* a larger one is a constant or a list, no shape */
#define KEY_BYTES 32	    /* enough to recognise the key of an attribute */

struct graph_reader {
	struct input *in;
	struct graph *graph;
	const struct read_options *opt;
	struct arena *scratch;	  /* of one node or entry */
	struct text small;	  /* its wanted fields, binary */
	struct code_trace *trace; /* of the op log; NULL: not wanted */
	bool textual;		  /* the file is text */
};

static void graph_issue(struct graph_reader *r, enum issue_severity severity, const char *code,
	const char *text, const char *node)
{
	struct text place;

	text_init(&place);
	text_printf(&place, "%s: op ", input_path(r->in));
	text_add_visible(&place, node);
	issue_add(&r->graph->issues, severity, code, text, 1, text_string(&place));
	text_release(&place);
}

static const char *word_of(struct graph_reader *r, const ProtobufCBinaryData *data)
{
	return graph_word(r->graph, (const char *)data->data, data->len, NULL);
}

/* A scalar of known rank counts as one element. */
static void set_shape(struct graph_reader *r, uint32_t index, const Graph__TensorShape *shape)
{
	struct graph_node *node = &r->graph->node[index];
	size_t count = shape->n_dim;

	if (count == 0 && shape->unknown_rank)
		return;
	node->shape_count = count ? count : 1;
	node->shape = arena_array(r->graph->arena, node->shape_count, sizeof(*node->shape));
	node->shape[0] = 1;
	for (size_t i = 0; i < count; i++)
		node->shape[i] = shape->dim[i]->size;
}

static bool is_shape(const Graph__Attr *attr)
{
	return text_is(attr->key.data, attr->key.len, "shape") && attr->value && attr->value->shape;
}

static bool has_key(const Graph__AttrDetail *attr, const char *key)
{
	return attr->value && text_is(attr->key.data, attr->key.len, key);
}

/* Sets the shapes of outputs as tfprof does: a scalar has one dimension of 1, a shape of unknown
 * rank none. */
static void set_outputs(
	struct graph_detail *detail, struct node_detail *to, const Graph__ListValue *list)
{
	to->output = arena_array(detail->arena, list->n_shape, sizeof(*to->output));
	to->output_count = list->n_shape;
	for (size_t i = 0; i < list->n_shape; i++) {
		const Graph__TensorShape *from = list->shape[i];
		struct graph_shape *shape = &to->output[i];

		shape->index = (int32_t)i;
		shape->dim_count = from->n_dim || from->unknown_rank ? from->n_dim : 1;
		if (shape->dim_count == 0)
			continue;
		shape->dim = arena_array(detail->arena, shape->dim_count, sizeof(*shape->dim));
		shape->dim[0] = 1;
		for (size_t k = 0; k < from->n_dim; k++)
			shape->dim[k] = from->dim[k]->size;
	}
}

/* A value that was text in the binary form that TensorFlow gives it: repeated numbers packed.
 * False: damaged. */
static bool pack_value(struct graph_reader *r, struct graph_attribute *attribute)
{
	ProtobufCAllocator allocator = arena_allocator(r->scratch);
	Graph__AttrValueWhole *value = graph__attr_value_whole__unpack(
		&allocator, attribute->value_size, attribute->value);
	unsigned char *bytes;

	if (!value)
		return false;
	attribute->value_size = graph__attr_value_whole__get_packed_size(value);
	bytes = arena_alloc(r->scratch, attribute->value_size);
	graph__attr_value_whole__pack(value, bytes);
	attribute->value = bytes;
	return true;
}

/* Every attribute of the node whose fields are in `small`. False: damaged. */
static bool add_attributes(struct graph_reader *r, uint32_t index)
{
	const unsigned char *bytes = (const unsigned char *)text_string(&r->small);
	struct wire w = {bytes, bytes + r->small.size};
	struct wire_field f, inner;
	enum wire_result got = WIRE_END, part = WIRE_END;

	while (part == WIRE_END && (got = wire_next(&w, &f)) == WIRE_FIELD) {
		struct graph_attribute to = {.node = index, .key = ""};

		if (f.number != 5 || f.type != WIRE_BYTES)
			continue;
		for (struct wire at = wire_inside(&f);
			(part = wire_next(&at, &inner)) == WIRE_FIELD;)
			if (inner.number == 1 && inner.type == WIRE_BYTES) {
				to.key = (const char *)inner.bytes;
				to.key_size = inner.size;
			} else if (inner.number == 2 && inner.type == WIRE_BYTES) {
				to.value = inner.bytes;
				to.value_size = inner.size;
			}
		if (r->textual && to.value && !pack_value(r, &to))
			return false;
		if (part == WIRE_END)
			graph_detail_add_attribute(r->graph->detail, &to);
	}
	return part == WIRE_END && got == WIRE_END;
}

/* Adds the details that the views need of the node that was added last. */
static int add_detail(struct graph_reader *r, uint32_t index, uint64_t start, struct error *err)
{
	struct graph_detail *detail = r->graph->detail;
	ProtobufCAllocator allocator = arena_allocator(r->scratch);
	const uint8_t *bytes = (const uint8_t *)text_string(&r->small);
	Graph__NodeDetail *def = graph__node_detail__unpack(&allocator, r->small.size, bytes);
	const char **input;

	if (!def || (detail->whole && !add_attributes(r, index)))
		return wire_damaged(r->in, start, A_NODE, err);
	input = arena_array(r->scratch, def->n_input, sizeof(*input));
	for (size_t i = 0; i < def->n_input; i++)
		input[i] = word_of(r, &def->input[i]);
	graph_detail_inputs(detail, index, input, def->n_input);
	for (size_t i = 0; i < def->n_attr; i++) {
		const Graph__AttrValueDetail *value = def->attr[i]->value;

		if (has_key(def->attr[i], "_output_shapes") && value->list)
			set_outputs(detail, &detail->node[index], value->list);
		else if (has_key(def->attr[i], "data_format"))
			detail->node[index].data_format = graph_detail_word(
				detail, (const char *)value->s.data, value->s.len);
	}
	return 0;
}

/* Returns whether it is a new one. */
static bool add_node(struct graph_reader *r, const Graph__NodeDef *def)
{
	const char *name = word_of(r, &def->name);
	uint32_t index;

	if (graph_node_find(r->graph, name, &index)) {
		graph_issue(r, ISSUE_LOSS, "node-repeated",
			"nodes whose name another node has already, left out", name);
		return false;
	}
	index = graph_node_add(r->graph, name);
	r->graph->node[index].op = word_of(r, &def->op);
	graph_node_type(r->graph, index, r->graph->node[index].op);
	for (size_t i = 0; i < def->n_attr; i++)
		if (is_shape(def->attr[i]))
			set_shape(r, index, def->attr[i]->value->shape);
	return true;
}

/* The node whose wanted fields are in `small`. */
static int unpack_node(struct graph_reader *r, uint64_t start, struct error *err)
{
	ProtobufCAllocator allocator = arena_allocator(r->scratch);
	const uint8_t *bytes = (const uint8_t *)text_string(&r->small);
	Graph__NodeDef *def = graph__node_def__unpack(&allocator, r->small.size, bytes);

	if (!def)
		return wire_damaged(r->in, start, A_NODE, err);
	if (r->graph->node_count >= UINT32_MAX - 2)
		return error_set(err, ERROR_LIMIT, input_path(r->in), "too many nodes");
	if (add_node(r, def) && r->graph->detail &&
		add_detail(r, (uint32_t)r->graph->node_count - 1, start, err))
		return -1;
	arena_reset(r->scratch);
	text_clear(&r->small);
	return 0;
}

/* An attribute begins with its key, as every writer has it, and is one that the views need. */
static bool is_detail_attribute(const unsigned char *bytes, size_t size)
{
	static const char *const keys[] = {"shape", "_output_shapes", "data_format"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t n = strlen(keys[i]);

		if (size >= n + 2 && bytes[0] == (1 << 3 | WIRE_BYTES) && bytes[1] == n &&
			memcmp(bytes + 2, keys[i], n) == 0)
			return true;
	}
	return false;
}

/* 1: a field of a node that goes to `small`: name, op and small attributes, and for the views
 * inputs and large shapes; 0: it is passed over; -1. */
static int wants_node_field(struct graph_reader *r, const struct wire_field *f, struct error *err)
{
	const unsigned char *bytes;
	size_t size;

	if (f->number == 1 || f->number == 2 || (f->number == 5 && f->size <= ATTRIBUTE_MOST))
		return 1;
	if (!r->graph->detail || f->number != 5)
		return r->graph->detail && f->number == 3;
	if (r->graph->detail->whole)
		return 1;
	if (input_peek(r->in, KEY_BYTES, &bytes, &size, err))
		return -1;
	return is_detail_attribute(bytes, size < f->size ? size : f->size);
}

static int read_node_field(struct graph_reader *r, const struct wire_field *f, struct error *err)
{
	const unsigned char *bytes;

	if (f->type != WIRE_BYTES)
		return 0;
	int wants = wants_node_field(r, f, err);

	if (wants <= 0)
		return wants ? wants : input_discard(r->in, f->size, A_NODE, err);
	if (input_read(r->in, f->size, r->opt->max_record_bytes, A_NODE, &bytes, err))
		return -1;
	protobuf_add_bytes(&r->small, f->number, bytes, f->size);
	return 0;
}

static int read_node(struct graph_reader *r, uint64_t end, struct error *err)
{
	uint64_t start = input_offset(r->in);
	struct wire_field f;
	int got;

	while ((got = wire_stream_next(r->in, end, A_NODE, &f, err)) > 0)
		if (read_node_field(r, &f, err))
			return -1;
	return got < 0 ? -1 : unpack_node(r, start, err);
}

static int read_graph(struct graph_reader *r, struct error *err)
{
	struct wire_field f;
	int got;

	while ((got = wire_stream_next(r->in, UINT64_MAX, "the graph", &f, err)) > 0) {
		if (f.type != WIRE_BYTES)
			continue;
		if (f.number == 1 ? read_node(r, input_offset(r->in) + f.size, err)
				  : input_discard(r->in, f.size, "the graph", err))
			return -1;
	}
	return got;
}

static int read_graph_text(struct graph_reader *r, struct text_proto *t, struct error *err)
{
	const struct graph_detail *detail = r->graph->detail;
	const ProtobufCMessageDescriptor *wanted = !detail ? &graph__node_def__descriptor
						   : detail->whole
							   ? &graph__node_whole__descriptor
							   : &graph__node_detail__descriptor;
	const char *name;
	int got;

	while ((got = text_proto_next(t, &name, err)) > 0) {
		if (!text_equal(name, "node")) {
			if (text_proto_skip(t, err))
				return -1;
			continue;
		}
		if (text_proto_encode(t, wanted, &r->small, err) || unpack_node(r, 0, err))
			return -1;
	}
	return got;
}

/* The op log's entry in `small`. */
static int unpack_entry(struct graph_reader *r, uint64_t start, struct error *err)
{
	ProtobufCAllocator allocator = arena_allocator(r->scratch);
	const uint8_t *bytes = (const uint8_t *)text_string(&r->small);
	Graph__OpLogEntry *entry = graph__op_log_entry__unpack(&allocator, r->small.size, bytes);
	uint32_t index;

	if (!entry)
		return wire_damaged(r->in, start, AN_ENTRY, err);
	const char *name = word_of(r, &entry->name);

	if (graph_node_find(r->graph, name, &index)) {
		for (size_t i = 0; i < entry->n_types; i++)
			graph_node_type(r->graph, index, word_of(r, &entry->types[i]));
		if (entry->float_ops)
			r->graph->node[index].float_ops = entry->float_ops;
		if (r->trace)
			r->graph->has_trace |= code_trace_store(
				r->trace, r->graph->detail->node[index].trace
						  ? NULL
						  : &r->graph->detail->node[index]);
	} else {
		graph_issue(r, ISSUE_INFO, "log-unknown",
			"entries of the op log for names that are not in the graph, left out",
			name);
		if (r->trace)
			code_trace_store(r->trace, NULL);
	}
	arena_reset(r->scratch);
	text_clear(&r->small);
	return 0;
}

/* A code trace of an entry: for the views, or passed over. */
static int read_trace(struct graph_reader *r, size_t size, struct error *err)
{
	const unsigned char *bytes;
	uint64_t start = input_offset(r->in);

	if (!r->trace)
		return input_discard(r->in, size, AN_ENTRY, err);
	if (input_read(r->in, size, r->opt->max_record_bytes, AN_ENTRY, &bytes, err))
		return -1;
	return code_trace_add(r->trace, bytes, size) ? 0
						     : wire_damaged(r->in, start, AN_ENTRY, err);
}

/* name, float_ops, types and code trace. */
static int read_entry(struct graph_reader *r, uint64_t end, struct error *err)
{
	uint64_t start = input_offset(r->in);
	const unsigned char *bytes;
	struct wire_field f;
	int got;

	while ((got = wire_stream_next(r->in, end, AN_ENTRY, &f, err)) > 0) {
		if (f.type == WIRE_VARINT && f.number == 2) {
			protobuf_add_number(&r->small, f.number, f.value);
		} else if (f.type == WIRE_BYTES && (f.number == 1 || f.number == 3)) {
			if (input_read(
				    r->in, f.size, r->opt->max_record_bytes, AN_ENTRY, &bytes, err))
				return -1;
			protobuf_add_bytes(&r->small, f.number, bytes, f.size);
		} else if (f.type == WIRE_BYTES) {
			r->graph->has_trace |= f.number == 4 && !r->trace;
			if (f.number == 4 ? read_trace(r, f.size, err)
					  : input_discard(r->in, f.size, AN_ENTRY, err))
				return -1;
		}
	}
	return got < 0 ? -1 : unpack_entry(r, start, err);
}

static int read_text(struct graph_reader *r, size_t size, struct error *err)
{
	const unsigned char *bytes;
	uint64_t start = input_offset(r->in);

	if (input_read(r->in, size, r->opt->max_record_bytes, "a text", &bytes, err))
		return -1;
	return code_trace_text(r->trace, bytes, size) ? 0
						      : wire_damaged(r->in, start, "a text", err);
}

static int read_log(struct graph_reader *r, struct error *err)
{
	struct wire_field f;
	int got;

	while ((got = wire_stream_next(r->in, UINT64_MAX, "the op log", &f, err)) > 0) {
		if (f.type != WIRE_BYTES)
			continue;
		if (f.number == 2 && r->trace) {
			if (read_text(r, f.size, err))
				return -1;
			continue;
		}
		if (f.number == 1 ? read_entry(r, input_offset(r->in) + f.size, err)
				  : input_discard(r->in, f.size, "the op log", err))
			return -1;
	}
	return got;
}

static int read_log_text(struct graph_reader *r, struct text_proto *t, struct error *err)
{
	const char *name;
	int got;

	while ((got = text_proto_next(t, &name, err)) > 0) {
		if (text_equal(name, "log_entries")) {
			if (text_proto_encode(
				    t, &graph__op_log_entry__descriptor, &r->small, err) ||
				unpack_entry(r, 0, err))
				return -1;
		} else if (text_proto_skip(t, err)) {
			return -1;
		}
	}
	return got;
}

static int read_either(struct input *in, struct graph *graph, const struct read_options *opt,
	int (*binary)(struct graph_reader *r, struct error *err),
	int (*textual)(struct graph_reader *r, struct text_proto *t, struct error *err),
	struct error *err)
{
	struct graph_reader r = {.in = in, .graph = graph, .opt = opt};
	bool text;
	int result;

	if (text_proto_is_text(in, &text, err))
		return -1;
	text_init(&r.small);
	r.scratch = arena_new();
	r.trace = graph->detail ? code_trace_new(graph->detail) : NULL;
	if (text) {
		struct text_proto *t = text_proto_new(in, opt->max_record_bytes);

		r.textual = true;
		result = textual(&r, t, err);
		text_proto_free(t);
	} else {
		result = binary(&r, err);
	}
	if (result == 0)
		input_report_tail(in, &graph->issues);
	if (result == 0 && r.trace)
		code_trace_finish(r.trace);
	code_trace_free(r.trace);
	text_release(&r.small);
	arena_free(r.scratch);
	return result;
}

int graph_def_read(
	struct input *in, struct graph *graph, const struct read_options *opt, struct error *err)
{
	return read_either(in, graph, opt, read_graph, read_graph_text, err);
}

int op_log_read(
	struct input *in, struct graph *graph, const struct read_options *opt, struct error *err)
{
	return read_either(in, graph, opt, read_log, read_log_text, err);
}

/* A file that is surely of another kind than its option says. */
static int check_kind(struct input *in, int (*probe_kind)(const struct probe *p),
	const char *option, const char *wanted, struct error *err)
{
	struct probe probe;
	struct error nobody = {.kind = ERROR_NONE};
	bool text;

	if (probe_input(in, &probe, err) || text_proto_is_text(in, &text, err))
		return -1;
	if (probe.size == 0)
		return error_set(err, ERROR_INPUT, probe.path, "empty file");
	if (text || probe_kind(&probe) > 0)
		return 0;
	const struct reader *reader = reader_detect(&probe, &nobody);

	return error_set(err, ERROR_INPUT, probe.path, "expected %s for %s, found: %s", wanted,
		option, reader ? reader->title : nobody.message);
}

static int read_file(const char *path, struct graph *graph, bool log,
	const struct read_options *opt, struct error *err)
{
	struct input *in = input_open(path, err);
	int result;

	if (!in)
		return -1;
	if (log)
		result = check_kind(
			in, shape_probe_op_log, "--op-log", "tfprof's op log (tfprof_log)", err);
	else
		result = check_kind(in, shape_probe_graph, "--graph",
			"a GraphDef (graph.pb, graph.pbtxt)", err);
	if (result == 0 && !log)
		graph->path = arena_strdup(graph->arena, input_path(in));
	if (result == 0)
		result = log ? op_log_read(in, graph, opt, err)
			     : graph_def_read(in, graph, opt, err);
	input_close(in);
	return result;
}

struct graph *graph_read_files(const char *graph_path, const char *op_log_path,
	const struct read_options *opt, struct error *err)
{
	struct graph *graph = graph_new();

	if (read_file(graph_path, graph, false, opt, err) ||
		(op_log_path && read_file(op_log_path, graph, true, opt, err))) {
		graph_free(graph);
		return NULL;
	}
	graph->no_float_ops = op_log_path == NULL;
	return graph;
}
