/* A folder of files that appears whole or not at all: written under a temporary name beside its
 * place, renamed when complete. It does not know formats. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/output/outfile.h"

#define OUTFOLDER_FILES_MOST 10000

struct outfolder;

/* Makes .NAME.tmp-XXXXXX beside PATH (a '/' at the end of the path is ignored). PATH may be
 * missing, an empty folder, or a folder of files that is_ours accepts, which is replaced; anything
 * else is an ERROR_OUTPUT, so that a typing error empties no folder. */
struct outfolder *outfolder_open(
	const char *path, bool (*is_ours)(const char *name), struct error *err);
/* Opens a file in the folder. The caller passes it to outfolder_close or discards it before it
 * commits or discards the folder. */
struct outfile *outfolder_file(struct outfolder *folder, const char *name, struct error *err);
/* outfile_commit, with the folder's own name in the message. */
int outfolder_close(struct outfolder *folder, struct outfile *file, struct error *err);
/* Renames a closed file inside the folder. */
int outfolder_rename(struct outfolder *folder, const char *from, const char *to, struct error *err);
/* Puts the folder in its place. Frees it in every case. */
int outfolder_commit(struct outfolder *folder, struct error *err);
void outfolder_discard(
	struct outfolder *folder); /* removes the temporary folder, frees; NULL is fine */
/* Removes the folders that are open now with their committed files; safe to call from a signal
 * handler, after outfile_abandon_all. */
void outfolder_abandon_all(void);
