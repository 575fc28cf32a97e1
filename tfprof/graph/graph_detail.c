/* Storage of what the views of tfprof need beyond numbers, and its order once everything is
 * read. */
#include "tfprof/graph/graph_detail.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "tfprof/graph/graph.h"

#define NO_NODE UINT32_MAX

void graph_detail_init(struct graph_detail *detail)
{
	struct arena *arena = arena_new();

	*detail = (struct graph_detail){
		.arena = arena,
		.words = intern_new(arena),
		.step = INT64_MIN,
	};
}

void graph_detail_release(struct graph_detail *detail)
{
	memory_free(detail->node);
	memory_free(detail->time);
	memory_free(detail->exec_memory);
	memory_free(detail->allocation);
	memory_free(detail->device);
	memory_free(detail->attribute);
	arena_free(detail->arena);
	*detail = (struct graph_detail){0};
}

const char *graph_detail_word(struct graph_detail *detail, const char *bytes, size_t n)
{
	return n ? intern_name(detail->words, intern_id(detail->words, bytes, n)) : "";
}

struct node_detail *graph_detail_push_node(struct graph_detail *detail)
{
	struct node_detail *node = memory_push(
		&detail->node, &detail->node_count, &detail->node_room, sizeof(*detail->node));

	node->data_format = "";
	return node;
}

struct exec_time *graph_detail_push_time(struct graph_detail *detail)
{
	return memory_push(
		&detail->time, &detail->time_count, &detail->time_room, sizeof(*detail->time));
}

struct exec_memory *graph_detail_push_memory(struct graph_detail *detail)
{
	return memory_push(&detail->exec_memory, &detail->exec_memory_count,
		&detail->exec_memory_room, sizeof(*detail->exec_memory));
}

struct exec_allocation *graph_detail_push_allocation(struct graph_detail *detail)
{
	return memory_push(&detail->allocation, &detail->allocation_count, &detail->allocation_room,
		sizeof(*detail->allocation));
}

struct exec_device *graph_detail_push_exec_device(struct graph_detail *detail)
{
	return memory_push(&detail->device, &detail->device_count, &detail->device_room,
		sizeof(*detail->device));
}

static const void *copied(struct graph_detail *detail, const void *bytes, size_t n)
{
	void *to = arena_alloc(detail->arena, n ? n : 1);

	if (n)
		memcpy(to, bytes, n);
	return to;
}

void graph_detail_add_attribute(struct graph_detail *detail, const struct graph_attribute *from)
{
	struct graph_attribute *to = memory_push(
		&detail->attribute, &detail->attribute_count, &detail->attribute_room, sizeof(*to));

	*to = *from;
	to->key = graph_detail_word(detail, from->key, from->key_size);
	to->value = copied(detail, from->value, from->value_size);
}

struct exec_bytes *graph_detail_new_bytes(struct graph_detail *detail, size_t output_count)
{
	struct exec_bytes *bytes = arena_alloc(detail->arena, sizeof(*bytes));

	bytes->output = arena_array(detail->arena, output_count, sizeof(*bytes->output));
	bytes->output_count = output_count;
	return bytes;
}

struct graph_detail_mark graph_detail_mark(const struct graph_detail *detail)
{
	return (struct graph_detail_mark){detail->time_count, detail->exec_memory_count,
		detail->allocation_count, detail->device_count};
}

void graph_detail_drop(
	struct graph_detail *detail, struct graph_detail_mark from, struct graph_detail_mark to)
{
	for (size_t i = from.time; i < to.time; i++)
		detail->time[i].node = NO_NODE;
	for (size_t i = from.memory; i < to.memory; i++)
		detail->exec_memory[i].node = NO_NODE;
	for (size_t i = from.allocation; i < to.allocation; i++)
		detail->allocation[i].node = NO_NODE;
	for (size_t i = from.device; i < to.device; i++)
		detail->device[i].node = NO_NODE;
}

/* ---- inputs ---- */

/* "NODE:OUTPUT" without the '^' of a control input. The original reads OUTPUT inside a check that
 * release builds leave out, so there every input is of output 0: all dumps of TensorFlow 2.15 have
 * it so, and its answers. */
