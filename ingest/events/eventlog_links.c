/* Launched events get the step of their launch, and where rows are launchers its op: both are
 * sorted by link and read side by side, ranges of links by several threads. */
#include <assert.h>
#include <stdlib.h>
#include "base/arena.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/threads.h"
#include "ingest/events/eventlog_parts.h"

#define CHECK_EVERY 4096 /* records, between two looks at the disk */

/* A range of links, whose launches and launched events are joined. */
struct join {
	struct eventlog *log;
	struct link_range range;
	bool only_asks; /* how much runs after the marks in which it was launched; no more is done
			 */
	int64_t launched_ps, after_ps; /* of it: all, and after the ends of the marks */
	struct linked_pass *launches;
	const struct log_record *launch; /* the next one; NULL at the end */
	uint64_t link;			 /* that was looked for last */
	uint32_t slot;			 /* of its launch, or SLOT_UNLINKED */
	int64_t launch_ps;		 /* or LAUNCH_UNKNOWN */
	uint32_t launch_lane;		 /* then */
	int64_t launch_end_ps;
	uint32_t traits;  /* of the launch */
	int64_t work_ps;  /* of this link as yet */
	bool is_only;	  /* no other launch has this link */
	bool any_device;  /* the trace has events of a device */
	bool one_device;  /* all accelerators' lanes are of one process, which is a device */
	size_t near_wait; /* where to look first */
	size_t near, added;
	struct lasting_slot of_launches; /* by time */
	struct near_handoff near_handoff;
	/* Whether the launch, and the one of this link, is in work that its thread has taken over,
	 * in another step. */
	bool is_handoff, link_is_handoff;
	/* State for rows that are launchers. */
	uint32_t op;			    /* that has what this link launched */
	struct vec others;		    /* uint32_t: the other ops around the launch */
	const struct around_record *around; /* the next one; NULL at the end */
	struct graph_captures *captures;    /* NULL: none */
	struct vec replayed; /* struct log_record: kernels of the replay of this link */
	struct vec kernel;   /* struct replayed_kernel: the same */
	struct arena *arena;
	struct intern *graphs; /* without a capture; of ops: places in them */
	uint32_t *graph_row;   /* op of each */
	size_t graph_room;
	int result;
	struct error err;
};

static int next_launch(struct join *j, struct error *err)
{
	return linked_pass_next(j->launches, &j->launch, err) < 0 ? -1 : 0;
}

static int next_around(struct join *j, struct error *err)
{
	const void *record;
	const int result = log_next_sorted(j->log->around, &record, err);

	j->around = record;
	return result;
}

#define REPLAYED_MOST ((size_t)1 << 20) /* kernels of one replay; those behind have no capture */

/* The ops that have what this launch started. */
static int find_ops(struct join *j, struct error *err)
{
	const uint64_t link = j->link, number = (uint64_t)j->launch->bytes;

	j->op = j->launch->op;
	while (j->around && (j->around->link < link ||
				    (j->around->link == link && j->around->number <= number))) {
		if (j->around->link == link && j->around->number == number) {
			uint32_t *other = vec_push(&j->others, err);

			if (!other)
				return -1;
			*other = (uint32_t)j->around->op;
		}
		if (next_around(j, err))
			return -1;
	}
	return 0;
}

static uint32_t launch_slot(struct join *j)
{
	const struct eventlog *log = j->log;
	const uint32_t lane = j->launch->lane;
	const int64_t start_ps = j->launch->start_ps;
	const uint32_t by_time = log_lasting_slot(
		log, lanes_of(log)[lane].process, false, start_ps, &j->of_launches);
	uint32_t slot = by_time;

	j->is_handoff =
		log_handoff_slot(log, lane, start_ps, &j->near_handoff, &slot) && slot != by_time;
	return slot;
}

/* True if a launch with these traits must have events of a device in the trace, so that one
 * without counts as lost. False if devices have events of which none names its launch. */
