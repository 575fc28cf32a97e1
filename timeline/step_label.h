/*
 * The words before the names of processes when several steps share a trace: "step 12
 * (run_meta_12)", or the file's name alone where it has no number. The form is documented in
 * doc/timelines.md.
 */
#ifndef STEPSTAT_TIMELINE_STEP_LABEL_H
#define STEPSTAT_TIMELINE_STEP_LABEL_H

#include <stddef.h>
#include "base/arena.h"

/* Labels of all files, in the arena: with their paths where two of them have the same name. One
 * file alone has no label: NULL. */
const char **step_labels(const char *const *paths, size_t count, struct arena *arena);

#endif
