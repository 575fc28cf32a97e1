/*
 * All bytes of an input at offsets, for formats that are not read from front to back: a plain file
 * and memory as they are, what comes through a pipe or is packed by way of memory, or of a
 * temporary file where it is much. It knows no formats.
 */
#ifndef STEPSTAT_INGEST_INPUT_SPOOL_H
#define STEPSTAT_INGEST_INPUT_SPOOL_H

#include "ingest/input/input.h"
#include "ingest/input/span_file.h"

struct spool {
	struct span_file file; /* to read from, until spool_close */
	unsigned char *bytes;  /* a copy in memory; NULL: none */
	int fd;		       /* temporary file; -1: none */
};

/* `folder` is that of temporary files, NULL: /tmp; at most `most_bytes` are written there
 * (ERROR_LIMIT). The input must outlive the spool; nothing was read from it, and nothing is read
 * from it afterwards. */
int spool_open(struct spool *spool, struct input *in, const char *folder, uint64_t most_bytes,
	struct error *err);
void spool_close(struct spool *spool);

#endif
