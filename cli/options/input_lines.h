/* Settings and rules in force, with the place that each comes from, as lines of a table. */
#pragma once

#include "cli/options/settings.h"
#include "report/document/extra_tables.h"

/* Rules (what: "rule"), then options ("option"); `given`: only options that somebody gave and that
 * change what is in a report, not where it is written. In the arena. */
const struct input_line *input_lines_of_settings(
	const struct settings *settings, bool given, struct arena *arena, size_t *count);

/* Adds the tables of documents that explain themselves (report/document/extra_tables.h), where such
 * a document is among the outputs. */
void input_lines_add_extra(const struct settings *settings, struct report *report,
	const struct extra_side *side, size_t sides);
