/* Pairs the groups of two sides. Names first, in one pass over both; then sets of leftovers that
 * could be the same by type (and shape), and within a set the nearest names first. */
#include "analysis/compare/pairing.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"

#define CANDIDATES_MOST 144

struct candidates;

/* Names by what they share with one: an index of three characters in a row, and two orders. */

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

ORDERED(compare_reversed, struct reversed,
	compare_ends(x->name, x->size, y->name, y->size) ?: ORDER(x->index, y->index));

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

ORDERED(compare_grams, struct gram, ORDER(x->names, y->names) ?: ORDER(x->number, y->number));

ORDERED(compare_scored, struct scored, ORDER(y->score, x->score) ?: ORDER(x->index, y->index));

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

/* Indexes of those that share the rarest three characters with `name`, that are beside it in the
 * order of names and in that of names read from their ends, and that are about as far down the list
 * as `name` is: number `rank` of `ranks`. Each once, ascending; returns how many (at least one, at
 * most CANDIDATES_MOST). */
static size_t candidates_find(struct candidates *candidates, const char *name, size_t rank,
	size_t ranks, uint32_t out[CANDIDATES_MOST])
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

const char *const pairing_mode_words[] = {"name", "type+shape", "nearest", NULL};

#define NONE SIZE_MAX
#define BUCKETS 32	 /* of bytes; upper and lower case fall together, as in text_distance */
#define EDITS_MOST 65535 /* more are all alike */
#define ALL_MOST 90000	 /* pairs of names, up to which all are compared */
#define ROUNDS_MOST 8

/* A group that has no partner yet. */
struct leftover {
	size_t group;
	const char *name, *type, *device, *shape;
	size_t size;		      /* of the name */
	unsigned char bytes[BUCKETS]; /* how many of the name are in each; 255 may be more */
	int sum;		      /* of them */
};

/* Leftovers of one side that may be partners of the same of the other. */
struct leftovers {
	struct leftover *item;
	size_t count;
};

struct pair_matcher {
	const struct cube *cube[2];
	const struct grouping *side[2];
	enum pairing_mode mode;
	size_t *partner; /* of each group of base */
	enum pairing_how *how;
	bool *taken;	    /* of each group of new */
	size_t compared[2]; /* leftovers whose names were compared */
	struct vec found;   /* struct near */
};

/* Two names that are near enough. */
struct near {
	uint32_t edits, base, new; /* the last two: index of the leftover */
};

static void join(struct pair_matcher *m, size_t base, size_t new, enum pairing_how how)
{
	m->partner[base] = new;
	m->how[base] = how;
	m->taken[new] = true;
}

/* ---- names ---- */

/* Both groupings are sorted by name. */
static void pair_names(struct pair_matcher *m)
{
	const struct grouping *base = m->side[0], *new = m->side[1];

	for (size_t i = 0, j = 0; i < base->count && j < new->count;) {
		int order = strcmp(base->group[i].name, new->group[j].name);

		if (order == 0)
			join(m, i, j, PAIRED_NAME);
		i += order <= 0;
		j += order >= 0;
	}
}

static int compare_keys(const struct leftover *x, const struct leftover *y)
{
	int order = strcmp(x->type, y->type);

	if (!order)
		order = strcmp(x->device, y->device);
	return order ? order : strcmp(x->shape, y->shape);
}

ORDERED(compare_leftovers, struct leftover, compare_keys(x, y) ?: ORDER(x->group, y->group));

/* Rows that can have a partner, by what it must have too, then in order of name. */
static struct leftovers collect(const struct pair_matcher *m, size_t side, struct arena *scratch)
{
	const struct grouping *grouping = m->side[side];
	struct leftovers out = {arena_array(scratch, grouping->count, sizeof(*out.item)), 0};

