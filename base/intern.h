/* A table of distinct names with dense ids 0, 1, 2... in order of first use. It copies the bytes
 * into its arena (a zero byte is part of a name and does not end it). It does not
 * sort. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"

struct intern;

struct intern *intern_new(struct arena *arena);			   /* freed with the arena */
uint32_t intern_id(struct intern *table, const char *s, size_t n); /* adds it when new */
bool intern_find(const struct intern *table, const char *s, size_t n, uint32_t *id);
const char *intern_name(const struct intern *table, uint32_t id);
size_t intern_count(const struct intern *table);
size_t intern_bytes(const struct intern *table);	      /* of all names together */
const char *intern_copy(struct intern *table, const char *s); /* its text; NULL of NULL */

/* The same for pairs of names: "ab" and "c" are not "a" and "bc". Names with a newline inside may
 * be taken for other pairs. */
struct intern_pairs;

struct name_pair {
	const char *first, *second; /* NULL: of no bytes */
	size_t first_size, second_size;
};

struct intern_pairs *intern_pairs_new(struct arena *arena);
/* The id of the pair, which is added when it is new. False when it is new and there are `most`
 * already. */
bool intern_pair(
	struct intern_pairs *pairs, const struct name_pair *pair, size_t most, uint32_t *id);
size_t intern_pair_count(const struct intern_pairs *pairs);

/* 64-bit hash of bytes with a seed; the same on every machine. */
uint64_t intern_hash(const void *bytes, size_t n, uint64_t seed);

/* Odd constants: fractions of the golden ratio, of sqrt(2), sqrt(3). */
#define INTERN_GOLDEN UINT64_C(0x9e3779b97f4a7c15)
#define INTERN_ROOT2 UINT64_C(0x6a09e667f3bcc909)
#define INTERN_ROOT3 UINT64_C(0xbb67ae8584caa73b)

/* Hash of both halves of the product, so that every bit of a and b reaches every bit of it. */
static inline uint64_t intern_fold(uint64_t a, uint64_t b)
{
	const unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t intern_end_hash(uint64_t begun, uint64_t tail, size_t n)
{
	return intern_fold(
		intern_fold(begun ^ tail, INTERN_ROOT3), INTERN_ROOT2 ^ (uint64_t)n << 1);
}

/* intern_hash of the 24 bytes of three numbers, the lowest byte of each first, where the first is
 * the same for many: what is known of it is computed once. */
uint64_t intern_begin_three(uint64_t first, uint64_t seed);

static inline uint64_t intern_end_three(uint64_t begun, uint64_t second, uint64_t third)
{
	return intern_end_hash(intern_fold(begun ^ second, INTERN_GOLDEN), third, 24);
}
