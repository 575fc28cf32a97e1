/*
 * An outfile with a compressor before it.
 */
#include "timeline/trace_file.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <zlib.h>
#include "base/memory.h"
#include "base/outfile.h"
#include "base/text.h"

#define BUFFER_BYTES ((size_t)64 << 10)

struct trace_file {
	struct outfile *out;
	bool packed;
	bool failed; /* the compressor did; never seen but for lack of memory */
	z_stream z;
	unsigned char *buffer;
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

struct trace_file *trace_file_open(const char *path, struct error *err)
{
	struct outfile *out = outfile_open(path, err);
	struct trace_file *file;

	if (!out)
		return NULL;
	file = memory_alloc(sizeof(*file));
	file->out = out;
	file->packed = text_ends(path, ".gz");
	if (!file->packed)
		return file;
	file->buffer = memory_alloc(BUFFER_BYTES);
	file->z.zalloc = zlib_alloc;
	file->z.zfree = zlib_free;
	/* 16: with gzip's head, in which zlib writes neither a name nor a time. */
	file->failed = deflateInit2(&file->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8,
			       Z_DEFAULT_STRATEGY) != Z_OK;
	return file;
}

/* Lets the compressor work until it wants more input, or has ended. */
static void pack(struct trace_file *file, int flush)
{
	int status = Z_OK;

	do {
		file->z.next_out = file->buffer;
		file->z.avail_out = (unsigned)BUFFER_BYTES;
		status = deflate(&file->z, flush);
		if (status == Z_STREAM_ERROR) {
			file->failed = true;
			return;
		}
		outfile_write(file->out, file->buffer, BUFFER_BYTES - file->z.avail_out);
	} while (file->z.avail_out == 0);
}

void trace_file_write(struct trace_file *file, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;

	if (!file->packed) {
		outfile_write(file->out, bytes, n);
		return;
	}
	while (n > 0 && !file->failed) {
		size_t part = n < UINT_MAX ? n : UINT_MAX;

		file->z.next_in = (unsigned char *)(uintptr_t)at; /* zlib only reads it */
		file->z.avail_in = (unsigned)part;
		pack(file, Z_NO_FLUSH);
		at += part;
		n -= part;
	}
}

static void release(struct trace_file *file)
{
	if (file->packed)
		deflateEnd(&file->z);
	memory_free(file->buffer);
	memory_free(file);
}

int trace_file_commit(struct trace_file *file, struct error *err)
{
	struct outfile *out = file->out;
	bool failed;

	if (file->packed && !file->failed)
		pack(file, Z_FINISH);
	failed = file->failed;
	release(file);
	if (!failed)
		return outfile_commit(out, err);
	error_set(err, ERROR_OUTPUT, outfile_path(out), "cannot write: zlib refused");
	outfile_discard(out);
	return -1;
}

void trace_file_discard(struct trace_file *file)
{
	if (!file)
		return;
	outfile_discard(file->out);
	release(file);
}
