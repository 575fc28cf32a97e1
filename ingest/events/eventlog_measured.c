/* Parts of each step on a device, by time: its windows are cut into compute, communication alone,
 * copies alone and idle, by unions of the intervals of all its lanes.
 *
 * The work of a device comes in order of start: from its lanes, which are read once more side by
 * side, or where their events were not in order from a sorter. Between two starts only the ends of
 * running work matter: the last end of each class says until when the class is at work. Where
 * nothing is at work a device can be cut into parts of time, for several threads. */
#include <stdlib.h>
#include "base/order.h"
#include "ingest/events/eventlog_measured.h"

/* Between two kernels that are both queued a device rests for 1 to 2 us; a longer gap is waiting.
 */
#define GAP_SHORT_PS INT64_C(2000000)
/* ---- windows ---- */

static bool is_step(const struct slot *slot)
{
	return slot->used;
}

static int64_t start_of(const struct slot *slot)
{
	return slot->start_ps == INT64_MIN ? slot->first_ps : slot->start_ps;
}

/* A window of the user's ends where it says; other steps with their last event. */
static int64_t end_of(const struct slot *slot, bool is_window)
{
	const int64_t end_ps = slot_mark_end(slot);
	const bool is_open = slot->open_end || end_ps == INT64_MAX;

	if (is_window && !is_open)
		return end_ps;
	return is_open || slot->last_ps > end_ps ? slot->last_ps : end_ps;
}

/* End of the step of a slot for a device: the start of the next one. Where that has not the next
 * number, or there is none, its own end, if that is earlier. After log_profile_steps. */
static int64_t log_next_start(const struct eventlog *log, size_t slot)
{
	const struct slot *here = &slots_of(log)[slot], *next = here + 1;
	const bool has_next = !log->opt.window_count && slot + 1 < log->mark.count &&
			      next->process == here->process && is_step(next);
	const int64_t end_ps = end_of(here, log->opt.window_count > 0);

	if (!has_next || !slot_is_gap(here, next))
		return has_next ? start_of(next) : end_ps;
	return end_ps < start_of(next) ? end_ps : start_of(next);
}

static int compare_stretches(const void *a, const void *b)
{
	const struct step_stretch *x = a, *y = b;

	return ORDER(x->process, y->process) ?: ORDER(x->place, y->place);
}

void log_order_stretches(struct eventlog *log)
{
	if (log->stretch.count)
		qsort(log->stretch.data, log->stretch.count, sizeof(struct step_stretch),
			compare_stretches);
}

static void find_windows(struct measured *d, const struct log_device *device)
{
	const struct slot_range *slots = &d->log->range[device->range];

	d->windows = d->at = 0;
	for (size_t i = slots->first; i < slots->first + slots->count; i++) {
		const struct slot *slot = &slots_of(d->log)[i];
		/* Stretch in which the process itself did this step */
		size_t place = i - slots->first;
		const struct step_stretch *stretch = d->log->stretch.data,
					  wanted = {device->process, place, INT64_MIN, 0};
		size_t low = 0, high = d->log->stretch.count;

		while (low < high) {
			const size_t middle = low + (high - low) / 2;

			if (compare_stretches(&stretch[middle], &wanted) < 0)
				low = middle + 1;
			else
				high = middle;
		}
		const struct step_stretch *own =
			low < d->log->stretch.count && stretch[low].process == device->process &&
					stretch[low].place == place
				? &stretch[low]
				: NULL;
		const int64_t start = own ? own->start_ps : start_of(slot),
			      end = own ? own->end_ps : log_next_start(d->log, i);

		if (!is_step(slot) || start >= end)
			continue;
		if (d->windows == 0 || end > d->last_ps)
			d->last_ps = end;

		const struct step_launches *l = &slot->launches;

		d->window[d->windows++] = (struct window){start, end, slot->index,
			l->lost[1] || l->lost[0] > LOSS_MUCH * ((double)l->all[0] + l->all[1])};
	}
}

