/*
 * The file of a timeline, and what is said about it.
 */
#include "tfprof/timeline.h"

#include "base/output/outfile.h"
#include "tfprof/graph/graph_detail.h"
#include "tfprof/timeline_graph.h"
#include "tfprof/timeline_json.h"

#define STARS "******************************************************"
#define SIZE_TO_WARN ((size_t)200 << 20)
#define LARGE                                                                                      \
	"Trace file is over 200MB. Chrome might not be able to display it. Consider to use "       \
	"filters (e.g. -min_micros > 1000 or -op_type .*gpu:0.* to reduce the size.\n"

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
