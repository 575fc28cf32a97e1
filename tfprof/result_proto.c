/* Protobuf is written from the end to the front: then the length of a message is known when it is
 * needed, however deep the messages are in each other. Fields are in the order of their numbers;
 * values of 0 and empty texts are left out, as proto3 has it. */
#include <string.h>
#include "tfprof/outputs.h"
#include "base/memory.h"
#include "base/output/protobuf_writer.h"
#include "tfprof/graph/graph_detail.h"
#include "tfprof/view/view.h"

/* The numbers of a quantity's fields; 0: the message has none. */
struct number_fields {
	unsigned char self, total;
};

static const struct number_fields graph_node_fields[QUANTITIES] = {
	[QUANTITY_MICROS] = {2, 6},
	[QUANTITY_BYTES] = {3, 7},
	[QUANTITY_PARAMS] = {4, 8},
	[QUANTITY_FLOAT_OPS] = {13, 14},
	[QUANTITY_ACCELERATOR_MICROS] = {17, 19},
	[QUANTITY_CPU_MICROS] = {18, 20},
	[QUANTITY_OCCURRENCE] = {21, 22},
	[QUANTITY_DEFINITION] = {0, 23},
	[QUANTITY_PEAK_BYTES] = {24, 27},
	[QUANTITY_RESIDUAL_BYTES] = {25, 28},
	[QUANTITY_OUTPUT_BYTES] = {26, 29},
};

static const struct number_fields multi_node_fields[QUANTITIES] = {
	[QUANTITY_MICROS] = {2, 6},
	[QUANTITY_BYTES] = {3, 7},
	[QUANTITY_PARAMS] = {4, 8},
	[QUANTITY_FLOAT_OPS] = {5, 9},
	[QUANTITY_ACCELERATOR_MICROS] = {12, 14},
	[QUANTITY_CPU_MICROS] = {13, 15},
	[QUANTITY_PEAK_BYTES] = {16, 19},
	[QUANTITY_RESIDUAL_BYTES] = {17, 20},
	[QUANTITY_OUTPUT_BYTES] = {18, 21},
};

enum {
	NAME = 1,
	GRAPH_NODE_DEVICES = 10,
	GRAPH_NODE_CHILDREN = 12,
	GRAPH_NODE_TENSOR_VALUE = 15,
	GRAPH_NODE_INPUT_SHAPES = 16,
	GRAPH_NODE_LAST = 29,
	MULTI_NODE_GRAPH_NODES = 10,
	MULTI_NODE_CHILDREN = 11,
	MULTI_NODE_LAST = 21,
	MAP_KEY = 1,
	MAP_VALUE = 2,
	SHAPE_DIM = 2,
	SHAPE_UNKNOWN_RANK = 3,
	DIM_SIZE = 1,
	ADVICE_CHECKER_MAP = 1,
	CHECKER_REPORTS = 2,
};

/* ---- bytes, the last one first ---- */

static void put_reversed(struct text *t, const char *bytes, size_t n)
{
	while (n > 0)
		text_add_char(t, bytes[--n]);
}

static void put_varint(struct text *t, uint64_t value)
{
	char bytes[PACKED_VARINT_MOST];

	put_reversed(t, bytes, packed_varint(bytes, value));
}

static void put_number(struct text *t, unsigned field, int64_t value)
{
	put_varint(t, (uint64_t)value);
	put_varint(t, protobuf_tag(field, WIRE_VARINT));
}

/* Ends (for a reader: begins) a field whose contents were put since the text had `size` bytes. */
static void put_head(struct text *t, unsigned field, size_t size)
{
	put_varint(t, t->size - size);
	put_varint(t, protobuf_tag(field, WIRE_BYTES));
}

static void put_bytes(struct text *t, unsigned field, const char *bytes, size_t n)
{
	size_t size = t->size;

	put_reversed(t, bytes, n);
	put_head(t, field, size);
}

static void put_string(struct text *t, unsigned field, const char *s)
{
	put_bytes(t, field, s, strlen(s));
}

/* ---- fields ---- */

/* Sources of a message. */
struct message {
	const struct view *view;
	const struct result_tensors *tensors; /* NULL: none */
	struct text tensor;		      /* of one node */
};

