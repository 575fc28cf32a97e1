/*
 * Names of processes: "DEVICE Compute" of timeline.py, "Op scheduling threads: DEVICE" of tfprof,
 * "LABEL: DEVICE Compute" of `stepstat timeline generate`. Devices are
 * /job:localhost/replica:0/task:0/device:GPU:0 (the host's side), /device:GPU:0/stream:all,
 * /device:GPU:0/stream:14, /device:GPU:0/memcpy; old ones without "device:".
 */
#include "tfprof/files/timeline_device.h"

#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "tfprof/graph/host_trace.h"
#include "tfprof/graph/step_stats.h"

#define COMPUTE " Compute"
#define EXECUTION "Op execution threads: "
#define SCHEDULING "Op scheduling threads: "

/* The last ": " of a process of timeline.py; the device follows. NULL: no label. */
static const char *after_label(const char *process)
{
	const char *found = NULL;

	for (const char *at = strstr(process, ": /"); at; at = strstr(at + 1, ": /"))
		found = at + 2;
	return found;
}

bool timeline_label(const char *process, struct text *label)
{
	const char *device = after_label(process);

	text_clear(label);
	if (!device || !text_ends(process, COMPUTE))
		return false;
	text_add_bytes(label, process, (size_t)(device - process) - 2);
	return true;
}

enum timeline_row timeline_device(const char *process, struct text *device)
{
	const char *name;

	text_clear(device);
	if (text_starts(process, EXECUTION))
		text_add(device, process + strlen(EXECUTION));
	else if (text_starts(process, SCHEDULING))
		text_add(device, process + strlen(SCHEDULING));
	else if (text_ends(process, COMPUTE)) {
		name = after_label(process);
		name = name ? name : process;
		text_add_bytes(device, name, strlen(name) - strlen(COMPUTE));
	} else if (device_is_host_trace(process, strlen(process))) {
		text_add(device, process);
	}
	for (size_t i = 0; i < device->size; i++)
		if (device->data[i] >= 'A' && device->data[i] <= 'Z')
			device->data[i] |= 0x20;
	name = text_string(device);
	if (!*name)
		return ROW_UNNAMED;
	if (device_is_host_trace(name, device->size))
		return ROW_TRACER;
	if (device_is_accelerator_time(name))
		return ROW_WHOLE;
	if (device_is_canonical(name))
		return ROW_HOST;
	if (strstr(name, "/stream:"))
		return ROW_STREAM;
	return strstr(name, "/memcpy") ? ROW_COPY : ROW_OTHER;
}

/* Device with rows beside the host's, to which streams and copies belong. */
struct row_part {
	bool whole, stream;
	const char *host; /* canonical device, when there is one of this name only */
	bool several;
};

struct row_parts {
	struct intern *names; /* without "device:", before /stream: or /memcpy: "gpu:0" */
	struct vec part;
};

/* The last part of the name of a device: "gpu:0". */
static const char *short_name(const char *device)
{
	const char *last = strrchr(device, '/');

	last = last ? last + 1 : device;
	return text_starts(last, "device:") ? last + 7 : last;
}

/* Cuts "/stream:all" off, leaving the device itself. */
static void cut_row(struct text *device)
{
	const char *name = text_string(device), *row = strstr(name, "/stream:");

	row = row ? row : strstr(name, "/memcpy");
	if (!row)
		return;
	device->size = (size_t)(row - name);
	device->data[device->size] = '\0';
}

static struct row_part *part_of(struct row_parts *parts, const char *device)
{
	const char *name = short_name(device);
	uint32_t id = intern_id(parts->names, name, strlen(name));

	if (id == parts->part.count)
		vec_push(&parts->part, NULL);
	return vec_at(&parts->part, id);
}

static void note_row(
	struct row_parts *parts, struct eventlog *log, enum timeline_row row, struct text *device)
{
	const char *host;
	struct row_part *part;

	if (row == ROW_UNNAMED || row == ROW_TRACER || row == ROW_OTHER)
		return;
	if (row != ROW_HOST)
		cut_row(device);
	part = part_of(parts, text_string(device));
	part->whole |= row == ROW_WHOLE;
	part->stream |= row == ROW_STREAM;
	if (row != ROW_HOST)
		return;
	host = eventlog_text(log, text_string(device), device->size);
	part->several |= part->host && part->host != host;
	part->host = host;
}

/* Ops of streams show the device of the session that they belong to. */
static void classify_lane(struct row_parts *parts, struct eventlog *log, struct lane *lane,
	enum timeline_row row, struct text *device)
{
	struct row_part *part;

	lane->flat = true;
	lane->skip = row == ROW_OTHER;
	if (row == ROW_UNNAMED)
		return;
	lane->device = eventlog_text(log, text_string(device), device->size);
	if (row == ROW_HOST || row == ROW_TRACER || row == ROW_OTHER)
		return;
	cut_row(device);
	part = part_of(parts, text_string(device));
	lane->accelerator = true;
	lane->uncounted = true; /* run_count of tfprof: how often the CPU scheduled it */
	lane->skip = (row != ROW_WHOLE && part->whole) || (row == ROW_COPY && part->stream);
	if (part->host && !part->several)
		lane->device = part->host;
}

void timeline_devices(struct trace *t, const uint64_t *events, size_t count,
	uint64_t skipped[ROW_KINDS], uint64_t counted[ROW_KINDS])
{
	struct eventlog *log = trace_log(t);
	struct arena *arena = arena_new();
	struct row_parts parts = {.names = intern_new(arena)};
	struct text device;

	text_init(&device);
	vec_init(&parts.part, sizeof(struct row_part), SIZE_MAX, "devices");
	for (size_t i = 0; i < eventlog_lane_count(log); i++) {
		const char *process =
			eventlog_process_name(log, eventlog_lane_at(log, (uint32_t)i)->process);

		note_row(&parts, log, timeline_device(process, &device), &device);
	}
	for (size_t i = 0; i < eventlog_lane_count(log); i++) {
		struct lane *lane = eventlog_lane_at(log, (uint32_t)i);
		enum timeline_row row =
			timeline_device(eventlog_process_name(log, lane->process), &device);

		classify_lane(&parts, log, lane, row, &device);
		if (i < count)
			(lane->skip ? skipped : counted)[row] += events[i];
	}
	vec_release(&parts.part);
	text_release(&device);
	arena_free(arena);
}
