/* trace.json.gz as the profilers of JAX and TensorFlow 2 write it beside their XPlane file: its
 * lines as threads, its stats as args, all texts. It is a copy for viewers: lines of devices that
 * only sum up others are in it, and what is beyond 10^6 events is not. What names mean is in
 * ingest/trace/xla_rules.h. */
#include "ingest/chrome/trace.h"
#include "ingest/perfetto/pftrace_scan.h"
#include "ingest/chrome/trace_wait.h"
#include "ingest/trace/host_words.h"
#include "ingest/trace/xla_log.h"
#include "ingest/trace/xla_words.h"

#define EVENTS_MOST 1000000

struct jax {
	struct xla_log *xla;
	struct trace_wait *wait; /* events of processes that have no name yet */
	uint64_t slices;
};

static struct jax *state_of(struct trace *t)
{
	struct jax *j = trace_state(t);

	if (!j->xla) {
		j->xla =
			xla_log_new(trace_log(t), trace_profile(t), &trace_read_options(t)->limits);
		j->wait = trace_wait_new();
	}
	return j;
}

static struct xla_text text_of(const struct json_value *value)
{
	return (struct xla_text){value->at, value->size};
}

static struct json_value string_of(struct xla_text text)
{
	return (struct json_value){text.at, text.size, '"'};
}

/* ---- steps ---- */

/* 0: it has no time that can be read. */
static int place_mark(
	struct trace *t, const struct trace_event *event, struct xla_mark *mark, struct error *err)
{
	if (!trace_start(t, event, &mark->start_ps))
		return 0;
	if (trace_lane(t, event, &mark->lane, err) != 0)
		return -1;
	mark->end_ps = mark->start_ps + trace_duration(t, event);
	return 1;
}

/* ---- events ---- */

static uint64_t correlation(const struct trace_event *event)
{
	struct json_value value = trace_arg(event, "correlation_id");
	uint64_t id;

	return json_unsigned(&value, &id) ? id : 0;
}

/* True if rows are made of args. */
static bool has_words(const struct trace *t)
{
	struct eventlog_options ignored = {0};

	return trace_requests_take_words(trace_read_options(t), &ignored, xla_row_words);
}

static int device_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct xla_log *xla = state_of(t)->xla;
	struct json_value op = trace_arg(event, "hlo_op"), type = trace_arg(event, "hlo_category");
	struct event extra = {.link = correlation(event)};
	const bool is_hlo = op.kind == '"' && op.size > 0;
	struct json_value step = trace_arg(event, "step_name");
	struct xla_mark mark = {0};
	const struct lane *lane;

	if (!trace_has_marker(t) && xla_is_step_name(text_of(&event->name), &mark.number)) {
		int placed = place_mark(t, event, &mark, err);

		if (step.kind == '"')
			mark.kind = trace_kind(t, &step);
		return placed <= 0 ? placed : xla_log_device_step(xla, &mark, err);
	}
	if (trace_lane(t, event, &mark.lane, err) != 0)
		return -1;
	lane = eventlog_lane_at(trace_log(t), mark.lane);
	if (!trace_has_marker(t) && xla_is_modules_line(lane->name)) {
		int placed = place_mark(t, event, &mark, err);

		if (placed > 0)
			xla_log_module(xla, &mark, text_of(&event->name));
		return placed < 0 ? -1 : 0;
	}
	if (xla_is_derived(eventlog_process_name(trace_log(t), lane->process), lane->name))
		/* its name is none of an op; where names come later, xla_log_end says so */
		return 0;
	extra.flags = extra.link ? EVENT_LAUNCHED : 0;
	if (is_hlo)
		op = string_of(xla_last_op(text_of(&op)));
	if (type.kind != '"' || type.size == 0)
		type = string_of(xla_device_type(text_of(&event->name), is_hlo));
	if (has_words(t))
		type = string_of(
			xla_word_type(text_of(is_hlo ? &op : &event->name), text_of(&type)));
	return trace_add(t, event, is_hlo ? &op : NULL, &type, &extra, err);
}

