/* Doubtful times of a trace, summed by op: the time that each issue takes from the total of an op
 * or adds to it. The issue names the op with the widest bounds. Totals are over all events of an
 * op, whether they are in a step or not. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "ingest/events/eventlog_sweep.h"

/* Doubtful time of one op, for one issue. */
struct doubt {
	int64_t less_ps, left_out_ps;
	size_t unmeasured, beyond;
};

struct doubts {
	struct doubt *op;
	size_t room;
	uint32_t *early; /* of DOUBT_EARLY: the ops that have some, as a lane has few of all */
	size_t early_count, early_room;
};

static const char *const codes[DOUBT_COUNT] = {
	[DOUBT_ZERO_TIME] = "zero-time",
	[DOUBT_NEGATIVE_TIME] = "negative-time",
	[DOUBT_LONG_EVENT] = "long-event",
	[DOUBT_CLOCK_JUMP] = "clock-jump",
	[DOUBT_OVERLAP] = "stream-overlap",
	[DOUBT_NESTING] = "bad-nesting",
	[DOUBT_DUPLICATE] = "duplicate-event",
	[DOUBT_KERNEL_LOST] = "kernel-lost",
	[DOUBT_SYNC] = "sync-overlap",
	[DOUBT_CROSSING] = "step-crossing",
	[DOUBT_DEVICE_CLOCK] = "device-clock",
};

void doubts_release(struct eventlog *log)
{
	for (size_t i = 0; i < DOUBT_COUNT; i++)
		if (log->doubts[i]) {
			memory_free(log->doubts[i]->op);
			memory_free(log->doubts[i]->early);
		}
	memory_free(log->op_time);
}

/* Adds to a sum; a sum that does not fit stays as large as it can be. */
static void add_to(int64_t *sum, int64_t ps)
{
	if (!number_add(*sum, ps, sum))
		*sum = INT64_MAX;
}

static struct doubt *doubt_of(struct eventlog *log, enum doubt_id id, uint32_t op)
{
	struct doubts *doubts = log->doubts[id];

	if (!doubts)
		doubts = log->doubts[id] = arena_alloc(log->arena, sizeof(*doubts));
	doubts->op = memory_make_room_zeroed(
		doubts->op, &doubts->room, (size_t)op + 1, sizeof(*doubts->op));
	return &doubts->op[op];
}

void eventlog_doubt(
	struct eventlog *log, enum doubt_id id, uint32_t op, enum doubt_kind kind, int64_t ps)
{
	struct doubt *doubt = doubt_of(log, id, op);

	switch (kind) {
	case DOUBT_LESS:
		if (id == DOUBT_EARLY && !doubt->less_ps && ps > 0)
			*(uint32_t *)memory_push(&log->doubts[id]->early,
				&log->doubts[id]->early_count, &log->doubts[id]->early_room,
				sizeof(*log->doubts[id]->early)) = op;
		add_to(&doubt->less_ps, ps);
		break;
	case DOUBT_LEFT_OUT:
		add_to(&doubt->left_out_ps, ps);
		break;
	case DOUBT_BEYOND:
		doubt->beyond++;
		break;
	case DOUBT_UNMEASURED:
	default:
		doubt->unmeasured++;
		break;
	}
}

void doubts_end_early(struct eventlog *log, bool is_lost)
{
	struct doubts *doubts = log->doubts[DOUBT_EARLY];

	for (size_t i = 0; doubts && i < doubts->early_count; i++) {
		struct doubt *doubt = &doubts->op[doubts->early[i]];

		if (is_lost)
			eventlog_doubt(log, DOUBT_KERNEL_LOST, doubts->early[i], DOUBT_LESS,
				doubt->less_ps);
		*doubt = (struct doubt){0};
	}
	if (doubts)
		doubts->early_count = 0;
}

void doubts_merge(struct eventlog *log, const struct eventlog *fork)
{
	for (enum doubt_id id = 0; id < DOUBT_COUNT; id++)
		for (uint32_t op = 0; fork->doubts[id] && op < fork->doubts[id]->room; op++) {
			const struct doubt *from = &fork->doubts[id]->op[op];
			struct doubt *doubt;

			if (op >= log->profile->op_count || id == DOUBT_EARLY)
				break;
			doubt = doubt_of(log, id, op);
			add_to(&doubt->less_ps, from->less_ps);
			add_to(&doubt->left_out_ps, from->left_out_ps);
			doubt->beyond += from->beyond;
			doubt->unmeasured += from->unmeasured;
		}
}

/* Bounds of an op's total; unit EFFECT_NONE where nothing is in doubt. */
static struct issue_effect bounds(
	const struct eventlog *log, const struct doubt *doubt, uint32_t op)
{
	const struct op_time *time = &log->op_time[op];
	struct issue_effect effect = {
		.row = log->profile->op[op].name,
		.low = time->sum_ps > doubt->less_ps ? time->sum_ps - doubt->less_ps : 0,
		.high = time->sum_ps,
		.recorded = time->sum_ps,
	};
	int64_t more;

	if (!doubt->less_ps && !doubt->left_out_ps && !doubt->unmeasured && !doubt->beyond)
		return effect;
	effect.unit = EFFECT_PS;
	add_to(&effect.recorded, doubt->left_out_ps);
	add_to(&effect.high, doubt->left_out_ps);
	if (doubt->beyond)
		effect.high = effect.recorded = EFFECT_UNKNOWN;
	if (!doubt->unmeasured || doubt->beyond)
		return effect;
	if (!time->longest_ps ||
		!number_multiply(time->longest_ps, (int64_t)doubt->unmeasured, &more))
		effect.high = EFFECT_UNKNOWN;
	else
		add_to(&effect.high, more);
	return effect;
}

