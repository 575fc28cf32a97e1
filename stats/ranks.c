/* Rank tests by counting: the permutation distribution of the midranks is built up value by value
 * (Streitberg & Röhmel 1986), and Hodges-Lehmann intervals take their ranks from it.
 * The sign test. */
#include "stats/ranks.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort_double.h>
#include "base/memory.h"

/* P(statistic <= i), i = 0..most, of two samples of `first` <= `second` values. */
struct rank_table {
	size_t first, second;
	size_t most;
	double *below;
};

void rank_tables_init(struct rank_tables *tables)
{
	*tables = (struct rank_tables){0};
}

void rank_tables_release(struct rank_tables *tables)
{
	for (size_t i = 0; i < tables->count; i++)
		memory_free(tables->table[i].below);
	memory_free(tables->table);
	rank_tables_init(tables);
}

/* Frequency of each sum; sums are whole numbers from 0. */
struct counts {
	double *of;
	size_t most; /* largest possible sum */
};

/* Subsets of `chosen` of the n scores, by their sum. Rows of the table: size of the subset. Every
 * number is a sum of positive ones, so none loses digits. */
static void count_subsets(const size_t *score, size_t n, size_t chosen, struct counts *out)
{
	size_t width = 1, reached = 0;
	double *table;

	for (size_t i = 0; i < n; i++)
		width += i + chosen >= n ? score[i] : 0;
	table = memory_alloc(memory_product(memory_product(chosen + 1, width), sizeof(*table)));
	table[0] = 1;
	for (size_t i = 0; i < n; i++) {
		const size_t largest = i + 1 < chosen ? i + 1 : chosen;

		reached = reached + score[i] < width ? reached + score[i] : width - 1;
		for (size_t k = largest; k > 0; k--) {
			double *const to = table + k * width;
			const double *const from = table + (k - 1) * width;

			for (size_t s = score[i]; s <= reached; s++)
				to[s] += from[s - score[i]];
		}
	}
	out->most = width - 1;
	out->of = memory_alloc(memory_product(width, sizeof(*out->of)));
	memcpy(out->of, table + chosen * width, width * sizeof(*out->of));
	memory_free(table);
}

static double tail_sum(const struct counts *c, size_t from, size_t to)
{
	double sum = 0;

	for (size_t s = from; s <= to && s <= c->most; s++)
		sum += c->of[s];
	return sum;
}

static double at_most_one(double p)
{
	return fmin(1, p);
}

static void table_fill(struct rank_table *table)
{
	const size_t n = table->first + table->second;
	size_t *score = memory_alloc(memory_product(n, sizeof(*score)));
	const size_t least = table->first * (table->first - 1) / 2;
	struct counts c;
	double sum = 0, all;

	for (size_t i = 0; i < n; i++)
		score[i] = i;
	count_subsets(score, n, table->first, &c);
	all = tail_sum(&c, 0, c.most);
	table->most = c.most - least;
	table->below = memory_alloc(memory_product(table->most + 1, sizeof(*table->below)));
	for (size_t i = 0; i <= table->most; i++) {
		sum += c.of[i + least];
		table->below[i] = sum / all;
	}
	memory_free(c.of);
	memory_free(score);
}

static const struct rank_table *table_find(struct rank_tables *tables, size_t a, size_t b)
{
	const size_t first = a < b ? a : b, second = a < b ? b : a;
	struct rank_table *table;

	for (size_t i = 0; i < tables->count; i++)
		if (tables->table[i].first == first && tables->table[i].second == second)
			return &tables->table[i];
	tables->table = memory_make_room(
		tables->table, &tables->room, tables->count + 1, sizeof(*tables->table));
	table = &tables->table[tables->count++];
	*table = (struct rank_table){.first = first, .second = second};
	table_fill(table);
	return table;
}

/* With ties the distribution need not be symmetric: two-sided is what lies as far from the expected
 * sum, which is chosen/n of all scores. Multiplied by n everything is a whole number. */
