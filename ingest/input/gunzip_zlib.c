/* Unpacking by zlib. */
#include "ingest/input/gzip_stream.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include "base/memory.h"

struct gunzip {
	z_stream stream;
};

struct gunzip *gunzip_new(void)
{
	struct gunzip *gunzip = memory_alloc(sizeof(*gunzip));

	if (inflateInit2(&gunzip->stream, 15 + 16) != Z_OK)
		memory_alloc(SIZE_MAX / 2); /* reports, does not return */
	return gunzip;
}

void gunzip_free(struct gunzip *gunzip)
{
	if (gunzip)
		inflateEnd(&gunzip->stream);
	memory_free(gunzip);
}

void gunzip_next(struct gunzip *gunzip)
{
	inflateReset(&gunzip->stream);
}

enum gunzip_state gunzip_run(struct gunzip *gunzip, const unsigned char **in, size_t in_bytes,
	unsigned char **out, size_t out_bytes)
{
	z_stream *z = &gunzip->stream;

	z->next_in = (unsigned char *)(uintptr_t)*in;
	z->avail_in = in_bytes < INT32_MAX ? (uInt)in_bytes : INT32_MAX;
	z->next_out = *out;
	z->avail_out = out_bytes < INT32_MAX ? (uInt)out_bytes : INT32_MAX;
	int result = inflate(z, Z_NO_FLUSH);

	*in = z->next_in;
	*out = z->next_out;
	if (result == Z_STREAM_END)
		return GUNZIP_MEMBER_END;
	if (result == Z_OK || result == Z_BUF_ERROR)
		return GUNZIP_GOES_ON;
	if (result == Z_MEM_ERROR)
		memory_alloc(SIZE_MAX / 2);
	return z->msg && strstr(z->msg, "check") ? GUNZIP_CHECKSUM : GUNZIP_DAMAGED;
}
