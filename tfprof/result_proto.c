/*
 * Protobuf is written from the end to the front: then the length of a message is known when it is
 * needed, however deep the messages are in each other. Fields stand in the order of their numbers;
 * values of 0 and empty texts are left out, as proto3 has it.
 */
#include "tfprof/result_proto.h"

#include <string.h>
#include "base/memory.h"
#include "model/graph_detail.h"
#include "tfprof/members.h"

#define WIRE_VARINT 0
#define WIRE_BYTES 2

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

static void put_varint(struct text *t, uint64_t value)
{
	char bytes[10];
	size_t n = 0;

	for (; value >= 0x80; value >>= 7)
		bytes[n++] = (char)(value | 0x80);
	bytes[n++] = (char)value;
	while (n > 0)
		text_add_char(t, bytes[--n]);
}

static void put_number(struct text *t, unsigned field, int64_t value)
{
	put_varint(t, (uint64_t)value);
	put_varint(t, (uint64_t)field << 3 | WIRE_VARINT);
}

/* Ends (for a reader: begins) a field whose contents were put since the text had `size` bytes. */
static void put_head(struct text *t, unsigned field, size_t size)
{
	put_varint(t, t->size - size);
	put_varint(t, (uint64_t)field << 3 | WIRE_BYTES);
}

static void put_string(struct text *t, unsigned field, const char *s)
{
	size_t size = t->size;

	for (size_t n = strlen(s); n > 0; n--)
		text_add_char(t, s[n - 1]);
	put_head(t, field, size);
}

/* Adds the text to `bytes`, turned round. */
static void turn_round(const struct text *t, struct text *bytes)
{
	for (size_t n = t->size; n > 0; n--)
		text_add_char(bytes, t->data[n - 1]);
}

/* ---- fields ---- */

