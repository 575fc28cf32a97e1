/* Reader of tfprof's ProfileProto (profile_N, TensorFlow 1.4 and later). The outer levels are
 * framed from the stream, one execution record in memory at a time; what is not needed (attributes
 * with their constants, code traces) is passed over. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "base/output/protobuf_writer.h"
#include "ingest/protobuf/text_proto.h"
#include "ingest/proto/tfprof.pb-c.h"
#include "ingest/protobuf/message_shape.h"
#include "tfprof/files/tfprof.h"
#include "tfprof/files/tfprof_detail.h"
#include "ingest/protobuf/wire.h"
#include "tfprof/graph/host_trace.h"
#include "model/op_shape.h"

#define A_NODE "a node"
#define AN_EXECUTION "an execution"
#define EXECS_FIELD 12 /* of a node */
#define OUTPUTS_FIELD 15

/* Data of a node beside its graph_node; same index. */
struct node_place {
	int64_t key; /* of the nodes map: what inputs refer to */
	uint32_t node;
	size_t exec_first, exec_count;
	size_t interval_first, interval_count;
	size_t input_first, input_count;
	size_t malformed, old_layout; /* executions, for the issues */
	bool dropped;
};

/* An execution of the present node, with its intervals in the walker. */
struct pending {
	struct exec exec;
	size_t interval_first, interval_count;
	struct graph_detail_mark detail_first, detail_end; /* what it added to the graph's detail */
};

struct tfprof_reader {
	struct input *in;
	struct graph *graph;
	struct issue_list *issues;
	const struct read_options *opt;
	struct arena *scratch;	  /* of one node */
	struct text small;	  /* the wanted small fields of the present node */
	struct op_output *output; /* of the present node; dimensions are in scratch */
	size_t output_count, output_room;
	struct text shape;	   /* of them */
	struct exec_walker walker; /* intervals of the present node */
	struct pending *pending;
	size_t pending_count, pending_room;
	struct keyed *turn; /* pending by step: the order of the file, then of the steps */
	size_t turn_room;
	struct node_place *place;
	size_t place_count, place_room;
	int64_t *input; /* node keys */
	size_t input_count, input_room;
	size_t malformed, old_layout; /* of the present node */
	size_t host_untimed;	      /* executions of the host tracer alone */
	struct tfprof_detail *detail; /* NULL: not wanted */
};

static void reader_issue(struct tfprof_reader *r, enum issue_severity severity, const char *code,
	const char *text, size_t count, const struct graph_node *node)
{
	struct text place;

	if (count == 0)
		return;
	text_init(&place);
	text_add(&place, input_path(r->in));
	if (node) {
		text_add(&place, ": op ");
		text_add_visible(&place, node->name);
	}
	issue_add(r->issues, severity, code, text, count, text_string(&place));
	text_release(&place);
}

/* A string of the file as a word of the graph; a zero inside is made visible. */
static const char *reader_word(struct tfprof_reader *r, const ProtobufCBinaryData *data)
{
	bool had_zero = false;
	const char *word = graph_word(r->graph, (const char *)data->data, data->len, &had_zero);

	reader_issue(r, ISSUE_INFO, "name-zero", "names with a zero byte inside, shown as \\0",
		had_zero, NULL);
	return word;
}

/* The fields of a node that go to the unpacker. */
static bool is_small_field(const struct tfprof_reader *r, const struct wire_field *f)
{
	switch (f->number) {
	case 14: /* src_output_index */
		return f->type == WIRE_BYTES && r->detail;
	case 1: /* name */
	case 2: /* inputs */
	case 5: /* op_types */
	case 6: /* canonical_device */
	case 7: /* host_device */
	case 9: /* op */
		return f->type == WIRE_BYTES;
	case 4: /* shape */
		return f->type == WIRE_BYTES || f->type == WIRE_VARINT;
	case 8: /* float_ops */
		return f->type == WIRE_VARINT;
	default:
		return false;
	}
}

