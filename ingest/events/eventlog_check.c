/* Events that cannot be true, found while events pass in order of lane and time: in fixed memory,
 * with a look at the event before. What a stream is and which events
 * are of a device the reader says. */
#include "ingest/events/eventlog_sweep.h"

#define LONGEST_PS (INT64_C(7) * 24 * 3600 * 1000000 * PS_PER_US) /* as HolisticTraceAnalysis */
#define LONG_PS (INT64_C(100) * PS_PER_US)
/* A kernel that is launched so (programmatic dependent launch) starts while the one before it ends:
 * by less than a launch takes. */
#define EARLY_PS (INT64_C(10) * PS_PER_US)
#define LATE_PS (INT64_C(1000000) * PS_PER_US) /* an event may outlast the recording by this */

static void add_time(struct op_time *time, int64_t dur_ps)
{
	if (__builtin_add_overflow(time->sum_ps, dur_ps, &time->sum_ps))
		time->sum_ps = INT64_MAX;
	if (dur_ps > time->longest_ps)
		time->longest_ps = dur_ps;
}

/* Twice the same, ids included, where two events are not equal by chance: two short ones of a
 * thread may be, one in the other, where times are microseconds. */
static bool is_again(
	const struct eventlog *log, const struct checks *c, const struct log_record *event)
{
	const bool has_id = event->flags & (EVENT_LAUNCHED | EVENT_LAUNCHES | EVENT_AROUND);

	if (c->same.start_ps != event->start_ps || c->same.dur_ps != event->dur_ps ||
		c->same.op != event->op || c->same.lane != event->lane ||
		c->same.is_around != ((event->flags & EVENT_AROUND) != 0) || event->dur_ps == 0)
		return false;
	if (has_id && c->same.link != event->link)
		return false;
	return (has_id && event->link) || event->flags & EVENT_LAUNCHED || log->has_fraction ||
	       event->dur_ps >= LONG_PS;
}

static void tally_long(
	struct eventlog *log, uint32_t lane, int64_t start_ps, int64_t dur_ps, uint32_t op)
{
	tally_event(log, TALLY_LONG, lane, start_ps, op);
	eventlog_doubt(log, DOUBT_LONG_EVENT, op, DOUBT_LESS, dur_ps);
}

static bool is_late(const struct eventlog *log, int64_t end_ps)
{
	return log->has_end && end_ps > log->end_ps && end_ps - log->end_ps > LATE_PS;
}

/* The last event of a stream, which nothing cuts, may still end too late. */
static void end_last(struct eventlog *log, struct checks *c)
{
	const int64_t dur_ps = c->last_end_ps - c->last_start_ps;

	if (c->has_last && dur_ps <= LONGEST_PS && is_late(log, c->last_end_ps))
		tally_long(log, c->lane, c->last_start_ps, dur_ps, c->last_op);
}

/* Events that one launch started (a graph) may run side by side. */
static void check_stream(
	struct eventlog *log, struct checks *c, const struct log_record *event, int64_t start_ps)
{
	const bool is_graph = event->link && event->link == c->last_link;
	const int64_t end_ps = start_ps + event->dur_ps;
	const int64_t slack_ps = event->flags & EVENT_MAY_OVERLAP ? EARLY_PS : CLOCK_PS;

	if (event->dur_ps == 0 || (c->has_last && is_graph && end_ps <= c->last_end_ps))
		return;
	if (c->has_last && !is_graph && start_ps < c->last_end_ps - slack_ps) {
		tally_event(log, TALLY_STREAM, event->lane, c->last_start_ps, c->last_op);
		eventlog_doubt(
			log, DOUBT_OVERLAP, c->last_op, DOUBT_LESS, c->last_end_ps - start_ps);
	} else {
		end_last(log, c);
	}
	c->has_last = true;
	c->lane = event->lane;
	c->last_op = event->op;
	c->last_start_ps = start_ps;
	c->last_end_ps = end_ps;
	c->last_link = event->link;
}

bool check_event(
	struct eventlog *log, struct checks *c, const struct log_record *event, int64_t start_ps)
{
	const struct lane *lane = &lanes_of(log)[event->lane];
	const bool is_launched = event->flags & EVENT_LAUNCHED;

	if (!log->opt.by_launcher || lane->accelerator)
		add_time(&log->op_time[event->op], event->dur_ps);
	if (event->flags & EVENT_TIMELESS) {
		eventlog_doubt(log, DOUBT_ZERO_TIME, event->op, DOUBT_UNMEASURED, 0);
		return true;
	}
	if (is_launched)
		add_time(&log->device_time, event->dur_ps);
	if (is_again(log, c, event)) {
		tally_event(log, TALLY_DUPLICATE, event->lane, start_ps, event->op);
		eventlog_doubt(log, DOUBT_DUPLICATE, event->op, DOUBT_LESS, event->dur_ps);
		return false;
	}
	c->same.start_ps = event->start_ps;
	c->same.dur_ps = event->dur_ps;
	c->same.link = event->link;
	c->same.lane = event->lane;
	c->same.op = event->op;
	c->same.is_around = event->flags & EVENT_AROUND;
	if (event->dur_ps > LONGEST_PS ||
		(!(lane->serial && is_launched) && is_late(log, start_ps + event->dur_ps)))
		tally_long(log, event->lane, start_ps, event->dur_ps, event->op);
	if (!lane->serial || !is_launched)
		return true;
	if (event->dur_ps == 0 && log->has_fraction && !(event->flags & EVENT_UNMEASURED)) {
		tally_event(log, TALLY_ZERO, event->lane, start_ps, event->op);
		eventlog_doubt(log, DOUBT_ZERO_TIME, event->op, DOUBT_UNMEASURED, 0);
	}
	check_stream(log, c, event, start_ps);
	return true;
}

void check_wait(struct eventlog *log, const struct checks *c, uint32_t lane, int64_t start_ps)
{
	if (!c->has_last || c->last_start_ps >= start_ps || c->last_end_ps <= start_ps + CLOCK_PS)
		return;
	tally_event(log, TALLY_SYNC, lane, c->last_start_ps, c->last_op);
	eventlog_doubt(log, DOUBT_SYNC, c->last_op, DOUBT_LESS, c->last_end_ps - start_ps);
}

void check_outside(
	struct eventlog *log, const struct log_record *event, int64_t start_ps, uint32_t slot)
{
	const struct lane *lane = &lanes_of(log)[event->lane];

	if (!lane->accelerator || event->flags & EVENT_LAUNCHED || log->any_inside)
		return;
	if (slot < SLOT_LEAST_SPECIAL) {
		log->any_inside = true;
		return;
	}
	tally_event(log, TALLY_DEVICE_CLOCK, event->lane, start_ps, event->op);
	eventlog_doubt(log, DOUBT_DEVICE_CLOCK, event->op, DOUBT_LESS, event->dur_ps);
}

void check_crossing(
	struct eventlog *log, const struct log_record *event, int64_t start_ps, uint32_t slot)
{
	const struct slot *step = &slots_of(log)[slot];
	const int64_t end_ps = start_ps + event->dur_ps;

	if (step->thread != event->lane + 1 || end_ps - CLOCK_PS <= step->end_ps)
		return;
	tally_event(log, TALLY_CROSSING, event->lane, start_ps, event->op);
	eventlog_doubt(log, DOUBT_CROSSING, event->op, DOUBT_LESS, end_ps - step->end_ps);
}

void check_lane(struct eventlog *log, struct checks *c)
{
	end_last(log, c);
	c->has_last = false;
}
