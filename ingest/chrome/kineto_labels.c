/*
 * The events that PyTorch's own code records around launches, by the names that it gives them.
 */
#include "ingest/chrome/kineto_labels.h"

#include <string.h>

#define STEP_PREFIX "ProfilerStep#"
#define VLLM_STEP_PREFIX "execute_context_" /* vllm/v1/worker/gpu_worker.py, annotate_profile() */
#define SGLANG_STEP_PREFIX "step["  /* sglang/srt/utils/profile_utils.py, build_step_span_name() */
#define MODULE_PREFIX "nn.Module: " /* torch/csrc/autograd/profiler_python.cpp */

enum host {
	HOST_OP,
	HOST_ANNOTATION, /* record_function */
	HOST_FRAME,	 /* of Python */
};

enum phase { PHASE_NONE, PHASE_FORWARD, PHASE_BACKWARD, PHASE_OPTIMISER, PHASE_INPUT };

static const char *const phase_names[] = {"", "forward", "backward", "optimiser", "input"};

/* All that is launched within has the phase of one that covers: autograd's recomputed forward is a
 * part of the backward pass. An optimiser's step does not cover: it may call a closure with a whole
 * training step. */
static const struct {
	const char *prefix;
	enum phase phase;
	bool covers;
} known[] = {
	/* torch/csrc/autograd/engine.cpp, evaluate_function() and call_function() */
	{"autograd::engine::evaluate_function", PHASE_BACKWARD, true},
	{"torch::autograd::AccumulateGrad", PHASE_BACKWARD, true},
	/* torch/optim/optimizer.py, profile_hook_step() and zero_grad() */
	{"Optimizer.step#", PHASE_OPTIMISER, false},
	{"Optimizer.zero_grad#", PHASE_OPTIMISER, true},
	/* torch/utils/data/dataloader.py, _BaseDataLoaderIter */
	{"enumerate(DataLoader)", PHASE_INPUT, true},
	{VLLM_STEP_PREFIX, PHASE_FORWARD, false},
	{SGLANG_STEP_PREFIX, PHASE_FORWARD, false},
	{MODULE_PREFIX, PHASE_FORWARD, false},
};

static bool begins(const struct json_value *name, const char *prefix)
{
	const size_t size = strlen(prefix);

	return name->size >= size && memcmp(name->at, prefix, size) == 0;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Is it a word of the name? "## forward ##" and "DistributedDataParallel.forward", not
 * "forward_backward". */
static bool has_word(const struct json_value *name, const char *word)
{
	const size_t size = strlen(word);

	for (size_t i = 0; i + size <= name->size; i++)
		if (memcmp(name->at + i, word, size) == 0 &&
			(i == 0 || !is_letter(name->at[i - 1])) &&
			(i + size == name->size || !is_letter(name->at[i + size])))
			return true;
	return false;
}

/* Numbers that autograd gives: the functions of the backward pass name the thread of their forward
 * pass (from 1), and ops that autograd records have a number in its sequence. */
static enum phase phase_of_op(const struct trace_event *event, bool *covers)
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

static enum phase phase_of(const struct trace_event *event, enum host what, bool *covers)
{
	*covers = false;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (begins(&event->name, known[i].prefix)) {
			*covers = known[i].covers;
			return known[i].phase;
		}
	if (what == HOST_FRAME)
		return PHASE_NONE;
	if (what == HOST_OP)
		return phase_of_op(event, covers);
	if (has_word(&event->name, "forward"))
		return PHASE_FORWARD;
	return has_word(&event->name, "backward") ? PHASE_BACKWARD : PHASE_NONE;
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
	return (begins(&event->name, VLLM_STEP_PREFIX) ||
		       begins(&event->name, SGLANG_STEP_PREFIX)) &&
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
	enum phase phase;
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
		is_label = what == HOST_FRAME && begins(&event->name, MODULE_PREFIX);
		break;
	case TRACE_ROWS_PHASES:
		phase = phase_of(event, what, &covers);
		is_label = phase != PHASE_NONE;
		if (is_label)
			out->label = eventlog_op(trace_log(t), phase_names[phase],
				strlen(phase_names[phase]), "", 0);
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