static int copy_small_field(struct tfprof_reader *r, const struct wire_field *f, struct error *err)
{
	const unsigned char *bytes;
	size_t cap = r->opt->max_record_bytes;

	if (f->type == WIRE_VARINT) {
		protobuf_add_number(&r->small, f->number, f->value);
		return 0;
	}
	cap = r->small.size < cap ? cap - r->small.size : 0;
	if (input_read(r->in, f->size, cap, A_NODE, &bytes, err))
		return -1;
	protobuf_add_bytes(&r->small, f->number, bytes, f->size);
	return 0;
}

/* The numbers of a Tuple: packed, or one by one; no more than the text has room for. An unknown
 * number of dimensions is none, and a scalar has one of 1 already. */
static bool walk_tuple(struct tfprof_reader *r, struct wire w, struct op_output *to)
{
	size_t size = (size_t)(w.end - w.at);
	size_t room = size < OP_SHAPE_MOST || r->detail ? size : OP_SHAPE_MOST;
	int64_t *dim = arena_array(r->scratch, room, sizeof(*dim));
	struct wire_field f;
	enum wire_result got;
	size_t n = 0;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.number == 1 && f.type == WIRE_VARINT && n < room)
			dim[n++] = (int64_t)f.value;
		if (f.number != 1 || f.type != WIRE_BYTES)
			continue;
		for (struct wire packed = wire_inside(&f); packed.at < packed.end;) {
			uint64_t value;

			if (!wire_varint(&packed, &value))
				return false;
			if (n < room)
				dim[n++] = (int64_t)value;
		}
	}
	to->known = n > 0;
	to->dim = dim;
	to->dim_count = n;
	return got == WIRE_END;
}

/* One entry of output_shapes, {index, Tuple}. */
static int read_output(struct tfprof_reader *r, size_t size, struct error *err)
{
	const unsigned char *bytes;
	uint64_t base = input_offset(r->in);
	struct op_output to = {0};
	struct wire_field f;
	enum wire_result got;
	bool good = true;

	if (r->output_count > OP_SHAPE_MOST && !r->detail) /* too many for a text */
		return input_discard(r->in, size, A_NODE, err);
	if (input_read(r->in, size, r->opt->max_record_bytes, A_NODE, &bytes, err))
		return -1;
	struct wire w = {bytes, bytes + size};

	while (good && (got = wire_next(&w, &f)) == WIRE_FIELD)
		if (f.number == 1 && f.type == WIRE_VARINT)
			to.index = (int32_t)f.value;
		else if (f.number == 2 && f.type == WIRE_BYTES)
			good = walk_tuple(r, wire_inside(&f), &to);
	if (!good || got == WIRE_BAD)
		return wire_damaged(r->in, base, A_NODE, err);
	r->output = memory_make_room(
		r->output, &r->output_room, r->output_count + 1, sizeof(*r->output));
	r->output[r->output_count++] = to;
	return 0;
}

/* True if a dump has only the start of an execution that the host tracer recorded; such an
 * execution is not even a call. tfprof shows 0us. */
static bool is_untimed(const struct tfprof_reader *r, const struct exec *exec)
{
	return !r->detail && r->walker.host_seen && r->walker.entry_count == 0 &&
	       exec->run_count == 0;
}

