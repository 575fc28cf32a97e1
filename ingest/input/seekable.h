/*
 * An input of any kind that is read at offsets: a stream (standard input, a packed file) is copied
 * into a temporary file first. For formats whose index is at their end.
 */
#ifndef STEPSTAT_INGEST_INPUT_SEEKABLE_H
#define STEPSTAT_INGEST_INPUT_SEEKABLE_H

#include "ingest/input/input.h"
#include "ingest/input/span_file.h"

/* All of the input, of which nothing may be consumed; the caller closes `out`, and the input after
 * it. folder: of the temporary file, NULL is /tmp. ERROR_OUTPUT with the folder when it cannot be
 * made or written, ERROR_LIMIT past max_bytes. */
int input_seekable(struct input *in, const char *folder, uint64_t max_bytes, struct span_file *out,
	struct error *err);

#endif
