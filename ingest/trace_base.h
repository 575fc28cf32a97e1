/*
 * Around which time a trace lies, found before it is read: one event with a stray time at its start must not push all others
 * out of the range that times are kept in.
 */
#ifndef STEPSTAT_INGEST_TRACE_BASE_H
#define STEPSTAT_INGEST_TRACE_BASE_H

#include "ingest/input.h"

/* The median of the starts ("ts") of the events at the beginning of the input, in us, without consuming any of it. *found is
 * false when there is none among its first 256 KB. */
int trace_base(struct input *in, int64_t *us, bool *found, struct error *err);

#endif
