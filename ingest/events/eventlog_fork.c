/*
 * Copies of the log for threads that sweep lanes side by side, and the sum of all copies.
 */
#include <string.h>
#include "base/memory.h"
#include "ingest/events/eventlog_sweep.h"

/* The slots without what events say. */
static void copy_slots(struct vec *to, const struct eventlog *log)
{
	struct slot *slot = memory_alloc(memory_product(log->mark.count, sizeof(*slot)));

	for (size_t i = 0; i < log->mark.count; i++) {
		slot[i] = slots_of(log)[i];
		slot[i].used = false;
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
	fork->busy.sorter = NULL;
	fork->events = fork->launched = fork->launches = fork->work = fork->rows = NULL;
	fork->labels = fork->around = NULL;
	fork->launched_runs = NULL;
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

int log_merge_fork(struct eventlog *log, struct eventlog *fork, struct error *err)
{
	for (size_t k = 0; k < log->mark.count; k++)
		merge_slot(&slots_of(log)[k], &slots_of(fork)[k]);
	for (size_t k = 0; k < log->profile->op_count; k++)
		merge_time(&log->op_time[k], &fork->op_time[k]);
	merge_time(&log->device_time, &fork->device_time);
	for (size_t k = 0; k < LOSS_KINDS; k++)
		log_add_whole(log, (enum loss_kind)k, fork->whole[k]);
	add_ps(&log->ahead_ps, fork->ahead_ps);
	log->any_inside |= fork->any_inside;
	tallies_merge(log, fork);
	doubts_merge(log, fork);
	log_merge_calls(log, fork);
	return sums_merge(log, fork, err);
}
