/* One pass over the events in order, lane by lane, with a stack of open events: the time of a
 * nested event is subtracted from the event around it, and each event that ends is added to its op
 * and step. */
#include <string.h>
#include "base/memory.h"
#include "ingest/events/eventlog_sweep.h"

#define DEPTH_MOST 4096
#define NO_FRAME UINT32_MAX

/* Time that an event adds to its op and step once it has ended. */
struct share {
	uint32_t op, slot;
	int64_t self_ps, dur_ps;
	bool outermost; /* not in another event of its row and step */
	uint32_t rows;	/* of log->host_rows */
};

/* An open event. */
struct open_event {
	struct share share;
	int64_t start_ps, end_ps, bytes, launch_ps;
	uint64_t link, number;
	uint32_t children;
	uint32_t owner; /* the innermost open event that is an op: this one or one around it */
	uint32_t same;	/* the next open event of its row around it */
	uint32_t work_op;
	uint64_t launch_lane;
	uint8_t kind, flags, bytes_kind, type;
	bool has_product, has_launch; /* of a product of matrices: another one, a launch in it */
	bool is_held;
	struct share held; /* where is_held: of the only child as yet, which has the same op */
};

enum rank { RANK_NONE, RANK_OUTSIDE, RANK_STEP, RANK_ACCELERATOR };

/* Type and device of an op, from the events that say what it is. */
struct op_note {
	const char *device; /* NULL: none yet, "": several */
	uint32_t lane;	    /* on which it was seen last, + 1 */
	uint16_t type;	    /* event_types + 1, or TYPE_SEVERAL */
	uint8_t rank;	    /* of these events, enum rank */
};
#define TYPE_SEVERAL UINT16_MAX

struct sweep {
	struct eventlog *log;
	struct open_event *stack;
	size_t depth;
	uint32_t lane;
	const struct lane *info;     /* of that lane; NULL: none yet */
	bool wants_work;	     /* of the device whose lane it is */
	struct lasting_slot by_time; /* of this lane */
	struct near_handoff near_handoff;
	bool is_handoff;      /* the step of the event that begins is that of a handover */
	uint32_t work_op;     /* of the event that begins: what works, whatever row has it */
	uint32_t rows;	      /* of log->host_rows: those that the event that begins is in */
	bool any_linked;      /* on this lane, as yet */
	size_t early;	      /* events before the first of those whose launch is not there */
	int64_t early_ps;     /* and of the first of them start and op */
	int64_t early_dur_ps; /* of all of them */
	uint32_t early_op;
	uint64_t number;
	struct arena *arena;
	const struct sweep_ops *ops;
	struct op_note *note;	 /* of each op */
	uint32_t *innermost;	 /* open event of each row; only with totals */
	struct busy_record busy; /* a stretch that may still grow */
	bool is_busy;
	struct checks checks;
	bool is_again; /* the event that begins is the one before once more */
};

static int flush_busy(struct sweep *s, struct error *err)
{
	if (!s->is_busy)
		return 0;
	s->is_busy = false;
	return log_add_busy(s->log, s->lane, &s->busy, err);
}

/* ---- what an event adds ---- */

/* True if the lane has rows. */
static bool has_rows(const struct sweep *s)
{
	return !s->log->opt.by_launcher || s->info->accelerator;
}

/* Adds the own time of an event to the totals of all rows that it is in. */
static int add_to_rows(struct sweep *s, const struct share *share, struct error *err)
{
	struct eventlog *log = s->log;
	const struct intern *lists = host_rows_lists(log->host_rows);
	const size_t count = op_list_count(lists, share->rows);

	for (size_t i = 0; i < count; i++) {
		size_t row;

		if (sums_row(log, op_list_at(lists, share->rows, i), share->slot, &row, err))
			return -1;
		sum_add(log, row, SUM_TOTAL_CPU, share->self_ps);
		sum_add(log, row, SUM_TOTAL_CALLS, !s->info->uncounted);
		if (sum_call(log, row, (struct row_call){CALLS_TOTAL, CALLS_CPU, share->self_ps},
			    err))
			return -1;
	}
	return 0;
}

