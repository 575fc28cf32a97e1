/* The file of a timeline, and what is said about it. */
#include <string.h>
#include "tfprof/outputs.h"
#include "base/output/outfile.h"
#include "tfprof/graph/graph_detail.h"
#include "tfprof/timeline_graph.h"
#include "base/output/json_text.h"

#define STARS "******************************************************"
#define SIZE_TO_WARN ((size_t)200 << 20)
#define LARGE                                                                                      \
	"Trace file is over 200MB. Chrome might not be able to display it. Consider to use "       \
	"filters (e.g. -min_micros > 1000 or -op_type .*gpu:0.* to reduce the size.\n"

/* ---- events: the spelling must be that of the original, byte by byte; doc/decisions.md says why
 * ---- */

void timeline_init(struct timeline *timeline)
{
	text_init(&timeline->blocks);
	text_init(&timeline->rest);
	timeline->process_count = 0;
}

void timeline_release(struct timeline *timeline)
{
	text_release(&timeline->blocks);
	text_release(&timeline->rest);
}

void timeline_string(struct text *out, const char *s)
{
	json_text_exact(out, s, strlen(s), JSON_ASCII | JSON_SHORT);
}

static void timeline_process_name(struct timeline *timeline, int64_t pid, const char *name)
{
	struct text *out = &timeline->blocks;

	text_add(out, "{\"args\":{\"name\":");
	timeline_string(out, name);
	text_printf(out, "},\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%lld},", (long long)pid);
}

int64_t timeline_process(
	struct timeline *timeline, const char *prefix, const char *name, const char *suffix)
{
	int64_t pid = timeline->process_count++;
	struct text whole;

	text_init(&whole);
	text_printf(&whole, "%s%s%s", prefix, name, suffix);
	timeline_process_name(timeline, pid, text_string(&whole));
	text_release(&whole);
	return pid;
}

void timeline_block(struct timeline *timeline, const struct timeline_block *block)
{
	struct text *out = &timeline->blocks;

	text_add(out, "{\"args\":{\"name\":");
	timeline_string(out, block->name);
	if (block->op) {
		text_add(out, ",\"op\":");
		timeline_string(out, block->name);
	}
	text_printf(out, "},\"cat\":\"Op\",\"dur\":%lld,\"name\":", (long long)block->dur);
	timeline_string(out, block->name);
	text_printf(out, ",\"ph\":\"X\",\"pid\":%lld,\"tid\":%lld,\"ts\":%lld},",
		(long long)block->pid, (long long)block->tid, (long long)block->start);
}

void timeline_arrow(struct timeline *timeline, char phase, const struct timeline_arrow *end)
{
	struct text *out = &timeline->rest, whole;

	text_init(&whole);
	text_printf(&whole, "%s_flow", end->name);
	text_printf(out, "{\"cat\":\"DataFlow\",\"id\":%lld,\"name\":", (long long)end->id);
	timeline_string(out, text_string(&whole));
	text_printf(out, ",\"ph\":\"%c\",\"pid\":%lld,\"tid\":%lld,\"ts\":%lld},", phase,
		(long long)end->pid, (long long)end->tid, (long long)end->time);
	text_release(&whole);
}

void timeline_counter(
	struct timeline *timeline, const char *name, const char *args, int64_t pid, int64_t time)
{
	text_printf(&timeline->rest,
		"{\"args\":%s,\"cat\":\"Memory\",\"name\":\"%s\",\"ph\":\"C\",\"pid\":%lld,"
		"\"tid\":0,\"ts\":%lld},",
		args, name, (long long)pid, (long long)time);
}

void timeline_text(const struct timeline *timeline, struct text *out)
{
	text_add(out, "{\"traceEvents\":[");
	text_add_bytes(out, text_string(&timeline->blocks), timeline->blocks.size);
	text_add_bytes(out, text_string(&timeline->rest), timeline->rest.size);
	if (timeline->blocks.size + timeline->rest.size > 0)
		out->size--; /* the last comma */
	text_add(out, "]}\n");
}

/* ---- the file ---- */

static int add_graph(struct timeline *timeline, struct tfprof_model *model,
	struct timeline_graph *graph, struct text *out, struct error *err)
{
	struct graph_detail detail;

	if (tfprof_model_detail(model, graph->step, &detail, err))
		return -1;
	graph->inputs = model->graph->detail->node;
	graph->detail = &detail;
	timeline_graph_add(timeline, graph, out);
	graph_detail_release(&detail);
	return 0;
}

static int write_text(
	const char *path, const struct text *text, struct text *out, struct text *messages)
{
	struct error err = {.kind = ERROR_NONE};
	struct outfile *file = outfile_open(path, &err);

	if (file)
		outfile_write(file, text_string(text), text->size);
	if (!file || outfile_commit(file, &err)) {
		text_printf(messages, "Failed to write timeline file: %s\nError: %s\n", path,
			err.message);
		return 1;
	}
	text_printf(out,
		"\n" STARS "\nTimeline file is written to %s.\n"
		"Open a Chrome browser, enter URL chrome://tracing and load the timeline "
		"file.\n" STARS "\n",
		path);
	return 0;
}

int tfprof_timeline(struct tfprof_model *model, const struct view *view,
	const struct tfprof_options *options, struct text *out, struct text *messages,
	struct error *err)
{
	struct arena *arena = arena_new();
	struct timeline_graph graph = {
		.arena = arena, .view = view, .options = options, .step = options->step};
	struct timeline timeline;
	struct text text;
	int result = 0;

	timeline_init(&timeline);
	text_init(&text);
	if (view->kind == VIEW_GRAPH)
		result = add_graph(&timeline, model, &graph, out, err);
	else
		timeline_tree_add(&timeline, view, arena);
	if (result == 0) {
		timeline_text(&timeline, &text);
		if (text.size > SIZE_TO_WARN)
			text_add(messages, LARGE);
		result = write_text(arena_printf(arena, "%s_%lld", tfprof_output_file(options),
					    (long long)options->step),
			&text, out, messages);
	}
	timeline_release(&timeline);
	text_release(&text);
	arena_free(arena);
	return result;
}

/* ---- Scope and code view as a timeline: the depth is the process, total time the length ---- */

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
