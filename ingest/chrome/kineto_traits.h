/* Traits of the events of PyTorch traces: what follows from name and category alone, so that it is
 * found once for each pair of them (struct trace_ahead). */
#pragma once

#include "ingest/trace/trace_event.h"

enum meaning {
	HOST_OP,
	HOST_CALL,  /* of the device's runtime: launches */
	HOST_FRAME, /* of Python */
	DEVICE_OP,
	DEVICE_COPY,
	DEVICE_PART, /* of work on a device: a transfer is an op only where something launched it */
	DEVICE_RANGE, /* in which counters of a device were read */
	DEVICE_NOTE,  /* an annotation, drawn around the kernels of a device */
	DEVICE_WAIT,
	OVERHEAD,
	AROUND, /* spans of the profiler itself */
};

/* Arguments by their place in kineto_ahead. */
enum kineto_asked { ASKED_ID, ASKED_CORRELATION, ASKED_PYTHON_ID };

/* Bits of the traits, besides the wanted arguments (lowest), the meaning and the enum launch_traits
 * of a call. */
#define KINETO_IS_STEP (1U << 8)
#define KINETO_IS_SERVING_STEP (1U << 9)
#define KINETO_IS_COLLECTIVE (1U << 10)
#define KINETO_IS_STREAM_WORK (1U << 11)
#define KINETO_IS_CHECKED (1U << 12) /* a call or an op that refers to something else */
#define KINETO_IS_PRODUCT (1U << 13) /* of matrices */
#define KINETO_MEANING_SHIFT 4
#define KINETO_LAUNCH_SHIFT 16

static inline enum meaning kineto_meaning(uint32_t traits)
{
	return (enum meaning)(traits >> KINETO_MEANING_SHIFT & 15);
}

extern const struct trace_ahead kineto_ahead;

/* Names of calls and ops that refer to something else. */
#define KINETO_EVENT_RECORD "cudaEventRecord"
#define KINETO_BACKWARD_FUNCTION "autograd::engine::evaluate_function:"
#define KINETO_COMM_PARAMS "record_param_comms"

/* True if the name is that of a ProfilerStep; *number: its number. */
bool kineto_step_number(const struct json_value *name, int64_t *number);
