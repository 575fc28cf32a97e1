/* Executions that TensorFlow's host tracer (1.14 and later) records in a step under the device
 * /host:CPU: iterators of tf.data, kernels, calls of the runtime, each with its thread. Here are
 * the meaning of their names and the nesting of executions, no files or sums. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"

/* Code and text of the issues that readers report. */
#define HOST_INSIDE_CODE "host-inside"
#define HOST_INSIDE_TEXT                                                                           \
	"executions of /host:CPU beside the session's devices: what an op of the session does or " \
	"waits for there is in both times"
#define HOST_REPEATED_CODE "host-repeated"
#define HOST_REPEATED_TEXT                                                                         \
	"executions of /host:CPU of ops that a device of the session has, too, left out"
#define HOST_THREADS_CODE "host-threads"
#define HOST_THREADS_TEXT                                                                          \
	"executions of /host:CPU without threads: names and times tell what is nested in what"
#define HOST_UNTIMED_CODE "host-untimed"
#define HOST_UNTIMED_TEXT                                                                          \
	"executions on /host:CPU (iterators, input pipeline) whose times a dump of TensorFlow's "  \
	"profiler does not hold, left out: RunMetadata and timelines of the same steps have them"

/* True if it is the device of the host tracer, /host:CPU, in upper or lower case. */
bool device_is_host_trace(const char *name, size_t n);

/* Length of the op's name in the name of an execution: all before the first ':' that has no ':'
 * beside it and no blank after it. "Iterator::Model::Map" is whole, "map/Cast:Cast" is "map/Cast".
 */
size_t host_trace_name(const char *name, size_t n);
/* The type as far as the name shows it: "Iterator::Map" of the iterator "Iterator::Model::Map[0]",
 * "Cast" of "map/Cast:Cast", else "". */
void host_trace_type(const char *name, size_t n, struct text *type);

struct host_span {
	const char *name; /* of the op */
	size_t name_size;
	uint32_t thread;
	size_t id;	    /* the caller's */
	int64_t start, dur; /* dur >= 0, and the end fits */
	int64_t own;	    /* set: without the spans directly in it */
};

/* Sets `own` of all spans, and sorts them. With threads, a span is nested in the innermost one
 * around it on its thread. Without threads, an iterator is nested in the innermost iterator around
 * it that is above it by name, unless that one or one between them requests its input on threads of
 * its own (Prefetch, ParallelMap ...); any other span is nested in the iterator around it when only
 * iterators of one chain are open. Times are cut off to multiples of `tick`: an end one tick late
 * is still inside. */
void host_trace_nest(struct host_span *span, size_t count, bool threads, int64_t tick);
