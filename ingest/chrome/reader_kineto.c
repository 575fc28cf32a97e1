/* PyTorch profiler traces (Kineto), in every spelling that its writers have used. A step is a
 * ProfilerStep#N of the host; work of a device belongs to the step that launched it, by the
 * correlation id, wherever it runs: most of it runs in a later one. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/unit.h"
#include "ingest/chrome/kineto_facts.h"
#include "ingest/chrome/kineto_shapes.h"
#include "ingest/chrome/kineto_traits.h"
#include "ingest/chrome/trace.h"
#include "ingest/events/references.h"
#include "ingest/json/json_table.h"
#include "ingest/perfetto/pftrace_scan.h"
#include "ingest/trace/host_words.h"
#include "ingest/trace/source_facts.h"
#include "ingest/trace/step_names.h"

/* Versions of the software of a device, as the file has them. */
struct kineto {
	uint64_t base_ns;
	struct kineto_facts facts;
	bool serves_batches; /* all of `serving` are batches */
	struct vec serving;  /* struct event: steps of a server, until it is known if there is a
				ProfilerStep */
	/* Rules of PyTorch's own torch/profiler/_trace_validator.py (pytorch/pytorch#177947). */
	struct references *references; /* NULL: none */
	unsigned phases;	       /* of ops and annotations, as kineto_label() has them */
	size_t comms, described; /* collectives without all that is to be known, with some of it */
	uint64_t first_comm;	 /* offset */
};

/* The id in this argument; 0: none. */
static uint64_t asked_id(const struct trace_event *event, enum kineto_asked asked)
{
	uint64_t id;

	return trace_asked_number(event, &kineto_ahead, asked, &id) ? id : 0;
}

/* ---- what refers to something else ---- */

static int add_reference(struct trace *t, const struct reference *reference, struct error *err)
{
	const struct trace_options *opt = &trace_read_options(t)->trace;
	struct kineto *k = trace_state(t);

	if (!k->references)
		k->references = references_new(opt->spill_folder, opt->max_spill_bytes);
	return references_add(k->references, reference, err);
}

/* A wait may name the record of an event by either of its ids. */
static int note_record(struct trace *t, const struct trace_event *event, struct error *err)
{
	static const char *const names[] = {"External id", "correlation"};
	struct reference record = {.kind = REFERENCE_RECORD, .offset = event->offset};
	struct json_value id[2];

	if (!trace_start(t, event, &record.time_ps))
		return 0;
	trace_args(event, names, id, 2);
	for (size_t i = 0; i < 2; i++)
		if (json_unsigned(&id[i], &record.id) && add_reference(t, &record, err) != 0)
			return -1;
	return 0;
}

/* Calls of the runtime that say when something has ended. */
static int check_call(struct trace *t, const struct trace_event *event, struct error *err)
{
	int64_t start_ps, end_ps;

	if (json_begins(&event->name, KINETO_EVENT_RECORD))
		return note_record(t, event, err);
	if (host_waits_for_device(event->name.at, event->name.size) && event->duration.known &&
		event->duration.us >= 0 && trace_start(t, event, &start_ps) &&
		number_add(start_ps, trace_duration(t, event), &end_ps))
		eventlog_device_wait(trace_log(t), start_ps, end_ps);
	return 0;
}

/* Writers before 2024 say nothing of a collective. */
static void check_comm(struct trace *t, const struct trace_event *event)
{
	static const char *const names[] = {
		"Collective name", "dtype", "In msg nelems", "Out msg nelems", "Group size"};
	const size_t count = sizeof(names) / sizeof(names[0]);
	struct kineto *k = trace_state(t);
	size_t known = 0;

	for (size_t i = 0; i < count; i++)
		known += trace_arg(event, names[i]).kind != 0;
	k->described += known > 0;
	if (known < count && k->comms++ == 0)
		k->first_comm = event->offset;
}

