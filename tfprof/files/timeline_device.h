/*
 * Meaning of the rows of a TensorFlow timeline, by the names of their processes.
 */
#ifndef STEPSTAT_TFPROF_FILES_TIMELINE_DEVICE_H
#define STEPSTAT_TFPROF_FILES_TIMELINE_DEVICE_H

#include <stdbool.h>
#include "base/text.h"
#include "ingest/chrome/trace.h"

enum timeline_row {
	ROW_HOST,   /* a device of the session: ops by when the CPU ran or scheduled them */
	ROW_WHOLE,  /* stream:all: what the device did */
	ROW_STREAM, /* one stream */
	ROW_COPY,   /* /memcpy */
	ROW_TRACER, /* /host:CPU: what the host tracer saw (tfprof/graph/host_trace.h) */
	ROW_OTHER,  /* a device that tfprof has no time for */
	ROW_UNNAMED,
	ROW_KINDS
};

/* The label that `stepstat timeline generate` puts before processes of several steps; false:
 * none. */
bool timeline_label(const char *process, struct text *label);
/* Device in lower case, "" when the process is none. */
enum timeline_row timeline_device(const char *process, struct text *device);

/* Sets devices, kinds of time and what is skipped of all lanes: tfprof's rules for the same devices
 * (tfprof/graph/step_stats.h). Rows of streams and copies count where the device has no stream:all.
 * Both get events (`events`: by lane) added by kind of row: those left out, and those that count.
 */
void timeline_devices(struct trace *t, const uint64_t *events, size_t count,
	uint64_t skipped[ROW_KINDS], uint64_t counted[ROW_KINDS]);

#endif
