/* The sweep of all lanes: parts of lanes by several threads, then what comes in order by one. */
#include <string.h>
#include "base/memory.h"
#include "base/threads.h"
#include "ingest/events/eventlog_sweep.h"

/* Packed events that are worth a thread, as a part of the buffer of all sorters: 256 KiB of 32 MiB.
 */
#define THREADS_A_BUFFER 128
#define COPIES_BYTES_MOST ((uint64_t)256 << 20) /* of slots, ops and sums, for all threads */
#define ROW_BYTES 64				/* of the sums of an op and step, about */
#define EVENT_BYTES 8				/* of a packed event, about */
#define COPIED_A_BYTE 8 /* bytes that are copied in the time of one of packed events */

/* ---- copies of the log for threads, and the sum of all copies ---- */

/* The slots without what events and launches say. */
static void copy_slots(struct vec *to, const struct eventlog *log)
{
	struct slot *slot = memory_alloc(memory_product(log->mark.count, sizeof(*slot)));

	for (size_t i = 0; i < log->mark.count; i++) {
		slot[i] = slots_of(log)[i];
		slot[i].used = slot[i].doubtful = false;
		slot[i].launches = (struct step_launches){0};
		slot[i].device_ps = slot[i].device_end_ps = slot[i].early_ps = 0;
		slot[i].hash = slot[i].events = slot[i].device_events = 0;
	}
	to->data = slot;
}

struct eventlog *log_fork(const struct eventlog *log, size_t forks)
{
	struct arena *arena = arena_new();
	struct eventlog *fork = arena_alloc(arena, sizeof(*fork));

	*fork = *log;
	fork->arena = arena;
	fork->opt.buffer_bytes = log->opt.buffer_bytes / (forks + 1);
	copy_slots(&fork->mark, log);
	memset(fork->tally, 0, sizeof(fork->tally));
	memset(fork->whole, 0, sizeof(fork->whole));
	memset(fork->doubts, 0, sizeof(fork->doubts));
	fork->op_time =
		memory_alloc(memory_product(log->profile->op_count + 1, sizeof(*fork->op_time)));
	fork->device_time = (struct op_time){0};
	fork->ahead_ps = 0;
	fork->any_inside = false;
	fork->sums = (struct sums){0};
	sums_init(fork);
	log_init_busy(fork);
	fork->launches = fork->launched = (struct linked){0};
	fork->events = fork->work = fork->rows = fork->labels = fork->around = NULL;
	fork->call = NULL;
	fork->call_count = fork->call_room = fork->calls_left_out = 0;
	return fork;
}

void log_free_fork(struct eventlog *fork)
{
	memory_free(fork->mark.data);
	doubts_release(fork);
	sums_release(fork);
	log_release_busy(fork);
	memory_free(fork->call);
	arena_free(fork->arena);
}

static void add_ps(int64_t *sum_ps, int64_t ps)
{
	if (!number_add(*sum_ps, ps, sum_ps))
		*sum_ps = INT64_MAX;
}

static void merge_slot(struct slot *slot, const struct slot *other)
{
	if (other->used)
		slot_use(slot, other->first_ps, other->last_ps);
	if (other->device_events &&
		(slot->device_events == 0 || other->device_end_ps > slot->device_end_ps))
		slot->device_end_ps = other->device_end_ps;
	add_ps(&slot->device_ps, other->device_ps);
	add_ps(&slot->early_ps, other->early_ps);
	slot->doubtful |= other->doubtful;
	for (size_t i = 0; i < sizeof(slot->launches.all) / sizeof(*slot->launches.all); i++) {
		slot->launches.all[i] += other->launches.all[i];
		slot->launches.lost[i] += other->launches.lost[i];
	}
	slot->hash += other->hash;
	slot->events += other->events;
	slot->device_events += other->device_events;
}

static void merge_time(struct op_time *time, const struct op_time *other)
{
	add_ps(&time->sum_ps, other->sum_ps);
	if (other->longest_ps > time->longest_ps)
		time->longest_ps = other->longest_ps;
}

/* The most of all, and its op; of equal ones the first. */
static void merge_most(int64_t *most_ps, uint32_t *op, int64_t other_ps, uint32_t other_op)
{
	if (other_ps <= *most_ps)
		return;
	*most_ps = other_ps;
	*op = other_op;
}

