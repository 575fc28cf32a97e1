/*
 * What each device did in each step, by time: its windows are cut into compute, communication
 * alone, copies alone and idle, by unions of the intervals of all its lanes.
 *
 * The work of a device is sorted by start. Between two starts only the ends of what runs matter:
 * the last end of each class says until when the class is at work.
 */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "events/device_work.h"
#include "events/eventlog_parts.h"

/* Between two kernels that are both queued a device rests for 1 to 2 us; a longer gap is waiting.
 */
#define GAP_SHORT_PS INT64_C(2000000)

/* A step as a device sees it. */
struct window {
	int64_t start_ps, end_ps;
	uint32_t step; /* of the profile */
};

/* The devices of a trace: lanes of an accelerator with the same name, whose steps are marked in
 * the same process. */
struct log_device {
	const char *name;
	size_t range; /* of the log's slots */
	uint32_t process;
};

struct devices {
	struct eventlog *log;
	struct arena *arena;
	uint8_t *work; /* of each op, enum device_work */
	struct window *window;
	size_t windows, at; /* `at`: the first window that ends after now_ps */
	int64_t last_ps;    /* where the last of them ends */
	int64_t *part[SERIES_KINDS];
	int64_t now_ps;			/* up to here everything is measured */
	int64_t end_ps[WORK_KINDS + 1]; /* the last end of each class; of what has events in it */
	int64_t last_end_ps;		/* of them */
	bool any;			/* work of this device, as yet */
};

#define WORK_AROUND WORK_KINDS /* contains other events: its class is that of compute */

static size_t range_of_lane(const struct eventlog *log, const struct lane *lane)
{
	return log->range[lane->process].count ? lane->process : eventlog_process_count(log);
}

/* Devices get numbers in the order in which lanes first name them; a lane that is not of an
 * accelerator, or is left out, gets UINT32_MAX. */
void log_find_devices(struct eventlog *log)
{
	const size_t lanes = log->lane.count;
	struct log_device *device = arena_array(log->arena, lanes, sizeof(*device));
	struct intern *keys = intern_new(log->arena);

	log->device_of_lane = arena_array(log->arena, lanes, sizeof(*log->device_of_lane));
	for (size_t i = 0; i < lanes; i++) {
		const struct lane *lane = &lanes_of(log)[i];
		const size_t range = range_of_lane(log, lane);
		const char *key;
		uint32_t id;

		log->device_of_lane[i] = UINT32_MAX;
		if (!lane->accelerator || lane->skip)
			continue;
		key = arena_printf(log->arena, "%zu %s", range, lane->device);
		id = intern_id(keys, key, strlen(key));
		device[id] = (struct log_device){
			*lane->device ? lane->device : "accelerator", range, lane->process};
		log->device_of_lane[i] = id;
	}
	log->device = device;
	log->device_count = intern_count(keys);
}

int log_add_work(struct eventlog *log, const struct lane_work *work, struct error *err)
{
	const struct work_record record = {
		.device = log->device_of_lane[work->lane],
		.start = key_of(work->start_ps),
		.end_ps = work->start_ps + work->dur_ps,
		.launch_ps = work->launch_ps,
		.what = (uint64_t)work->op << 1 | work->is_around,
	};

	if (log->device_of_lane[work->lane] == UINT32_MAX || work->dur_ps == 0)
		return 0;
	if (!log->work)
		log->work = log_sorter(log, sizeof(record), 2);
	return spill_add(log->work, &record, err);
}

/* ---- windows ---- */

static bool is_step(const struct slot *slot)
{
	return slot->used && !slot->dropped;
}

static int64_t start_of(const struct slot *slot)
{
	return slot->start_ps == INT64_MIN ? slot->first_ps : slot->start_ps;
}

/* A window of the user's ends where it says; other steps with their last event. */
static int64_t end_of(const struct slot *slot, bool is_window)
{
	const bool is_open = slot->open_end || slot->end_ps == INT64_MAX;

	if (is_window && !is_open)
		return slot->end_ps;
	return is_open || slot->last_ps > slot->end_ps ? slot->last_ps : slot->end_ps;
}

int64_t log_next_start(const struct eventlog *log, size_t slot)
{
	const struct slot *here = &slots_of(log)[slot], *next = here + 1;
	const bool has_next = !log->opt.window_count && slot + 1 < log->mark.count &&
			      next->process == here->process && is_step(next);
	const int64_t end_ps = end_of(here, log->opt.window_count > 0);

	if (!has_next || (here->number < INT64_MAX && next->number == here->number + 1))
		return has_next ? start_of(next) : end_ps;
	/* Steps are missing between: it lasts no longer than its events. */
	return end_ps < start_of(next) ? end_ps : start_of(next);
}

static int compare_stretches(const void *a, const void *b)
{
	const struct step_stretch *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->start_ps > y->start_ps) - (x->start_ps < y->start_ps);
}

