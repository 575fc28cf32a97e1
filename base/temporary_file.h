/*
 * Files that are temporary: those without a name, which are gone when they are closed, and those
 * that are outputs one day (base/output/beside.h), by their names. It knows no contents.
 */
#ifndef STEPSTAT_BASE_TEMPORARY_FILE_H
#define STEPSTAT_BASE_TEMPORARY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file to write and read in that folder; -1 with errno. */
int temporary_file(const char *folder);
/* All n bytes at the offset. 0, or -1 with errno. */
int temporary_file_write(int fd, const void *bytes, size_t n, uint64_t offset);
int temporary_file_read(int fd, void *bytes, size_t n, uint64_t offset);

#define TEMPORARY_FILE_MARK ".tmp-"
#define TEMPORARY_FILE_LETTERS 6
#define TEMPORARY_FILE_ALPHABET "abcdefghijklmnopqrstuvwxyz234567"

/* True if the name ends as those of outputs that are being written do, hidden or not: earlier
 * versions did not hide them. Folders of inputs pass over it. */
bool temporary_file_is(const char *name);

#endif
