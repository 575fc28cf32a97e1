/* Parts of each step on each device, by time: its windows are cut into compute, communication
 * alone, copies alone and idle, by unions of the intervals of all its lanes.
 *
 * The work of a device comes in order of start: from its lanes, which are read once more side by
 * side, or where their events were not in order from a sorter. Between two starts only the ends of
 * running work matter: the last end of each class says until when the class is at work. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "base/order.h"
#include "base/threads.h"
#include "ingest/events/device_work.h"
#include "ingest/events/eventlog_parts.h"

/* Between two kernels that are both queued a device rests for 1 to 2 us; a longer gap is waiting.
 */
#define GAP_SHORT_PS INT64_C(2000000)

/* Work of a device: (device, start) is the key. */
struct work_record {
	uint64_t device, start;
	int64_t end_ps, launch_ps;
	uint64_t what; /* twice the op, and 1: other events are in it */
	uint64_t launch_lane;
};

/* A step as a device sees it. */
struct window {
	int64_t start_ps, end_ps;
	uint32_t step; /* of the profile */
	bool lost;     /* work of it has no record: rest has no cause */
};

/* The devices of a trace: lanes of an accelerator with the same name, whose steps are marked in
 * the same process. */
struct log_device {
	const char *name;
	size_t range; /* of the log's slots */
	uint32_t process;
	uint32_t lanes; /* with events */
	uint32_t first; /* of them; next_lane has the others in order */
	bool is_sorted; /* its work is in log->work */
	bool works;
};

/* A lane that is read once more. */
struct work_lane {
	struct lane_pass *pass;
	bool flat;
	const struct log_record *next; /* event that takes time; NULL: no more */
	struct work_record work;       /* what is before it */
	bool any;		       /* work */
};

/* A device while its parts are measured. */
struct measured {
	struct eventlog *log;
	uint32_t device;
	const uint8_t *work;	     /* of each op, enum device_work; WORK_BY_TYPE */
	const uint8_t *work_of_type; /* of each type of events */
	struct window *window;
	size_t windows, at; /* `at`: the first window that ends after now_ps */
	int64_t last_ps;    /* where the last of them ends */
	int64_t *part[SERIES_PARTS_END];
	int64_t now_ps;			/* up to here everything is measured */
	int64_t end_ps[WORK_KINDS + 1]; /* the last end of each class; of what has events in it */
	int64_t last_end_ps;		/* of them */
	bool any;			/* work of this device before what is starting */
	bool is_starting;		/* something at starting_ps, up to which work is measured */
	int64_t starting_ps, launch_ps; /* launch_ps: the earliest known, or LAUNCH_UNKNOWN */
	uint32_t launch_lane;		/* then; before anything starts that of the launch before */
	pthread_mutex_t *adding;	/* to log->late; NULL: alone */
	struct work_lane lane[LANES_SIDE_BY_SIDE];
	size_t lanes;
	struct error err;
	int result;
};

struct devices {
	struct eventlog *log;
	struct arena *arena;
	uint8_t *work, *work_of_type;
	const struct work_record *sorted; /* the next one of log->work; NULL: no more */
	struct measured *one;		  /* those that are read from their lanes */
	pthread_mutex_t adding;
	bool side_by_side;     /* several at a time */
	struct window *window; /* else: of the one */
	size_t count;
	_Atomic size_t next;
};

#define DEVICES_AT_ONCE 256
#define WINDOWS_AT_ONCE ((size_t)1 << 19) /* 12 MB */

#define WORK_BY_TYPE UINT8_MAX /* events of the op are of several types */
#define TYPE_SHIFT 40	       /* in work_record.what, behind op and is_around */
#define WORK_AROUND WORK_KINDS /* contains other events: its class is that of compute */

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
		const size_t range = log->range[lane->process].count ? lane->process
								     : eventlog_process_count(log);
		const char *key;
		uint32_t id;

		log->device_of_lane[i] = UINT32_MAX;
		if (!lane->accelerator || lane->skip)
			continue;
		key = arena_printf(log->arena, "%zu %s", range, lane->device);
		id = intern_id(keys, key, strlen(key));
		device[id].name = *lane->device ? lane->device : "accelerator";
		device[id].range = range;
		device[id].process = lane->process;
		device[id].is_sorted = log->opt.by_launcher;
		log->device_of_lane[i] = id;
	}
	log->device = device;
	log->device_count = intern_count(keys);
}

