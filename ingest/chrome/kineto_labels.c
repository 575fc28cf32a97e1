/*
 * The events that PyTorch's own code records around launches, by the names that it gives them.
 */
#include "ingest/chrome/kineto_labels.h"

#include <string.h>
#include "ingest/trace/host_words.h"

#define STEP_PREFIX "ProfilerStep#"

enum host {
	HOST_OP,
	HOST_ANNOTATION, /* record_function */
	HOST_FRAME,	 /* of Python */
};

static bool begins(const struct json_value *name, const char *prefix)
{
	const size_t size = strlen(prefix);

	return name->size >= size && memcmp(name->at, prefix, size) == 0;
}

/* Numbers that autograd gives: the functions of the backward pass name the thread of their forward
 * pass (from 1), and ops that autograd records have a number in its sequence. */
static enum host_phase phase_of_op(const struct trace_event *event, bool *covers)
{
	struct json_value thread = trace_arg(event, "Fwd thread id"),
			  sequence = trace_arg(event, "Sequence number");
	uint64_t number;

	if (json_unsigned(&thread, &number) && number > 0) {
		*covers = true;
		return PHASE_BACKWARD;
	}
	return json_unsigned(&sequence, &number) ? PHASE_FORWARD : PHASE_NONE;
}

static enum host_phase phase_of(const struct trace_event *event, enum host what, bool *covers)
{
	const struct json_value *name = &event->name;
	const enum host_phase phase = host_phase_of_name(name->at, name->size, covers);

	if (phase != PHASE_NONE || what == HOST_FRAME)
		return phase;
	return what == HOST_OP ? phase_of_op(event, covers)
			       : host_phase_of_words(name->at, name->size);
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

bool kineto_is_serving_step(const struct trace_event *event)
{
	return host_is_serving_step(event->name.at, event->name.size) &&
	       host_of(event, false) == HOST_ANNOTATION;
}

/* Ops of the framework: not `cpu_instant_event`, nor what is not known. */
static bool is_op(const struct trace_event *event)
{
	return json_is_one_of(&event->category, (const char *const[]){"cpu_op", "operator", NULL});
}

int kineto_label(struct trace *t, const struct trace_event *event, bool is_frame, struct event *out,
	struct error *err)
{
	const enum trace_rows rows = trace_read_options(t)->trace.rows;
	int is_label = 0;
	bool covers = false;
	enum host_phase phase;
	enum host what;

	if (rows == TRACE_ROWS_OPS)
		return 0;
	what = host_of(event, is_frame);
	out->label = EVENT_OWN_LABEL;
	switch (rows) {
	case TRACE_ROWS_OPS:
		return 0;
	case TRACE_ROWS_LAUNCHERS:
		is_label = what != HOST_FRAME && is_op(event) && !begins(&event->name, STEP_PREFIX);
		break;
	case TRACE_ROWS_ANNOTATIONS:
		is_label = what == HOST_ANNOTATION && !begins(&event->name, STEP_PREFIX);
		break;
	case TRACE_ROWS_MODULES:
		is_label = what == HOST_FRAME && host_is_module(event->name.at, event->name.size);
		break;
	case TRACE_ROWS_PHASES:
		phase = phase_of(event, what, &covers);
		is_label = phase != PHASE_NONE;
		if (is_label)
			out->label = eventlog_op(trace_log(t), host_phase_name(phase),
				strlen(host_phase_name(phase)), "", 0);
		break;
	case TRACE_ROWS_STACKS:
		if (what == HOST_FRAME)
			is_label = trace_is_user_code(t, &event->name, err);
		break;
	}
	if (is_label > 0)
		out->flags |= EVENT_LABELLED | (covers ? EVENT_COVERS : 0);
	return is_label;
}
