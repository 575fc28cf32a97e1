/* Nearest words by edit distance, where two neighbours in the wrong order count as one edit
 * (F. J. Damerau 1964; the restricted form, in which no part is edited twice). */
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
struct distance_rows {
	size_t *before, *above, *now;
	size_t *memory;
};

static void rows_init(struct distance_rows *r, size_t columns)
{
	r->memory = memory_alloc(memory_product(memory_product(columns, 3), sizeof(*r->memory)));
	r->before = r->memory;
	r->above = r->memory + columns;
	r->now = r->memory + 2 * columns;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The distance, or FAR as soon as it must be above `most`. */
static size_t distance(struct distance_rows *r, const char *a, size_t a_size, const char *b,
	size_t b_size, size_t most)
{
	if ((a_size > b_size ? a_size - b_size : b_size - a_size) > most)
		return FAR;
	for (size_t j = 0; j <= b_size; j++)
		r->now[j] = j;
	size_t previous = 0;

	for (size_t i = 1; i <= a_size; i++) {
		size_t *free_row = r->before;

		r->before = r->above;
		r->above = r->now;
		r->now = free_row;

		/* Fill r->now for the start of a that ends with a[i - 1]. */
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

/* Whether the eight bytes at both places are the same, case included. */
static bool same_eight(const char *a, const char *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x == y;
}

/* Number of characters with which both begin alike; eight at a time where case is alike, too. */
static size_t alike_first(const char *a, size_t a_size, const char *b, size_t b_size)
{
	size_t most = least(a_size, b_size), n = 0;

	for (;;) {
		while (n + 8 <= most && same_eight(a + n, b + n))
			n += 8;
		size_t eight = least(most, n + 8), before = n;

		while (n < eight && same(a[n], b[n]))
			n++;
		if (n < eight || n == before)
			return n;
	}
}

static size_t alike_last(const char *a, size_t a_size, const char *b, size_t b_size)
{
	size_t most = least(a_size, b_size), n = 0;

	for (;;) {
		while (n + 8 <= most && same_eight(a + a_size - n - 8, b + b_size - n - 8))
			n += 8;
		size_t eight = least(most, n + 8), before = n;

		while (n < eight && same(a[a_size - n - 1], b[b_size - n - 1]))
			n++;
		if (n < eight || n == before)
			return n;
	}
}

#define WORDS_MOST 64 /* of 64 bits: names of up to 4096 bytes */

/* Bits of the columns of short_distance, in `count` words. */
struct columns {
	uint64_t up[WORDS_MOST], down[WORDS_MOST], zero[WORDS_MOST], before[WORDS_MOST];
	size_t count;
};

/* One column further. `top` is the bit of the last row; returns the change there. */
static int turn_column(struct columns *c, const uint64_t *where, uint64_t top)
{
	uint64_t carry = 0, swapped_in = 0, right_in = 1, left_in = 0;
	int change = 0;

	for (size_t w = 0; w < c->count; w++) {
		uint64_t here = where[w], up = c->up[w], down = c->down[w];
		uint64_t late = ~c->zero[w] & here;
		uint64_t swapped = (late << 1 | swapped_in) & c->before[w];
		uint64_t part = (here & up) + up, sum = part + carry;

		swapped_in = late >> 63;
		carry = (part < up) | (sum < part);
		uint64_t zero = (sum ^ up) | here | down | swapped;
		uint64_t right = down | ~(zero | up), left = zero & up;

		if (w + 1 == c->count)
			change = (right & top) ? 1 : (left & top) ? -1 : 0;
		uint64_t right_out = right >> 63, left_out = left >> 63;

		right = right << 1 | right_in;
		left = left << 1 | left_in;
		right_in = right_out;
		left_in = left_out;
		c->up[w] = left | ~(zero | right);
		c->down[w] = right & zero;
		c->zero[w] = zero;
		c->before[w] = here;
	}
	return change;
}

/* short_distance for a word of any number of words of 64 bits (at most WORDS_MOST); FAR as soon as
 * it must be above `most`: each column takes away one edit at most. */
static size_t long_distance(
	const char *word, size_t size, const char *other, size_t other_size, size_t most)
{
	size_t edits = size, count = (size + 63) / 64;
	uint64_t top = (uint64_t)1 << ((size - 1) & 63);
	uint64_t *where = memory_alloc(256 * count * sizeof(*where));
	struct columns c = {.count = count};

	memset(where, 0, 256 * count * sizeof(*where));
	memset(c.up, 0xff, count * sizeof(*c.up));
	for (size_t i = 0; i < size; i++)
		where[(unsigned char)lower(word[i]) * count + i / 64] |= (uint64_t)1 << (i & 63);
	for (size_t j = 0; j < other_size && edits != FAR; j++) {
		edits += (size_t)turn_column(
			&c, where + (unsigned char)lower(other[j]) * count, top);
		if (edits > other_size - j - 1 && edits - (other_size - j - 1) > most)
			edits = FAR;
	}
	memory_free(where);
	return edits;
}

__extension__ typedef unsigned __int128 two_words;

/* short_distance for a word of 65 to 128 bytes. */
static size_t middle_distance(
	const char *word, size_t size, const char *other, size_t other_size, size_t most)
{
	two_words where[256] = {0}, up = ~(two_words)0, down = 0, zero = 0, before = 0;
	two_words top = (two_words)1 << (size - 1);
	size_t edits = size;

	for (size_t i = 0; i < size; i++)
		where[(unsigned char)lower(word[i])] |= (two_words)1 << i;
	for (size_t j = 0; j < other_size; j++) {
		two_words here = where[(unsigned char)lower(other[j])];
		two_words swapped = (~zero & here) << 1 & before;

		zero = (((here & up) + up) ^ up) | here | down | swapped;
		two_words right = down | ~(zero | up), left = zero & up;

		edits += (right & top) != 0;
		edits -= (left & top) != 0;
		if (edits > other_size - j - 1 && edits - (other_size - j - 1) > most)
			return FAR;
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
	struct distance_rows rows;

	/* A common beginning and a common end are not part of any edit. */
	size_t alike = alike_first(a, a_size, b, b_size);

	a += alike;
	b += alike;
	a_size -= alike;
	b_size -= alike;
	alike = alike_last(a, a_size, b, b_size);
	a_size -= alike;
	b_size -= alike;
	if ((a_size > b_size ? a_size - b_size : b_size - a_size) > most)
		return FAR;
	if (a_size == 0 || b_size == 0)
		edits = a_size + b_size;
	else if (a_size <= 64)
		edits = short_distance(a, a_size, b, b_size);
	else if (b_size <= 64)
		edits = short_distance(b, b_size, a, a_size);
	else if (a_size <= 128)
		edits = middle_distance(a, a_size, b, b_size, most);
	else if (b_size <= 128)
		edits = middle_distance(b, b_size, a, a_size, most);
	else if (a_size <= 64 * WORDS_MOST)
		edits = long_distance(a, a_size, b, b_size, most);
	else if (b_size <= 64 * WORDS_MOST)
		edits = long_distance(b, b_size, a, a_size, most);
	else {
		rows_init(&rows, b_size + 1);
		edits = distance(&rows, a, a_size, b, b_size, most);
		memory_free(rows.memory);
	}
	return edits <= most ? edits : FAR;
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

/* Edits between two words; FAR when they differ in every character, however short they are. */
static size_t nearness(struct distance_rows *r, const char *word, size_t word_size,
	const char *other, size_t other_size)
{
	size_t edits = distance(
		r, word, word_size, other, other_size, word_size / 3 > 1 ? word_size / 3 : 1);

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
	struct distance_rows rows;
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
	struct distance_rows rows;

	if (size == 0 || most == 0)
		return 0;
	size_t *edits_of = memory_alloc(memory_product(most, sizeof(*edits_of)));

	rows_init(&rows, longest_of(words, count) + 1);
	for (size_t i = 0; i < count; i++) {
		size_t other = strlen(words[i]);
		size_t edits = nearness(&rows, word, size, words[i], other);

		/* A word that contains the other is away by just the additional characters. */
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
