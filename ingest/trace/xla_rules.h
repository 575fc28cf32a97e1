/* Meaning of the names in a profile of XLA's profiler (of JAX, TensorFlow 2, PyTorch/XLA), in any
 * kind of file: processes that are devices, lines of a device that hold ops, kinds of events of the
 * host. Names of planes and lines are those of xla/tsl/profiler/utils/xplane_schema.h. The rules
 * know no files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/profile.h"

/* Some bytes of the source; not a string. */
struct xla_text {
	const char *at;
	size_t size;
};

bool xla_text_is(struct xla_text text, const char *word);

enum xla_plane { XLA_PLANE_UNKNOWN, XLA_PLANE_HOST, XLA_PLANE_DEVICE };

/* UNKNOWN: the name says nothing. */
enum xla_plane xla_plane_of(const char *process);
/* The plane that holds programs, which can be large, and no events. */
bool xla_is_programs_plane(const char *plane);
/* True if it is a line that only devices have. */
bool xla_is_device_line(const char *line);
/* The line that holds steps, and the one that holds executions of programs. */
bool xla_is_steps_line(const char *line);
bool xla_is_modules_line(const char *line);
/* True for lines of a device that hold the time of others once more, summed up by module, scope or
 * source, and for lines of asynchronous ops, which run beside. False for a line without a name. */
bool xla_is_derived(const char *process, const char *line);

/* Profiles of several hosts in one file name each process by its host: "node7 /device:TPU:0". */
void xla_read_host(struct profile *p, const char *process);
/* The profiler's own folders, one for a recording of all hosts: .../plugins/profile/DATE/HOST and
 * this ending. */
void xla_read_host_of_path(struct profile *p, const char *ending);

/* Kind of an event of the host by its name. */
enum xla_host_event {
	XLA_HOST_OP,
	XLA_HOST_FRAME,	    /* of Python */
	XLA_HOST_END,	    /* what the runtime does after an op, within its event */
	XLA_HOST_WAIT,	    /* time in which a thread of the runtime does nothing */
	XLA_HOST_ALLOCATED, /* a point in time with bytes */
	XLA_HOST_FREED,
};
enum xla_host_event xla_host_event_of(struct xla_text name);
/* Type of an op whose source has none: "hlo", "kernel", "gpu_memcpy", "gpu_memset" of a device; of
 * the host "host", or that of an op of TensorFlow, which is named name:Type. */
struct xla_text xla_device_type(struct xla_text name, bool is_hlo);
struct xla_text xla_host_type(struct xla_text name, bool is_hlo);
/* True if the event launches work of devices in its time: an op of TensorFlow, or a call of a
 * function that JAX has compiled. */
bool xla_name_launches(struct xla_text name);
/* Calls of computations are joined by "::", the op itself comes last. */
struct xla_text xla_last_op(struct xla_text hlo_op);
/* A number in digits, as events of the line of steps have for a name. */
bool xla_is_step_name(struct xla_text name, int64_t *number);
