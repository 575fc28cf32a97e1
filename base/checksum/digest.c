/*
 * SHA-256 by libmd.
 */
#include "base/checksum/digest.h"

#include <stdint.h>
#include <sys/types.h>
#include <sha256.h>

_Static_assert(DIGEST_SIZE == SHA256_DIGEST_STRING_LENGTH, "as libmd writes it");

const char *digest_sha256(const void *bytes, size_t size, char *out)
{
	SHA2_CTX context;

	SHA256Init(&context);
	SHA256Update(&context, bytes, size);
	SHA256End(&context, out);
	return out;
}