static void test_by_subsets(
	const size_t *score, size_t n, size_t chosen, size_t sum, struct rank_test *out)
{
	struct counts c;
	size_t expected = 0;
	double all, distance;

	for (size_t i = 0; i < n; i++)
		expected += score[i];
	count_subsets(score, n, chosen, &c);
	all = tail_sum(&c, 0, c.most);
	distance = fabs((double)n * (double)sum - (double)chosen * (double)expected);
	out->p = 0;
	for (size_t s = 0; s <= c.most; s++)
		if (fabs((double)n * (double)s - (double)chosen * (double)expected) >= distance)
			out->p += c.of[s];
	out->p = at_most_one(out->p / all);
	out->less = at_most_one(tail_sum(&c, 0, sum) / all);
	out->greater = at_most_one(tail_sum(&c, sum, c.most) / all);
	memory_free(c.of);
}

/* Joins both samples in one order. */
struct pooled {
	double *x;
	size_t *order, *score;
	size_t n, chosen, sum; /* the smaller side, and the sum of its scores */
	bool ties, new_chosen;
};

static void pooled_init(
	const double *base, size_t base_n, const double *new, size_t new_n, struct pooled *out)
{
	out->n = base_n + new_n;
	out->new_chosen = new_n <= base_n;
	out->chosen = out->new_chosen ? new_n : base_n;
	out->sum = 0;
	out->x = memory_alloc(memory_product(out->n, sizeof(*out->x)));
	out->order = memory_alloc(memory_product(out->n, sizeof(*out->order)));
	out->score = memory_alloc(memory_product(out->n, sizeof(*out->score)));
	memcpy(out->x, base, base_n * sizeof(*base));
	memcpy(out->x + base_n, new, new_n * sizeof(*new));
	gsl_sort_index(out->order, out->x, 1, out->n);

	/* Scores in rising order: twice the midrank less 2, so whole numbers from 0; true when some
	 * are equal. order: indexes of x in rising order. */
	bool ties = false;

	for (size_t i = 0; i < out->n;) {
		size_t end = i + 1;

		while (end < out->n && out->x[out->order[end]] == out->x[out->order[i]])
			end++;
		ties = ties || end > i + 1;
		for (size_t k = i; k < end; k++)
			out->score[k] = i + end - 1;
		i = end;
	}
	out->ties = ties;
	for (size_t i = 0; i < out->n; i++)
		if ((out->order[i] >= base_n) == out->new_chosen)
			out->sum += out->score[i];
}

static bool countable(size_t base_n, size_t new_n)
{
	return base_n > 0 && new_n > 0 && base_n <= RANKS_PAIRS_MAX && new_n <= RANKS_PAIRS_MAX &&
	       base_n * new_n <= RANKS_PAIRS_MAX;
}

void rank_sum_test(struct rank_tables *tables, const struct rank_samples *x, struct rank_test *out)
{
	struct pooled pooled;
	double u;

	*out = (struct rank_test){.statistic = NAN, .p = NAN, .less = NAN, .greater = NAN};
	if (!countable(x->base_n, x->new_n))
		return;
	pooled_init(x->base, x->base_n, x->new, x->new_n, &pooled);
	/* A score is twice the rank from 0, and the ranks from 0 of k values add up to k(k-1)/2 +
	 * U. */
	u = ((double)pooled.sum - (double)(pooled.chosen * (pooled.chosen - 1))) / 2;
	out->ties = pooled.ties;
	if (pooled.ties)
		test_by_subsets(pooled.score, pooled.n, pooled.chosen, pooled.sum, out);
	else {
		const struct rank_table *table = table_find(tables, x->base_n, x->new_n);
		size_t statistic = (size_t)u;

		/* Without ties the distribution is symmetric. */
		out->less = table->below[statistic];
		out->greater = table->below[table->most - statistic];
		out->p = at_most_one(2 * fmin(out->less, out->greater));
	}
	out->statistic = u;
	if (!pooled.new_chosen) {
		const double less = out->less;

		out->statistic = (double)(x->base_n * x->new_n) - u;
		out->less = out->greater;
		out->greater = less;
	}
	memory_free(pooled.x);
	memory_free(pooled.order);
	memory_free(pooled.score);
}

double rank_sum_smallest_p(size_t base_n, size_t new_n)
{
	if (base_n == 0 || new_n == 0)
		return NAN;
	return at_most_one(2 * exp(-gsl_sf_lnchoose((unsigned)(base_n + new_n), (unsigned)new_n)));
}

