/* Heads are read through a small window, which grows when one does not fit: they may hold texts. */
#include "ingest/parquet/parquet_page.h"

#include <snappy-c.h>
#include <string.h>
#include <zstd.h>
#include "base/checksum.h"
#include "base/memory.h"
#include "base/packed_number.h"
#include "ingest/input/gzip_stream.h"
#include "ingest/parquet/thrift_compact.h"

#define WINDOW_FIRST ((size_t)512)
#define WINDOW_MOST ((size_t)1 << 20)

#define HEAD(number, kind, member)                                                                 \
	{                                                                                          \
		number, THRIFT_INTO_##kind, offsetof(struct parquet_page_head, member), NULL       \
	}
#define INSIDE(number, members)                                                                    \
	{                                                                                          \
		number, THRIFT_INTO_MEMBERS, 0, members                                            \
	}

static const struct thrift_member data_members[] = {HEAD(DATA_VALUES, INT32, values),
	HEAD(DATA_ENCODING, INT32, encoding),
	HEAD(DATA_DEFINITION_ENCODING, INT32, definition_encoding), {0}};
static const struct thrift_member dictionary_members[] = {
	HEAD(DATA_VALUES, INT32, values), HEAD(DATA_ENCODING, INT32, encoding), {0}};
static const struct thrift_member data_v2_members[] = {HEAD(DATA_V2_VALUES, INT32, values),
	HEAD(DATA_V2_ENCODING, INT32, encoding),
	HEAD(DATA_V2_DEFINITION_BYTES, SIZE, definition_bytes),
	HEAD(DATA_V2_REPETITION_BYTES, SIZE, repetition_bytes),
	HEAD(DATA_V2_PACKED, BOOL, is_packed), {0}};
static const struct thrift_member head_members[] = {HEAD(PAGE_TYPE, INT32, type),
	HEAD(PAGE_BYTES, SIZE, bytes), HEAD(PAGE_PACKED_BYTES, SIZE, packed_bytes),
	HEAD(PAGE_CRC, SEEN, has_crc), HEAD(PAGE_CRC, INT32, crc), INSIDE(PAGE_DATA, data_members),
	INSIDE(PAGE_DICTIONARY, dictionary_members), INSIDE(PAGE_DATA_V2, data_v2_members), {0}};

static void read_head(struct thrift *t, struct parquet_page_head *head)
{
	*head = (struct parquet_page_head){.type = -1, .is_packed = true};
	thrift_read(t, head_members, head);
	if (head->type == PARQUET_DATA_PAGE_V2)
		head->definition_encoding = PARQUET_RLE;
	if (head->values > INT32_MAX || head->type < 0)
		t->bad = true;
}

int parquet_page_head_read(struct parquet_file *file, const struct parquet_chunk *chunk,
	uint64_t *at, struct parquet_page_head *head, struct error *err)
{
	const uint64_t left = chunk->end - *at;
	unsigned char small[WINDOW_FIRST], *window = small;
	size_t size = left < WINDOW_FIRST ? (size_t)left : WINDOW_FIRST;
	struct thrift t;
	int result;

	for (;;) {
		result = span_file_read(file->span, *at, window, size, "the head of a page", err);
		if (result < 0)
			break;
		t = (struct thrift){.at = window, .end = window + size};
		read_head(&t, head);
		if (!t.bad || size == left || size >= WINDOW_MOST)
			break;
		size = left < 8 * size ? (size_t)left : 8 * size;
		window = memory_resize(window == small ? NULL : window, size);
	}
	if (result == 0 && t.bad)
		result = span_file_damaged(file->span, *at, "the head of a page is damaged", err);
	else if (result == 0)
		*at += (uint64_t)(t.at - window);
	if (window != small)
		memory_free(window);
	return result;
}

int parquet_buffer_room(
	struct parquet_file *file, struct parquet_buffer *buffer, size_t size, struct error *err)
{
	parquet_buffer_release(file, buffer);
	if (size >= file->buffer_left) {
		error_set(err, ERROR_LIMIT, file->span->path,
			"the pages of all columns need too much memory");
		return error_hint(err, "allow more with max-record in stepstat.yaml, or write the "
				       "file with smaller pages");
	}
	*buffer = (struct parquet_buffer){memory_resize(NULL, size + 1), size};
	buffer->bytes[size] = '\0';
	file->buffer_left -= size + 1;
	return 0;
}

void parquet_buffer_release(struct parquet_file *file, struct parquet_buffer *buffer)
{
	if (!buffer->bytes)
		return;
	file->buffer_left += buffer->size + 1;
	memory_free(buffer->bytes);
	*buffer = (struct parquet_buffer){0};
}

static int too_big(const struct parquet_file *file, uint64_t at, size_t bytes, struct error *err)
{
	char place[sizeof(err->place)];

	error_place_offset(place, sizeof(place), file->span->path, at);
	error_set(err, ERROR_LIMIT, place, "%zu bytes for a page, at most %zu are allowed", bytes,
		file->page_most);
	return error_hint(err, "allow more with max-record in stepstat.yaml, if the file is sound");
}

static int bad_page(const struct parquet_file *file, uint64_t at, struct error *err)
{
	span_file_damaged(file->span, at, "a page is damaged", err);
	return error_hint(err, "the file was changed on its way: copy it again");
}

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

/* Packed bytes to exactly `size` others; that is known, so no codec allocates by a size in the
 * packed bytes. False: they are damaged. */
