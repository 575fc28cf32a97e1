/* Nodes in the order in which they were added, parents first, with lists of children. Accounting
 * relinks the lists; the walk over what is left numbers it, and the shown nodes hang themselves
 * under the nearest shown one above. */
#include <assert.h>
#include <string.h>
#include "tfprof/view/view.h"
#include "base/memory.h"
#include "model/cube.h"
#include "tfprof/view/regex.h"

#define NO_NODE UINT32_MAX

struct tree_node {
	struct view_node *view;
	size_t name_bytes;
	uint32_t parent;	    /* as added */
	uint32_t first, last, next; /* list of children: as added, later as accounted */
	uint32_t up;		    /* the one whose list it is in after accounting */
	uint32_t over;		    /* nearest shown one above */
	size_t depth;		    /* the root's is 1; hidden levels count */
	size_t below;		    /* visited nodes of its subtree, itself included */
	bool shown;
};

struct tree {
	struct arena *arena;
	const struct node_values *values;
	struct tree_node *node;
	struct view_node *view; /* of the same index */
	size_t count, room;
	size_t width;	  /* numbers of one node */
	int64_t *made_up; /* self values of what is not a graph node */
	uint32_t *start;  /* what is below the root */
	size_t start_count;
	uint32_t *visited; /* in the order of the walk, the root first */
	size_t visited_count;
};

static uint32_t append_node(struct tree *tree, const char *name, size_t bytes)
{
	struct view_node *view = &tree->view[tree->count];

	assert(tree->count < tree->room);
	view->name = name;
	view->node = NODE_NONE;
	view->self = tree->made_up;
	tree->node[tree->count] = (struct tree_node){.view = view,
		.name_bytes = bytes,
		.parent = NO_NODE,
		.first = NO_NODE,
		.last = NO_NODE,
		.next = NO_NODE,
		.up = NO_NODE,
		.over = NO_NODE};
	return (uint32_t)tree->count++;
}

struct tree *tree_new(const struct node_values *values, size_t room, struct arena *arena)
{
	struct tree *tree = arena_alloc(arena, sizeof(*tree));
	size_t slots = values->slots->count;

	*tree = (struct tree){.arena = arena, .values = values, .room = room};
	tree->view = arena_array(arena, room, sizeof(*tree->view));
	tree->node = arena_array(arena, room, sizeof(*tree->node));
	tree->width = memory_product(QUANTITIES, slots);
	tree->made_up = arena_array(arena, tree->width, sizeof(*tree->made_up));
	for (size_t s = 0; s < slots; s++)
		tree->made_up[QUANTITY_DEFINITION * slots + s] = 1;
	append_node(tree, ROOT_NAME, strlen(ROOT_NAME));
	return tree;
}

/* Appends a list to another one; `last` is its last node. */
static void append_list(struct tree *tree, uint32_t parent, uint32_t first, uint32_t last)
{
	struct tree_node *up = &tree->node[parent];

	if (first == NO_NODE)
		return;
	if (up->last == NO_NODE)
		up->first = first;
	else
		tree->node[up->last].next = first;
	up->last = last;
}

uint32_t tree_add(struct tree *tree, uint32_t parent, const char *name, size_t bytes)
{
	uint32_t index = append_node(tree, name, bytes);

	tree->node[index].parent = parent;
	append_list(tree, parent, index, index);
	return index;
}

struct view_node *tree_at(const struct tree *tree, uint32_t index)
{
	return tree->node[index].view;
}

/* True if all nodes below the root are accounted. */
static bool is_accounted(const struct tree *tree)
{
	for (size_t i = TREE_ROOT + 1; i < tree->count; i++)
		if (!tree->node[i].view->accounted)
			return false;
	return true;
}

/* Links the nodes that stay to their owners. A list that was handed on still hangs at its old
 * owner, which is not looked at any more. */
