/* Storage of a graph, and building it node by node: words, nodes by name with their data in the
 * base, and the order of executions that came in any order. */
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "tfprof/graph/exec_pack.h"
#include "tfprof/graph/graph.h"
#include "tfprof/graph/graph_detail.h"
#include "base/order.h"
#include "base/unit.h"

#define TYPES_FEW 16 /* types of a node that are compared one by one */

struct graph *graph_new(void)
{
	struct arena *arena = arena_new();
	struct graph *graph = arena_alloc(arena, sizeof(*graph));

	graph->arena = arena;
	graph->words = intern_new(arena);
	issue_list_init(&graph->issues, arena);
	return graph;
}

void graph_free(struct graph *graph)
{
	if (!graph)
		return;
	memory_free(graph->node);
	memory_free(graph->exec);
	if (graph->pack)
		exec_pack_release(graph->pack);
	memory_free(graph->exec_nanos);
	memory_free(graph->exec_calls);
	memory_free(graph->interval);
	memory_free(graph->interval_nanos);
	memory_free(graph->step);
	memory_free(graph->node_of_word);
	memory_free(graph->step_node);
	arena_free(graph->arena);
}

struct graph_node *graph_push_node(struct graph *graph)
{
	if (graph->detail)
		graph_detail_push_node(graph->detail);
	return memory_push(
		&graph->node, &graph->node_count, &graph->node_room, sizeof(*graph->node));
}

struct exec *graph_push_exec(struct graph *graph)
{
	if (graph->nanos)
		memory_push(&graph->exec_nanos, &graph->exec_nanos_count, &graph->exec_nanos_room,
			sizeof(*graph->exec_nanos));
	if (graph->calls)
		memory_push(&graph->exec_calls, &graph->exec_calls_count, &graph->exec_calls_room,
			sizeof(*graph->exec_calls));
	return memory_push(
		&graph->exec, &graph->exec_count, &graph->exec_room, sizeof(*graph->exec));
}

void graph_add_call(struct graph *graph, size_t exec, enum call_kind kind, int64_t ticks)
{
	int64_t ps;

	if (graph->calls && ticks >= 0 &&
		number_multiply(ticks, graph->nanos ? PS_PER_NS : PS_PER_US, &ps))
		call_sums_add(&graph->exec_calls[exec].kind[kind], kind, ps);
}

struct interval *graph_push_interval(struct graph *graph)
{
	if (graph->nanos)
		memory_push(&graph->interval_nanos, &graph->interval_nanos_count,
			&graph->interval_nanos_room, sizeof(*graph->interval_nanos));
	return memory_push(&graph->interval, &graph->interval_count, &graph->interval_room,
		sizeof(*graph->interval));
}

int64_t *graph_push_step(struct graph *graph)
{
	return memory_push(
		&graph->step, &graph->step_count, &graph->step_room, sizeof(*graph->step));
}

const char *graph_word(struct graph *graph, const char *bytes, size_t n, bool *had_zero)
{
	struct text visible;

	if (n == 0)
		return "";
	if (!memchr(bytes, 0, n))
		return intern_name(graph->words, intern_id(graph->words, bytes, n));
	text_init(&visible);
	text_add_zeros_visible(&visible, bytes, n);
	const char *word =
		intern_name(graph->words, intern_id(graph->words, visible.data, visible.size));

	text_release(&visible);
	if (had_zero)
		*had_zero = true;
	return word;
}

bool graph_node_find(const struct graph *graph, const char *name, uint32_t *index)
{
	uint32_t word;

	if (!intern_find(graph->words, name, strlen(name), &word) ||
		word >= graph->node_of_word_room || graph->node_of_word[word] == 0)
		return false;
	*index = graph->node_of_word[word] - 1;
	return true;
}

static void index_word(struct graph *graph, uint32_t word, uint32_t node)
{
	graph->node_of_word = memory_make_room_zeroed(graph->node_of_word,
		&graph->node_of_word_room, (size_t)word + 1, sizeof(*graph->node_of_word));
	graph->node_of_word[word] = node + 1;
}

uint32_t graph_node_add(struct graph *graph, const char *name)
{
	uint32_t word = intern_id(graph->words, name, strlen(name)), from;
	uint32_t index = (uint32_t)graph->node_count;
	struct graph_node *node = graph_push_node(graph);

	if (graph->base && graph_node_find(graph->base, name, &from))
		*node = graph->base->node[from];
	else
		node->op = node->canonical_device = node->host_device = "";
	node->name = intern_name(graph->words, word);
	node->exec_first = node->exec_count = 0;
	node->op_type_room = 0;
	node->types_known = false;
	index_word(graph, word, index);
	return index;
}

void graph_index_nodes(struct graph *graph)
{
	uint32_t known;

	for (size_t i = 0; i < graph->node_count; i++) {
		const char *name = graph->node[i].name;
		uint32_t word = intern_id(graph->words, name, strlen(name));

		if (!graph_node_find(graph, name, &known))
			index_word(graph, word, (uint32_t)i);
	}
}

