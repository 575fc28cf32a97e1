/*
 * Names by what they share with one: an index of three characters in a row, and two orders.
 */
#include "analysis/compare/candidates.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/order.h"

#define GRAM_BITS 16
/* of three characters, hashed: what falls together only adds some */
#define GRAMS (1 << GRAM_BITS)
#define GRAMS_MOST 1024	 /* of a name */
#define VISITS_MOST 1024 /* entries of the index for one name */
#define BY_GRAMS 64	 /* candidates that share the most of what is rare */
#define BESIDE 16	 /* before, and after, in each order */
#define ALONG 8		 /* before, and after, the same place down the list */

struct reversed {
	const char *name;
	size_t size;
	uint32_t index;
};

struct scored {
	uint32_t index, score;
};

struct gram {
	uint32_t number, names; /* with it */
};

struct candidates {
	const char *const *name;
	size_t count;
	struct reversed *reversed; /* in the order of names read from the end */
	uint32_t *first, *with;	   /* names of gram g: with[first[g]] to with[first[g + 1] - 1] */
	uint32_t *seen;		   /* of each gram: in the name looked at last, by its turn */
	uint32_t *score;	   /* of each name, 0 between calls */
	bool *chosen;		   /* of each name, false between calls */
	struct scored *touched;
	uint32_t turn;
};