static void link_remaining(struct tree *tree, bool pass_on, bool *remains)
{
	bool all = is_accounted(tree);

	for (size_t i = tree->count; all && i-- > 0;) {
		remains[i] = true;
		tree->node[i].up = tree->node[i].parent;
	}
	if (all)
		return;
	for (size_t i = tree->count; i-- > 0;) {
		/* Leaves in the list of `index` what remains. Its descendants come after it, so
		 * theirs are done. */
		uint32_t index = (uint32_t)i;
		struct tree_node *up = &tree->node[index];
		uint32_t child = up->first;

		up->first = up->last = NO_NODE;
		while (child != NO_NODE) {
			struct tree_node *c = &tree->node[child];
			uint32_t next = c->next;

			c->next = NO_NODE;
			if (remains[child])
				append_list(tree, index, child, child);
			else if (pass_on)
				append_list(tree, index, c->first, c->last);
			child = next;
		}
		remains[i] = i == TREE_ROOT || tree->node[i].view->accounted ||
			     (!pass_on && tree->node[i].first != NO_NODE);
	}
	for (size_t i = 0; i < tree->count; i++)
		for (uint32_t c = remains[i] ? tree->node[i].first : NO_NODE; c != NO_NODE;
			c = tree->node[c].next)
			tree->node[c].up = (uint32_t)i;
}

/* Totals of all nodes that stay. In graph view (pass_on) a node that is not accounted adds nothing
 * but hands on the nodes below it. */
static void account(struct tree *tree, bool pass_on)
{
	bool *remains = arena_array(tree->arena, tree->count, sizeof(*remains));
	uint32_t *parent = arena_array(tree->arena, tree->count, sizeof(*parent));
	int64_t *total =
		arena_array(tree->arena, memory_product(tree->count, tree->width), sizeof(*total));

	link_remaining(tree, pass_on, remains);
	for (size_t i = 0; i < tree->count; i++) {
		struct view_node *view = tree->node[i].view;

		view->total = total + i * tree->width;
		parent[i] = i == TREE_ROOT ? ACCOUNT_ROOT : tree->node[i].parent;
		if (i != TREE_ROOT && (!pass_on || view->accounted))
			memcpy(view->total, view->self, tree->width * sizeof(*total));
	}
	account_totals(parent, tree->count, tree->width, pass_on ? NULL : remains, total);
}

/* The node after `index` in a walk, parents first, over the subtree of `top`; NO_NODE at its
 * end. */
static uint32_t following(const struct tree *tree, uint32_t index, uint32_t top, bool descend)
{
	if (descend && tree->node[index].first != NO_NODE)
		return tree->node[index].first;
	while (index != top) {
		if (tree->node[index].next != NO_NODE)
			return tree->node[index].next;
		index = tree->node[index].up;
	}
	return NO_NODE;
}

/* Values that the walk needs at every node. */
struct tree_walk {
	struct tree *tree;
	enum view_kind kind;
	const struct view_filter *filter;
	const struct tfprof_options *options;
	bool trims;
};

/* Decides on a node by the totals of accounting; false when the walk does not go below it. */
static bool visit(const struct tree_walk *w, uint32_t index)
{
	struct tree_node *node = &w->tree->node[index];
	const struct tree_node *up = index == TREE_ROOT ? NULL : &w->tree->node[node->up];
	struct view_node *view = node->view;
	bool trimmed =
		w->trims && regex_list_matches_bytes(w->filter->trim, view->name, node->name_bytes);
	bool deep;

	node->depth = up ? up->depth + 1 : 1;
	deep = w->options->max_depth < 0 || node->depth > (uint64_t)w->options->max_depth;
	if (up && trimmed && w->kind == VIEW_CODE)
		return false;
	node->over = !up ? NO_NODE : up->shown ? node->up : up->over;
	node->shown = !up || (!deep &&
				     view_filter_enough(w->filter, w->kind, view->total, view->self,
					     view->node_count, w->tree->values->slots->count) &&
				     view_filter_shows(w->filter, view->name, node->name_bytes));
	if (node->shown && view->name[node->name_bytes])
		view->name = arena_strndup(w->tree->arena, view->name, node->name_bytes);
	w->tree->visited[w->tree->visited_count++] = index;
	return !deep && !trimmed;
}

