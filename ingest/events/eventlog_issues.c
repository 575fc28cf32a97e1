/* Counts made while the log was read, as issues of the profile. */
#include <inttypes.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "ingest/events/eventlog_sweep.h"

static const struct {
	enum issue_severity severity;
	const char *code, *text;
	enum loss_kind loss;
} words[TALLY_COUNT] = {
	[TALLY_RANGE] = {ISSUE_LOSS, "event-range",
		"events of negative duration, or more than 53 days from the base time, left out"},
	[TALLY_OUTSIDE] = {ISSUE_INFO, "event-outside",
		"events of the host outside of all steps, left out", LOSS_OP_TIME},
	[TALLY_DEVICE_OUTSIDE] = {ISSUE_INFO, "device-outside",
		"device events outside of all steps, left out", LOSS_DEVICE_TIME},
	[TALLY_UNLINKED] = {ISSUE_LOSS, "kernel-lost",
		"device events whose launch is not in the trace: their step is not known, left out",
		LOSS_DEVICE_TIME},
	[TALLY_BEFORE] = {ISSUE_INFO, "launch-before",
		"device events at the start of their stream whose launch is not in the trace: "
		"launched before recording began, left out",
		LOSS_BEFORE},
	[TALLY_AWAITED] = {ISSUE_LOSS, "launch-lost",
		"launches of kernels in steps without their kernels in the trace: lost, or "
		"captured into a graph",
		LOSS_LAUNCHES},
	[TALLY_REPLAYS] = {ISSUE_LOSS, "replay-lost",
		"launches of graphs without any of their kernels in the trace", LOSS_REPLAYS},
	[TALLY_NO_DEVICE] = {ISSUE_LOSS, "device-missing", NULL, LOSS_LAUNCHES},
	[TALLY_BY_TIME] = {ISSUE_INFO, "launches-missing",
		"device events of a trace without launches or links to them, counted in the step "
		"of their own start"},
	[TALLY_LINK_TWICE] = {ISSUE_LOSS, "launch-ambiguous",
		"launches of a link that a launch in another step has, too; the first is used"},
	[TALLY_OVERLAP] = {ISSUE_INFO, "events-overlap",
		"events that begin inside another one of their thread and end after it, treated as "
		"following it"},
	[TALLY_DEEP] = {ISSUE_LOSS, "nesting-deep",
		"events nested deeper than 4096, treated as following the one around them"},
	[TALLY_LABELS_DEEP] = {ISSUE_LOSS, "launchers-deep",
		"events nested deeper than 512 in others that may be launchers, passed over: what "
		"they launched counts for those around them"},
	[TALLY_FORWARD_UNKNOWN] = {ISSUE_INFO, "backward-unknown",
		"ops of a backward pass whose forward op is not in the trace, or has the number of "
		"one on another thread: what they ran belongs only to what is around them"},
	[TALLY_CAPTURED] = {ISSUE_INFO, "replay-captured",
		"kernels of replayed graphs, which belong to what launched them when their graph "
		"was captured"},
	[TALLY_UNCAPTURED] = {ISSUE_INFO, "replay-uncaptured",
		"kernels of replayed graphs that no capture has, counted for what is around the "
		"replay or for their graph (--graph=capture:FILE gives the trace of the capture)"},
	[TALLY_IN_GRAPH] = {ISSUE_INFO, "replay-graph",
		"kernels of replayed graphs that neither a capture nor what is around the replay "
		"names, in rows of their graph: of so many kernels, where rows are ops at which "
		"place"},
	[TALLY_GRAPH_CUTS + GRAPH_CUT_NAMES] = {ISSUE_LOSS, "graphs-names",
		"launches of kernels with one more name than --max-ops: no name tells their graph"},
	[TALLY_GRAPH_CUTS + GRAPH_CUT_LAUNCHES] = {ISSUE_LOSS, "graphs-launches",
		"launches captured into graphs beyond 4194304, left out of their graphs"},
	[TALLY_GRAPH_CUTS + GRAPH_CUT_REPLAYS] = {ISSUE_LOSS, "graphs-replays",
		"replays of graphs beyond 4096 different ones, counted as if no capture had them"},
	[TALLY_STACK_NAMES] = {ISSUE_LOSS, "stacks-many",
		"stacks whose names together are longer than 256 MiB, named by their innermost "
		"frame (a smaller N has fewer)"},
	[TALLY_LISTS_MANY] = {ISSUE_LOSS, "launchers-many",
		"events in more different nestings of launchers than 256 MiB hold: their time "
		"counts only for the innermost"},
	[TALLY_FORWARDS_MANY] = {ISSUE_LOSS, "forwards-many",
		"ops of forward passes beyond 1048576, not kept: what the backward pass runs for "
		"them belongs only to what is around it"},
	[TALLY_CAUSES_MANY] = {ISSUE_LOSS, "causes-many",
		"stretches of idle time beyond 256 at once for which one thread is late: what it "
		"does then counts as [other]"},
	[TALLY_CAUSES_DEEP] = {ISSUE_LOSS, "causes-deep",
		"events nested deeper than 1024 while a device waits: idle time in them counts for "
		"those around them"},
	[TALLY_SELF] = {ISSUE_LOSS, "self-negative",
		"events shorter than the events nested in them: their own time counts as 0"},
	[TALLY_SUM] = {ISSUE_LOSS, "sum-range", "sums of more than 64 bits, left out"},
	[TALLY_STEP_CUT] = {ISSUE_INFO, "step-overlap",
		"steps that overlap the next of their process, ended where it begins"},
	[TALLY_STEP_POINT] = {ISSUE_INFO, "step-point",
		"markers of steps without a duration: such a step lasts until the next marker"},
	[TALLY_STEP_BACKWARDS] = {ISSUE_LOSS, "step-backwards",
		"steps that end before they start, left out", LOSS_STEPS},
	[TALLY_STEP_EMPTY] = {ISSUE_INFO, "step-empty",
		"listed steps in which nothing ran, left out", LOSS_STEPS},
	[TALLY_TAIL] = {ISSUE_LOSS, "cut-step",
		"steps at an end of the trace with less than 0.8 of the device events of the step "
		"beside them: recording may have begun late, or ended before the device did "
		"(--steps leaves them out)"},
	[TALLY_TYPES] = {ISSUE_LOSS, "event-types",
		"names of ops with a type beyond the first 255: events of ops of several types "
		"show none"},
	[TALLY_DEVICES] = {ISSUE_LOSS, "devices-many",
		"devices that are too many for a table of what each did in each step"},
	[TALLY_STEP_NESTED] = {ISSUE_LOSS, "step-nested",
		"slices that mark a step inside of another one that does (--step-marker): the "
		"outermost is the step"},
	[TALLY_SHARED] = {ISSUE_INFO, "steps-shared",
		"events of processes without steps of their own, counted in the steps of the "
		"process that has them"},
	[TALLY_ZERO] = {ISSUE_ERROR, "zero-time",
		"device events without a time (duration 0, some also start 0), counted as 0"},
	[TALLY_STREAM] = {ISSUE_ERROR, "stream-overlap",
		"device events that last into the next one of their stream, which does one thing "
		"after the other: their durations are too long"},
	[TALLY_LEAD] = {ISSUE_ERROR, "before-launch",
		"device events that start before the call that launched them: the clocks of host "
		"and device differ"},
	[TALLY_NESTING] = {ISSUE_ERROR, "bad-nesting",
		"slices that begin inside another one of their thread and end after it, counted as "
		"following it"},
	[TALLY_DUPLICATE] = {ISSUE_ERROR, "duplicate-event",
		"events that are in the trace twice, with the same name, thread, times and ids: "
		"both are counted"},
	[TALLY_LONG] = {ISSUE_ERROR, "long-event",
		"events that are longer than the trace or than 7 days"},
	[TALLY_FAR] = {ISSUE_LOSS, "clock-jump",
		"events whose time is far from that of the others, left out"},
	[TALLY_DEVICE_CLOCK] = {ISSUE_ERROR, "device-clock",
		"device events that are all outside of the steps: the device may count time from "
		"another zero than the host, left out",
		LOSS_DEVICE_TIME},
	[TALLY_CROSSING] = {ISSUE_ERROR, "step-crossing",
		"slices that begin in a step and end after it, on its thread: all of their time "
		"counts in the step in which they begin"},
	[TALLY_SYNC] = {ISSUE_ERROR, "sync-overlap",
		"device events that still run when the host begins to wait for their stream, whose "
		"wait is drawn when it is idle"},
	[TALLY_LATE] = {ISSUE_ERROR, "after-sync",
		"device events that end after the host has waited for all of the device: the "
		"clocks of host and device differ"},
	[TALLY_HANDED] = {ISSUE_INFO, "handed-over",
		"events that start in another step, or outside of all, than the one in which "
		"another thread gave their thread or device the work, counted in that one"},
	[TALLY_STEP_OF_LAUNCH] = {ISSUE_INFO, "step-of-launch",
		"events of devices in the step of the call that launched them"},
	[TALLY_STEP_OF_CALL] = {ISSUE_INFO, "step-of-call",
		"events of devices in the step of the call that gave their program to the device"},
	[TALLY_STEP_OF_TIME] = {ISSUE_INFO, "step-of-time",
		"events of devices in the step in which they start"},
	[TALLY_HANDED_MANY] = {ISSUE_LOSS, "handed-over-many",
		"pieces of work beyond 524288 that a thread gave to another, not followed: what "
		"was done for them is in the step of its own start"},
	[TALLY_STEP_REPLACED] = {ISSUE_INFO, "step-replaced",
		"steps that the source or --step-marker marks, not used: --window says what a step "
		"is"},
};

