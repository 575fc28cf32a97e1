/* Records of 64-bit words that resemble the record before them, as few bytes: half a byte for each
 * word says how many bytes its difference to the one before needs (folded: 0, -1, 1, -2, ...), then
 * come those bytes, lowest first. It knows neither files nor what a word means. */
#pragma once

#include "base/packed_number.h"

#define PACKED_WORDS_MOST 16 /* of a record */

/* Bytes of a packed record at most, without the slack. */
static inline size_t packed_most(size_t words)
{
	return (words + 1) / 2 + 8 * words;
}

/* Inlined with a constant number of words it has no branches, which no processor could predict. */
__attribute__((always_inline)) static inline size_t pack_fixed(
	size_t words, uint64_t *before, const unsigned char *record, unsigned char *to)
{
	unsigned char *data = to + (words + 1) / 2;
	uint64_t codes = 0;

#pragma GCC unroll 9
	for (size_t i = 0; i < words; i++) {
		uint64_t word;

		memcpy(&word, record + 8 * i, 8);
		const uint64_t folded = packed_zigzag(word - before[i]), stored = little_64(folded);
		const unsigned bytes = packed_bytes(folded);

		memcpy(data, &stored, 8);
		data += bytes;
		codes |= (uint64_t)bytes << 4 * i;
		before[i] = word;
	}
	codes = little_64(codes);
	memcpy(to, &codes, (words + 1) / 2);
	return (size_t)(data - to);
}

__attribute__((always_inline)) static inline size_t unpack_fixed(
	size_t words, const unsigned char *before, unsigned char *record, const unsigned char *from)
{
	const unsigned char *data = from + (words + 1) / 2;
	uint64_t codes; /* and what follows them */

	memcpy(&codes, from, 8);
	codes = little_64(codes);
#pragma GCC unroll 9
	for (size_t i = 0; i < words; i++) {
		uint64_t word;

		memcpy(&word, before + 8 * i, 8);
		word += packed_unzigzag(packed_take(&data, codes >> 4 * i & 15));
		memcpy(record + 8 * i, &word, 8);
	}
	return (size_t)(data - from);
}

/* Writes the record and makes it the one before; returns the bytes written. Zeros are before the
 * first. */
static inline size_t pack_words(
	size_t words, uint64_t *before, const void *record, unsigned char *to)
{
	switch (words) {
	case 3:
		return pack_fixed(3, before, record, to);
	case 6:
		return pack_fixed(6, before, record, to);
	case 9:
		return pack_fixed(9, before, record, to);
	default:
		return pack_fixed(words, before, record, to);
	}
}

/* Makes the record that follows `before`, which may be the same; returns the bytes read. */
static inline size_t unpack_words(
	size_t words, const void *before, void *record, const unsigned char *from)
{
	switch (words) {
	case 3:
		return unpack_fixed(3, before, record, from);
	case 6:
		return unpack_fixed(6, before, record, from);
	case 9:
		return unpack_fixed(9, before, record, from);
	default:
		return unpack_fixed(words, before, record, from);
	}
}
