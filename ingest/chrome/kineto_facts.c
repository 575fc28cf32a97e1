/* Members of a PyTorch trace beside its events. */
#include "ingest/chrome/kineto_facts.h"

#include <string.h>
#include "base/text.h"
#include "ingest/chrome/kineto_shapes.h"
#include "ingest/events/device_work.h"
#include "ingest/trace/host_words.h"
#include "ingest/trace/source_facts.h"
#include "ingest/trace/step_names.h"

static void set_fact(struct profile *p, enum fact_id id, const struct json_value *value)
{
	struct text text;

	if (value->kind != '"' && value->kind != '0')
		return;
	text_init(&text);
	json_add_text(&text, value);
	facts_set(&p->facts, p->arena, id, text_string(&text), text.size);
	text_release(&text);
}

/* Reads the facts in distributedInfo; groups inside of it (pg_config) have ranks, too. */
static void read_distributed(
	struct kineto_facts *k, struct profile *p, const struct json_value *info)
{
	static const struct {
		const char *key;
		enum fact_id fact;
	} known[] = {
		{"rank", FACT_RANK}, {"world_size", FACT_WORLD_SIZE}, {"backend", FACT_BACKEND}};
	struct json_table table;
	struct json_walk walk = json_table_open(&table, info);
	struct json_member member;
	uint64_t number;

	while (json_next_member(&walk, &member, NULL)) {
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (json_equal(&member.key, known[i].key) &&
				(known[i].fact != FACT_RANK ||
					json_unsigned(&member.value, &number)))
				set_fact(p, known[i].fact, &member.value);
		if (json_equal(&member.key, "rank"))
			k->has_rank =
				member.value.kind == '0' && json_unsigned(&member.value, &k->rank);
	}
	json_table_close(&table);
}

/* deviceProperties: an object for each device that the process sees. */
static void read_devices(struct profile *p, const struct json_value *devices)
{
	struct json_table table;
	struct json_walk walk = json_table_open(&table, devices), inside;
	struct json_value device;
	struct json_member member;
	struct text name;

	text_init(&name);
	p->facts.device_count = 0;
	while (json_next_item(&walk, &device, &inside)) {
		if (!p->facts.device_count)
			p->facts.device_model = NULL; /* what was said of it */
		p->facts.device_count += device.kind == '{';
		while (json_next_member(&inside, &member, NULL)) {
			if (!json_equal(&member.key, "name") || member.value.kind != '"')
				continue;
			text_clear(&name);
			json_add_text(&name, &member.value);
			facts_add(&p->facts, p->arena, FACT_DEVICE_MODEL, text_string(&name),
				name.size);
		}
	}
	text_release(&name);
	json_table_close(&table);
}

void kineto_facts_finish(const struct kineto_facts *k, struct profile *p)
{
	const bool is_hip = k->version[KINETO_HIP_DRIVER] || k->version[KINETO_HIP_RUNTIME];
	const char *driver = k->version[is_hip ? KINETO_HIP_DRIVER : KINETO_CUDA_DRIVER],
		   *runtime = k->version[is_hip ? KINETO_HIP_RUNTIME : KINETO_CUDA_RUNTIME];
	struct text text;

	if (!driver && !runtime)
		return;
	text_init(&text);
	text_add(&text, is_hip ? "HIP" : "CUDA");
	if (driver)
		text_printf(&text, " %s", runtime_version_text(p->arena, driver, is_hip));
	if (runtime)
		text_printf(&text, "%s runtime %s", driver ? "," : "",
			runtime_version_text(p->arena, runtime, is_hip));
	facts_set(&p->facts, p->arena, FACT_DRIVER, text_string(&text), text.size);
	text_release(&text);
}

/* A version that the program itself recorded: prof.add_metadata("torch_version", ...). */
static void set_framework(struct profile *p, const struct json_value *version)
{
	struct text text;

	if (version->kind != '"' || version->size == 0)
		return;
	text_init(&text);
	text_add(&text, "PyTorch ");
	json_add_text(&text, version);
	facts_set(&p->facts, p->arena, FACT_FRAMEWORK, text_string(&text), text.size);
	text_release(&text);
}

/* Members that say it by themselves. */
static void read_fact(struct kineto_facts *k, struct profile *p, const struct json_member *member)
{
	static const char *const versions[KINETO_VERSIONS] = {
		[KINETO_CUDA_DRIVER] = "cuda_driver_version",
		[KINETO_CUDA_RUNTIME] = "cuda_runtime_version",
		[KINETO_HIP_DRIVER] = "hip_driver_version",
		[KINETO_HIP_RUNTIME] = "hip_runtime_version"};

	if (json_equal(&member->key, "torch_version") ||
		json_equal(&member->key, "pytorch_version"))
		set_framework(p, &member->value);
	for (size_t i = 0; i < KINETO_VERSIONS; i++)
		if (json_equal(&member->key, versions[i]) &&
			(member->value.kind == '0' || member->value.kind == '"'))
			k->version[i] =
				arena_strndup(p->arena, member->value.at, member->value.size);
}