static bool expects_work(const struct join *j, uint32_t traits)
{
	const uint32_t wanted = j->any_device ? LAUNCH_KERNEL | LAUNCH_REPLAY
					      : LAUNCH_KERNEL | LAUNCH_REPLAY | LAUNCH_COPY;

	return !j->only_asks && traits & wanted && (j->log->any_link || !j->any_device);
}

/* Counts the launch in a step among all of its kind; is_idle: nothing in the trace names it. */
static void count_launch(struct join *j, uint32_t slot, bool is_idle)
{
	struct eventlog *log = j->log;
	const bool is_replay = j->launch->slot & LAUNCH_REPLAY;
	const enum tally_id id = !j->any_device ? TALLY_NO_DEVICE
				 : is_replay	? TALLY_REPLAYS
						: TALLY_AWAITED;

	if (!expects_work(j, j->launch->slot) || slot >= SLOT_LEAST_SPECIAL)
		return;
	log->whole[is_replay && j->any_device ? LOSS_REPLAYS : LOSS_LAUNCHES]++;
	slots_of(log)[slot].launches.all[is_replay] += j->any_device;
	if (!is_idle)
		return;
	tally_event(log, id, LANE_UNKNOWN, j->launch->start_ps, UINT32_MAX);
	slots_of(log)[slot].launches.lost[is_replay] += j->any_device;
}

/* Passes over the launch, which nothing in the trace names. */
static int pass_idle(struct join *j, struct error *err)
{
	if (expects_work(j, j->launch->slot) &&
		!log_capture_at(j->log, j->launch->lane, j->launch->start_ps))
		count_launch(j, launch_slot(j), true);
	return next_launch(j, err);
}

static int end_replay(struct join *j, struct error *err);

/* Moves to the launches of this link; the first of them counts. */
static int find_launch(struct join *j, uint64_t link, struct error *err)
{
	if (end_replay(j, err))
		return -1;
	j->link = link;
	j->slot = SLOT_UNLINKED;
	j->link_is_handoff = false;
	j->launch_ps = LAUNCH_UNKNOWN;
	j->traits = 0;
	j->work_ps = 0;
	j->op = j->log->not_attributed;
	vec_clear(&j->others);
	while (j->launch && j->launch->link < link)
		if (pass_idle(j, err))
			return -1;
	if (!j->launch || j->launch->link != link)
		return 0;
	if (!j->only_asks)
		j->log->any_joined = true;
	j->slot = launch_slot(j);
	j->link_is_handoff = j->is_handoff;
	j->launch_ps = j->launch->start_ps;
	j->launch_lane = j->launch->lane;
	j->launch_end_ps = j->launch_ps + j->launch->dur_ps;
	j->traits = j->launch->slot;
	j->is_only = true;
	if (!j->only_asks && j->log->opt.by_launcher && find_ops(j, err))
		return -1;
	for (;;) {
		count_launch(j, j->slot, false);
		if (next_launch(j, err))
			return -1;
		if (!j->launch || j->launch->link != link)
			return 0;
		j->is_only = false;
		if (!j->only_asks && launch_slot(j) != j->slot)
			j->log->tally[TALLY_LINK_TWICE].count++;
	}
}

/* The clocks of host and device differ by at least as much as work starts before its launch. */
static void note_lead(struct join *j, const struct log_record *record, int64_t start_ps)
{
	struct eventlog *log = j->log;

	if (j->launch_ps == LAUNCH_UNKNOWN || start_ps >= j->launch_ps - CLOCK_PS)
		return;
	tally_event(log, TALLY_LEAD, record->lane, start_ps, record->op);
	if (j->launch_ps - start_ps > log->lead_ps) {
		log->lead_ps = j->launch_ps - start_ps;
		log->lead_op = record->op;
	}
}

/* The first wait of the host that begins at this time or after it; NULL: none. Launches mostly come
 * in order of time. */