static int add_share(struct sweep *s, const struct share *share, struct error *err)
{
	struct eventlog *log = s->log;
	bool accelerator = s->info->accelerator;
	const enum call_kind kind = accelerator ? CALLS_ACCELERATOR : CALLS_CPU;
	size_t row;

	if (!has_rows(s))
		return 0;
	log_add_whole(log, accelerator ? LOSS_DEVICE_TIME : LOSS_OP_TIME, share->self_ps);
	if (share->slot == SLOT_NONE)
		log_add_lost(
			log, accelerator ? TALLY_DEVICE_OUTSIDE : TALLY_OUTSIDE, share->self_ps);
	if (share->slot >= SLOT_LEAST_SPECIAL)
		return 0;
	if (sums_row(log, share->op, share->slot, &row, err))
		return -1;
	sum_add(log, row, accelerator ? SUM_ACCELERATOR : SUM_CPU, share->self_ps);
	sum_add(log, row, SUM_CALLS, !s->info->uncounted);
	if (sum_call(log, row, (struct row_call){CALLS_SELF, kind, share->self_ps}, err))
		return -1;
	if (log->host_rows)
		return log->opt.totals ? add_to_rows(s, share, err) : 0;
	if (sum_call(log, row, (struct row_call){CALLS_TOTAL, kind, share->dur_ps}, err))
		return -1;
	if (log->sums.column[SUM_TOTAL_CALLS])
		sum_add(log, row, SUM_TOTAL_CALLS, !s->info->uncounted);
	if (log->opt.totals && share->outermost)
		sum_add(log, row, accelerator ? SUM_TOTAL_ACCELERATOR : SUM_TOTAL_CPU,
			share->dur_ps);
	return 0;
}

static int add_bytes(struct sweep *s, uint32_t op, uint32_t slot, unsigned kind, int64_t bytes,
	struct error *err)
{
	size_t row;

	if (s->log->opt.by_launcher && (!has_rows(s) || kind != BYTES_TRANSFERRED))
		return 0;
	if (sums_row(s->log, op, slot, &row, err))
		return -1;
	if (kind == BYTES_ALLOCATED && bytes > 0)
		sum_add(s->log, row, SUM_REQUESTED, bytes);
	sum_add(s->log, row,
		kind == BYTES_ALLOCATED ? SUM_RESIDUAL
		: kind == BYTES_OUTPUT	? SUM_OUTPUT
					: SUM_TRANSFERRED,
		bytes);
	return 0;
}

static void note_device(struct op_note *note, const char *device)
{
	if (!note->device)
		note->device = device;
	else if (strcmp(note->device, device) != 0)
		note->device = "";
}

/* Notes type and device of a row, from the events whose time it has: those in steps and, of an op
 * that runs on the host and, under the same name, on an accelerator those of the accelerator. */
static void note_row(struct sweep *s, const struct log_record *event, uint32_t place)
{
	struct op_note *note = &s->note[event->op];
	const uint16_t own = event->type ? event->type : TYPE_SEVERAL;
	enum rank rank = place >= SLOT_LEAST_SPECIAL		     ? RANK_OUTSIDE
			 : s->info->accelerator && event->dur_ps > 0 ? RANK_ACCELERATOR
								     : RANK_STEP;

	if (rank > note->rank)
		*note = (struct op_note){.rank = rank};
	else if (rank < note->rank)
		return;
	note->type = note->type && note->type != own ? TYPE_SEVERAL : own;
	if (note->lane != s->lane + 1)
		note_device(note, s->info->device);
	note->lane = s->lane + 1;
}

/* Keeps a call of a collective; `slot` is that of a step. Names count on lanes of accelerators. */
static inline void note_collective(
	struct eventlog *log, const struct log_record *event, int64_t start_ps, uint32_t slot)
{
	if (log->opt.ops_suffice)
		return;
	if (event->bytes_kind == BYTES_COLLECTIVE ||
		(lanes_of(log)[event->lane].accelerator &&
			log_name_says(log, event->op) != NAME_OF_OTHER))
		log_note_call(log, event, start_ps, slot);
}

