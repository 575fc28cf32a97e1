/*
 * The tree behind the scope, graph and code views: totals from the bottom up, the search for its
 * start, what is shown from the top down. Nothing here is recursive, for scopes may be as deep as
 * names are long; it does not know how a tree is built, nor text.
 */
#ifndef STEPSTAT_TFPROF_TREE_H
#define STEPSTAT_TFPROF_TREE_H

#include "tfprof/view.h"

#define TREE_ROOT 0
#define ROOT_NAME "_TFProfRoot"

struct tree;

/* Holds the root alone: no values but a definition count of 1, not accounted. It takes `room` nodes
 * at most, the root among them. Everything in the arena. */
struct tree *tree_new(const struct node_values *values, size_t room, struct arena *arena);
/* Adds a node behind the children that its parent has; returns its index, which is greater than the
 * parent's. The name is not copied, but where no zero follows on its bytes, and then only when the
 * node is shown. It begins as a made-up one: self as the root's (shared, so put another array there
 * rather than change it), not accounted. */
uint32_t tree_add(struct tree *tree, uint32_t parent, const char *name, size_t bytes);
/* The pointer stays good. The caller sets node, accounted, self and what its view needs. */
struct view_node *tree_at(const struct tree *tree, uint32_t index);
uint32_t tree_parent(const struct tree *tree, uint32_t index); /* as added */
size_t tree_count(const struct tree *tree);

/* Once, when all is added: fills total, child, parent and visit. In scope and code view what is not
 * accounted itself stays for its accounted descendants and passes its own values up; in graph view
 * it is left out and its children take its place. */
struct view *tree_show(struct tree *tree, enum view_kind kind, const struct view_filter *filter,
	const struct tfprof_options *options);

/* Does a node of the graph match account_type? */
bool tree_accounts(const struct view_filter *filter, const struct graph_node *node);

/* Minimums and order look at the mean over the slots, which is the value itself where there is one
 * slot. */
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

#endif