/* Enters the pair; false: it was there. */
static bool add_pair(struct graph *graph, uint32_t node, const char *type)
{
	size_t known = intern_count(graph->type_pairs);
	const uint32_t pair[] = {node, intern_id(graph->words, type, strlen(type))};

	return intern_id(graph->type_pairs, (const char *)pair, sizeof(pair)) == known;
}

/* True if the node has the type. An op log may have any number of types of a node: from some on, a
 * table lists them. */
static bool has_type(struct graph *graph, uint32_t index, const char *type)
{
	struct graph_node *node = &graph->node[index];

	if (node->op_type_count < TYPES_FEW) {
		for (size_t i = 0; i < node->op_type_count; i++)
			if (text_equal(node->op_types[i], type))
				return true;
		return false;
	}
	if (!graph->type_pairs)
		graph->type_pairs = intern_new(graph->arena);
	for (size_t i = 0; i < node->op_type_count && !node->types_known; i++)
		add_pair(graph, index, node->op_types[i]);
	node->types_known = true;
	return !add_pair(graph, index, type);
}

void graph_node_type(struct graph *graph, uint32_t index, const char *type)
{
	struct graph_node *node = &graph->node[index];

	if (has_type(graph, index, type))
		return;
	node->op_types = arena_make_room(graph->arena, node->op_types, node->op_type_count,
		&node->op_type_room, sizeof(*node->op_types));
	node->op_types[node->op_type_count++] = type;
}

static void *permuted(const void *items, size_t item_bytes, const struct keyed *turn, size_t count)
{
	char *out = memory_alloc(memory_product(count, item_bytes));

	for (size_t i = 0; i < count; i++)
		memcpy(out + i * item_bytes,
			(const char *)items + (size_t)turn[i].value * item_bytes, item_bytes);
	return out;
}

const struct exec *exec_find(const struct exec *exec, size_t count, int64_t step)
{
	size_t low = 0, high = count;

	/* Without gaps its distance from the first is the difference of their numbers. */
	if (count && step >= exec->step && (uint64_t)step - (uint64_t)exec->step < count &&
		exec[step - exec->step].step == step)
		return &exec[step - exec->step];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (exec[middle].step < step)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && exec[low].step == step ? &exec[low] : NULL;
}

void graph_pack(struct graph *graph)
{
	graph->pack = arena_alloc(graph->arena, sizeof(*graph->pack));
}

void graph_pack_execs(struct graph *graph, struct graph_node *node)
{
	node->packed_at = exec_pack_add(graph->pack, graph->exec, graph->exec_count);
	graph->packed_count += graph->exec_count;
	graph->exec_count = 0;
}

void graph_move_execs(struct graph *graph, size_t to, size_t from, size_t count)
{
	if (graph->exec_calls && count)
		memmove(graph->exec_calls + to, graph->exec_calls + from,
			count * sizeof(*graph->exec_calls));
	if (!graph->pack && count)
		memmove(graph->exec + to, graph->exec + from, count * sizeof(*graph->exec));
}

void graph_end_execs(struct graph *graph, size_t count)
{
	if (graph->pack)
		graph->packed_count = count;
	else
		graph->exec_count = count;
}

void graph_order_execs(struct graph *graph)
{
	size_t count = graph->exec_count;
	struct keyed *turn = memory_alloc(memory_product(count, 2 * sizeof(*turn)));

	for (size_t i = 0; i < count; i++)
		turn[i] = (struct keyed){graph->exec[i].step, (int64_t)i};
	order_by_key(turn, turn + count, count);
	for (size_t i = 0; i < count; i++)
		turn[i].key = graph->exec[turn[i].value].node;
	order_by_key(turn, turn + count, count);
	struct exec *exec = permuted(graph->exec, sizeof(*exec), turn, count);

	memory_free(graph->exec);
	graph->exec = exec;
	graph->exec_room = count;
	if (graph->exec_nanos) {
		struct exec_nanos *nanos = permuted(graph->exec_nanos, sizeof(*nanos), turn, count);

		memory_free(graph->exec_nanos);
		graph->exec_nanos = nanos;
		graph->exec_nanos_room = count;
	}
	if (graph->exec_calls) {
		struct exec_calls *calls = permuted(graph->exec_calls, sizeof(*calls), turn, count);

		memory_free(graph->exec_calls);
		graph->exec_calls = calls;
		graph->exec_calls_room = count;
	}
	memory_free(turn);
	for (size_t i = 0; i < graph->node_count; i++)
		graph->node[i].exec_first = graph->node[i].exec_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct graph_node *node = &graph->node[exec[i].node];

		node->exec_first = node->exec_count++ ? node->exec_first : i;
	}
}
