/*
 * Nearest words by edit distance, where two neighbours in the wrong order count as one edit
 * (F. J. Damerau 1964; the restricted form, in which no part is edited twice).
 */
#include "base/text.h"

#include <stdint.h>
#include <string.h>
#include "base/memory.h"

#define FAR SIZE_MAX

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same(char a, char b)
{
	return lower(a) == lower(b);
}

/* Three rows of the table of distances between starts of the words, each with `columns` numbers. */
struct rows {
	size_t *before, *above, *now;
	size_t *memory;
};

static void rows_init(struct rows *r, size_t columns)
{
	r->memory = memory_alloc(memory_product(memory_product(columns, 3), sizeof(*r->memory)));
	r->before = r->memory;
	r->above = r->memory + columns;
	r->now = r->memory + 2 * columns;
}

static void rows_turn(struct rows *r)
{
	size_t *free_row = r->before;

	r->before = r->above;
	r->above = r->now;
	r->now = free_row;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Fills r->now for the start of a that ends with a[i - 1]; returns the smallest number in it. */
static size_t fill_row(struct rows *r, const char *a, size_t i, const char *b, size_t b_size)
{
	size_t smallest = r->now[0] = i;

	for (size_t j = 1; j <= b_size; j++) {
		size_t edits = r->above[j - 1] + !same(a[i - 1], b[j - 1]);

		edits = least(edits, r->above[j] + 1);
		edits = least(edits, r->now[j - 1] + 1);
		if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
			edits = least(edits, r->before[j - 2] + 1);
		r->now[j] = edits;
		smallest = least(smallest, edits);
	}
	return smallest;
}

/* The distance, or FAR as soon as it must be above `most`. */
static size_t distance(
	struct rows *r, const char *a, size_t a_size, const char *b, size_t b_size, size_t most)
{
	if ((a_size > b_size ? a_size - b_size : b_size - a_size) > most)
		return FAR;
	for (size_t j = 0; j <= b_size; j++)
		r->now[j] = j;
	size_t previous = 0;

	for (size_t i = 1; i <= a_size; i++) {
		rows_turn(r);
		size_t smallest = fill_row(r, a, i, b, b_size);

		/* A transposition reaches back two rows, so one bad row is not the end. */
		if (smallest > most && previous > most)
			return FAR;
		previous = smallest;
	}
	return r->now[b_size] <= most ? r->now[b_size] : FAR;
}

/* The distance for a word of 1 to 64 bytes: a column of the table at once, its differences up and
 * down as bits (H. Hyyro, A bit-vector algorithm for computing Levenshtein and Damerau edit
 * distances, 2003). */
static size_t short_distance(const char *word, size_t size, const char *other, size_t other_size)
{
	uint64_t where[256] = {0}, up = UINT64_MAX, down = 0, zero = 0, before = 0;
	size_t edits = size;

	for (size_t i = 0; i < size; i++)
		where[(unsigned char)lower(word[i])] |= (uint64_t)1 << i;
	for (size_t j = 0; j < other_size; j++) {
		uint64_t here = where[(unsigned char)lower(other[j])];
		uint64_t swapped = (~zero & here) << 1 & before;

		zero = (((here & up) + up) ^ up) | here | down | swapped;
		uint64_t right = down | ~(zero | up), left = zero & up;

		edits += right >> (size - 1) & 1;
		edits -= left >> (size - 1) & 1;
		right = right << 1 | 1;
		up = left << 1 | ~(zero | right);
		down = right & zero;
		before = here;
	}
	return edits;
}

size_t text_distance(const char *a, const char *b, size_t most)
{
	size_t a_size = strlen(a), b_size = strlen(b), edits;
	struct rows rows;

	/* What they begin and end with alike is no part of any edit. */
	for (; a_size && b_size && same(*a, *b); a++, b++, a_size--, b_size--)
		;
	while (a_size && b_size && same(a[a_size - 1], b[b_size - 1])) {
		a_size--;
		b_size--;
	}
	if (a_size == 0 || b_size == 0)
		edits = a_size + b_size;
	else if (a_size <= 64)
		edits = short_distance(a, a_size, b, b_size);
	else if (b_size <= 64)
		edits = short_distance(b, b_size, a, a_size);
	else
		edits = FAR;
	if (edits != FAR)
		return edits <= most ? edits : FAR;
	rows_init(&rows, b_size + 1);
	edits = distance(&rows, a, a_size, b, b_size, most);
	memory_free(rows.memory);
	return edits;
}

static bool contains(const char *s, size_t s_size, const char *part, size_t part_size)
{
	for (size_t i = 0; i + part_size <= s_size; i++) {
		size_t j = 0;

		while (j < part_size && same(s[i + j], part[j]))
			j++;
		if (j == part_size)
			return true;
	}
	return false;
}

static size_t most_edits(size_t size)
{
	return size / 3 > 1 ? size / 3 : 1;
}

/* What differs in every character is not near, however short. */
static size_t nearness(
	struct rows *r, const char *word, size_t word_size, const char *other, size_t other_size)
{
	size_t edits = distance(r, word, word_size, other, other_size, most_edits(word_size));

	return edits < (word_size > other_size ? word_size : other_size) ? edits : FAR;
}

static size_t longest_of(const char *const *words, size_t count)
{
	size_t longest = 0;

	for (size_t i = 0; i < count; i++) {
		size_t size = strlen(words[i]);

		if (size > longest)
			longest = size;
	}
	return longest;
}

int text_nearest(const char *word, const char *const *words, size_t count)
{
	size_t size = strlen(word), best = FAR;
	struct rows rows;
	int index = -1;

	rows_init(&rows, longest_of(words, count) + 1);
	for (size_t i = 0; i < count; i++) {
		size_t edits = nearness(&rows, word, size, words[i], strlen(words[i]));

		if (edits < best) {
			best = edits;
			index = (int)i;
		}
	}
	memory_free(rows.memory);
	return index;
}

size_t text_nearest_few(
	const char *word, const char *const *words, size_t count, size_t *out, size_t most)
{
	size_t size = strlen(word), found = 0;
	struct rows rows;

	if (size == 0 || most == 0)
		return 0;
	size_t *edits_of = memory_alloc(memory_product(most, sizeof(*edits_of)));

	rows_init(&rows, longest_of(words, count) + 1);
	for (size_t i = 0; i < count; i++) {
		size_t other = strlen(words[i]);
		size_t edits = nearness(&rows, word, size, words[i], other);

		/* What contains the other is away by just the additional characters. */
		if (edits == FAR && other > 0 &&
			(contains(words[i], other, word, size) ||
				contains(word, size, words[i], other)))
			edits = other > size ? other - size : size - other;
		if (edits == FAR || (found == most && edits >= edits_of[found - 1]))
			continue;
		size_t at = found < most ? found++ : found - 1;

		for (; at > 0 && edits_of[at - 1] > edits; at--) {
			edits_of[at] = edits_of[at - 1];
			out[at] = out[at - 1];
		}
		edits_of[at] = edits;
		out[at] = i;
	}
	memory_free(rows.memory);
	memory_free(edits_of);
	return found;
}
