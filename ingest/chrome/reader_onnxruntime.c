/* Profiles of ONNX Runtime (SessionOptions.enable_profiling): a bare array of complete events in
 * whole microseconds. A step is a call of session.run, the event model_run. Nodes may run on other
 * threads than their run (parallel executor): the time decides, unless calls of several threads
 * overlap, then the thread does.
 *
 * What the events mean is the producer's onnxruntime/core/common/profiler.cc and its execution
 * providers; names and args are not escaped there. It records 10^6 events and drops what comes
 * after, those of devices not counted. */
#include <stdlib.h>
#include <string.h>
#include "base/order.h"
#include "base/text.h"
#include "base/memory.h"
#include "ingest/chrome/trace.h"
#include "ingest/perfetto/pftrace_scan.h"

#define EVENTS_MOST 1000000

/* A call of session.run. */
struct ort_run {
	uint32_t lane, process;
	int64_t start_ps, end_ps;
	int64_t number;
};

struct ort_lane {
	uint64_t events; /* of nodes and kernels */
	bool has_run;
};

/* Events passed over and values assumed; counted without a place, because the first in the file is
 * not the first in time. */
enum onnxruntime_passed {
	PASSED_FENCE,
	PASSED_API,
	PASSED_CATEGORY,
	PASSED_NAMELESS,
	PASSED_COUNT
};

static const struct {
	const char *code, *text;
} passed_words[PASSED_COUNT] = {
	[PASSED_FENCE] = {"onnx-fence",
		"waits before and after nodes (fence events of old versions), left out"},
	[PASSED_API] = {"onnx-api", "calls of the device's runtime (category Api), left out"},
	[PASSED_CATEGORY] = {"onnx-category",
		"events of categories other than Session, Node, Kernel and Api, left out"},
	[PASSED_NAMELESS] = {"onnx-nameless",
		"nodes without a name, added up under the name of their operator"},
};

struct onnxruntime {
	size_t passed[PASSED_COUNT];
	struct vec run;	   /* of struct ort_run */
	struct vec lane;   /* of struct ort_lane, by lane */
	uint64_t recorded; /* events that its own limit counts */
	bool is_ready;
};

static struct onnxruntime *state_of(struct trace *t)
{
	struct onnxruntime *o = trace_state(t);

	if (!o->is_ready) {
		vec_init(&o->run, sizeof(struct ort_run), trace_read_options(t)->limits.steps,
			"steps");
		vec_init(&o->lane, sizeof(struct ort_lane), SIZE_MAX, "threads");
		o->is_ready = true;
	}
	return o;
}

static struct ort_lane *lane_of(struct onnxruntime *o, uint32_t lane, struct error *err)
{
	while (o->lane.count <= lane)
		if (!vec_push(&o->lane, err))
			return NULL;
	return vec_at(&o->lane, lane);
}

/* Takes `end` off the name; false when it does not end so. */
static bool cut_end(struct json_value *name, const char *end)
{
	size_t size = strlen(end);

	if (name->size < size || memcmp(name->at + name->size - size, end, size) != 0)
		return false;
	name->size -= size;
	return true;
}

/* ---- events ---- */

static int add_run(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct onnxruntime *o = state_of(t);
	struct ort_run *run, here = {0};
	struct ort_lane *lane;

	if (!trace_start(t, event, &here.start_ps))
		return 0;
	if (trace_lane(t, event, &here.lane, err) != 0)
		return -1;
	lane = lane_of(o, here.lane, err);
	run = lane ? vec_push(&o->run, err) : NULL;
	if (!run)
		return error_hint(err, "allow more with max-steps in stepstat.yaml");
	lane->has_run = true;
	here.process = eventlog_lane_at(trace_log(t), here.lane)->process;
	here.end_ps = here.start_ps + trace_duration(t, event);
	*run = here;
	return 0;
}

static int count_on_lane(
	struct trace *t, const struct trace_event *event, uint32_t *id, struct error *err)
{
	struct ort_lane *lane;

	if (trace_lane(t, event, id, err) != 0)
		return -1;
	lane = lane_of(state_of(t), *id, err);
	if (!lane)
		return -1;
	lane->events++;
	return 0;
}

/* Old versions leave nodes of models without names nameless. */
static void name_nameless(
	struct onnxruntime *o, struct json_value *name, const struct json_value *type)
{
	if (name->size > 0 || type->kind != '"' || type->size == 0)
		return;
	o->passed[PASSED_NAMELESS]++;
	*name = *type;
}

