/* The machine that a run belongs to, for commands that record runs or judge them by recorded
 * ones. */
#pragma once

#include "base/arena.h"
#include "model/facts/facts.h"

/* The machine that the facts name, else this one with the devices that they name. facts: NULL:
 * none. In the arena. */
const char *store_machine(const struct facts *facts, struct arena *arena);