/* ---- parts ---- */

void measured_begin(struct measured *d)
{
	struct profile *profile = d->log->profile;
	const struct log_device *device = &d->log->device[d->device];

	find_windows(d, device);
	for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_PARTS_END; kind++) {
		d->part[kind] = step_series_add(
			&profile->series, profile->arena, kind, device->name, profile->step_count);
		for (size_t w = 0; w < d->windows; w++)
			d->part[kind][d->window[w].step] = 0;
	}
	d->from_ps = INT64_MIN;
	d->until_ps = INT64_MAX;
	d->is_begun = true;
	d->any = d->is_starting = false;
	d->launch_lane = LANE_UNKNOWN;
	d->now_ps = d->windows ? d->window[0].start_ps : 0;
	for (size_t i = 0; i <= WORK_KINDS; i++)
		d->end_ps[i] = INT64_MIN;
	d->last_end_ps = INT64_MIN;
}

/* True if the whole stretch, as most are, is in the next window, and in no other. */
static inline bool is_inside_one(const struct measured *d, int64_t start_ps, int64_t end_ps)
{
	const struct window *window = &d->window[d->at];

	return d->at < d->windows && start_ps >= window->start_ps && end_ps <= window->end_ps &&
	       start_ps < end_ps && (d->at + 1 == d->windows || window[1].start_ps >= end_ps);
}

/* Keeps a stretch of which the host's threads say more. */
static void add_late(
	struct measured *d, const struct window *window, int64_t from_ps, int64_t to_ps)
{
	const struct late_stretch late = {.device = d->device,
		.step = window->step,
		.lane = d->launch_lane,
		.from_ps = from_ps,
		.to_ps = to_ps,
		.window_start_ps = window->start_ps,
		.window_end_ps = window->end_ps};

	if (d->result)
		return;
	if (d->adding)
		pthread_mutex_lock(d->adding);
	d->result = log_add_late(d->log, &late, &d->err);
	if (d->adding)
		pthread_mutex_unlock(d->adding);
}

static inline void add_part(struct measured *d, const struct window *window, int64_t from_ps,
	int64_t to_ps, enum step_series_kind kind, enum step_series_kind also)
{
	d->part[kind][window->step] += to_ps - from_ps;
	if (also == kind || (kind == SERIES_IDLE && window->lost))
		return;
	d->part[also][window->step] += to_ps - from_ps;
	if (also == SERIES_HOST_LATE)
		add_late(d, window, from_ps, to_ps);
}

/* Adds the stretch to the parts of the windows that it is in. Stretches come in order of time.
 * Windows do so, too, and one may last longer than the next. */
static void add_stretch(struct measured *d, int64_t start_ps, int64_t end_ps,
	enum step_series_kind kind, enum step_series_kind also)
{
	while (d->at < d->windows && d->window[d->at].end_ps <= start_ps)
		d->at++;
	if (is_inside_one(d, start_ps, end_ps)) {
		add_part(d, &d->window[d->at], start_ps, end_ps, kind, also);
		return;
	}
	for (size_t w = d->at; w < d->windows && d->window[w].start_ps < end_ps; w++) {
		const struct window *window = &d->window[w];
		const int64_t from = start_ps > window->start_ps ? start_ps : window->start_ps;
		const int64_t to = end_ps < window->end_ps ? end_ps : window->end_ps;

		if (to > from)
			add_part(d, window, from, to, kind, also);
	}
}

/* Adds the work of the device from now_ps to end_ps, of which all starts are known. Idle time at
 * the end is left for the next start to explain. */
