/*
 * Launchers of the work of devices: each launch gets the op of the innermost labelled event that
 * runs on its thread at that time, before launches and launched events are joined.
 *
 * Labels and launches are sorted by lane and time. A launch is a point in time that comes after the
 * labels that start with it. Of labels that only overlap the one that started last is the inner
 * one.
 */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "ingest/events/eventlog_parts.h"

#define LABEL_GUESSED 1 /* kind of a record */
#define LABELS_MOST 512 /* around one point in time */

#define STACK_NAMES_MOST ((size_t)256 << 20)

struct open_label {
	int64_t end_ps;
	uint32_t op;
	bool covers;
	/* The op of the stack of labels that ends with this one, until one of them ends. */
	uint32_t row;
	int64_t row_end_ps; /* INT64_MIN: not made yet */
};

struct labelling {
	struct eventlog *log;
	struct open_label *open; /* those that have ended, too, until they are on top */
	size_t count;
	uint32_t lane;
	bool any;	/* a record of this lane was seen */
	uint32_t *seen; /* of each row: the last launch that it is around */
	size_t seen_room;
	uint32_t number;    /* of the launch, from 1 */
	struct text name;   /* of a stack */
	size_t names_bytes; /* of stacks, as yet */
	size_t capture;	    /* in which the last launch was; 0: in none */
};

/* Drops labels that ended before; those on top always, all of them when there is no room. */
static void drop_ended(struct labelling *l, int64_t now_ps)
{
	size_t kept = 0;

	while (l->count && l->open[l->count - 1].end_ps <= now_ps)
		l->count--;
	if (l->count < LABELS_MOST)
		return;
	for (size_t i = 0; i < l->count; i++)
		if (l->open[i].end_ps > now_ps)
			l->open[kept++] = l->open[i];
	l->count = kept;
}

static void open_label(struct labelling *l, const struct log_record *record, int64_t start_ps)
{
	struct open_label label = {.end_ps = start_ps + record->dur_ps,
		.op = record->op,
		.covers = (record->flags & EVENT_COVERS) != 0,
		.row_end_ps = INT64_MIN};

	if (record->kind == LABEL_GUESSED && (l->count || l->log->no_guesses))
		return;
	if (l->count == LABELS_MOST) {
		tally_event(l->log, TALLY_LABELS_DEEP, record->lane, start_ps, record->op);
		return;
	}
	if (l->count && l->open[l->count - 1].covers) {
		label.op = l->open[l->count - 1].op;
		label.covers = true;
	}
	l->open[l->count++] = label;
}

/* The op that has what is launched now in this label, which has not ended. */
static uint32_t row_of(struct labelling *l, size_t i, int64_t now_ps)
{
	struct open_label *label = &l->open[i];
	struct eventlog *log = l->log;
	const size_t ops = log->profile->op_count;
	uint32_t row;

	if (log->opt.stack_depth <= 1)
		return label->op;
	if (now_ps < label->row_end_ps)
		return label->row;
	text_clear(&l->name);
	label->row_end_ps = INT64_MAX;

	/* Add the names of a label and of those around it, the outermost first; row_end_ps is when
	 * the first of them ends. */
	const struct profile *profile = l->log->profile;
	size_t left = l->log->opt.stack_depth, first = i;

	for (size_t k = i + 1; k-- > 0 && left;)
		if (l->open[k].end_ps > now_ps) {
			first = k;
			left--;
		}
	for (size_t k = first; k <= i; k++) {
		if (l->open[k].end_ps <= now_ps)
			continue;
		if (l->name.size)
			text_add_char(&l->name, ';');
		text_add(&l->name, profile->op[l->open[k].op].name);
		if (l->open[k].end_ps < label->row_end_ps)
			label->row_end_ps = l->open[k].end_ps;
	}
	/* A stack that has a row keeps it; only new ones have none. */
	if (l->names_bytes > STACK_NAMES_MOST &&
		!intern_find(log->profile->names, text_string(&l->name), l->name.size, &row)) {
		tally_event(log, TALLY_STACK_NAMES, l->lane, now_ps, label->op);
		return label->row = label->op;
	}
	label->row = eventlog_op(log, text_string(&l->name), l->name.size,
		log->profile->op[label->op].type, strlen(log->profile->op[label->op].type));
	l->names_bytes += log->profile->op_count > ops ? l->name.size : 0;
	return label->row;
}

/* True if an op of this one's row was noted for this launch before; notes it now. */
static bool is_seen(struct labelling *l, uint32_t op)
{
	const uint32_t row = log_row_of(l->log, op);
	bool seen;

	l->seen =
		memory_make_room_zeroed(l->seen, &l->seen_room, (size_t)row + 1, sizeof(*l->seen));
	seen = l->seen[row] == l->number;
	l->seen[row] = l->number;
	return seen;
}