void log_merge_fork(struct eventlog *log, struct eventlog *fork)
{
	for (size_t k = 0; k < log->mark.count; k++)
		merge_slot(&slots_of(log)[k], &slots_of(fork)[k]);
	for (size_t k = 0; k < log->profile->op_count && log->op_time; k++)
		merge_time(&log->op_time[k], &fork->op_time[k]);
	merge_time(&log->device_time, &fork->device_time);
	for (size_t k = 0; k < LOSS_KINDS; k++)
		log_add_whole(log, (enum loss_kind)k, fork->whole[k]);
	add_ps(&log->ahead_ps, fork->ahead_ps);
	log->any_inside |= fork->any_inside;
	log->any_joined |= fork->any_joined;
	if (fork->longest_replay_ps > log->longest_replay_ps)
		log->longest_replay_ps = fork->longest_replay_ps;
	merge_most(&log->lead_ps, &log->lead_op, fork->lead_ps, fork->lead_op);
	merge_most(&log->late_ps, &log->late_op, fork->late_ps, fork->late_op);
	tallies_merge(log, fork);
	doubts_merge(log, fork);
	log_merge_calls(log, fork);
}

/* ---- the sweep ---- */

struct sweep_work;

/* Thread that sweeps parts. */
struct sweep_worker {
	struct eventlog *log; /* the first one's is the log itself, the others' are forks */
	struct sweep *sweep;
	struct error err;
	int result;
};

struct sweep_work {
	struct lane_parts parts;    /* for any thread */
	struct lane_parts in_order; /* of lanes whose work is sorted: one after the other */
	struct sweep_worker *worker;
	size_t workers;
	size_t apart; /* of the pairs that are added up */
};

static void sweep_next(void *object, size_t part, size_t thread)
{
	struct sweep_work *l = object;
	struct sweep_worker *w = &l->worker[thread];

	if (w->result)
		return;
	w->log->part = (uint32_t)part;
	w->result = sweep_part(w->sweep, &l->parts.part[part], &w->err);
}

/* Sweeps the rest after the parts. */
static int sweep_rest(struct sweep_work *l, struct error *err)
{
	struct sweep_worker *w = &l->worker[0];

	for (size_t i = 0; i < l->in_order.count; i++) {
		w->log->part = (uint32_t)(l->parts.count + i);
		if (sweep_part(w->sweep, &l->in_order.part[i], err))
			return -1;
	}
	w->log->part = UINT32_MAX;
	return sweep_sorted(w->sweep, err);
}

/* Lanes of one long part are the first: at the end the other threads would wait for it. */
static void find_parts(const struct eventlog *log, struct sweep_work *l)
{
	const struct lane_runs *runs = log->runs;

	for (int is_first = 1; is_first >= 0; is_first--)
		for (uint32_t i = 0; i < log->lane.count; i++) {
			const bool wants_work = log_wants_work(log, i);

			if (lane_runs_have_any(runs, i) && lane_runs_have_all(runs, i) &&
				is_first == (!wants_work && lane_runs_are_one(runs, i)))
				lane_runs_add_parts(runs, i, wants_work ? &l->in_order : &l->parts);
		}
}

size_t log_threads_for(const struct eventlog *log, uint64_t bytes)
{
	const uint64_t ops = log->profile->op_count, steps = log->mark.count;
	const uint64_t copied = steps * sizeof(struct slot) + ops * sizeof(struct op_time);
	const uint64_t rows =
		steps && ops > bytes / EVENT_BYTES / steps ? bytes / EVENT_BYTES : ops * steps;
	const uint64_t copies = COPIES_BYTES_MOST / (copied + rows * ROW_BYTES + 1);
	const uint64_t worth =
		bytes / (log->opt.buffer_bytes / THREADS_A_BUFFER + copied / COPIED_A_BYTE);
	uint64_t threads = log->opt.threads < THREADS_MOST ? log->opt.threads : THREADS_MOST;

	threads = worth < threads ? worth : threads;
	threads = threads > 1 + copies ? 1 + copies : threads;
	return threads ? (size_t)threads : 1;
}

/* Sets how many threads the events in the runs are worth. Returns how many sweep their parts:
 * bytes, which may be below 0, are not summed in several parts where the order could matter. */
static size_t threads_of(struct eventlog *log, const struct sweep_work *l)
{
	const bool is_one = log->opt.sink || log->opt.calls || log->recurrence || log->host_rows ||
			    log->bytes_sum >= (double)(INT64_MAX / 2);

	log->threads = log_threads_for(log, l->parts.bytes + l->in_order.bytes);
	return is_one ? 1 : log->threads;
}

