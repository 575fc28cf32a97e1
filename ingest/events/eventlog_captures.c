/*
 * Stretches in which a thread captures a stream into a graph: what it launches there runs with the
 * graph, and has no work of its own.
 */
#include <stdlib.h>
#include "base/order.h"
#include "ingest/events/eventlog_parts.h"

#define CALLS_MOST 1048576 /* further ones are not looked at */

/* A call that begins, or ends, a capture. */
struct capture_call {
	uint32_t lane;
	bool begins;
	bool is_open; /* a capture goes on after it, whose begin and end are there */
	int64_t start_ps;
};

void log_add_capture(struct eventlog *log, const struct log_record *record, uint32_t label)
{
	struct capture_call *call;
	struct error full;

	if (log->captures.item_bytes == 0)
		vec_init(&log->captures, sizeof(*call), CALLS_MOST, "captures");
	if (log->captures.count == CALLS_MOST)
		return;
	call = vec_push(&log->captures, &full);
	*call = (struct capture_call){.lane = record->lane,
		.begins = label & LAUNCH_CAPTURE_BEGINS,
		.start_ps = record->start_ps};
}

static int compare(const void *a, const void *b)
{
	const struct capture_call *x = a, *y = b;

	return ORDER(x->lane, y->lane) ?: ORDER(x->start_ps, y->start_ps);
}

void log_pair_captures(struct eventlog *log)
{
	struct capture_call *call = log->captures.data;
	const size_t count = log->captures.count;
	size_t open = 0;

	if (count)
		qsort(call, count, sizeof(*call), compare);
	for (size_t i = 0; i < count; i++) {
		open = i && call[i].lane != call[i - 1].lane ? 0 : open;
		open = call[i].begins ? open + 1 : open - (open > 0);
		call[i].is_open = open > 0;
	}
	open = 0; /* now ends whose begin is yet to come */
	for (size_t i = count; i-- > 0;) {
		open = i + 1 < count && call[i].lane != call[i + 1].lane ? 0 : open;
		call[i].is_open &= open > 0;
		open = call[i].begins ? open - (open > 0) : open + 1;
	}
}

bool log_is_captured(const struct eventlog *log, uint32_t lane, int64_t start_ps)
{
	const struct capture_call *call = log->captures.data;
	const struct capture_call at = {.lane = lane, .start_ps = start_ps};
	size_t low = 0, high = log->captures.count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare(&call[middle], &at) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && call[low - 1].lane == lane && call[low - 1].is_open;
}
