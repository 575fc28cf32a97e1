/* The stack of labels that are open on a lane, what was around the ops of the forward pass, and the
 * rows of the host's own events in a trace without a device.
 *
 * Labels come sorted by lane and time. Of labels that only overlap the one that started last is the
 * inner one. An op of the backward pass runs on any thread, outside of what its forward op ran in:
 * while it is open, so are the labels that were around the last op before it that has its number in
 * the sequence of autograd, which is the one that made the function of the backward pass. Each
 * thread counts by itself. Which lane is the thread that an op of the backward pass names, the
 * numbers say that ops of one lane alone have. */
#include "ingest/events/eventlog_sweep.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"

#define LABELS_MOST 512 /* around one point in time */
#define STACK_NAMES_MOST ((size_t)256 << 20)
#define FORWARDS_MOST ((size_t)1 << 20) /* further ones are not looked at */
#define VIA_MOST 16			/* backward passes in each other */
#define THREADS_MOST 65536 /* of forward passes; of further ones it is not known which they are */
#define THREAD_BITS (UINT32_MAX >> 1)
#define FORWARD_UNKNOWN SIZE_MAX
#define LISTS_BYTES_MOST ((size_t)256 << 20) /* of rows */

/* An op of the forward pass, and what was around it. */
struct forward {
	uint64_t number;
	int64_t start_ps;
	uint32_t process, lane;
	uint32_t around; /* labels in label_stack.lists: those in the backward op, where it is in
			    one */
	uint32_t is_via : 1, /* that one has */
		via_thread : 31;
	uint64_t via_number;
	int64_t via_start_ps;
};

/* The lane that most ops of the backward pass stand for which name a thread. */
struct forward_thread {
	uint32_t lane;
	size_t votes; /* more than for others */
};

struct label_stack {
	struct eventlog *log;
	struct arena *arena;
	bool is_of_events;
	bool finds_forwards, finds_threads, is_quiet; /* in this pass: no issue is counted */
	bool is_cut;				      /* more forward ops than are kept */
	bool is_final;				      /* all ops are known */
	bool is_of_causes;			      /* names of new stacks are contexts */
	struct open_labels open;
	uint32_t lane;
	bool any; /* a record of this lane was seen */
	/* The next label of label_stack_read; NULL: no more. */
	const struct log_record *next;
	int64_t next_start_ps;
	uint32_t read_lane;
	bool has_read;
	uint32_t *seen; /* of each row: the last number of rows that it was among */
	size_t seen_room;
	uint32_t number;
	uint32_t *row;		/* of those that were asked for */
	struct text name;	/* of a stack */
	size_t names_bytes;	/* of stacks, as yet */
	struct vec forward;	/* struct forward, later by process, number, lane and time */
	struct intern *threads; /* (process, number) */
	struct vec thread;	/* struct forward_thread of each, where numbers are shared */
	struct intern *lists;	/* of labels */
};

/* The id of a list of at most as many ops as labels can be open. */
static uint32_t op_list_id(struct intern *lists, const uint32_t *op, size_t count)
{
	uint32_t list[LABELS_MOST + 2]; /* only what is used is written: it is large */

	list[0] = (uint32_t)count;
	if (count)
		memcpy(list + 1, op, count * sizeof(*op));
	return intern_id(lists, (const char *)list, (count + 1) * sizeof(*list));
}

size_t op_list_count(const struct intern *lists, uint32_t id)
{
	uint32_t count;

	memcpy(&count, intern_name(lists, id), sizeof(count));
	return count;
}

uint32_t op_list_at(const struct intern *lists, uint32_t id, size_t index)
{
	uint32_t op;

	memcpy(&op, intern_name(lists, id) + (index + 1) * sizeof(op), sizeof(op));
	return op;
}

struct label_stack *label_stack_new(struct eventlog *log, bool is_of_events)
{
	struct arena *arena = arena_new();
	struct label_stack *s = arena_alloc(arena, sizeof(*s));

