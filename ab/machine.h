/* Conditions of the machine that make runs hard to compare, as far as they can be read without
 * rights. Files are below `root`, which is "". It judges nothing. */
#pragma once

#include <stdint.h>
#include "base/arena.h"

double machine_load(void);		    /* of the last minute; NaN: not known */
double machine_clock_mhz(const char *root); /* mean over the processors now; NaN: not known */
int64_t machine_processors(void);
int64_t machine_throttled(
	const char *root); /* times that a core was, since the start; 0: not known */
/* "performance", "powersave"; NULL: not known. In the arena. */
const char *machine_governor(const char *root, struct arena *arena);
/* Other processes that have a device open (CUDA, of the same user; ROCm); percent that the busiest
 * one was at work just now, which includes what this process's commands did. 0: not known. */
int64_t machine_device_users(const char *root);
int64_t machine_device_busy(const char *root);

/* Key of a machine, of what stays when it is started again: model and number of its processors, its
 * memory, models of its accelerators. No names of hosts, no clocks, nothing of a container:
 * "AMD EPYC 7763 64-Core Processor, 4 processors, 16 GB, 2 x NVIDIA A100". In the arena. */
const char *machine_key(const char *root, struct arena *arena);
/* The next size in GB that memories have, 4 to 7 times a power of two: what the system reports is
 * less than what is built in, by some MB more or less at each start. */
int64_t machine_memory_gb(int64_t kilobytes);