/* A backward op and the forward op of the same Sequence number belong together. */
static int check_backward(struct trace *t, const struct trace_event *event, struct error *err)
{
	static const char *const names[] = {"Sequence number", "Fwd thread id"};
	struct reference shared = {.kind = REFERENCE_SHARED, .offset = event->offset};
	struct json_value value[2];
	uint64_t thread;
	uint8_t type;

	trace_args(event, names, value, 2);
	if (!json_unsigned(&value[0], &shared.id) || shared.id == 0)
		return 0;
	if (json_unsigned(&value[1], &thread))
		shared.group = thread & (UINT64_MAX >> 2);
	shared.op = trace_op(t, event, &event->name, &event->category, &type);
	return add_reference(t, &shared, err);
}

static int check_op(struct trace *t, const struct trace_event *event, struct error *err)
{
	if (json_begins(&event->name, KINETO_BACKWARD_FUNCTION))
		return check_backward(t, event, err);
	if (json_equal(&event->name, KINETO_COMM_PARAMS)) {
		check_comm(t, event);
		kineto_describe_collective(t, event);
	}
	return 0;
}

/* The host waits for a stream: in the lane of the stream, where its kernels are. */
static int check_stream_wait(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct eventlog *log = trace_log(t);
	struct event wait = {.kind = EVENT_INSTANT, .flags = EVENT_AROUND};
	struct json_value device = trace_arg(event, "device"), stream = trace_arg(event, "stream");
	struct text key;
	uint32_t process;

	if (!device.kind || !stream.kind || !trace_start(t, event, &wait.start_ps))
		return 0;
	text_init(&key);
	json_add_text(&key, &device);
	process = eventlog_process(log, text_string(&key), key.size);
	text_clear(&key);
	json_add_text(&key, &stream);
	wait.lane = eventlog_lane(log, process, text_string(&key), key.size, err);
	text_release(&key);
	if (wait.lane == UINT32_MAX)
		return -1;
	wait.op = trace_op(t, event, &event->name, &event->category, &wait.type);
	return eventlog_add(log, &wait, err);
}

static int check_wait(struct trace *t, const struct trace_event *event, struct error *err)
{
	static const char *const names[] = {"cuda_sync_kind", "wait_on_cuda_event_record_corr_id"};
	struct reference wait = {.kind = REFERENCE_WAIT, .offset = event->offset};
	struct json_value value[2];
	bool is_stream;

	trace_args(event, names, value, 2);
	if (json_equal(&value[0], "Stream Sync"))
		return check_stream_wait(t, event, err);
	is_stream = json_equal(&value[0], "Stream Wait Event");
	if (!is_stream && !json_equal(&value[0], "Event Sync"))
		return 0;
	if (!json_unsigned(&value[1], &wait.id)) {
		trace_report_issue(t, ISSUE_LOSS, "wait-unlinked",
			"waits of streams or of the host without the record of the event that they "
			"wait for",
			event);
		return 0;
	}
	if (!is_stream || !trace_start(t, event, &wait.time_ps))
		return 0;
	return add_reference(t, &wait, err);
}

static int check_references(struct trace *t, struct error *err)
{
	const struct kineto *k = trace_state(t);
	struct broken_references broken;

	if (k->described)
		trace_report_issues(t, ISSUE_LOSS, "comm-metadata",
			"collectives (record_param_comms) without name, type, sizes or group size, "
			"which others have",
			k->comms, k->first_comm);
	if (!k->references)
		return 0;
	if (references_check(k->references, PS_PER_US, &broken, err) != 0)
		return -1;
	trace_report_issues(t, ISSUE_LOSS, "wait-future",
		"waits of a stream for an event that is recorded later, or nowhere in the trace",
		broken.waits, broken.first_wait);
	trace_report_issues(t, ISSUE_LOSS, "backward-shared",
		"Sequence numbers that backward ops of several names have", broken.shared,
		broken.first_shared);
	return 0;
}

/* ---- events ---- */

/* Start and duration 0: CUPTI did not give any (pytorch/pytorch#188481). */
static bool is_timeless(const struct trace_event *event)
{
	return event->start.known && event->start.us == 0 && event->start.ps == 0 &&
	       event->duration.us == 0 && event->duration.ps == 0 && !event->odd_duration;
}

static int add_timeless(struct trace *t, const struct trace_event *event, uint32_t lane,
	struct event *extra, struct error *err)
{
	extra->flags |= EVENT_TIMELESS;
	extra->lane = lane;
	extra->op = trace_op(t, event, &event->name, &event->category, &extra->type);
	return eventlog_add(trace_log(t), extra, err);
}

