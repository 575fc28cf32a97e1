/* Whole numbers in few bytes: small differences folded to small numbers, numbers of a variable
 * length (seven bits in a byte, lowest first), and those of as many bytes or bits as they need. It
 * knows no format. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PACKED_VARINT_MOST 10 /* bytes of a number of variable length */
#define PACKED_SLACK 8	      /* bytes that may be written or read behind one of fixed width */
#define PACKED_BITS_MOST 56   /* a value of so many bits lies in 8 bytes, wherever it begins */

/* A number whose bytes were copied from where the lowest is first, and the other way round. */
static inline uint32_t little_32(uint32_t word)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? word : __builtin_bswap32(word);
}

static inline uint64_t little_64(uint64_t word)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? word : __builtin_bswap64(word);
}

/* Small differences, up or down, become small numbers: 0, -1, 1, -2 become 0, 1, 2, 3. */
static inline uint64_t packed_zigzag(uint64_t difference)
{
	return difference << 1 ^ (0 - (difference >> 63));
}

static inline uint64_t packed_unzigzag(uint64_t value)
{
	return value >> 1 ^ (0 - (value & 1));
}

/* Number of bits, and of bytes, that a value needs: none for 0. */
static inline unsigned packed_bits(uint64_t value)
{
	return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

static inline unsigned packed_bytes(uint64_t value)
{
	return (unsigned)(71 - __builtin_clzll(value | 1)) / 8 - (value == 0);
}

/* ---- variable length ---- */

/* Returns the length. */
static inline size_t packed_varint(void *to, uint64_t value)
{
	unsigned char *at = to;

	for (; value >= 0x80; value >>= 7)
		*at++ = (unsigned char)(value | 0x80);
	*at++ = (unsigned char)value;
	return (size_t)(at - (unsigned char *)to);
}

/* The seven low bits of each of the eight bytes, side by side. */
static inline uint64_t packed_join_sevens(uint64_t word)
{
	word &= UINT64_C(0x7f7f7f7f7f7f7f7f);
	word = (word & UINT64_C(0x007f007f007f007f)) | (word & UINT64_C(0x7f007f007f007f00)) >> 1;
	word = (word & UINT64_C(0x00003fff00003fff)) | (word & UINT64_C(0x3fff00003fff0000)) >> 2;
	return (word & UINT64_C(0x000000000fffffff)) | (word & UINT64_C(0x0fffffff00000000)) >> 4;
}

/* The same as packed_varint_next, for numbers of any length. */
bool packed_varint_slow(const unsigned char **at, const unsigned char *end, uint64_t *value);

/* Reads a number of at most 10 bytes; what is above bit 63 falls away. False where it does not end
 * before `end`. Numbers of up to 8 bytes (points in time have 8) are read in one step. */
static inline bool packed_varint_next(
	const unsigned char **at, const unsigned char *end, uint64_t *value)
{
	if (*at < end && **at < 0x80) {
		*value = *(*at)++;
		return true;
	}
	if (end - *at >= 8) {
		uint64_t word, ends;

		memcpy(&word, *at, 8);
		word = little_64(word);
		ends = ~word & UINT64_C(0x8080808080808080);
		if (ends) {
			const unsigned last =
				(unsigned)__builtin_ctzll(ends); /* of its last byte */

			*at += last / 8 + 1;
			*value = packed_join_sevens(word & (UINT64_MAX >> (63 - last)));
			return true;
		}
	}
	/* Through copies: what is handed to a function has to live in memory. */
	const unsigned char *copy = *at;
	uint64_t slow;
	const bool good = packed_varint_slow(&copy, end, &slow);

	*at = copy;
	if (good)
		*value = slow;
	return good;
}

/* ---- fixed width ---- */

/* The value of n bytes, none of which is read behind them. */
static inline uint64_t packed_little_endian(const unsigned char *bytes, size_t n)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	return value;
}

/* The value of so many bytes, which is 0 to 15: bytes that are read back are not trusted, and 8 are
 * the most. */
static inline uint64_t packed_take(const unsigned char **at, unsigned bytes)
{
	static const uint64_t mask[16] = {0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff,
		0xffffffffffff, 0xffffffffffffff, UINT64_MAX};
	uint64_t value;

	memcpy(&value, *at, 8);
	*at += bytes & 8 ? 8 : bytes;
	return little_64(value) & mask[bytes];
}

/* The value of so many bits, at most PACKED_BITS_MOST, from this bit on; 8 bytes are read. */
static inline uint64_t packed_bits_at(const unsigned char *from, size_t bit, unsigned width)
{
	uint64_t word;

	memcpy(&word, from + bit / 8, 8);
	return little_64(word) >> bit % 8 & (((uint64_t)1 << width) - 1);
}