static void add_work_until(struct measured *d, int64_t end_ps)
{
	while (d->now_ps < end_ps && d->now_ps < d->last_end_ps) {
		const int64_t now = d->now_ps;
		const bool computes = d->end_ps[WORK_COMPUTE] > now,
			   communicates = d->end_ps[WORK_COMMUNICATION] > now,
			   copies = d->end_ps[WORK_COPY] > now;
		int64_t until = end_ps;
		enum step_series_kind kind = SERIES_COMPUTE;

		for (size_t i = 0; i <= WORK_KINDS; i++)
			if (d->end_ps[i] > now && d->end_ps[i] < until)
				until = d->end_ps[i];
		if (!computes && communicates)
			kind = SERIES_COMMUNICATION;
		else if (!computes && copies)
			kind = SERIES_COPIES;
		add_stretch(d, now, until, kind, computes && communicates ? SERIES_HIDDEN : kind);
		d->now_ps = until;
	}
}

/* The device rests from now_ps until `until`, when something starts that was launched at launch_ps.
 * INT64_MAX: nothing comes any more. */
static void add_idle(struct measured *d, int64_t until, int64_t launch_ps)
{
	const int64_t from = d->now_ps;
	enum step_series_kind why = SERIES_IDLE;

	if (until <= from)
		return;
	if (launch_ps != LAUNCH_UNKNOWN && launch_ps >= from)
		why = SERIES_HOST_LATE;
	else if (d->any && until - from <= GAP_SHORT_PS)
		why = SERIES_GAPS;
	else if (launch_ps != LAUNCH_UNKNOWN)
		why = SERIES_WAITED;
	add_stretch(d, from, until, SERIES_IDLE, why);
	d->now_ps = until;
}

/* Adds the rest before the work that starts: its launch, known by now, explains the rest. */
static void settle_start(struct measured *d)
{
	if (!d->is_starting)
		return;
	add_idle(d, d->starting_ps, d->launch_ps);
	d->is_starting = false;
	d->any = true;
}

/* True if the launch is before the one that counts as yet; of two at the same time that of the
 * first lane is. */
static bool is_launched_before(const struct measured *d, const struct work_record *record)
{
	const uint32_t *rank = d->log->lane_rank;

	if (record->launch_ps == LAUNCH_UNKNOWN)
		return false;
	return d->launch_ps == LAUNCH_UNKNOWN || record->launch_ps < d->launch_ps ||
	       (record->launch_ps == d->launch_ps &&
		       rank[record->launch_lane] < rank[d->launch_lane]);
}

static enum device_work work_of(const struct measured *d, uint64_t what)
{
	const uint8_t work = d->work[(uint32_t)(what >> 1)];

	return (enum device_work)(
		work == WORK_BY_TYPE ? d->work_of_type[what >> TYPE_SHIFT] : work);
}

void measured_add(struct measured *d, const struct work_record *record)
{
	const int64_t start_ps = value_of(record->start);
	const size_t work = record->what & 1 ? (size_t)WORK_AROUND : work_of(d, record->what);

	if (!d->is_starting || start_ps != d->starting_ps) {
		settle_start(d);
		add_work_until(d, start_ps);
		d->is_starting = true;
		d->starting_ps = start_ps;
		d->launch_ps = LAUNCH_UNKNOWN;
	}
	if (is_launched_before(d, record)) {
		d->launch_ps = record->launch_ps;
		d->launch_lane = (uint32_t)record->launch_lane;
	}
	if (record->end_ps > d->end_ps[work])
		d->end_ps[work] = record->end_ps;
	if (record->end_ps > d->last_end_ps)
		d->last_end_ps = record->end_ps;
}

void measured_end(struct measured *d)
{
	const int64_t end_ps = d->windows ? d->last_ps : 0;

	settle_start(d);
	add_work_until(d, end_ps);
	add_idle(d, end_ps, INT64_MAX);
}

/* ---- lanes that are read once more ---- */

static int pass_instants(struct work_lane *lane, struct error *err)
{
	int got;

	do
		got = lane_pass_next(lane->pass, &lane->next, err);
	while (got > 0 && lane->next->kind == EVENT_INSTANT);
	return got < 0 ? -1 : 0;
}