static const struct device_wait *wait_after(struct join *j, int64_t time_ps)
{
	const struct device_wait *wait = j->log->waits.data;
	const size_t count = j->log->waits.count;
	size_t low = j->near_wait, high = count;

	if (low > 0 && wait[low - 1].start_ps >= time_ps)
		low = 0;
	for (size_t k = low; k < count && k < low + 2; k++)
		if (wait[k].start_ps >= time_ps)
			return &wait[j->near_wait = k];
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (wait[middle].start_ps < time_ps)
			low = middle + 1;
		else
			high = middle;
	}
	j->near_wait = low;
	return low < count ? &wait[low] : NULL;
}

/* Notes an event that ends after the host's wait for it: the clocks of host and device differ. */
static void note_late(struct join *j, const struct log_record *record, int64_t start_ps)
{
	struct eventlog *log = j->log;
	const int64_t end_ps = start_ps + record->dur_ps;
	const struct device_wait *wait;

	if (log->waits.count == 0 || j->launch_ps == LAUNCH_UNKNOWN || !j->is_only ||
		!j->one_device)
		return;
	wait = wait_after(j, j->launch_end_ps);
	if (!wait || end_ps - CLOCK_PS <= wait->end_ps)
		return;
	tally_event(log, TALLY_LATE, record->lane, start_ps, record->op);
	if (end_ps - wait->end_ps > log->late_ps) {
		log->late_ps = end_ps - wait->end_ps;
		log->late_op = record->op;
	}
}

/* Makes the event a call of no time at its launch. False: its launch is not known, so it is
 * nowhere. */
static bool place_timeless(struct join *j, struct log_record *record)
{
	struct eventlog *log = j->log;
	const bool is_known = j->launch_ps != LAUNCH_UNKNOWN;

	tally_event(log, TALLY_ZERO, record->lane, is_known ? j->launch_ps : 0, record->op);
	if (!is_known)
		eventlog_doubt(log, DOUBT_ZERO_TIME, record->op, DOUBT_UNMEASURED, 0);
	if (is_known && record->slot < SLOT_LEAST_SPECIAL)
		slots_of(log)[record->slot].doubtful = !log_is_whole(log);
	return is_known;
}

static void add_time(int64_t *sum_ps, int64_t ps)
{
	if (!number_add(*sum_ps, ps, sum_ps))
		*sum_ps = INT64_MAX;
}

/* Adds the part of a launched event that runs after the mark in which it was launched. */
static int ask_event(struct join *j, const struct log_record *event, struct error *err)
{
	const struct lane *lane = &lanes_of(j->log)[event->lane];
	const int64_t start_ps = event->start_ps, end_ps = start_ps + event->dur_ps;
	const struct slot *slot;

	if (lane->skip || event->kind != EVENT_OP || event->flags & EVENT_TIMELESS)
		return 0;
	if (event->link != j->link && find_launch(j, event->link, err))
		return -1;
	slot = j->slot < SLOT_LEAST_SPECIAL ? &slots_of(j->log)[j->slot] : NULL;
	if (!slot || slot->from_events || slot->open_end ||
		(slot->thread && lanes_of(j->log)[slot->thread - 1].accelerator))
		return 0;
	add_time(&j->launched_ps, event->dur_ps);
	if (end_ps > slot->mark_end_ps)
		add_time(&j->after_ps,
			start_ps > slot->mark_end_ps ? event->dur_ps : end_ps - slot->mark_end_ps);
	return 0;
}