static void add_input(struct graph_detail *detail, struct node_detail *node, const char *input)
{
	size_t size = strcspn(input, ":");

	if (size && *input == '^') {
		input++;
		size--;
	}
	const char *name = graph_detail_word(detail, input, size);
	int32_t index = (int32_t)node->input_count;

	node->input[node->input_count++] = (struct graph_input){index, NO_NODE, name};

	/* The output that is used of a source; a later one of the same source replaces it. */
	size_t i = 0;

	/* Words: the same name is the same pointer. */
	while (i < node->source_output_count && node->source_output[i].name != name)
		i++;
	node->source_output_count += i == node->source_output_count;
	node->source_output[i] = (struct graph_source_output){NO_NODE, 0, name};
}

void graph_detail_inputs(
	struct graph_detail *detail, uint32_t index, const char *const *input, size_t count)
{
	struct node_detail *node = &detail->node[index];

	if (count == 0)
		return;
	node->input = arena_array(detail->arena, count, sizeof(*node->input));
	node->source_output = arena_array(detail->arena, count, sizeof(*node->source_output));
	node->input_count = node->source_output_count = 0;
	for (size_t i = 0; i < count; i++)
		add_input(detail, node, input[i]);
}

/* ---- order ---- */

static uint32_t renumbered(const uint32_t *new_index, uint32_t node)
{
	return node == NO_NODE ? NO_NODE : new_index[node];
}

void graph_detail_renumber(struct graph_detail *detail, const uint32_t *new_index, size_t count)
{
	struct node_detail *node = memory_alloc(memory_product(count + 1, sizeof(*node)));

	for (size_t i = 0; i < detail->node_count; i++)
		if (new_index[i] != NO_NODE)
			node[new_index[i]] = detail->node[i];
	memory_free(detail->node);
	detail->node = node;
	detail->node_count = count;
	detail->node_room = count + 1;
	for (size_t i = 0; i < detail->time_count; i++)
		detail->time[i].node = renumbered(new_index, detail->time[i].node);
	for (size_t i = 0; i < detail->exec_memory_count; i++)
		detail->exec_memory[i].node = renumbered(new_index, detail->exec_memory[i].node);
	for (size_t i = 0; i < detail->allocation_count; i++)
		detail->allocation[i].node = renumbered(new_index, detail->allocation[i].node);
	for (size_t i = 0; i < detail->device_count; i++)
		detail->device[i].node = renumbered(new_index, detail->device[i].node);
	for (size_t i = 0; i < detail->attribute_count; i++)
		detail->attribute[i].node = renumbered(new_index, detail->attribute[i].node);
}

static uint32_t find_source(const struct graph *graph, const char *name)
{
	uint32_t source;

	return name && graph_node_find(graph, name, &source) ? source : NO_NODE;
}

/* Positions are sorted, so that equal items stay in the order in which they came. */
struct item_turn {
	const void *item;
	size_t position;
};

#define TURN_ORDERED(name, type, order)                                                            \
	static int name(const void *left, const void *right)                                       \
	{                                                                                          \
		const struct item_turn *const l = left, *const r = right;                          \
		const type *const x = l->item, *const y = r->item;                                 \
                                                                                                   \
		return ORDER(x->node, y->node) ?: order ?: ORDER(l->position, r->position);        \
	}                                                                                          \
	static int name(const void *, const void *)

TURN_ORDERED(compare_times, struct exec_time,
	ORDER(x->step, y->step)
		?: strcmp(x->device, y->device)
		?: ORDER(x->accelerator, y->accelerator));
TURN_ORDERED(compare_memory, struct exec_memory, ORDER(x->step, y->step));
TURN_ORDERED(compare_allocations, struct exec_allocation, ORDER(x->step, y->step));
TURN_ORDERED(compare_devices, struct exec_device,
	ORDER(x->step, y->step) ?: strcmp(x->device, y->device));

static int compare_keys(const struct graph_attribute *p, const struct graph_attribute *q)
{
	size_t shorter = p->key_size < q->key_size ? p->key_size : q->key_size;
	int order = shorter ? memcmp(p->key, q->key, shorter) : 0;

	return order ?: ORDER(p->key_size, q->key_size);
}

TURN_ORDERED(order_attributes, struct graph_attribute, compare_keys(x, y));

