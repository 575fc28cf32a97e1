/* Facts of a PyTorch trace about its recording: process, devices, driver, framework. It reads no
 * events. */
#pragma once

#include "ingest/chrome/trace.h"
#include "ingest/json/json_table.h"
#include "model/profile.h"

enum kineto_version {
	KINETO_CUDA_DRIVER,
	KINETO_CUDA_RUNTIME,
	KINETO_HIP_DRIVER,
	KINETO_HIP_RUNTIME,
	KINETO_VERSIONS
};

/* All zero: nothing is known. Texts are in the arena of the profile. */
struct kineto_facts {
	bool has_rank;
	uint64_t rank;
	const char *version[KINETO_VERSIONS]; /* NULL: not in the file */
};

/* A member of the file that is not its events; sets facts of the profile. */
void kineto_facts_member(
	struct kineto_facts *facts, struct profile *profile, const struct json_member *member);
/* Sets the facts that take several members together; call it after the last member. */
void kineto_facts_finish(const struct kineto_facts *facts, struct profile *profile);

/* Roles of an event of a PyTorch trace besides that of an op: launcher of work of a device, for the
 * rows that the user chose, and call of a collective. */

/* True if the annotation marks a step of an inference server (vLLM, SGLang). */
bool kineto_is_serving_step(const struct trace_event *event);

/* Sets flags and label of an event of the host, or of a frame of Python, where it is such a
 * launcher. 1: it is, 0: it is not, -1. *phases: a bit for each enum host_phase that was found. */
int kineto_label(struct trace *t, const struct trace_event *event, bool is_frame, unsigned *phases,
	struct event *out, struct error *err);
/* Says which op of the forward pass, and which of the backward pass, belong together, where rows
 * are of what was around the forward op. `placed`: the event as an op. */
int kineto_add_autograd(struct trace *t, const struct trace_event *event,
	const struct event *placed, struct error *err);
/* Keeps the guess that ops without a word of their phase are the forward pass only in a file that
 * has a backward pass and names no forward pass. */
void kineto_settle_phases(struct trace *t, unsigned phases);

/* True if the event of a device, or of the host, is a call of a collective, by name and category.
 */
bool kineto_is_device_collective(const struct trace_event *event);
bool kineto_is_host_collective(const struct trace_event *event);
/* Sets bytes and their kind for such a call. */
void kineto_device_collective(struct trace *t, const struct trace_event *event, struct event *to);
void kineto_host_collective(struct trace *t, struct event *to);
/* The event is record_param_comms: it describes the kernel that it launches. */
void kineto_describe_collective(struct trace *t, const struct trace_event *event);