/* Adds to row and step all that is known of an op's event when it begins. */
static int begin_op(struct sweep *s, const struct log_record *event, int64_t start_ps,
	uint32_t place, struct error *err)
{
	int64_t end_ps = start_ps + event->dur_ps;
	struct slot *slot;

	if (has_rows(s))
		note_row(s, event, place);
	if (place == SLOT_NONE)
		tally_event(s->log, s->info->accelerator ? TALLY_DEVICE_OUTSIDE : TALLY_OUTSIDE,
			s->lane, start_ps, s->work_op);
	if (place == SLOT_NONE && s->log->by_period && s->info->accelerator &&
		start_ps < slots_of(s->log)[s->log->by_start[0]].start_ps &&
		!number_add(s->log->ahead_ps, event->dur_ps, &s->log->ahead_ps))
		s->log->ahead_ps = INT64_MAX;
	if (place >= SLOT_LEAST_SPECIAL)
		return 0;
	slot = &slots_of(s->log)[place];
	slot_use(slot, start_ps, end_ps);
	slot->events++;
	if (s->info->accelerator && !s->is_again) {
		slot->device_events++;
		if (end_ps > slot->device_end_ps || slot->device_events == 1)
			slot->device_end_ps = end_ps;
		if (__builtin_add_overflow(slot->device_ps, event->dur_ps, &slot->device_ps))
			slot->device_ps = INT64_MAX;
	}
	slot->hash += intern_end_three(
		s->ops->name_hash[event->op], (uint64_t)start_ps, (uint64_t)event->dur_ps);
	if (!s->is_again)
		note_collective(s->log, event, start_ps, place);
	if (event->bytes_kind != BYTES_NONE && event->bytes_kind < BYTES_COLLECTIVE &&
		add_bytes(s, event->op, place, event->bytes_kind, event->bytes, err))
		return -1;
	if (s->log->no_busy)
		return 0;
	if (s->is_busy && s->busy.slot == place && start_ps <= s->busy.end_ps) {
		if (end_ps > s->busy.end_ps)
			s->busy.end_ps = end_ps;
		return 0;
	}
	if (flush_busy(s, err))
		return -1;
	s->busy = (struct busy_record){key_of(start_ps), place, end_ps};
	s->is_busy = true;
	return 0;
}

static int add_row(struct sweep *s, const struct open_event *f, int64_t self_ps, size_t depth,
	struct error *err)
{
	struct eventlog *log = s->log;
	struct row_record record;

	if (!log->opt.sink)
		return 0;
	record = (struct row_record){
		.rank = log->lane_rank[s->lane],
		.number = f->number,
		.start_ps = f->start_ps,
		.dur_ps = f->share.dur_ps,
		.self_ps = self_ps,
		.bytes = f->bytes,
		.link = f->flags & (EVENT_LAUNCHES | EVENT_LAUNCHED) ? f->link : 0,
		.op = f->share.op,
		.slot = f->share.slot,
		.lane = s->lane,
		.depth = (uint32_t)depth,
		.flags = f->flags,
		.bytes_kind = f->bytes_kind,
		.type = f->type,
	};

	if (!log->rows)
		log->rows = log_sorter(log, sizeof(record), 4);
	return spill_add(log->rows, &record, err);
}

/* ---- the stack ---- */

/* Adds the event as work of its device: when it has its first child, or none when it ends. So work
 * comes in order of start. */
static int add_work(struct sweep *s, const struct open_event *f, struct error *err)
{
	const bool is_launched = s->info->flat && f->flags & EVENT_LAUNCHED;

	if (f->kind != EVENT_OP || !s->wants_work ||
		(s->log->opt.by_launcher && is_launched)) /* its launch has added it */
		return 0;
	return log_add_work(s->log,
		&(struct lane_work){.lane = s->lane,
			.op = f->work_op,
			.start_ps = f->start_ps,
			.dur_ps = f->share.dur_ps,
			.launch_ps = is_launched ? f->launch_ps : LAUNCH_UNKNOWN,
			.launch_lane = (uint32_t)f->launch_lane,
			.is_around = f->children > 0},
		err);
}

/* The innermost open product of matrices; NULL. */
static struct open_event *product_around(const struct sweep *s)
{
	for (size_t i = s->depth; i-- > 0;)
		if (s->stack[i].bytes_kind == BYTES_PRODUCT)
			return &s->stack[i];
	return NULL;
}

/* Adds what a product that ends costs, unless one in it has that, or rows are what launched and it
 * launched nothing. */
