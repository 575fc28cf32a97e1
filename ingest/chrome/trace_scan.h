/* A Chrome trace as a stream of events: the container that TensorFlow, PyTorch, ONNX Runtime, JAX
 * and many others write. It knows the container (an array of events, or an object with
 * "traceEvents", or several of them one after the other), not what an event means. Memory does not
 * grow with the input, events may be written in any order of keys.
 *
 * Format: "Trace Event Format" (Google, 2016 and later); producers: doc/recipe-chrome.md.
 *
 * Defects are passed over and counted in the issues: no closing bracket, a cut end, missing and
 * trailing commas, quotes that are not escaped, control bytes, bytes that are not UTF-8, keys given
 * twice. An event that cannot be read is left out and counted; reading goes on with the next. */
#pragma once

#include "ingest/input/input.h"
#include "ingest/trace/trace_event.h"
#include "model/issue/issue.h"

/* Reads all of the input. A Perfetto trace is read as if it were a Chrome trace
 * (ingest/perfetto/pftrace_scan.h). ERROR_INPUT when it is not a trace at all, ERROR_LIMIT when an
 * event is longer than max_event_bytes (max-record). */
int trace_scan(struct input *in, const struct trace_handler *handler, struct issue_list *issues,
	size_t max_event_bytes, struct trace_totals *totals, struct error *err);
