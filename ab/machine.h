/*
 * Conditions of the machine that make runs hard to compare, as far as they can be read without
 * rights. It judges nothing.
 */
#ifndef STEPSTAT_AB_MACHINE_H
#define STEPSTAT_AB_MACHINE_H

#include <stdint.h>
#include "base/arena.h"

double machine_load(void);	/* of the last minute; NaN: not known */
double machine_clock_mhz(void); /* mean over the processors now; NaN: not known */
int64_t machine_processors(void);
int64_t machine_throttled(void); /* times that a core was, since the start; 0: not known */
/* "performance", "powersave"; NULL: not known. In the arena. */
const char *machine_governor(struct arena *arena);

#endif
