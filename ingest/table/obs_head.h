/* The facts of a container of observations (.obs), without the rest of the file: what a list of
 * many runs needs. */
#pragma once

#include "base/error.h"
#include "model/facts/facts.h"

/* Facts that all recordings in the file state alike, in the arena. ERROR_INPUT: it is no such
 * file. */
int obs_head_read(const char *path, struct arena *arena, struct facts *facts, struct error *err);
