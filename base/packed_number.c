/* The slow path of numbers of a variable length. */
#include "base/packed_number.h"

bool packed_varint_slow(const unsigned char **at, const unsigned char *end, uint64_t *value)
{
	const unsigned char *p = *at;
	unsigned shift = 0;
	uint64_t v = 0;

	/* Numbers below zero have 10 bytes, of which 8 are read at once. */
	if (end - p >= PACKED_VARINT_MOST) {
		memcpy(&v, p, 8);
		v = little_64(v);
		if ((~v & UINT64_C(0x8080808080808080)) == 0) {
			p += 8;
			shift = 56;
		}
		v = shift ? packed_join_sevens(v) : 0;
	}
	for (; shift < 70 && p < end; shift += 7) {
		const unsigned char byte = *p++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*value = v;
			*at = p;
			return true;
		}
	}
	return false;
}
