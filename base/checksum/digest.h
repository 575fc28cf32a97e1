/*
 * The digest of a file's bytes, which identifies its contents. It reads no file.
 */
#ifndef STEPSTAT_BASE_CHECKSUM_DIGEST_H
#define STEPSTAT_BASE_CHECKSUM_DIGEST_H

#include <stddef.h>

#define DIGEST_SIZE 65 /* 64 hexadecimal digits and the 0 */

/* SHA-256 of the bytes, as sha256sum prints it. Returns out[DIGEST_SIZE]. */
const char *digest_sha256(const void *bytes, size_t size, char *out);

#endif
