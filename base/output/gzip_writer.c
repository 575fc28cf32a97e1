/* zlib's compressor, with the heap of base/memory.h, before an outfile. */
#include "base/output/gzip_writer.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <zlib.h>
#include "base/memory.h"

#define BUFFER_BYTES ((size_t)64 << 10)
#define GZIP_HEAD 16 /* added to the bits of the window: with a gzip header */

struct gzip_writer {
	struct outfile *out;
	bool failed;
	z_stream zlib;
	unsigned char buffer[BUFFER_BYTES];
};

static void *zlib_alloc(void *unused, unsigned count, unsigned size_bytes)
{
	(void)unused;
	return memory_alloc(memory_product(count, size_bytes));
}

static void zlib_free(void *unused, void *p)
{
	(void)unused;
	memory_free(p);
}

struct gzip_writer *gzip_writer_new(struct outfile *out)
{
	struct gzip_writer *gzip = memory_alloc(sizeof(*gzip));

	gzip->out = out;
	gzip->zlib.zalloc = zlib_alloc;
	gzip->zlib.zfree = zlib_free;
	gzip->failed = deflateInit2(&gzip->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
			       MAX_WBITS + GZIP_HEAD, 8, Z_DEFAULT_STRATEGY) != Z_OK;
	return gzip;
}

/* Compresses until zlib wants more input, or has ended. */
static void compress_input(struct gzip_writer *gzip, int flush)
{
	do {
		gzip->zlib.next_out = gzip->buffer;
		gzip->zlib.avail_out = (unsigned)BUFFER_BYTES;
		if (deflate(&gzip->zlib, flush) == Z_STREAM_ERROR) {
			gzip->failed = true;
			return;
		}
		outfile_write(gzip->out, gzip->buffer, BUFFER_BYTES - gzip->zlib.avail_out);
	} while (gzip->zlib.avail_out == 0);
}

void gzip_writer_write(struct gzip_writer *gzip, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;

	while (n > 0 && !gzip->failed) {
		size_t part = n < UINT_MAX ? n : UINT_MAX;

		gzip->zlib.next_in = (unsigned char *)(uintptr_t)at; /* zlib only reads it */
		gzip->zlib.avail_in = (unsigned)part;
		compress_input(gzip, Z_NO_FLUSH);
		at += part;
		n -= part;
	}
}

int gzip_writer_finish(struct gzip_writer *gzip, struct error *err)
{
	int status = 0;

	if (!gzip)
		return 0;
	if (!gzip->failed)
		compress_input(gzip, Z_FINISH);
	if (gzip->failed)
		status = error_set(
			err, ERROR_OUTPUT, outfile_path(gzip->out), "cannot write: zlib refused");
	gzip_writer_discard(gzip);
	return status;
}

void gzip_writer_discard(struct gzip_writer *gzip)
{
	if (!gzip)
		return;
	deflateEnd(&gzip->zlib);
	memory_free(gzip);
}