/* One entry of execs, {step, ExecProfile}, that begins at offset `base` of the input. */
static int walk_exec(struct tfprof_reader *r, const unsigned char *bytes, size_t size,
	uint64_t base, struct error *err)
{
	struct wire_field f;
	enum wire_result got;

	r->pending = memory_make_room(
		r->pending, &r->pending_room, r->pending_count + 1, sizeof(*r->pending));
	struct pending *p = &r->pending[r->pending_count];
	struct wire w = {bytes, bytes + size};
	int64_t step = 0;

	if (r->detail) {
		r->walker.node = (uint32_t)r->graph->node_count;
		p->detail_first = graph_detail_mark(r->graph->detail);
	}
	exec_walker_begin(&r->walker, &p->exec);
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.number == 1 && f.type == WIRE_VARINT)
			step = (int64_t)f.value;
		if (f.number != 2 || f.type != WIRE_BYTES)
			continue;
		const unsigned char *bad = exec_walker_add(&r->walker, &p->exec, f.bytes, f.size);

		if (bad)
			return wire_damaged(
				r->in, base + (uint64_t)(bad - bytes), AN_EXECUTION, err);
	}
	if (got == WIRE_BAD)
		return wire_damaged(r->in, base + (uint64_t)(w.at - bytes), AN_EXECUTION, err);
	p->exec.step = step;
	exec_walker_end(&r->walker, &p->exec);
	if (is_untimed(r, &p->exec)) {
		r->host_untimed++;
		return 0;
	}
	r->pending_count++;
	if (r->detail) {
		/* Sets the step in all records (memory, allocations, devices) that the execution
		 * has added to the graph's detail, and marks where they end. */
		struct graph_detail *detail = r->graph->detail;

		p->detail_end = graph_detail_mark(detail);
		for (size_t i = p->detail_first.memory; i < p->detail_end.memory; i++)
			detail->exec_memory[i].step = p->exec.step;
		for (size_t i = p->detail_first.allocation; i < p->detail_end.allocation; i++)
			detail->allocation[i].step = p->exec.step;
		for (size_t i = p->detail_first.device; i < p->detail_end.device; i++)
			detail->device[i].step = p->exec.step;
	}
	p->interval_first = r->walker.first_interval;
	p->interval_count = r->walker.interval_count - p->interval_first;
	r->malformed += r->walker.malformed;
	r->old_layout += r->walker.old_layout;
	return 0;
}

static int read_exec(struct tfprof_reader *r, size_t size, struct error *err)
{
	const unsigned char *bytes;
	uint64_t base = input_offset(r->in);

	if (input_read(r->in, size, r->opt->max_record_bytes, AN_EXECUTION, &bytes, err))
		return -1;
	return walk_exec(r, bytes, size, base, err);
}

/* The entries of execs that are whole in the window of the input, one after the other: most of a
 * dump goes this way, and nothing is copied or asked of the input for each. What is left is the
 * stream's. */
static int read_execs_in_view(struct tfprof_reader *r, uint64_t end, struct error *err)
{
	const unsigned char *bytes;
	uint64_t base = input_offset(r->in);
	struct wire_field f;
	size_t size;

	if (base == end)
		return 0;
	if (input_peek(r->in, 1, &bytes, &size, err))
		return -1;
	if (size > end - base)
		size = (size_t)(end - base);
	struct wire w = {bytes, bytes + size};
	const unsigned char *done = bytes;

	while (w.at < w.end && *w.at == (EXECS_FIELD << 3 | WIRE_BYTES) &&
		wire_next(&w, &f) == WIRE_FIELD && f.size <= r->opt->max_record_bytes) {
		if (walk_exec(r, f.bytes, f.size, base + (uint64_t)(f.bytes - bytes), err))
			return -1;
		done = w.at;
	}
	input_skip(r->in, (size_t)(done - bytes));
	return 0;
}

/* The value of an entry of nodes, up to offset `end`. */
static int read_node(struct tfprof_reader *r, uint64_t end, struct error *err)
{
	struct wire_field f;
	int got;

	while ((got = wire_stream_next(r->in, end, A_NODE, &f, err)) > 0) {
		int result = 0;

		if (f.number == EXECS_FIELD && f.type == WIRE_BYTES)
			result = read_exec(r, f.size, err) || read_execs_in_view(r, end, err);
		else if (tfprof_detail_wants(r->detail, &f))
			result = tfprof_detail_read(r->detail, r->in, &f, r->opt, err);
		else if (is_small_field(r, &f))
			result = copy_small_field(r, &f, err);
		else if (f.number == OUTPUTS_FIELD && f.type == WIRE_BYTES)
			result = read_output(r, f.size, err);
		else if (f.type == WIRE_BYTES)
			result = input_discard(r->in, f.size, A_NODE, err);
		if (result)
			return -1;
	}
	return got;
}

/* True if the execution took one time alone, the one from its start to its end. */
static bool is_own(const struct exec *exec, const struct interval *only)
{
	int64_t end;

	return !__builtin_add_overflow(only->start_micros, only->dur_micros, &end) &&
	       only->dur_micros >= 0 && only->start_micros > 0 &&
	       only->start_micros == exec->start_micros && end == exec->end_micros;
}

