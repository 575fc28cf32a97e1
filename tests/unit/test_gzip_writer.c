/* gzip as zlib reads it back, the same bytes each time, and an outfile that fails. */
#include <unistd.h>
#include <zlib.h>
#include "base/checksum.h"
#include "base/output/gzip_writer.h"
#include "base/memory.h"
#include "tests/unit/test.h"

#define BYTES ((size_t)300000)

static unsigned char *make_bytes(void)
{
	unsigned char *bytes = memory_alloc(BYTES);
	uint32_t x = 1;

	for (size_t i = 0; i < BYTES; i++) {
		x = x * 1664525 + 1013904223;
		bytes[i] = (unsigned char)(x >> 24);
	}
	return bytes;
}

/* n bytes in pieces; the outfile is the caller's. */
static struct outfile *packed(const unsigned char *bytes, size_t n, size_t piece)
{
	struct outfile *out = outfile_memory();
	struct gzip_writer *gzip = gzip_writer_new(out);
	struct error err = {0};

	for (size_t at = 0; at < n; at += piece)
		gzip_writer_write(gzip, bytes + at, n - at < piece ? n - at : piece);
	assert_int_equal(gzip_writer_finish(gzip, &err), 0);
	return out;
}

static void round_trip(const unsigned char *bytes, size_t n, size_t piece)
{
	struct outfile *out = packed(bytes, n, piece);
	unsigned char *back = memory_alloc(n + 1);
	size_t size;
	const char *data = outfile_data(out, &size);
	z_stream z = {.next_in = (unsigned char *)(uintptr_t)data, .avail_in = (unsigned)size};

	assert_memory_equal(data, "\x1f\x8b\x08\0\0\0\0\0", 8); /* no name, no time */
	z.next_out = back;
	z.avail_out = (unsigned)n + 1;
	assert_int_equal(inflateInit2(&z, MAX_WBITS + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.total_out, n);
	assert_int_equal(z.avail_in, 0);
	if (n)
		assert_memory_equal(back, bytes, n);
	inflateEnd(&z);
	memory_free(back);
	outfile_discard(out);
}

TEST(reads_back)
{
	unsigned char *bytes = make_bytes();

	round_trip(bytes, 0, 1);
	round_trip(bytes, 1, 1);
	round_trip(bytes, 1000, 7);
	round_trip(bytes, BYTES, BYTES);
	round_trip(bytes, BYTES, 4096);
	memory_free(bytes);
}

TEST(pieces_do_not_matter)
{
	unsigned char *bytes = make_bytes();
	struct outfile *a = packed(bytes, BYTES, BYTES), *b = packed(bytes, BYTES, 1001);
	size_t a_size, b_size;
	const char *a_data = outfile_data(a, &a_size), *b_data = outfile_data(b, &b_size);

	assert_int_equal(a_size, b_size);
	assert_memory_equal(a_data, b_data, a_size);
	outfile_discard(a);
	outfile_discard(b);
	memory_free(bytes);
}

TEST(outfile_reports_a_full_disk)
{
	struct error err = {0};
	struct outfile *out;
	struct gzip_writer *gzip;
	unsigned char *bytes;

	if (access("/dev/full", W_OK) != 0)
		skip();
	bytes = make_bytes();
	out = outfile_open("/dev/full", &err);
	assert_non_null(out);
	gzip = gzip_writer_new(out);
	gzip_writer_write(gzip, bytes, BYTES);
	assert_int_equal(gzip_writer_finish(gzip, &err), 0);
	assert_int_equal(outfile_commit(out, &err), -1);
	assert_int_equal(err.kind, ERROR_OUTPUT);
	memory_free(bytes);
}

TEST(discarded_in_the_middle)
{
	struct outfile *out = outfile_memory();
	struct gzip_writer *gzip = gzip_writer_new(out);

	gzip_writer_write(gzip, "abc", 3);
	gzip_writer_discard(gzip);
	gzip_writer_discard(NULL);
	assert_int_equal(gzip_writer_finish(NULL, NULL), 0);
	outfile_discard(out);
}

/* The check value of the catalogue of CRCs. */
TEST(crc)
{
	assert_int_equal(crc32_add(0, "123456789", 9), 0xcbf43926);
	assert_int_equal(crc32_add(crc32_add(0, "12345", 5), "6789", 4), 0xcbf43926);
	assert_int_equal(crc32_add(7, NULL, 0), 7);
}
