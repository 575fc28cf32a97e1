/*
 * Scope and code view as a timeline: the depth is the process, total time the length.
 */
#include "tfprof/timeline_graph.h"

/* A node whose children are drawn one after the other. */
struct tree_level {
	const struct view_node *node;
	size_t next; /* child */
	int64_t end; /* of the children so far */
};

static int64_t time_of(const struct view *view, const struct view_node *node)
{
	return node->total[(size_t)QUANTITY_MICROS * view->values->slots->count];
}

/* The depth is the process; its name comes before its first block. */
static void add_block(struct timeline *timeline, const struct view *view,
	const struct view_node *node, int64_t depth, int64_t start)
{
	struct text name;

	if (depth == timeline->process_count) {
		text_init(&name);
		text_printf(&name, "Scope:%lld", (long long)depth);
		timeline_process(timeline, "", text_string(&name), "");
		text_release(&name);
	}
	timeline_block(timeline, &(struct timeline_block){.name = node->name,
					 .op = true,
					 .pid = depth,
					 .start = start,
					 .dur = time_of(view, node)});
}

/* Without recursion: scopes may be as deep as names are long. */
void timeline_tree_add(struct timeline *timeline, const struct view *view, struct arena *arena)
{
	size_t room = 64, depth = 1;
	struct tree_level *open = arena_array(arena, room, sizeof(*open));

	open[0] = (struct tree_level){view->root, 0, 0};
	add_block(timeline, view, view->root, 0, 0);
	while (depth > 0) {
		struct tree_level *top = &open[depth - 1];
		const struct view_node *child;
		int64_t start = top->end;

		if (top->next == top->node->child_count) {
			depth--;
			continue;
		}
		child = top->node->child[top->next++];
		if (time_of(view, child) <= 0)
			continue;
		top->end = (int64_t)((uint64_t)start + (uint64_t)time_of(view, child));
		add_block(timeline, view, child, (int64_t)depth, start);
		open = arena_make_room(arena, open, depth, &room, sizeof(*open));
		open[depth++] = (struct tree_level){child, 0, start};
	}
}
