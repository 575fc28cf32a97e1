/* The four views of tfprof as data: which nodes are shown, where, with which numbers. The outputs
 * (text, result messages, timelines, tables) are made from them in tfprof/. Numbers are vectors
 * over slots: a slot is a step, or the truncating average over a node's own steps (-step -1). */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "tfprof/graph/graph.h"
#include "tfprof/options/options.h"
#include "base/text.h"
#include "tfprof/graph/graph_detail.h"
#include "tfprof/view/regex.h"

#define NODE_NONE UINT32_MAX

struct slots {
	bool average;  /* one slot: the average */
	int64_t *step; /* else the steps */
	size_t count;
	bool several; /* the means over these steps are shown */
};

/* Self values of all nodes of the graph: value[(node * QUANTITIES + quantity) * slots + slot]. */
struct node_values {
	const struct graph *graph;
	const struct slots *slots;
	int64_t *value;
	const uint32_t *by_name; /* indexes of the nodes in the order of their names (bytes) */
	/* made once for many scope views; NULL: each makes its own */
	const struct scope_names *scopes;
	uint64_t incomplete; /* nodes whose shape has a negative dimension */
};
void node_values_make(const struct graph *graph, const struct slots *slots, struct arena *arena,
	struct node_values *out);
/* The same with the order of names made once for many views: `by_name` outlives `out`. Scopes are
 * NULL in both. */
uint32_t *node_values_order(const struct graph *graph, struct arena *arena);
void node_values_fill(const struct graph *graph, const struct slots *slots, const uint32_t *by_name,
	struct arena *arena, struct node_values *out);
static inline const int64_t *node_value(const struct node_values *v, uint32_t node, enum quantity q)
{
	return v->value + ((size_t)node * QUANTITIES + q) * v->slots->count;
}

enum view_kind { VIEW_SCOPE, VIEW_GRAPH, VIEW_OP, VIEW_CODE };

/* A node of a view: a graph node, a made-up scope, an op type, a code trace. */
struct view_node {
	const char *name;
	uint32_t node;	/* of the graph; NODE_NONE for made-up scopes, op types, traces, the root */
	bool accounted; /* matches account_type: its self values count and are shown; else "--" */
	/* [quantity * slots + slot]. self: also of nodes that are not accounted (scope view adds
	 * them to totals). */
	int64_t *self, *total;
	/* op and code view: the graph nodes in it that match account, by name */
	const uint32_t *member;
	size_t member_count;
	size_t node_count; /* op and code view: graph nodes that -min_occurrence and -order_by
			      occurrence look at */
	const struct graph_frame *frame; /* code view: where the trace is; NULL else */
	bool gradient;			 /* code view: it has the suffix " (gradient)" */
	struct view_node **child;	 /* shown ones, in the order of printing */
	size_t child_count;
	struct view_node *parent; /* as shown */
	size_t visit; /* scope, graph, code: when the original comes to its line: children first,
			 not yet sorted */
};

struct view {
	enum view_kind kind;
	const struct node_values *values;
	struct view_node *root; /* name "_TFProfRoot"; its totals are tfprof's root totals */
};

/* Builds the tree that the options ask for. Messages that the original writes on stderr while it
 * does so are added to `messages` (whole lines). NULL: refused; messages say why. In the arena. */
struct view *view_scope(const struct node_values *values, const struct tfprof_options *options,
	struct arena *arena, struct text *messages);
struct view *view_graph(const struct node_values *values, const struct tfprof_options *options,
	struct arena *arena, struct text *messages);
struct view *view_op(const struct node_values *values, const struct tfprof_options *options,
	struct arena *arena, struct text *messages);
struct view *view_code(const struct node_values *values, const struct tfprof_options *options,
	struct arena *arena, struct text *messages);

/* Parts that the views share: minimum tests, names that are shown and hidden, sorting. Lists of the
 * options, compiled. */
struct view_filter {
	const struct tfprof_options *options;
	struct regex_list *account, *start, *trim, *show, *hide;
	bool asks_steps;  /* has minimums of step words */
	bool asks_values; /* has any minimum that is not 0 */
	bool asks_names;  /* show is not all, or something is hidden */
};
struct view_filter *view_filter_new(const struct tfprof_options *options, struct arena *arena);
/* True if a node of the graph matches account_type. */
bool view_accounts(const struct regex_list *account, const struct graph_node *node);
bool view_filter_shows(
	const struct view_filter *filter, const char *name, size_t bytes); /* show and hide */
/* True if these values reach every minimum. The minimums of params, float_ops and occurrence test
 * `self` in scope and graph, all others `total`. */
bool view_filter_enough(const struct view_filter *filter, enum view_kind kind, const int64_t *total,
	const int64_t *self, size_t node_count, size_t slots);
/* Stable, by the options' order_by; `children` in input order. */
void view_sort(struct view_node **children, size_t count, const struct tfprof_options *options,
	enum view_kind kind, size_t slots);

/* Numbers as tfprof prints them. */
void format_number(struct text *out, int64_t n);
void format_time(struct text *out, int64_t micros);
void format_memory(struct text *out, int64_t bytes);
/* The same at `to`, which has FORMAT_ROOM bytes; the end is returned, without a zero there. */
#define FORMAT_ROOM 48
char *scaled_number(char *to, int64_t n);
char *scaled_time(char *to, int64_t micros);
char *scaled_memory(char *to, int64_t bytes);
/* The same units for means, with two decimals throughout. */
void format_number_mean(struct text *out, double n);
void format_time_mean(struct text *out, double micros);
void format_memory_mean(struct text *out, double bytes);
void format_shape(struct text *out, const int64_t *dim, size_t count);

