/*
 * A value as tfprof prints it, for --as-printed: the notebook read rounded text. It formats nothing
 * else.
 */
#ifndef STEPSTAT_PIPELINE_TFPROF_DIGITS_H
#define STEPSTAT_PIPELINE_TFPROF_DIGITS_H

#include "model/measure.h"

/* `value` in base units (ps, bytes) as the sheet would read it from tfprof's text; context is the
 * settings (kilobyte). */
double tfprof_digits_round(const void *context, enum measure_id id, double value);
/* The same for a value that was read from tfprof's text: its reader has taken care of MB, and KB
 * stay; what is left are bytes, x / 1024 KB of which need not be whole. */
double tfprof_digits_rescale(const void *context, enum measure_id id, double value);

#endif