/* Adds the intervals of the execution that was pushed last. */
static void add_intervals(struct tfprof_reader *r, const struct pending *p)
{
	struct graph *graph = r->graph;
	struct exec *exec = &graph->exec[graph->exec_count - 1];
	const struct interval *from = r->walker.interval + p->interval_first;

	exec->own_interval = p->interval_count == 1 && is_own(exec, from);
	for (size_t k = 0; k < p->interval_count; k++) {
		graph_add_call(graph, graph_exec_total(graph) - 1,
			from[k].step ? CALLS_ACCELERATOR : CALLS_CPU, from[k].dur_micros);
		if (!exec->own_interval)
			*graph_push_interval(graph) = (struct interval){
				p->exec.step, from[k].start_micros, from[k].dur_micros};
	}
}

/* Moves the executions of the node into the graph, in order of steps; of one step the last. */
static int add_execs(struct tfprof_reader *r, struct node_place *place, struct error *err)
{
	struct graph *graph = r->graph;
	size_t count = r->pending_count;

	r->turn = memory_make_room(
		r->turn, &r->turn_room, memory_product(count, 2), sizeof(*r->turn));
	for (size_t i = 0; i < count; i++)
		r->turn[i] = (struct keyed){r->pending[i].exec.step, (int64_t)i};
	if (count)
		order_by_key(r->turn, r->turn + count, count);
	const struct keyed *turn = r->turn;

	for (size_t i = 0; i < r->pending_count; i++) {
		const struct pending *p = &r->pending[turn[i].value];

		if (i + 1 < r->pending_count && turn[i + 1].key == turn[i].key) {
			if (r->detail)
				graph_detail_drop(graph->detail, p->detail_first, p->detail_end);
			continue;
		}
		if (graph_exec_total(graph) >= r->opt->limits.observations) {
			error_set(err, ERROR_LIMIT, input_path(r->in),
				"more than %zu observations (ops times steps)",
				r->opt->limits.observations);
			return error_hint(err, "allow more with max-observations in stepstat.yaml");
		}
		*graph_push_exec(graph) = p->exec;
		add_intervals(r, p);
	}
	place->exec_count = graph_exec_total(graph) - place->exec_first;
	place->interval_count = graph->interval_count - place->interval_first;
	if (graph->pack)
		graph_pack_execs(graph, &graph->node[place->node]);
	return 0;
}

static const char *shape_word(struct tfprof_reader *r, struct op_output *output, size_t count)
{
	const char *shape = op_shape_text(output, count, &r->shape);

	return graph_word(r->graph, shape, strlen(shape), NULL);
}

/* The shapes of its outputs; where the file has none, its own `shape`, which is that of a variable
 * or a placeholder. */
static const char *output_shape(struct tfprof_reader *r, const Tfprof__Node *node)
{
	struct op_output own = {0, true, node->shape, node->n_shape};

	if (r->output_count)
		return shape_word(r, r->output, r->output_count);
	return node->n_shape ? shape_word(r, &own, 1) : NULL;
}

static void fill_types(struct tfprof_reader *r, struct graph_node *to, const Tfprof__Node *node)
{
	uint32_t index = (uint32_t)(to - r->graph->node);

	if (r->detail) { /* a set, as the original's */
		for (size_t i = 0; i < node->n_op_types; i++)
			graph_node_type(r->graph, index, reader_word(r, &node->op_types[i]));
		return;
	}
	to->op_type_count = node->n_op_types;
	to->op_types = arena_array(r->graph->arena, node->n_op_types, sizeof(*to->op_types));
	for (size_t i = 0; i < node->n_op_types; i++)
		to->op_types[i] = reader_word(r, &node->op_types[i]);
}

