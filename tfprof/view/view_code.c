/*
 * The code view: the tree of calls with the values of the graph nodes that each line made.
 */
#include <inttypes.h>
#include <string.h>
#include "tfprof/view/code_tree.h"
#include "tfprof/view/row_nodes.h"
#include "tfprof/view/tree.h"
#include "tfprof/view/view.h"

/* The note on gradients comes with every tree; the original builds the tree once in a session. */
static struct tree *make_tree(const struct node_values *values, const struct view_filter *filter,
	struct arena *arena, struct text *messages)
{
	struct code_tree code;
	struct tree *tree;

	code_tree_build(values->graph, values->by_name, arena, &code);
	tree = tree_new(values, code.count + 1, arena);
	for (size_t i = 0; i < code.count; i++) {
		const struct code_frame *frame = &code.frame[i];
		/* Frames are in the tree in their own order, after the root. */
		uint32_t parent = frame->parent == CODE_ROOT ? TREE_ROOT : frame->parent + 1;
		uint32_t index = tree_add(tree, parent, frame->name, strlen(frame->name));
		struct view_node *node = tree_at(tree, index);

		node->frame = frame->frame;
		node->gradient = frame->gradient;
		members_account(node, values, frame->node, frame->node_count,
			view_filter_account(filter), arena);
	}
	if (code.unaccounted)
		text_printf(
			messages, "%" PRIu64 " gradient nodes not accounted\n", code.unaccounted);
	return tree;
}

struct view *view_code(const struct node_values *values, const struct tfprof_options *options,
	struct arena *arena, struct text *messages)
{
	struct view_filter *filter;
	struct tree *tree;

	if (!values->graph->has_trace) {
		text_add(messages, "No code trace information\n");
		return NULL;
	}
	filter = view_filter_new(options, arena);
	tree = make_tree(values, filter, arena, messages);
	if (options->account_displayed_op_only)
		text_add(messages, "Note: code view ignores account_displayed_op_only\n");
	return tree_show(tree, VIEW_CODE, filter, options);
}