/* Adds the event, of which its launch is known, as one of this row. */
static int attribute(struct join *j, struct log_record *record, uint32_t row, struct error *err)
{
	struct eventlog *log = j->log;
	const struct launched_event event = {record, record->start_ps, j->launch_ps};
	const struct lane *lane = &lanes_of(log)[record->lane];

	/* The event's own op is lost after this. */
	if (lane->flat && record->kind == EVENT_OP &&
		log_add_work(log,
			&(struct lane_work){.lane = record->lane,
				.op = record->op,
				.start_ps = record->start_ps,
				.dur_ps = log_record_lasts(record),
				.launch_ps = record->launch_ps,
				.launch_lane = (uint32_t)record->launch_lane},
			err))
		return -1;
	if (record->kind == EVENT_OP) {
		/* The launched event becomes one of what launched it. */
		record->op = row;
		record->type = 0;
		for (size_t i = 0; i < j->others.count; i++)
			if (sum_launched(log, *(uint32_t *)vec_at(&j->others, i), &event, err))
				return -1;
	}
	if (log->opt.calls && !(record->flags & EVENT_TIMELESS) &&
		sum_delay(log, record->op, &event, err))
		return -1;
	return (++j->added % CHECK_EVERY == 0 && log_check_disk(log, err)) ||
			       log_add_event(log, record, err)
		       ? -1
		       : 0;
}

static int compare_starts(const void *a, const void *b)
{
	const struct log_record *x = a, *y = b;

	return ORDER(x->start_ps, y->start_ps) ?: ORDER(x->lane, y->lane);
}

/* Makes the row of a graph, which has no name but how many kernels it has, or of a kernel at a
 * place of it. */
static void add_graph(struct join *j, size_t place, const struct op *op)
{
	const size_t count = intern_count(j->graphs) - 1, kernels = j->replayed.count;
	struct arena *scratch = arena_new();
	const char *name =
		op ? arena_printf(scratch, "graph of %zu, %zu: %s", kernels, place + 1, op->name)
		   : arena_printf(
			     scratch, "graph of %zu kernel%s", kernels, kernels == 1 ? "" : "s");
	const char *type = op ? op->type : "";

	j->graph_row =
		memory_make_room(j->graph_row, &j->graph_room, count + 1, sizeof(*j->graph_row));
	j->graph_row[count] = eventlog_op(j->log, name, strlen(name), type, strlen(type));
	arena_free(scratch);
}

/* The row of the i-th kernel of a replay that nothing else names. */
static uint32_t graph_row(struct join *j, size_t i)
{
	struct eventlog *log = j->log;
	const struct log_record *record = vec_at(&j->replayed, i);
	const bool is_op = log->opt.rows_are_ops;
	const uint64_t key[] = {j->replayed.count, is_op ? i : 0, is_op ? record->op : 0};
	uint32_t id;

	if (!intern_find(j->graphs, (const char *)key, sizeof(key), &id)) {
		if (intern_count(j->graphs) >= log->opt.limits.ops)
			return j->op;
		id = intern_id(j->graphs, (const char *)key, sizeof(key));
		add_graph(j, i, is_op ? &log->profile->op[record->op] : NULL);
	}
	log->tally[TALLY_IN_GRAPH].count++;
	return j->graph_row[id];
}

/* The row of the i-th kernel of a replay: what launched it when it was captured, unless only what
 * is around the replay has a label, or is asked for. */
static uint32_t replayed_row(struct join *j, size_t i)
{
	struct eventlog *log = j->log;
	const struct replayed_kernel *kernel = vec_at(&j->kernel, i);
	const bool has_own = j->op != log->not_attributed && j->op != log->unlabelled;
	uint32_t row;

	if (!kernel->of) {
		log->tally[TALLY_UNCAPTURED].count++;
		return j->op == log->not_attributed ? graph_row(j, i) : j->op;
	}
	if (has_own && log->opt.keeps_own_label)
		return j->op;
	row = eventlog_op(log, kernel->of->row, strlen(kernel->of->row), kernel->of->type,
		strlen(kernel->of->type));
	if (row == log->not_attributed || row == log->unlabelled)
		return j->op;
	log->tally[TALLY_CAPTURED].count++;
	log->any_label = true;
	return row;
}

