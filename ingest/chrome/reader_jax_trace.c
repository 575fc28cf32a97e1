/*
 * trace.json.gz as the profilers of JAX and TensorFlow 2 write it beside their XPlane file: its
 * lines as threads, its stats as args, all texts. It is a copy for viewers: lines of devices that
 * only sum up others are in it, and what is beyond 10^6 events is not.
 *
 * What is a device is said by names of processes (planes of xla/tsl/profiler/utils/xplane_schema.h)
 * and, where these say nothing, by what the lines hold. Their numbers say nothing: the host was 501
 * in 2023 and is 701 since.
 */
#include <string.h>
#include "base/text.h"
#include "base/vec.h"
#include "ingest/chrome/trace.h"
#include "ingest/perfetto/pftrace_scan.h"
#include "ingest/chrome/trace_wait.h"

#define EVENTS_MOST 1000000

static const struct json_value type_hlo = {"hlo", 3, '"'}, type_host = {"host", 4, '"'},
			       type_kernel = {"kernel", 6, '"'}, type_wait = {"wait", 4, '"'};

/* An annotation of a step on the host, or an event that is one when its line is named Steps. */
struct marked {
	uint32_t lane;
	bool on_device;
	int64_t number, start_ps, end_ps;
};

/* What is passed over; counted without a place, because the first in the file is not the first in
 * time. */
enum jax_passed { PASSED_PYTHON, PASSED_INSTANT, PASSED_END, PASSED_COUNT };

static const struct {
	const char *code, *text;
} passed_words[PASSED_COUNT] = {
	[PASSED_PYTHON] = {"jax-python",
		"frames of Python (python_tracer_level), left out of the ops"},
	[PASSED_INSTANT] = {"jax-instant", "points in time of the host, left out of the ops"},
	[PASSED_END] = {"jax-end",
		"ends of ops (\"end: OP\"), not ops themselves; their time is subtracted from "
		"the op"},
};

enum plane { PLANE_UNKNOWN, PLANE_HOST, PLANE_DEVICE };

struct jax {
	size_t passed[PASSED_COUNT];
	struct vec marked;	 /* of struct marked */
	struct vec plane;	 /* of uint8_t, enum plane of each process */
	struct trace_wait *wait; /* events of processes that have no name yet */
	uint64_t slices;
	bool is_ready;
};

static struct jax *state_of(struct trace *t)
{
	struct jax *j = trace_state(t);

	if (!j->is_ready) {
		vec_init(&j->marked, sizeof(struct marked), trace_read_options(t)->limits.steps,
			"steps");
		vec_init(&j->plane, sizeof(uint8_t), UINT32_MAX, "processes");
		j->wait = trace_wait_new();
		j->is_ready = true;
	}
	return j;
}

static bool begins(const struct json_value *name, const char *with)
{
	size_t size = strlen(with);

	return name->size >= size && memcmp(name->at, with, size) == 0;
}

static bool ends(const struct json_value *name, const char *with)
{
	size_t size = strlen(with);

	return name->size >= size && memcmp(name->at + name->size - size, with, size) == 0;
}

/* ---- processes ---- */

/* Traces of several hosts in one file name each process by its host: "node7 /device:TPU:0". */
static void read_host(struct profile *p, const char *process)
{
	const char *plane = strstr(process, "/device:");

	if (!plane)
		plane = strstr(process, "/host:");
	if (plane > process + 1 && plane[-1] == ' ')
		facts_add(&p->facts, p->arena, FACT_HOST, process, (size_t)(plane - process) - 1);
}

/* The profiler's own folders, one for a recording of all hosts:
 * .../plugins/profile/DATE/HOST.trace.json.gz. */
