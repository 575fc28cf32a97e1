/* An output that appears whole or not at all: written under a temporary name in the same folder,
 * renamed when complete. "-" is standard output. It does not know formats. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

struct outfile;

/* Opens .NAME.tmp-XXXXXX beside PATH (for "-": standard output; for a device or pipe: itself), and
 * removes those that dead processes left. An existing file keeps its permissions. Errors:
 * ERROR_OUTPUT with the path and the system's word; ERROR_USAGE where it is an input or an output
 * that is open (base/output/file_identity.h). */
struct outfile *outfile_open(const char *path, struct error *err);
/* The same for a file of a folder that is not in its place yet (outfolder). */
struct outfile *outfile_open_member(const char *path, struct error *err);
/* Into memory, for tests and for writers that are asked for bytes. */
struct outfile *outfile_memory(void);
const char *outfile_data(const struct outfile *out, size_t *size); /* memory outputs only */

/* From now on it is text, line by line, and written in ASCII (text_add_ascii). */
void outfile_set_ascii(struct outfile *out);
void outfile_write(
	struct outfile *out, const void *bytes, size_t n); /* an error is kept for commit */
void outfile_puts(struct outfile *out, const char *s);
void outfile_printf(struct outfile *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
const char *outfile_path(const struct outfile *out);
/* The temporary file, for a library that writes by name (nothing may be written here then); NULL
 * where the output is not a file: standard output, a device, memory. */
const char *outfile_temporary(const struct outfile *out);

/* Flushes all that was written; the target is untouched. Any write error is reported here (and
 * again by the commit). A caller with several outputs finishes all of them before the first commit,
 * so that a full disk leaves none of them. */
int outfile_finish(struct outfile *out, struct error *err);
/* Flushes, writes to the disk, closes, renames, and writes the folder to the disk; any earlier
 * write error is reported here and the target is untouched. Frees `out` in every case. */
int outfile_commit(struct outfile *out, struct error *err);
void outfile_discard(struct outfile *out); /* removes the temporary file, frees; NULL is fine */
/* False: outputs of this process do not wait for the disk (no-sync). */
void outfile_set_sync(bool sync);
/* Writes the folder of a path to the disk, unless outputs do not wait for it. -1 with errno. */
int outfile_sync_folder(const char *path);
/* Removes the temporary files that are open now; safe to call from a signal handler. */
void outfile_abandon_all(void);

/* Temporary names of outputs beside their targets: hidden, so that no folder of inputs has them,
 * and locked as long as their writer lives, so that the next one takes away what a dead one left.
 * It writes nothing. */

/* ".NAME.tmp-XXXXXX" in the folder of the target; the caller's to free with memory_free. Another
 * attempt is another name. */
char *beside_name(const char *target, unsigned int attempt);
/* Locks a file or folder that was just made under such a name. -1 with EEXIST where another process
 * took it for left over; where the file system has no locks, nothing is locked or taken away. */
int beside_lock(int fd);
/* Removes what processes that are dead left beside the target: files, and folders of files. */
void beside_sweep(const char *target);
/* Removes files that dead processes left in the folder, of targets whose names end so (".obs"). */
void beside_sweep_folder(const char *folder, const char *suffix);
/* Removes a folder and the files in it; other folders stay, and it with them. */
void beside_remove_folder(const char *path);