static double middle(double a, double b)
{
	const double sum = a + b;

	return isinf(sum) ? a / 2 + b / 2 : sum / 2;
}

/* pairs[count] in any order: the differences that the table's statistic counts. */
static void conclude(const struct rank_table *table, double *pairs, size_t count, double confidence,
	struct rank_interval *out)
{
	gsl_sort(pairs, 1, count);
	out->estimate = middle(pairs[(count - 1) / 2], pairs[count / 2]);

	double tail = (1 - confidence) / 2;
	size_t k = 0;

	/* The largest k with P(statistic <= k - 1) <= tail. */
	while (k < (table->most + 1) / 2 && table->below[k] <= tail)
		k++;
	out->rank = k;
	if (out->rank == 0)
		return;
	out->coverage = 1 - 2 * table->below[out->rank - 1];
	out->low = pairs[out->rank - 1];
	out->high = pairs[count - out->rank];
}

static const struct rank_interval no_interval = {
	.estimate = NAN, .coverage = NAN, .low = NAN, .high = NAN};

/* Doubles as whole numbers in the same order. */
static uint64_t to_order(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static double from_order(uint64_t order)
{
	uint64_t bits = order >> 63 ? order & ~((uint64_t)1 << 63) : ~order;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* The k-th smallest difference, from 0: that of the list of all of them, without the list. */
static double select_difference(
	const double *base, size_t base_n, const double *new, size_t new_n, size_t k)
{
	uint64_t low = to_order(new[0] - base[base_n - 1]);
	uint64_t high = to_order(new[new_n - 1] - base[0]);

	while (low < high) {
		uint64_t half = low + (high - low) / 2;

		/* Number of differences that are at most `limit`. Both sides are in order. */
		double limit = from_order(half);
		size_t count = 0, j = 0;

		for (size_t i = 0; i < base_n; i++) {
			while (j < new_n && new[j] - base[i] <= limit)
				j++;
			count += j;
		}
		if (count > k)
			high = half;
		else
			low = half + 1;
	}
	return from_order(low) + 0.0;
}

/* More pairs than a p is computed for: the median of the differences alone. */
static double median_difference(const double *base, size_t base_n, const double *new, size_t new_n)
{
	double *x = memory_alloc(memory_product(base_n, sizeof(*x)));
	double *y = memory_alloc(memory_product(new_n, sizeof(*y)));
	size_t count = memory_product(base_n, new_n);
	double median;

	memcpy(x, base, base_n * sizeof(*x));
	memcpy(y, new, new_n * sizeof(*y));
	gsl_sort(x, 1, base_n);
	gsl_sort(y, 1, new_n);
	median = middle(select_difference(x, base_n, y, new_n, (count - 1) / 2),
		select_difference(x, base_n, y, new_n, count / 2));
	memory_free(y);
	memory_free(x);
	return median;
}

void rank_shift(struct rank_tables *tables, const struct rank_samples *x, double confidence,
	struct rank_interval *out)
{
	const size_t count = memory_product(x->base_n, x->new_n);
	double *pairs;

	*out = no_interval;
	if (count == 0)
		return;
	if (!countable(x->base_n, x->new_n)) {
		out->estimate = median_difference(x->base, x->base_n, x->new, x->new_n);
		return;
	}
	pairs = memory_alloc(memory_product(count, sizeof(*pairs)));
	for (size_t i = 0; i < x->base_n; i++)
		for (size_t j = 0; j < x->new_n; j++)
			pairs[i * x->new_n + j] = x->new[j] - x->base[i];
	conclude(table_find(tables, x->base_n, x->new_n), pairs, count, confidence, out);
	memory_free(pairs);
}

/* Binomial(n, 1/2) is symmetric, so both tails are alike (R: binom.test(above, above + below)).
 * P(B <= k) = I_1/2(n - k, k + 1): GSL's binomial takes counts of 32 bits only, its beta does
 * not. */
double sign_test(size_t above, size_t below)
{
	const double fewer = (double)(above < below ? above : below);
	const double more = (double)(above < below ? below : above);

	if (above == 0 && below == 0)
		return NAN;
	return above == below ? 1 : fmin(1, 2 * gsl_cdf_beta_P(0.5, more, fewer + 1));
}
