/* zlib's CRC-32, in pieces as long as its unsigned int. */
#include "base/checksum/crc32.h"

#include <zlib.h>

#define PIECE_MOST ((size_t)1 << 30)

uint32_t crc32_add(uint32_t crc, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;

	while (n > 0) {
		size_t part = n < PIECE_MOST ? n : PIECE_MOST;

		crc = (uint32_t)crc32(crc, at, (uInt)part);
		at += part;
		n -= part;
	}
	return crc;
}
