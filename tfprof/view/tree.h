/*
 * The tree behind the scope, graph and code views: totals from the bottom up, the search for its
 * start, and the shown rows from the top down. Nothing is recursive, because scopes may be as deep
 * as names are long. It knows neither how a tree is built nor text.
 */
#ifndef STEPSTAT_TFPROF_VIEW_TREE_H
#define STEPSTAT_TFPROF_VIEW_TREE_H

#include "tfprof/view/view.h"

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

#endif