	for (size_t g = 0; g < grouping->count; g++) {
		const struct group *group = &grouping->group[g];
		struct leftover *item = &out.item[out.count];

		if (side == 0 ? m->partner[g] != NONE : m->taken[g])
			continue;
		*item = (struct leftover){g, group->name, group->type, "", "", 0, {0}, 0};
		if (m->mode == PAIRING_TYPE_SHAPE) {
			item->device = group->device;
			item->shape = grouping_shape(m->cube[side], group);
			if (!*item->type || !*item->shape)
				continue;
		}
		/* ---- leftovers ---- */
		for (const char *c = item->name; *c; c++) {
			unsigned char *count = &item->bytes[(unsigned char)*c % BUCKETS];

			item->sum += *count < UINT8_MAX;
			*count += *count < UINT8_MAX;
		}
		item->size = strlen(item->name);
		out.count++;
	}
	if (out.count)
		qsort(out.item, out.count, sizeof(*out.item), compare_leftovers);
	return out;
}

/* ---- nearest names ---- */

/* Ops that type and shape make equal are paired whatever their names. */
static size_t most_edits(
	const struct pair_matcher *m, const struct leftover *x, const struct leftover *y)
{
	size_t a = x->size, b = y->size;

	return m->mode == PAIRING_TYPE_SHAPE ? SIZE_MAX : (a > b ? a : b) * 2 / 5;
}

/* Leftovers that have no partner yet: indexes. */
static size_t list_free(
	const struct pair_matcher *m, size_t side, const struct leftovers *all, uint32_t *out)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++) {
		size_t g = all->item[i].group;

		if (side == 0 ? m->partner[g] == NONE : !m->taken[g])
			out[n++] = (uint32_t)i;
	}
	return n;
}

/* Leftovers of both sides without a partner. */
struct free_ones {
	uint32_t *base, *new;
	size_t bases, news;
};

/* One pair; 0, or -1 with err set. */
static int compare_pair(struct pair_matcher *m, const struct leftovers *base,
	const struct leftovers *new, uint32_t i, uint32_t j, struct error *err)
{
	const struct leftover *x = &base->item[i], *y = &new->item[j];
	size_t most = most_edits(m, x, y), edits;
	struct near *near;
	/* At least so many edits are between two names: each changes one byte for another at
	 * most. */
	int apart = 0, more = abs(x->sum - y->sum);

	for (size_t k = 0; k < BUCKETS; k++)
		apart += abs(x->bytes[k] - y->bytes[k]);
	if ((size_t)(apart + more) / 2 > most)
		return 0;
	edits = text_distance(x->name, y->name, most);
	if (edits == SIZE_MAX)
		return 0;
	near = vec_push(&m->found, err);
	if (!near)
		return -1;
	*near = (struct near){edits < EDITS_MOST ? (uint32_t)edits : EDITS_MOST, i, j};
	return 0;
}

/* All pairs that are near enough, base by base, then new by new. */
static int find_all(struct pair_matcher *m, const struct leftovers *base,
	const struct leftovers *new, const struct free_ones *of, struct error *err)
{
	for (size_t i = 0; i < of->bases; i++)
		for (size_t j = 0; j < of->news; j++)
			if (compare_pair(m, base, new, of->base[i], of->new[j], err) < 0)
				return -1;
	return 0;
}

/* The rows that candidates_find gives, in the same order. */
static int find_some(struct pair_matcher *m, const struct leftovers *base,
	const struct leftovers *new, const struct free_ones *of, struct error *err)
{
	struct arena *scratch = arena_new();
	const char **name = arena_array(scratch, of->news, sizeof(*name));
	uint32_t found[CANDIDATES_MOST];
	struct candidates *candidates;
	int result = 0;

	for (size_t j = 0; j < of->news; j++)
		name[j] = new->item[of->new[j]].name;

	/* The names are sorted (strcmp) and stay where they are; at least one. In the arena. */
	candidates = arena_alloc(scratch, sizeof(*candidates));

	*candidates = (struct candidates){.name = name, .count = of->news};
	candidates->reversed = arena_array(scratch, of->news, sizeof(*candidates->reversed));
	candidates->first = arena_array(scratch, GRAMS + 1, sizeof(*candidates->first));
	candidates->seen = arena_array(scratch, GRAMS, sizeof(*candidates->seen));
	candidates->score = arena_array(scratch, of->news, sizeof(*candidates->score));
	candidates->chosen = arena_array(scratch, of->news, sizeof(*candidates->chosen));
	candidates->touched = arena_array(scratch, VISITS_MOST, sizeof(*candidates->touched));
	for (size_t i = 0; i < of->news; i++)
		candidates->reversed[i] = (struct reversed){name[i], strlen(name[i]), (uint32_t)i};
	qsort(candidates->reversed, of->news, sizeof(*candidates->reversed), compare_reversed);
	make_index(candidates, scratch);
	for (size_t i = 0; i < of->bases && result == 0; i++) {
		size_t count = candidates_find(
			candidates, base->item[of->base[i]].name, i, of->bases, found);

		for (size_t k = 0; k < count && result == 0; k++)
			result = compare_pair(m, base, new, of->base[i], of->new[found[k]], err);
	}
	arena_free(scratch);
	return result;
}