/* The items in order, those that were dropped at the end; *count becomes that of the others. Each
 * item begins with its node. */
static void *sorted(
	void *items, size_t *count, size_t item_bytes, int (*compare)(const void *a, const void *b))
{
	struct item_turn *turn = memory_alloc(memory_product(*count + 1, sizeof(*turn)));
	char *out = memory_alloc(memory_product(*count + 1, item_bytes));
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++)
		turn[i] = (struct item_turn){(const char *)items + i * item_bytes, i};
	qsort(turn, *count, sizeof(*turn), compare);
	for (size_t i = 0; i < *count; i++) {
		uint32_t node;

		memcpy(out + i * item_bytes, turn[i].item, item_bytes);
		memcpy(&node, turn[i].item, sizeof(node));
		kept += node != NO_NODE;
	}
	memory_free(turn);
	memory_free(items);
	*count = kept;
	return out;
}

static bool same_times(const struct exec_time *a, const struct exec_time *b)
{
	return a->node == b->node && a->accelerator == b->accelerator &&
	       text_equal(a->device, b->device);
}

/* Finishes the data that only a written profile needs: one device, one attribute for each key, of
 * equal keys the last. */
static void finish_whole(struct graph_detail *detail)
{
	size_t devices = 0, attributes = 0;

	detail->device = sorted(
		detail->device, &detail->device_count, sizeof(*detail->device), compare_devices);
	for (size_t i = 0; i < detail->device_count; i++) {
		const struct exec_device *d = &detail->device[i];

		if (i == 0 || d->node != d[-1].node || d->step != d[-1].step ||
			!text_equal(d->device, d[-1].device))
			detail->device[devices++] = *d;
	}
	detail->device_room = detail->device_count;
	detail->device_count = devices;
	detail->attribute = sorted(detail->attribute, &detail->attribute_count,
		sizeof(*detail->attribute), order_attributes);
	for (size_t i = 0; i < detail->attribute_count; i++) {
		const struct graph_attribute *a = &detail->attribute[i];

		if (i + 1 == detail->attribute_count || a->node != a[1].node ||
			compare_keys(a, a + 1))
			detail->attribute[attributes++] = *a;
	}
	detail->attribute_room = detail->attribute_count;
	detail->attribute_count = attributes;
}

void graph_detail_finish(const struct graph *graph)
{
	struct graph_detail *detail = graph->detail;

	for (size_t i = 0; i < detail->node_count; i++) {
		struct node_detail *node = &detail->node[i];

		for (size_t k = 0; k < node->input_count; k++)
			node->input[k].source = find_source(graph, node->input[k].name);
		for (size_t k = 0; k < node->source_output_count; k++)
			node->source_output[k].source =
				find_source(graph, node->source_output[k].name);
	}
	detail->time =
		sorted(detail->time, &detail->time_count, sizeof(*detail->time), compare_times);
	detail->time_room = detail->time_count;
	detail->exec_memory = sorted(detail->exec_memory, &detail->exec_memory_count,
		sizeof(*detail->exec_memory), compare_memory);
	detail->exec_memory_room = detail->exec_memory_count;
	detail->allocation = sorted(detail->allocation, &detail->allocation_count,
		sizeof(*detail->allocation), compare_allocations);
	detail->allocation_room = detail->allocation_count;
	if (detail->whole)
		finish_whole(detail);
	else {
		/* One entry for each node and device. */
		const struct exec_time *time = detail->time;
		size_t count = detail->time_count;
		int64_t *number = arena_array(detail->arena, 2 * count, sizeof(*number));
		struct exec_times *to = NULL;

		detail->times = arena_array(detail->arena, count, sizeof(*detail->times));
		detail->times_count = 0;
		for (size_t i = 0; i < count; i++) {
			if (i == 0 || !same_times(&time[i - 1], &time[i])) {
				to = &detail->times[detail->times_count++];
				*to = (struct exec_times){.node = time[i].node,
					.device = time[i].device,
					.accelerator = time[i].accelerator,
					.start_micros = number + i,
					.dur_micros = number + count + i};
			}
			to->start_micros[to->count] = time[i].start_micros;
			to->dur_micros[to->count++] = time[i].dur_micros;
		}
	}
}