/* The span of the recording itself. */
static int around(struct trace *t, const struct trace_event *event)
{
	int64_t start_ps, end_ps;

	if (json_is_one_of(&event->category, (const char *const[]){"trace", NULL}) &&
		event->duration.known && event->duration.us >= 0 &&
		trace_start(t, event, &start_ps) &&
		number_add(start_ps, trace_duration(t, event), &end_ps))
		eventlog_set_end(trace_log(t), end_ps);
	return 0;
}

/* `extra` says how it was launched. */
static int device_event(
	struct trace *t, const struct trace_event *event, struct event extra, struct error *err)
{
	struct json_value device;
	struct lane *lane;
	uint32_t id;

	if (trace_lane(t, event, &id, err) != 0)
		return -1;
	lane = eventlog_lane_at(trace_log(t), id);
	lane->serial |=
		extra.flags & EVENT_LAUNCHED && trace_traits(t, event) & KINETO_IS_STREAM_WORK;
	if (!lane->accelerator) {
		struct text name;

		lane->accelerator = lane->flat = true;
		device = trace_arg(event, "device");
		text_init(&name);
		text_add(&name, "gpu:");
		json_add_text(&name, device.kind ? &device : &event->process);
		lane->device = eventlog_text(trace_log(t), text_string(&name), name.size);
		text_release(&name);
	}
	if (extra.flags & EVENT_LAUNCHED && is_timeless(event))
		return add_timeless(t, event, id, &extra, err);
	return trace_add(t, event, NULL, &event->category, &extra, err);
}

static struct event launched(const struct trace_event *event)
{
	return (struct event){.flags = EVENT_LAUNCHED, .link = asked_id(event, ASKED_CORRELATION)};
}

static int device_op(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct event extra = launched(event);

	if (trace_traits(t, event) & KINETO_IS_COLLECTIVE)
		kineto_device_collective(t, event, &extra);
	return device_event(t, event, extra, err);
}

static int device_copy(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct event extra = launched(event);
	struct json_value value = trace_arg(event, "bytes");

	if (value.kind == 0)
		value = trace_arg(event, "Bytes");
	if (json_integer(&value, &extra.bytes) && extra.bytes >= 0)
		extra.bytes_kind = BYTES_TRANSFERRED;
	else
		extra.bytes = 0;
	return device_event(t, event, extra, err);
}

/* Counts an event that a device drew beside its work, and leaves it out. */
static int leave_out(struct trace *t, enum meaning meaning, const struct trace_event *event)
{
	switch (meaning) {
	case DEVICE_NOTE:
		trace_report_issue(t, ISSUE_INFO, "kineto-device-annotations",
			"annotations drawn around the kernels of a device, left out: the host has "
			"them, too",
			event);
		break;
	case DEVICE_WAIT:
		trace_report_issue(t, ISSUE_INFO, "kineto-sync",
			"records of synchronisation (cuda_sync, cuda_event), left out", event);
		break;
	case DEVICE_RANGE:
		trace_report_issue(t, ISSUE_INFO, "kineto-ranges",
			"ranges in which counters of a device were read (cuda_profiler_range), "
			"left out: kernels have the time",
			event);
		break;
	case OVERHEAD:
		trace_report_issue(t, ISSUE_INFO, "kineto-overhead",
			"spans in which the profiler itself worked, left out", event);
		break;
	default:
		trace_report_issue(t, ISSUE_INFO, "kineto-device-parts",
			"transfers inside of a device's work, without a launch of their own, left "
			"out",
			event);
		break;
	}
	return 0;
}

/* Work of a device without a launch of its own. A transfer is part of the work for which it brings
 * the data; anything else is work in the step at its own time. */
static int device_part(struct trace *t, const struct trace_event *event, struct error *err)
{
	bool is_transfer = trace_arg(event, "direction").kind != 0 ||
			   (event->name.size >= 3 && memcmp(event->name.at, "dma", 3) == 0);

	if (asked_id(event, ASKED_CORRELATION))
		return device_event(t, event, launched(event), err);
	return is_transfer ? leave_out(t, DEVICE_PART, event)
			   : device_event(t, event, (struct event){0}, err);
}

