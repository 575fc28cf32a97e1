/*
 * Inside the reader of ProfileProto: what tfprof's own views need beyond numbers, collected node by
 * node in the order of the file and renumbered when the reader knows which nodes remain.
 */
#ifndef STEPSTAT_TFPROF_FILES_TFPROF_DETAIL_H
#define STEPSTAT_TFPROF_FILES_TFPROF_DETAIL_H

#include "base/error.h"
#include "ingest/proto/tfprof.pb-c.h"
#include "ingest/reader.h"
#include "ingest/protobuf/wire.h"
#include "tfprof/graph/graph.h"
#include "model/op_shape.h"

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

#endif
