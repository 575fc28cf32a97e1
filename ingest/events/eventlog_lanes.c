/*
 * The sweep of all lanes: parts of lanes by several threads, then what comes in order by one.
 */
#include <stdatomic.h>
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
	_Atomic size_t next_part, next_worker;
	size_t apart; /* of the pairs that are added up */
};

static void *sweep_parts(void *object)
{
	struct sweep_work *l = object;
	struct sweep_worker *w = &l->worker[atomic_fetch_add(&l->next_worker, 1)];

	while (w->result == 0) {
		const size_t i = atomic_fetch_add(&l->next_part, 1);

		if (i >= l->parts.count)
			break;
		w->log->part = (uint32_t)i;
		w->result = sweep_part(w->sweep, &l->parts.part[i], &w->err);
	}
	return NULL;
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

static void find_parts(const struct eventlog *log, struct sweep_work *l)
{
	for (uint32_t i = 0; i < log->lane.count; i++)
		if (lane_runs_have_any(log->runs, i) && lane_runs_have_all(log->runs, i))
			lane_runs_add_parts(
				log->runs, i, log_wants_work(log, i) ? &l->in_order : &l->parts);
}

/* Sets how many threads the events in the runs are worth. Returns how many sweep their parts:
 * bytes, which may be below 0, are not summed in several parts where the order could matter. */
static size_t threads_of(struct eventlog *log, const struct sweep_work *l)
{
	const uint64_t ops = log->profile->op_count, steps = log->mark.count,
		       bytes = l->parts.bytes + l->in_order.bytes;
	const uint64_t copied = steps * sizeof(struct slot) + ops * sizeof(struct op_time);
	const uint64_t rows =
		steps && ops > bytes / EVENT_BYTES / steps ? bytes / EVENT_BYTES : ops * steps;
	const uint64_t copies = COPIES_BYTES_MOST / (copied + rows * ROW_BYTES + 1);
	const uint64_t worth =
		bytes / (log->opt.buffer_bytes / THREADS_A_BUFFER + copied / COPIED_A_BYTE);
	const bool is_one = log->opt.sink || log->opt.calls || log->recurrence ||
			    log->bytes_sum >= (double)(INT64_MAX / 2);

	log->threads = log->opt.threads < THREADS_MOST ? log->opt.threads : THREADS_MOST;
	if (worth < log->threads)
		log->threads = (size_t)worth;
	if (log->threads > 1 + copies)
		log->threads = (size_t)(1 + copies);
	return is_one || log->threads < 1 ? 1 : log->threads;
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
static void *merge_pairs(void *object)
{
	struct sweep_work *l = object;

	for (;;) {
		const size_t to = 2 * l->apart * atomic_fetch_add(&l->next_part, 1),
			     from = to + l->apart;
		struct sweep_worker *w = &l->worker[to];

		if (from >= l->workers)
			return NULL;
		sweep_merge(w->sweep, l->worker[from].sweep);
		if (w->result == 0)
			w->result = log_merge_fork(w->log, l->worker[from].log, &w->err);
		if (w->result == 0 && l->worker[from].result) {
			w->result = -1;
			w->err = l->worker[from].err;
		}
	}
}

/* Adds what the forks have found out to the log. */
static int merge(struct eventlog *log, struct sweep_work *l, struct error *err)
{
	struct eventlog *fork[THREADS_MOST];
	int result;

	for (l->apart = 1; l->apart < l->workers; l->apart *= 2) {
		l->next_part = 0;
		threads_run((l->workers + l->apart - 1) / (2 * l->apart), merge_pairs, l);
	}
	for (size_t i = 1; i < l->workers; i++)
		fork[i - 1] = l->worker[i].log;
	result = l->worker[0].result;
	if (result)
		*err = l->worker[0].err;
	else
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
	l.worker = arena_array(scratch, l.workers, sizeof(*l.worker));
	for (size_t i = 0; i < l.workers; i++) {
		l.worker[i].log = i ? log_fork(log, l.workers - 1) : log;
		l.worker[i].sweep = sweep_new(l.worker[i].log, &ops);
	}
	threads_run(l.workers, sweep_parts, &l);
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