/* Adds the kernels of the replay, all of which are known now. */
static int end_replay(struct join *j, struct error *err)
{
	struct log_record *record = j->replayed.data;
	const size_t count = j->replayed.count;
	const struct op *op = j->log->profile->op;

	if (count == 0)
		return 0;
	qsort(record, count, sizeof(*record), compare_starts);
	vec_clear(&j->kernel);
	for (size_t i = 0; i < count; i++) {
		struct replayed_kernel *kernel = vec_push(&j->kernel, err);

		if (!kernel)
			return -1;
		kernel->name = op[record[i].op].name;
		kernel->is_copy =
			j->captures && graph_kernel_copies(kernel->name, op[record[i].op].type);
	}
	if (j->captures)
		graph_captures_match(j->captures, j->kernel.data, count);
	for (size_t i = 0; i < count; i++) {
		const uint32_t row = replayed_row(j, i);

		sums_know_ops(j->log);
		if (attribute(j, &record[i], row, err))
			return -1;
	}
	vec_clear(&j->replayed);
	return 0;
}

static int keep_replayed(struct join *j, const struct log_record *record, struct error *err)
{
	struct log_record *kept = vec_push(&j->replayed, err);

	if (kept)
		*kept = *record;
	return kept ? 0 : -1;
}

static int join_event(struct join *j, const struct log_record *launched, struct error *err)
{
	int64_t start_ps = launched->start_ps;
	struct eventlog *log = j->log;
	const struct lane *lane = &lanes_of(log)[launched->lane];
	struct log_record record = *launched;

	if (lane->skip)
		return 0;
	if (log->any_launch && log->any_link && record.link != j->link &&
		find_launch(j, record.link, err))
		return -1;
	if (log_is_whole(log)) {
		record.slot = 0;
	} else if (!log->any_launch || !log->any_link) {
		record.slot = log_slot_anywhere(log, lane->process, start_ps, &j->near);
		tally_event(log, TALLY_BY_TIME, record.lane, start_ps,
			record.kind == EVENT_OP ? record.op : UINT32_MAX);
	} else {
		record.slot = j->slot;
		if (j->link_is_handoff)
			tally_event(log, TALLY_HANDED, record.lane, start_ps,
				record.kind == EVENT_OP ? record.op : UINT32_MAX);
	}
	if (record.flags & EVENT_TIMELESS) {
		if (!place_timeless(j, &record))
			return 0;
		record.start_ps = start_ps = j->launch_ps;
	} else if (record.kind == EVENT_OP) {
		note_lead(j, &record, start_ps);
		note_late(j, &record, start_ps);
	}
	record.launch_ps = j->launch_ps;
	record.launch_lane = j->launch_lane;
	if (j->traits & LAUNCH_EARLY)
		record.flags |= EVENT_MAY_OVERLAP;
	if (j->traits & LAUNCH_REPLAY && number_add(j->work_ps, record.dur_ps, &j->work_ps) &&
		j->work_ps > log->longest_replay_ps)
		log->longest_replay_ps = j->work_ps;
	if (log->opt.by_launcher && record.kind == EVENT_OP && j->traits & LAUNCH_REPLAY) {
		if (j->replayed.count < REPLAYED_MOST)
			return keep_replayed(j, &record, err);
		log->tally[TALLY_UNCAPTURED].count++;
	}
	if (log->opt.by_launcher)
		return attribute(j, &record, j->op, err);
	if (log->opt.calls && !(record.flags & EVENT_TIMELESS) &&
		sum_delay(log, record.op, &(struct launched_event){&record, start_ps, j->launch_ps},
			err))
		return -1;
	return log_add_event(log, &record, err);
}

static int pass_launched(struct join *j, struct linked_pass *pass, struct error *err)
{
	const struct log_record *record;
	int got;

	if (next_launch(j, err) || (!j->only_asks && next_around(j, err)))
		return -1;
	while ((got = linked_pass_next(pass, &record, err)) > 0)
		if ((j->only_asks ? ask_event : join_event)(j, record, err))
			return -1;
	if (got || end_replay(j, err))
		return -1;
	while (j->launch && !j->only_asks)
		if (pass_idle(j, err))
			return -1;
	return 0;
}

