/*
 * CRC-32C (Castagnoli, reflected polynomial 0x82F63B78), as in TensorFlow's tables and checkpoints;
 * zlib's CRC-32 is a different one. It is simple, not fast: each byte is checked once.
 */
#ifndef STEPSTAT_BASE_CHECKSUM_CRC32C_H
#define STEPSTAT_BASE_CHECKSUM_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Extends the checksum of the bytes before (0: none) by n bytes. */
uint32_t crc32c(uint32_t before, const void *bytes, size_t n);

/* Stored form: leveldb masks a checksum, since data may hold checksums itself. */
static inline uint32_t crc32c_mask(uint32_t crc)
{
	return (crc >> 15 | crc << 17) + UINT32_C(0xa282ead8);
}

#endif
