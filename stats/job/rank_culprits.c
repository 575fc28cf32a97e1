/* The work of a rank over its steps becomes one number, its mean relative excess over the median
 * rank of the step. Each is then held against the others: t of one value against a sample that it
 * is not in, corrected for their number. Why each part is there: doc/statistics.md. */
#include "stats/job/rank_culprits.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "stats/job/row_test.h"
#include "stats/sample.h"

enum {
	CENTRE_RANKS = 64,  /* whose median is the centre of a step */
	COLUMNS = 8,	    /* steps that are turned into columns at a time: a line of the cache */
	GRID_VALUES = 1024, /* that the grid of the times is found from */
	RANKS_FOR_TWO = 8,  /* so many ranks for each culprit that may hide another */
	MOST_HIDING = 16,
};

/* A pass of a test, kept until the number of all tests is known. */
struct found_culprit {
	struct rank_culprit culprit; /* with p of the single test */
	bool known; /* the rank is a culprit of the whole already: only its rows count */
};

struct rank_culprits {
	size_t ranks, steps, groups;
	size_t *group; /* of each rank, from 0 without gaps */
	/* Ranks by group: those of group g are member[first[g]] .. member[first[g + 1] - 1]. */
	size_t *member, *first;
	bool *known; /* ranks that are culprits of the whole */
	size_t *known_tests;
	size_t whole_tests, row_tests;
	struct found_culprit *found;
	size_t found_count, found_room;
	struct rank_culprit *named;
	size_t named_count;
	const double *x; /* the matrix that is looked at */
	/* Scratch. */
	double *centre;	 /* [group * steps + step]: near the median */
	double *columns; /* COLUMNS x ranks */
	double *sorted;	 /* one column, which finding its median puts out of order */
	double *median;	 /* [group * steps + step] */
	double *overall; /* [step], of all ranks */
	size_t *slowest_in, *slowest_overall;
	struct rank_level *rank;    /* of one group, those that are looked at */
	struct rank_others *others; /* others[i]: the last i + 1 of them */
};

static void *array(size_t count, size_t item_bytes)
{
	return memory_alloc(memory_product(count, item_bytes));
}

/* Numbers the groups from 0 and lists their ranks. */
static void list_members(struct rank_culprits *c, const size_t *group)
{
	size_t *const number = array(c->ranks, sizeof(*number)); /* 0: none yet */
	size_t *next;

	for (size_t r = 0; r < c->ranks; r++) {
		const size_t g = group ? group[r] : 0;

		if (number[g] == 0)
			number[g] = ++c->groups;
		c->group[r] = number[g] - 1;
	}
	c->first = array(c->groups + 1, sizeof(*c->first));
	for (size_t r = 0; r < c->ranks; r++)
		c->first[c->group[r] + 1]++;
	for (size_t g = 0; g < c->groups; g++)
		c->first[g + 1] += c->first[g];
	next = array(c->groups, sizeof(*next));
	for (size_t r = 0; r < c->ranks; r++)
		c->member[c->first[c->group[r]] + next[c->group[r]]++] = r;
	memory_free(next);
	memory_free(number);
}

struct rank_culprits *rank_culprits_new(size_t ranks, size_t steps, const size_t *group)
{
	struct rank_culprits *const c = memory_alloc(sizeof(*c));

	c->ranks = ranks;
	c->steps = steps;
	c->group = array(ranks, sizeof(*c->group));
	c->member = array(ranks, sizeof(*c->member));
	list_members(c, group);
	c->known = array(ranks, sizeof(*c->known));
	c->known_tests = array(ranks, sizeof(*c->known_tests));
	c->columns = array(ranks, COLUMNS * sizeof(*c->columns));
	c->sorted = array(ranks, sizeof(*c->sorted));
	c->centre = array(c->groups, memory_product(steps, sizeof(*c->centre)));
	c->median = array(c->groups, memory_product(steps, sizeof(*c->median)));
	c->overall = array(steps, sizeof(*c->overall));
	c->slowest_in = array(ranks, sizeof(*c->slowest_in));
	c->slowest_overall = array(ranks, sizeof(*c->slowest_overall));
	c->rank = array(ranks, sizeof(*c->rank));
	c->others = array(ranks, sizeof(*c->others));
	return c;
}