static int host_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct xla_log *xla = state_of(t)->xla;
	const struct json_value step = trace_arg(event, "step_num");
	const struct xla_text name = text_of(&event->name);
	const enum xla_host_event what = xla_host_event_of(name);
	struct event extra = {.link = correlation(event)};
	/* Else it launches the op. */
	const bool is_hlo = trace_arg(event, "hlo_op").kind != 0 && !extra.link;
	struct json_value type;
	struct xla_mark mark;

	if (!trace_has_marker(t) && json_integer(&step, &mark.number)) {
		int placed = place_mark(t, event, &mark, err);

		type = trace_arg(event, "graph_type");
		mark.kind = trace_kind(t, type.kind == '"' && type.size ? &type : &event->name);

		return placed <= 0 ? placed : xla_log_host_step(xla, &mark, err);
	}
	if (what == XLA_HOST_FRAME) {
		xla_log_pass(xla, XLA_PASSED_FRAME, 1);
		return 0;
	}
	if (!is_hlo && event->duration.known && event->duration.us == 0 &&
		event->duration.ps == 0) {
		xla_log_pass(xla, XLA_PASSED_INSTANT, 1);
		return 0;
	}
	extra.flags = extra.link ? EVENT_LAUNCHES : 0;
	extra.label = extra.link ? host_launch_traits(name.at, name.size) : 0;
	if (!is_hlo && (what == XLA_HOST_END || what == XLA_HOST_WAIT)) {
		xla_log_pass(xla, what == XLA_HOST_END ? XLA_PASSED_END : XLA_PASSED_WAIT, 1);
		extra.kind = EVENT_SILENT;
		return trace_add(t, event, NULL, NULL, &extra, err);
	}
	type = string_of(
		xla_host_type(name, is_hlo && !(has_words(t) && xla_log_has_devices(xla))));
	if (trace_read_options(t)->trace.rows == TRACE_ROWS_LAUNCHERS && !extra.link &&
		xla_name_launches(name)) {
		extra.flags |= EVENT_LABELLED;
		extra.label = EVENT_OWN_LABEL;
	}
	if (has_words(t) && xla_log_has_devices(xla)) {
		struct text recorded;

		text_init(&recorded);
		json_add_text(&recorded, &event->name);
		extra.bytes_kind = BYTES_NAME;
		extra.bytes = eventlog_context(trace_log(t), text_string(&recorded), recorded.size);
		text_release(&recorded);
	}
	return trace_add(t, event, NULL, &type, &extra, err);
}

/* A slice whose process may be known by now; at the end it is. */
static int add_slice(struct trace *t, const struct trace_event *event, struct error *err)
{
	enum xla_plane plane;
	uint32_t lane;

	/* The writer makes durations of 0 to 1 ps. */
	struct trace_event e = *event;

	if (e.duration.us == 0 && e.duration.ps == 1)
		e.duration.ps = 0;

	if (trace_lane(t, event, &lane, err) != 0)
		return -1;
	plane = xla_log_plane(state_of(t)->xla, eventlog_lane_at(trace_log(t), lane)->process, err);
	if (plane == XLA_PLANE_UNKNOWN &&
		trace_wait_add(state_of(t)->wait, event, trace_is_part(t)))
		return 0;
	if (plane == XLA_PLANE_UNKNOWN)
		trace_report_issue(t, ISSUE_LOSS, "jax-process",
			"events whose process has no name yet when 64 MiB of such events are held, "
			"counted for the host",
			event);
	return plane == XLA_PLANE_DEVICE ? device_event(t, &e, err) : host_event(t, &e, err);
}

static int jax_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct marker_name name;
	int marker;

	if (event->phase != 'X')
		return 0;
	state_of(t)->slices++;
	marker = trace_is_marker(t, &event->name, &name, err);
	if (marker < 0)
		return -1;
	if (marker > 0)
		return trace_mark(t, event, &name, err);
	return add_slice(t, event, err);
}

/* ---- the end ---- */

static int jax_end(struct trace *t, struct error *err)
{
	struct jax *j = state_of(t);

	if (xla_log_resolve(j->xla, ".trace.json", err) != 0 ||
		trace_wait_end(j->wait, t, add_slice, err) != 0 || xla_log_end(j->xla, err) != 0)
		return -1;
	if (j->slices == EVENTS_MOST)
		trace_report_cap(t, eventlog_mark_count(trace_log(t)));
	if (j->slices > 0)
		xla_log_report_no_step(j->xla);
	return 0;
}

static void jax_release(struct trace *t)
{
	struct jax *j = state_of(t);

	xla_log_free(j->xla);
	trace_wait_free(j->wait);
}

static const struct trace_dialect jax_dialect = {
	.state_bytes = sizeof(struct jax),
	.event = jax_event,
	.end = jax_end,
	.release = jax_release,
	.device_option = "device_tracer_level=1",
	.without_arrows = true,
	.words = xla_row_words,
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
	.empty_hint = "nothing ran while the profiler recorded: call the steps inside of `with "
		      "jax.profiler.trace(...):` (tf.profiler.experimental.Profile) and wait for "
		      "the last (jax.block_until_ready)",
	.dialect = &jax_dialect,
};
