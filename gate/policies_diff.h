/*
 * What another file of policies would change: for a gate that takes its policies from the base
 * branch. It decides nothing.
 */
#ifndef STEPSTAT_GATE_POLICIES_DIFF_H
#define STEPSTAT_GATE_POLICIES_DIFF_H

#include "base/text.h"
#include "gate/policies.h"

/* Adds `margin 2% -> 50%, policy "convolutions" changed, 1 waiver added`; nothing where both say
 * the same. */
void policies_diff(const struct policies *in_force, const struct policies *other, struct text *out);

#endif
