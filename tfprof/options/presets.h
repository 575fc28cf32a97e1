/*
 * Sets of options that have a name in TensorFlow's interface for programs, today's and that of
 * 2017, as commands of the scope view. It parses no line.
 */
#ifndef STEPSTAT_TFPROF_OPTIONS_PRESETS_H
#define STEPSTAT_TFPROF_OPTIONS_PRESETS_H

#include "tfprof/options/options.h"

/* Name of the set at `index`, or NULL past the last. */
const char *tfprof_preset_name(size_t index);
/* False when there is no set of this name. Sets every option that says what is shown; the step, the
 * output and the file of the message stay as they are. */
bool tfprof_preset_apply(struct tfprof_options *options, const char *name, struct arena *arena);

#endif