static int add_product(struct sweep *s, const struct open_event *f, struct error *err)
{
	struct open_event *around = product_around(s);
	const struct log_product product = log_product_of(s->log, f->bytes);
	size_t row;

	if (around) {
		around->has_product = true;
		around->has_launch |= f->has_launch;
	}
	if (f->has_product || f->share.slot >= SLOT_LEAST_SPECIAL ||
		(s->log->opt.by_launcher && !f->has_launch))
		return 0;
	if (sums_row(s->log, f->share.op, f->share.slot, &row, err))
		return -1;
	sum_add_product(s->log, row, SUM_FLOAT_OPS, product.float_ops);
	sum_add_product(s->log, row, SUM_MATRIX_BYTES, product.bytes);
	return 0;
}

static int pop(struct sweep *s, struct error *err)
{
	struct open_event *f = &s->stack[--s->depth];
	struct open_event *parent = s->depth ? &s->stack[s->depth - 1] : NULL;

	if (f->kind != EVENT_OP)
		return 0;
	if (f->bytes_kind == BYTES_PRODUCT && add_product(s, f, err))
		return -1;
	if (s->innermost)
		s->innermost[s->ops->row[f->share.op]] = f->same;
	if (f->share.self_ps < 0) {
		tally_event(s->log, TALLY_SELF, s->lane, f->start_ps, f->work_op);
		f->share.self_ps = 0;
	}
	if (add_row(s, f, f->share.self_ps, s->depth, err))
		return -1;
	if (f->children == 0 && add_work(s, f, err))
		return -1;
	if (f->is_held)
		f->share.self_ps += f->held.self_ps;
	/* The parent holds the share of an event that may have to be merged into it; else it is
	 * summed. */
	if (s->log->opt.merge_only_child && parent && parent->kind == EVENT_OP &&
		parent->share.op == f->share.op && parent->children == 1) {
		parent->held = f->share;
		parent->is_held = true;
		return 0;
	}
	return add_share(s, &f->share, err);
}

static int pop_all(struct sweep *s, struct error *err)
{
	while (s->depth)
		if (pop(s, err))
			return -1;
	return 0;
}

/* True if no event around it is of the same row and step. */
static bool is_outermost(const struct sweep *s, uint32_t op, uint32_t slot)
{
	if (!s->innermost)
		return true;
	for (uint32_t i = s->innermost[s->ops->row[op]]; i != NO_FRAME; i = s->stack[i].same)
		if (s->stack[i].share.slot == slot)
			return false;
	return true;
}

/* The event is a child of the top of the stack. */
static int add_child(struct sweep *s, int64_t dur_ps, struct error *err)
{
	struct open_event *parent = &s->stack[s->depth - 1];

	if (parent->children++ == 0 && add_work(s, parent, err))
		return -1;
	if (parent->share.self_ps >= 0) /* it only becomes less, and stays in range */
		parent->share.self_ps -= dur_ps;
	if (!parent->is_held)
		return 0;
	parent->is_held = false;
	return add_share(s, &parent->held, err);
}

/* Field by field: compilers make one slow instruction of it when the whole is cleared at once. */
static void push(struct sweep *s, const struct log_record *event, int64_t start_ps, uint32_t slot)
{
	uint32_t here = (uint32_t)s->depth;
	struct open_event *f = &s->stack[s->depth++];
	bool is_op = event->kind == EVENT_OP;
	int64_t nested_ps = event->flags & EVENT_NESTS ? event->bytes : 0;

	f->share = (struct share){
		event->op, slot, event->dur_ps - nested_ps, log_record_lasts(event), true, s->rows};
	f->start_ps = start_ps;
	f->end_ps = start_ps + event->dur_ps;
	f->bytes = event->bytes;
	f->link = event->link;
	f->launch_ps = event->launch_ps;
	f->launch_lane = event->launch_lane;
	f->number = s->number++;
	f->children = 0;
	f->owner = is_op				   ? here
		   : here && !s->log->opt.merge_only_child ? s->stack[here - 1].owner
							   : NO_FRAME;
	f->same = NO_FRAME;
	f->work_op = s->work_op;
	f->kind = event->kind;
	f->flags = event->flags;
	f->bytes_kind = event->bytes_kind;
	f->type = event->type;
	f->is_held = false;
	f->has_product = f->has_launch = false;
	if (event->flags & EVENT_LAUNCHES && s->log->sums.column[SUM_FLOAT_OPS]) {
		struct open_event *product = product_around(s);

		if (product)
			product->has_launch = true;
	}
	if (!is_op || !s->innermost)
		return;
	f->share.outermost = is_outermost(s, event->op, slot);
	f->same = s->innermost[s->ops->row[event->op]];
	s->innermost[s->ops->row[event->op]] = here;
}