/* The nearest first; they were found in the order that decides among equals, so that counting
 * sorts. */
static void join_found(struct pair_matcher *m, const struct leftovers *base,
	const struct leftovers *new, enum pairing_how how)
{
	const struct near *found = m->found.data;
	size_t n = m->found.count, *first = memory_alloc((EDITS_MOST + 2) * sizeof(*first));
	uint32_t *order = memory_alloc(memory_product(n + 1, sizeof(*order)));

	memset(first, 0, (EDITS_MOST + 2) * sizeof(*first));
	for (size_t k = 0; k < n; k++)
		first[found[k].edits + 1]++;
	for (size_t d = 0; d <= EDITS_MOST; d++)
		first[d + 1] += first[d];
	for (size_t k = 0; k < n; k++)
		order[first[found[k].edits]++] = (uint32_t)k;
	for (size_t k = 0; k < n; k++) {
		size_t i = base->item[found[order[k]].base].group;
		size_t j = new->item[found[order[k]].new].group;

		if (m->partner[i] == NONE && !m->taken[j])
			join(m, i, j, how);
	}
	memory_free(order);
	memory_free(first);
}

/* Few names are compared in all pairs. Of many each is compared with its candidates, the nearest
 * are joined, and what is left is looked at again without the names that are gone. */
static int pair_nearest(struct pair_matcher *m, const struct leftovers *base,
	const struct leftovers *new, enum pairing_how how, struct error *err)
{
	struct arena *scratch;
	struct free_ones of;
	int result = 0;

	m->compared[0] += base->count;
	m->compared[1] += new->count;
	if (m->compared[0] > PAIRING_MOST || m->compared[1] > PAIRING_MOST) {
		const char *side = m->compared[0] > PAIRING_MOST ? "base" : "new";

		error_set(err, ERROR_LIMIT, "--match",
			"more than %d rows of %s have no partner by name: too many to compare "
			"their names",
			PAIRING_MOST, side);
		return error_hint(
			err, "make the names equal with --rename, or choose rows with --include");
	}
	scratch = arena_new();
	of.base = arena_array(scratch, base->count, sizeof(*of.base));
	of.new = arena_array(scratch, new->count, sizeof(*of.new));
	for (size_t round = 0; result == 0; round++) {
		bool all, is_last = m->mode == PAIRING_NEAREST && round == ROUNDS_MOST;

		of.bases = list_free(m, 0, base, of.base);
		of.news = list_free(m, 1, new, of.new);
		if (!of.bases || !of.news || is_last)
			break;
		all = of.bases * of.news <= ALL_MOST;
		vec_clear(&m->found);
		result = (all ? find_all : find_some)(m, base, new, &of, err);
		if (result == 0)
			join_found(m, base, new, how);
		if (all || !m->found.count)
			break;
	}
	arena_free(scratch);
	return result;
}

/* ---- sets ---- */

