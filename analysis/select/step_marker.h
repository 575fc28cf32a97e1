/*
 * Pattern of the user for slices of a trace that are steps: --step-marker=REGEX. It knows no
 * traces.
 */
#ifndef STEPSTAT_ANALYSIS_SELECT_STEP_MARKER_H
#define STEPSTAT_ANALYSIS_SELECT_STEP_MARKER_H

#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/error.h"

struct step_marker;

/* Makes the marker in the arena; a bad pattern is ERROR_USAGE. */
struct step_marker *step_marker_new(const char *pattern, struct arena *arena, struct error *err);
/* 1: the name is that of a step, 0: it is not, -1: the pattern reached PCRE2's limits. *numbered:
 * its first capture group is a whole number, the step's. `marker` is a struct step_marker; many
 * threads may ask at once. */
int step_marker_match(
	void *marker, const char *name, bool *numbered, int64_t *number, struct error *err);

#endif
