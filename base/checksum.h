/* Checksums: CRC-32 as in gzip and PNG (polynomial 0xedb88320), CRC-32C as in record files
 * (Castagnoli), and SHA-256. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Extends the CRC of the bytes so far (0: none) by n bytes. */
uint32_t crc32_add(uint32_t crc, const void *bytes, size_t n);

/* Extends the checksum of the bytes before (0: none) by n bytes. */
uint32_t crc32c(uint32_t before, const void *bytes, size_t n);

/* Stored form: leveldb masks a checksum, since data may hold checksums itself. */
static inline uint32_t crc32c_mask(uint32_t crc)
{
	return (crc >> 15 | crc << 17) + UINT32_C(0xa282ead8);
}

#define DIGEST_SIZE 65 /* 64 hexadecimal digits and the 0 */

/* SHA-256 of the bytes, as sha256sum prints it. Returns out[DIGEST_SIZE]. */
const char *digest_sha256(const void *bytes, size_t size, char *out);
