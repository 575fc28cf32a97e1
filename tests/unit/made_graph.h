/* Graphs made by hand for the tests of tfprof's views: nodes, executions, traces, inputs.
 * Everything is in the graph's arena. */
#pragma once

#include <string.h>
#include "tfprof/graph/graph.h"
#include "tfprof/graph/graph_detail.h"
#include "tfprof/options/options.h"
#include "tfprof/view/view.h"

#define MADE_NODES 64 /* at most */
#define MADE_FRAMES 8 /* of a trace */

static inline struct graph *made_graph(void)
{
	struct graph *graph = graph_new();

	graph->detail = arena_alloc(graph->arena, sizeof(*graph->detail));
	graph->detail->node = arena_array(graph->arena, MADE_NODES, sizeof(*graph->detail->node));
	return graph;
}

/* Op and device become types, as readers have it. */
static inline uint32_t made_node(
	struct graph *graph, const char *name, const char *op, const char *device)
{
	struct graph_detail *detail = graph->detail;
	uint32_t node;

	graph->detail = NULL; /* it has its room already */
	node = graph_node_add(graph, name);
	graph->detail = detail;
	graph->node[node].op = op;
	graph->node[node].canonical_device = device;
	graph->node[node].exec_first = graph->exec_count;
	graph_node_type(graph, node, op);
	if (*device)
		graph_node_type(graph, node, device);
	detail->node_count = graph->node_count;
	detail->node[node].data_format = "";
	return node;
}

/* One run of the node that was added last. */
static inline struct exec *made_exec(
	struct graph *graph, int64_t step, int64_t accelerator_micros, int64_t cpu_micros)
{
	struct exec *exec = graph_push_exec(graph);

	exec->node = (uint32_t)graph->node_count - 1;
	exec->step = step;
	exec->run_count = 1;
	exec->accelerator_micros = accelerator_micros;
	exec->cpu_micros = cpu_micros;
	graph->node[exec->node].exec_count++;
	return exec;
}

/* A frame more for the node, further in than those before it. */
static inline void made_frame(
	struct graph *graph, uint32_t node, const char *file, int32_t line, const char *function)
{
	struct node_detail *detail = &graph->detail->node[node];

	if (!detail->trace)
		detail->trace = arena_array(graph->arena, MADE_FRAMES, sizeof(*detail->trace));
	detail->trace[detail->trace_count++] =
		(struct graph_frame){.file = file, .function = function, .text = "", .line = line};
	graph->has_trace = true;
}

/* Options that show everything: no minimum, depth 100. */
static inline struct tfprof_options made_options(const struct graph *graph, const char *order)
{
	struct tfprof_options options;

	tfprof_options_init(&options, graph->arena);
	options.max_depth = 100;
	options.order_by = order;
	return options;
}

static inline struct word_list made_words(
	struct graph *graph, const char *first, const char *second)
{
	struct word_list list = {arena_array(graph->arena, 2, sizeof(*list.word)), 0};

	list.word[list.count++] = first;
	if (second)
		list.word[list.count++] = second;
	return list;
}

static inline struct node_values *made_values(struct graph *graph)
{
	static const struct slots average = {.average = true, .count = 1};
	struct node_values *values = arena_alloc(graph->arena, sizeof(*values));

	node_values_make(graph, &average, graph->arena, values);
	return values;
}

/* The shown child of this name, or NULL. */
static inline const struct view_node *made_child(const struct view_node *node, const char *name)
{
	for (size_t i = 0; i < node->child_count; i++)
		if (strcmp(node->child[i]->name, name) == 0)
			return node->child[i];
	return NULL;
}
