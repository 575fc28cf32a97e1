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

/* All names that the tree will have, in any order. */
struct scopes {
	struct intern *names;
	uint32_t *node; /* by id of the name: of the graph, or NODE_NONE */
	size_t room;
};

static uint32_t scope_id(struct scopes *scopes, const char *name, size_t n, bool *is_new)
{
	size_t before = intern_count(scopes->names);
	uint32_t id = intern_id(scopes->names, name, n);

	*is_new = id == before;
	if (id >= scopes->room) {
		scopes->room = scopes->room ? memory_product(scopes->room, 2) : 256;
		scopes->node = memory_resize(
			scopes->node, memory_product(scopes->room, sizeof(*scopes->node)));
	}
	if (*is_new)
		scopes->node[id] = NODE_NONE;
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

	if (scopes->node[id] == NODE_NONE)
		scopes->node[id] = node;
	while (is_new && scope_length(name, n, &n))
		scope_id(scopes, name, n, &is_new);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Order of names, which puts scopes before what is in them. */
static const char **sorted_names(const struct scopes *scopes, size_t *count)
{
	const char **name;

	*count = intern_count(scopes->names);
	name = memory_alloc(memory_product(*count, sizeof(*name)));
	for (size_t i = 0; i < *count; i++)
		name[i] = intern_name(scopes->names, (uint32_t)i);
	qsort(name, *count, sizeof(*name), compare_names);
	return name;
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
	size_t count, n;
	const char **name = sorted_names(scopes, &count);
	uint32_t *index = memory_alloc(memory_product(count, sizeof(*index)));

	for (size_t i = 0; i < count; i++) {
		uint32_t parent = TREE_ROOT, id = 0;

		if (scope_length(name[i], strlen(name[i]), &n) &&
			intern_find(scopes->names, name[i], n, &id))
			parent = index[id];
		intern_find(scopes->names, name[i], strlen(name[i]), &id);
		index[id] = tree_add(tree, parent, name[i]);
		set_node(tree_at(tree, index[id]), values, filter, scopes->node[id]);
	}
	memory_free(index);
	memory_free(name);
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
	memory_free(scopes.node);
	return tree_show(tree, VIEW_SCOPE, filter, options);
}
