/*
 * The scope view: nodes under the scopes that their names spell, which are made up where no node
 * bears their name.
 */
#include "tfprof/view.h"

#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "tfprof/regex.h"
#include "tfprof/tree.h"

#define SCOPE_TYPE "_kTFScopeParent"

/* A name that the tree will have. */
struct scope {
	const char *name;
	uint32_t node;	/* of the graph, or NODE_NONE */
	uint32_t above; /* id of the scope that it is in, or NODE_NONE */
};

/* All of them, by id: those of nodes in the order of names, others where one first needed them. */
struct scopes {
	struct intern *names;
	struct scope *item;
	size_t room;
};

static uint32_t scope_id(struct scopes *scopes, const char *name, size_t n, bool *is_new)
{
	size_t before = intern_count(scopes->names);
	uint32_t id = intern_id(scopes->names, name, n);

	*is_new = id == before;
	if (id >= scopes->room) {
		scopes->room = scopes->room ? memory_product(scopes->room, 2) : 256;
		scopes->item = memory_resize(
			scopes->item, memory_product(scopes->room, sizeof(*scopes->item)));
	}
	if (*is_new)
		scopes->item[id] =
			(struct scope){intern_name(scopes->names, id), NODE_NONE, NODE_NONE};
	return id;
}

/* Length of the scope's name in a name; false for what stands at the top. */
static bool scope_length(const char *name, size_t n, size_t *length)
{
	while (n > 0)
		if (name[--n] == '/') {
			*length = n;
			return true;
		}
	return false;
}

/* A node's name and those of the scopes above it, up to the first that is known. */
static void collect(struct scopes *scopes, const char *name, uint32_t node)
{
	size_t n = strlen(name);
	bool is_new;
	uint32_t id = scope_id(scopes, name, n, &is_new);

	if (scopes->item[id].node == NODE_NONE)
		scopes->item[id].node = node;
	while (is_new && scope_length(name, n, &n)) {
		uint32_t above = scope_id(scopes, name, n, &is_new);

		scopes->item[id].above = above;
		id = above;
	}
}

struct named_scope {
	const char *name;
	uint32_t id;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct named_scope *)a)->name, ((const struct named_scope *)b)->name);
}

/* In the order of names, which puts scopes before what is in them. Names of nodes come in that
 * order, so only the made-up ones, which are few, are sorted; then both are merged. */
static struct named_scope *sorted_names(const struct scopes *scopes, size_t count)
{
	struct named_scope *sorted = memory_alloc(memory_product(count, sizeof(*sorted)));
	struct named_scope *made_up = memory_alloc(memory_product(count, sizeof(*made_up)));
	size_t made_up_count = 0, next = 0, at = 0;

	for (size_t i = 0; i < count; i++)
		if (scopes->item[i].node == NODE_NONE)
			made_up[made_up_count++] =
				(struct named_scope){scopes->item[i].name, (uint32_t)i};
	qsort(made_up, made_up_count, sizeof(*made_up), compare_names);
	for (size_t i = 0; i < count; i++) {
		struct named_scope node = {scopes->item[i].name, (uint32_t)i};

		if (scopes->item[i].node == NODE_NONE)
			continue;
		while (next < made_up_count && compare_names(&made_up[next], &node) < 0)
			sorted[at++] = made_up[next++];
		sorted[at++] = node;
	}
	while (next < made_up_count)
		sorted[at++] = made_up[next++];
	memory_free(made_up);
	return sorted;
}

static void set_node(struct view_node *view, const struct node_values *values,
	const struct view_filter *filter, uint32_t node)
{
	const struct regex_list *account = view_filter_account(filter);

	view->node = node;
	if (node == NODE_NONE) {
		view->accounted = regex_list_matches(account, SCOPE_TYPE);
		return;
	}
	view->self = values->value + (size_t)node * QUANTITIES * values->slots->count;
	view->accounted = tree_accounts(filter, &values->graph->node[node]);
}

static void add_names(struct tree *tree, const struct scopes *scopes,
	const struct node_values *values, const struct view_filter *filter)
{
	size_t count = intern_count(scopes->names);
	struct named_scope *sorted = sorted_names(scopes, count);
	uint32_t *index = memory_alloc(memory_product(count, sizeof(*index)));

	for (size_t i = 0; i < count; i++) {
		const struct scope *scope = &scopes->item[sorted[i].id];
		uint32_t parent = scope->above == NODE_NONE ? TREE_ROOT : index[scope->above];
		uint32_t added = tree_add(tree, parent, scope->name);

		index[sorted[i].id] = added;
		set_node(tree_at(tree, added), values, filter, scope->node);
	}
	memory_free(index);
	memory_free(sorted);
}

struct view *view_scope(const struct node_values *values, const struct tfprof_options *options,
	struct arena *arena, struct text *messages)
{
	struct scopes scopes = {.names = intern_new(arena)};

	if (options->output == OUTPUT_PPROF) {
		text_add(messages, "Only 'code' view supports pprof output now.\n");
		return NULL;
	}
	struct view_filter *filter = view_filter_new(options, arena);
	struct tree *tree = tree_new(values, arena);

	for (size_t i = 0; i < values->graph->node_count; i++) {
		uint32_t node = values->by_name[i];

		collect(&scopes, values->graph->node[node].name, node);
	}
	add_names(tree, &scopes, values, filter);
	memory_free(scopes.item);
	return tree_show(tree, VIEW_SCOPE, filter, options);
}
