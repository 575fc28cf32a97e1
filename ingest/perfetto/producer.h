/* Values that a producer leaves out of its Perfetto traces, and names that show the producer. */
#pragma once

#include "ingest/perfetto/args.h"
#include "ingest/perfetto/names.h"
#include "ingest/trace/trace_event.h"

/* The name of the reader whose dialect the packet is of, by names in it; NULL: nothing shows. */
const char *pf_reader_of(const struct pf_packet *packet);

/* PyTorch writes no categories into Perfetto traces (2.15, torch/profiler/_cupti_monitor): that of
 * a slice by its args, its name and its thread, as the profiler's JSON has it. `args`: of the
 * slice. Kind 0: nothing shows it. */
struct json_value pf_pytorch_category(
	struct pf_args *args, const struct json_value *name, const struct json_value *thread_name);

/* Facts of a Perfetto trace about itself by key (TraceAttributes). Members around the events of a
 * Chrome trace are there when it was made of one: their values are JSON. */

#define PF_ATTRIBUTE_MEMBER "chrome."	      /* in front of the key of such a member */
#define PF_ATTRIBUTE_READER "stepstat.reader" /* whose dialect the events are of */

struct pf_attribute {
	struct pf_bytes key, text;
	bool is_number;
	int64_t number;
};

/* One after the other; *at is 0 for the first. False after the last. */
bool pf_attributes_next(struct pf_bytes attributes, size_t *at, struct pf_attribute *attribute);
/* Hands each member of a Chrome trace over to the handler; those that are too long for it are only
 * counted. */
int pf_attributes_each(struct pf_bytes attributes, const struct trace_handler *handler,
	struct arena *scratch, uint64_t *long_members, struct error *err);