/* Notes the other ops around the launch, of each row one. */
static int add_around(
	struct labelling *l, uint64_t link, uint32_t inner, int64_t now_ps, struct error *err)
{
	struct eventlog *log = l->log;

	if (!log->opt.totals)
		return 0;
	if (!log->around)
		log->around = log_sorter(log, sizeof(struct around_record), 2);
	(void)is_seen(l, inner);
	for (size_t i = 0; i < l->count; i++) {
		if (l->open[i].end_ps <= now_ps)
			continue;
		const struct around_record record = {link, l->number, row_of(l, i, now_ps)};

		if (!is_seen(l, (uint32_t)record.op) && spill_add(log->around, &record, err))
			return -1;
	}
	return 0;
}

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
	struct labelled_launch launch = {
		.launch = {.link = record->link,
			.time = key_of(start_ps),
			.lane = record->lane,
			.how = launch_how(record->op, record->dur_ps)},
		.op = l->count ? row_of(l, l->count - 1, start_ps) : log->unlabelled,
		.number = ++l->number,
	};

	if (log->captures.count)
		note_captured(l, record, start_ps, launch.op);
	log->any_label |= l->count > 0 || log->unlabelled != log->not_attributed;
	if (!log->launches)
		log->launches = log_sorter(log, sizeof(launch), 2);
	return spill_add(log->launches, &launch, err) ||
			       add_around(l, record->link, launch.op, start_ps, err)
		       ? -1
		       : 0;
}

static int add_record(void *context, const struct log_record *record, struct error *err)
{
	struct labelling *l = context;
	const int64_t start_ps = record->start_ps;

	if (!l->any || record->lane != l->lane)
		l->count = 0;
	l->any = true;
	l->lane = record->lane;
	drop_ended(l, start_ps);
	if (record->flags & EVENT_LAUNCHES)
		return label_launch(l, record, start_ps, err);
	open_label(l, record, start_ps);
	return 0;
}

int log_add_label(
	struct eventlog *log, const struct log_record *event, uint32_t label, struct error *err)
{
	const bool launches = (event->flags & EVENT_LAUNCHES) != 0,
		   is_own = !launches && label == EVENT_OWN_LABEL;
	struct log_record record = {
		.dur_ps = launches ? 0 : event->dur_ps,
		.link = event->link,
		.bytes = launches ? event->bytes : 0,
		.lane = event->lane,
		.op = launches ? label
		      : is_own ? event->op
			       : label & ~EVENT_GUESSED_LABEL,
		.flags = event->flags & (EVENT_LAUNCHES | EVENT_COVERS),
	};

	if (!log->labels)
		log->labels = log_sorter(log, sizeof(record), 4);
	record.flags |= launches ? 0 : EVENT_AROUND;
	record.kind = !launches && !is_own && label & EVENT_GUESSED_LABEL ? LABEL_GUESSED : 0;
	log_record_key(&record, event->start_ps);
	return spill_add(log->labels, &record, err);
}

void eventlog_drop_guesses(struct eventlog *log)
{
	log->no_guesses = true;
}

/* Adds the graphs of other traces, and gives others those of this one. All ops are known then. */
static void share_graphs(struct eventlog *log)
{
	if (log->graphs && log->opt.captures_out)
		graph_captures_join(log->opt.captures_out, log->graphs);
	if (log->opt.captures && graph_captures_count(log->opt.captures)) {
		log->graphs = log->graphs ? log->graphs : graph_captures_new();
		graph_captures_join(log->graphs, log->opt.captures);
	}
	for (size_t i = 0; log->graphs && i < graph_captures_count(log->graphs); i++) {
		const struct captured_launch *launch = graph_captures_at(log->graphs, i);

		eventlog_op(
			log, launch->row, strlen(launch->row), launch->type, strlen(launch->type));
	}
}

static int label_launches(struct eventlog *log, struct error *err)
{
	struct labelling l = {.log = log};
	struct arena *scratch;
	int result;

	if (!log->labels)
		return 0;
	scratch = arena_new();
	l.open = arena_array(scratch, LABELS_MOST, sizeof(*l.open));
	text_init(&l.name);
	result = log_check_disk(log, err) || spill_sort(log->labels, err) ||
				 log_in_order(log, (struct log_sorted){log->labels, NULL, NULL},
					 add_record, &l, err)
			 ? -1
			 : 0;
	arena_free(scratch);
	memory_free(l.seen);
	text_release(&l.name);
	spill_free(log->labels);
	log->labels = NULL;
	return result;
}

int log_label_launches(struct eventlog *log, struct error *err)
{
	if (label_launches(log, err))
		return -1;
	if (log->opt.by_launcher)
		share_graphs(log);
	return 0;
}

/*
 * Stretches in which a thread captures a stream into a graph: what it launches there runs with the
 * graph, and has no work of its own.
 */

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
