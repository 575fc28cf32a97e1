/* Any Perfetto trace of TrackEvents that is of no producer with rules of its own. Slices are ops.
 * Work of a device is what its stages say (GpuRenderStageEvent) and what AMD's profilers draw as
 * tracks (rocprofv3, rocprof-sys: categories kernel_dispatch, memory_copy), which calls of the
 * runtime launch by a shared number (corr_id). */
#include <string.h>
#include "base/text.h"
#include "ingest/chrome/trace_pairs.h"
#include "ingest/perfetto/pftrace_scan.h"
#include "ingest/trace/host_words.h"

static const struct json_value type_kernel = {"kernel", 6, '"'},
			       type_copy = {"gpu_memcpy", 10, '"'};

struct pftrace_state {
	struct trace_beside beside;
};

static bool ends_in(const struct json_value *category, const char *end)
{
	const size_t size = strlen(end);

	return category->size >= size &&
	       memcmp(category->at + category->size - size, end, size) == 0;
}

/* The kind of work of a device; NULL: it is of the host. */
static const struct json_value *device_type(const struct trace_event *event)
{
	static const char *const stages[] = {"kernel", "gpu_memcpy", "gpu_memset", NULL};

	if (ends_in(&event->category, "kernel_dispatch"))
		return &type_kernel;
	if (ends_in(&event->category, "memory_copy"))
		return &type_copy;
	return json_is_one_of(&event->category, stages) ? &event->category : NULL;
}

static uint64_t correlation(const struct trace_event *event)
{
	static const char *const names[] = {"corr_id", "correlation"};
	struct json_value value[2];
	uint64_t id;

	trace_args(event, names, value, 2);
	for (size_t i = 0; i < 2; i++)
		if (json_unsigned(&value[i], &id))
			return id;
	return 0;
}

static void set_bytes(const struct trace_event *event, struct event *to)
{
	static const char *const names[] = {"copy_bytes", "bytes"};
	struct json_value value[2];

	trace_args(event, names, value, 2);
	for (size_t i = 0; i < 2; i++)
		if (json_integer(&value[i], &to->bytes) && to->bytes >= 0) {
			to->bytes_kind = BYTES_TRANSFERRED;
			return;
		}
	to->bytes = 0;
}

/* The last number of a text: "Agent-4", "COMPUTE AGENT [4] STREAM [1] (GPU)" has it in its first
 * brackets. */
static bool number_in(const struct json_value *text, struct json_value *number)
{
	size_t at = 0, end;

	while (at < text->size && (text->at[at] < '0' || text->at[at] > '9'))
		at++;
	for (end = at; end < text->size && text_is_digit(text->at[end]); end++)
		continue;
	*number = (struct json_value){text->at + at, end - at, '"'};
	return end > at;
}

static void name_device(struct trace *t, const struct trace_event *event, struct lane *lane)
{
	static const char *const names[] = {"device", "agent", "dst_agent"};
	struct json_value value[3], number = {0};
	struct text name;
	bool found = false;

	trace_args(event, names, value, 3);
	for (size_t i = 0; i < 3 && !found; i++)
		found = value[i].kind && number_in(&value[i], &number);
	if (!found && !number_in(&event->process, &number))
		number = (struct json_value){"0", 1, '"'};
	text_init(&name);
	text_add(&name, "gpu:");
	json_add_text(&name, &number);
	lane->device = eventlog_text(trace_log(t), text_string(&name), name.size);
	lane->accelerator = lane->flat = lane->serial = true;
	text_release(&name);
}

static int host_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	static const struct json_value nameless = {"[no name]", 9, '"'};
	const struct json_value *name = event->name.kind ? &event->name : &nameless;
	struct event extra = {
		.link = event->offset + 1}; /* of the same times the first is around */
	uint64_t id = ends_in(&event->category, "_api") ? correlation(event) : 0;

	if (id) {
		extra.link = id;
		extra.flags = EVENT_LAUNCHES;
		extra.label = host_launch_traits(name->at, name->size);
	}
	return trace_add(t, event, name, &event->category, &extra, err);
}

static int pftrace_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct pftrace_state *p = trace_state(t);
	const struct json_value *type;

	if (event->phase != 'X') {
		trace_beside_count(&p->beside, trace_beside_of(event->phase), event);
		return 0;
	}
	type = device_type(event);
	if (!type)
		return host_event(t, event, err);

	struct event extra = {.link = correlation(event)};
	struct lane *lane;
	uint32_t id;

	if (trace_lane(t, event, &id, err) != 0)
		return -1;
	lane = eventlog_lane_at(trace_log(t), id);
	if (!lane->accelerator)
		name_device(t, event, lane);
	extra.flags = extra.link ? EVENT_LAUNCHED : 0;
	set_bytes(event, &extra);
	return trace_add(t, event, NULL, type, &extra, err);
}

static int pftrace_end(struct trace *t, struct error *err)
{
	const struct pftrace_state *p = trace_state(t);
	struct eventlog *log = trace_log(t);
	bool any = false;

	(void)err;
	for (size_t i = 0; i < eventlog_lane_count(log); i++)
		any |= eventlog_lane_at(log, (uint32_t)i)->accelerator;
	for (size_t i = 0; any && i < eventlog_lane_count(log); i++) {
		struct lane *lane = eventlog_lane_at(log, (uint32_t)i);

		if (!lane->accelerator)
			lane->device = "cpu";
	}
	trace_beside_report(t, &p->beside);
	return 0;
}

static const struct trace_dialect pftrace_dialect = {
	.state_bytes = sizeof(struct pftrace_state),
	.event = pftrace_event,
	.end = pftrace_end,
	.device_option = "--kernel-trace",
	.file_is_step = true,
	.has_pids = true,
};

static int pftrace_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return trace_read(in, out, opt, &pftrace_dialect, err);
}

static int pftrace_probe(const struct probe *p)
{
	return pftrace_is_of(p, NULL) ? PFTRACE_SCORE - 10 : 0;
}

const struct reader reader_pftrace = {
	.name = "pftrace",
	.title = "Perfetto trace",
	.summary = "Perfetto trace of any program (TrackEvents, *.pftrace), also gzip",
	.suffixes = (const char *const[]){".pftrace", ".perfetto-trace", NULL},
	.probe = pftrace_probe,
	.read = pftrace_read,
	.dialect = &pftrace_dialect,
	.empty_hint = "ops are its slices: TrackEvents with a beginning and an end, or stages of a "
		      "device (GpuRenderStageEvent)",
};
