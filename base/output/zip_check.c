/*
 * Walks the local headers of a zip file (APPNOTE.TXT 4.3.7) and unpacks each part.
 */
#include "base/output/zip_check.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <zlib.h>
#include "base/memory.h"

#define HEADER_BYTES 30
#define LOCAL_HEADER 0x04034b50
#define CENTRAL_HEADER 0x02014b50
#define DEFLATED 8
#define HEAD_BYTES 512 /* of a part, with its first element */
#define TAIL_BYTES 128
#define PIECE_BYTES ((size_t)64 << 10)

struct part_ends {
	char head[HEAD_BYTES + 1], tail[TAIL_BYTES + 1];
	size_t head_size, tail_size;
};

static uint32_t number_at(const unsigned char *p, size_t bytes)
{
	uint32_t value = 0;

	for (size_t i = bytes; i-- > 0;)
		value = value << 8 | p[i];
	return value;
}

static void see(struct part_ends *ends, const unsigned char *bytes, size_t n)
{
	const size_t room = HEAD_BYTES - ends->head_size, first = n < room ? n : room;
	size_t keep;

	memcpy(ends->head + ends->head_size, bytes, first);
	ends->head_size += first;
	if (n >= TAIL_BYTES) {
		memcpy(ends->tail, bytes + n - TAIL_BYTES, TAIL_BYTES);
		ends->tail_size = TAIL_BYTES;
		return;
	}
	keep = ends->tail_size + n > TAIL_BYTES ? TAIL_BYTES - n : ends->tail_size;
	memmove(ends->tail, ends->tail + ends->tail_size - keep, keep);
	memcpy(ends->tail + keep, bytes, n);
	ends->tail_size = keep + n;
}

/* "<?xml ...?> <name ...", which ends in "</name>". */
static bool is_whole(struct part_ends *ends)
{
	const char *name;
	size_t length;

	ends->head[ends->head_size] = '\0';
	if (ends->tail_size && ends->tail[ends->tail_size - 1] == '\n')
		ends->tail_size--;
	if (strncmp(ends->head, "<?xml", 5) != 0)
		return false;
	name = strstr(ends->head, "?>");
	name = name ? strchr(name, '<') : NULL;
	if (!name)
		return false;
	name++;
	length = strcspn(name, " />\n");
	if (length + 3 > ends->tail_size)
		return false;
	/* An element without contents is all of the part. */
	if (strchr(name, '>') && strchr(name, '>')[-1] == '/')
		return strchr(name, '>') + 1 == ends->head + ends->head_size;
	return memcmp(ends->tail + ends->tail_size - length - 3, "</", 2) == 0 &&
	       memcmp(ends->tail + ends->tail_size - length - 1, name, length) == 0 &&
	       ends->tail[ends->tail_size - 1] == '>';
}

static bool check_part(const unsigned char *packed, size_t size, unsigned char *piece)
{
	struct part_ends ends = {.head_size = 0};
	z_stream stream = {.next_in = (unsigned char *)packed, .avail_in = (uInt)size};
	int status;

	if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
		return false;
	do {
		stream.next_out = piece;
		stream.avail_out = (uInt)PIECE_BYTES;
		status = inflate(&stream, Z_NO_FLUSH);
		see(&ends, piece, PIECE_BYTES - stream.avail_out);
	} while (status == Z_OK);
	inflateEnd(&stream);
	return status == Z_STREAM_END && is_whole(&ends);
}

static bool check_parts(const unsigned char *zip, size_t size, unsigned char *piece)
{
	size_t at = 0, parts = 0;

	while (size - at >= HEADER_BYTES && number_at(zip + at, 4) == LOCAL_HEADER) {
		const unsigned char *header = zip + at;
		const size_t packed = number_at(header + 18, 4),
			     before = HEADER_BYTES + number_at(header + 26, 2) +
				      number_at(header + 28, 2);

		if (number_at(header + 8, 2) != DEFLATED || before > size - at ||
			packed > size - at - before || packed >= UINT32_MAX)
			return false;
		if (!check_part(header + before, packed, piece))
			return false;
		at += before + packed;
		parts++;
	}
	return parts && size - at >= 4 && number_at(zip + at, 4) == CENTRAL_HEADER;
}

bool zip_check_xml(int fd)
{
	struct stat status;
	unsigned char *piece;
	void *zip;
	bool whole;

	if (fstat(fd, &status) != 0 || status.st_size <= 0)
		return false;
	zip = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (zip == MAP_FAILED)
		return false;
	piece = memory_alloc(PIECE_BYTES);
	whole = check_parts(zip, (size_t)status.st_size, piece);
	memory_free(piece);
	munmap(zip, (size_t)status.st_size);
	return whole;
}
