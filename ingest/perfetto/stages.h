/* Work of a device as a Perfetto trace has it beside its tracks: GpuRenderStageEvent, a kernel or a
 * copy on a queue, with its duration. */
#pragma once

#include "ingest/perfetto/args.h"

struct pf_stages;

struct pf_stages *pf_stages_new(void);
void pf_stages_free(struct pf_stages *stages); /* NULL is fine */

/* Fills name, category, process, thread and duration of the event, and its args; the texts are
 * valid until the next pf_args_begin. Names of kinds of work and of args are those of PyTorch's
 * JSON. The lane is the device's number and that of the stream, or the name of the queue. False:
 * damaged. */
bool pf_stage_event(struct pf_stages *stages, struct pf_bytes bytes, const struct pf_names *names,
	struct pf_args *args, struct trace_event *event);
