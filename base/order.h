/* Orders for qsort and bsearch, and a stable sort of many small records by a 64-bit key. A function
 * that compares structs by several members joins them with `?:`, the most important first:
 * `return ORDER(x->rank, y->rank) ?: strcmp(x->name, y->name);`. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* -1, 0 or 1: x below, beside or above y. The arguments change places for a falling order. NaN is
 * beside everything. */
#define ORDER(x, y) (((x) > (y)) - ((x) < (y)))

/* A function for qsort and bsearch over an array of `type`, of which x and y point at two. */
#define ORDERED(name, type, order)                                                                 \
	static int name(const void *left, const void *right)                                       \
	{                                                                                          \
		const __typeof__(type) *const x = left, *const y = right;                          \
                                                                                                   \
		return order;                                                                      \
	}                                                                                          \
	static int name(const void *, const void *)

/* Orders of arrays of plain values: texts by bytes, and numbers. */
static inline int order_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static inline int order_int64(const void *a, const void *b)
{
	return ORDER(*(const int64_t *)a, *(const int64_t *)b);
}

static inline int order_uint32(const void *a, const void *b)
{
	return ORDER(*(const uint32_t *)a, *(const uint32_t *)b);
}

static inline int order_doubles(const void *a, const void *b)
{
	return ORDER(*(const double *)a, *(const double *)b);
}

struct keyed {
	int64_t key;
	int64_t value; /* the caller's */
};

/* Ascending. `spare` has room for as many and is overwritten. */
void order_by_key(struct keyed *item, struct keyed *spare, size_t count);