/* When the process itself did the step of this number; NULL: it is not said. */
static const struct step_stretch *stretch_of(
	const struct eventlog *log, uint32_t process, int64_t number)
{
	const struct step_stretch *stretch = log->stretch.data,
				  wanted = {process, number, INT64_MIN, 0};
	size_t low = 0, high = log->stretch.count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare_stretches(&stretch[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < log->stretch.count && stretch[low].process == process &&
			       stretch[low].number == number
		       ? &stretch[low]
		       : NULL;
}

static void find_windows(struct devices *d, const struct log_device *device)
{
	const struct slot_range *slots = &d->log->range[device->range];

	d->windows = d->at = 0;
	for (size_t i = slots->first; i < slots->first + slots->count; i++) {
		const struct slot *slot = &slots_of(d->log)[i];
		const struct step_stretch *own = stretch_of(d->log, device->process, slot->number);
		const int64_t start = own ? own->start_ps : start_of(slot),
			      end = own ? own->end_ps : log_next_start(d->log, i);

		if (!is_step(slot) || start >= end)
			continue;
		if (d->windows == 0 || end > d->last_ps)
			d->last_ps = end;
		d->window[d->windows++] = (struct window){start, end, slot->index};
	}
}

/* ---- parts ---- */

/* The step series of a device, 0 in all its windows. */
static void begin_device(struct devices *d, const struct log_device *device)
{
	struct profile *profile = d->log->profile;

	find_windows(d, device);
	for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_KINDS; kind++) {
		d->part[kind] = step_series_add(
			&profile->series, profile->arena, kind, device->name, profile->step_count);
		for (size_t w = 0; w < d->windows; w++)
			d->part[kind][d->window[w].step] = 0;
	}
	d->any = false;
	d->now_ps = d->windows ? d->window[0].start_ps : 0;
	for (size_t i = 0; i <= WORK_KINDS; i++)
		d->end_ps[i] = INT64_MIN;
	d->last_end_ps = INT64_MIN;
}

/* Is the whole stretch, as most are, in the window that is next, and in no other? */
static inline bool is_inside_one(const struct devices *d, int64_t start_ps, int64_t end_ps)
{
	const struct window *window = &d->window[d->at];

	return d->at < d->windows && start_ps >= window->start_ps && end_ps <= window->end_ps &&
	       start_ps < end_ps && (d->at + 1 == d->windows || window[1].start_ps >= end_ps);
}

static inline void add_part(struct devices *d, uint32_t step, int64_t ps,
	enum step_series_kind kind, enum step_series_kind also)
{
	d->part[kind][step] += ps;
	if (also != kind)
		d->part[also][step] += ps;
}

/* Adds the stretch to the parts of the windows that it is in. Stretches come in order of time.
 * Windows do so, too, and one may last longer than the next. */
static void add_stretch(struct devices *d, int64_t start_ps, int64_t end_ps,
	enum step_series_kind kind, enum step_series_kind also)
{
	while (d->at < d->windows && d->window[d->at].end_ps <= start_ps)
		d->at++;
	if (is_inside_one(d, start_ps, end_ps)) {
		add_part(d, d->window[d->at].step, end_ps - start_ps, kind, also);
		return;
	}
	for (size_t w = d->at; w < d->windows && d->window[w].start_ps < end_ps; w++) {
		const struct window *window = &d->window[w];
		const int64_t from = start_ps > window->start_ps ? start_ps : window->start_ps;
		const int64_t to = end_ps < window->end_ps ? end_ps : window->end_ps;

		if (to > from)
			add_part(d, window->step, to - from, kind, also);
	}
}

/* What the device did from now_ps to end_ps, of which all starts are known. Idle at the end is left
 * for what comes next to explain. */
static void add_work_until(struct devices *d, int64_t end_ps)
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
static void add_idle(struct devices *d, int64_t until, int64_t launch_ps)
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

static void add_record(struct devices *d, const struct work_record *record)
{
	const int64_t start_ps = value_of(record->start);
	const size_t work = record->what & 1 ? (size_t)WORK_AROUND : d->work[record->what >> 1];

	add_work_until(d, start_ps);
	add_idle(d, start_ps, record->launch_ps);
	if (record->end_ps > d->end_ps[work])
		d->end_ps[work] = record->end_ps;
	if (record->end_ps > d->last_end_ps)
		d->last_end_ps = record->end_ps;
	d->any = true;
}

/* After the last work of a device nothing was launched any more. */
static void end_device(struct devices *d)
{
	const int64_t end_ps = d->windows ? d->last_ps : 0;

	add_work_until(d, end_ps);
	add_idle(d, end_ps, INT64_MAX);
}

static int measure(struct devices *d, struct error *err)
{
	struct eventlog *log = d->log;
	uint64_t device = UINT64_MAX;
	const void *next;
	int got;

	while ((got = spill_next(log->work, &next, err)) > 0) {
		const struct work_record *record = next;

		if (record->device != device) {
			if (device != UINT64_MAX)
				end_device(d);
			device = record->device;
			begin_device(d, &log->device[device]);
		}
		add_record(d, record);
	}
	if (got == 0 && device != UINT64_MAX)
		end_device(d);
	return got;
}

/* A list of names may give the same device to many processes: too many values are not made. */
static bool is_too_much(const struct eventlog *log)
{
	const size_t kinds = SERIES_KINDS - SERIES_DEVICE_FIRST;

	return log->device_count >
	       log->opt.limits.observations / kinds / (log->profile->step_count + 1);
}

int log_measure_devices(struct eventlog *log, struct error *err)
{
	struct devices d = {.log = log};
	int result = 0;

	if (log->work && is_too_much(log)) {
		log->tally[TALLY_DEVICES].count = log->device_count;
	} else if (log->work) {
		const struct profile *profile = log->profile;

		if (log->stretch.count)
			qsort(log->stretch.data, log->stretch.count, sizeof(struct step_stretch),
				compare_stretches);
		d.arena = arena_new();
		d.work = arena_array(d.arena, profile->op_count, sizeof(*d.work));
		for (size_t o = 0; o < profile->op_count; o++)
			d.work[o] =
				(uint8_t)device_work_of(profile->op[o].name, profile->op[o].type);
		d.window = arena_array(d.arena, log->mark.count, sizeof(*d.window));
		result = log_check_disk(log, err) || spill_sort(log->work, err) ? -1
										: measure(&d, err);
		arena_free(d.arena);
	}
	spill_free(log->work);
	log->work = NULL;
	return result;
}