/* Numbers of the fields [low, high], highest first. */
static void put_numbers(struct text *t, const struct number_fields *fields, unsigned low,
	unsigned high, const int64_t *self, const int64_t *total)
{
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

static void put_input_shapes(struct text *t, const struct graph *graph, uint32_t node)
{
	const struct graph_detail *detail = graph->detail;

	if (!detail || node >= detail->node_count)
		return;
	for (size_t i = detail->node[node].input_count; i > 0; i--) {
		const struct graph_input *input = &detail->node[node].input[i - 1];
		size_t size = t->size;

		put_shape(t, MAP_VALUE, members_input_shape(graph, node, input));
		put_number(t, MAP_KEY, input->index);
		put_head(t, GRAPH_NODE_INPUT_SHAPES, size);
	}
}

/* What stands behind the children in a GraphNodeProto, and what stands before them. node: NODE_NONE
 * for one that the graph does not have. */
static void put_graph_node_end(struct text *t, const struct graph *graph, uint32_t node,
	const int64_t *self, const int64_t *total)
{
	put_numbers(
		t, graph_node_fields, GRAPH_NODE_INPUT_SHAPES + 1, GRAPH_NODE_LAST, self, total);
	if (node != NODE_NONE)
		put_input_shapes(t, graph, node);
	put_numbers(t, graph_node_fields, GRAPH_NODE_CHILDREN + 1, GRAPH_NODE_INPUT_SHAPES - 1,
		self, total);
}

static void put_graph_node_start(struct text *t, const struct graph *graph, uint32_t node,
	const char *name, const int64_t *self, const int64_t *total)
{
	if (node != NODE_NONE && *graph->node[node].canonical_device)
		put_string(t, GRAPH_NODE_DEVICES, graph->node[node].canonical_device);
	put_numbers(t, graph_node_fields, NAME + 1, GRAPH_NODE_DEVICES - 1, self, total);
	if (*name)
		put_string(t, NAME, name);
}

/* ---- the tree ---- */

static void put_end(struct text *t, const struct view *view, const struct view_node *node)
{
	if (view->kind == VIEW_SCOPE || view->kind == VIEW_GRAPH)
		put_graph_node_end(t, view->values->graph, node->node, node->self, node->total);
	else
		put_numbers(t, multi_node_fields, MULTI_NODE_CHILDREN + 1, MULTI_NODE_LAST,
			node->self, node->total);
}

static void put_members(struct text *t, const struct view *view, const struct view_node *node)
{
	const struct graph *graph = view->values->graph;

	for (size_t i = node->member_count; i > 0; i--) {
		uint32_t member = node->member[i - 1];
		const int64_t *self = node_value(view->values, member, (enum quantity)0);
		size_t size = t->size;

		put_graph_node_end(t, graph, member, self, self);
		put_graph_node_start(t, graph, member, graph->node[member].name, self, self);
		put_head(t, MULTI_NODE_GRAPH_NODES, size);
	}
}

static void put_start(struct text *t, const struct view *view, const struct view_node *node)
{
	if (view->kind == VIEW_SCOPE || view->kind == VIEW_GRAPH) {
		put_graph_node_start(
			t, view->values->graph, node->node, node->name, node->self, node->total);
		return;
	}
	put_members(t, view, node);
	put_numbers(t, multi_node_fields, NAME + 1, MULTI_NODE_GRAPH_NODES - 1, node->self,
		node->total);
	if (*node->name)
		put_string(t, NAME, node->name);
}

/* A node whose end is put. */
struct open_node {
	const struct view_node *node;
	size_t left; /* children that are not put */
	size_t size; /* of the text before it */
};

struct open_nodes {
	struct open_node *item;
	size_t count, room;
};

static void open_node(struct open_nodes *open, struct text *t, const struct view *view,
	const struct view_node *node, size_t children)
{
	if (open->count == open->room) {
		open->room = open->room ? memory_product(open->room, 2) : 64;
		open->item =
			memory_resize(open->item, memory_product(open->room, sizeof(*open->item)));
	}
	open->item[open->count++] = (struct open_node){node, children, t->size};
	put_end(t, view, node);
}

/* Scope, graph and code: children last to first, each between the end and the start of its parent.
 */
static void put_tree(struct text *t, const struct view *view)
{
	bool graph_nodes = view->kind == VIEW_SCOPE || view->kind == VIEW_GRAPH;
	unsigned field = graph_nodes ? GRAPH_NODE_CHILDREN : MULTI_NODE_CHILDREN;
	struct open_nodes open = {0};

	open_node(&open, t, view, view->root, view->root->child_count);
	while (open.count > 0) {
		struct open_node *top = &open.item[open.count - 1];

		if (top->left > 0) {
			const struct view_node *child = top->node->child[--top->left];

			open_node(&open, t, view, child, child->child_count);
			continue;
		}
		put_start(t, view, top->node);
		if (--open.count > 0)
			put_head(t, field, top->size);
	}
	memory_free(open.item);
}

/* Op: the last row is the innermost, so all ends come first. */
static void put_chain(struct text *t, const struct view *view)
{
	const struct view_node *root = view->root;
	struct open_nodes open = {0};

	open_node(&open, t, view, root, 0);
	for (size_t i = 0; i < root->child_count; i++)
		open_node(&open, t, view, root->child[i], 0);
	while (open.count > 0) {
		const struct open_node *top = &open.item[open.count - 1];

		put_start(t, view, top->node);
		if (--open.count > 0)
			put_head(t, MULTI_NODE_CHILDREN, top->size);
	}
	memory_free(open.item);
}

int result_proto_write(const struct view *view, struct text *bytes)
{
	struct text t;

	if (view->values->slots->count != 1)
		return -1;
	text_init(&t);
	if (view->kind == VIEW_OP)
		put_chain(&t, view);
	else
		put_tree(&t, view);
	turn_round(&t, bytes);
	text_release(&t);
	return 0;
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
	turn_round(&t, bytes);
	text_release(&t);
}
