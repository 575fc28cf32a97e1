/* CRC-32 as gzip and PNG have it (polynomial 0xedb88320). */
#ifndef STEPSTAT_BASE_CRC32_H
#define STEPSTAT_BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The CRC of the bytes so far, of which 0 is none, with n more. */
uint32_t crc32_add(uint32_t crc, const void *bytes, size_t n);

#endif
