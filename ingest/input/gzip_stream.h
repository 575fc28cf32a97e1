/*
 * The unpacked bytes of a gzip file or of gzip data in memory: several members are one stream,
 * padding with zeros is passed over. It does not know threads.
 */
#ifndef STEPSTAT_INGEST_INPUT_GZIP_STREAM_H
#define STEPSTAT_INGEST_INPUT_GZIP_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "ingest/input/gunzip.h"
#include "ingest/input/raw_file.h"

struct gzip_stream {
	struct raw_file *file; /* of the caller's */
	struct gunzip *gunzip;
	const unsigned char *raw; /* packed bytes: the memory, or raw_buffer */
	unsigned char *raw_buffer;
	size_t raw_at, raw_end;
	uint64_t raw_offset; /* of raw[0] in the file */
	bool raw_at_end;
	bool at_end, garbage; /* bytes that are not gzip follow the last member */
};

bool gzip_magic(const unsigned char *bytes, size_t size);

/* `head` is what was read of the file already (copied), or, where file->fd is -1, all there is
 * (must outlive it). */
void gzip_stream_init(
	struct gzip_stream *stream, struct raw_file *file, const unsigned char *head, size_t size);
void gzip_stream_release(struct gzip_stream *stream);
/* Unpacks `size` bytes, fewer only at the end (then at_end is set) or with -1: *got bytes are good
 * then. ERROR_INPUT with path and offset in the packed data: they end too early, are damaged, have
 * a wrong checksum, or reading failed. */
int gzip_stream_read(struct gzip_stream *stream, unsigned char *bytes, size_t size, size_t *got,
	struct error *err);

#endif
