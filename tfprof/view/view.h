/*
 * The four views of tfprof as data: which nodes are shown, where, with which numbers. The outputs
 * (text, result messages, timelines, tables) are made from them in tfprof/. Numbers are vectors
 * over slots: a slot is a step, or the truncating average over a node's own steps (-step -1).
 */
#ifndef STEPSTAT_TFPROF_VIEW_VIEW_H
#define STEPSTAT_TFPROF_VIEW_VIEW_H

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

#endif
