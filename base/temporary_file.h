/*
 * Files that are temporary: those without a name, which are gone when they are closed, and those
 * that are outputs one day (base/output/outfile.h), by their names; bytes that are kept for later,
 * in memory or in such a file; and calls that a signal may interrupt, made again. It knows no
 * contents.
 */
#ifndef STEPSTAT_BASE_TEMPORARY_FILE_H
#define STEPSTAT_BASE_TEMPORARY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

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

/*
 * Bytes that are kept for later: appended one piece after the other and read back at any offset.
 * The first of them stay in memory, more go to a temporary file. It knows nothing of its contents.
 */

struct spool_options {
	size_t memory_bytes;	 /* that stay in memory, from 1 */
	const char *folder;	 /* of the temporary file; NULL: "/tmp" */
	uint64_t max_disk_bytes; /* 0: no file may be made */
	const char *what;	 /* plural, for messages: "slices that have begun" */
};

struct spool;

/* The options' texts must outlive it. */
struct spool *spool_new(const struct spool_options *options);
void spool_free(struct spool *spool); /* NULL is fine; closes the file, which removes it */
uint64_t spool_size(const struct spool *spool);
void spool_clear(struct spool *spool); /* forgets all bytes */

/* -1: the file cannot be made or written (ERROR_OUTPUT with the folder and the system's word), or
 * max_disk_bytes would be passed (ERROR_LIMIT). */
int spool_add(struct spool *spool, const void *bytes, size_t n, struct error *err);
/* n bytes at the offset, all of which are there. Fast where one read follows the other. -1: the
 * file cannot be read back. */
int spool_read(struct spool *spool, uint64_t offset, void *to, size_t n, struct error *err);

#endif