void rank_culprits_free(struct rank_culprits *c)
{
	if (!c)
		return;
	memory_free(c->group);
	memory_free(c->member);
	memory_free(c->first);
	memory_free(c->known);
	memory_free(c->known_tests);
	memory_free(c->found);
	memory_free(c->named);
	memory_free(c->columns);
	memory_free(c->sorted);
	memory_free(c->centre);
	memory_free(c->median);
	memory_free(c->overall);
	memory_free(c->slowest_in);
	memory_free(c->slowest_overall);
	memory_free(c->rank);
	memory_free(c->others);
	memory_free(c);
}

/* ---- the steps: medians, and who is the slowest ---- */

/* The median of `count` values, which get another order. */
static double median_of(double *x, size_t count)
{
	const size_t middle = (count - 1) / 2;
	const double low = gsl_stats_select(x, 1, count, middle);
	double high = INFINITY;

	if (count % 2)
		return low;
	for (size_t i = middle + 1; i < count; i++) /* none of these is below */
		high = x[i] < high ? x[i] : high;
	return low + (high - low) / 2;
}

/* Centre of the ranks of a group in one step. Its value does not matter much, since it moves all
 * levels alike; so of many ranks a few, all over the group, are enough. NaN without any value. */
static double centre_of(const struct rank_culprits *c, size_t g, size_t t)
{
	const size_t first = c->first[g], ranks = c->first[g + 1] - first;
	const size_t every = ranks / CENTRE_RANKS + 1;
	double *const some = c->sorted;
	size_t count = 0;

	for (size_t from = 0; count == 0 && from < every; from++)
		for (size_t i = from; i < ranks; i += every) {
			const double x = c->x[c->member[first + i] * c->steps + t];

			if (!isnan(x))
				some[count++] = x;
		}
	return count ? median_of(some, count) : NAN;
}

/* The median of the values of `count` ranks in one step, NaN without any; counts the slowest unless
 * several are or it has no other beside it. */
static double look_at_step(struct rank_culprits *c, const double *column, const size_t *member,
	size_t count, size_t *slowest_in)
{
	double most = -INFINITY;
	size_t values = 0, at_most = 0, slowest = 0;

	for (size_t i = 0; i < count; i++) {
		const double x = column[member[i]];

		if (isnan(x))
			continue;
		c->sorted[values++] = x;
		if (x < most)
			continue;
		at_most = x == most ? at_most + 1 : 1;
		slowest = member[i];
		most = x;
	}
	if (at_most == 1 && values > 1)
		slowest_in[slowest]++;
	return values ? median_of(c->sorted, values) : NAN;
}

/* Steps t .. t + columns - 1 of all ranks, each together. */
static void turn(const struct rank_culprits *c, size_t t, size_t columns)
{
	for (size_t r = 0; r < c->ranks; r++)
		for (size_t i = 0; i < columns; i++)
			c->columns[i * c->ranks + r] = c->x[r * c->steps + t + i];
}

/* Exactly: it is shown. */
static void look_at_steps(struct rank_culprits *c)
{
	memset(c->slowest_in, 0, c->ranks * sizeof(*c->slowest_in));
	memset(c->slowest_overall, 0, c->ranks * sizeof(*c->slowest_overall));
	for (size_t t = 0; t < c->steps; t++) {
		const double *const column = c->columns + t % COLUMNS * c->ranks;

		if (t % COLUMNS == 0)
			turn(c, t, c->steps - t < COLUMNS ? c->steps - t : COLUMNS);
		for (size_t g = 0; g < c->groups; g++)
			c->median[g * c->steps + t] =
				look_at_step(c, column, c->member + c->first[g],
					c->first[g + 1] - c->first[g], c->slowest_in);
		if (c->groups > 1)
			c->overall[t] =
				look_at_step(c, column, c->member, c->ranks, c->slowest_overall);
	}
}

/* Mean of what a rank has over the median of the steps; NaN without any. */
static double excess_of(
	const struct rank_culprits *c, size_t rank, const double *median, size_t *steps)
{
	double sum = 0;

	*steps = 0;
	for (size_t t = 0; t < c->steps; t++) {
		const double d = c->x[rank * c->steps + t] - median[t];

		if (isnan(d))
			continue;
		sum += d;
		++*steps;
	}
	return sum / (double)*steps;
}

/* ---- a rank: its level and how far its own steps leave it open ---- */

/* The difference as a part of the middle of both: as the logarithm of x/m where they are near, but
 * one long step has little weight, and 0 is a time like others. */
static inline double relative(double x, double m)
{
	return x == m ? 0 : 2 * (x - m) / (x + m);
}

