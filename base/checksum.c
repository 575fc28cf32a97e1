/* CRC-32 by ISA-L, or by zlib in pieces as long as its unsigned int; CRC-32C four bits at a time,
 * by a table of 16 remainders; SHA-256 by libmd. */
#include "base/checksum.h"

#include <sha256.h>
#include <stdint.h>
#include <sys/types.h>
#ifdef WITH_ISAL
#include <isa-l/crc.h>
#else
#include <zlib.h>
#endif

#ifdef WITH_ISAL

uint32_t crc32_add(uint32_t crc, const void *bytes, size_t n)
{
	return crc32_gzip_refl(crc, bytes, n);
}

#else

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

#endif

/* The remainders of the 16 values of four bits. */
static const uint32_t remainder_of[16] = {
	0x00000000,
	0x105ec76f,
	0x20bd8ede,
	0x30e349b1,
	0x417b1dbc,
	0x5125dad3,
	0x61c69362,
	0x7198540d,
	0x82f63b78,
	0x92a8fc17,
	0xa24bb5a6,
	0xb21572c9,
	0xc38d26c4,
	0xd3d3e1ab,
	0xe330a81a,
	0xf36e6f75,
};

uint32_t crc32c(uint32_t before, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;
	uint32_t crc = ~before;

	for (size_t i = 0; i < n; i++) {
		crc ^= at[i];
		crc = crc >> 4 ^ remainder_of[crc & 15];
		crc = crc >> 4 ^ remainder_of[crc & 15];
	}
	return ~crc;
}

_Static_assert(DIGEST_SIZE == SHA256_DIGEST_STRING_LENGTH, "as libmd writes it");

const char *digest_sha256(const void *bytes, size_t size, char *out)
{
	SHA2_CTX context;

	SHA256Init(&context);
	SHA256Update(&context, bytes, size);
	SHA256End(&context, out);
	return out;
}
