/*
 * Bytes that are kept for later: appended one piece after the other and read back at any offset.
 * The first of them stay in memory, more go to a temporary file. It knows nothing of its contents.
 */
#ifndef STEPSTAT_BASE_TEMPORARY_SPOOL_H
#define STEPSTAT_BASE_TEMPORARY_SPOOL_H

#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

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
