/*
 * Files that no output may replace: the inputs of this job, and the outputs that are open. outfile
 * and outfolder ask here whenever they open something, so that no command can forget it. It opens
 * and writes nothing.
 */
#ifndef STEPSTAT_BASE_OUTPUT_OUTPUT_GUARD_H
#define STEPSTAT_BASE_OUTPUT_OUTPUT_GUARD_H

#include <sys/types.h>
#include "base/error.h"
#include "base/output/file_identity.h"

/* Adds an input, by its path ("-" is standard input) or by device and inode. Only regular files are
 * guarded. */
void output_guard_add(const char *path);
void output_guard_add_file(const char *path, dev_t device, ino_t inode);

/* Forgets them all. A file that is gone may have left its inode to an output: a job whose inputs
 * come and go adds them anew. */
void output_guard_forget_inputs(void);

/* ERROR_USAGE when the output ("-": standard output) is an input, or an output that is open. */
int output_guard_check(const char *path, struct error *err);
/* The same for a file in the folder `shown` that would be removed with it; inputs only. */
int output_guard_check_member(
	const char *shown, const char *name, dev_t device, ino_t inode, struct error *err);

/* Adds an open output. Returns a number for output_guard_close, or -1 where it cannot clash. */
int output_guard_open(const char *path);
void output_guard_close(int number); /* -1 is fine */

#endif