/* The vectors of a node. */
struct node_numbers {
	const int64_t *self, *total;
};

/* A vector's mean over the slots; where there is one slot, itself. */
static const int64_t *one_slot(
	const struct message *m, const int64_t *value, int64_t mean[QUANTITIES])
{
	size_t slots = m->view->values->slots->count;

	if (slots == 1)
		return value;
	for (size_t q = 0; q < QUANTITIES; q++)
		mean[q] = slots_mean(value + q * slots, slots);
	return mean;
}

/* Numbers of the fields [low, high], highest first. */
static void put_numbers(struct text *t, const struct message *m, const struct number_fields *fields,
	unsigned low, unsigned high, struct node_numbers numbers)
{
	int64_t self_mean[QUANTITIES], total_mean[QUANTITIES];
	const int64_t *self = one_slot(m, numbers.self, self_mean),
		      *total = one_slot(m, numbers.total, total_mean);

	for (unsigned field = high; field >= low; field--)
		for (size_t q = 0; q < QUANTITIES; q++) {
			if (fields[q].self == field && self[q])
				put_number(t, field, self[q]);
			if (fields[q].total == field && total[q])
				put_number(t, field, total[q]);
		}
}

static void put_shape(struct text *t, unsigned field, const struct graph_shape *shape)
{
	size_t size = t->size;

	if (!shape)
		put_number(t, SHAPE_UNKNOWN_RANK, 1);
	for (size_t i = shape ? shape->dim_count : 0; i > 0; i--) {
		size_t dim = t->size;

		if (shape->dim[i - 1])
			put_number(t, DIM_SIZE, shape->dim[i - 1]);
		put_head(t, SHAPE_DIM, dim);
	}
	put_head(t, field, size);
}

/* The fields after the children of a GraphNodeProto, and the fields before them. node: NODE_NONE
 * for one that the graph does not have. tensor_name: NULL for one whose tensor is not looked for.
 */
static void put_graph_node_end(struct text *t, struct message *m, uint32_t node,
	const char *tensor_name, struct node_numbers numbers)
{
	put_numbers(t, m, graph_node_fields, GRAPH_NODE_INPUT_SHAPES + 1, GRAPH_NODE_LAST, numbers);
	if (node != NODE_NONE) {
		const struct node_detail *detail =
			node_detail_of(m->view->values->graph->detail, node);

		for (size_t i = detail ? detail->input_count : 0; i > 0; i--) {
			const struct graph_input *input = &detail->input[i - 1];
			size_t size = t->size;

			put_shape(t, MAP_VALUE,
				members_input_shape(m->view->values->graph, node, input));
			put_number(t, MAP_KEY, input->index);
			put_head(t, GRAPH_NODE_INPUT_SHAPES, size);
		}
	}
	if (tensor_name && m->tensors) {
		text_clear(&m->tensor);
		if (m->tensors->add(m->tensors->context, tensor_name, &m->tensor))
			put_bytes(t, GRAPH_NODE_TENSOR_VALUE, text_string(&m->tensor),
				m->tensor.size);
	}
	put_numbers(t, m, graph_node_fields, GRAPH_NODE_CHILDREN + 1, GRAPH_NODE_TENSOR_VALUE - 1,
		numbers);
}

static void put_graph_node_start(struct text *t, const struct message *m, uint32_t node,
	const char *name, struct node_numbers numbers)
{
	const struct graph *graph = m->view->values->graph;

	if (node != NODE_NONE && *graph->node[node].canonical_device)
		put_string(t, GRAPH_NODE_DEVICES, graph->node[node].canonical_device);
	put_numbers(t, m, graph_node_fields, NAME + 1, GRAPH_NODE_DEVICES - 1, numbers);
	if (*name)
		put_string(t, NAME, name);
}

/* ---- the tree ---- */

static bool has_graph_nodes(const struct view *view)
{
	return view->kind == VIEW_SCOPE || view->kind == VIEW_GRAPH;
}

static struct node_numbers numbers_of(const struct view_node *node)
{
	return (struct node_numbers){node->self, node->total};
}