/* Earlier by lane and time; of equal ones that with the smaller name. */
static bool is_before(const struct eventlog *log, const struct tally *a, const struct tally *b)
{
	uint32_t x = a->lane == LANE_UNKNOWN ? LANE_UNKNOWN : log->lane_rank[a->lane];
	uint32_t y = b->lane == LANE_UNKNOWN ? LANE_UNKNOWN : log->lane_rank[b->lane];

	if (x != y)
		return x < y;
	if (a->start_ps != b->start_ps)
		return a->start_ps < b->start_ps;
	if (a->op == b->op || a->op == UINT32_MAX || b->op == UINT32_MAX)
		return a->op < b->op;
	return strcmp(log->profile->op[a->op].name, log->profile->op[b->op].name) < 0;
}

void tally_event(
	struct eventlog *log, enum tally_id id, uint32_t lane, int64_t start_ps, uint32_t op)
{
	tally_events(log, id, 1, lane, start_ps, op);
}

void tally_events(struct eventlog *log, enum tally_id id, size_t count, uint32_t lane,
	int64_t start_ps, uint32_t op)
{
	struct tally *tally = &log->tally[id];
	struct tally here = {tally->count + count, tally->lost_ps, true, false, lane, op, start_ps};

	if (!tally->placed || is_before(log, &here, tally))
		*tally = here;
	tally->count = here.count;
}

