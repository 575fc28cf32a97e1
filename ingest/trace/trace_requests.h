/* Requests of the user about a trace of events, whatever its format: slices that are steps
 * (--step-marker), names of ops (--name), frames that count (user-code), kind of rows. A reader
 * that fills an event log (ingest/events/eventlog.h) gets the log's options here and asks here; at
 * its end the requests without an effect are counted. It knows no formats. */
#pragma once

#include "ingest/reader.h"
#include "ingest/trace/name_template.h"
#include "ingest/trace/step_names.h"

struct trace_requests;

/* Appends the row that this event has by what its source says of it. False: that is nothing, and
 * the row is one that says so. */
typedef bool trace_row_words(
	enum trace_rows rows, const struct name_source *source, struct text *to);

/* The options of the log. */
struct eventlog_options trace_requests_log_options(const struct read_options *opt);

/* True if the user asks for rows that these words make (NULL: none do); launchers are none then. */
bool trace_requests_take_words(
	const struct read_options *opt, struct eventlog_options *log, trace_row_words *words);

/* Requests about one trace that becomes this profile. In the arena. NULL with err: the template of
 * names is wrong. */
struct trace_requests *trace_requests_new(struct profile *out, const struct read_options *opt,
	struct arena *arena, struct error *err);
void trace_requests_free(struct trace_requests *a); /* NULL is fine */

/* Ops are named by these words, as trace_requests_take_words said, and not by a template. NULL of
 * either is fine. */
void trace_requests_set_words(struct trace_requests *a, trace_row_words *words);

bool trace_requests_has_words(const struct trace_requests *a);

/* True if the user has named a marker. */
bool trace_requests_has_marker(const struct trace_requests *a);
/* Returns 1 if this is the name of a step by --step-marker, 0 if it is not, -1 on an error. The
 * answer for a name is kept. */
int trace_requests_is_marker(struct trace_requests *a, const char *name, size_t size,
	struct marker_name *marker, struct error *err);
/* The kind of step in the name of a marker (ingest/trace/step_names.h), a text of the profile;
 * NULL: none. */
const char *trace_requests_kind(
	struct trace_requests *a, const char *name, size_t size, const struct marker_name *marker);
/* Returns 1 if a frame of this name is the user's code, 0 if it is not, -1 on an error. The answer
 * for a name is kept. */
int trace_requests_is_user_code(
	struct trace_requests *a, const char *name, size_t size, struct error *err);
/* True if names of ops are made by a template or by words: names then depend on more than the
 * event's name. */
bool trace_requests_has_name(const struct trace_requests *a);
/* Appends to `to` the op's name that the template of --name makes, or the words do. The caller has
 * checked that there are any. */
void trace_requests_fill_name(
	struct trace_requests *a, struct text *to, const struct name_source *source);

/* Counts, before eventlog_finish, the requests that match nothing in the trace; one that matches
 * nothing in any trace of the command is an error. */
void trace_requests_report_unused(struct trace_requests *a);
/* Reports, after eventlog_finish, slices that may mark steps, where none does. Where rows are
 * launchers: a trace without launches, as of a rank without a device, is an error only if no other
 * one has any; and how much lies in nothing that makes rows. outside_hint: as in struct
 * trace_dialect. */
void trace_requests_report_found(struct trace_requests *a, const struct eventlog *log,
	const char *(*outside_hint)(enum trace_rows rows, bool has_backward));
