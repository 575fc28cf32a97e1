/*
 * Events that take no time of a thread: arrows, counters, instants and others. Dialects that do not
 * use them count them.
 */
#ifndef STEPSTAT_INGEST_CHROME_TRACE_BESIDE_H
#define STEPSTAT_INGEST_CHROME_TRACE_BESIDE_H

#include "ingest/chrome/trace.h"

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

#endif