static void fill_node(struct tfprof_reader *r, struct graph_node *to, const Tfprof__Node *node)
{
	struct arena *arena = r->graph->arena;

	to->name = reader_word(r, &node->name);
	to->op = reader_word(r, &node->op);
	to->canonical_device = reader_word(r, &node->canonical_device);
	to->host_device = reader_word(r, &node->host_device);
	to->output_shape = r->detail ? NULL : output_shape(r, node);
	to->float_ops = node->float_ops;
	fill_types(r, to, node);
	to->shape_count = node->n_shape;
	if (node->n_shape == 0)
		return;
	to->shape = arena_array(arena, node->n_shape, sizeof(*to->shape));
	memcpy(to->shape, node->shape, node->n_shape * sizeof(*to->shape));
}

/* The node is complete: unpacks its small fields and files everything under its key. */
static int unpack_node(struct tfprof_reader *r, int64_t key, uint64_t start, struct error *err)
{
	ProtobufCAllocator allocator = arena_allocator(r->scratch);
	const uint8_t *bytes = (const uint8_t *)text_string(&r->small);
	Tfprof__Node *node = tfprof__node__unpack(&allocator, r->small.size, bytes);

	if (!node)
		return wire_damaged(r->in, start, A_NODE, err);
	if (r->graph->node_count >= UINT32_MAX - 1)
		return error_set(err, ERROR_LIMIT, input_path(r->in), "too many nodes");
	r->place =
		memory_make_room(r->place, &r->place_room, r->place_count + 1, sizeof(*r->place));
	struct node_place *place = &r->place[r->place_count++];

	*place = (struct node_place){
		.key = key,
		.node = (uint32_t)r->graph->node_count,
		.exec_first = graph_exec_total(r->graph),
		.interval_first = r->graph->interval_count,
		.malformed = r->malformed,
		.old_layout = r->old_layout,
	};
	fill_node(r, graph_push_node(r->graph), node);
	place->input_first = r->input_count;
	place->input_count = node->n_inputs;
	for (size_t i = 0; i < node->n_inputs; i++) {
		r->input = memory_make_room(
			r->input, &r->input_room, r->input_count + 1, sizeof(*r->input));
		r->input[r->input_count++] = node->inputs[i]->value;
	}
	if (r->detail)
		tfprof_detail_store(r->detail, node, r->output, r->output_count);
	return add_execs(r, place, err);
}

/* One entry of nodes: {key, ProfileNode}, up to offset `end`. */
static int read_node_entry(struct tfprof_reader *r, uint64_t end, struct error *err)
{
	uint64_t start = input_offset(r->in);
	struct wire_field f;
	int64_t key = 0;
	int got;

	text_clear(&r->small);
	arena_reset(r->scratch);
	r->pending_count = r->walker.interval_count = r->output_count = 0;
	r->malformed = r->old_layout = 0;
	while ((got = wire_stream_next(r->in, end, A_NODE, &f, err)) > 0) {
		if (f.number == 1 && f.type == WIRE_VARINT) {
			key = (int64_t)f.value;
		} else if (f.number == 2 && f.type == WIRE_BYTES) {
			if (read_node(r, input_offset(r->in) + f.size, err))
				return -1;
		} else if (f.type == WIRE_BYTES && input_discard(r->in, f.size, A_NODE, err)) {
			return -1;
		}
	}
	return got < 0 ? -1 : unpack_node(r, key, start, err);
}

static int add_step(struct tfprof_reader *r, uint64_t number, struct error *err)
{
	if (r->graph->step_count >= r->opt->limits.steps) {
		error_set(err, ERROR_LIMIT, input_path(r->in), "more than %zu steps",
			r->opt->limits.steps);
		return error_hint(err, "allow more with max-steps in stepstat.yaml");
	}
	*graph_push_step(r->graph) = (int64_t)number;
	return 0;
}

/* The field steps: one number, or many packed. */
static int read_steps(struct tfprof_reader *r, const struct wire_field *f, struct error *err)
{
	const unsigned char *bytes;
	uint64_t base = input_offset(r->in), number;

	if (f->type == WIRE_VARINT)
		return add_step(r, f->value, err);
	if (input_read(r->in, f->size, r->opt->max_record_bytes, "the list of steps", &bytes, err))
		return -1;
	for (struct wire w = {bytes, bytes + f->size}; w.at < w.end;) {
		if (!wire_varint(&w, &number))
			return wire_damaged(
				r->in, base + (uint64_t)(w.at - bytes), "the list of steps", err);
		if (add_step(r, number, err))
			return -1;
	}
	return 0;
}

