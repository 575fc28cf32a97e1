/*
 * Conditions of the machine that make runs hard to compare, as far as they can be read without
 * rights. Files are below `root`, which is "". It judges nothing.
 */
#ifndef STEPSTAT_AB_MACHINE_H
#define STEPSTAT_AB_MACHINE_H

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

#endif
