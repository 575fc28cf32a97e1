/* Sessions of runs: runs of one machine recorded in one go, whose values are alike for reasons that
 * are gone the next day (clock, heat, neighbours, memory layout). By facts and starts alone. */
#pragma once

#include "model/cube.h"

/* Runs of one machine whose starts are further apart are of two sessions, where no fact `session`
 * says otherwise. A gap that is too large joins sessions, which makes a gate less sure; one that is
 * too small cuts one into several, which makes it wrong. */
#define SESSION_GAP_NS INT64_C(3600000000000) /* 1 h */

/* The start of a run in ns since 1970: its fact `start`, else the first start of its steps. False:
 * not known. */
bool run_start(const struct cube *cube, size_t run, int64_t *ns);

/* Sets session[run], from 0 in order of the first run of each, and returns how many there are. Runs
 * that name a session are of one if they name the same one and the same machine. Of the others
 * those of one machine are sorted by start, and a gap begins a session; those whose start is not
 * known are one session for each machine. */
size_t sessions_find(const struct cube *cube, uint32_t *session);
