/*
 * The names that programs give to the ranges that they draw around their steps, when no option says
 * which they are.
 */
#ifndef STEPSTAT_INGEST_DATABASE_STEP_NAMES_H
#define STEPSTAT_INGEST_DATABASE_STEP_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "step 12", "ProfilerStep#12", "Iteration: 12", "iter_12", "train step 12", "batch 12/100";
 * without a number "step", "iteration", "train_step" and their kind, in upper or lower case. */
bool step_name(const char *name, size_t n, bool *numbered, int64_t *number);

#endif
