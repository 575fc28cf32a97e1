/* --explain-inputs: which files make which run, which were not read, and every issue. */
#pragma once

#include "cli/options/settings.h"
#include "pipeline/two_sides.h"

int explain_inputs(const struct settings *settings, const struct side *side, struct error *err);
/* The same for both sides of a comparison. */
int explain_sides(
	const struct settings *settings, const struct two_sides *sides, struct error *err);