/* A program that keeps a description of itself in the trace ("metadata") has the version inside of
 * it: the member torch_version is that of torch.utils.collect_env. */
static void read_described(struct profile *p, const struct json_member *member)
{
	if (!p->facts.framework && json_equal(&member->key, "torch_version"))
		set_framework(p, &member->value);
}

void kineto_facts_member(
	struct kineto_facts *k, struct profile *p, const struct json_member *member)
{
	source_facts_said(p, member);
	if (json_equal(&member->key, "distributedInfo") && member->value.kind == '{')
		read_distributed(k, p, &member->value);
	else if (json_equal(&member->key, "deviceProperties") && member->value.kind == '[')
		read_devices(p, &member->value);
	else if (json_equal(&member->key, "metadata") && member->value.kind == '{')
		source_facts_inside(p, &member->value, read_described);
	else
		read_fact(k, p, member);
}

/* The events that PyTorch's own code records around launches, by the names that it gives them. */

enum host {
	HOST_OP,
	HOST_ANNOTATION, /* record_function */
	HOST_FRAME,	 /* of Python */
};

static enum host_phase phase_of(const struct trace_event *event, enum host what, bool *covers)
{
	const struct json_value *name = &event->name;
	const enum host_phase phase = host_phase_of_name(name->at, name->size, covers);

	if (phase != PHASE_NONE || what == HOST_FRAME)
		return phase;
	if (what != HOST_OP)
		return host_phase_of_words(name->at, name->size);
	/* The functions of the backward pass name the thread of their forward pass (from 1), and
	 * ops that autograd records have a number in its sequence. Files without these numbers have
	 * the names. */
	struct json_value thread = trace_arg(event, "Fwd thread id"),
			  sequence = trace_arg(event, "Sequence number");
	uint64_t number;

	if ((json_unsigned(&thread, &number) && number > 0) ||
		host_is_backward_function(event->name.at, event->name.size)) {
		*covers = true;
		return PHASE_BACKWARD;
	}
	return json_unsigned(&sequence, &number) ? PHASE_FORWARD : PHASE_NONE;
}

/* Old writers have one category for ops and annotations. */
static enum host host_of(const struct trace_event *event, bool is_frame)
{
	static const char *const annotation[] = {"user_annotation", NULL};
	static const char *const either[] = {"operator", NULL};

	if (is_frame)
		return HOST_FRAME;
	if (json_is_one_of(&event->category, annotation))
		return HOST_ANNOTATION;
	return json_is_one_of(&event->category, either) && event->name.size &&
			       memchr(event->name.at, '#', event->name.size)
		       ? HOST_ANNOTATION
		       : HOST_OP;
}

void kineto_settle_phases(struct trace *t, unsigned phases)
{
	if ((phases & 1u << PHASE_FORWARD) || !(phases & 1u << PHASE_BACKWARD))
		eventlog_drop_guesses(trace_log(t));
}

bool kineto_is_serving_step(const struct trace_event *event)
{
	return host_is_serving_step(event->name.at, event->name.size) &&
	       host_of(event, false) == HOST_ANNOTATION;
}

/* Phase of an op without any word of it: a guess that it is of the forward pass. */
static bool label_phase(struct trace *t, const struct trace_event *event, enum host what,
	unsigned *phases, struct event *out)
{
	bool covers = false;
	enum host_phase phase = phase_of(event, what, &covers);
	const char *name;

	*phases |= 1u << phase;
	if (phase == PHASE_NONE && (what != HOST_OP || !json_begins(&event->name, "aten::")))
		return false;
	out->flags |= covers ? EVENT_COVERS : 0;
	name = host_phase_name(phase == PHASE_NONE ? PHASE_FORWARD : phase);
	out->label = eventlog_op(trace_log(t), name, strlen(name), "", 0) |
		     (phase == PHASE_NONE ? EVENT_GUESSED_LABEL : 0);
	return true;
}

int kineto_label(struct trace *t, const struct trace_event *event, bool is_frame, unsigned *phases,
	struct event *out, struct error *err)
{
	const enum trace_rows rows = trace_read_options(t)->trace.rows;
	int is_label = 0;
	enum host what;

	if (!trace_rows_are_launchers(rows))
		return 0;
	what = host_of(event, is_frame);
	out->label = EVENT_OWN_LABEL;
	switch (rows) {
	case TRACE_ROWS_OPS:
	case TRACE_ROWS_SCOPES:
	case TRACE_ROWS_SOURCES:
		return 0;
	case TRACE_ROWS_SHAPES:
		if (!kineto_has_shapes(event))
			break;
		/* fall through */
	case TRACE_ROWS_LAUNCHERS:
		is_label = what != HOST_FRAME &&
			   json_is_one_of(&event->category,
				   (const char *const[]){"cpu_op", "operator", NULL}) &&
			   !json_begins(&event->name, PROFILER_STEP);
		break;
	case TRACE_ROWS_ANNOTATIONS:
		is_label = what == HOST_ANNOTATION && !json_begins(&event->name, PROFILER_STEP);
		break;
	case TRACE_ROWS_MODULES:
		is_label = what == HOST_FRAME && host_is_module(event->name.at, event->name.size);
		break;
	case TRACE_ROWS_PHASES:
		is_label = label_phase(t, event, what, phases, out);
		break;
	case TRACE_ROWS_STACKS:
		if (what == HOST_FRAME)
			is_label = trace_is_user_code(t, &event->name, err);
		break;
	}
	if (is_label > 0)
		out->flags |= EVENT_LABELLED;
	return is_label;
}