static int pair_set(struct pair_matcher *m, const struct leftovers *base,
	const struct leftovers *new, struct error *err)
{
	if (m->mode == PAIRING_NEAREST)
		return pair_nearest(m, base, new, PAIRED_NEAREST, err);
	if (base->count != new->count)
		return pair_nearest(m, base, new, PAIRED_TYPE_SHAPE, err);
	for (size_t i = 0; i < base->count; i++)
		join(m, base->item[i].group, new->item[i].group, PAIRED_TYPE_SHAPE);
	return 0;
}

/* Cuts those that are equal by type, device and shape off the front. */
static struct leftovers cut_set(struct leftovers *from)
{
	struct leftovers set = {from->item, 1};

	while (set.count < from->count && compare_keys(&set.item[set.count], set.item) == 0)
		set.count++;
	from->item += set.count;
	from->count -= set.count;
	return set;
}

static int pair_leftovers(struct pair_matcher *m, struct arena *scratch, struct error *err)
{
	struct leftovers base = collect(m, 0, scratch), new = collect(m, 1, scratch);

	while (base.count && new.count) {
		int order = compare_keys(base.item, new.item);
		struct leftovers left = order <= 0 ? cut_set(&base) : base;
		struct leftovers right = order >= 0 ? cut_set(&new) : new;

		if (order == 0 && pair_set(m, &left, &right, err) < 0)
			return -1;
	}
	return 0;
}

bool pairing_has_shapes(const struct cube *cube)
{
	for (size_t o = 0; o < cube->op_count; o++)
		if (*cube->op[o].shape)
			return true;
	return false;
}

static int check_shapes(const struct pair_matcher *m, struct error *err)
{
	for (size_t side = 0; side < 2; side++) {
		if (pairing_has_shapes(m->cube[side]))
			continue;
		error_set(err, ERROR_INPUT, "--match",
			"no op of %s has a shape: rows cannot be paired by type and shape",
			side ? "new" : "base");
		return error_hint(err, "--match=nearest pairs by the names alone, --rename makes "
				       "names equal");
	}
	return 0;
}

/* ---- the result ---- */

static void add_pair(struct pairing *out, size_t base, size_t new, enum pairing_how how)
{
	out->pair[out->count++] = (struct pair){base, new, how};
	out->paired += how != UNPAIRED;
	out->by_shape += how == PAIRED_TYPE_SHAPE;
	out->by_nearest += how == PAIRED_NEAREST;
	out->only_base += new == NONE;
	out->only_new += base == NONE;
}

static void list_pairs(const struct pair_matcher *m, struct arena *arena, struct pairing *out)
{
	size_t bases = m->side[0]->count, news = m->side[1]->count;

	*out = (struct pairing){.pair = arena_array(arena, bases + news, sizeof(*out->pair))};
	for (size_t i = 0; i < bases; i++)
		add_pair(out, i, m->partner[i], m->how[i]);
	for (size_t j = 0; j < news; j++)
		if (!m->taken[j])
			add_pair(out, NONE, j, UNPAIRED);
}

int pairing_make(const struct pairing_side *base, const struct pairing_side *new,
	enum pairing_mode mode, struct arena *arena, struct pairing *out, struct error *err)
{
	const size_t bases = base->grouping->count;
	struct arena *scratch = arena_new();
	struct pair_matcher m = {.cube = {base->cube, new->cube},
		.side = {base->grouping, new->grouping},
		.mode = mode};
	int result = mode == PAIRING_TYPE_SHAPE ? check_shapes(&m, err) : 0;

	m.partner = arena_array(scratch, bases, sizeof(*m.partner));
	m.how = arena_array(scratch, bases, sizeof(*m.how));
	m.taken = arena_array(scratch, new->grouping->count, sizeof(*m.taken));
	vec_init(&m.found, sizeof(struct near), SIZE_MAX, "pairs of names");
	for (size_t i = 0; i < bases; i++) {
		m.partner[i] = NONE;
		m.how[i] = UNPAIRED;
	}
	pair_names(&m);
	if (result == 0 && mode != PAIRING_NAME)
		result = pair_leftovers(&m, scratch, err);
	if (result == 0)
		list_pairs(&m, arena, out);
	vec_release(&m.found);
	arena_free(scratch);
	return result;
}
