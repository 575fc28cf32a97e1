/* Inside the readers of ProfileProto and of op logs: what tfprof's own views need beyond numbers. A
 * ProfileProto's is collected node by node in the order of the file and renumbered when the reader
 * knows which nodes remain. Code traces (CodeDef) are in both files: the texts of a frame are in
 * the frame, or in a table of the file by number. That table may come after the frames. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"
#include "ingest/proto/tfprof.pb-c.h"
#include "ingest/reader.h"
#include "ingest/protobuf/wire.h"
#include "tfprof/graph/graph.h"
#include "model/op_shape.h"
#include "tfprof/graph/graph_detail.h"

struct tfprof_detail;

/* An entry of the nodes map, by its key. */
struct tfprof_key {
	int64_t key;
	uint32_t node; /* in the order of the file */
	bool dropped;
};

struct tfprof_detail *tfprof_detail_new(struct graph *graph); /* NULL when graph->detail is */
void tfprof_detail_free(struct tfprof_detail *d);	      /* NULL is fine */

/* A field of a node that is read here: next in the input, and consumed. */
bool tfprof_detail_wants(const struct tfprof_detail *d, const struct wire_field *f);
int tfprof_detail_read(struct tfprof_detail *d, struct input *in, const struct wire_field *f,
	const struct read_options *opt, struct error *err);
/* An entry of id_to_string, in the same way. */
int tfprof_detail_text(struct tfprof_detail *d, struct input *in, size_t size,
	const struct read_options *opt, struct error *err);
/* The node that was pushed last is complete. */
void tfprof_detail_store(struct tfprof_detail *d, const Tfprof__Node *node,
	const struct op_output *output, size_t output_count);

/* The nodes of the graph are in the order of `key` by now, without those that were dropped. */
void tfprof_detail_finish(struct tfprof_detail *d, const struct tfprof_key *key, size_t count);

struct code_trace;

struct code_trace *code_trace_new(struct graph_detail *detail);
void code_trace_free(struct code_trace *t); /* NULL is fine */

/* Adds the frames of one CodeDef to the trace that is being read. False: damaged. */
bool code_trace_add(struct code_trace *t, const unsigned char *bytes, size_t size);
/* The trace that was read, if any, becomes that of the node (NULL: of none), and the next one
 * begins. Returns whether there was one, also one without frames. */
bool code_trace_store(struct code_trace *t, struct node_detail *node);
/* One entry of id_to_string; a later one of the same number replaces an earlier one. False:
 * damaged. */
bool code_trace_text(struct code_trace *t, const unsigned char *bytes, size_t size);
/* Everything is read: numbers become texts, those that the table has not become "". */
void code_trace_finish(struct code_trace *t);
