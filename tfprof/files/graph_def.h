/* The model beside RunMetadata files: TensorFlow's graph (GraphDef) and tfprof's op log
 * (OpLogProto), each in binary or text. It reads names, ops, op types, shapes and float
 * operations; where the graph has a detail also inputs, shapes of outputs and code traces. */
#pragma once

#include "base/error.h"
#include "ingest/input/input.h"
#include "ingest/reader.h"
#include "tfprof/graph/graph.h"

/* Adds the nodes of a GraphDef; of equal names the first counts, with an issue in the graph. */
int graph_def_read(
	struct input *in, struct graph *graph, const struct read_options *opt, struct error *err);

/* Adds the types and float operations of an OpLogProto to the nodes of the graph; entries for
 * others are an issue. Call it after graph_def_read. */
int op_log_read(
	struct input *in, struct graph *graph, const struct read_options *opt, struct error *err);

/* Both files as a new graph with its path set, for struct read_options. op_log_path may be NULL. A
 * file of another kind is ERROR_INPUT that says which. */
struct graph *graph_read_files(const char *graph_path, const char *op_log_path,
	const struct read_options *opt, struct error *err);