static void read_host_of_path(struct profile *p)
{
	static const char *const above[] = {"profile", "plugins"};
	const char *name = text_base_name(p->path), *ending = strstr(name, ".trace.json");
	size_t end = (size_t)(name - p->path);

	if (!ending || ending == name || end == 0)
		return;
	for (size_t i = 0; i <= sizeof(above) / sizeof(above[0]); i++) {
		size_t start;

		if (end == 0)
			return;
		for (start = --end; start > 0 && p->path[start - 1] != '/'; start--)
			continue;
		if (i > 0 && (end - start != strlen(above[i - 1]) ||
				     memcmp(p->path + start, above[i - 1], end - start) != 0))
			return;
		end = start;
	}
	if (!p->facts.host)
		facts_set(&p->facts, p->arena, FACT_HOST, name, (size_t)(ending - name));
	p->host_is_rank = p->facts.host != NULL;
}

static enum plane plane_of_name(const char *name)
{
	const char *device = strstr(name, "/device:");

	if (device && !text_starts(device, "/device:CPU:"))
		return PLANE_DEVICE;
	if (device || strstr(name, "/host:"))
		return PLANE_HOST;
	return text_starts(name, "#Chip") ? PLANE_DEVICE : PLANE_UNKNOWN;
}

/* UNKNOWN while its name is not there, or says nothing. */
static enum plane plane_of(struct trace *t, uint32_t process, struct error *err)
{
	struct jax *j = state_of(t);
	uint8_t *plane;

	while (j->plane.count <= process) {
		plane = vec_push(&j->plane, err);
		if (!plane)
			return PLANE_UNKNOWN;
		*plane = PLANE_UNKNOWN;
	}
	plane = vec_at(&j->plane, process);
	if (*plane == PLANE_UNKNOWN)
		*plane = (uint8_t)plane_of_name(eventlog_process_name(trace_log(t), process));
	return (enum plane) * plane;
}

/* Lines that only devices have. */
static bool is_device_line(const char *name)
{
	static const char *const lines[] = {"XLA Ops", "XLA Modules", "Steps"};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (text_equal(name, lines[i]))
			return true;
	return text_starts(name, "Stream #");
}

/* At the end, all names known: what is left is of the host unless its lines say otherwise. */
static int resolve_planes(struct trace *t, struct error *err)
{
	struct jax *j = state_of(t);
	struct eventlog *log = trace_log(t);

	for (uint32_t p = 0; p < eventlog_process_count(log); p++) {
		if (plane_of(t, p, err) == PLANE_UNKNOWN && j->plane.count <= p)
			return -1;
		read_host(trace_profile(t), eventlog_process_name(log, p));
	}
	read_host_of_path(trace_profile(t));
	for (size_t i = 0; i < eventlog_lane_count(log); i++) {
		const struct lane *lane = eventlog_lane_at(log, (uint32_t)i);
		uint8_t *plane = vec_at(&j->plane, lane->process);

		if (*plane == PLANE_UNKNOWN && is_device_line(lane->name))
			*plane = PLANE_DEVICE;
	}
	for (uint32_t p = 0; p < eventlog_process_count(log); p++) {
		uint8_t *plane = vec_at(&j->plane, p);

		if (*plane == PLANE_UNKNOWN)
			*plane = PLANE_HOST;
	}
	return 0;
}

/* ---- steps ---- */

static int store_step(struct trace *t, const struct trace_event *event, bool on_device,
	int64_t number, struct error *err)
{
	struct marked *m, here = {.on_device = on_device, .number = number};

	if (!trace_start(t, event, &here.start_ps))
		return 0;
	if (trace_lane(t, event, &here.lane, err) != 0)
		return -1;
	here.end_ps = here.start_ps + trace_duration(t, event);
	m = vec_push(&state_of(t)->marked, err);
	if (!m)
		return error_hint(err, "allow more with --max-steps");
	*m = here;
	return 0;
}

/* Is it a number in digits, as events of the line Steps have for a name? */
static bool is_number(const struct json_value *name, int64_t *number)
{
	for (size_t i = 0; i < name->size; i++)
		if (name->at[i] < '0' || name->at[i] > '9')
			return false;
	return name->size > 0 && json_integer(name, number);
}

