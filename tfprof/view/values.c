/* Self values of the nodes: those of a step, or averages that truncate for each node and each
 * quantity by itself, before anything is summed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tfprof/view/view.h"
#include "base/memory.h"
#include "base/order.h"

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
		/* Over the node's own steps. The original divides by an unsigned count, so a sum
		 * below zero does not stay below zero; with one step it is what it was. */
		int64_t one[QUANTITIES];

		for (size_t i = 0; i < node->exec_count; i++) {
			exec_quantities(&exec[i], one);
			for (size_t q = 0; q < QUANTITIES; q++)
				(void)__builtin_add_overflow(value[q], one[q], &value[q]);
		}
		for (size_t q = 0; node->exec_count && q < QUANTITIES; q++)
			value[q] = (int64_t)((uint64_t)value[q] / node->exec_count);
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

ORDERED(compare_names, struct named, strcmp(x->name, y->name));

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

/* ---- Numbers as tfprof prints them: decimal units, two digits, no carry into the next unit
 * (999999 is 1000.00k) ---- */

struct step_of_unit {
	int64_t below; /* for numbers less than this */
	int64_t divisor;
	char unit[4]; /* all of it is written, `unit_bytes` count */
	size_t unit_bytes;
};

/* Steps of units. Values below 1000 and negative ones are written whole with the first step's unit;
 * the last step has no end. */
static const struct step_of_unit number_steps[] = {{1000, 1, "", 0}, {1000000, 1000, "k", 1},
	{1000000000, 1000000, "m", 1}, {INT64_MAX, 1000000000, "b", 1}};
static const struct step_of_unit time_steps[] = {
	{1000, 1, "us", 2}, {1000000, 1000, "ms", 2}, {INT64_MAX, 1000000, "sec", 3}};
static const struct step_of_unit memory_steps[] = {
	{1000, 1, "B", 1}, {1000000, 1000, "KB", 2}, {INT64_MAX, 1000000, "MB", 2}};

#define LAST_STEP(step) (sizeof(step) / sizeof(*(step)) - 1)

#define QUICK_BELOW INT64_C(1000000000000) /* quotients of doubles are near enough below it */

/* A number that is not negative; returns the end. */
static inline char *put_digits(char *to, int64_t n)
{
	char digit[24];
	size_t at = sizeof(digit);

	if (n < 10) {
		*to = (char)('0' + n);
		return to + 1;
	}
	while (n > 0) {
		digit[--at] = (char)('0' + n % 10);
		n /= 10;
	}
	memcpy(to, digit + at, sizeof(digit) - at);
	return to + sizeof(digit) - at;
}

/* Quotient and rest; compilers divide by a constant without dividing. */
static inline int64_t divide(int64_t n, int64_t by, int64_t *rest)
{
	int64_t quotient = by == 10 ? n / 10 : by == 10000 ? n / 10000 : n / by;

	*rest = n - quotient * by;
	return quotient;
}

/* Prints the quotient as %.2f of doubles, which differs from the result of integers only halfway
 * between two texts: lines are mostly numbers, and printf is slow. */
static char *put_quotient(char *to, int64_t n, int64_t divisor)
{
	int64_t place = divisor / 100, rest, hundredths = divide(n, place, &rest);

	if (n >= QUICK_BELOW || 2 * rest == place)
		return to + snprintf(to, FORMAT_ROOM, "%.2f", (double)n / (double)divisor);
	hundredths += 2 * rest > place;
	to = put_digits(to, hundredths / 100);
	*to++ = '.';
	*to++ = (char)('0' + hundredths / 10 % 10);
	*to++ = (char)('0' + hundredths % 10);
	return to;
}

static char *put_scaled(char *to, int64_t n, const struct step_of_unit *step, size_t last)
{
	size_t i = 0;

	if (n < 0) {
		to += snprintf(to, FORMAT_ROOM, "%lld", (long long)n);
	} else if (n < 1000) {
		to = put_digits(to, n);
	} else {
		while (i < last && n >= step[i].below)
			i++;
		to = put_quotient(to, n, step[i].divisor);
	}
	memcpy(to, step[i].unit, sizeof(step[i].unit));
	return to + step[i].unit_bytes;
}

char *scaled_number(char *to, int64_t n)
{
	return put_scaled(to, n, number_steps, LAST_STEP(number_steps));
}

char *scaled_time(char *to, int64_t micros)
{
	return put_scaled(to, micros, time_steps, LAST_STEP(time_steps));
}

char *scaled_memory(char *to, int64_t bytes)
{
	return put_scaled(to, bytes, memory_steps, LAST_STEP(memory_steps));
}

static void format_by(struct text *out, int64_t n, char *(*put)(char *to, int64_t n))
{
	char *to = text_room(out, FORMAT_ROOM);

	text_extend(out, (size_t)(put(to, n) - to));
}

void format_number(struct text *out, int64_t n)
{
	format_by(out, n, scaled_number);
}

void format_time(struct text *out, int64_t micros)
{
	format_by(out, micros, scaled_time);
}

void format_memory(struct text *out, int64_t bytes)
{
	format_by(out, bytes, scaled_memory);
}

/* Means: always two places. */
static void format_mean(struct text *out, double n, const struct step_of_unit *step, size_t last)
{
	size_t i = 0;

	while (i < last && n >= (double)step[i].below)
		i++;
	text_printf(out, "%.2f%s", n / (double)step[i].divisor, step[i].unit);
}

void format_number_mean(struct text *out, double n)
{
	format_mean(out, n, number_steps, LAST_STEP(number_steps));
}

void format_time_mean(struct text *out, double micros)
{
	format_mean(out, micros, time_steps, LAST_STEP(time_steps));
}

void format_memory_mean(struct text *out, double bytes)
{
	format_mean(out, bytes, memory_steps, LAST_STEP(memory_steps));
}

void format_shape(struct text *out, const int64_t *dim, size_t count)
{
	for (size_t i = 0; i < count; i++)
		text_printf(out, "%s%lld", i ? "x" : "", (long long)dim[i]);
}
