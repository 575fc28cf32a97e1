/* Launchers of the work of devices: each launch gets the op of the innermost labelled event that
 * runs on its thread at that time, before launches and launched events are joined.
 *
 * Labels and launches are sorted by lane and time. A launch is a point in time that comes after the
 * labels that start with it. Of labels that only overlap the one that started last is the inner
 * one. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "ingest/events/eventlog_sweep.h"

struct labelling {
	struct eventlog *log;
	struct label_stack *stack;
	uint32_t number; /* of the launch, from 1 */
	size_t capture;	 /* in which the last launch was; 0: in none */
};

/* Notes a launch that is captured into a graph, with its row. */
static void note_captured(
	struct labelling *l, const struct log_record *record, int64_t start_ps, uint32_t row)
{
	struct eventlog *log = l->log;
	const struct op *op = &log->profile->op[row];
	const size_t capture = log_capture_at(log, record->lane, start_ps);
	const struct captured_launch launch = {.kernel = (uint32_t)record->bytes,
		.is_copy = record->op & LAUNCH_COPY,
		.row = op->name,
		.type = op->type};

	if (!capture || !(record->op & (LAUNCH_KERNEL | LAUNCH_COPY)))
		return;
	log->graphs = log->graphs ? log->graphs : graph_captures_new();
	if (capture != l->capture)
		graph_captures_begin(log->graphs);
	l->capture = capture;
	graph_captures_add(log->graphs, &launch);
}

static int label_launch(
	struct labelling *l, const struct log_record *record, int64_t start_ps, struct error *err)
{
	struct eventlog *log = l->log;
	const uint32_t *row;
	const size_t rows = label_stack_rows(l->stack, start_ps, &row);
	struct log_record launch = {.start_ps = start_ps,
		.bytes = ++l->number,
		.link = record->link,
		.launch_ps = LAUNCH_UNKNOWN,
		.lane = record->lane,
		.slot = record->op,
		.op = row[0]};

	if (log->captures.count)
		note_captured(l, record, start_ps, launch.op);
	if (linked_add(log, &log->launches, &launch, err))
		return -1;
	/* The other rows around the launch. */
	for (size_t i = 1; i < rows; i++) {
		const struct around_record around = {record->link, l->number, row[i]};

		if (!log->around)
			log->around = log_sorter(log, sizeof(around), 2);
		if (spill_add(log->around, &around, err))
			return -1;
	}
	return 0;
}

static int add_record(void *context, const struct log_record *record, struct error *err)
{
	struct labelling *l = context;

	label_stack_add(l->stack, record, record->start_ps);
	return record->flags & EVENT_LAUNCHES ? label_launch(l, record, record->start_ps, err) : 0;
}

int log_add_label(
	struct eventlog *log, const struct log_record *event, uint32_t label, struct error *err)
{
	const bool launches = (event->flags & EVENT_LAUNCHES) != 0,
		   is_own = event->kind >= EVENT_FORWARD || label == EVENT_OWN_LABEL;
	struct log_record record = {
		.dur_ps = launches || event->kind == EVENT_FORWARD ? 0 : event->dur_ps,
		.link = event->link,
		.bytes = launches || event->kind == EVENT_BACKWARD ? event->bytes
								   : event->kind == EVENT_FRAME,
		.lane = event->lane,
		.op = launches ? label
		      : is_own ? event->op
			       : label & ~EVENT_GUESSED_LABEL,
		.flags = event->flags & (EVENT_LAUNCHES | EVENT_COVERS),
		.kind = launches				 ? LABEL_SURE
			: event->kind == EVENT_FORWARD		 ? LABEL_FORWARD
			: event->kind == EVENT_BACKWARD		 ? LABEL_BACKWARD
			: !is_own && label & EVENT_GUESSED_LABEL ? LABEL_GUESSED
								 : LABEL_SURE,
	};

	if (!log->labels)
		log->labels = log_sorter(log, sizeof(record), 4);
	record.flags |= launches ? 0 : EVENT_AROUND;
	log->any_backward |= event->kind == EVENT_BACKWARD;
	log_record_key(&record, event->start_ps);
	return spill_add(log->labels, &record, err);
}

void eventlog_drop_guesses(struct eventlog *log)
{
	log->no_guesses = true;
}

/* Adds the graphs of other traces, and gives others those of this one. */
static void share_graphs(struct eventlog *log)
{
	if (log->graphs && log->opt.captures_out)
		graph_captures_join(log->opt.captures_out, log->graphs);
	if (log->opt.captures && graph_captures_count(log->opt.captures)) {
		log->graphs = log->graphs ? log->graphs : graph_captures_new();
		graph_captures_join(log->graphs, log->opt.captures);
	}
}

static int label_launches(struct eventlog *log, struct error *err)
{
	struct labelling l = {.log = log};

	if (!log->labels)
		return 0;
	log->label_stack = l.stack = label_stack_new(log, false);
	if (log_check_disk(log, err) || label_stack_prepare(l.stack, err) ||
		log_in_order(log, (struct log_sorted){.sorter = log->labels}, add_record, &l, err))
		return -1;
	label_stack_end(l.stack);
	return 0;
}

void log_release_labels(struct eventlog *log)
{
	label_stack_free(log->label_stack);
	log->label_stack = NULL;
	spill_free(log->labels);
	log->labels = NULL;
}

bool log_has_device(const struct eventlog *log)
{
	for (size_t i = 0; i < log->lane.count; i++)
		if (lanes_of(log)[i].accelerator && !lanes_of(log)[i].skip)
			return true;
	return log->any_launched;
}

int log_label_launches(struct eventlog *log, struct error *err)
{
	/* Where no device worked rows are those of the host's own events, if these may be. */
	if (log->opt.by_launcher && log->opt.or_host && !log_has_device(log)) {
		log->opt.by_launcher = log->opt.merge_only_child = false;
		log->host_rows = host_rows_new(log, err);
		return log->host_rows ? 0 : -1;
	}
	if (label_launches(log, err))
		return -1;
	if (log->opt.by_launcher)
		share_graphs(log);
	return 0;
}

/* Stretches in which a thread captures a stream into a graph: what it launches there runs with the
 * graph, and has no work of its own. */

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

static int compare_capture_calls(const void *a, const void *b)
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
		qsort(call, count, sizeof(*call), compare_capture_calls);
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

size_t log_capture_at(const struct eventlog *log, uint32_t lane, int64_t start_ps)
{
	const struct capture_call *call = log->captures.data;
	const struct capture_call at = {.lane = lane, .start_ps = start_ps};
	size_t low = 0, high = log->captures.count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare_capture_calls(&call[middle], &at) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && call[low - 1].lane == lane && call[low - 1].is_open ? low : 0;
}
