/*
 * A temporary file without a name: it is gone when it is closed. It knows nothing of its contents.
 */
#ifndef STEPSTAT_BASE_TEMPORARY_TEMPORARY_FILE_H
#define STEPSTAT_BASE_TEMPORARY_TEMPORARY_FILE_H

#include <stddef.h>
#include <stdint.h>

/* A descriptor for reading and writing; -1 with errno. */
int temporary_file(const char *folder);
/* All n bytes at the offset. 0, or -1 with errno. */
int temporary_file_write(int fd, const void *bytes, size_t n, uint64_t offset);
/* As many of n bytes as there are, at least one. -1 with errno; bytes that are not there are an
 * error, too. */
int64_t temporary_file_read(int fd, void *bytes, size_t n, uint64_t offset);

#endif