const char *log_device_name(const struct eventlog *log, uint32_t device)
{
	return log->device[device].name;
}

void log_choose_work(struct eventlog *log)
{
	log->next_lane = arena_array(log->arena, log->lane.count, sizeof(*log->next_lane));
	for (uint32_t i = (uint32_t)log->lane.count; i-- > 0;) {
		const uint32_t id = log->device_of_lane[i];
		struct log_device *device;

		if (id == UINT32_MAX)
			continue;
		device = &log->device[id];
		if (lane_runs_have_any(log->runs, i)) {
			log->next_lane[i] = device->first;
			device->first = i;
			device->lanes++;
		}
		device->works |= lane_runs_have_work(log->runs, i);
		log->any_work |= device->works;
		device->is_sorted |=
			device->lanes > LANES_SIDE_BY_SIDE || !lane_runs_have_all(log->runs, i);
	}
}

/* A list of names may give the same device to many processes: too many values are not made. */
static bool is_too_much(const struct eventlog *log, size_t steps)
{
	const size_t kinds = SERIES_PARTS_END - SERIES_DEVICE_FIRST;

	return log->device_count > log->opt.limits.observations / kinds / (steps + 1);
}

bool log_has_parts(const struct eventlog *log)
{
	if (is_too_much(log, log->mark.count))
		return false;

	const struct step_stretch *stretch = log->stretch.data;

	for (size_t i = 0; i < log->mark.count; i++)
		if (slots_of(log)[i].start_ps >= slots_of(log)[i].end_ps)
			return false;
	for (size_t i = 0; i < log->stretch.count; i++)
		if (stretch[i].start_ps >= stretch[i].end_ps)
			return false;
	for (size_t i = 0; i < log->device_count; i++)
		if (log->device[i].works &&
			log->range[log->device[i].range].count == log->mark.count)
			return true;
	return false;
}

bool log_wants_work(const struct eventlog *log, uint32_t lane)
{
	const uint32_t device = log->device_of_lane[lane];

	return device != UINT32_MAX && log->device[device].is_sorted;
}

int log_add_work(struct eventlog *log, const struct lane_work *work, struct error *err)
{
	const struct work_record record = {
		.device = log->device_of_lane[work->lane],
		.start = key_of(work->start_ps),
		.end_ps = work->start_ps + work->dur_ps,
		.launch_ps = work->launch_ps,
		.what = (uint64_t)work->op << 1 | work->is_around,
		.launch_lane = work->launch_lane,
	};

	if (!log_wants_work(log, work->lane) || work->dur_ps == 0)
		return 0;
	if (!log->work)
		log->work = log_sorter(log, sizeof(record), 2);
	return spill_add(log->work, &record, err);
}

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

/* The step series of a device, 0 in all its windows. */
static void begin_device(struct measured *d)
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

/* Adds a record; of work that starts together the earliest launch counts, whatever the order. */
static void add_record(struct measured *d, const struct work_record *record)
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

/* After the last work of a device nothing was launched any more. */
static void end_device(struct measured *d)
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

	lane->pass = lane_pass_new(d->log->runs, id);
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

static int measure_lanes(struct measured *d, struct error *err)
{
	int result = begin_lanes(d, d->device, err);

	for (struct work_lane *lane = NULL; result == 0 && (lane = first_lane(d));) {
		add_record(d, &lane->work);
		result = next_work(lane, err);
	}
	end_device(d);
	for (size_t i = 0; i < d->lanes; i++)
		lane_pass_free(d->lane[i].pass);
	return result;
}

/* ---- devices ---- */

static int next_sorted(struct devices *d, struct error *err)
{
	const void *next;
	const int result = log_next_sorted(d->log->work, &next, err);

	d->sorted = next;
	return result;
}

static struct measured new_measured(struct devices *d, uint32_t device)
{
	if (!d->window || d->side_by_side)
		d->window = arena_array(d->arena, d->log->mark.count, sizeof(*d->window));
	return (struct measured){.log = d->log,
		.device = device,
		.work = d->work,
		.work_of_type = d->work_of_type,
		.window = d->window,
		.adding = d->side_by_side ? &d->adding : NULL};
}

