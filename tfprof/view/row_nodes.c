/*
 * Members of a row. Sums are made in unsigned arithmetic, so that they wrap as the original's do.
 */
#include "tfprof/view/row_nodes.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"

static void add_wrapped(int64_t *to, int64_t value)
{
	*to = (int64_t)((uint64_t)*to + (uint64_t)value);
}

void members_add_values(int64_t *to, const int64_t *value, size_t slots)
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

static void add_member(
	int64_t *self, const struct node_values *values, uint32_t node, size_t matches)
{
	for (size_t q = 0; q < QUANTITIES; q++) {
		bool once = q == QUANTITY_OCCURRENCE || q == QUANTITY_DEFINITION;
		uint64_t times = once ? 1 : matches;
		const int64_t *value = node_value(values, node, (enum quantity)q);
		size_t slots = values->slots->count;

		for (size_t s = 0; s < slots; s++)
			add_wrapped(&self[q * slots + s], (int64_t)((uint64_t)value[s] * times));
	}
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
		add_member(row->self, values, node[i], matches);
	}
	row->member = member;
	row->node_count = row->member_count;
	row->accounted = row->member_count > 0 || regex_list_is_all(account);
}

/* ---- words of all members ---- */

static void add_words(const char **word, size_t count, struct text *out)
{
	if (count)
		qsort(word, count, sizeof(*word), order_texts);
	for (size_t i = 0; i < count; i++) {
		if (i && strcmp(word[i], word[i - 1]) == 0)
			continue;
		if (i)
			text_add_char(out, '|');
		text_add(out, word[i]);
	}
}

void members_add_devices(const struct view_node *row, const struct graph *graph, struct text *out)
{
	const char **word = memory_alloc(memory_product(row->member_count, sizeof(*word)));

	for (size_t i = 0; i < row->member_count; i++)
		word[i] = graph->node[row->member[i]].canonical_device;
	add_words(word, row->member_count, out);
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
	add_words(word, count, out);
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