/* Counts an event that begins in the event at the top of the stack and ends after it. */
static void tally_overlap(struct sweep *s, const struct log_record *event, int64_t start_ps)
{
	const struct open_event *top = &s->stack[s->depth - 1];
	const int64_t beyond_ps = start_ps + event->dur_ps - top->end_ps;
	const bool is_op = event->kind == EVENT_OP;

	if (!is_op || top->kind != EVENT_OP || s->info->accelerator || beyond_ps <= CLOCK_PS) {
		tally_event(
			s->log, TALLY_OVERLAP, s->lane, start_ps, is_op ? s->work_op : UINT32_MAX);
		return;
	}
	tally_event(s->log, TALLY_NESTING, s->lane, start_ps, s->work_op);
	eventlog_doubt(s->log, DOUBT_NESTING, s->work_op, DOUBT_LESS, beyond_ps);
}

static int nest(struct sweep *s, const struct log_record *event, int64_t start_ps, uint32_t slot,
	struct error *err)
{
	int64_t end_ps = start_ps + event->dur_ps;
	uint32_t op = event->kind == EVENT_OP ? s->work_op : UINT32_MAX;

	if (s->info->flat && pop_all(s, err))
		return -1;
	if (s->depth && end_ps > s->stack[s->depth - 1].end_ps)
		tally_overlap(s, event, start_ps);
	while (s->depth && end_ps > s->stack[s->depth - 1].end_ps)
		if (pop(s, err))
			return -1;
	if (s->depth == DEPTH_MOST) {
		struct open_event *top = &s->stack[s->depth - 1];

		tally_event(s->log, TALLY_DEEP, s->lane, start_ps, op);
		if ((top->children++ == 0 && add_work(s, top, err)) || pop(s, err))
			return -1;
	}
	if (s->depth && add_child(s, event->dur_ps, err))
		return -1;
	push(s, event, start_ps, slot);
	return 0;
}

/* Adds the bytes of an instant to the op around it, or to its own op where there is none. */
static int add_instant(struct sweep *s, const struct log_record *event, int64_t start_ps,
	uint32_t slot, struct error *err)
{
	uint32_t owner = s->depth ? s->stack[s->depth - 1].owner : NO_FRAME;

	if (event->bytes_kind == BYTES_NONE)
		return 0;
	if (owner != NO_FRAME)
		slot = s->stack[owner].share.slot;
	uint32_t op = owner == NO_FRAME ? event->op : s->stack[owner].share.op;

	if (slot >= SLOT_LEAST_SPECIAL) {
		tally_event(s->log, TALLY_OUTSIDE, s->lane, start_ps, op);
		return 0;
	}
	slot_use(&slots_of(s->log)[slot], start_ps, start_ps);
	return add_bytes(s, op, slot, event->bytes_kind, event->bytes, err);
}

/* ---- the pass ---- */

/* Counts the events without a launch that came before all others of the lane. */
static void tally_early(struct sweep *s, enum tally_id id)
{
	if (s->early == 0)
		return;
	tally_events(s->log, id, s->early, s->lane, s->early_ps, s->early_op);
	log_add_lost(s->log, id, s->early_dur_ps);
	s->early_dur_ps = 0;
	doubts_end_early(s->log, id == TALLY_UNLINKED);
	s->early = 0;
}

/* A stream works in the order of launches: what has none was launched before the recording began
 * when it comes first, else its launch was lost. */
static void note_launched(
	struct sweep *s, uint32_t slot, int64_t start_ps, const struct log_record *event)
{
	const uint32_t op = event->kind == EVENT_OP ? event->op : UINT32_MAX;
	uint32_t at;

	if (slot != SLOT_UNLINKED) {
		tally_early(s, TALLY_BEFORE);
		s->any_linked = true;
		return;
	}
	if (op != UINT32_MAX)
		eventlog_doubt(s->log, s->any_linked ? DOUBT_KERNEL_LOST : DOUBT_EARLY, op,
			DOUBT_LESS, event->dur_ps);
	if (s->any_linked) {
		tally_event(s->log, TALLY_UNLINKED, s->lane, start_ps, op);
		log_add_lost(s->log, TALLY_UNLINKED, event->dur_ps);
		return;
	}
	if (!number_add(s->early_dur_ps, event->dur_ps, &s->early_dur_ps))
		s->early_dur_ps = INT64_MAX;
	at = log_lasting_slot(s->log, s->info->process, true, start_ps, &s->by_time);
	if (at < SLOT_LEAST_SPECIAL && !number_add(slots_of(s->log)[at].early_ps, event->dur_ps,
					       &slots_of(s->log)[at].early_ps))
		slots_of(s->log)[at].early_ps = INT64_MAX;
	if (s->early++ == 0) {
		s->early_ps = start_ps;
		s->early_op = op;
	}
}

