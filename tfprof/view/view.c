/* The four views, the members of their rows, and the filter of the options. */
#include "tfprof/view/view.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/order.h"
#include "tfprof/view/regex.h"
#include "tfprof/graph/graph_detail.h"
#include "base/memory.h"
#include "tfprof/view/steps.h"

/* ---- Members of a row. Sums are made in unsigned arithmetic, so that they wrap as the
 * original's do ---- */

static void add_wrapped(int64_t *to, int64_t value)
{
	*to = (int64_t)((uint64_t)*to + (uint64_t)value);
}

/* Adds a vector of all quantities to another; wraps in two's complement. */
static void members_add_values(int64_t *to, const int64_t *value, size_t slots)
{
	for (size_t i = 0; i < QUANTITIES * slots; i++)
		add_wrapped(&to[i], value[i]);
}

/* Number of expressions of the list that match one of the node's types; the list ".*" counts as one
 * that matches. */
static size_t count_matches(const struct graph_node *node, const struct regex_list *account)
{
	size_t matches = 0;

	if (regex_list_is_all(account))
		return 1;
	for (size_t i = 0; i < regex_list_count(account); i++) {
		bool found = false;

		for (size_t t = 0; t < node->op_type_count && !found; t++)
			found = regex_list_matches_one(account, i, node->op_types[t]);
		matches += found;
	}
	return matches;
}

void members_account(struct view_node *row, const struct node_values *values, const uint32_t *node,
	size_t count, const struct regex_list *account, struct arena *arena)
{
	uint32_t *member = arena_array(arena, count, sizeof(*member));

	row->self = arena_array(arena, QUANTITIES * values->slots->count, sizeof(*row->self));
	row->member_count = 0;
	for (size_t i = 0; i < count; i++) {
		size_t matches = count_matches(&values->graph->node[node[i]], account);

		if (matches == 0)
			continue;
		member[row->member_count++] = node[i];
		for (size_t q = 0; q < QUANTITIES; q++) {
			bool once = q == QUANTITY_OCCURRENCE || q == QUANTITY_DEFINITION;
			uint64_t times = once ? 1 : matches;
			const int64_t *value = node_value(values, node[i], (enum quantity)q);
			size_t slots = values->slots->count;

			for (size_t s = 0; s < slots; s++)
				add_wrapped(&row->self[q * slots + s],
					(int64_t)((uint64_t)value[s] * times));
		}
	}
	row->member = member;
	row->node_count = row->member_count;
	row->accounted = row->member_count > 0 || regex_list_is_all(account);
}

/* ---- words of all members ---- */

void words_add_joined(const char **word, size_t count, const char *separator, struct text *out)
{
	if (count)
		qsort(word, count, sizeof(*word), order_texts);
	for (size_t i = 0; i < count; i++) {
		if (i && strcmp(word[i], word[i - 1]) == 0)
			continue;
		text_add(out, i ? separator : "");
		text_add(out, word[i]);
	}
}

void members_add_devices(const struct view_node *row, const struct graph *graph, struct text *out)
{
	const char **word = memory_alloc(memory_product(row->member_count, sizeof(*word)));

	for (size_t i = 0; i < row->member_count; i++)
		word[i] = graph->node[row->member[i]].canonical_device;
	words_add_joined(word, row->member_count, "|", out);
	memory_free(word);
}

void members_add_op_types(const struct view_node *row, const struct graph *graph, struct text *out)
{
	const char **word;
	size_t count = 0, at = 0;

	for (size_t i = 0; i < row->member_count; i++)
		count += graph->node[row->member[i]].op_type_count;
	word = memory_alloc(memory_product(count, sizeof(*word)));
	for (size_t i = 0; i < row->member_count; i++) {
		const struct graph_node *node = &graph->node[row->member[i]];

		for (size_t t = 0; t < node->op_type_count; t++)
			word[at++] = node->op_types[t];
	}
	words_add_joined(word, count, "|", out);
	memory_free(word);
}

void node_add_op_types(const struct graph_node *node, struct text *out)
{
	const char **word = memory_alloc(memory_product(node->op_type_count, sizeof(*word)));

	for (size_t i = 0; i < node->op_type_count; i++)
		word[i] = node->op_types[i];
	words_add_joined(word, node->op_type_count, "|", out);
	memory_free(word);
}

