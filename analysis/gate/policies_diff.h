/* Changes that another file of policies would make: for a gate that takes its policies from the
 * base branch. It decides nothing. */
#pragma once

#include "analysis/gate/policies.h"
#include "base/text.h"

/* Adds `margin 2% -> 50%, 1 policy added or changed, order of policies changed`; nothing where
 * both say the same in the same order. */
void policies_diff(const struct policies *in_force, const struct policies *other, struct text *out);
