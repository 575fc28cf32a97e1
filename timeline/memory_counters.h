/*
 * The memory of a step: when each tensor is freed, and the bytes of each allocator over time.
 */
#ifndef STEPSTAT_TIMELINE_MEMORY_COUNTERS_H
#define STEPSTAT_TIMELINE_MEMORY_COUNTERS_H

#include "timeline/tensors.h"

/* Writes a "D" event for each tensor and the "C" events of each allocator, these to the process
 * `pid`. */
void memory_counters_write(struct json_writer *json, const struct tensor_table *table, int64_t pid);

#endif
