/* Work on events that threads do ahead of the dialect (struct trace_ahead): the texts that name an
 * op or a lane become numbers of a table of the thread, and arguments that the dialect asks for
 * are found. Internal to trace_scan. */
#pragma once

#include "ingest/trace/trace_event.h"

struct event_tables; /* of one thread */

enum trace_readiness {
	EVENT_WHOLE, /* the dialect sees all of it */
	EVENT_READY, /* it sees the struct trace_ready */
	EVENT_PASSED /* it makes nothing of it */
};

struct event_tables *event_tables_new(const struct trace_handler *handler, uint16_t number);
void event_tables_free(struct event_tables *tables); /* NULL is fine */

/* Fills what is made ahead of the event, which is JSON; `ready`, too, where it is EVENT_READY. */
enum trace_readiness event_look_ahead(
	struct event_tables *tables, struct trace_event *event, struct trace_ready *ready);
/* The same for an event that was ready, by the table that made it so. */
void event_look_again(const struct trace_ahead *ahead, const struct trace_ready *ready,
	struct trace_event *event);
