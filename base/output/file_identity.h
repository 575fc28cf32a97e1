/* Which file a path means, so that two paths can be compared: through links, and also for a file
 * that does not exist yet; and the guard that refuses outputs that would overwrite inputs. It opens
 * no file. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>
#include "base/error.h"

enum file_kind {
	FILE_UNKNOWN, /* nothing is known; such a file equals no other */
	FILE_REGULAR,
	FILE_FOLDER,
	FILE_MISSING, /* device and inode are those of its folder */
	FILE_STREAM,  /* a pipe, a terminal, a device: nothing there is replaced */
};

struct file_identity {
	enum file_kind kind;
	dev_t device;
	ino_t inode;
	char name[NAME_MAX + 1]; /* FILE_MISSING */
};

void file_identity_of(const char *path, struct file_identity *out); /* '/' at its end is ignored */
/* The same file or folder; streams are never the same. */
bool file_identity_equal(const struct file_identity *a, const struct file_identity *b);

/* The path with links at its end followed, also to a file that does not exist: realpath(3) refuses
 * that. NULL with errno; the caller's to free with memory_free. */
char *file_follow_links(const char *path);

/* Files that no output may replace: the inputs of this job, and the outputs that are open. outfile
 * and outfolder ask here whenever they open something, so that no command can forget it. It opens
 * and writes nothing. */

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