	s->arena = arena;
	s->log = log;
	s->is_of_events = is_of_events;
	s->open = (struct open_labels){
		.item = arena_array(arena, LABELS_MOST, sizeof(*s->open.item)),
		.most = LABELS_MOST,
		.from_start = is_of_events,
	};
	s->row = arena_array(arena, LABELS_MOST + 1, sizeof(*s->row));
	s->lists = intern_new(arena);
	text_init(&s->name);
	s->threads = intern_new(arena);
	vec_init(&s->forward, sizeof(struct forward), FORWARDS_MOST, "ops of forward passes");
	vec_init(&s->thread, sizeof(struct forward_thread), THREADS_MOST, "threads");
	return s;
}

void label_stack_free(struct label_stack *s)
{
	if (!s)
		return;
	memory_free(s->seen);
	text_release(&s->name);
	vec_release(&s->forward);
	vec_release(&s->thread);
	arena_free(s->arena);
}

/* Closes labels that have ended. */
static void label_stack_move(struct label_stack *s, uint32_t lane, int64_t now_ps)
{
	if (!s->any || lane != s->lane)
		s->open.count = 0;
	s->any = true;
	s->lane = lane;
	open_labels_move(&s->open, now_ps);
}

/* ---- rows ---- */

/* The op of the stack's name; the label's own where there is no room for more names. */
static uint32_t op_of_stack(struct label_stack *s, const struct open_label *label, int64_t now_ps)
{
	struct eventlog *log = s->log;
	const size_t ops = log->profile->op_count;
	const struct op *op = &log->profile->op[label->op];
	const bool has_room = s->names_bytes <= STACK_NAMES_MOST;
	uint32_t row;

	/* A stack that has a row keeps it; only new ones have none. */
	if (!has_room || s->is_final) {
		if (intern_find(log->profile->names, text_string(&s->name), s->name.size, &row))
			return row;
		if (has_room && s->is_of_causes) {
			const size_t names = intern_count(log->contexts);

			row = eventlog_context(log, text_string(&s->name), s->name.size);
			s->names_bytes += row == names ? s->name.size : 0;
			return ROW_OF_CONTEXT | row;
		}
		/* A name beyond limits.ops is one of the others; an issue says so. */
		if (has_room &&
			intern_find(log->profile->names, OTHER_NAMES, strlen(OTHER_NAMES), &row))
			return row;
		if (!s->is_quiet)
			tally_event(log, TALLY_STACK_NAMES, s->lane, now_ps, label->op);
		return label->op;
	}
	row = eventlog_op(log, text_string(&s->name), s->name.size, op->type, strlen(op->type));
	s->names_bytes += log->profile->op_count > ops ? s->name.size : 0;
	return row;
}

/* The op that has what happens now in this label, which has not ended. */
static uint32_t row_of(struct label_stack *s, size_t i, int64_t now_ps)
{
	struct open_label *label = &s->open.item[i];
	const struct profile *profile = s->log->profile;

	if (s->log->opt.stack_depth <= 1)
		return label->op;
	if (now_ps < label->row_end_ps)
		return label->row;
	text_clear(&s->name);
	label->row_end_ps = INT64_MAX;

	/* Add the names of a label and of those around it, the outermost first; row_end_ps is when
	 * the first of them ends. */
	size_t left = s->log->opt.stack_depth, first = i;

	for (size_t k = i + 1; k-- > 0 && left;) {
		if (!open_labels_has(&s->open, &s->open.item[k], now_ps))
			continue;
		first = k;
		left = s->open.item[k].is_base ? 0 : left - 1;
	}
	for (size_t k = first; k <= i; k++) {
		if (!open_labels_has(&s->open, &s->open.item[k], now_ps))
			continue;
		if (s->name.size)
			text_add_char(&s->name, ';');
		text_add(&s->name, profile->op[s->open.item[k].op].name);
		if (s->open.item[k].end_ps < label->row_end_ps && !s->is_of_events)
			label->row_end_ps = s->open.item[k].end_ps;
	}
	return label->row = op_of_stack(s, label, now_ps);
}

