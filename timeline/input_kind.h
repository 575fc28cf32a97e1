/*
 * Checks the kind of an input of `stepstat timeline`. The error for another kind says what the
 * input is, what was expected, and which command turns the one into the other.
 */
#ifndef STEPSTAT_TIMELINE_INPUT_KIND_H
#define STEPSTAT_TIMELINE_INPUT_KIND_H

#include "ingest/reader.h"

/* Is it JSON, as every Chrome trace is? -1: no, with what it is instead. */
int expect_trace(const struct probe *probe, struct error *err);
/* Is it RunMetadata? -1: no, with what it is instead. */
int expect_run_metadata(const struct probe *probe, struct error *err);

#endif