static void set_launch(struct event *call, uint32_t traits)
{
	call->flags = call->link ? EVENT_LAUNCHES : 0;
	call->label = traits >> KINETO_LAUNCH_SHIFT;
}

/* The kernel that a call launches, where it says which (HIP). */
static int64_t kernel_of(struct trace *t, const struct trace_event *event)
{
	const struct json_value name = trace_arg(event, "kernel");

	if (name.kind != '"')
		return 0;

	struct text text;
	int64_t number;

	text_init(&text);
	json_add_text(&text, &name);
	number = eventlog_kernel(trace_log(t), text_string(&text), text.size);
	text_release(&text);
	return number;
}

/* A call of the device's runtime. Most start nothing on the device; launches of kernels must. */
static int host_call(
	struct trace *t, const struct trace_event *event, uint32_t traits, struct error *err)
{
	struct event extra = {.link = asked_id(event, ASKED_CORRELATION)};

	if (traits & KINETO_IS_CHECKED && check_call(t, event, err) != 0)
		return -1;
	set_launch(&extra, traits);
	if (extra.label & LAUNCH_KERNEL &&
		trace_rows_are_launchers(trace_read_options(t)->trace.rows))
		extra.bytes = kernel_of(t, event);
	return trace_add(t, event, NULL, &event->category, &extra, err);
}

/* A frame that lasts so long is open while a device is idle. Shorter ones are many, and what they
 * do counts as that of the frame around them. */
#define FRAME_LEAST_US 100

static int add_long_frame(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct event frame = {.kind = EVENT_CONTEXT, .link = asked_id(event, ASKED_PYTHON_ID)};
	struct text name;

	if (!event->duration.known || event->duration.us < FRAME_LEAST_US ||
		!trace_start(t, event, &frame.start_ps))
		return 0;
	if (trace_lane(t, event, &frame.lane, err) != 0)
		return -1;
	frame.dur_ps = trace_duration(t, event);
	text_init(&name);
	json_add_text(&name, &event->name);
	frame.op = eventlog_context(trace_log(t), text_string(&name), name.size);
	text_release(&name);
	return eventlog_add(trace_log(t), &frame, err);
}

static int host_frame(struct trace *t, const struct trace_event *event, struct error *err)
{
	/* Frames are numbered in the order in which they begin. */
	struct event extra = {.kind = EVENT_FRAME, .link = asked_id(event, ASKED_PYTHON_ID)};
	int is_label;

	if (add_long_frame(t, event, err) != 0)
		return -1;
	is_label = kineto_label(
		t, event, true, &((struct kineto *)trace_state(t))->phases, &extra, err);
	if (is_label < 0)
		return -1;
	if (is_label)
		return trace_add(t, event, NULL, &event->category, &extra, err);
	extra = (struct event){.kind = EVENT_SILENT};
	if (trace_read_options(t)->trace.key_averages)
		return trace_add(t, event, NULL, NULL, &extra, err);
	trace_report_issue(t, ISSUE_INFO, "kineto-python",
		"frames of Python (with_stack), left out of the ops", event);
	return 0;
}

/* Adds the steps of a server that are kept, as steps or as ops. */
static int add_serving_steps(struct trace *t, bool are_marks, struct error *err)
{
	const struct kineto *k = trace_state(t);
	struct eventlog *log = trace_log(t);

	for (size_t i = 0; i < k->serving.count; i++) {
		struct event *e = vec_at(&k->serving, i);
		struct step_mark mark = {.process = eventlog_lane_at(log, e->lane)->process,
			.start_ps = e->start_ps,
			.outermost = true};

		if (!number_add(e->start_ps, e->dur_ps, &mark.end_ps))
			mark.end_ps = INT64_MAX;
		if (are_marks && eventlog_mark(log, &mark, err) != 0)
			return -1;
		if (are_marks)
			e->kind = EVENT_FRAME;
		if ((!are_marks || e->label != EVENT_OWN_LABEL) && eventlog_add(log, e, err) != 0)
			return -1;
	}
	return 0;
}

/* A step of a server is kept; past the most steps it is an op, and so is a batch where there are
 * other steps. */