static int join_range(struct join *j, const struct linked *launches, const struct linked *launched)
{
	struct linked_pass *pass = linked_pass_new(j->log, launched, j->range, &j->err);
	int result;

	j->launches = linked_pass_new(j->log, launches, j->range, &j->err);
	result = pass && j->launches ? pass_launched(j, pass, &j->err) : -1;
	linked_pass_free(j->launches);
	linked_pass_free(pass);
	return result;
}

/* All ranges: the first one's log is the log itself, the others' are forks. */
struct joins {
	struct eventlog *log;
	struct join *range;
	size_t count;
};

static void join_next(void *object, size_t i, size_t thread)
{
	struct joins *joins = object;
	struct join *j = &joins->range[i];

	(void)thread;
	j->result = join_range(j, &joins->log->launches, &joins->log->launched);
	if (j->result == 0 && j->log != joins->log)
		j->result = lane_runs_sort(j->log->runs, &j->err);
}

static int run_joins(struct joins *joins, struct error *err)
{
	threads_each(joins->count, joins->count, join_next, joins);
	for (size_t i = 0; i < joins->count; i++)
		if (joins->range[i].result) {
			*err = joins->range[i].err;
			return -1;
		}
	return 0;
}

#define TOUCH_MOST 100 /* the gaps between marks that touch are less than a period of so many */

/* Finds whether the marks are only launches: more than a fifth of the time of work launched in them
 * runs after them. */
static int ask_events(struct joins *joins, struct error *err)
{
	struct eventlog *log = joins->log;
	int64_t launched_ps = 0, after_ps = 0;

	if (!log->any_launch || !log->any_link || log_is_whole(log) || log->opt.window_count)
		return 0;

	const struct slot *slot = slots_of(log);
	const struct slot *here = slot;
	int64_t gaps_ps = 0, periods_ps = 0;

	for (size_t i = 1; i < log->mark.count; i++, here++) {
		if (here[1].process != here->process)
			continue;
		add_time(&periods_ps, here[1].start_ps - here->start_ps);
		add_time(&gaps_ps, here[1].start_ps - slot_mark_end(here));
	}
	if (!(periods_ps ? gaps_ps > periods_ps / TOUCH_MOST : !slot->is_whole))
		return 0;
	for (size_t i = 0; i < joins->count; i++)
		joins->range[i] = (struct join){.log = log,
			.range = joins->range[i].range,
			.only_asks = true,
			.slot = SLOT_UNLINKED};
	if (run_joins(joins, err))
		return -1;
	for (size_t i = 0; i < joins->count; i++) {
		add_time(&launched_ps, joins->range[i].launched_ps);
		add_time(&after_ps, joins->range[i].after_ps);
	}
	log->is_launch_only = after_ps > launched_ps / 5;
	return 0;
}

static int compare_waits(const void *a, const void *b)
{
	const struct device_wait *x = a, *y = b;

	return ORDER(x->start_ps, y->start_ps);
}

/* The join of all links, but for what each range has of its own. */
static struct join whole_join(struct eventlog *log, struct arena *arena)
{
	const struct lane *lane = lanes_of(log);
	uint32_t process = UINT32_MAX;
	struct join j = {.slot = SLOT_UNLINKED,
		.launch_ps = LAUNCH_UNKNOWN,
		.op = log->not_attributed,
		.captures = log->graphs && graph_captures_count(log->graphs) ? log->graphs : NULL,
		.one_device = true,
		.any_device = log->any_launched,
		.arena = arena,
		.graphs = intern_new(arena)};

