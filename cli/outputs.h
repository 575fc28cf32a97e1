/*
 * No output replaces an input: before any file is opened, compares the outputs of a command with
 * its inputs and with each other.
 */
#ifndef STEPSTAT_CLI_OUTPUTS_H
#define STEPSTAT_CLI_OUTPUTS_H

#include "base/output/file_identity.h"
#include "cli/options/settings.h"
#include "ingest/find.h"
#include "tfprof/options/flags.h"

/* ERROR_USAGE when an output is an input or the same file as another output. A file in a folder
 * counts when a reader accepts it. */
int outputs_check(const struct settings *settings, struct error *err);
/* Records the inputs that are there now, for a job that writes its outputs again and again. */
void outputs_guard_again(const struct settings *settings);
/* True if a file of a folder would be replaced: it is one of these outputs, or in one. */
bool outputs_include(
	const struct file_identity *output, size_t count, const struct found_file *file);
/* The same for the words of tfprof; outputs that are typed at its prompt are checked when they are
 * opened. */
int outputs_check_tfprof(const struct tfprof_flags *flags, struct error *err);

#endif
