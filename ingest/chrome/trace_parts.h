/* One trace of one program as a log of events, as trace_read feeds it. Internal to trace*.c. */
#pragma once

#include "ingest/chrome/merged.h"
#include "ingest/chrome/trace.h"

/* NULL with err: the template of names is wrong. */
struct trace *trace_new(struct input *in, struct profile *out, const struct read_options *opt,
	const struct trace_dialect *dialect, struct error *err);
void trace_free(struct trace *t); /* NULL is fine */
/* A time in the middle of it, in us: before the first event. */
void trace_set_near(struct trace *t, int64_t near_us);
/* Makes the trace a file in a merged trace: the labels of this part are cut off the names of
 * processes. NULL: it is a file of its own. */
void trace_set_part(struct trace *t, const struct merged_part *part);
int trace_add_event(struct trace *t, const struct trace_event *event, struct error *err);
/* True if the trace takes slices that are ready, with times since the base. */
bool trace_takes_ready(const struct trace *t, int64_t *base_us);
/* 1: taken; 0: it has to be added as a whole; -1. */
int trace_add_ready(struct trace *t, const struct trace_ready *ready, struct error *err);
int trace_add_member(struct trace *t, const struct json_member *member, struct error *err);
/* Fills the profile after the last event. `path` may name the step. */
int trace_end(
	struct trace *t, const struct trace_totals *totals, const char *path, struct error *err);
