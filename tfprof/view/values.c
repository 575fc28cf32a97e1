/*
 * Self values of the nodes: those of a step, or averages that truncate for each node and each
 * quantity by itself, before anything is summed.
 */
#include "tfprof/view/view.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

/* The values of one execution in the order of `enum quantity`, as far as they are measured. */
static void exec_quantities(const struct exec *exec, int64_t *value)
{
	value[QUANTITY_BYTES] = exec->requested_bytes;
	value[QUANTITY_PEAK_BYTES] = exec->peak_bytes;
	value[QUANTITY_RESIDUAL_BYTES] = exec->residual_bytes;
	value[QUANTITY_OUTPUT_BYTES] = exec->output_bytes;
	(void)__builtin_add_overflow(
		exec->accelerator_micros, exec->cpu_micros, &value[QUANTITY_MICROS]);
	value[QUANTITY_ACCELERATOR_MICROS] = exec->accelerator_micros;
	value[QUANTITY_CPU_MICROS] = exec->cpu_micros;
	value[QUANTITY_PARAMS] = value[QUANTITY_FLOAT_OPS] = value[QUANTITY_DEFINITION] = 0;
	value[QUANTITY_OCCURRENCE] = exec->run_count;
}

/* Over the node's own steps. The original divides by an unsigned count, so a sum below zero does
 * not stay below zero; with one step it is what it was. */
static void average(const struct exec *exec, size_t count, int64_t *value)
{
	int64_t one[QUANTITIES];

	for (size_t i = 0; i < count; i++) {
		exec_quantities(&exec[i], one);
		for (size_t q = 0; q < QUANTITIES; q++)
			(void)__builtin_add_overflow(value[q], one[q], &value[q]);
	}
	for (size_t q = 0; count && q < QUANTITIES; q++)
		value[q] = (int64_t)((uint64_t)value[q] / count);
}

/* Product of the shape, wrapping; 0 without a shape and when a dimension is not known. */
static int64_t params(const struct graph_node *node, bool *incomplete)
{
	int64_t product = node->shape_count > 0;

	*incomplete = false;
	for (size_t i = 0; i < node->shape_count; i++) {
		if (node->shape[i] < 0) {
			*incomplete = true;
			return 0;
		}
		(void)__builtin_mul_overflow(product, node->shape[i], &product);
	}
	return product;
}

/* All quantities of a node in a slot. Float operations are counted per run; a node that never ran
 * has those of the graph. */
static void slot_values(const struct graph *graph, const struct graph_node *node,
	const struct slots *slots, size_t slot, int64_t *value)
{
	const struct exec *exec = node->exec_count ? graph->exec + node->exec_first : NULL;
	const struct exec *found;

	memset(value, 0, QUANTITIES * sizeof(*value));
	if (slots->average) {
		average(exec, node->exec_count, value);
	} else {
		found = exec_find(exec, node->exec_count, slots->step[slot]);
		if (found)
			exec_quantities(found, value);
	}
	value[QUANTITY_FLOAT_OPS] = node->float_ops;
	if (node->exec_count)
		(void)__builtin_mul_overflow(
			node->float_ops, value[QUANTITY_OCCURRENCE], &value[QUANTITY_FLOAT_OPS]);
	value[QUANTITY_DEFINITION] = 1;
}

struct named {
	const char *name;
	uint32_t node;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

uint32_t *node_values_order(const struct graph *graph, struct arena *arena)
{
	uint32_t *order = arena_array(arena, graph->node_count, sizeof(*order));
	struct named *item = memory_alloc(memory_product(graph->node_count, sizeof(*item)));

	for (size_t n = 0; n < graph->node_count; n++)
		item[n] = (struct named){.name = graph->node[n].name, .node = (uint32_t)n};
	qsort(item, graph->node_count, sizeof(*item), compare_names);
	for (size_t n = 0; n < graph->node_count; n++)
		order[n] = item[n].node;
	memory_free(item);
	return order;
}

void node_values_make(const struct graph *graph, const struct slots *slots, struct arena *arena,
	struct node_values *out)
{
	node_values_fill(graph, slots, node_values_order(graph, arena), arena, out);
}

void node_values_fill(const struct graph *graph, const struct slots *slots, const uint32_t *by_name,
	struct arena *arena, struct node_values *out)
{
	size_t width = memory_product(QUANTITIES, slots->count);
	int64_t one[QUANTITIES];
	bool incomplete;

	*out = (struct node_values){.graph = graph, .slots = slots, .by_name = by_name};
	out->value =
		arena_array(arena, memory_product(graph->node_count, width), sizeof(*out->value));
	for (size_t n = 0; n < graph->node_count; n++) {
		const struct graph_node *node = &graph->node[n];
		int64_t product = params(node, &incomplete);

		out->incomplete += incomplete;
		for (size_t s = 0; s < slots->count; s++) {
			slot_values(graph, node, slots, s, one);
			one[QUANTITY_PARAMS] = product;
			for (size_t q = 0; q < QUANTITIES; q++)
				out->value[n * width + q * slots->count + s] = one[q];
		}
	}
}
