/* The args of one event of a Perfetto trace: its debug annotations, or fields of other messages.
 * They are taken apart when somebody asks for one, and become JSON values one by one. It is the
 * source of the event that is handed over (ingest/trace/trace_event.h). */
#pragma once

#include "ingest/perfetto/names.h"
#include "ingest/trace/trace_event.h"

struct pf_args;

struct pf_args *pf_args_new(void);
void pf_args_free(struct pf_args *args); /* NULL is fine */
/* Source for the events that are handed over. */
const struct trace_source *pf_args_source(const struct pf_args *args);
/* A new event: no args yet. What was given before is gone. */
void pf_args_begin(struct pf_args *args);
/* The event, for its text: unchanged until the next pf_args_begin. */
void pf_args_set_event(struct pf_args *args, const struct trace_event *event);
/* True if an event had more than 65536 args, or more than 32 inside of each other: the rest is not
 * read. */
bool pf_args_are_cut(const struct pf_args *args);
/* Arena for texts that an event needs until the next pf_args_begin. */
struct arena *pf_args_arena(struct pf_args *args);

/* The debug annotations of a TrackEvent follow. */
void pf_args_add_annotations(
	struct pf_args *args, struct pf_bytes track_event, const struct pf_names *names);
/* One arg. */
void pf_args_add_text(
	struct pf_args *args, const struct json_value *key, const struct json_value *text);
void pf_args_add_number(struct pf_args *args, const char *key, int64_t number);
void pf_args_add_real(struct pf_args *args, const char *key, double number);
void pf_args_add_json(struct pf_args *args, const char *key, const char *json); /* of the arena */
/* An ExtraComputeArg of a kernel. */
void pf_args_add_compute(struct pf_args *args, struct pf_bytes bytes, const struct pf_names *names);

/* Arg of this key, as in trace_arg, before the event is handed over. */
struct json_value pf_arg(struct pf_args *args, const char *key);
