/*
 * The graph view: nodes above their inputs, each where a walk from the outputs comes to it first.
 */
#include "tfprof/view/view.h"

#include <string.h>
#include "tfprof/graph/graph_detail.h"
#include "tfprof/view/tree.h"

/* A walk down the inputs, without recursion. */
struct descent {
	const struct node_values *values;
	const struct view_filter *filter;
	struct tree *tree;
	bool *seen;
	struct level {
		uint32_t node, index; /* of the graph, of the tree */
		size_t input;	      /* the next one to look at */
	} * level;
	size_t depth;
};

static const struct node_detail *inputs_of(const struct graph *graph, uint32_t node)
{
	return graph->detail && node < graph->detail->node_count ? &graph->detail->node[node]
								 : NULL;
}

static void enter(struct descent *d, uint32_t node)
{
	uint32_t parent = d->depth ? d->level[d->depth - 1].index : TREE_ROOT;
	const struct graph_node *graph_node = &d->values->graph->node[node];
	uint32_t index;

	if (d->seen[node])
		return;
	d->seen[node] = true;
	index = tree_add(d->tree, parent, graph_node->name, strlen(graph_node->name));
	struct view_node *view = tree_at(d->tree, index);

	view->node = node;
	view->self = d->values->value + (size_t)node * QUANTITIES * d->values->slots->count;
	view->accounted = tree_accounts(d->filter, graph_node);
	d->level[d->depth++] = (struct level){.node = node, .index = index};
}

static void descend(struct descent *d, uint32_t root)
{
	const struct graph *graph = d->values->graph;

	enter(d, root);
	while (d->depth) {
		struct level *top = &d->level[d->depth - 1];
		const struct node_detail *detail = inputs_of(graph, top->node);

		if (!detail || top->input == detail->input_count) {
			d->depth--;
			continue;
		}
		uint32_t source = detail->input[top->input++].source;

		if (source < graph->node_count)
			enter(d, source);
	}
}

/* Nodes that are some node's input, also of itself: the others are where the view begins. */
static bool *find_inputs(const struct graph *graph, struct arena *arena)
{
	bool *is_input = arena_array(arena, graph->node_count, sizeof(*is_input));

	for (uint32_t n = 0; n < graph->node_count; n++) {
		const struct node_detail *detail = inputs_of(graph, n);

		for (size_t i = 0; detail && i < detail->input_count; i++)
			if (detail->input[i].source < graph->node_count)
				is_input[detail->input[i].source] = true;
	}
	return is_input;
}

struct view *view_graph(const struct node_values *values, const struct tfprof_options *options,
	struct arena *arena, struct text *messages)
{
	const struct graph *graph = values->graph;

	if (options->output == OUTPUT_PPROF) {
		text_add(messages, "Only 'code' view supports pprof output now.\n");
		return NULL;
	}
	struct descent d = {.values = values,
		.filter = view_filter_new(options, arena),
		.tree = tree_new(values, graph->node_count + 1, arena),
		.seen = arena_array(arena, graph->node_count, sizeof(*d.seen)),
		.level = arena_array(arena, graph->node_count, sizeof(*d.level))};
	bool *is_input = find_inputs(graph, arena);

	for (size_t i = 0; i < graph->node_count; i++)
		if (!is_input[values->by_name[i]])
			descend(&d, values->by_name[i]);
	return tree_show(d.tree, VIEW_GRAPH, d.filter, options);
}
