/*
 * The op view: one row for each kind of operation. Totals run from the last row up, so that a row's
 * total is that of itself and all rows below.
 */
#include <stdlib.h>
#include <string.h>
#include "base/order.h"
#include "tfprof/view/row_nodes.h"
#include "tfprof/view/regex.h"
#include "tfprof/view/view.h"

/* A node of the graph on the way into its row. */
struct placed {
	const char *op;
	size_t position; /* in the order of names */
	uint32_t node;
};

struct view_rows {
	struct view_node **row;
	size_t count;
};

struct op_builder {
	const struct node_values *values;
	const struct tfprof_options *options;
	struct view_filter *filter;
	struct arena *arena;
};

static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return strcmp(x->op, y->op) ?: ORDER(x->position, y->position);
}

static struct view_node *new_node(const struct op_builder *b, const char *name)
{
	struct view_node *node = arena_alloc(b->arena, sizeof(*node));

	node->name = name;
	node->node = NODE_NONE;
	node->total =
		arena_array(b->arena, QUANTITIES * b->values->slots->count, sizeof(*node->total));
	return node;
}

/* total = the values, and those of `below` (which may be NULL). */
static void set_total(const struct op_builder *b, struct view_node *node, const int64_t *values,
	const struct view_node *below)
{
	size_t slots = b->values->slots->count;

	memset(node->total, 0, QUANTITIES * slots * sizeof(*node->total));
	if (values)
		members_add_values(node->total, values, slots);
	if (below)
		members_add_values(node->total, below->total, slots);
}

/* One row for each op, by name, with its own values as totals. */
static struct view_rows make_rows(const struct op_builder *b)
{
	size_t count = b->values->graph->node_count;
	struct placed *placed = arena_array(b->arena, count, sizeof(*placed));
	uint32_t *node = arena_array(b->arena, count, sizeof(*node));
	struct view_rows rows = {arena_array(b->arena, count, sizeof(*rows.row)), 0};
	size_t end;

	for (size_t i = 0; i < count; i++) {
		placed[i].node = b->values->by_name[i];
		placed[i].position = i;
		placed[i].op = b->values->graph->node[placed[i].node].op;
	}
	if (count)
		qsort(placed, count, sizeof(*placed), compare_placed);
	for (size_t i = 0; i < count; i++)
		node[i] = placed[i].node;
	for (size_t first = 0; first < count; first = end) {
		struct view_node *row = new_node(b, placed[first].op);

		for (end = first + 1; end < count && !strcmp(placed[end].op, row->name); end++)
			;
		members_account(row, b->values, node + first, end - first,
			view_filter_account(b->filter), b->arena);
		set_total(b, row, row->self, NULL);
		rows.row[rows.count++] = row;
	}
	return rows;
}

static void drop_unaccounted(struct view_rows *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i]->accounted)
			rows->row[kept++] = rows->row[i];
	rows->count = kept;
}

/* Sums the rows from the last one up; the root has the values of the first row. */
static void accumulate(
	const struct op_builder *b, const struct view_rows *rows, struct view_node *root)
{
	const struct view_node *below = NULL;

	for (size_t i = rows->count; i > 0; i--) {
		set_total(b, rows->row[i - 1], rows->row[i - 1]->self, below);
		below = rows->row[i - 1];
	}
	set_total(b, root, NULL, below);
}

/* The first row that the start list matches; an empty list starts at the first. */
static size_t find_start(const struct op_builder *b, const struct view_rows *rows)
{
	const struct regex_list *start = view_filter_start(b->filter);
	size_t i = 0;

	if (regex_list_is_empty(start) || regex_list_is_all(start))
		return 0;
	while (i < rows->count && !regex_list_matches(start, rows->row[i]->name))
		i++;
	return i;
}

/* Keeps the shown rows. Hidden ones count for the depth, and the first trimmed row ends the
 * list. */
static void show_rows(const struct op_builder *b, struct view_rows *rows)
{
	size_t kept = 0;
	int64_t depth = 0;

	for (size_t i = find_start(b, rows); i < rows->count; i++, depth++) {
		struct view_node *row = rows->row[i];

		if (depth > b->options->max_depth ||
			regex_list_matches(view_filter_trim(b->filter), row->name))
			break;
		if (view_filter_enough(b->filter, VIEW_OP, row->total, row->self, row->node_count,
			    b->values->slots->count) &&
			view_filter_shows(b->filter, row->name, strlen(row->name)))
			rows->row[kept++] = row;
	}
	rows->count = kept;
}

struct view *view_op(const struct node_values *values, const struct tfprof_options *options,
	struct arena *arena, struct text *messages)
{
	struct op_builder b = {values, options, view_filter_new(options, arena), arena};
	struct view *view = arena_alloc(arena, sizeof(*view));
	struct view_node *root = new_node(&b, "_TFProfRoot");
	struct view_rows rows = make_rows(&b);

	(void)messages;
	root->self = arena_array(arena, QUANTITIES * values->slots->count, sizeof(*root->self));
	/* Order by the rows' own values, which the totals still are. */
	view_sort(rows.row, rows.count, options, VIEW_OP, values->slots->count);
	drop_unaccounted(&rows);
	accumulate(&b, &rows, root);
	show_rows(&b, &rows);
	if (options->account_displayed_op_only)
		accumulate(&b, &rows, root);
	for (size_t i = 0; i < rows.count; i++)
		rows.row[i]->parent = root;
	root->child = rows.row;
	root->child_count = rows.count;
	*view = (struct view){.kind = VIEW_OP, .values = values, .root = root};
	return view;
}