/* ---- events ---- */

/* The writer makes durations of 0 to 1 ps. */
static struct trace_event as_recorded(const struct trace_event *event)
{
	struct trace_event e = *event;

	if (e.duration.us == 0 && e.duration.ps == 1)
		e.duration.ps = 0;
	return e;
}

static uint64_t correlation(const struct trace_event *event)
{
	struct json_value value = trace_arg(event, "correlation_id");
	uint64_t id;

	return json_unsigned(&value, &id) ? id : 0;
}

/* Ops of TensorFlow are named name:Type. */
static bool tensorflow_type(const struct json_value *name, struct json_value *type)
{
	size_t i = name->size;

	while (i > 0 && name->at[i - 1] != ':')
		i--;
	if (i < 2 || i == name->size || name->at[i - 2] == ':' ||
		!((name->at[i] >= 'A' && name->at[i] <= 'Z') || name->at[i] == '_'))
		return false;
	*type = (struct json_value){name->at + i, name->size - i, '"'};
	return true;
}

/* Lines that hold the time of others once more, summed up by module, scope or source, and
 * asynchronous ops, which run beside. */
static bool is_derived(struct trace *t, const struct lane *lane)
{
	static const char *const derived[] = {"Steps", "XLA Modules", "XLA TraceMe", "XLA Overhead",
		"Async XLA Ops", "Framework", "TensorFlow", "Source", "Launch Stats", "Overlay"};
	const char *process = eventlog_process_name(trace_log(t), lane->process),
		   *device = strstr(process, "/device:");

	process = device ? device : process;
	if (!lane->name[0] || (lane->name[0] >= '0' && lane->name[0] <= '9'))
		return false; /* its name is not known, or not yet */
	if (text_starts(process, "/device:GPU:"))
		return !text_starts(lane->name, "Stream #");
	if (text_starts(process, "/device:TPU:"))
		return strcmp(lane->name, "XLA Ops") != 0 &&
		       strcmp(lane->name, "Sparse Core Ops") != 0;
	for (size_t i = 0; i < sizeof(derived) / sizeof(derived[0]); i++)
		if (text_starts(lane->name, derived[i]))
			return true;
	return false;
}

static int device_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct json_value op = trace_arg(event, "hlo_op"), type = trace_arg(event, "hlo_category");
	struct event extra = {.link = correlation(event)};
	bool is_hlo = op.kind == '"' && op.size > 0;
	int64_t number;
	uint32_t lane;

	if (!trace_has_marker(t) && is_number(&event->name, &number))
		return store_step(t, event, true, number, err);
	if (trace_lane(t, event, &lane, err) != 0)
		return -1;
	if (is_derived(t, eventlog_lane_at(trace_log(t), lane)))
		/* its name is none of an op; where names come later, classify_lanes says so */
		return 0;
	extra.flags = extra.link ? EVENT_LAUNCHED : 0;
	/* Calls of computations are joined by "::", the op itself comes last. */
	for (size_t i = op.size; is_hlo && i >= 2; i--)
		if (op.at[i - 1] == ':' && op.at[i - 2] == ':') {
			op.at += i;
			op.size -= i;
			break;
		}
	if (type.kind != '"' || type.size == 0)
		type = is_hlo ? type_hlo : type_kernel;
	return trace_add(t, event, is_hlo ? &op : NULL, &type, &extra, err);
}

/* Time in which a thread of the runtime does nothing. */
static bool is_wait(const struct json_value *name)
{
	return ends(name, "(wait for completion)") || ends(name, "::Await") ||
	       begins(name, "Wait for ");
}

