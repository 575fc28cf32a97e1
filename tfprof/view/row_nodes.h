/*
 * The graph nodes of one row of the op view or of one code trace: which of them count, their sums,
 * and the texts about all of them. It does not know the tree or the order of rows.
 */
#ifndef STEPSTAT_TFPROF_VIEW_ROW_NODES_H
#define STEPSTAT_TFPROF_VIEW_ROW_NODES_H

#include "base/text.h"
#include "tfprof/graph/graph_detail.h"
#include "tfprof/view/regex.h"
#include "tfprof/view/view.h"

/* Sets member, member_count, node_count, self and accounted of the row from the nodes (in order of
 * their names) that the account list matches. A node adds to times, bytes, parameters and float
 * operations once for every expression of the list that it matches, as in the original; runs and
 * definitions count once. */
void members_account(struct view_node *row, const struct node_values *values, const uint32_t *node,
	size_t count, const struct regex_list *account, struct arena *arena);

/* Adds the canonical devices, or op types, of the members, each once, sorted, joined by '|'. A node
 * without a device gives an empty word. */
void members_add_devices(const struct view_node *row, const struct graph *graph, struct text *out);
void members_add_op_types(const struct view_node *row, const struct graph *graph, struct text *out);

/* The shape of an input: that of the output it is from, or NULL when anything on the way is not
 * known. */
const struct graph_shape *members_input_shape(
	const struct graph *graph, uint32_t node, const struct graph_input *input);

/* Adds a vector of all quantities to another; wraps in two's complement. */
void members_add_values(int64_t *to, const int64_t *value, size_t slots);

#endif
