/*
 * stepstat timeline: Chrome traces. Its parts are listed in timeline.def; each is a file
 * cli/timeline_NAME.c.
 */
#include "cli/options/command.h"

#define TIMELINE(name) extern const struct command command_timeline_##name;
#include "cli/timeline.def"
#undef TIMELINE

#define TIMELINE(name) &command_timeline_##name,
static const struct command *const parts[] = {
#include "cli/timeline.def"
	NULL};
#undef TIMELINE

const struct command command_timeline = {
	.name = "timeline",
	.arguments = "COMMAND",
	.summary = "Chrome traces (chrome://tracing, Perfetto) of recorded steps",
	.examples = "  stepstat timeline generate run_meta_100 -o timeline.json\n",
	.part = parts,
};