static int host_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct jax *j = state_of(t);
	struct json_value step = trace_arg(event, "step_num"),
			  type = is_wait(&event->name) ? type_wait : type_host;
	struct event extra = {.link = correlation(event)};
	bool is_hlo = trace_arg(event, "hlo_op").kind != 0;
	int64_t number;

	if (!trace_has_marker(t) && json_integer(&step, &number))
		return store_step(t, event, false, number, err);
	if (begins(&event->name, "$")) {
		j->passed[PASSED_PYTHON]++;
		return 0;
	}
	if (!is_hlo && event->duration.known && event->duration.us == 0 &&
		event->duration.ps == 0) {
		j->passed[PASSED_INSTANT]++;
		return 0;
	}
	extra.flags = extra.link ? EVENT_LAUNCHES : 0;
	if (!is_hlo && begins(&event->name, "end: ")) {
		/* What the runtime does after an op, within its event. */
		j->passed[PASSED_END]++;
		extra.kind = EVENT_SILENT;
		return trace_add(t, event, NULL, NULL, &extra, err);
	}
	if (is_hlo)
		type = type_hlo;
	else
		tensorflow_type(&event->name, &type);
	return trace_add(t, event, NULL, &type, &extra, err);
}

/* A slice whose process may be known by now; at the end it is. */
static int add_slice(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct trace_event e = as_recorded(event);
	enum plane plane;
	uint32_t lane;

	if (trace_lane(t, event, &lane, err) != 0)
		return -1;
	plane = plane_of(t, eventlog_lane_at(trace_log(t), lane)->process, err);
	if (plane == PLANE_UNKNOWN && trace_wait_add(state_of(t)->wait, event, trace_is_part(t)))
		return 0;
	if (plane == PLANE_UNKNOWN)
		trace_report_issue(t, ISSUE_LOSS, "jax-process",
			"events whose process has no name yet when 64 MiB of such events are "
			"held, counted for the host",
			event);
	return plane == PLANE_DEVICE ? device_event(t, &e, err) : host_event(t, &e, err);
}

static int jax_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	bool numbered;
	int64_t number;
	int marker;

	if (event->phase != 'X')
		return 0;
	state_of(t)->slices++;
	marker = trace_is_marker(t, &event->name, &numbered, &number, err);
	if (marker < 0)
		return -1;
	if (marker > 0)
		return trace_mark(t, event, numbered, number, err);
	return add_slice(t, event, err);
}

/* ---- the end ---- */

/* "/device:TPU:0" gives tpu:0. */
static const char *device_of(struct trace *t, const char *process)
{
	struct text device;
	const char *result;

	text_init(&device);
	process = strstr(process, "/device:");
	text_add(&device, process ? process + 8 : "device");
	for (size_t i = 0; i < device.size; i++)
		if (device.data[i] >= 'A' && device.data[i] <= 'Z')
			device.data[i] |= 0x20;
	result = eventlog_text(trace_log(t), text_string(&device), device.size);
	text_release(&device);
	return result;
}

static void classify_lanes(struct trace *t)
{
	struct eventlog *log = trace_log(t);

	for (size_t i = 0; i < eventlog_lane_count(log); i++) {
		struct lane *lane = eventlog_lane_at(log, (uint32_t)i);

		lane->device = "cpu";
		if (*(const uint8_t *)vec_at(&state_of(t)->plane, lane->process) != PLANE_DEVICE)
			continue;
		lane->accelerator = true;
		lane->device = device_of(t, eventlog_process_name(log, lane->process));
		lane->skip = is_derived(t, lane);
	}
}

static bool is_device_step(struct trace *t, const struct marked *m)
{
	return m->on_device && strcmp(eventlog_lane_at(trace_log(t), m->lane)->name, "Steps") == 0;
}

/* Of several devices, which step together, the first one says when. */
static uint32_t stepping_process(struct trace *t)
{
	struct jax *j = state_of(t);
	struct eventlog *log = trace_log(t);
	uint32_t found = UINT32_MAX;

	for (size_t i = 0; i < j->marked.count; i++) {
		const struct marked *m = vec_at(&j->marked, i);
		uint32_t process = eventlog_lane_at(log, m->lane)->process;

		if (is_device_step(t, m) &&
			(found == UINT32_MAX ||
				text_compare_natural(eventlog_process_key(log, process),
					eventlog_process_key(log, found)) < 0))
			found = process;
	}
	return found;
}

