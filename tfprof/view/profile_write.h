/*
 * A model as a ProfileProto, the file that TensorFlow's ProfileContext writes (profile_N; layout of
 * TensorFlow 1.5 and later). Equal models give equal bytes: maps are in order of their keys, and a
 * profile that was written and read again is written as the same bytes.
 */
#ifndef STEPSTAT_TFPROF_VIEW_PROFILE_WRITE_H
#define STEPSTAT_TFPROF_VIEW_PROFILE_WRITE_H

#include "base/output/outfile.h"
#include "tfprof/graph/graph.h"

/* The graph has a finished detail that is `whole`. Ids and map keys are the indexes of the nodes;
 * an input that is not in the graph refers to node -1, which no profile has. Errors of writing are
 * kept for the commit. */
void profile_write(const struct graph *graph, struct outfile *out);

#endif
