/*
 * A value as tfprof prints it, for --as-printed: the notebook read rounded text.
 */
#ifndef STEPSTAT_PIPELINE_TFPROF_DIGITS_H
#define STEPSTAT_PIPELINE_TFPROF_DIGITS_H

#include "model/measure.h"

/* The value, in base units (ps, bytes), that the sheet would read from tfprof's text. context
 * is a struct job_settings (kilobyte). */
double tfprof_digits_round(const void *context, enum measure_id id, double value);
/* The same for a value that was read from tfprof's text. Its reader has converted MB, and KB
 * stay; only values below 1 KB are converted here, to x / 1024 KB. */
double tfprof_digits_rescale(const void *context, enum measure_id id, double value);

#endif