static int hold_serving_step(
	struct trace *t, const struct trace_event *event, struct event *step, struct error *err)
{
	struct kineto *k = trace_state(t);
	const int placed = trace_place(t, event, &event->name, step, err);
	const bool is_batch = host_is_batch(event->name.at, event->name.size);
	struct event *held;

	if (placed != 1)
		return placed;
	step->op = trace_op(t, event, &event->name, &event->category, &step->type);
	if (k->serving.item_bytes == 0) {
		vec_init(&k->serving, sizeof(*step), trace_read_options(t)->limits.steps, "steps");
		k->serves_batches = is_batch;
	}
	if (k->serves_batches && !is_batch) {
		if (add_serving_steps(t, false, err) != 0)
			return -1;
		vec_clear(&k->serving);
		k->serves_batches = false;
	}
	if (k->serving.count == k->serving.cap || k->serves_batches != is_batch)
		return eventlog_add(trace_log(t), step, err);
	held = vec_push(&k->serving, err);
	if (!held)
		return -1;
	*held = *step;
	return 0;
}

/* Without a ProfilerStep the steps of a server are the steps, else they are ops. */
static int settle_serving_steps(struct trace *t, struct error *err)
{
	const struct kineto *k = trace_state(t);
	const bool are_marks = eventlog_mark_count(trace_log(t)) == 0;

	if (add_serving_steps(t, are_marks, err) != 0)
		return -1;
	if (are_marks && k->serving.count)
		issue_add(&trace_profile(t)->issues, ISSUE_INFO, "kineto-serving-steps",
			"traces of a server without a ProfilerStep: a step is an annotation "
			"execute_context_* (vLLM) or step[...] (SGLang)",
			1, trace_profile(t)->path);
	return 0;
}

/* Costs of the product: in rows of ops, and of launchers that are ops. */
static void add_product(struct trace *t, const struct trace_event *event, struct event *to)
{
	const enum trace_rows rows = trace_read_options(t)->trace.rows;

	if (rows != TRACE_ROWS_OPS && rows != TRACE_ROWS_LAUNCHERS && rows != TRACE_ROWS_SHAPES)
		return;
	if (!kineto_has_shapes(event))
		return;
	to->bytes = eventlog_product(trace_log(t),
		(struct log_product){kineto_float_ops(event), kineto_matrix_bytes(event)});
	to->bytes_kind = BYTES_PRODUCT;
}

static int add_with_shapes(struct trace *t, const struct trace_event *event,
	const struct event *extra, struct error *err)
{
	struct text name;
	int result;

	text_init(&name);
	kineto_name_with_shapes(event, &name);
	result = trace_add(t, event, &(struct json_value){text_string(&name), name.size, '"'},
		&event->category, extra, err);
	text_release(&name);
	return result;
}

/* An op of the host. Where times are too coarse to decide which of two ops is around the other,
 * numbers decide: they are in the order in which ops begin, calls of the runtime come within. */
static int host_op(
	struct trace *t, const struct trace_event *event, uint32_t traits, struct error *err)
{
	struct event extra = {.flags = EVENT_AROUND, .link = asked_id(event, ASKED_ID)};
	struct marker_name name = {.numbered = true, .is_whole = true};
	int placed;

	if (traits & KINETO_IS_STEP && kineto_step_number(&event->name, &name.number) &&
		!trace_has_marker(t))
		return trace_mark(t, event, &name, err);
	if (traits & KINETO_IS_CHECKED && check_op(t, event, err) != 0)
		return -1;
	if (kineto_label(t, event, false, &((struct kineto *)trace_state(t))->phases, &extra, err) <
		0)
		return -1;
	if (traits & KINETO_IS_SERVING_STEP && !trace_has_marker(t))
		return hold_serving_step(t, event, &extra, err);
	if (traits & KINETO_IS_COLLECTIVE)
		kineto_host_collective(t, &extra);
	if (traits & KINETO_IS_PRODUCT)
		add_product(t, event, &extra);
	if (trace_read_options(t)->trace.rows == TRACE_ROWS_SHAPES)
		return add_with_shapes(t, event, &extra, err);
	placed = trace_place_op(t, event, NULL, &event->category, &extra, err);
	if (placed != 1)
		return placed;
	return kineto_add_autograd(t, event, &extra, err) || eventlog_add(trace_log(t), &extra, err)
		       ? -1
		       : 0;
}

