/* Inputs of `stepstat timeline`: checks of their kind, where the error for another kind says what
 * the input is, what was expected, and which command turns the one into the other; and the labels
 * of steps. */
#pragma once

#include <stddef.h>
#include "ingest/reader.h"
#include "base/arena.h"

/* Returns 0 for a Chrome trace (any JSON) or a Perfetto trace, or -1 with the kind that the input
 * is instead. */
int expect_trace(const struct probe *probe, struct error *err);
/* Returns 0 for RunMetadata, or -1 with the kind that the input is instead. */
int expect_run_metadata(const struct probe *probe, struct error *err);

/* ---- The words before the names of processes when several steps share a trace: "step 12
 * (run_meta_12)", or the file's name alone where it has no number. The form is documented in
 * doc/timelines.md ---- */

/* Labels of all files, in the arena: with their paths where two of them have the same name. One
 * file alone has no label: NULL. */
const char **step_labels(const char *const *paths, size_t count, struct arena *arena);
