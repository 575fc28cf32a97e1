/*
 * Timelines of TensorFlow: of timeline.py (ProfilerHook) and of tfprof's -output timeline. A file is a step. Its rows are no
 * threads: the writers put each execution into the first row that is free, so nothing nests.
 *
 * Which rows count, and as what, are tfprof's rules for the same devices (model/step_stats.h): /job:.../gpu:0 is scheduling on the
 * CPU, /gpu:0/stream:all what the device did; /gpu:0/stream:7 and /gpu:0/memcpy repeat what stream:all has.
 */
#include <string.h>
#include "ingest/trace.h"
#include "model/step_stats.h"

#define COMPUTE " Compute"

static int timeline_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct json_value node, type;

	if (event->phase != 'X')
		return 0; /* flows between ops, lives of tensors, counters of allocators */
	node = trace_arg(event, "name");
	type = trace_arg(event, "op");
	return trace_add(t, event, node.kind == '"' ? &node : NULL, type.kind == '"' ? &type : NULL, NULL, err);
}

/* What the process is: "DEVICE Compute" of timeline.py, "Op scheduling threads: DEVICE" of tfprof. */
static const char *device_of(const char *process, struct text *device)
{
	static const char *const before[] = {"Op execution threads: ", "Op scheduling threads: "};
	size_t size = strlen(process), tail = strlen(COMPUTE);

	text_clear(device);
	if (size > tail && strcmp(process + size - tail, COMPUTE) == 0)
		text_add_bytes(device, process, size - tail);
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		if (strncmp(process, before[i], strlen(before[i])) == 0)
			text_add(device, process + strlen(before[i]));
	for (size_t i = 0; i < device->size; i++)
		if (device->data[i] >= 'A' && device->data[i] <= 'Z')
			device->data[i] |= 0x20;
	return text_string(device);
}

static void judge_lane(struct trace *t, struct lane *lane, struct text *scratch)
{
	const char *process = eventlog_process_name(trace_log(t), lane->process);
	const char *device = device_of(process, scratch);
	bool whole = device_is_accelerator_time(device);

	lane->flat = true;
	if (!device[0])
		return;
	lane->accelerator = whole;
	/* Rows of single streams and of copies are in stream:all once more. */
	lane->skip = !whole && !device_is_canonical(device);
	lane->device = eventlog_text(trace_log(t), device, strlen(device));
}

static int timeline_end(struct trace *t, struct error *err)
{
	struct text scratch;

	(void)err;
	text_init(&scratch);
	for (size_t i = 0; i < eventlog_lane_count(trace_log(t)); i++)
		judge_lane(t, eventlog_lane_at(trace_log(t), (uint32_t)i), &scratch);
	text_release(&scratch);
	return 0;
}

static const struct trace_dialect timeline_dialect = {
	.event = timeline_event,
	.end = timeline_end,
	.file_is_step = true,
};

static int timeline_read(struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return trace_read(in, out, opt, &timeline_dialect, err);
}

static int timeline_probe(const struct probe *p)
{
	if (!probe_is_json(p) || !probe_has(p, "\"traceEvents\"") || !probe_has(p, "\"process_name\""))
		return 0;
	return probe_has(p, COMPUTE "\"") || probe_has(p, " Tensors\"") || probe_has(p, "\"Op execution threads: ") ||
			       probe_has(p, "\"Op scheduling threads: ")
		       ? 90
		       : 0;
}

const struct reader reader_timeline = {
	.name = "timeline",
	.title = "TensorFlow timeline",
	.summary = "TensorFlow timeline of one step (timeline.py, ProfilerHook, tfprof -output timeline)",
	.suffixes = (const char *const[]){".json", NULL},
	.probe = timeline_probe,
	.read = timeline_read,
};
