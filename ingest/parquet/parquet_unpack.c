/*
 * One function for each codec. The size of the unpacked bytes is known, so no function allocates by
 * a size in the packed bytes.
 */
#include "ingest/parquet/parquet_unpack.h"

#include <snappy-c.h>
#include <string.h>
#include <zstd.h>
#include "ingest/input/gzip_stream.h"

static bool unpack_snappy(
	const unsigned char *packed, size_t packed_size, unsigned char *out, size_t size)
{
	size_t length = size;

	return snappy_uncompressed_length((const char *)packed, packed_size, &length) ==
		       SNAPPY_OK &&
	       length == size &&
	       snappy_uncompress((const char *)packed, packed_size, (char *)out, &length) ==
		       SNAPPY_OK &&
	       length == size;
}

static bool unpack_gzip(
	const unsigned char *packed, size_t packed_size, unsigned char *out, size_t size)
{
	struct raw_file none = {.path = "", .fd = -1, .break_fd = -1};
	struct gzip_stream stream;
	unsigned char more;
	size_t got, rest;
	bool whole;

	if (!gzip_magic(packed, packed_size))
		return false;
	gzip_stream_init(&stream, &none, packed, packed_size);
	whole = gzip_stream_read(&stream, out, size, &got, NULL) == 0 && got == size &&
		gzip_stream_read(&stream, &more, 1, &rest, NULL) == 0 && rest == 0;
	gzip_stream_release(&stream);
	return whole;
}

bool parquet_unpack(enum parquet_codec codec, const unsigned char *packed, size_t packed_size,
	unsigned char *out, size_t size)
{
	switch (codec) {
	case PARQUET_UNCOMPRESSED:
		if (packed_size == size && size)
			memcpy(out, packed, size);
		return packed_size == size;
	case PARQUET_SNAPPY:
		return unpack_snappy(packed, packed_size, out, size);
	case PARQUET_GZIP:
		return unpack_gzip(packed, packed_size, out, size);
	case PARQUET_ZSTD:
		return ZSTD_decompress(out, size, packed, packed_size) == size;
	default:
		return false;
	}
}

bool parquet_codec_known(enum parquet_codec codec)
{
	return codec == PARQUET_UNCOMPRESSED || codec == PARQUET_SNAPPY || codec == PARQUET_GZIP ||
	       codec == PARQUET_ZSTD;
}

const char *parquet_codec_name(enum parquet_codec codec)
{
	static const char *const names[PARQUET_CODECS] = {
		"UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"};

	return codec < PARQUET_CODECS ? names[codec] : "of a newer version";
}
