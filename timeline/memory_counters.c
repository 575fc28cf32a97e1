/*
 * Sorts what was allocated and freed, and adds it up.
 */
#include "timeline/memory_counters.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "timeline/timeline_event.h"

/* Bytes allocated (at the start of a tensor) or freed (after its last use). */
struct allocator_change {
	uint32_t allocator; /* by first tensor */
	json_integer micros, bytes;
	const struct tensor *tensor;
};

static int compare_names(const struct tensor *a, const struct tensor *b)
{
	size_t n = a->name_size < b->name_size ? a->name_size : b->name_size;
	int order = memcmp(a->name, b->name, n);

	return order ? order : (a->name_size > b->name_size) - (a->name_size < b->name_size);
}

static int compare_changes(const void *a, const void *b)
{
	const struct allocator_change *x = a, *y = b;

	return ORDER(x->allocator, y->allocator)
		?: ORDER(x->micros, y->micros)
		?: ORDER(x->bytes, y->bytes)
		?: compare_names(x->tensor, y->tensor);
}

static void write_counter(struct json_writer *json, const struct allocator_change *change,
	json_integer total, int64_t pid)
{
	const struct recorded_text *allocator = &change->tensor->allocator;
	struct timeline_event event = {.phase = "C",
		.category = "Memory",
		.name = *allocator,
		.pid = pid,
		.ts_micros = change->micros};

	trace_event_open(json, &event);
	json_open(json, "args", '{');
	json_number_named(json, allocator->bytes, allocator->size, total);
	json_close(json, '}');
	trace_event_close(json);
}

static void write_end(struct json_writer *json, const struct tensor *tensor)
{
	struct timeline_event event = {.phase = "D",
		.category = "Tensor",
		.name = {tensor->name, tensor->name_size},
		.pid = tensor->tensors_pid,
		.ts_micros = tensor->unused_micros};

	trace_event_with_id(json, &event, tensor->object);
}

void memory_counters_write(struct json_writer *json, const struct tensor_table *table, int64_t pid)
{
	const struct tensor *tensor = table->tensor.data;
	size_t count = memory_product(table->tensor.count, 2);
	struct allocator_change *change = memory_alloc(memory_product(count, sizeof(*change)));
	struct arena *arena = arena_new();
	struct intern *allocators = intern_new(arena);
	json_integer total = 0;

	for (size_t i = 0; i < table->tensor.count; i++) {
		const struct tensor *t = &tensor[i];
		uint32_t allocator = intern_id(allocators, t->allocator.bytes, t->allocator.size);

		write_end(json, t);
		change[2 * i] =
			(struct allocator_change){allocator, t->start_micros, t->size_bytes, t};
		change[2 * i + 1] = (struct allocator_change){
			allocator, t->unused_micros, -(json_integer)t->size_bytes, t};
	}
	if (count)
		qsort(change, count, sizeof(*change), compare_changes);
	for (size_t i = 0; i < count; i++) {
		if (i && change[i].allocator != change[i - 1].allocator)
			total = 0;
		total += change[i].bytes;
		write_counter(json, &change[i], total, pid);
	}
	arena_free(arena);
	memory_free(change);
}