static void walk(const struct tree_walk *w)
{
	struct tree *tree = w->tree;

	tree->visited = arena_array(tree->arena, tree->count, sizeof(*tree->visited));
	if (!visit(w, TREE_ROOT))
		return;
	for (size_t k = 0; k < tree->start_count; k++)
		for (uint32_t top = tree->start[k], i = top; i != NO_NODE;)
			i = following(tree, i, top, visit(w, i));
}

/* Hangs every shown node under the nearest shown one above it, in the order of the walk, which is
 * also that in which the original passes them up through hidden levels. */
static void hang_shown(struct tree *tree)
{
	struct view_node **child = arena_array(tree->arena, tree->visited_count, sizeof(*child));

	for (size_t k = 1; k < tree->visited_count; k++) {
		const struct tree_node *node = &tree->node[tree->visited[k]];

		if (node->shown)
			tree->node[node->over].view->child_count++;
	}
	for (size_t k = 0; k < tree->visited_count; k++) {
		const struct tree_node *node = &tree->node[tree->visited[k]];
		struct view_node *view = node->view;

		if (!node->shown)
			continue;
		view->child = child;
		child += view->child_count;
		view->child_count = 0;
		if (node->over != NO_NODE) {
			view->parent = tree->node[node->over].view;
			view->parent->child[view->parent->child_count++] = view;
		}
	}
}

/* Totals anew: what is shown below, and itself. */
static void recount(const struct tree *tree, struct view_node *view)
{
	memcpy(view->total, view->self, tree->width * sizeof(*view->total));
	for (size_t c = 0; c < view->child_count; c++)
		for (size_t k = 0; k < tree->width; k++)
			(void)__builtin_add_overflow(
				view->total[k], view->child[c]->total[k], &view->total[k]);
}

/* Finishes nodes from the last visited to the first: children are done before their parents. */
static void finish(const struct tree_walk *w)
{
	struct tree *tree = w->tree;
	bool displayed = w->options->account_displayed_op_only && w->kind != VIEW_CODE;

	for (size_t k = tree->visited_count; k-- > 0;) {
		struct tree_node *node = &tree->node[tree->visited[k]];
		struct view_node *view = node->view;

		node->below++;
		if (tree->visited[k] != TREE_ROOT)
			tree->node[node->up].below += node->below;
		/* The node's number among the visited, children first, follows from the numbers
		 * with parents first. */
		view->visit = k + node->below - node->depth;
		if (!node->shown)
			continue;
		if (displayed)
			recount(tree, view);
		view_sort(view->child, view->child_count, w->options, w->kind,
			tree->values->slots->count);
	}
}

struct view *tree_show(struct tree *tree, enum view_kind kind, const struct view_filter *filter,
	const struct tfprof_options *options)
{
	struct tree_walk w = {.tree = tree,
		.kind = kind,
		.filter = filter,
		.options = options,
		.trims = !regex_list_is_empty(filter->trim)};
	struct view *view = arena_alloc(tree->arena, sizeof(*view));

	account(tree, kind == VIEW_GRAPH);

	/* Find the nodes below the root: its list, or the first matches on each way down. */
	const struct regex_list *start = filter->start;
	bool all = regex_list_is_all(start), found = false;
	uint32_t i = following(tree, TREE_ROOT, TREE_ROOT, true);

	tree->start = arena_array(tree->arena, tree->count, sizeof(*tree->start));
	for (; i != NO_NODE; i = following(tree, i, TREE_ROOT, !found)) {
		found = all || regex_list_matches_bytes(
				       start, tree->node[i].view->name, tree->node[i].name_bytes);
		if (found)
			tree->start[tree->start_count++] = i;
	}
	for (size_t k = 0; k < tree->start_count; k++)
		tree->node[tree->start[k]].up = TREE_ROOT;
	walk(&w);
	hang_shown(tree);
	finish(&w);
	*view = (struct view){
		.kind = kind, .values = tree->values, .root = tree_at(tree, TREE_ROOT)};
	return view;
}