static int node_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	static const char *const around[] = {"loop", "if", "scan", NULL};
	struct json_value name = event->name, type = trace_arg(event, "op_name"),
			  bytes = trace_arg(event, "output_size");
	struct event extra = {0};
	uint32_t lane;

	if (cut_end(&name, "_fence_before") || cut_end(&name, "_fence_after")) {
		state_of(t)->passed[PASSED_FENCE]++;
		return 0;
	}
	cut_end(&name, "_kernel_time");
	name_nameless(state_of(t), &name, &type);
	if (count_on_lane(t, event, &lane, err) != 0)
		return -1;
	if (type.kind == '"' && json_is_one_of(&type, around))
		extra.flags = EVENT_AROUND; /* the nodes of its body are events of their own */
	if (json_integer(&bytes, &extra.bytes) && extra.bytes >= 0)
		extra.bytes_kind = BYTES_OUTPUT;
	return trace_add(t, event, &name, type.kind == '"' ? &type : NULL, &extra, err);
}

static int onnxruntime_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct onnxruntime *o = state_of(t);

	if (event->phase != 'X')
		return 0;
	if (json_equal(&event->category, "Kernel")) {
		/* Work of a device is time of the node that started it, where newer versions name
		 * it. All streams share one thread id. */
		struct json_value name = trace_arg(event, "parent_name"),
				  type = trace_arg(event, "op_name");
		struct lane *lane;
		uint32_t id;

		if (name.kind != '"' || name.size == 0)
			name = event->name;
		cut_end(&name, "_kernel_time");
		name_nameless(state_of(t), &name, &type);
		if (count_on_lane(t, event, &id, err) != 0)
			return -1;
		lane = eventlog_lane_at(trace_log(t), id);
		lane->accelerator = lane->flat = true;
		lane->device = "gpu:0";
		return trace_add(t, event, &name, type.kind == '"' ? &type : NULL, NULL, err);
	}
	if (json_equal(&event->category, "Api")) {
		o->passed[PASSED_API]++;
		return 0;
	}
	o->recorded++;
	if (json_equal(&event->category, "Session")) {
		/* model_loading_..., session_initialization and SequentialExecutor::Execute are
		 * around the nodes and no ops. */
		struct marker_name name;
		int marker = trace_is_marker(t, &event->name, &name, err);

		if (marker != 0)
			return marker < 0 ? -1 : trace_mark(t, event, &name, err);
		if (trace_has_marker(t) || !json_equal(&event->name, "model_run"))
			return 0;
		return add_run(t, event, err);
	}
	if (json_equal(&event->category, "Node"))
		return node_event(t, event, err);
	o->passed[PASSED_CATEGORY]++;
	return 0;
}

/* ---- runs ---- */

ORDERED(compare_runs, struct ort_run,
	ORDER(x->process, y->process)
		?: ORDER(x->start_ps, y->start_ps)
		?: ORDER(x->end_ps, y->end_ps)
		?: ORDER(x->lane, y->lane));

/* Numbers the runs of each process in order of time. Do runs of two threads overlap? */
static bool number_runs(struct onnxruntime *o, size_t *processes)
{
	struct ort_run *run = o->run.data;
	const struct ort_run *last = NULL; /* that ends last */
	bool overlap = false;

	if (o->run.count)
		qsort(run, o->run.count, sizeof(*run), compare_runs);
	*processes = 0;
	for (size_t i = 0; i < o->run.count; i++) {
		if (i == 0 || run[i].process != run[i - 1].process) {
			(*processes)++;
			last = NULL;
		} else {
			run[i].number = run[i - 1].number + 1;
		}
		overlap |= last && last->lane != run[i].lane && run[i].start_ps < last->end_ps;
		if (!last || run[i].end_ps > last->end_ps)
			last = &run[i];
	}
	return overlap;
}

