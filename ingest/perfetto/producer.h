/*
 * Values that a producer leaves out of its Perfetto traces, and names that show the producer.
 */
#ifndef STEPSTAT_INGEST_PERFETTO_PRODUCER_H
#define STEPSTAT_INGEST_PERFETTO_PRODUCER_H

#include "ingest/perfetto/args.h"

/* The name of the reader whose dialect the packet is of, by names in it; NULL: nothing shows. */
const char *pf_reader_of(const struct pf_packet *packet);

/* PyTorch writes no categories into Perfetto traces (2.15, torch/profiler/_cupti_monitor): that of
 * a slice by its args, its name and its thread, as the profiler's JSON has it. `args`: of the
 * slice. Kind 0: nothing shows it. */
struct json_value pf_pytorch_category(
	struct pf_args *args, const struct json_value *name, const struct json_value *thread_name);

#endif