static struct sweep_ops ops_of(struct eventlog *log, struct arena *arena)
{
	const struct profile *profile = log->profile;
	uint64_t *hash = arena_array(arena, profile->op_count, sizeof(*hash));
	uint32_t *row = NULL;

	for (size_t i = 0; i < profile->op_count; i++)
		hash[i] = intern_begin_three(
			intern_hash(profile->op[i].name, strlen(profile->op[i].name), 0), 1);
	if (log->opt.totals) {
		row = arena_array(arena, profile->op_count, sizeof(*row));
		for (size_t i = 0; i < profile->op_count; i++)
			row[i] = log_row_of(log, (uint32_t)i);
	}
	return (struct sweep_ops){hash, row};
}

/* Work in a step that launched none of the recorded work was launched in that step, as its kernels
 * in the other steps were: its launches are lost. */
static void take_back_early(struct eventlog *log)
{
	struct tally *before = &log->tally[TALLY_BEFORE];
	int64_t lost_ps = 0;

	for (size_t i = 0; i < log->mark.count && before->count; i++)
		if (slots_of(log)[i].device_events == 0 &&
			!number_add(lost_ps, slots_of(log)[i].early_ps, &lost_ps))
			lost_ps = INT64_MAX;
	if (lost_ps == 0)
		return;
	tally_events(
		log, TALLY_UNLINKED, before->count, before->lane, before->start_ps, before->op);
	log_add_lost(log, TALLY_UNLINKED, before->lost_ps);
	*before = (struct tally){0};
}

/* Adds up workers two by two, side by side: the first of each pair has the sum. */
static void merge_pair(void *object, size_t pair, size_t thread)
{
	struct sweep_work *l = object;
	struct sweep_worker *to = &l->worker[2 * l->apart * pair], *from = to + l->apart;

	(void)thread;
	sweep_merge(to->sweep, from->sweep);
	log_merge_fork(to->log, from->log);
}

/* Adds what the forks have found out to the log. */
static int merge(struct eventlog *log, struct sweep_work *l, struct error *err)
{
	struct eventlog *fork[THREADS_MOST];
	int result;

	for (l->apart = 1; l->apart < l->workers; l->apart *= 2) {
		const size_t pairs = (l->workers + l->apart - 1) / (2 * l->apart);

		threads_each(pairs, pairs, merge_pair, l);
	}
	for (size_t i = 1; i < l->workers; i++) {
		fork[i - 1] = l->worker[i].log;
		sums_take(log, fork[i - 1]);
	}
	result = log_measure_busy(log, fork, l->workers - 1, err);
	sweep_set_attributes(l->worker[0].sweep);
	take_back_early(log);
	if (log->any_inside)
		log->tally[TALLY_DEVICE_CLOCK].count = 0;
	if (log->tally[TALLY_DEVICE_CLOCK].count) { /* it is all of these */
		log->tally[TALLY_DEVICE_CLOCK].lost_ps = log->tally[TALLY_DEVICE_OUTSIDE].lost_ps;
		log->tally[TALLY_DEVICE_OUTSIDE].count = 0;
	}
	return result;
}

int log_sweep(struct eventlog *log, struct error *err)
{
	struct arena *scratch = arena_new();
	const struct sweep_ops ops = ops_of(log, scratch);
	struct sweep_work l = {.workers = 1};
	int result = 0;

	log->op_time =
		memory_alloc(memory_product(log->profile->op_count + 1, sizeof(*log->op_time)));
	log_begin_collectives(log);
	find_parts(log, &l);
	l.workers = threads_of(log, &l);
	log_init_busy(log);
	l.worker = arena_array(scratch, l.workers, sizeof(*l.worker));
	for (size_t i = 0; i < l.workers; i++) {
		l.worker[i].log = i ? log_fork(log, l.workers - 1) : log;
		l.worker[i].sweep = sweep_new(l.worker[i].log, &ops);
	}
	threads_each(l.workers, l.parts.count, sweep_next, &l);
	for (size_t i = 0; i < l.workers && result == 0; i++) {
		result = l.worker[i].result;
		if (result)
			*err = l.worker[i].err;
	}
	result = result || sweep_rest(&l, err) || merge(log, &l, err) ? -1 : 0;
	for (size_t i = 0; i < l.workers; i++) {
		sweep_free(l.worker[i].sweep);
		if (i)
			log_free_fork(l.worker[i].log);
	}
	memory_free(l.parts.part);
	memory_free(l.in_order.part);
	arena_free(scratch);
	return result;
}
