/*
 * Events as rows: what a reader of traces hands to the tables `events` and `flat`, one at a time. It
 * does not say where they come from.
 */
#ifndef STEPSTAT_TRACE_EVENTS_H
#define STEPSTAT_TRACE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

/* Texts are good until the next row; NULL is null. Integers that are not known are CELL_ABSENT. */
struct event_record {
	const char *run;
	int64_t step; /* that it counts for */
	const char *phase;    /* "X"; as in the Chrome trace format */
	const char *category;
	const char *name;     /* as recorded */
	int64_t pid, tid;
	const char *process, *thread; /* their names */
	int64_t start_ps;	       /* since the base of the run */
	int64_t dur_ps;
	int64_t self_ps;       /* without what is nested in it */
	const char *arg_name, *arg_op; /* args.name and args.op: the node and its type in TensorFlow's timelines */
	const char *args;      /* all arguments as JSON */
};

struct event_source {
	/* Calls row(to, ...) for each event, in the order of the source; stops at its -1. */
	int (*each)(void *context,
		int (*row)(void *to, const struct event_record *event, struct error *err), void *to,
		struct error *err);
	void *context;
};

#endif