static bool unpack_bytes(enum parquet_codec codec, const unsigned char *packed, size_t packed_size,
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

/* Unpacks the values; levels of the second version come before the packed bytes. */
static bool unpack(const struct parquet_chunk *chunk, const struct parquet_page_head *head,
	const unsigned char *packed, struct parquet_buffer *out)
{
	const size_t levels = head->definition_bytes + head->repetition_bytes;
	const enum parquet_codec codec = head->is_packed ? chunk->codec : PARQUET_UNCOMPRESSED;

	if (levels > head->packed_bytes || levels > head->bytes)
		return false;
	if (levels)
		memcpy(out->bytes, packed, levels);
	if (head->bytes == levels) /* nothing but nulls */
		return true;
	return unpack_bytes(codec, packed + levels, head->packed_bytes - levels,
		out->bytes + levels, head->bytes - levels);
}

/* The bytes as they stand in the file, checked. */
static int read_bytes(struct parquet_file *file, uint64_t at, const struct parquet_page_head *head,
	unsigned char *bytes, struct error *err)
{
	if (span_file_read(file->span, at, bytes, head->packed_bytes, "a page", err) < 0)
		return -1;
	return head->has_crc && crc32_add(0, bytes, head->packed_bytes) != head->crc
		       ? bad_page(file, at, err)
		       : 0;
}

int parquet_page_read(struct parquet_file *file, const struct parquet_chunk *chunk, uint64_t *at,
	const struct parquet_page_head *head, struct parquet_buffer *out, struct error *err)
{
	const uint64_t start = *at;
	const bool plain = chunk->codec == PARQUET_UNCOMPRESSED || !head->is_packed;
	unsigned char *packed;
	int result;

	if (head->packed_bytes > chunk->end - start ||
		(plain && head->packed_bytes != head->bytes) ||
		head->definition_bytes + head->repetition_bytes > head->bytes)
		return bad_page(file, start, err);
	if (head->bytes > file->page_most || head->packed_bytes > file->page_most)
		return too_big(file, start,
			head->bytes > file->page_most ? head->bytes : head->packed_bytes, err);
	*at += head->packed_bytes;
	if (parquet_buffer_room(file, out, head->bytes, err) < 0)
		return -1;
	if (plain)
		return read_bytes(file, start, head, out->bytes, err);
	packed = memory_resize(NULL, head->packed_bytes + 1);
	result = read_bytes(file, start, head, packed, err);
	if (result == 0 && !unpack(chunk, head, packed, out))
		result = bad_page(file, start, err);
	memory_free(packed);
	return result;
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

void bit_runs_init(struct bit_runs *runs, const unsigned char *bytes, size_t size, unsigned width)
{
	*runs = (struct bit_runs){.at = bytes, .end = bytes + size, .width = width};
}

static bool begin_packed(struct bit_runs *runs, uint64_t groups)
{
	const uint64_t left = (uint64_t)(runs->end - runs->at), bytes = groups * runs->width;

	if (groups == 0)
		return false;
	runs->packed = runs->at;
	runs->bit = 0;
	runs->packed_left = groups * 8;
	/* Some writers leave out the end of the last group: it counts as far as there are bits. */
	if (bytes > left) {
		runs->packed_left = left * 8 / runs->width;
		runs->at = runs->end;
		return runs->packed_left > 0;
	}
	runs->at += bytes;
	return true;
}

bool bit_runs_more(struct bit_runs *runs)
{
	const unsigned bytes = (runs->width + 7) / 8;
	uint64_t head;

	if (!packed_varint_next(&runs->at, runs->end, &head) || head >> 35)
		return false;
	if (head & 1)
		return begin_packed(runs, head >> 1);
	if (head == 0 || bytes > (size_t)(runs->end - runs->at))
		return false;
	runs->same = 0;
	for (unsigned i = 0; i < bytes; i++)
		runs->same |= (uint32_t)*runs->at++ << (8 * i);
	runs->same_left = head >> 1;
	return true;
}

uint32_t bit_runs_packed(struct bit_runs *runs)
{
	const unsigned char *at = runs->packed + runs->bit / 8;
	const size_t bit = runs->bit % 8, left = (size_t)(runs->end - at);

	runs->packed_left--;
	runs->bit += runs->width;
	if (left < PACKED_SLACK) {
		/* The same where fewer bytes are left than are read at once. */
		unsigned char last[PACKED_SLACK] = {0};

		memcpy(last, at, left);
		return (uint32_t)packed_bits_at(last, bit, runs->width);
	}
	return (uint32_t)packed_bits_at(at, bit, runs->width);
}

bool bit_runs_skip(struct bit_runs *runs, uint64_t count, uint64_t *ones)
{
	*ones = 0;
	while (count) {
		uint64_t n = count;

		if (!runs->same_left && !runs->packed_left && !bit_runs_more(runs))
			return false;
		if (runs->same_left) {
			n = n < runs->same_left ? n : runs->same_left;
			runs->same_left -= n;
			*ones += runs->same == 1 ? n : 0;
		} else if (runs->width == 1) {
			const unsigned char byte = runs->packed[runs->bit / 8] >> runs->bit % 8;
			const uint64_t whole = 8 - runs->bit % 8;

			n = n < whole ? n : whole;
			n = n < runs->packed_left ? n : runs->packed_left;
			*ones += (uint64_t)__builtin_popcount(byte & ((1u << n) - 1));
			runs->bit += n;
			runs->packed_left -= n;
		} else {
			n = n < runs->packed_left ? n : runs->packed_left;
			runs->bit += n * runs->width;
			runs->packed_left -= n;
		}
		count -= n;
	}
	return true;
}