static unsigned lower(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* The distinct grams of a name; its end counts as a character. */
static size_t list_grams(struct candidates *c, const char *name, struct gram out[GRAMS_MOST])
{
	uint32_t last = 0;
	size_t n = 0;

	c->turn++;
	for (const char *at = name;; at++) {
		uint32_t gram;

		last = (last << 8 | lower((unsigned char)*at)) & 0xffffff;
		gram = last * UINT32_C(2654435761) >> (32 - GRAM_BITS);
		if (c->seen[gram] != c->turn && n < GRAMS_MOST) {
			c->seen[gram] = c->turn;
			out[n++].number = gram;
		}
		if (!*at)
			return n;
	}
}

static void make_index(struct candidates *c, struct arena *arena)
{
	struct gram gram[GRAMS_MOST];
	size_t total = 0;

	for (size_t i = 0; i < c->count; i++) {
		size_t n = list_grams(c, c->name[i], gram);

		total += n;
		for (size_t k = 0; k < n; k++)
			c->first[gram[k].number + 1]++;
	}
	for (size_t g = 0; g < GRAMS; g++)
		c->first[g + 1] += c->first[g];
	c->with = arena_array(arena, total, sizeof(*c->with));
	for (size_t i = c->count; i-- > 0;) {
		size_t n = list_grams(c, c->name[i], gram);

		for (size_t k = 0; k < n; k++)
			c->with[--c->first[gram[k].number + 1]] = (uint32_t)i;
	}
	/* Each has moved from its end to its start: the start of the next one is its end. */
	memmove(c->first, c->first + 1, GRAMS * sizeof(*c->first));
	c->first[GRAMS] = (uint32_t)total;
}

static int compare_ends(const char *a, size_t a_size, const char *b, size_t b_size)
{
	while (a_size && b_size && a[a_size - 1] == b[b_size - 1]) {
		a_size--;
		b_size--;
	}
	if (!a_size || !b_size)
		return (a_size > b_size) - (a_size < b_size);
	return (unsigned char)a[a_size - 1] < (unsigned char)b[b_size - 1] ? -1 : 1;
}

static int compare_reversed(const void *a, const void *b)
{
	const struct reversed *x = a, *y = b;

	return compare_ends(x->name, x->size, y->name, y->size) ?: ORDER(x->index, y->index);
}

struct candidates *candidates_new(const char *const *name, size_t count, struct arena *arena)
{
	struct candidates *c = arena_alloc(arena, sizeof(*c));

	*c = (struct candidates){.name = name, .count = count};
	c->reversed = arena_array(arena, count, sizeof(*c->reversed));
	c->first = arena_array(arena, GRAMS + 1, sizeof(*c->first));
	c->seen = arena_array(arena, GRAMS, sizeof(*c->seen));
	c->score = arena_array(arena, count, sizeof(*c->score));
	c->chosen = arena_array(arena, count, sizeof(*c->chosen));
	c->touched = arena_array(arena, VISITS_MOST, sizeof(*c->touched));
	for (size_t i = 0; i < count; i++)
		c->reversed[i] = (struct reversed){name[i], strlen(name[i]), (uint32_t)i};
	qsort(c->reversed, count, sizeof(*c->reversed), compare_reversed);
	make_index(c, arena);
	return c;
}

/* ---- one name ---- */

struct chosen {
	struct candidates *of;
	uint32_t *out;
	size_t count;
};

static void choose(struct chosen *chosen, size_t index)
{
	if (chosen->of->chosen[index])
		return;
	chosen->of->chosen[index] = true;
	chosen->out[chosen->count++] = (uint32_t)index;
}

static int compare_grams(const void *a, const void *b)
{
	const struct gram *x = a, *y = b;

	return ORDER(x->names, y->names) ?: ORDER(x->number, y->number);
}

static int compare_scored(const void *a, const void *b)
{
	const struct scored *x = a, *y = b;

	return ORDER(y->score, x->score) ?: ORDER(x->index, y->index);
}

/* The rarest grams first, as many as there is room for; what few share is worth more. */
static void choose_by_grams(struct chosen *chosen, const char *name)
{
	struct candidates *c = chosen->of;
	struct gram gram[GRAMS_MOST];
	size_t n = list_grams(c, name, gram), visits = 0, touched = 0;

	for (size_t k = 0; k < n; k++)
		gram[k].names = c->first[gram[k].number + 1] - c->first[gram[k].number];
	qsort(gram, n, sizeof(*gram), compare_grams);
	for (size_t k = 0; k < n && visits + gram[k].names <= VISITS_MOST; k++) {
		const uint32_t *with = c->with + c->first[gram[k].number];

		visits += gram[k].names;
		for (size_t i = 0; i < gram[k].names; i++) {
			if (!c->score[with[i]])
				c->touched[touched++].index = with[i];
			c->score[with[i]] += VISITS_MOST / gram[k].names;
		}
	}
	for (size_t i = 0; i < touched; i++) {
		c->touched[i].score = c->score[c->touched[i].index];
		c->score[c->touched[i].index] = 0;
	}
	if (touched > BY_GRAMS)
		qsort(c->touched, touched, sizeof(*c->touched), compare_scored);
	for (size_t i = 0; i < touched && i < BY_GRAMS; i++)
		choose(chosen, c->touched[i].index);
}

/* The places from `most` before `at` to `most` after it, of `count`. */
static void around(size_t at, size_t most, size_t count, size_t *from, size_t *to)
{
	*from = at > most ? at - most : 0;
	*to = at + most < count ? at + most : count;
}

static void choose_beside(struct chosen *chosen, const char *name)
{
	const struct candidates *c = chosen->of;
	size_t size = strlen(name), at, from, to;
	size_t low = 0, high = c->count;

	while (low < high) {
		at = low + (high - low) / 2;
		if (strcmp(c->name[at], name) < 0)
			low = at + 1;
		else
			high = at;
	}
	around(low, BESIDE, c->count, &from, &to);
	for (size_t i = from; i < to; i++)
		choose(chosen, i);
	low = 0;
	high = c->count;
	while (low < high) {
		at = low + (high - low) / 2;
		if (compare_ends(c->reversed[at].name, c->reversed[at].size, name, size) < 0)
			low = at + 1;
		else
			high = at;
	}
	around(low, BESIDE, c->count, &from, &to);
	for (size_t i = from; i < to; i++)
		choose(chosen, c->reversed[i].index);
}

size_t candidates_find(struct candidates *candidates, const char *name, size_t rank, size_t ranks,
	uint32_t out[CANDIDATES_MOST])
{
	struct chosen chosen = {candidates, out, 0};
	size_t from, to;

	choose_by_grams(&chosen, name);
	choose_beside(&chosen, name);
	around(rank * candidates->count / ranks, ALONG, candidates->count, &from, &to);
	for (size_t i = from; i < to; i++)
		choose(&chosen, i);
	qsort(out, chosen.count, sizeof(*out), order_uint32);
	for (size_t i = 0; i < chosen.count; i++)
		candidates->chosen[out[i]] = false;
	return chosen.count;
}