static int end_lane(struct sweep *s, struct error *err)
{
	tally_early(s, TALLY_UNLINKED);
	check_lane(s->log, &s->checks);
	s->any_linked = false;
	return pop_all(s, err) || flush_busy(s, err) ? -1 : 0;
}

static int begin_lane(struct sweep *s, uint32_t lane, struct error *err)
{
	if (s->info && lane == s->lane)
		return 0;
	if (end_lane(s, err) || log_check_disk(s->log, err))
		return -1;
	s->lane = lane;
	s->info = &lanes_of(s->log)[lane];
	s->wants_work = log_wants_work(s->log, lane);
	s->by_time = (struct lasting_slot){0};
	return 0;
}

/* A device has no steps of its own: what it did without a launch is in the step of any process. */
static uint32_t slot_by_time(struct sweep *s, const struct log_record *event, int64_t start_ps)
{
	struct eventlog *log = s->log;
	uint32_t slot = log_lasting_slot(
		log, s->info->process, s->info->accelerator, start_ps, &s->by_time);

	if (log->taken.count) {
		const uint32_t by_time = slot;

		s->is_handoff = log_handoff_slot(log, s->lane, start_ps, &s->near_handoff, &slot);
		if (s->is_handoff && slot != by_time && event->kind == EVENT_OP)
			tally_event(log, TALLY_HANDED, s->lane, start_ps, event->op);
	}
	if (!s->info->accelerator && log->shared != UINT32_MAX && s->info->process != log->shared &&
		slot != SLOT_NONE && event->kind == EVENT_OP)
		tally_event(log, TALLY_SHARED, s->lane, start_ps, event->op);
	return slot;
}

/* True if rows are launchers and a device ran the event without a launch: it is in the row of no
 * launcher. */
static bool is_unattributed(const struct sweep *s, const struct log_record *event)
{
	return s->log->opt.by_launcher && s->info->accelerator && event->kind == EVENT_OP &&
	       !(event->flags & EVENT_LAUNCHED);
}

/* Counts how an event of a device has found its step. `recorded`: its slot before the sweep. */
static void tell_step(
	struct sweep *s, const struct log_record *event, uint32_t recorded, uint32_t slot)
{
	struct eventlog *log = s->log;
	const bool is_linked = log->any_launch && log->any_link;

	if (!log->tell_steps || log_is_whole(log) || !s->info->accelerator ||
		event->kind != EVENT_OP || slot >= SLOT_LEAST_SPECIAL)
		return;
	log->tally[recorded < SLOT_LEAST_SPECIAL && is_linked ? TALLY_STEP_OF_LAUNCH
		   : s->is_handoff			      ? TALLY_STEP_OF_CALL
							      : TALLY_STEP_OF_TIME]
		.count++;
}

