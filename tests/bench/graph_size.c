/* Prints the bytes that a dump's graph takes as tfprof holds it: records in use and the arenas of
 * names, shapes and traces, without what stands empty behind them.
 * usage: graph_size PROFILE */
#include <stdio.h>
#include "base/intern.h"
#include "tfprof/view/model.h"

static size_t detail_bytes(const struct graph_detail *detail)
{
	return detail->node_count * sizeof(*detail->node) +
	       detail->exec_memory_count * sizeof(*detail->exec_memory) +
	       detail->allocation_count * sizeof(*detail->allocation) +
	       arena_size_bytes(detail->arena);
}

static size_t graph_bytes(const struct graph *graph)
{
	return graph->node_count * sizeof(*graph->node) + graph->exec_count * sizeof(*graph->exec) +
	       graph->interval_count * sizeof(*graph->interval) +
	       graph->step_count * sizeof(*graph->step) +
	       intern_count(graph->words) * sizeof(*graph->node_of_word) +
	       arena_size_bytes(graph->arena);
}

int main(int argc, char **argv)
{
	struct tfprof_inputs inputs = {.profile_path = argc == 2 ? argv[1] : NULL};
	struct tfprof_model *model;
	struct text out, err;
	int status;

	text_init(&out);
	text_init(&err);
	model = tfprof_model_load(&inputs, &out, &err, &status);
	if (argc != 2 || model->graph->node_count == 0) {
		fprintf(stderr, "usage: graph_size PROFILE\n%s", text_string(&err));
		return 1;
	}
	printf("%zu\n", graph_bytes(model->graph) + detail_bytes(model->graph->detail));
	tfprof_model_free(model);
	text_release(&out);
	text_release(&err);
	return 0;
}
