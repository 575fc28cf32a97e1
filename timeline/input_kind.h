/*
 * What the parts of `stepstat timeline` ask for, and what they say of an input of another kind:
 * what it is, what was expected, and how to come from the one to the other.
 */
#ifndef STEPSTAT_TIMELINE_INPUT_KIND_H
#define STEPSTAT_TIMELINE_INPUT_KIND_H

#include "ingest/reader.h"

/* Is it JSON, as every Chrome trace is? -1: no, with what it is instead. */
int expect_trace(const struct probe *probe, struct error *err);
/* Is it RunMetadata? -1: no, with what it is instead. */
int expect_run_metadata(const struct probe *probe, struct error *err);

#endif