/* True if the next event runs inside of this work, as the sweep nests events. */
static bool is_next_inside(const struct work_lane *lane, int64_t end_ps)
{
	const struct log_record *next = lane->next;

	if (lane->flat || !next)
		return false;
	const int64_t start_ps = next->start_ps;

	return start_ps < end_ps && start_ps + next->dur_ps <= end_ps;
}

static int next_work(struct work_lane *lane, struct error *err)
{
	lane->any = false;
	while (lane->next && !lane->any) {
		const struct log_record *event = lane->next;
		const int64_t start_ps = event->start_ps, dur_ps = event->dur_ps,
			      lasts_ps = log_record_lasts(event);

		lane->any = event->kind == EVENT_OP && lasts_ps > 0;
		lane->work.start = key_of(start_ps);
		lane->work.end_ps = start_ps + lasts_ps;
		lane->work.launch_ps = lane->flat ? event->launch_ps : LAUNCH_UNKNOWN;
		lane->work.launch_lane = event->launch_lane;
		lane->work.what = (uint64_t)event->type << TYPE_SHIFT | (uint64_t)event->op << 1;
		if (pass_instants(lane, err))
			return -1;
		lane->work.what |= is_next_inside(lane, start_ps + dur_ps);
	}
	return 0;
}

static int begin_lane(struct measured *d, uint32_t id, struct error *err)
{
	struct work_lane *lane = &d->lane[d->lanes++];

	lane->pass = lane_pass_from(d->log->runs, id, key_of(d->from_ps));
	lane->flat = lanes_of(d->log)[id].flat;
	return pass_instants(lane, err) || next_work(lane, err) ? -1 : 0;
}

static int begin_lanes(struct measured *d, uint32_t device, struct error *err)
{
	const struct eventlog *log = d->log;
	uint32_t lane = log->device[device].first;

	for (uint32_t i = 0; i < log->device[device].lanes; i++) {
		if (begin_lane(d, lane, err))
			return -1;
		lane = log->next_lane[lane];
	}
	return 0;
}

/* The lane whose work starts first; NULL: none has any left. */
static struct work_lane *first_lane(struct measured *d)
{
	struct work_lane *first = NULL;

	for (struct work_lane *lane = d->lane; lane < d->lane + d->lanes; lane++)
		if (lane->any && (!first || lane->work.start < first->work.start))
			first = lane;
	return first;
}

/* True if the device rests between this time and what starts next. What was read before is enough
 * to know: a lane is read from where nothing of it is at work, before time_ps. */
static bool rests_after(const struct measured *d, int64_t time_ps, const struct work_lane *next)
{
	return d->last_end_ps > time_ps && value_of(next->work.start) >= d->last_end_ps;
}

/* Passes over the work of the part before. */
static int begin_part(struct measured *d, struct error *err)
{
	struct work_lane *lane;

	while (!d->is_begun && (lane = first_lane(d))) {
		d->is_begun = rests_after(d, d->from_ps, lane);
		if (d->is_begun)
			break;
		if (lane->work.end_ps > d->last_end_ps)
			d->last_end_ps = lane->work.end_ps;
		if (next_work(lane, err))
			return -1;
	}
	d->any = d->last_end_ps != INT64_MIN;
	if (d->last_end_ps > d->now_ps)
		d->now_ps = d->last_end_ps;
	return 0;
}

int measured_read_lanes(struct measured *d, struct error *err)
{
	struct work_lane *lane;
	int result = begin_lanes(d, d->device, err) || begin_part(d, err) ? -1 : 0;

	while (result == 0 && (lane = first_lane(d)) && !rests_after(d, d->until_ps, lane)) {
		measured_add(d, &lane->work);
		result = next_work(lane, err);
	}
	settle_start(d);
	add_work_until(d, d->last_end_ps);
	for (size_t i = 0; i < d->lanes; i++)
		lane_pass_free(d->lane[i].pass);
	return result;
}