static void look_at_rank(const struct rank_culprits *c, struct rank_level *rank)
{
	const double *const own = c->x + rank->index * c->steps;
	const double *const centre = c->centre + c->group[rank->index] * c->steps;
	double sum = 0, squares = 0, products = 0, first = 0, last = 0, n, mean;

	for (size_t t = 0; t < c->steps; t++) {
		const double y = relative(own[t], centre[t]);

		if (isnan(y))
			continue;
		if (rank->steps++ == 0)
			first = y;
		products += y * last;
		sum += y;
		squares += y * y;
		last = y;
	}
	n = (double)rank->steps;
	mean = sum / n;
	rank->level = mean;
	/* About the mean: sum (y_t - m)(y_{t+1} - m). */
	products += mean * (first + last - 2 * sum) + (n - 1) * mean * mean;
	rank_level_set_noise(rank, fmax(0, squares - sum * mean), products);
}

ORDERED(by_level, struct rank_level, ORDER(y->level, x->level) ?: ORDER(x->index, y->index));

/* ---- the test ---- */

/* Keeps a pass; of a known rank the caller says so. */
static struct found_culprit *keep(struct rank_culprits *c, const struct rank_culprit *culprit)
{
	struct found_culprit *const found =
		memory_push(&c->found, &c->found_count, &c->found_room, sizeof(*found));

	found->culprit = *culprit;
	return found;
}

/* The slowest of a group, one after the other; rank[0..count) are sorted. A slow rank among the
 * others makes them look uneven and hides the next, so each of the first few is also held against
 * those below the last of these that passes (Rosner 1983). `loosest` is the level if this matrix
 * were the only one. */
static void test_slowest(struct rank_culprits *c, size_t count, double grid, double loosest)
{
	const struct rank_level *const rank = c->rank;
	const size_t hiding = count / RANKS_FOR_TWO;
	const size_t most = hiding < 1 ? 1 : hiding > MOST_HIDING ? MOST_HIDING : hiding;
	double best[MOST_HIDING];

	for (size_t i = 0; i < most; i++) {
		const struct rank_others *const others = &c->others[count - 2 - i];
		const double last = rank_test(&rank[i], others, grid);

		best[i] = last;
		for (size_t j = 0; j < i && last <= loosest; j++)
			best[j] = fmin(best[j], fmax(last, rank_test(&rank[j], others, grid)));
	}
	for (size_t i = 0; i < most; i++)
		if (best[i] <= loosest) {
			struct rank_culprit *const culprit =
				&keep(c, &(struct rank_culprit){.row = RANK_CULPRITS_WHOLE,
						 .rank = rank[i].index,
						 .ranks = count,
						 .p = best[i]})
					 ->culprit;

			look_at_steps(c);
			culprit->slowest_in = c->slowest_in[rank[i].index];
			culprit->excess = excess_of(c, rank[i].index,
				c->median + c->group[rank[i].index] * c->steps, &culprit->steps);
		}
}

/* Mean relative excess that times get when all are rounded by one step of the grid more. */
static double grid_of(const struct rank_culprits *c, size_t g, double resolution)
{
	const double *const centre = c->centre + g * c->steps;
	double sum = 0;
	size_t count = 0;

	for (size_t t = 0; t < c->steps; t++) {
		if (isnan(centre[t]))
			continue;
		sum += relative(centre[t] + resolution, centre[t]);
		count++;
	}
	return sum / (double)count;
}

/* Resolution of the values, by some of them all over the matrix; 0: there is none. */
static double resolution_of(const struct rank_culprits *c)
{
	const size_t all = c->ranks * c->steps, every = all / GRID_VALUES + 1;
	double some[GRID_VALUES];
	size_t count = 0;

	for (size_t i = 0; i < all; i += every)
		if (!isnan(c->x[i]))
			some[count++] = c->x[i];
	return sample_resolution(some, count);
}

static void test_group(struct rank_culprits *c, size_t g)
{
	const double level = RANK_CULPRITS_ALPHA * RANK_CULPRITS_SHARE;
	/* The ranks of a group that have values enough, in c->rank, slowest first. How many. */
	size_t count = 0;

	for (size_t i = c->first[g]; i < c->first[g + 1]; i++) {
		struct rank_level rank = {.index = c->member[i]};

		look_at_rank(c, &rank);
		if (rank.steps >= RANK_CULPRITS_STEPS)
			c->rank[count++] = rank;
	}
	qsort(c->rank, count, sizeof(*c->rank), by_level);
	struct rank_others others = {0};

	if (count < RANK_CULPRITS_RANKS)
		return;
	for (size_t i = 0; i < count; i++) {
		/* Adds a rank: Welford 1962. */
		const struct rank_level *rank = &c->rank[count - 1 - i];
		const double from = rank->level - others.mean;

		others.count++;
		others.mean += from / (double)others.count;
		others.squares += from * (rank->level - others.mean);
		others.noise += rank->noise;
		c->others[i] = others;
	}
	c->whole_tests += count;
	test_slowest(c, count, grid_of(c, g, resolution_of(c)), level / (double)count);
}

