/* The inputs of tfprof's command line as one graph: a profile, or graph, op log, checkpoint names
 * and run_meta files, in the original's order and with its messages. */
#pragma once

#include "base/output/outfile.h"
#include "base/error.h"
#include "base/text.h"
#include "tfprof/graph/graph.h"
#include "tfprof/graph/graph_detail.h"
#include "tfprof/options/flags.h"

struct tfprof_model {
	struct arena *arena;
	struct graph *graph; /* detail set */
	int64_t *step;	     /* the steps that -step may name, ascending */
	size_t step_count;
	size_t listed; /* steps of the graph that were there when they were listed */
	struct checkpoint *checkpoint; /* NULL: none */
	struct tfprof_inputs inputs;
	bool unread; /* the profile could not be read; the graph is empty */
};

/* Reads everything; lines that the original prints on the way go to out and err ("Reading Files..."
 * and after). exit_status is -1 when the program goes on, else the status that it ends with. Never
 * NULL: an unreadable profile is an empty model. */
struct tfprof_model *tfprof_model_load(
	const struct tfprof_inputs *inputs, struct text *out, struct text *err, int *exit_status);
/* An empty model; the caller fills its graph and then calls graph_detail_finish. */
struct tfprof_model *tfprof_model_new(void);
/* Lists the steps of the graph. */
void tfprof_model_list_steps(struct tfprof_model *model);
/* Reads again for every execution of one step (timeline of the graph view), with the memory of all
 * steps. Nodes have the numbers of model->graph. It initialises *out, which is the caller's to
 * release when the result is 0. */
int tfprof_model_detail(
	struct tfprof_model *model, int64_t step, struct graph_detail *out, struct error *err);
/* Writes the model as a profile. Reads the inputs again for what no view needs. The file appears
 * whole or not at all ("-" is standard output). */
int tfprof_model_write(struct tfprof_model *model, const char *path, struct error *err);
void tfprof_model_free(struct tfprof_model *model);

/* A model as a ProfileProto, the file that TensorFlow's ProfileContext writes (profile_N; layout
 * of TensorFlow 1.5 and later). Equal models give equal bytes: maps are in order of their keys,
 * and a profile that was written and read again is written as the same bytes. */

/* The graph has a finished detail that is `whole`. Ids and map keys are the indexes of the nodes;
 * an input that is not in the graph refers to node -1, which no profile has. Errors of writing are
 * kept for the commit. */
void profile_write(const struct graph *graph, struct outfile *out);
