/*
 * Unpacks a block of zlib's format (RFC 1950) that lies in memory.
 */
#ifndef STEPSTAT_INGEST_INPUT_UNZLIB_H
#define STEPSTAT_INGEST_INPUT_UNZLIB_H

#include <stdbool.h>
#include "base/text.h"

/* Replaces `out` by what the bytes unpack to. False: they are damaged, or it is more than `most`
 * bytes; then `out` has what could be unpacked. */
bool unzlib(const void *bytes, size_t size, size_t most, struct text *out);

#endif