static int slice(struct trace *t, const struct trace_event *event, struct error *err)
{
	const uint32_t traits = trace_traits(t, event);
	const enum meaning what = kineto_meaning(traits);

	switch (what) {
	case HOST_CALL:
		return host_call(t, event, traits, err);
	case HOST_FRAME:
		return host_frame(t, event, err);
	case DEVICE_OP:
		return device_op(t, event, err);
	case DEVICE_COPY:
		return device_copy(t, event, err);
	case DEVICE_PART:
		return device_part(t, event, err);
	case DEVICE_WAIT:
		leave_out(t, DEVICE_WAIT, event);
		return check_wait(t, event, err);
	case DEVICE_NOTE:
	case DEVICE_RANGE:
	case OVERHEAD:
		return leave_out(t, what, event);
	case AROUND:
		return around(t, event);
	case HOST_OP:
	default:
		return host_op(t, event, traits, err);
	}
}

/* [memory] of profile_memory: bytes allocated or freed inside the op that runs, of any device;
 * where none does, by the op [memory]. */
static int instant(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct event extra = {.kind = EVENT_INSTANT, .bytes_kind = BYTES_ALLOCATED};
	struct json_value bytes = trace_arg(event, "Bytes");

	if (!json_equal(&event->name, "[memory]") || !json_integer(&bytes, &extra.bytes))
		return 0;
	return trace_add(t, event, NULL, NULL, &extra, err);
}

static int kineto_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	switch (event->phase) {
	case 'X':
		return slice(t, event, err);
	case 'i':
	case 'I':
		return instant(t, event, err);
	default:
		return 0; /* flows repeat what the correlation ids say */
	}
}

/* A slice by is_ready of kineto_ahead: as host_op, host_call or device_op add it. The first one of
 * a lane of a device is added as a whole. */
static int kineto_ready(struct trace *t, const struct trace_ready *ready, uint32_t pair,
	struct event *event, struct error *err)
{
	const struct lane *lane;

	if (!trace_known_op(t, pair, event))
		return 0;
	switch (kineto_meaning(ready->traits)) {
	case HOST_OP:
		event->flags = EVENT_AROUND;
		break;
	case HOST_CALL:
		set_launch(event, ready->traits);
		break;
	default:
		event->flags = EVENT_LAUNCHED;
		lane = eventlog_lane_at(trace_log(t), event->lane);
		if (!lane->accelerator || (ready->traits & KINETO_IS_STREAM_WORK && !lane->serial))
			return 0;
		break;
	}
	return eventlog_add(trace_log(t), event, err) != 0 ? -1 : 1;
}

/* ---- what the file says about its recording ---- */

static int kineto_member(struct trace *t, const struct json_member *member, struct error *err)
{
	struct kineto *k = trace_state(t);

	(void)err;
	if (json_equal(&member->key, "baseTimeNanoseconds") &&
		!json_unsigned(&member->value, &k->base_ns))
		k->base_ns = 0;
	kineto_facts_member(&k->facts, trace_profile(t), member);
	return 0;
}

/* Traces of the processes of one job lie in one folder: each is a run. */
static void name_run(struct trace *t)
{
	struct kineto *k = trace_state(t);
	char name[40];

	if (!k->facts.has_rank)
		k->facts.has_rank = rank_of_file(trace_profile(t)->path, &k->facts.rank);
	if (!k->facts.has_rank)
		return;
	snprintf(name, sizeof(name), "rank %llu", (unsigned long long)k->facts.rank);
	eventlog_name_run(trace_log(t), name);
	trace_profile(t)->run_is_rank = true;
}