static void put_start(struct text *t, struct message *m, const struct view_node *node)
{
	if (has_graph_nodes(m->view)) {
		put_graph_node_start(t, m, node->node, node->name, numbers_of(node));
		return;
	}

	const struct node_values *values = m->view->values;

	for (size_t i = node->member_count; i > 0; i--) {
		uint32_t member = node->member[i - 1];
		const int64_t *self = node_value(values, member, (enum quantity)0);
		const struct node_numbers numbers = {self, self};
		size_t size = t->size;

		put_graph_node_end(t, m, member, NULL, numbers);
		put_graph_node_start(t, m, member, values->graph->node[member].name, numbers);
		put_head(t, MULTI_NODE_GRAPH_NODES, size);
	}
	put_numbers(
		t, m, multi_node_fields, NAME + 1, MULTI_NODE_GRAPH_NODES - 1, numbers_of(node));
	if (*node->name)
		put_string(t, NAME, node->name);
}

/* A node whose end is put. */
struct open_message {
	const struct view_node *node;
	size_t left; /* children that are not put */
	size_t size; /* of the text before it */
};

struct open_nodes {
	struct open_message *item;
	size_t count, room;
};

static void open_node(struct open_nodes *open, struct text *t, struct message *m,
	const struct view_node *node, size_t children)
{
	open->item =
		memory_make_room(open->item, &open->room, open->count + 1, sizeof(*open->item));
	open->item[open->count++] = (struct open_message){node, children, t->size};
	if (has_graph_nodes(m->view))
		put_graph_node_end(t, m, node->node, node == m->view->root ? NULL : node->name,
			numbers_of(node));
	else
		put_numbers(t, m, multi_node_fields, MULTI_NODE_CHILDREN + 1, MULTI_NODE_LAST,
			numbers_of(node));
}

void result_proto_write(
	const struct view *view, const struct result_tensors *tensors, struct text *bytes)
{
	struct message m = {.view = view, .tensors = tensors};
	struct text t;

	text_init(&t);
	text_init(&m.tensor);
	if (view->kind == VIEW_OP) {
		/* Op: the last row is the innermost, so all ends come first. */
		const struct view_node *root = m.view->root;
		struct open_nodes open = {0};

		open_node(&open, &t, &m, root, 0);
		for (size_t i = 0; i < root->child_count; i++)
			open_node(&open, &t, &m, root->child[i], 0);
		while (open.count > 0) {
			const struct open_message *top = &open.item[open.count - 1];

			put_start(&t, &m, top->node);
			if (--open.count > 0)
				put_head(&t, MULTI_NODE_CHILDREN, top->size);
		}
		memory_free(open.item);
	} else {
		/* Scope, graph and code: children last to first, each between the end and the start
		 * of its parent. */
		const struct view_node *root = m.view->root;
		unsigned field =
			has_graph_nodes(m.view) ? GRAPH_NODE_CHILDREN : MULTI_NODE_CHILDREN;
		struct open_nodes open = {0};

		open_node(&open, &t, &m, root, root->child_count);
		while (open.count > 0) {
			struct open_message *top = &open.item[open.count - 1];

			if (top->left > 0) {
				const struct view_node *child = top->node->child[--top->left];

				open_node(&open, &t, &m, child, child->child_count);
				continue;
			}
			put_start(&t, &m, top->node);
			if (--open.count > 0)
				put_head(&t, field, top->size);
		}
		memory_free(open.item);
	}
	put_reversed(bytes, text_string(&t), t.size);
	text_release(&m.tensor);
	text_release(&t);
}

void result_proto_write_advice(const struct advice *advice, struct text *bytes)
{
	struct text t;

	text_init(&t);
	for (size_t i = ADVICE_CHECKERS; i > 0; i--) {
		const struct advice_reports *reports = &advice->checker[i - 1];
		size_t entry = t.size;

		for (size_t k = reports->count; k > 0; k--)
			put_string(&t, CHECKER_REPORTS, reports->report[k - 1]);
		put_head(&t, MAP_VALUE, entry);
		put_string(&t, MAP_KEY, advice_checker_name((enum advice_checker)(i - 1)));
		put_head(&t, ADVICE_CHECKER_MAP, entry);
	}
	put_reversed(bytes, text_string(&t), t.size);
	text_release(&t);
}
