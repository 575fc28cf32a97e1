/*
 * The names in a tree of scopes: those of a graph's nodes and of the scopes in these names. They do
 * not depend on values or options, so they are made once for all views of a graph.
 */
#ifndef STEPSTAT_TFPROF_VIEW_SCOPE_NAMES_H
#define STEPSTAT_TFPROF_VIEW_SCOPE_NAMES_H

#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "tfprof/graph/graph.h"

/* A node, or a scope that is not a node. The name of such a scope is the beginning of a node's name
 * and does not end in a zero, so that the bytes of a long name are stored once and not once for
 * each scope in it. */
struct scope_name {
	const char *name; /* of the graph */
	size_t bytes;
	uint32_t node; /* the first of this name, or UINT32_MAX */
	/* index of the scope that it is in, which is less, or UINT32_MAX at the top */
	uint32_t above;
};

struct scope_names {
	struct scope_name *item; /* what is in one scope in the order of names (bytes) */
	size_t count;
};

/* `by_name` has all nodes in the order of their names. In the arena; the names stay the graph's. */
struct scope_names *scope_names_new(
	const struct graph *graph, const uint32_t *by_name, struct arena *arena);

#endif