static int64_t width(const struct issue_effect *effect)
{
	if (effect->unit == EFFECT_NONE)
		return -1;
	return effect->high == EFFECT_UNKNOWN ? INT64_MAX : effect->high - effect->low;
}

static void set_widest(struct eventlog *log, enum doubt_id id, const char *steps)
{
	const struct doubts *doubts = log->doubts[id];
	struct issue_effect widest = {.unit = EFFECT_NONE};

	for (size_t i = 0; doubts && i < doubts->room && i < log->profile->op_count; i++) {
		struct issue_effect here = bounds(log, &doubts->op[i], (uint32_t)i);

		if (width(&here) > width(&widest) ||
			(width(&here) >= 0 && width(&here) == width(&widest) &&
				strcmp(here.row, widest.row) < 0))
			widest = here;
	}
	widest.steps = steps;
	issue_set_effect(&log->profile->issues, codes[id], &widest);
}

#define STEPS_NAMED 8

/* "0..2, 7": steps whose work has no times. */
static void add_doubtful_steps(struct text *out, const struct eventlog *log)
{
	const struct slot *slot = slots_of(log);
	size_t named = 0;

	for (size_t i = 0; i < log->mark.count; i++) {
		size_t last = i;

		if (!slot[i].doubtful)
			continue;
		while (last + 1 < log->mark.count && slot[last + 1].doubtful &&
			slot[last + 1].process == slot[i].process &&
			slot[last + 1].number == slot[last].number + 1)
			last++;
		if (++named > STEPS_NAMED) {
			text_add(out, ", ...");
			return;
		}
		text_printf(out, "%s%lld", named > 1 ? ", " : "", (long long)slot[i].number);
		if (last > i)
			text_printf(out, "..%lld", (long long)slot[last].number);
		i = last;
	}
}

/* Work that is not there may have taken as long as the longest that is. */
static void bound_launches(struct eventlog *log, const char *code, size_t lost, int64_t longest_ps)
{
	struct issue_effect effect = {.unit = EFFECT_PS,
		.row = "all kernels",
		.low = log->device_time.sum_ps,
		.high = log->device_time.sum_ps,
		.recorded = log->device_time.sum_ps};
	int64_t more;

	if (lost == 0)
		return;
	if (longest_ps > 0 && number_multiply(longest_ps, (int64_t)lost, &more))
		add_to(&effect.high, more);
	else
		effect.high = EFFECT_UNKNOWN;
	issue_set_effect(&log->profile->issues, code, &effect);
}

/* Bounds of an issue about time or marks in no step: the part in steps, and all. */
static void bound_outside(struct eventlog *log, const char *code, const char *row)
{
	const struct issue *issue = issue_list_find(&log->profile->issues, code);

	if (issue && issue->loss.kind != LOSS_NONE && issue->effect.unit == EFFECT_NONE)
		issue_set_effect(&log->profile->issues, code,
			&(struct issue_effect){
				.unit = issue->loss.kind == LOSS_STEPS ? EFFECT_STEPS : EFFECT_PS,
				.row = row,
				.low = issue->loss.all - issue->loss.lost,
				.high = issue->loss.all,
				.recorded = EFFECT_UNKNOWN});
}

/* Sets the bounds of a clock issue: the time that the clocks are apart at least. */
static void bound_clocks(struct eventlog *log, const char *code, uint32_t op, int64_t apart_ps)
{
	if (apart_ps > 0)
		issue_set_effect(&log->profile->issues, code,
			&(struct issue_effect){.unit = EFFECT_PS,
				.row = log->profile->op[op].name,
				.low = apart_ps,
				.high = EFFECT_UNKNOWN,
				.recorded = EFFECT_UNKNOWN});
}

void doubts_bound(struct eventlog *log)
{
	struct text steps;

	text_init(&steps);
	add_doubtful_steps(&steps, log);
	for (enum doubt_id id = 0; id < DOUBT_COUNT; id++)
		if (codes[id])
			set_widest(log, id, id == DOUBT_ZERO_TIME ? text_string(&steps) : "");
	text_release(&steps);
	bound_launches(
		log, "launch-lost", log->tally[TALLY_AWAITED].count, log->device_time.longest_ps);
	bound_launches(log, "replay-lost", log->tally[TALLY_REPLAYS].count, log->longest_replay_ps);
	issue_set_effect(&log->profile->issues, "device-missing",
		&(struct issue_effect){.unit = EFFECT_EVENTS,
			.row = "events of the device",
			.low = (int64_t)log->tally[TALLY_NO_DEVICE].count,
			.high = EFFECT_UNKNOWN,
			.recorded = EFFECT_UNKNOWN});
	bound_outside(log, "event-outside", "op time in steps");
	bound_outside(log, "device-outside", "device time in steps");
	bound_outside(log, "kernel-lost", "device time in steps");
	bound_outside(log, "launch-before", "device time in steps");
	bound_outside(log, "step-empty", "steps");
	bound_clocks(log, "before-launch", log->lead_op, log->lead_ps);
	bound_clocks(log, "after-sync", log->late_op, log->late_ps);

	char row[40];
	struct issue_effect effect = {.unit = EFFECT_PS, .row = row};
	const struct slot *slot = slots_of(log), *cut = NULL;

	for (size_t i = 0; i < log->mark.count; i++) {
		if (slot[i].used && slot[i].device_ps > effect.high)
			effect.high = slot[i].device_ps;
		if (slot[i].cut && (!cut || slot[i].device_ps < cut->device_ps))
			cut = &slot[i];
	}
	if (!cut)
		return;
	snprintf(row, sizeof(row), "step %lld", (long long)cut->number);
	effect.low = effect.recorded = cut->device_ps;
	issue_set_effect(&log->profile->issues, "cut-step", &effect);
}