void tallies_merge(struct eventlog *log, const struct eventlog *fork)
{
	for (size_t i = 0; i < TALLY_COUNT; i++) {
		const struct tally *from = &fork->tally[i];

		log_add_lost(log, (enum tally_id)i, from->lost_ps);
		if (i == TALLY_SUM) /* sums_observe counts these */
			continue;
		if (from->placed)
			tally_events(log, (enum tally_id)i, from->count, from->lane, from->start_ps,
				from->op);
		else
			log->tally[i].count += from->count;
	}
}

void tally_sum(struct eventlog *log, enum tally_id id, uint32_t op, uint32_t slot)
{
	struct tally *tally = &log->tally[id];
	int64_t step = slots_of(log)[slot].number;
	const struct op *ops = log->profile->op;
	int order = tally->placed ? strcmp(ops[op].name, ops[tally->op].name) : -1;

	tally->count++;
	if (order > 0 || (order == 0 && step >= tally->start_ps))
		return;
	*tally = (struct tally){.count = tally->count,
		.lost_ps = tally->lost_ps,
		.placed = true,
		.in_step = true,
		.op = op,
		.start_ps = step};
}

static void add_place(struct text *out, const struct eventlog *log, const struct tally *tally)
{
	text_add(out, log->profile->path);
	if (!tally->placed)
		return;
	text_add(out, ": ");
	if (tally->in_step) {
		text_add(out, "op ");
		text_add_visible(out, log->profile->op[tally->op].name);
		text_printf(out, ", step %" PRId64, tally->start_ps);
		return;
	}
	if (tally->op != UINT32_MAX) {
		text_add(out, "op ");
		text_add_visible(out, log->profile->op[tally->op].name);
		text_add(out, ", ");
	}
	if (tally->lane == LANE_UNKNOWN)
		text_add(out, "host");
	else
		text_add_visible(out, lanes_of(log)[tally->lane].name);

	/* Add a time as the source writes it: microseconds with the decimals that are not 0. */
	int64_t us = tally->start_ps / PS_PER_US, ps = tally->start_ps % PS_PER_US;

	us -= ps < 0;
	ps += ps < 0 ? PS_PER_US : 0;
	if (!number_add(log->base_us, us, &us))
		return;
	if (us < 0 && ps > 0) { /* -1 us and 0.75 us are -0.25 us */
		us++;
		ps = PS_PER_US - ps;
		text_printf(out, ", ts -%" PRIu64, -(uint64_t)us);
	} else {
		text_printf(out, ", ts %" PRId64, us);
	}
	if (ps == 0)
		return;
	text_printf(out, ".%06" PRId64, ps);
	while (out->data[out->size - 1] == '0')
		out->data[--out->size] = '\0';
}

