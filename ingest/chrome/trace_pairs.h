/* Slices that a trace writes as two events, one where they begin (ph B) and one where they end (E).
 * On a lane the last that began is the first that ends; the name of an end does not help to find
 * its begin, since it may be missing. Events come in any order of time, so they are sorted first
 * (ingest/events/spill) and become events of the log at the end. Of events of one lane and time the
 * order of the file decides. */
#pragma once

#include "ingest/chrome/trace.h"

struct trace_pairs;

struct trace_pairs *trace_pairs_new(struct trace *t);
void trace_pairs_free(struct trace_pairs *pairs); /* NULL is fine */
/* A begin or an end. The op of a slice has the name and type of its begin; it is a step when
 * --step-marker matches that. */
int trace_pairs_add(struct trace_pairs *pairs, const struct trace_event *event,
	const struct json_value *name, const struct json_value *type, struct error *err);
/* Adds all slices to the log; what has no partner becomes an issue. Once. */
int trace_pairs_finish(struct trace_pairs *pairs, struct error *err);

/* Events that take no time of a thread: arrows, counters, instants and others. Dialects that do not
 * use them count them. */

enum beside {
	BESIDE_ASYNC,
	BESIDE_FLOW,
	BESIDE_INSTANT,
	BESIDE_COUNTER,
	BESIDE_OBJECT,
	BESIDE_SAMPLE,
	BESIDE_SECTION,
	BESIDE_DUMP,
	BESIDE_SUM,
	BESIDE_OTHER,
	BESIDE_COUNT
};

struct trace_beside { /* zeroed at first */
	struct {
		size_t count;
		uint64_t offset; /* of the first */
	} kind[BESIDE_COUNT];
};

void trace_beside_count(struct trace_beside *b, enum beside kind, const struct trace_event *event);
/* Kind of an event of this phase. */
enum beside trace_beside_of(char phase);
/* An issue for each kind that there was. */
void trace_beside_report(struct trace *t, const struct trace_beside *b);