/* True if a label of this one's row was among these rows before; notes it now. */
static bool is_seen(struct label_stack *s, uint32_t op)
{
	const uint32_t row = log_row_of(s->log, op);
	bool seen;

	s->seen =
		memory_make_room_zeroed(s->seen, &s->seen_room, (size_t)row + 1, sizeof(*s->seen));
	seen = s->seen[row] == s->number;
	s->seen[row] = s->number;
	return seen;
}

/* The rows of the first `count` labels, of which the last one is open. */
static size_t find_rows(struct label_stack *s, size_t count, int64_t now_ps, const uint32_t **rows)
{
	size_t found = 1;

	*rows = s->row;
	s->row[0] = count ? row_of(s, count - 1, now_ps) : s->log->unlabelled;
	s->log->any_label |= count > 0 || (!s->is_of_events && s->row[0] != s->log->not_attributed);
	if (!s->log->opt.totals)
		return found;
	s->number++;
	(void)is_seen(s, s->row[0]);
	for (size_t i = 0; i < count; i++) {
		if (!open_labels_has(&s->open, &s->open.item[i], now_ps))
			continue;
		s->row[found] = row_of(s, i, now_ps);
		found += !is_seen(s, s->row[found]);
	}
	return found;
}

size_t label_stack_rows(struct label_stack *s, int64_t now_ps, const uint32_t **rows)
{
	return find_rows(s, s->open.count, now_ps, rows);
}

/* The rows of an event that begins now, whose own label may be open. */
static size_t label_stack_rows_of(
	struct label_stack *s, const struct log_record *event, const uint32_t **rows)
{
	const int64_t start_ps = event->start_ps, end_ps = start_ps + event->dur_ps;
	size_t count = s->open.count;

	/* The label of a higher number, of equal times, is one in the event; the link of a launch
	 * is no such number, and it is in what is as long. */
	while (count) {
		const struct open_label *label = &s->open.item[count - 1];
		const bool is_equal = label->start_ps == start_ps && label->end_ps == end_ps;

		if (open_labels_has(&s->open, label, start_ps) &&
			!(is_equal && !label->is_frame && !label->forward &&
				!(event->flags & EVENT_LAUNCHES) && label->link > event->link))
			break;
		count--;
	}
	return find_rows(s, count, start_ps, rows);
}

/* ---- the forward pass ---- */

static int compare_forwards(const void *a, const void *b)
{
	const struct forward *x = a, *y = b;

	return ORDER(x->process, y->process) ?: ORDER(x->number, y->number)
						?: ORDER(x->lane, y->lane)
						?: ORDER(x->start_ps, y->start_ps);
}

/* Notes what is around an op of the forward pass. */
static void note_forward(struct label_stack *s, const struct log_record *record, int64_t start_ps)
{
	const uint64_t number = record->link;
	const uint32_t process = lanes_of(s->log)[s->lane].process;
	struct forward *f = s->forward.count ? vec_at(&s->forward, s->forward.count - 1) : NULL;
	const bool is_full = intern_bytes(s->lists) > LISTS_BYTES_MOST;
	size_t from = s->open.count, count = 0;
	struct error full;

	while (from && !s->open.item[from - 1].is_marker)
		from--;
	/* Lists beyond the most have only the innermost label. */
	for (size_t i = s->open.count; i-- > from;) {
		if (!open_labels_has(&s->open, &s->open.item[i], start_ps))
			continue;
		if (is_full && count) {
			tally_event(s->log, TALLY_LISTS_MANY, s->lane, start_ps, record->op);
			break;
		}
		s->row[LABELS_MOST - ++count] = s->open.item[i].op;
	}
	/* The last one of those with a number counts. */
	if (!f || f->number != number || f->lane != s->lane) {
		if (s->forward.count == FORWARDS_MOST) {
			s->is_cut = true;
			tally_event(s->log, TALLY_FORWARDS_MANY, s->lane, start_ps, record->op);
			return;
		}
		f = vec_push(&s->forward, &full);
	}
	*f = (struct forward){.number = number,
		.start_ps = start_ps,
		.process = process,
		.lane = s->lane,
		.around = op_list_id(s->lists, s->row + LABELS_MOST - count, count),
		.is_via = from > 0};
	if (from) {
		f->via_number = s->open.item[from - 1].link;
		f->via_start_ps = s->open.item[from - 1].start_ps;
		f->via_thread = s->open.item[from - 1].thread & THREAD_BITS;
	}
}