static const char *text_of(struct eventlog *log, enum tally_id id)
{
	if (words[id].text)
		return words[id].text;
	return arena_printf(log->arena,
		"launches, no device event: record %s; this report is about the host only",
		log->opt.device_option ? arena_printf(log->arena, "with %s", log->opt.device_option)
				       : "the devices, too");
}

void log_issues(struct eventlog *log)
{
	struct text place;

	text_init(&place);
	for (size_t i = 0; i < TALLY_COUNT; i++) {
		if (!log->tally[i].count)
			continue;
		text_clear(&place);
		add_place(&place, log, &log->tally[i]);
		issue_add(&log->profile->issues, words[i].severity, words[i].code, text_of(log, i),
			log->tally[i].count, text_string(&place));

		/* Set the loss of an issue. Where a device has times, the table is not about those
		 * of the host. Events outside of windows were left out on request. */
		enum tally_id id = i;
		const struct tally *tally = &log->tally[id];
		const enum loss_kind kind = words[id].loss;
		const bool is_time =
			kind == LOSS_DEVICE_TIME || kind == LOSS_OP_TIME || kind == LOSS_BEFORE;
		struct issue_loss loss = {kind, is_time ? tally->lost_ps : (int64_t)tally->count,
			log->whole[kind == LOSS_BEFORE ? LOSS_DEVICE_TIME : kind]};

		if (kind == LOSS_NONE || (is_time && log->opt.window_count) ||
			(kind == LOSS_OP_TIME && log->whole[LOSS_DEVICE_TIME]))
			continue;
		if (id == TALLY_DEVICE_OUTSIDE && log->ahead_ps < loss.lost) {
			loss.lost -= log->ahead_ps;
			loss.all -= log->ahead_ps;
		} else if (id == TALLY_DEVICE_OUTSIDE && log->ahead_ps) {
			continue;
		}
		issue_set_loss(&log->profile->issues, words[id].code, &loss);
	}
	text_release(&place);
}
