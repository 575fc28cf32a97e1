/*
 * The events that PyTorch's own code records around launches, by the names that it gives them.
 */
#include "ingest/chrome/kineto_labels.h"

#include <string.h>
#include "ingest/trace/host_words.h"
#include "ingest/trace/step_names.h"

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
	if (phase == PHASE_NONE && (what != HOST_OP || !begins(&event->name, "aten::")))
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

	if (rows == TRACE_ROWS_OPS)
		return 0;
	what = host_of(event, is_frame);
	out->label = EVENT_OWN_LABEL;
	switch (rows) {
	case TRACE_ROWS_OPS:
		return 0;
	case TRACE_ROWS_LAUNCHERS:
		is_label = what != HOST_FRAME &&
			   json_is_one_of(&event->category,
				   (const char *const[]){"cpu_op", "operator", NULL}) &&
			   !begins(&event->name, PROFILER_STEP);
		break;
	case TRACE_ROWS_ANNOTATIONS:
		is_label = what == HOST_ANNOTATION && !begins(&event->name, PROFILER_STEP);
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
