/*
 * A stack for each thread, found by the texts of its pid and tid.
 */
#include "timeline/merge/merge_lanes.h"

#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"

#define LANES_MOST ((size_t)1000000)
#define DEPTH_MOST ((size_t)1000000)

struct merge_lanes {
	size_t item_bytes;
	struct arena *arena;
	struct intern *ids;
	struct vec stack; /* struct vec by lane */
	struct text key;
};

struct merge_lanes *merge_lanes_new(size_t item_bytes)
{
	struct merge_lanes *lanes = memory_alloc(sizeof(*lanes));

	lanes->item_bytes = item_bytes;
	lanes->arena = arena_new();
	lanes->ids = intern_new(lanes->arena);
	vec_init(&lanes->stack, sizeof(struct vec), LANES_MOST, "threads of a trace");
	text_init(&lanes->key);
	return lanes;
}

void merge_lanes_clear(struct merge_lanes *lanes)
{
	for (size_t i = 0; i < lanes->stack.count; i++)
		vec_release(vec_at(&lanes->stack, i));
	vec_clear(&lanes->stack);
	arena_reset(lanes->arena);
	lanes->ids = intern_new(lanes->arena);
}

void merge_lanes_free(struct merge_lanes *lanes)
{
	if (!lanes)
		return;
	merge_lanes_clear(lanes);
	vec_release(&lanes->stack);
	text_release(&lanes->key);
	arena_free(lanes->arena);
	memory_free(lanes);
}

static void set_key(struct merge_lanes *lanes, const struct trace_event *event)
{
	text_clear(&lanes->key);
	text_add_bytes(
		&lanes->key, event->process.kind ? event->process.at : "", event->process.size);
	text_add_char(&lanes->key, '\n');
	text_add_bytes(&lanes->key, event->thread.kind ? event->thread.at : "", event->thread.size);
}

void *merge_lanes_push(
	struct merge_lanes *lanes, const struct trace_event *event, struct error *err)
{
	struct vec *stack;
	uint32_t id;

	set_key(lanes, event);
	if (!intern_find(lanes->ids, lanes->key.data, lanes->key.size, &id)) {
		stack = vec_push(&lanes->stack, err);
		if (!stack)
			return NULL;
		vec_init(stack, lanes->item_bytes, DEPTH_MOST, "open slices of a thread");
		id = intern_id(lanes->ids, lanes->key.data, lanes->key.size);
	}
	return vec_push(vec_at(&lanes->stack, id), err);
}

void *merge_lanes_pop(struct merge_lanes *lanes, const struct trace_event *event)
{
	struct vec *stack;
	uint32_t id;
	void *item;

	set_key(lanes, event);
	if (!intern_find(lanes->ids, lanes->key.data, lanes->key.size, &id))
		return NULL;
	stack = vec_at(&lanes->stack, id);
	if (stack->count == 0)
		return NULL;
	item = vec_at(stack, stack->count - 1);
	stack->count--;
	return item;
}
