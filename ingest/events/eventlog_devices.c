/* The devices of a trace, and what of their time is measured by which thread: eventlog_measured.c
 * has one device. */
#include <stdlib.h>
#include <string.h>
#include "base/threads.h"
#include "ingest/events/eventlog_measured.h"

struct devices {
	struct eventlog *log;
	struct arena *arena;
	uint8_t *work, *work_of_type;
	const struct work_record *sorted; /* the next one of log->work; NULL: no more */
	struct measured *one;		  /* those that are read from their lanes */
	pthread_mutex_t adding;
	bool side_by_side;     /* several at a time */
	struct window *window; /* else: of the one */
	size_t count, parts;   /* of a device */
};

#define DEVICES_AT_ONCE 256
#define WINDOWS_AT_ONCE ((size_t)1 << 19) /* 12 MB, and 4 MB for each series of a device */

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

/* ---- measuring ---- */

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
	measured_begin(&one);
	while (d->sorted && d->sorted->device == device) {
		measured_add(&one, d->sorted);
		if (next_sorted(d, err))
			return -1;
	}
	measured_end(&one);
	if (one.result)
		*err = one.err;
	return one.result;
}

static void measure_next(void *object, size_t i, size_t thread)
{
	struct devices *d = object;

	(void)thread;
	if (measured_read_lanes(&d->one[i], &d->one[i].err))
		d->one[i].result = -1;
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

/* How many parts each device is measured in. */
static size_t parts_of(const struct devices *d)
{
	const struct eventlog *log = d->log;
	size_t devices = 0, parts;

	if (!d->side_by_side)
		return 1;
	for (uint32_t i = 0; i < log->device_count; i++)
		devices += log->device[i].works && !log->device[i].is_sorted;
	parts = devices ? (log->threads + devices - 1) / devices : 1;
	while (parts > 1 && devices * parts * log->mark.count > WINDOWS_AT_ONCE)
		parts--;
	return parts;
}

static bool has_longer(const struct eventlog *log, uint32_t device)
{
	uint32_t lane = log->device[device].first;

	for (uint32_t i = 0; i < log->device[device].lanes; i++) {
		if (lane_runs_have_longer(log->runs, lane))
			return true;
		lane = log->next_lane[lane];
	}
	return false;
}

/* Begins the series of a device, and its parts, which are as long as each other. */
static void begin_parts(struct devices *d, uint32_t device)
{
	struct measured *first = &d->one[d->count++];
	int64_t from_ps, each_ps;

	*first = new_measured(d, device);
	measured_begin(first);
	if (d->parts == 1 || !first->windows || has_longer(d->log, device))
		return;
	from_ps = first->now_ps;
	each_ps = (int64_t)(((uint64_t)first->last_ps - (uint64_t)from_ps) / d->parts);
	for (size_t i = 1; i < d->parts; i++) {
		struct measured *part = &d->one[d->count++];

		*part = *first;
		part->is_begun = false;
		part->until_ps = INT64_MAX;
		part[-1].until_ps = part->from_ps = from_ps += each_ps;
		for (enum step_series_kind k = SERIES_DEVICE_FIRST; k < SERIES_PARTS_END; k++)
			part->part[k] = arena_array(
				d->arena, d->log->profile->step_count, sizeof(*part->part[k]));
	}
}

/* Adds a part to the first one of its device; the series are those of both then. */
static void join_part(const struct measured *first, struct measured *part)
{
	for (enum step_series_kind k = SERIES_DEVICE_FIRST; k < SERIES_PARTS_END; k++) {
		for (size_t w = 0; w < first->windows; w++) {
			int64_t *const ps = &part->part[k][first->window[w].step];

			first->part[k][first->window[w].step] += *ps;
			*ps = 0;
		}
		part->part[k] = first->part[k];
	}
}

/* Joins the parts of each device, of which the last one that has begun goes on to the end. */
static void end_devices(struct devices *d)
{
	struct measured *first = d->one, *last = d->one;

	for (struct measured *part = d->one; part < d->one + d->count; part++) {
		if (part->from_ps == INT64_MIN) {
			first = last = part;
		} else if (part->is_begun) {
			join_part(first, part);
			if (part->launch_lane == LANE_UNKNOWN)
				part->launch_lane = last->launch_lane;
			last = part;
		}
		if (part + 1 == d->one + d->count || part[1].from_ps == INT64_MIN)
			measured_end(last);
	}
}

/* Measures the devices whose series have begun. */
static int measure_begun(struct devices *d, struct error *err)
{
	threads_each(d->log->threads, d->count, measure_next, d);
	end_devices(d);
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
	d->parts = parts_of(d);
	d->one = arena_array(
		d->arena, d->side_by_side ? log->device_count * d->parts : 1, sizeof(*d->one));
	for (uint32_t i = 0; i < log->device_count; i++) {
		if (log->device[i].is_sorted) {
			if (measure_sorted(d, i, err))
				return -1;
		} else if (log->device[i].works) {
			begin_parts(d, i);
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

		log_order_stretches(log);
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
