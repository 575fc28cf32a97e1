/*
 * The scope view: nodes under the scopes that their names spell, which are made up where no node
 * bears their name.
 */
#include "tfprof/view/view.h"

#include "tfprof/view/regex.h"
#include "tfprof/view/scope_names.h"
#include "tfprof/view/tree.h"

#define SCOPE_TYPE "_kTFScopeParent"

static void add_names(struct tree *tree, const struct scope_names *scopes,
	const struct node_values *values, const struct view_filter *filter)
{
	bool accounts_scopes = regex_list_matches(view_filter_account(filter), SCOPE_TYPE);

	for (size_t i = 0; i < scopes->count; i++) {
		const struct scope_name *scope = &scopes->item[i];
		/* Scopes are in the tree in their own order, after the root. */
		uint32_t parent = scope->above == UINT32_MAX ? TREE_ROOT : scope->above + 1;
		struct view_node *view =
			tree_at(tree, tree_add(tree, parent, scope->name, scope->bytes));

		view->node = scope->node;
		view->accounted = accounts_scopes;
		if (scope->node == NODE_NONE)
			continue;
		view->self =
			values->value + (size_t)scope->node * QUANTITIES * values->slots->count;
		view->accounted = tree_accounts(filter, &values->graph->node[scope->node]);
	}
}

struct view *view_scope(const struct node_values *values, const struct tfprof_options *options,
	struct arena *arena, struct text *messages)
{
	const struct scope_names *scopes = values->scopes;

	if (options->output == OUTPUT_PPROF) {
		text_add(messages, "Only 'code' view supports pprof output now.\n");
		return NULL;
	}
	if (!scopes)
		scopes = scope_names_new(values->graph, values->by_name, arena);
	struct view_filter *filter = view_filter_new(options, arena);
	struct tree *tree = tree_new(values, scopes->count + 1, arena);

	add_names(tree, scopes, values, filter);
	return tree_show(tree, VIEW_SCOPE, filter, options);
}