/* ---- inputs ---- */

const struct graph_shape *members_input_shape(
	const struct graph *graph, uint32_t node, const struct graph_input *input)
{
	const struct graph_detail *detail = graph->detail;
	const struct node_detail *to = &detail->node[node];

	if (input->source >= detail->node_count)
		return NULL;
	for (size_t i = 0; i < to->source_output_count; i++) {
		const struct node_detail *from = &detail->node[input->source];

		if (to->source_output[i].source != input->source)
			continue;
		for (size_t k = 0; k < from->output_count; k++)
			if (from->output[k].index == to->source_output[i].output)
				return from->output[k].dim_count ? &from->output[k] : NULL;
	}
	return NULL;
}

void node_add_input_shapes(
	const struct graph *graph, uint32_t node, const char *separator, struct text *out)
{
	const struct node_detail *detail = node_detail_of(graph->detail, node);

	for (size_t i = 0; detail && i < detail->input_count; i++) {
		const struct graph_input *input = &detail->input[i];
		const struct graph_shape *shape = members_input_shape(graph, node, input);

		text_printf(out, "%s%" PRId32 ":", i ? separator : "", input->index);
		if (shape)
			format_shape(out, shape->dim, shape->dim_count);
		else
			text_add(out, "unknown");
	}
}

/* ---- The op view: one row for each kind of operation. Totals run from the last row up, so that a
 * row's total is that of itself and all rows below ---- */

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

ORDERED(compare_placed, struct placed, strcmp(x->op, y->op) ?: ORDER(x->position, y->position));

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
		members_account(
			row, b->values, node + first, end - first, b->filter->account, b->arena);
		set_total(b, row, row->self, NULL);
		rows.row[rows.count++] = row;
	}
	return rows;
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
	const struct regex_list *start = b->filter->start;
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

		if (depth > b->options->max_depth || regex_list_matches(b->filter->trim, row->name))
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

	size_t kept = 0;

	for (size_t i = 0; i < rows.count; i++)
		if (rows.row[i]->accounted)
			rows.row[kept++] = rows.row[i];
	rows.count = kept;
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

/* ---- The code view: the tree of calls with the values of the graph nodes that each line made
 * ---- */

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

	/* The note on gradients comes with every tree; the original builds the tree once in a
	 * session. */
	struct code_tree code;

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
		members_account(
			node, values, frame->node, frame->node_count, filter->account, arena);
	}
	if (code.unaccounted)
		text_printf(
			messages, "%" PRIu64 " gradient nodes not accounted\n", code.unaccounted);
	if (options->account_displayed_op_only)
		text_add(messages, "Note: code view ignores account_displayed_op_only\n");
	return tree_show(tree, VIEW_CODE, filter, options);
}

/* ---- The graph view: nodes above their inputs, each where a walk from the outputs comes to it
 * first ---- */

/* A walk down the inputs, without recursion. */
struct descent {
	const struct node_values *values;
	const struct view_filter *filter;
	struct tree *tree;
	bool *seen;
	struct level {
		uint32_t node, index; /* of the graph, of the tree */
		size_t input;	      /* the next one to look at */
	} * level;
	size_t depth;
};

static void enter(struct descent *d, uint32_t node)
{
	uint32_t parent = d->depth ? d->level[d->depth - 1].index : TREE_ROOT;
	const struct graph_node *graph_node = &d->values->graph->node[node];
	uint32_t index;

	if (d->seen[node])
		return;
	d->seen[node] = true;
	index = tree_add(d->tree, parent, graph_node->name, strlen(graph_node->name));
	struct view_node *view = tree_at(d->tree, index);

	view->node = node;
	view->self = d->values->value + (size_t)node * QUANTITIES * d->values->slots->count;
	view->accounted = view_accounts(d->filter->account, graph_node);
	d->level[d->depth++] = (struct level){.node = node, .index = index};
}

static void descend(struct descent *d, uint32_t root)
{
	const struct graph *graph = d->values->graph;

	enter(d, root);
	while (d->depth) {
		struct level *top = &d->level[d->depth - 1];
		const struct node_detail *detail = node_detail_of(graph->detail, top->node);

		if (!detail || top->input == detail->input_count) {
			d->depth--;
			continue;
		}
		uint32_t source = detail->input[top->input++].source;

		if (source < graph->node_count)
			enter(d, source);
	}
}