int kineto_add_autograd(struct trace *t, const struct trace_event *event,
	const struct event *placed, struct error *err)
{
	static const char *const names[] = {"Sequence number", "Fwd thread id"};
	const enum trace_rows rows = trace_read_options(t)->trace.rows;
	struct event part = {.kind = EVENT_FORWARD,
		.flags = EVENT_LABELLED,
		.start_ps = placed->start_ps,
		.dur_ps = placed->dur_ps,
		.lane = placed->lane,
		.op = placed->op,
		.type = placed->type};
	struct json_value value[2];
	uint64_t thread;

	if (rows != TRACE_ROWS_MODULES && rows != TRACE_ROWS_STACKS)
		return 0;
	trace_args(event, names, value, 2);
	if (!json_unsigned(&value[0], &part.link))
		return 0;
	if (json_unsigned(&value[1], &thread) && thread > 0) {
		part.kind = EVENT_BACKWARD;
		part.bytes = (int64_t)(thread & INT64_MAX);
	}
	return eventlog_add(trace_log(t), &part, err);
}

/* Collectives in PyTorch traces: kernels of NCCL and its relatives, with the facts about the call
 * in their args or in those of the op record_param_comms, and the annotations of gloo on hosts. */

/* The libraries have "ccl" in the names of their kernels; also by the category that some devices
 * have for it. */
bool kineto_is_device_collective(const struct trace_event *event)
{
	static const char *const categories[] = {"collective_comm", NULL};

	for (size_t i = 0; i + 3 <= event->name.size; i++) {
		const char *c = event->name.at + i;

		if ((c[0] | 0x20) == 'c' && (c[1] | 0x20) == 'c' && (c[2] | 0x20) == 'l')
			return true;
	}
	return json_is_one_of(&event->category, categories);
}

/* Reads the collective that the event describes; false: it describes none. Text of `group`: name of
 * the group and, since each process may number its groups by itself, the ranks in it. */
static bool read_collective(
	const struct trace_event *event, struct text *group, struct log_collective *out)
{
	static const char *const names[] = {
		"Collective name", "Process Group Name", "Process Group Ranks", "Seq"};
	struct json_value value[4];

	trace_args(event, names, value, 4);
	if (value[0].kind == 0)
		return false;
	if (value[1].kind)
		json_add_text(group, &value[1]);
	if (value[1].kind && value[2].kind) {
		text_add(group, " ");
		json_add_text(group, &value[2]);
	}
	*out = (struct log_collective){
		.is_of_all = device_work_is_of_all(value[0].at, value[0].size),
		.group = text_string(group),
		.group_size = group->size};
	if (!json_integer(&value[3], &out->sequence))
		out->sequence = COLLECTIVE_UNKNOWN;
	return true;
}

/* A kernel of a library for communication: since 2024 it says itself which collective it is, in
 * between only the op that launched it does. */
void kineto_device_collective(struct trace *t, const struct trace_event *event, struct event *to)
{
	struct eventlog *log = trace_log(t);
	struct log_collective collective;
	struct json_value id;
	struct text group;
	uint64_t number;

	text_init(&group);
	to->bytes_kind = BYTES_COLLECTIVE;
	if (read_collective(event, &group, &collective)) {
		to->bytes = eventlog_collective(log, &collective);
	} else {
		id = trace_arg(event, "External id");
		to->bytes = eventlog_collective_of_id(json_unsigned(&id, &number) ? number : 0,
			device_work_is_of_all(event->name.at, event->name.size));
	}
	text_release(&group);
}

/* A call on processors: gloo's own threads draw it from its start to its result. */
bool kineto_is_host_collective(const struct trace_event *event)
{
	static const char *const annotations[] = {"user_annotation", NULL};

	return json_begins(&event->name, "gloo:") &&
	       json_is_one_of(&event->category, annotations) &&
	       device_work_is_of_all(event->name.at, event->name.size);
}

void kineto_host_collective(struct trace *t, struct event *to)
{
	const struct log_collective collective = {
		.is_of_all = true, .sequence = COLLECTIVE_UNKNOWN};

	to->bytes_kind = BYTES_COLLECTIVE;
	to->bytes = eventlog_collective(trace_log(t), &collective);
}

void kineto_describe_collective(struct trace *t, const struct trace_event *event)
{
	struct log_collective collective;
	struct json_value id = trace_arg(event, "External id");
	struct text group;
	uint64_t number;

	if (!json_unsigned(&id, &number))
		return;
	text_init(&group);
	if (read_collective(event, &group, &collective))
		eventlog_describe_id(trace_log(t), number, &collective);
	text_release(&group);
}
