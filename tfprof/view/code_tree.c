/* Builds the tree of calls. A frame is found by its parent and its name in one table, whose ids are
 * the indexes of the frames. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tfprof/view/view.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/order.h"
#include "tfprof/graph/graph_detail.h"

#define FUNCTION_MOST 20 /* bytes of a function's name; longer ones are cut to CUT and "..." */
#define FUNCTION_CUT 17
#define GRADIENT_SUFFIX " (gradient)"

/* A graph node and the frame it hangs at. */
struct attached {
	uint32_t frame;
	uint32_t position; /* of the node, in the order of names */
};

/* A gradient, until all forward nodes are in. */
struct gradient {
	const char *forward;
	uint32_t position;
};

struct tree_builder {
	const struct graph *graph;
	const uint32_t *by_name;
	struct arena *arena;
	struct intern *seen; /* parent and name of each frame */
	struct code_frame *frame;
	size_t frame_count, frame_room;
	struct attached *attached;
	size_t attached_count;
	struct gradient *gradient;
	size_t gradient_count;
	struct text name, key;
};

bool code_gradient_name(const char *name, const char **forward, size_t *n)
{
	const char *start = strstr(name, "gradients/"), *end = strstr(name, "_grad/");

	if (!start || !end)
		return false;
	start += strlen("gradients/");
	if (end == start)
		return false;
	*forward = start;
	/* The original's length is unsigned: an end that lies before the start takes the rest of
	 * the name. */
	*n = end > start ? (size_t)(end - start) : strlen(start);
	return true;
}

void code_frame_name(const struct graph_frame *frame, bool gradient, struct text *out)
{
	text_printf(out, "%s:%" PRId32 ":", text_base_name(frame->file), frame->line);
	if (strlen(frame->function) < FUNCTION_MOST) {
		text_add(out, frame->function);
	} else {
		text_add_bytes(out, frame->function, FUNCTION_CUT);
		text_add(out, "...");
	}
	if (gradient)
		text_add(out, GRADIENT_SUFFIX);
}

static const struct node_detail *detail_of(const struct tree_builder *b, uint32_t position)
{
	return node_detail_of(b->graph->detail, b->by_name[position]);
}

static bool has_trace(const struct tree_builder *b, uint32_t position)
{
	const struct node_detail *detail = detail_of(b, position);

	return detail && detail->trace_count > 0;
}

/* The frame below the parent, new or known. */
static uint32_t add_frame(
	struct tree_builder *b, uint32_t parent, const struct graph_frame *frame, bool gradient)
{
	size_t known = b->frame_count;
	uint32_t id;

	text_clear(&b->name);
	text_clear(&b->key);
	code_frame_name(frame, gradient, &b->name);
	text_add_bytes(&b->key, (const char *)&parent, sizeof(parent));
	text_add_bytes(&b->key, b->name.data, b->name.size);
	id = intern_id(b->seen, b->key.data, b->key.size);
	if (id == known) {
		b->frame = memory_make_room(
			b->frame, &b->frame_room, b->frame_count + 1, sizeof(*b->frame));
		b->frame[b->frame_count] = (struct code_frame){0};
		*&b->frame[b->frame_count++] = (struct code_frame){
			.name = arena_strndup(b->arena, b->name.data, b->name.size),
			.parent = parent,
			.frame = frame,
			.gradient = gradient,
		};
	}
	return id;
}

/* Hangs the node `position` at the frames of the node `forward`, which is itself unless it is a
 * gradient. */
static void attach(struct tree_builder *b, uint32_t position, uint32_t forward, bool gradient)
{
	const struct node_detail *detail = detail_of(b, forward);
	uint32_t at = CODE_ROOT;

	for (size_t i = 0; i < detail->trace_count; i++)
		at = add_frame(b, at, &detail->trace[i], gradient);
	b->attached[b->attached_count++] = (struct attached){at, position};
}

ORDERED(compare_gradients, struct gradient,
	strcmp(x->forward, y->forward) ?: ORDER(x->position, y->position));

/* Position of the forward node of this name. A gradient is none. */
static bool find_forward(const struct tree_builder *b, const char *name, uint32_t *position)
{
	uint32_t low = 0, high = (uint32_t)b->graph->node_count;
	const char *forward;
	size_t n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = strcmp(b->graph->node[b->by_name[middle]].name, name);

		if (order == 0) {
			*position = middle;
			return has_trace(b, middle) && !code_gradient_name(name, &forward, &n);
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

ORDERED(compare_attached, struct attached,
	ORDER(x->frame, y->frame) ?: ORDER(x->position, y->position));

/* Gives each frame its nodes. */
static void share_nodes(struct tree_builder *b)
{
	uint32_t *node = arena_array(b->arena, b->attached_count, sizeof(*node));

	if (b->attached_count)
		qsort(b->attached, b->attached_count, sizeof(*b->attached), compare_attached);
	for (size_t i = 0; i < b->attached_count; i++) {
		struct code_frame *frame = &b->frame[b->attached[i].frame];

		node[i] = b->by_name[b->attached[i].position];
		if (frame->node_count++ == 0)
			frame->node = node + i;
	}
}

void code_tree_build(const struct graph *graph, const uint32_t *by_name, struct arena *arena,
	struct code_tree *out)
{
	struct arena *scratch = arena_new();
	struct tree_builder b = {.graph = graph, .by_name = by_name, .arena = arena};

	b.seen = intern_new(scratch);
	b.attached = arena_array(scratch, graph->node_count, sizeof(*b.attached));
	b.gradient = arena_array(scratch, graph->node_count, sizeof(*b.gradient));
	text_init(&b.name);
	text_init(&b.key);
	for (uint32_t i = 0; i < b.graph->node_count; i++) {
		const char *forward;
		size_t n;

		if (!has_trace(&b, i))
			continue;
		if (!code_gradient_name(b.graph->node[b.by_name[i]].name, &forward, &n)) {
			attach(&b, i, i, false);
			continue;
		}
		b.gradient[b.gradient_count++] =
			(struct gradient){arena_strndup(b.arena, forward, n), i};
	}

	uint64_t unaccounted = 0;
	size_t end;

	if (b.gradient_count)
		qsort(b.gradient, b.gradient_count, sizeof(*b.gradient), compare_gradients);
	for (size_t first = 0; first < b.gradient_count; first = end) {
		const char *name = b.gradient[first].forward;
		uint32_t forward;
		bool found = find_forward(&b, name, &forward);

		unaccounted += !found;
		for (end = first; end < b.gradient_count && !strcmp(b.gradient[end].forward, name);
			end++)
			if (found)
				attach(&b, b.gradient[end].position, forward, true);
	}
	out->unaccounted = unaccounted;
	share_nodes(&b);
	out->frame = arena_array(arena, b.frame_count, sizeof(*out->frame));
	out->count = b.frame_count;
	if (b.frame_count)
		memcpy(out->frame, b.frame, b.frame_count * sizeof(*out->frame));
	text_release(&b.name);
	text_release(&b.key);
	memory_free(b.frame);
	arena_free(scratch);
}