/* Each thread that calls gets a process of its own, so that its steps have its events only. */
static void part_threads(struct trace *t)
{
	struct onnxruntime *o = state_of(t);
	struct eventlog *log = trace_log(t);
	uint64_t lost = 0;
	struct text key;

	text_init(&key);
	for (uint32_t i = 0; i < o->lane.count; i++) {
		const struct ort_lane *info = vec_at(&o->lane, i);
		struct lane *lane = eventlog_lane_at(log, i);

		if (!info->has_run) {
			lane->skip = true;
			lost += info->events;
			continue;
		}
		text_clear(&key);
		text_printf(&key, "%s, thread %s", eventlog_process_key(log, lane->process),
			lane->name);
		lane->process = eventlog_process(log, text_string(&key), key.size);
	}
	text_release(&key);
	issue_add(&trace_profile(t)->issues, ISSUE_LOSS, "onnx-concurrent",
		"events of threads that call no run, while runs of several threads overlap: their "
		"run is not known, left out",
		lost, trace_profile(t)->path);
}

static int mark_runs(struct trace *t, struct error *err)
{
	struct onnxruntime *o = state_of(t);
	const struct ort_run *run = o->run.data;
	size_t processes;
	bool overlap = number_runs(o, &processes);

	if (overlap)
		part_threads(t);
	if (overlap && processes == 1)
		eventlog_join_runs(trace_log(t));
	for (size_t i = 0; i < o->run.count; i++) {
		uint32_t process = eventlog_lane_at(trace_log(t), run[i].lane)->process;
		const struct step_mark mark = {
			.process = processes == 1 && !overlap
					   ? EVENTLOG_ANY
					   : process, /* events of devices have process -1 */
			.numbered = true,
			.number = run[i].number,
			.start_ps = run[i].start_ps,
			.end_ps = run[i].end_ps,
			.closed_end = true, /* times are cut to microseconds */
			.is_whole = true,
		};

		if (eventlog_mark(trace_log(t), &mark, err) != 0)
			return -1;
	}
	return 0;
}

static int onnxruntime_end(struct trace *t, struct error *err)
{
	struct onnxruntime *o = state_of(t);
	struct issue_list *issues = &trace_profile(t)->issues;

	for (size_t i = 0; i < eventlog_lane_count(trace_log(t)); i++) {
		struct lane *lane = eventlog_lane_at(trace_log(t), (uint32_t)i);

		if (!lane->accelerator)
			lane->device = "cpu";
	}
	for (size_t i = 0; i < PASSED_COUNT; i++)
		issue_add(issues, ISSUE_INFO, passed_words[i].code, passed_words[i].text,
			o->passed[i], trace_profile(t)->path);
	if (o->recorded == EVENTS_MOST)
		trace_report_cap(t, o->run.count);
	if (o->run.count == 0 && !trace_has_marker(t) && o->recorded > 0)
		issue_add(issues, ISSUE_LOSS, "onnx-no-run",
			"the profile has no finished run (model_run): all of it is one step", 1,
			trace_profile(t)->path);
	return mark_runs(t, err);
}

static void onnxruntime_release(struct trace *t)
{
	struct onnxruntime *o = state_of(t);

	vec_release(&o->run);
	vec_release(&o->lane);
}

static const struct trace_dialect onnxruntime_dialect = {
	.state_bytes = sizeof(struct onnxruntime),
	.event = onnxruntime_event,
	.end = onnxruntime_end,
	.release = onnxruntime_release,
	.has_pids = true,
};

static int onnxruntime_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return trace_read(in, out, opt, &onnxruntime_dialect, err);
}

static int onnxruntime_probe(const struct probe *p)
{
	static const char *const words[] = {"\"model_loading_", "\"session_initialization\"",
		"_kernel_time\"", "\"model_run\"", "\"SequentialExecutor::Execute\"", NULL};

	if (pftrace_is_of(p, "onnxruntime"))
		return PFTRACE_SCORE;
	if (!probe_begins(p, "[") || !(probe_has(p, "\"Session\"") || probe_has(p, "\"Node\"")))
		return 0;
	for (size_t i = 0; words[i]; i++)
		if (probe_has(p, words[i]))
			return 90;
	return 0;
}

const struct reader reader_onnxruntime = {
	.name = "onnxruntime",
	.title = "ONNX Runtime profile",
	.summary = "ONNX Runtime profile (onnxruntime_profile_*.json)",
	.suffixes = (const char *const[]){".json", NULL},
	.probe = onnxruntime_probe,
	.empty_hint = "no node ran: call session.run() between enable_profiling and "
		      "session.end_profiling()",
	.read = onnxruntime_read,
	.dialect = &onnxruntime_dialect,
};
