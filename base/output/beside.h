/*
 * Temporary names of outputs beside their targets: hidden, so that no folder of inputs has them,
 * and locked as long as their writer lives, so that the next one takes away what a dead one left.
 * It writes nothing.
 */
#ifndef STEPSTAT_BASE_OUTPUT_BESIDE_H
#define STEPSTAT_BASE_OUTPUT_BESIDE_H

/* ".NAME.tmp-XXXXXX" in the folder of the target; the caller's to free with memory_free. Another
 * attempt is another name. */
char *beside_name(const char *target, unsigned int attempt);
/* Locks a file or folder that was just made under such a name. -1 with EEXIST where another process
 * took it for left over; where the file system has no locks, nothing is locked or taken away. */
int beside_lock(int fd);
/* Removes what processes that are dead left beside the target: files, and folders of files. */
void beside_sweep(const char *target);
/* Removes a folder and the files in it; other folders stay, and it with them. */
void beside_remove_folder(const char *path);
/* Writes the entries of the folder of a path to the disk. A folder that may not be read, or a file
 * system that cannot do this, is no error. */
int beside_sync_folder(const char *path);

#endif
