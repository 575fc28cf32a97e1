/* Files that are temporary: those without a name, which are gone when they are closed, and those
 * that are outputs one day (base/output/outfile.h), by their names; and calls that a signal may
 * interrupt, made again. It knows no contents. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* open(), with 0666 for a file that is made, and fsync(): not ended by EINTR. A file system that
 * has no fsync is no error. */
int file_open(const char *path, int flags);
int file_sync(int fd);

/* A file to write and read in that folder; -1 with errno. */
int temporary_file(const char *folder);
/* Writes or reads all n bytes at the offset. Returns 0, or -1 with errno. */
int temporary_file_write(int fd, const void *bytes, size_t n, uint64_t offset);
int temporary_file_read(int fd, void *bytes, size_t n, uint64_t offset);

#define TEMPORARY_FILE_MARK ".tmp-"
#define TEMPORARY_FILE_LETTERS 6
#define TEMPORARY_FILE_ALPHABET "abcdefghijklmnopqrstuvwxyz234567"

/* True if the name ends as those of outputs that are being written do, hidden or not: earlier
 * versions did not hide them. Folders of inputs pass over it. */
bool temporary_file_is(const char *name);