/* The number of the first forward op that does not come before this one. */
static size_t find_place(const struct label_stack *s, const struct forward *at)
{
	const struct forward *f = s->forward.data;
	size_t low = 0, high = s->forward.count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare_forwards(&f[middle], at) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool has_number(const struct label_stack *s, size_t i, const struct forward *at)
{
	const struct forward *f = s->forward.data;

	return i < s->forward.count && f[i].process == at->process && f[i].number == at->number;
}

/* The only lane with forward ops of this number; LANE_UNKNOWN: there are none, or several. */
static uint32_t only_lane(const struct label_stack *s, uint32_t process, uint64_t number)
{
	const struct forward *f = s->forward.data;
	const struct forward at = {.process = process,
				     .number = number,
				     .start_ps = INT64_MIN,
				     .lane = 0},
			     after = {.process = process,
				     .number = number,
				     .start_ps = INT64_MAX,
				     .lane = LANE_UNKNOWN};
	const size_t first = find_place(s, &at);

	if (!has_number(s, first, &at))
		return LANE_UNKNOWN;
	return f[first].lane == f[find_place(s, &after) - 1].lane ? f[first].lane : LANE_UNKNOWN;
}

/* The op of the forward pass that made the function of the backward pass with this number which
 * begins at this time: the last one before it, on the lane of the thread. FORWARD_UNKNOWN: none, or
 * several lanes have the number and which is the thread is not known. */
static size_t find_forward(const struct label_stack *s, uint32_t process, uint32_t thread,
	uint64_t number, int64_t start_ps)
{
	const struct forward *f = s->forward.data;
	const struct forward_thread *of =
		thread && thread <= s->thread.count ? vec_at(&s->thread, thread - 1) : NULL;
	const struct forward at = {.process = process,
		.number = number,
		.start_ps = start_ps,
		.lane = of && of->votes ? of->lane : only_lane(s, process, number)};
	const size_t low = at.lane == LANE_UNKNOWN ? 0 : find_place(s, &at);

	if (low == 0 || !has_number(s, low - 1, &at) || f[low - 1].lane != at.lane)
		return FORWARD_UNKNOWN;
	return low - 1;
}

/* ---- threads of the forward pass ---- */

/* The thread of this number, + 1; 0: not known. */
static uint32_t thread_of(struct label_stack *s, int64_t number)
{
	const int64_t key[] = {lanes_of(s->log)[s->lane].process, number};
	uint32_t id;

	if (number == 0)
		return 0;
	if (!intern_find(s->threads, (const char *)key, sizeof(key), &id)) {
		if (intern_count(s->threads) == THREADS_MOST)
			return 0;
		id = intern_id(s->threads, (const char *)key, sizeof(key));
	}
	return id + 1;
}

/* Counts an op of the backward pass whose number one lane alone has for that lane. */
static void note_thread(struct label_stack *s, const struct open_label *backward)
{
	const uint32_t lane = only_lane(s, lanes_of(s->log)[s->lane].process, backward->link);
	struct forward_thread *of;
	struct error full;

	if (lane == LANE_UNKNOWN)
		return;
	while (s->thread.count < backward->thread) {
		of = vec_push(&s->thread, &full);
		*of = (struct forward_thread){LANE_UNKNOWN, 0};
	}
	of = vec_at(&s->thread, backward->thread - 1);
	if (of->votes == 0)
		of->lane = lane;
	of->votes += of->lane == lane ? 1 : -(size_t)1;
}

static void push(struct label_stack *s, const struct open_label *label)
{
	if (s->open.count < LABELS_MOST)
		s->open.item[s->open.count++] = *label;
	else if (!s->is_quiet)
		tally_event(s->log, TALLY_LABELS_DEEP, s->lane, label->start_ps, label->op);
}

/* Opens the labels that were around a forward op. */
static void push_forward(struct label_stack *s, size_t forward, struct open_label label)
{
	const struct forward *f = vec_at(&s->forward, forward);
	const size_t count = op_list_count(s->lists, f->around);

	label.forward = forward + 1;
	for (size_t i = 0; i < count; i++) {
		label.op = op_list_at(s->lists, f->around, i);
		push(s, &label);
		label.is_base = false;
	}
}

static void open_backward(struct label_stack *s, struct open_label label)
{
	const uint32_t process = lanes_of(s->log)[s->lane].process;
	const struct open_label *top = s->open.count ? &s->open.item[s->open.count - 1] : NULL;
	size_t via[VIA_MOST], count = 0;
	size_t found = find_forward(s, process, label.thread, label.link, label.start_ps);

	if (found == FORWARD_UNKNOWN) {
		/* Where some were not kept, the issue of these says it. */
		if (!s->is_quiet && !s->is_cut)
			tally_event(
				s->log, TALLY_FORWARD_UNKNOWN, s->lane, label.start_ps, label.op);
		return;
	}
	/* A function is in the event that evaluates it. */
	if (top && top->forward == found + 1 && top->end_ps >= label.end_ps)
		return;
	while (found != FORWARD_UNKNOWN && count < VIA_MOST) {
		const struct forward *f = vec_at(&s->forward, found);

		via[count++] = found;
		found = f->is_via ? find_forward(s, process, f->via_thread, f->via_number,
					    f->via_start_ps)
				  : FORWARD_UNKNOWN;
	}
	label.is_base = true;
	while (count) {
		const size_t before = s->open.count;

		push_forward(s, via[--count], label);
		label.is_base &= s->open.count == before;
	}
}

/* ---- a label ---- */

/* Where labels are equal in time, frames, then those of lower numbers, are around the others. */
static size_t place_of(const struct label_stack *s, const struct open_label *label)
{
	size_t at = s->open.count;

	while (at) {
		const struct open_label *before = &s->open.item[at - 1];

		if (before->start_ps != label->start_ps || before->end_ps != label->end_ps ||
			before->forward || before->is_marker ||
			before->is_frame > label->is_frame ||
			(before->is_frame == label->is_frame && before->link <= label->link))
			break;
		at--;
	}
	return at;
}

static void open_sure(struct label_stack *s, struct open_label label)
{
	const size_t at = place_of(s, &label);

	if (at && s->open.item[at - 1].covers) {
		label.op = s->open.item[at - 1].op;
		label.covers = true;
	}
	if (s->open.count == LABELS_MOST) {
		push(s, &label);
		return;
	}
	memmove(&s->open.item[at + 1], &s->open.item[at],
		(s->open.count - at) * sizeof(*s->open.item));
	s->open.item[at] = label;
	s->open.count++;
	for (size_t i = at + 1; i < s->open.count; i++)
		s->open.item[i].row_end_ps = INT64_MIN;
}

static void label_stack_open(
	struct label_stack *s, const struct log_record *record, int64_t start_ps)
{
	const enum label_kind kind = record->kind;
	struct open_label label = {.start_ps = start_ps,
		.end_ps = start_ps + record->dur_ps,
		.link = record->link,
		.op = record->op,
		.covers = (record->flags & EVENT_COVERS) != 0,
		.is_frame = kind != LABEL_BACKWARD && record->bytes != 0,
		.row_end_ps = INT64_MIN};

	if (kind == LABEL_BACKWARD)
		label.thread = thread_of(s, record->bytes);
	if (s->finds_threads) {
		if (label.thread)
			note_thread(s, &label);
		return;
	}
	if (kind == LABEL_FORWARD) {
		if (s->finds_forwards)
			note_forward(s, record, start_ps);
		return;
	}
	if (kind == LABEL_GUESSED && (s->open.count || s->log->no_guesses))
		return;
	label.is_marker = kind == LABEL_BACKWARD && s->finds_forwards;
	if (label.is_marker)
		push(s, &label);
	else if (kind == LABEL_BACKWARD)
		open_backward(s, label);
	else
		open_sure(s, label);
	if (!s->is_of_events || s->finds_forwards || s->log->opt.stack_depth <= 1)
		return;
	for (size_t i = s->open.count; i-- > 0 && s->open.item[i].row_end_ps == INT64_MIN;)
		if (open_labels_has(&s->open, &s->open.item[i], start_ps))
			(void)row_of(s, i, start_ps);
}

/* ---- labels that are read side by side with what runs in them ---- */

static int read_label(struct label_stack *s, struct error *err)
{
	const void *next;

	if (log_next_sorted(s->log->labels, &next, err))
		return -1;
	s->next = next;
	s->next_start_ps = next ? log_record_start(next) : 0;
	return 0;
}

/* Begins anew with the first label. */
static void label_stack_rewind(struct label_stack *s)
{
	if (s->log->labels)
		spill_rewind(s->log->labels);
	s->any = s->has_read = false;
	s->open.count = 0;
}

/* Lanes whose events are in order come before the others: labels begin anew with these. */
static int begin_lane(struct label_stack *s, uint32_t lane, struct error *err)
{
	if (s->log->labels && (!s->has_read || lane < s->read_lane)) {
		label_stack_rewind(s);
		if (read_label(s, err))
			return -1;
	}
	s->has_read = true;
	s->read_lane = lane;
	while (s->next && s->next->lane < lane)
		if (read_label(s, err))
			return -1;
	return 0;
}

int label_stack_read(
	struct label_stack *s, uint32_t lane, int64_t start_ps, int64_t dur_ps, struct error *err)
{
	if ((!s->has_read || lane != s->read_lane) && begin_lane(s, lane, err))
		return -1;
	while (s->next && s->next->lane == lane &&
		(s->next_start_ps < start_ps ||
			(s->next_start_ps == start_ps && s->next->dur_ps >= dur_ps))) {
		label_stack_add(s, s->next, s->next_start_ps);
		if (read_label(s, err))
			return -1;
	}
	label_stack_move(s, lane, start_ps);
	return 0;
}

uint32_t label_stack_row(struct label_stack *s, int64_t now_ps, int64_t *until_ps)
{
	const struct open_label *top;
	uint32_t row;

	*until_ps = s->next && s->next->lane == s->lane ? s->next_start_ps : INT64_MAX;
	if (s->open.count == 0)
		return s->log->unlabelled;
	top = &s->open.item[s->open.count - 1];
	row = row_of(s, s->open.count - 1, now_ps);
	if (top->end_ps < *until_ps)
		*until_ps = top->end_ps;
	if (s->log->opt.stack_depth > 1 && top->row_end_ps < *until_ps)
		*until_ps = top->row_end_ps;
	return row;
}

void label_stack_end(struct label_stack *s)
{
	s->is_final = s->is_of_causes = s->is_quiet = true;
	label_stack_rewind(s);
}

/* ---- the pass ---- */

void label_stack_add(struct label_stack *s, const struct log_record *record, int64_t start_ps)
{
	label_stack_move(s, record->lane, start_ps);
	if (!(record->flags & EVENT_LAUNCHES))
		label_stack_open(s, record, start_ps);
}

static int open_record(void *context, const struct log_record *record, struct error *err)
{
	(void)err;
	label_stack_add(context, record, record->start_ps);
	return 0;
}

static int pass(struct label_stack *s, struct error *err)
{
	const int result = log_in_order(
		s->log, (struct log_sorted){.sorter = s->log->labels}, open_record, s, err);

	label_stack_rewind(s);
	return result;
}

/* True if forward ops of several lanes have one number. */
static bool any_shared(const struct label_stack *s)
{
	const struct forward *f = s->forward.data;

	for (size_t i = 1; i < s->forward.count; i++)
		if (f[i - 1].process == f[i].process && f[i - 1].number == f[i].number &&
			f[i - 1].lane != f[i].lane)
			return true;
	return false;
}

int label_stack_prepare(struct label_stack *s, struct error *err)
{
	if (spill_sort(s->log->labels, err))
		return -1;
	s->is_quiet = true;
	s->finds_forwards = s->log->any_backward;
	if (s->finds_forwards && pass(s, err))
		return -1;
	s->finds_forwards = false;
	if (s->forward.count)
		qsort(s->forward.data, s->forward.count, sizeof(struct forward), compare_forwards);
	s->finds_threads = any_shared(s);
	if (s->finds_threads && pass(s, err))
		return -1;
	s->finds_threads = false;
	if (s->is_of_events && s->log->opt.stack_depth > 1 && pass(s, err))
		return -1;
	s->is_quiet = false;
	s->is_final = s->is_of_events;
	return 0;
}

/* ---- rows of the host's own events in a trace without a device ---- */

struct host_rows {
	struct eventlog *log;
	struct arena *arena;
	struct label_stack *stack;
	struct intern *lists; /* of rows that an event is in, its own first */
};

/* Keeps a launch among those without work. */
static int keep_launch(void *context, const struct log_record *record, struct error *err)
{
	struct eventlog *log = context;
	struct log_record launch = {.start_ps = record->start_ps,
		.link = record->link,
		.launch_ps = LAUNCH_UNKNOWN,
		.lane = record->lane,
		.slot = record->op};

	return record->flags & EVENT_LAUNCHES ? linked_add(log, &log->launches, &launch, err) : 0;
}

static int prepare_host_rows(struct host_rows *h, struct error *err)
{
	struct eventlog *log = h->log;

	if (!log->labels)
		return 0;
	if (log_check_disk(log, err) || label_stack_prepare(h->stack, err) ||
		(log->any_launch && log_in_order(log, (struct log_sorted){.sorter = log->labels},
					    keep_launch, log, err)))
		return -1;
	label_stack_rewind(h->stack);
	return 0;
}

struct host_rows *host_rows_new(struct eventlog *log, struct error *err)
{
	struct arena *arena = arena_new();
	struct host_rows *h = arena_alloc(arena, sizeof(*h));

	h->arena = arena;
	h->log = log;
	h->lists = intern_new(arena);
	h->stack = label_stack_new(log, true);
	if (prepare_host_rows(h, err) == 0)
		return h;
	host_rows_free(h);
	return NULL;
}

void host_rows_free(struct host_rows *h)
{
	if (!h)
		return;
	label_stack_free(h->stack);
	arena_free(h->arena);
}

int host_rows_place(
	struct host_rows *h, struct log_record *event, uint32_t *rows, struct error *err)
{
	const uint32_t *row;
	size_t count;

	if (label_stack_read(h->stack, event->lane, event->start_ps, event->dur_ps, err))
		return -1;
	count = label_stack_rows_of(h->stack, event, &row);
	if (intern_bytes(h->lists) > LISTS_BYTES_MOST && count > 1) {
		tally_event(h->log, TALLY_LISTS_MANY, event->lane, event->start_ps, row[0]);
		count = 1;
	}
	*rows = h->log->opt.totals ? op_list_id(h->lists, row, count) : 0;
	event->op = row[0];
	event->type = 0;
	return 0;
}

const struct intern *host_rows_lists(const struct host_rows *h)
{
	return h->lists;
}
