/*
 * An open file that is read from front to back, counted, and whose reading can be broken off from
 * another thread. It knows no formats.
 */
#ifndef STEPSTAT_INGEST_INPUT_RAW_FILE_H
#define STEPSTAT_INGEST_INPUT_RAW_FILE_H

#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

struct raw_file {
	const char *path; /* for messages */
	int fd;		  /* -1: none */
	int break_fd;	  /* an eventfd: once written to, reading fails; -1: none */
	_Atomic uint64_t *_Atomic counter; /* of bytes read, for progress; NULL: none */
};

/* Reads up to `size` bytes; *got is 0 at the end only. ERROR_INPUT with the path and the system's
 * word. */
int raw_file_read(struct raw_file *file, void *bytes, size_t size, size_t *got, struct error *err);

#endif
