/*
 * Code traces (CodeDef) of tfprof's dumps and op logs: the texts of a frame are in the frame, or in
 * a table of the file by number. That table may come after the frames.
 */
#ifndef STEPSTAT_TFPROF_FILES_CODE_TRACE_H
#define STEPSTAT_TFPROF_FILES_CODE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include "tfprof/graph/graph_detail.h"

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

#endif