struct view *view_graph(const struct node_values *values, const struct tfprof_options *options,
	struct arena *arena, struct text *messages)
{
	const struct graph *graph = values->graph;

	if (options->output == OUTPUT_PPROF) {
		text_add(messages, "Only 'code' view supports pprof output now.\n");
		return NULL;
	}
	struct descent d = {.values = values,
		.filter = view_filter_new(options, arena),
		.tree = tree_new(values, graph->node_count + 1, arena),
		.seen = arena_array(arena, graph->node_count, sizeof(*d.seen)),
		.level = arena_array(arena, graph->node_count, sizeof(*d.level))};
	/* Nodes that are some node's input, also of itself: the others are where the view
	 * begins. */
	bool *is_input = arena_array(arena, graph->node_count, sizeof(*is_input));

	for (uint32_t n = 0; n < graph->node_count; n++) {
		const struct node_detail *detail = node_detail_of(graph->detail, n);

		for (size_t i = 0; detail && i < detail->input_count; i++)
			if (detail->input[i].source < graph->node_count)
				is_input[detail->input[i].source] = true;
	}

	for (size_t i = 0; i < graph->node_count; i++)
		if (!is_input[values->by_name[i]])
			descend(&d, values->by_name[i]);
	return tree_show(d.tree, VIEW_GRAPH, d.filter, options);
}

/* ---- The scope view: nodes under the scopes that their names spell, which are made up where no
 * node bears their name ---- */

#define SCOPE_TYPE "_kTFScopeParent"

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
	bool accounts_scopes = regex_list_matches(filter->account, SCOPE_TYPE);

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
		view->accounted = view_accounts(filter->account, &values->graph->node[scope->node]);
	}
	return tree_show(tree, VIEW_SCOPE, filter, options);
}

/* ---- The options' regular expressions, compiled once for a view, its minimums and its order
 * ---- */

static void release(void *object)
{
	regex_list_free(object);
}

static struct regex_list *compile(const struct word_list *words, struct arena *arena)
{
	struct regex_list *list = regex_list_new(words);

	arena_defer(arena, release, list);
	return list;
}

struct view_filter *view_filter_new(const struct tfprof_options *options, struct arena *arena)
{
	struct view_filter *filter = arena_alloc(arena, sizeof(*filter));

	filter->options = options;
	for (size_t i = 0; i < STEP_WORDS; i++)
		filter->asks_steps |= options->min_steps[i] > 0;
	filter->asks_values = filter->asks_steps;
	for (enum quantity q = 0; q < QUANTITY_DEFINITION; q++)
		filter->asks_values |= options->min[q] != 0;
	filter->account = compile(&options->account_type, arena);
	filter->start = compile(&options->start_name, arena);
	filter->trim = compile(&options->trim_name, arena);
	filter->show = compile(&options->show_name, arena);
	filter->hide = compile(&options->hide_name, arena);
	filter->asks_names = !regex_list_is_all(filter->show) || !regex_list_is_empty(filter->hide);
	return filter;
}

bool view_accounts(const struct regex_list *account, const struct graph_node *node)
{
	if (regex_list_is_all(account))
		return true;
	for (size_t i = 0; i < node->op_type_count; i++)
		if (regex_list_matches(account, node->op_types[i]))
			return true;
	return false;
}

bool view_filter_shows(const struct view_filter *filter, const char *name, size_t bytes)
{
	return !filter->asks_names || (regex_list_matches_bytes(filter->show, name, bytes) &&
					      !regex_list_matches_bytes(filter->hide, name, bytes));
}

/* Scope and graph ask these of the node alone. */
static bool is_asked_of_self(enum quantity q)
{
	return q == QUANTITY_PARAMS || q == QUANTITY_FLOAT_OPS || q == QUANTITY_OCCURRENCE;
}

/* Without minimums what is below zero is hidden. */
static bool is_positive(enum view_kind kind, const int64_t *total, const int64_t *self)
{
	bool by_node = kind == VIEW_SCOPE || kind == VIEW_GRAPH;
	int64_t all = 0;

	for (enum quantity q = 0; q < QUANTITY_PARAMS; q++)
		all |= total[q];
	if (by_node)
		all |= self[QUANTITY_PARAMS] | self[QUANTITY_FLOAT_OPS] | self[QUANTITY_OCCURRENCE];
	else
		all |= total[QUANTITY_PARAMS] | total[QUANTITY_FLOAT_OPS];
	return all >= 0;
}