/* ---- The graph nodes of one row of the op view or of one code trace: which of them count,
 * their sums, and the texts about all of them. It does not know the tree or the order of rows
 * ---- */

/* Sets member, member_count, node_count, self and accounted of the row from the nodes (in order of
 * their names) that the account list matches. A node adds to times, bytes, parameters and float
 * operations once for every expression of the list that it matches, as in the original; runs and
 * definitions count once. */
void members_account(struct view_node *row, const struct node_values *values, const uint32_t *node,
	size_t count, const struct regex_list *account, struct arena *arena);

/* Adds the canonical devices, or op types, of the members, each once, sorted, joined by '|'. A node
 * without a device gives an empty word. */
void members_add_devices(const struct view_node *row, const struct graph *graph, struct text *out);
void members_add_op_types(const struct view_node *row, const struct graph *graph, struct text *out);
/* The same of one node. */
void node_add_op_types(const struct graph_node *node, struct text *out);
/* Sorts the words and adds each once. */
void words_add_joined(const char **word, size_t count, const char *separator, struct text *out);

/* The shape of an input: that of the output it is from, or NULL when anything on the way is not
 * known. */
const struct graph_shape *members_input_shape(
	const struct graph *graph, uint32_t node, const struct graph_input *input);

/* Adds the shapes of all inputs of a node, "0:8x28|1:unknown" with this separator. */
void node_add_input_shapes(
	const struct graph *graph, uint32_t node, const char *separator, struct text *out);

/* tree.c: the tree behind the scope, graph and code views: totals from the bottom up, the search
 * for its start, and the shown rows from the top down. Nothing is recursive, because scopes may
 * be as deep as names are long. It knows neither how a tree is built nor text. */

#define TREE_ROOT 0
#define ROOT_NAME "_TFProfRoot"

struct tree;

/* A tree of the root alone, which is not accounted and has no values except a definition count of
 * 1. It holds at most `room` nodes, the root included. Everything is in the arena. */
struct tree *tree_new(const struct node_values *values, size_t room, struct arena *arena);
/* Adds a node as the last child of its parent. Returns its index, which is greater than the
 * parent's. A name that ends in a zero byte is not copied; any other is copied when the node is
 * shown. The new node is not accounted and shares `self` with the root: replace the array, do not
 * change it. */
uint32_t tree_add(struct tree *tree, uint32_t parent, const char *name, size_t bytes);
/* The pointer stays valid. The caller sets node, accounted, self and what its view needs. */
struct view_node *tree_at(const struct tree *tree, uint32_t index);

/* Call once, after all nodes are added: fills total, child, parent and visit. In scope and code
 * view a node that is not accounted stays if a descendant is, and adds its own values to its
 * parents; in graph view it is left out and its children take its place. */
struct view *tree_show(struct tree *tree, enum view_kind kind, const struct view_filter *filter,
	const struct tfprof_options *options);

/* Minimums and order use the mean over the slots; with one slot this is the value itself. */
static inline __int128 slots_sum(const int64_t *value, size_t slots)
{
	__int128 sum = 0;

	for (size_t s = 0; s < slots; s++)
		sum += value[s];
	return sum;
}

/* Towards zero; 0 without slots. */
static inline int64_t slots_mean(const int64_t *value, size_t slots)
{
	return slots ? (int64_t)(slots_sum(value, slots) / (__int128)slots) : 0;
}

/* code_tree.c: the calls that made the graph nodes as one tree: a level for each frame of a code
 * trace, outermost call first. It holds no numbers; the code view accounts and shows it. */

#define CODE_ROOT UINT32_MAX

/* A frame below its callers: unique by its name within the parent. */
struct code_frame {
	const char *name; /* "model.py:22:layer", with the suffix */
	uint32_t parent;  /* index of the caller, smaller than its own; CODE_ROOT at the top */
	const struct graph_frame *frame; /* of the first node that brought it */
	bool gradient;
	/* graph nodes of which it is the last frame, in order of their names */
	const uint32_t *node;
	size_t node_count;
};

struct code_tree {
	struct code_frame *frame; /* in order of insertion */
	size_t count;
	uint64_t unaccounted; /* names of forward operations that gradients are of and that have no
				 trace */
};

/* Nodes come in the order of their names, gradients after all others, below the frames of their
 * forward operation. */
void code_tree_build(const struct graph *graph, const uint32_t *by_name, struct arena *arena,
	struct code_tree *out);

/* True if it is the name of a gradient (".../gradients/OP_grad/..."); *forward and *n are then the
 * forward operation's. */
bool code_gradient_name(const char *name, const char **forward, size_t *n);

/* "FILE:LINE:FUNCTION" as tfprof shows it: base name of the file, at most 20 bytes of the
 * function. */
void code_frame_name(const struct graph_frame *frame, bool gradient, struct text *out);

/* scope_names.c: the names in a tree of scopes: those of a graph's nodes and of the scopes in
 * these names. They do not depend on values or options, so they are made once for all views of a
 * graph. */

/* A node, or a scope that is not a node. The name of such a scope is the beginning of a node's name
 * and does not end in a zero, so that the bytes of a long name are stored once and not once for
 * each scope in it. */
struct scope_name {
	const char *name; /* of the graph */
	size_t bytes;
	uint32_t node; /* the first of this name, or UINT32_MAX */
	/* index of the scope that it is in, which is less, or UINT32_MAX at the top */
	uint32_t above;
};

struct scope_names {
	struct scope_name *item; /* what is in one scope in the order of names (bytes) */
	size_t count;
};

/* `by_name` has all nodes in the order of their names. In the arena; the names stay the graph's. */
struct scope_names *scope_names_new(
	const struct graph *graph, const uint32_t *by_name, struct arena *arena);
