/* Files without a name, which are gone when they are closed. */
#ifndef STEPSTAT_BASE_TEMPORARY_FILE_H
#define STEPSTAT_BASE_TEMPORARY_FILE_H

#include <stddef.h>
#include <stdint.h>

/* A file to write and read in that folder; -1 with errno. */
int temporary_file(const char *folder);
/* All n bytes at the offset. 0, or -1 with errno. */
int temporary_file_write(int fd, const void *bytes, size_t n, uint64_t offset);
int temporary_file_read(int fd, void *bytes, size_t n, uint64_t offset);

#endif
