/* The time around which a trace lies. */
#include "ingest/chrome/trace_base.h"

#include <stdlib.h>
#include "base/order.h"
#include "ingest/chrome/trace_scan.h"
#include "ingest/perfetto/pftrace_scan.h"

#define PEEK_BYTES ((size_t)256 << 10)
#define STARTS_LEAST 16 /* fewer say nothing: one may be astray */

/* Metadata have times of their own in some writers, and 0 in others. */
static int add_start(void *context, const struct trace_event *event, struct error *err)
{
	struct trace_starts *starts = context;

	(void)err;
	if (event->phase != 'M' && event->start.known && starts->count < TRACE_STARTS_MOST)
		starts->us[starts->count++] = event->start.us;
	return 0;
}

int trace_base(struct input *in, int64_t *us, bool *found, struct error *err)
{
	struct trace_starts starts = {.count = 0};
	struct trace_handler handler = {.event = add_start, .context = &starts};
	struct arena *arena = arena_new();
	struct issue_list ignored; /* the reading itself reports them */
	struct error passed_over = {.kind = ERROR_NONE};
	struct trace_totals totals;
	const unsigned char *bytes;
	struct input *head;
	size_t size;

	issue_list_init(&ignored, arena);
	if (input_peek(in, PEEK_BYTES, &bytes, &size, err) != 0 &&
		input_peek(in, 1, &bytes, &size, err) != 0) {
		arena_free(arena);
		return -1;
	}
	if (pftrace_begins(bytes, size)) {
		struct pftrace_head packets;

		pftrace_look(bytes, size, &packets);
		for (size_t i = 0; i < packets.starts && i < TRACE_STARTS_MOST; i++)
			starts.us[starts.count++] = packets.start_us[i];
	} else {
		head = input_memory(bytes, size, input_path(in));
		trace_scan(head, &handler, &ignored, PEEK_BYTES, &totals, &passed_over);
		input_close(head);
	}
	arena_free(arena);
	*found = starts.count >= STARTS_LEAST;
	if (*found)
		*us = trace_starts_middle(&starts);
	return 0;
}

int64_t trace_starts_middle(struct trace_starts *starts)
{
	qsort(starts->us, starts->count, sizeof(*starts->us), order_int64);
	return starts->us[starts->count / 2];
}