static int add_event(void *context, const struct log_record *record, struct error *err)
{
	struct sweep *s = context;
	const struct log_record *event = record; /* as its row has it */
	struct log_record moved;		 /* to another row */
	const int64_t start_ps = record->start_ps;
	uint32_t slot = record->slot;

	if (record->kind == EVENT_CONTEXT)
		return 0;
	if (begin_lane(s, record->lane, err))
		return -1;
	if (s->info->skip)
		return 0;
	s->work_op = record->op;
	s->is_handoff = false;
	if (is_unattributed(s, event)) {
		moved = *event;
		moved.op = s->log->not_attributed;
		moved.type = 0;
		event = &moved;
	}
	if (s->log->host_rows && event->kind != EVENT_SILENT) {
		moved = *event;
		if (host_rows_place(s->log->host_rows, &moved, &s->rows, err))
			return -1;
		event = &moved;
	}
	if (slot == SLOT_UNLINKED && !s->log->any_joined) {
		slot = slot_by_time(s, record, start_ps);
		tally_event(s->log, TALLY_BY_TIME, s->lane, start_ps,
			record->kind == EVENT_OP ? record->op : UINT32_MAX);
	} else if (slot == SLOT_BY_TIME) {
		slot = slot_by_time(s, record, start_ps);
	}
	while (s->depth && s->stack[s->depth - 1].end_ps <= start_ps)
		if (pop(s, err))
			return -1;
	if (record->kind == EVENT_INSTANT && s->info->serial && record->bytes_kind == BYTES_NONE)
		check_wait(s->log, &s->checks, s->lane, start_ps);
	if (record->kind == EVENT_INSTANT)
		return add_instant(s, event, start_ps, slot, err);
	if (record->flags & EVENT_LAUNCHED)
		note_launched(s, slot, start_ps, record);
	tell_step(s, record, record->slot, slot);
	if (record->kind == EVENT_OP) {
		s->is_again = !check_event(s->log, &s->checks, record, start_ps);
		if (s->info->accelerator)
			check_outside(s->log, record, start_ps, slot);
		else if (slot < SLOT_LEAST_SPECIAL)
			check_crossing(s->log, record, start_ps, slot);
	}
	if (record->kind == EVENT_OP && s->log->recurrence && !s->info->accelerator && !s->is_again)
		log_note_recurring(s->log, record, start_ps);
	if (record->kind == EVENT_OP && begin_op(s, event, start_ps, slot, err))
		return -1;
	return nest(s, event, start_ps, slot, err);
}

int sweep_part(struct sweep *s, const struct lane_part *part, struct error *err)
{
	struct lane_pass *pass = lane_pass_of(s->log->runs, part);
	const struct log_record *record;
	int got;

	while ((got = lane_pass_next(pass, &record, err)) > 0)
		if (add_event(s, record, err)) {
			got = -1;
			break;
		}
	lane_pass_free(pass);
	return got || end_lane(s, err) ? -1 : 0;
}

int sweep_sorted(struct sweep *s, struct error *err)
{
	return log_in_order(s->log,
		       (struct log_sorted){.sorter = s->log->events, .runs = s->log->runs},
		       add_event, s, err) ||
			       end_lane(s, err)
		       ? -1
		       : 0;
}

struct sweep *sweep_new(struct eventlog *log, const struct sweep_ops *ops)
{
	struct arena *arena = arena_new();
	const size_t count = log->profile->op_count;
	struct sweep *s = arena_alloc(arena, sizeof(*s));

	s->arena = arena;
	s->log = log;
	s->ops = ops;
	s->stack = arena_array(arena, DEPTH_MOST, sizeof(*s->stack));
	s->note = arena_array(arena, count, sizeof(*s->note));
	if (ops->row) {
		s->innermost = arena_array(arena, count, sizeof(*s->innermost));
		memset(s->innermost, 0xff, count * sizeof(*s->innermost));
	}
	return s;
}

void sweep_free(struct sweep *s)
{
	arena_free(s->arena);
}

void sweep_merge(struct sweep *s, const struct sweep *other)
{
	for (size_t i = 0; i < s->log->profile->op_count; i++) {
		struct op_note *note = &s->note[i];
		const struct op_note *from = &other->note[i];

		if (from->rank > note->rank) {
			*note = *from;
		} else if (from->rank == note->rank && from->rank != RANK_NONE) {
			note->type = note->type != from->type ? TYPE_SEVERAL : note->type;
			note_device(note, from->device);
		}
	}
}

void sweep_set_attributes(const struct sweep *s)
{
	struct eventlog *log = s->log;

	log->row_type = arena_array(log->arena, log->profile->op_count, sizeof(*log->row_type));
	for (size_t i = 0; i < log->profile->op_count; i++) {
		struct op *op = &log->profile->op[i];
		const char *device = s->note[i].device;

		/* Types that are the same for all events of an op are known before. */
		if (!*op->type && s->note[i].type != TYPE_SEVERAL)
			log->row_type[i] = s->note[i].type;
		if (log->row_type[i]) {
			const char *name = intern_name(log->event_types, log->row_type[i] - 1U);

			op->types_differ = true;
			op->type =
				intern_name(log->types, intern_id(log->types, name, strlen(name)));
		}
		if (device && *device)
			op->device = intern_name(
				log->types, intern_id(log->types, device, strlen(device)));
	}
}