static int measure_sorted(struct devices *d, uint32_t device, struct error *err)
{
	struct measured one;

	if (!d->sorted || d->sorted->device != device)
		return 0;
	one = new_measured(d, device);
	begin_device(&one);
	while (d->sorted && d->sorted->device == device) {
		add_record(&one, d->sorted);
		if (next_sorted(d, err))
			return -1;
	}
	end_device(&one);
	if (one.result)
		*err = one.err;
	return one.result;
}

static void *measure_next(void *object)
{
	struct devices *d = object;

	for (;;) {
		const size_t i = atomic_fetch_add(&d->next, 1);

		if (i >= d->count)
			return NULL;
		if (measure_lanes(&d->one[i], &d->one[i].err))
			d->one[i].result = -1;
	}
}

/* True if the devices can be measured at the same time: no two have the same series, of which the
 * last one's count. */
static bool are_apart(const struct eventlog *log)
{
	if (log->threads <= 1 || log->device_count > DEVICES_AT_ONCE ||
		log->device_count * log->mark.count > WINDOWS_AT_ONCE)
		return false;
	for (size_t i = 0; i < log->device_count; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(log->device[i].name, log->device[k].name) == 0)
				return false;
	return true;
}

/* Measures the devices whose series have begun. */
static int measure_begun(struct devices *d, struct error *err)
{
	const size_t threads = d->log->threads < d->count ? d->log->threads : d->count;

	d->next = 0;
	threads_run(threads, measure_next, d);
	for (size_t i = 0; i < d->count; i++)
		if (d->one[i].result) {
			*err = d->one[i].err;
			return -1;
		}
	d->count = 0;
	return 0;
}

static int measure(struct devices *d, struct error *err)
{
	const struct eventlog *log = d->log;

	if (next_sorted(d, err))
		return -1;
	d->side_by_side = are_apart(log);
	d->one = arena_array(d->arena, d->side_by_side ? log->device_count : 1, sizeof(*d->one));
	for (uint32_t i = 0; i < log->device_count; i++) {
		if (log->device[i].is_sorted) {
			if (measure_sorted(d, i, err))
				return -1;
		} else if (log->device[i].works) {
			d->one[d->count] = new_measured(d, i);
			begin_device(&d->one[d->count++]);
			if (!d->side_by_side && measure_begun(d, err))
				return -1;
		}
	}
	return measure_begun(d, err);
}

static uint8_t op_work(const struct op *op)
{
	const enum device_work work = device_work_of(op->name, op->type);

	/* Where rows are what sources say, one has work of several kinds. */
	return work == WORK_COMPUTE && !*op->type ? WORK_BY_TYPE : (uint8_t)work;
}

int log_measure_devices(struct eventlog *log, struct error *err)
{
	struct devices d = {.log = log};
	int result = 0;

	if (log->any_work && is_too_much(log, log->profile->step_count)) {
		log->tally[TALLY_DEVICES].count = log->device_count;
	} else if (log->any_work) {
		const struct profile *profile = log->profile;

		if (log->stretch.count)
			qsort(log->stretch.data, log->stretch.count, sizeof(struct step_stretch),
				compare_stretches);
		d.arena = arena_new();
		pthread_mutex_init(&d.adding, NULL);
		d.work = arena_array(d.arena, profile->op_count, sizeof(*d.work));
		for (size_t o = 0; o < profile->op_count; o++)
			d.work[o] = op_work(&profile->op[o]);
		d.work_of_type = arena_array(d.arena, UINT8_MAX + 1, sizeof(*d.work_of_type));
		d.work_of_type[0] = WORK_COMPUTE;
		for (size_t t = 0; t < intern_count(log->event_types); t++)
			d.work_of_type[t + 1] = (uint8_t)device_work_of(
				"", intern_name(log->event_types, (uint32_t)t));
		result = log_check_disk(log, err) || (log->work && spill_sort(log->work, err))
				 ? -1
				 : measure(&d, err);
		pthread_mutex_destroy(&d.adding);
		arena_free(d.arena);
	}
	spill_free(log->work);
	log->work = NULL;
	return result;
}