	for (uint32_t i = 0; i < log->lane.count; i++) {
		if (!lane[i].accelerator)
			continue;
		j.one_device &= process == UINT32_MAX || process == lane[i].process;
		j.any_device |= lane_runs_have_work(log->runs, i);
		process = lane[i].process;
	}
	vec_init(&j.others, sizeof(uint32_t), SIZE_MAX, "launchers");
	vec_init(&j.replayed, sizeof(struct log_record), REPLAYED_MOST, "kernels of a replay");
	vec_init(&j.kernel, sizeof(struct replayed_kernel), REPLAYED_MOST, "kernels of a replay");
	return j;
}

/* Finds the ranges. There is only one where rows, or calls, are made on the way. */
static void find_ranges(struct joins *joins, struct arena *arena)
{
	const struct eventlog *log = joins->log;
	const bool is_one = log->opt.by_launcher || log->opt.calls || log->opt.max_spill_bytes == 0;
	struct link_range range[THREADS_MOST];

	joins->count = log_link_ranges(log, is_one ? 1 : THREADS_MOST, range);
	joins->range = arena_array(arena, joins->count, sizeof(*joins->range));
	for (size_t i = 0; i < joins->count; i++)
		joins->range[i].range = range[i];
}

/* A fork with runs and a sorter of its own. */
static struct eventlog *fork_of(const struct joins *joins)
{
	struct eventlog *fork = log_fork(joins->log, joins->count - 1);

	fork->runs = lane_runs_fork(joins->log->runs, fork);
	fork->events = log_sorter(fork, sizeof(struct log_record), 2);
	return fork;
}

static int merge_fork(struct eventlog *log, struct eventlog *fork, struct error *err)
{
	struct lane_runs *const runs = fork->runs;
	const void *record;

	fork->runs = NULL;
	if (lane_runs_adopt(log->runs, runs, err) || spill_sort(fork->events, err))
		return -1;
	for (;;) {
		if (log_next_sorted(fork->events, &record, err))
			return -1;
		if (!record)
			break;
		if (spill_add(log->events, record, err))
			return -1;
	}
	assert(fork->sums.count == 0);
	log_merge_fork(log, fork);
	return log_check_disk(log, err);
}

static int join_all(struct joins *joins, struct arena *arena, struct error *err)
{
	struct eventlog *log = joins->log;
	struct join *first = joins->range;
	const struct join whole = whole_join(log, arena);
	int result;

	for (size_t i = 0; i < joins->count; i++) {
		const struct link_range range = first[i].range;

		first[i] = whole;
		first[i].range = range;
		first[i].log = i ? fork_of(joins) : log;
	}
	result = run_joins(joins, err);
	for (size_t i = 1; i < joins->count; i++) {
		struct eventlog *fork = first[i].log;

		if (result == 0)
			result = merge_fork(log, fork, err);
		lane_runs_free(fork->runs);
		spill_free(fork->events);
		log_free_fork(fork);
	}
	vec_release(&first->others);
	vec_release(&first->replayed);
	vec_release(&first->kernel);
	memory_free(first->graph_row);
	return result;
}

int log_join_links(struct eventlog *log, struct error *err)
{
	struct arena *arena = arena_new();
	struct joins joins = {.log = log};
	int result = log_check_disk(log, err) || linked_sort(&log->launches, err) ||
				     linked_sort(&log->launched, err) ||
				     (log->around && spill_sort(log->around, err))
			     ? -1
			     : 0;

	if (log->waits.count)
		qsort(log->waits.data, log->waits.count, sizeof(struct device_wait), compare_waits);
	if (result == 0) {
		find_ranges(&joins, arena);
		result = ask_events(&joins, err);
	}
	log_choose_steps(log);
	if (result == 0)
		result = join_all(&joins, arena, err);
	for (int cut = 0; log->graphs && cut <= GRAPH_CUT_REPLAYS; cut++)
		log->tally[TALLY_GRAPH_CUTS + cut].count +=
			graph_captures_cut(log->graphs, (enum graph_cut)cut);
	arena_free(arena);
	linked_release(&log->launched);
	linked_release(&log->launches);
	spill_free(log->around);
	log->around = NULL;
	return result;
}