ORDERED(compare_keys, struct node_place, ORDER(x->key, y->key) ?: ORDER(x->node, y->node));

/* Drops repeated nodes after sorting: of equal keys the last stays, of equal names the one of the
 * lowest key. */
static bool drop_repeated(struct tfprof_reader *r)
{
	struct arena *arena = arena_new();
	struct intern *seen = intern_new(arena);
	bool any = false;

	for (size_t i = 0; i < r->place_count; i++) {
		struct node_place *place = &r->place[i];
		const struct graph_node *node = &r->graph->node[place->node];
		uint32_t id;

		if (i + 1 < r->place_count && place[1].key == place->key) {
			place->dropped = true;
		} else if (intern_find(seen, node->name, strlen(node->name), &id)) {
			place->dropped = true;
			reader_issue(r, ISSUE_LOSS, "node-repeated",
				"nodes whose name another node has already, left out", 1, node);
		} else {
			intern_id(seen, node->name, strlen(node->name));
		}
		any |= place->dropped;
	}
	arena_free(arena);
	return any;
}

static bool has_key(const struct tfprof_reader *r, int64_t key)
{
	size_t low = 0, high = r->place_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->place[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->place_count && r->place[low].key == key;
}

/* Issues of the nodes that stay, in order of keys: the order of the file is by chance. */
static void report_nodes(struct tfprof_reader *r)
{
	for (size_t i = 0; i < r->place_count; i++) {
		const struct node_place *place = &r->place[i];
		const struct graph_node *node = &r->graph->node[place->node];
		size_t missing = 0;

		if (place->dropped)
			continue;
		for (size_t k = 0; k < place->input_count; k++)
			missing += !has_key(r, r->input[place->input_first + k]);
		reader_issue(r, ISSUE_INFO, "input-missing",
			"inputs that refer to a node that is not in the file", missing, node);
		reader_issue(r, ISSUE_LOSS, "time-malformed",
			"times that are not a start and a duration, left out", place->malformed,
			node);
		reader_issue(r, ISSUE_INFO, "layout-1.4",
			"executions in the layout of TensorFlow 1.4, with the bytes of the first "
			"execution in a step only",
			place->old_layout, node);
	}
}

ORDERED(compare_nodes, struct node_place, ORDER(x->node, y->node));

/* Closes the gaps that dropped nodes leave; the places are in order of the file. */
static void remove_dropped(struct tfprof_reader *r)
{
	struct graph *graph = r->graph;
	size_t execs = 0, intervals = 0;

	for (size_t i = 0; i < r->place_count; i++) {
		struct node_place *place = &r->place[i];

		if (place->dropped)
			continue;
		graph_move_execs(graph, execs, place->exec_first, place->exec_count);
		place->exec_first = execs;
		execs += place->exec_count;
		for (size_t k = 0; k < place->interval_count; k++)
			graph->interval[intervals++] = graph->interval[place->interval_first + k];
	}
	graph_end_execs(graph, execs);
	graph->interval_count = intervals;
}

/* Puts the nodes in order of keys. */
static void order_nodes(struct tfprof_reader *r)
{
	struct graph *graph = r->graph;
	struct graph_node *ordered =
		memory_alloc(memory_product(graph->node_count, sizeof(*ordered)));
	size_t nodes = 0;

	for (size_t i = 0; i < r->place_count; i++) {
		const struct node_place *place = &r->place[i];

		if (place->dropped)
			continue;
		ordered[nodes] = graph->node[place->node];
		ordered[nodes].exec_first = place->exec_first;
		ordered[nodes].exec_count = place->exec_count;
		for (size_t k = 0; !graph->pack && k < place->exec_count; k++)
			graph->exec[place->exec_first + k].node = (uint32_t)nodes;
		nodes++;
	}
	memory_free(graph->node);
	graph->node = ordered;
	graph->node_room = graph->node_count;
	graph->node_count = nodes;
}

static int read_profile(struct tfprof_reader *r, struct error *err)
{
	struct wire_field f;
	int got;

	while ((got = wire_stream_next(r->in, UINT64_MAX, "the profile", &f, err)) > 0) {
		int result = 0;

		if (f.number == 1 && f.type == WIRE_BYTES)
			result = read_node_entry(r, input_offset(r->in) + f.size, err);
		else if (f.number == 3 && (f.type == WIRE_BYTES || f.type == WIRE_VARINT))
			result = read_steps(r, &f, err);
		else if (f.number == 4 && f.type == WIRE_BYTES && r->detail)
			result = tfprof_detail_text(r->detail, r->in, f.size, r->opt, err);
		else if (f.type == WIRE_BYTES)
			result = input_discard(r->in, f.size, "the profile", err);
		else if (f.number == 2 && f.type == WIRE_VARINT)
			r->graph->has_trace = f.value != 0;
		else if (f.number == 5 && f.type == WIRE_VARINT && r->detail)
			r->graph->detail->profile_misses_stream = f.value != 0;
		if (result)
			return -1;
	}
	if (got == 0 && input_offset(r->in) == 0)
		return error_set(err, ERROR_INPUT, input_path(r->in), "empty file");
	return got;
}

int tfprof_read_graph(struct input *in, struct graph *graph, struct issue_list *issues,
	const struct read_options *opt, struct error *err)
{
	struct tfprof_reader r = {
		.in = in,
		.graph = graph,
		.issues = issues,
		.opt = opt,
		.scratch = arena_new(),
		.detail = tfprof_detail_new(graph),
		.walker = {.detail = graph->detail},
	};

	text_init(&r.small);
	text_init(&r.shape);
	int result = read_profile(&r, err);

	if (result == 0) {
		if (r.place_count != 0) {
			qsort(r.place, r.place_count, sizeof(*r.place), compare_keys);
			bool any = drop_repeated(&r);

			report_nodes(&r);
			if (any) {
				qsort(r.place, r.place_count, sizeof(*r.place), compare_nodes);
				remove_dropped(&r);
				qsort(r.place, r.place_count, sizeof(*r.place), compare_keys);
			}
			order_nodes(&r);
		}
	}
	if (result == 0 && r.detail) {
		/* The details follow the nodes. */
		struct tfprof_key *key =
			memory_alloc(memory_product(r.place_count + 1, sizeof(*key)));

		for (size_t i = 0; i < r.place_count; i++)
			key[i] = (struct tfprof_key){
				r.place[i].key, r.place[i].node, r.place[i].dropped};
		tfprof_detail_finish(r.detail, key, r.place_count);
		memory_free(key);
	}
	if (result == 0)
		reader_issue(
			&r, ISSUE_LOSS, HOST_UNTIMED_CODE, HOST_UNTIMED_TEXT, r.host_untimed, NULL);
	if (result == 0)
		input_report_tail(in, r.issues);
	exec_walker_release(&r.walker);
	text_release(&r.small);
	text_release(&r.shape);
	memory_free(r.pending);
	memory_free(r.turn);
	memory_free(r.place);
	memory_free(r.output);
	memory_free(r.input);
	tfprof_detail_free(r.detail);
	arena_free(r.scratch);
	return result;
}

static int tfprof_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	struct graph *graph = graph_new();
	int result;

	graph->calls = opt->calls;
	graph_pack(graph);
	result = tfprof_read_graph(in, graph, &out->issues, opt, err);

	if (result == 0)
		result = graph_into_profile(graph, out, &opt->limits, err);
	graph_free(graph);
	return result;
}

const struct reader reader_tfprof = {
	.name = "tfprof",
	.title = "TensorFlow profile",
	.summary = "TensorFlow 1.4 to 2.x profile (ProfileProto), as ProfileContext writes it: "
		   "profile_N",
	.suffixes = (const char *const[]){".profile", NULL},
	.probe = shape_probe_profile,
	.read = tfprof_read,
	.is_file_a_step = true,
};