bool view_filter_enough(const struct view_filter *filter, enum view_kind kind, const int64_t *total,
	const int64_t *self, size_t node_count, size_t slots)
{
	if (slots == 1 && !filter->asks_values)
		return is_positive(kind, total, self);

	bool by_node = kind == VIEW_SCOPE || kind == VIEW_GRAPH;

	for (enum quantity q = 0; q < QUANTITY_DEFINITION; q++) {
		const int64_t *value = by_node && is_asked_of_self(q) ? self : total;
		__int128 least = filter->options->min[q];

		if (q == QUANTITY_OCCURRENCE && kind == VIEW_CODE)
			continue;
		if (q == QUANTITY_OCCURRENCE && kind == VIEW_OP) {
			if (node_count < least)
				return false;
			continue;
		}
		if (slots == 1 ? value[q] < filter->options->min[q]
			       : slots_sum(value + q * slots, slots) < least * (__int128)slots)
			return false;
	}
	return !filter->asks_steps || steps_enough(filter->options, kind, total, self, slots);
}

/* A child with what it is sorted by. */
struct sorted {
	struct view_node *node;
	__int128 key;
	double statistic;
	size_t place;
};

static int compare_places(const struct sorted *a, const struct sorted *b)
{
	return (a->place > b->place) - (a->place < b->place);
}

ORDERED(compare_names, struct sorted, strcmp(x->node->name, y->node->name) ?: compare_places(x, y));

ORDERED(compare_keys, struct sorted, ORDER(y->key, x->key) ?: compare_places(x, y));

/* Scopes come by name, which is the usual order: nothing is to be done then. */
static bool are_by_name(struct view_node *const *children, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (strcmp(children[i - 1]->name, children[i]->name) > 0)
			return false;
	return true;
}

static bool is_sorted(
	const struct sorted *item, size_t count, int (*compare)(const void *a, const void *b))
{
	for (size_t i = 1; i < count; i++)
		if (compare(&item[i - 1], &item[i]) > 0)
			return false;
	return true;
}

/* Order by the statistic; a node without one comes last. */
static int compare_statistics(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;

	if (isnan(a->statistic) || isnan(b->statistic)) {
		if (isnan(a->statistic) != isnan(b->statistic))
			return isnan(a->statistic) ? 1 : -1;
	} else if (a->statistic != b->statistic) {
		return a->statistic < b->statistic ? 1 : -1;
	}
	return compare_places(a, b);
}

void view_sort(struct view_node **children, size_t count, const struct tfprof_options *options,
	enum view_kind kind, size_t slots)
{
	const char *order = options->order_by;
	bool by_node = kind == VIEW_SCOPE || kind == VIEW_GRAPH;

	if (count < 2 || *order == '\0' ||
		(text_equal(order, "name") && are_by_name(children, count)))
		return;
	enum quantity q = quantity_of_order(order);
	size_t word = step_word_find(order, strlen(order));

	if (q == QUANTITY_OCCURRENCE && by_node)
		q = QUANTITIES;
	int (*compare)(const void *a, const void *b) =
		q == QUANTITIES ? compare_names : compare_keys;
	struct sorted *item = memory_alloc(memory_product(count, sizeof(*item)));

	for (size_t i = 0; i < count; i++) {
		item[i] = (struct sorted){.node = children[i], .place = i};
		if (q == QUANTITY_OCCURRENCE)
			item[i].key = (__int128)children[i]->node_count;
		else if (q != QUANTITIES)
			item[i].key = slots_sum(children[i]->total + q * slots, slots);
		if (word != STEP_WORDS)
			item[i].statistic = steps_statistic(children[i]->total, word, slots);
	}
	if (word != STEP_WORDS)
		compare = compare_statistics;
	if (!is_sorted(item, count, compare))
		qsort(item, count, sizeof(*item), compare);
	for (size_t i = 0; i < count; i++)
		children[i] = item[i].node;
	memory_free(item);
}
