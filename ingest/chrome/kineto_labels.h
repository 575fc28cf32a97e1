/*
 * What an event of a PyTorch trace is called as a launcher of work of a device, for the rows that
 * the user chose.
 */
#ifndef STEPSTAT_INGEST_CHROME_KINETO_LABELS_H
#define STEPSTAT_INGEST_CHROME_KINETO_LABELS_H

#include "ingest/chrome/trace.h"

enum kineto_host {
	KINETO_OP,
	KINETO_ANNOTATION, /* record_function */
	KINETO_FRAME,	   /* of Python */
};

/* Old writers have one category for ops and annotations. */
enum kineto_host kineto_host_of(const struct trace_event *event);
/* Sets flags and label of the event where it is such a launcher; returns whether it is. */
bool kineto_label(
	struct trace *t, const struct trace_event *event, enum kineto_host what, struct event *out);

#endif
