/* Unpacks a gzip stream ahead of its reader: from the fourth block on in a thread of its own, into
 * a ring of blocks of fixed size. It does not interpret the bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"
#include "ingest/input/gzip_stream.h"

#define READ_AHEAD_KEPT_MOST ((size_t)1 << 20)

struct read_ahead;

/* The stream is the caller's and is not to be touched before read_ahead_free. */
struct read_ahead *read_ahead_new(struct gzip_stream *stream);
/* Ends the thread too, wherever it is; NULL is fine. */
void read_ahead_free(struct read_ahead *ahead);

/* More bytes. The last `kept` bytes of the call before (at most READ_AHEAD_KEPT_MOST) come first.
 * 1: *bytes and *size are the kept and the new bytes, valid until the next call that returns 1. 0:
 * the end. -1: as gzip_stream_read, in every further call too; all good bytes have been returned
 * before. */
int read_ahead_next(struct read_ahead *ahead, size_t kept, const unsigned char **bytes,
	size_t *size, struct error *err);
/* Bytes that are not gzip follow the data; known when the last bytes were returned. */
bool read_ahead_garbage(const struct read_ahead *ahead);