static int mark_steps(struct trace *t, struct error *err)
{
	struct jax *j = state_of(t);
	uint32_t device = stepping_process(t);

	for (size_t i = 0; i < j->marked.count; i++) {
		const struct marked *m = vec_at(&j->marked, i);
		const struct step_mark mark = {.process = EVENTLOG_ANY,
			.numbered = true,
			.number = m->number,
			.start_ps = m->start_ps,
			.end_ps = m->end_ps};
		bool counts = device == UINT32_MAX
				      ? !m->on_device
				      : is_device_step(t, m) &&
						eventlog_lane_at(trace_log(t), m->lane)->process ==
							device;

		if (counts && eventlog_mark(trace_log(t), &mark, err) != 0)
			return -1;
	}
	return 0;
}

static int jax_end(struct trace *t, struct error *err)
{
	struct jax *j = state_of(t);
	struct issue_list *issues = &trace_profile(t)->issues;

	if (resolve_planes(t, err) != 0 || trace_wait_end(j->wait, t, add_slice, err) != 0)
		return -1;
	classify_lanes(t);
	for (size_t i = 0; i < PASSED_COUNT; i++)
		issue_add(issues, ISSUE_INFO, passed_words[i].code, passed_words[i].text,
			j->passed[i], trace_profile(t)->path);
	if (mark_steps(t, err) != 0)
		return -1;
	if (j->slices == EVENTS_MOST)
		trace_report_cap(t, eventlog_mark_count(trace_log(t)));
	if (eventlog_mark_count(trace_log(t)) == 0 && j->slices > 0)
		issue_add(issues, ISSUE_LOSS, "jax-no-step",
			"the trace has no steps (StepTraceAnnotation): all of it is one; "
			"--step-marker names what marks a step",
			1, trace_profile(t)->path);
	return 0;
}

static void jax_release(struct trace *t)
{
	struct jax *j = state_of(t);

	vec_release(&j->marked);
	vec_release(&j->plane);
	trace_wait_free(j->wait);
}

static const struct trace_dialect jax_dialect = {
	.state_bytes = sizeof(struct jax),
	.event = jax_event,
	.end = jax_end,
	.release = jax_release,
};

static int jax_trace_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return trace_read(in, out, opt, &jax_dialect, err);
}

static int jax_trace_probe(const struct probe *p)
{
	static const char *const planes[] = {
		"\"/host:CPU\"", "\"/device:TPU:", "\"/device:GPU:", "\"/device:CUSTOM:", NULL};

	if (pftrace_is_of(p, "jax-trace"))
		return PFTRACE_SCORE;
	if (!probe_begins(p, "{") || !probe_has(p, "\"traceEvents\""))
		return 0;
	if (probe_begins(p, "{\"displayTimeUnit\":\"ns\",\"metadata\":{\"highres-ticks\":true}"))
		return 90;
	for (size_t i = 0; planes[i]; i++)
		if (probe_has(p, planes[i]))
			return 85;
	return 0;
}

const struct reader reader_jax_trace = {
	.name = "jax-trace",
	.title = "JAX or TensorFlow 2 trace",
	.summary = "trace of JAX's profiler or TensorFlow 2's (*.trace.json.gz)",
	.suffixes = (const char *const[]){".trace.json", ".trace.json.gz", ".json", NULL},
	.probe = jax_trace_probe,
	.read = jax_trace_read,
	.empty_hint =
		"nothing ran while the profiler recorded: call the steps inside of `with "
		"jax.profiler.trace(...):` "
		"(tf.profiler.experimental.Profile) and wait for the last (jax.block_until_ready)",
	.dialect = &jax_dialect,
};
