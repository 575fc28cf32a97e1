/*
 * CRC-32C (Castagnoli, reflected polynomial 0x82F63B78), as TensorFlow's tables and checkpoints
 * have it; zlib's CRC-32 is another one. It is simple, not fast: it goes over what is read, once.
 */
#ifndef STEPSTAT_INGEST_TENSORFLOW_CRC32C_H
#define STEPSTAT_INGEST_TENSORFLOW_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Goes on from the checksum of what came before; 0 in front. */
uint32_t crc32c(uint32_t before, const void *bytes, size_t n);

/* As it is stored: leveldb masks a checksum, since data may hold checksums itself. */
static inline uint32_t crc32c_mask(uint32_t crc)
{
	return (crc >> 15 | crc << 17) + UINT32_C(0xa282ead8);
}

#endif
