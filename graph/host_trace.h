/*
 * What TensorFlow's host tracer (1.14 and later) puts into a step under the device /host:CPU:
 * iterators of tf.data, kernels, calls of the runtime, each with its thread. It says what their
 * names mean and which of them are nested in which. It does not know files and adds nothing up.
 */
#ifndef STEPSTAT_GRAPH_HOST_TRACE_H
#define STEPSTAT_GRAPH_HOST_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"

/* What readers tell of them: code and text of the issues. */
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

/* Is it the host tracer's, /host:CPU? In any case. */
bool device_is_host_trace(const char *name, size_t n);

/* Length of the op's name in the name of an execution: all before the first ':' that has no ':'
 * beside it and no blank after it. "Iterator::Model::Map" is whole, "map/Cast:Cast" is "map/Cast".
 */
size_t host_trace_name(const char *name, size_t n);
/* What is known of the type: "Iterator::Map" of the iterator "Iterator::Model::Map[0]", "Cast" of
 * "map/Cast:Cast", else "". */
void host_trace_type(const char *name, size_t n, struct text *type);

struct host_span {
	const char *name; /* of the op */
	size_t name_size;
	uint32_t thread;
	size_t id;	    /* the caller's */
	int64_t start, dur; /* dur >= 0, and the end fits */
	int64_t own;	    /* set: without the spans directly in it */
};

/* Sets `own` of all, and orders them. With threads, a span is in the innermost one around it on its
 * thread. Without, an iterator is in the innermost iterator around it that its name says is above
 * it, unless one of those between, or that one, asks for its input on threads of its own (Prefetch,
 * ParallelMap ...); another span is in the iterator around it when iterators of one chain only are
 * open. Times are multiples of `tick` and cut off there: an end one tick late is still inside. */
void host_trace_nest(struct host_span *span, size_t count, bool threads, int64_t tick);

#endif
