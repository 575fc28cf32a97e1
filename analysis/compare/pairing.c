/*
 * Pairs the groups of two sides. Names first, in one pass over both; then sets of leftovers that
 * could be the same by type (and shape), and within a set the nearest names first.
 */
#include "analysis/compare/pairing.h"

#include <stdlib.h>
#include <string.h>
#include "analysis/compare/candidates.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"

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

static int compare_leftovers(const void *a, const void *b)
{
	const struct leftover *x = a, *y = b;

	return compare_keys(x, y) ?: ORDER(x->group, y->group);
}

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
	/* At least so many edits are between two names: each changes one byte for another at most.
	 */
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
	candidates = candidates_new(name, of->news, scratch);
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

/*
 * Few names are compared in all pairs. Of many each is compared with its candidates, the nearest
 * are joined, and what is left is looked at again without the names that are gone.
 */
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
