/*
 * The rows of a job's ops for readers, which ask for them on several threads while they read.
 */
#ifndef STEPSTAT_PIPELINE_ROW_NAMER_H
#define STEPSTAT_PIPELINE_ROW_NAMER_H

#include "base/arena.h"
#include "pipeline/settings.h"

struct row_namer;

/* Namer in the arena; the settings outlive it. NULL: the settings make a row of each op, or rows
 * that are not known while a trace is read (those of devices). */
struct row_namer *row_namer_new(const struct job_settings *settings, struct arena *arena);
/* Function for trace_options.row_of: the row in the arena, NULL: that of the op alone. Patterns
 * that cannot be matched are an error where rows are made. */
const char *row_namer_row(void *namer, const char *name, const char *type, struct arena *arena);

#endif