static int kineto_end(struct trace *t, struct error *err)
{
	struct kineto *k = trace_state(t);
	struct profile *p = trace_profile(t);

	if (settle_serving_steps(t, err) != 0 || check_references(t, err) != 0)
		return -1;
	if (k->base_ns > INT64_MAX ||
		__builtin_add_overflow(p->base_ns, (int64_t)k->base_ns, &p->base_ns))
		p->base_ns = 0;
	name_run(t);
	kineto_settle_phases(t, k->phases);
	kineto_facts_finish(&k->facts, p);
	eventlog_share_marks(trace_log(t));
	if (eventlog_mark_count(trace_log(t)) == 0)
		issue_add(&p->issues, ISSUE_INFO, "kineto-no-step",
			"traces without a ProfilerStep (prof.step() makes it): all of it is one "
			"step, unless --step-marker names another",
			1, p->path);
	for (size_t i = 0; i < eventlog_lane_count(trace_log(t)); i++) {
		struct lane *lane = eventlog_lane_at(trace_log(t), (uint32_t)i);

		if (!lane->accelerator)
			lane->device = "cpu";
	}
	return 0;
}

static void kineto_release(struct trace *t)
{
	struct kineto *k = trace_state(t);

	vec_release(&k->serving);
	references_free(k->references);
}

/* A hint where some of the work is in no row of its own. */
static const char *kineto_outside(enum trace_rows rows, bool has_backward)
{
	switch (rows) {
	case TRACE_ROWS_ANNOTATIONS:
		return "record_function(NAME) around it makes one";
	case TRACE_ROWS_MODULES:
		return has_backward ? "what optimisers do, and sums of gradients, are in none"
				    : "with_stack=True over the whole step records modules";
	case TRACE_ROWS_PHASES:
		return "record_function(\"forward\") and \"backward\" around them name it";
	case TRACE_ROWS_STACKS:
		return "the key user-code says which frames are the user's";
	default:
		return NULL;
	}
}

static const struct trace_dialect kineto_dialect = {
	.state_bytes = sizeof(struct kineto),
	.member = kineto_member,
	.event = kineto_event,
	.ready = kineto_ready,
	.end = kineto_end,
	.release = kineto_release,
	.ahead = &kineto_ahead,
	.device_option = "ProfilerActivity.CUDA",
	.outside_hint = kineto_outside,
	.without_arrows = true,
	.has_pids = true,
};

static int kineto_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return trace_read(in, out, opt, &kineto_dialect, err);
}

static int kineto_probe(const struct probe *p)
{
	static const char *const words[] = {"\"schemaVersion\"", "\"baseTimeNanoseconds\"",
		"\"torch_version\"", "\"grad_mode\"", "\"ProfilerStep#", NULL};
	/* Words of its events, for a trace whose members around them come later. */
	static const char *const event_words[] = {"\"aten::", "\"cpu_op\"", "\"External id\"",
		"\"cuda_runtime\"", "\"python_function\"", NULL};

	if (pftrace_is_of(p, "kineto"))
		return PFTRACE_SCORE;
	if (!probe_is_json(p))
		return 0;
	for (size_t i = 0; words[i]; i++)
		if (probe_has(p, words[i]))
			return 90;
	for (size_t i = 0; event_words[i]; i++)
		if (probe_has(p, event_words[i]))
			return 80;
	return 0;
}

const struct reader reader_kineto = {
	.name = "kineto",
	.title = "PyTorch profiler trace",
	.summary = "PyTorch profiler trace (Kineto, *.pt.trace.json), also gzip",
	.suffixes = (const char *const[]){".pt.trace.json", ".json", NULL},
	.probe = kineto_probe,
	.read = kineto_read,
	.empty_hint = "nothing ran while the profiler recorded: call the model inside of `with "
		      "torch.profiler.profile(...) as prof:`, and prof.step() more often than the "
		      "schedule waits and warms up",
	.launcher_hints =
		(const char *const[TRACE_ROWS_STACKS + 1]){
			[TRACE_ROWS_SHAPES] = "record_shapes=True records shapes",
			[TRACE_ROWS_ANNOTATIONS] =
				"`with torch.profiler.record_function(NAME):` makes one",
			[TRACE_ROWS_MODULES] = "with_stack=True records them",
			[TRACE_ROWS_PHASES] =
				"`with torch.profiler.record_function(\"forward\"):` names one",
			[TRACE_ROWS_STACKS] = "with_stack=True records frames, the key user-code "
					      "says which are the user's",
		},
	.dialect = &kineto_dialect,
};
