/* CRC-32 as in gzip and PNG (polynomial 0xedb88320). */
#ifndef STEPSTAT_BASE_CHECKSUM_CRC32_H
#define STEPSTAT_BASE_CHECKSUM_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Extends the CRC of the bytes so far (0: none) by n bytes. */
uint32_t crc32_add(uint32_t crc, const void *bytes, size_t n);

#endif
