/*
 * Checks the kind of an input of `stepstat timeline`. The error for another kind says what the
 * input is, what was expected, and which command turns the one into the other.
 */
#ifndef STEPSTAT_TIMELINE_INPUT_KIND_H
#define STEPSTAT_TIMELINE_INPUT_KIND_H

#include "ingest/reader.h"

/* Returns 0 for a Chrome trace (any JSON) or a Perfetto trace, or -1 with the kind that the input
 * is instead. */
int expect_trace(const struct probe *probe, struct error *err);
/* Returns 0 for RunMetadata, or -1 with the kind that the input is instead. */
int expect_run_metadata(const struct probe *probe, struct error *err);

#endif
