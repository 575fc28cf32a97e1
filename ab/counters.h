/* Events that the processor or the kernel counts over a process and all that it starts, where the
 * system allows it. It knows no commands. */
#pragma once

#include <stdint.h>

/* As in perf_event_attr. */
struct counted_event {
	uint32_t type;
	uint64_t config;
};

enum command_count { COUNT_INSTRUCTIONS, COUNT_CYCLES, COMMAND_COUNTS };

/* Instructions and cycles in user space. */
extern const struct counted_event counters_of_processor[COMMAND_COUNTS];

/* Counts from the next exec of a child of this thread on, in it and in what it starts. The
 * descriptor; -1: not possible, and errno says why. */
int counter_open(const struct counted_event *event);
/* Ends it; all that was counted has to be waited for. -1: not counted, or not all the time. */
int64_t counter_close(int counter);