/* p for all tests of its kind, and for the two kinds; at most 1. */
static double adjusted(const struct rank_culprits *c, const struct found_culprit *found)
{
	const size_t tests = found->culprit.row == RANK_CULPRITS_WHOLE ? c->whole_tests
			     : found->known ? c->known_tests[found->culprit.rank]
					    : c->row_tests;

	return fmin(1, found->culprit.p * (double)tests / RANK_CULPRITS_SHARE);
}

void rank_culprits_whole(struct rank_culprits *c, const double *x, struct rank_place *place)
{
	c->x = x;
	for (size_t g = 0; g < c->groups; g++)
		for (size_t t = 0; t < c->steps; t++)
			c->centre[g * c->steps + t] = centre_of(c, g, t);
	for (size_t g = 0; g < c->groups; g++)
		test_group(c, g);

	const bool grouped = c->groups > 1;

	look_at_steps(c);
	for (size_t r = 0; r < c->ranks; r++) {
		place[r].slowest_in = (grouped ? c->slowest_overall : c->slowest_in)[r];
		place[r].excess =
			excess_of(c, r, grouped ? c->overall : c->median, &place[r].steps);
	}
	c->x = NULL;
	for (size_t i = 0; i < c->found_count; i++)
		if (adjusted(c, &c->found[i]) <= RANK_CULPRITS_ALPHA)
			c->known[c->found[i].culprit.rank] = true;
}

static const double row_level = RANK_CULPRITS_ALPHA * RANK_CULPRITS_SHARE;

void rank_culprits_test(
	const struct rank_culprits *c, const struct row_sums *group, struct row_tested *tested)
{
	for (size_t g = 0; g < c->groups; g++)
		row_test(&group[g], c->known, row_level, &tested[g]);
}

void rank_culprits_row(struct rank_culprits *c, size_t row, const struct row_sums *group,
	const struct row_tested *tested)
{
	for (size_t g = 0; g < c->groups; g++) {
		struct row_tested now;
		const struct row_tested *of = tested ? &tested[g] : &now;

		if (!tested)
			row_test(&group[g], c->known, row_level, &now);
		c->row_tests += of->tests;
		for (const struct row_suspect *s = of->suspect; s < of->suspect + of->count; s++) {
			c->known_tests[s->rank] += s->known;
			if (s->p <= row_level) {
				const struct rank_culprit culprit = {.row = row,
					.rank = s->rank,
					.ranks = (size_t)group[g].ranks,
					.steps = group[g].steps,
					.slowest_in = row_slowest_in(&group[g], s->rank),
					.excess = s->excess,
					.p = s->p};

				keep(c, &culprit)->known = s->known;
			}
		}
	}
}

ORDERED(by_importance, struct rank_culprit,
	ORDER(y->row == RANK_CULPRITS_WHOLE, x->row == RANK_CULPRITS_WHOLE)
		?: ORDER(y->excess, x->excess)
		?: ORDER(x->row, y->row)
		?: ORDER(x->rank, y->rank));

const struct rank_culprit *rank_culprits_named(struct rank_culprits *c, size_t *count)
{
	memory_free(c->named);
	c->named = array(c->found_count, sizeof(*c->named));
	c->named_count = 0;
	for (size_t i = 0; i < c->found_count; i++) {
		struct rank_culprit *const culprit = &c->named[c->named_count];

		*culprit = c->found[i].culprit;
		culprit->p = adjusted(c, &c->found[i]);
		if (culprit->p <= RANK_CULPRITS_ALPHA)
			c->named_count++;
	}
	qsort(c->named, c->named_count, sizeof(*c->named), by_importance);
	*count = c->named_count;
	return c->named;
}

size_t rank_culprits_tests(const struct rank_culprits *c)
{
	size_t tests = c->whole_tests + c->row_tests;

	for (size_t r = 0; r < c->ranks; r++)
		tests += c->known_tests[r];
	return tests;
}
