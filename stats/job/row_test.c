/* The sums of the others are those of all ranks, less the slow ones, whose values are known. A slow
 * rank among the others makes them look uneven and hides the next, so each of the first few is also
 * held against those below the last of these that passes (Rosner 1983). */
#include "stats/job/row_test.h"

#include <math.h>
#include "base/memory.h"
#include "stats/job/rank_culprits.h"
#include "stats/student.h"

enum {
	RANKS_FOR_TWO = 8, /* so many ranks for each culprit that may hide another */
	MOST_HIDING = 16,
};

/* The ranks of some sums, as parts of their mean. */
struct described {
	struct rank_others others; /* levels: the mean of a rank's values less 1 */
	double mean;		   /* in the unit of the values */
	double *step;		   /* [step]: what all of them have above or below it, a part */
	double variance;	   /* of a value without the means of its rank and step */
	double grid;
};

/* a^2 in parts of the mean, from whole numbers. */
static double part_of(struct wide squares, const struct described *d, double divisor)
{
	return wide_double(squares) / divisor / (d->mean * d->mean);
}

/* Distances of the steps from the mean of all. */
static void describe_steps(const struct row_sums *sums, struct described *d)
{
	const wide_half total = row_sums_total(sums);
	const double over = (double)sums->ranks * (double)sums->steps * d->mean;

	for (size_t t = 0; t < sums->steps; t++) {
		bool negative;
		const double distance =
			wide_distance(wide_times(wide_product(sums->step_sum[t], 1), sums->steps),
				wide_product(total, 1), &negative);

		d->step[t] = (negative ? -distance : distance) / over;
	}
}

/* Squares, over all ranks, of the rest of a value without the means of its rank and step. */
static double rest_squares(const struct row_sums *sums, const struct described *d)
{
	const wide_half total = row_sums_total(sums);
	struct wide steps = {{0}}, rest;

	for (size_t t = 0; t < sums->steps; t++)
		steps = wide_plus(steps, wide_product(sums->step_sum[t], sums->step_sum[t]));
	rest = wide_plus(wide_times(wide_times(sums->squares, sums->ranks), sums->steps),
		wide_product(total, total));
	rest = wide_minus(rest, wide_times(sums->rank_squares, sums->ranks));
	rest = wide_minus(rest, wide_times(steps, sums->steps));
	return part_of(rest, d, (double)sums->ranks * (double)sums->steps);
}

/* The products of neighbours of the same. About the means of the ranks alone they are, with n
 * steps, (n^2 products - (n + 1) rank_squares + n (first + last products)) / n^2. */
static double rest_products(const struct row_sums *sums, const struct described *d)
{
	const double n = (double)sums->steps;
	const struct wide plus = wide_plus(
		wide_times(wide_times(sums->products, sums->steps), sums->steps),
		wide_times(wide_plus(sums->first_products, sums->last_products), sums->steps));
	const struct wide minus = wide_times(sums->rank_squares, sums->steps + 1);
	const bool negative = wide_less(plus, minus);
	double products =
		part_of(negative ? wide_minus(minus, plus) : wide_minus(plus, minus), d, n * n);

	products = negative ? -products : products;
	for (size_t t = 0; t + 1 < sums->steps; t++)
		products -= (double)sums->ranks * d->step[t] * d->step[t + 1];
	return products;
}

/* Number of independent steps that a mean over n correlated ones is worth; r1 is as measured. */
static double rank_steps_worth(double n, double r1)
{
	const double r = fmin(0.99, fmax(0, r1 + (1 + 4 * r1) / n));

	return fmin(n, fmax(2, n * (1 - r) / (1 + r)));
}

static void describe(const struct row_sums *sums, uint64_t unit, struct described *d)
{
	const double n = (double)sums->ranks, steps = (double)sums->steps;
	const wide_half total = row_sums_total(sums);
	double squares, worth;

	d->others = (struct rank_others){.count = sums->ranks};
	d->mean = wide_half_double(total) / (n * steps);
	describe_steps(sums, d);
	d->others.squares = part_of(
		wide_minus(wide_times(sums->rank_squares, sums->ranks), wide_product(total, total)),
		d, n * steps * steps);
	squares = rest_squares(sums, d);
	worth = squares > 0 ? rank_steps_worth(steps, rest_products(sums, d) / squares) : steps;
	d->variance = squares / ((n - 1) * (steps - 1));
	d->others.noise = n * d->variance / worth;
	d->grid = (double)unit / d->mean;
}

/* A rank in parts of the mean of the others, without what they have in common in a step. */
static void look_at(const struct row_rank *rank, const struct described *d, size_t steps,
	struct rank_level *out)
{
	const double level = wide_half_double(rank->sum) / ((double)steps * d->mean);
	double squares = 0, products = 0, before = 0;

	/* The level as a mean of (x - m)/((x + m)/2), m what the others take in the step: a few
	 * long steps count less than in a sum. Of the others it is about variance/2 below that of
	 * their sums. */
	double sum = 0;

	for (size_t t = 0; t < steps; t++) {
		const double x = (double)rank->x[t] / d->mean, m = 1 + d->step[t];

		sum += x == m ? 0 : 2 * (x - m) / (x + m);
	}
	*out = (struct rank_level){.index = rank->rank,
		.steps = steps,
		.level = fmin(level - 1, sum / (double)steps + d->variance / 2)};
	for (size_t t = 0; t < steps; t++) {
		const double y = (double)rank->x[t] / d->mean - level - d->step[t];

		squares += y * y;
		products += y * before;
		before = y;
	}
	rank_level_set_noise(out, squares, products);
}

/* `others` has the mean 0. */
static double test(const struct row_rank *rank, const struct described *d, size_t steps)
{
	struct rank_level level;

	if (!(d->mean > 0) || wide_half_double(rank->sum) < (double)steps * d->mean)
		return 1;
	look_at(rank, d, steps, &level);
	return rank_test(&level, &d->others, d->grid);
}

static double excess(const struct row_rank *rank, const struct described *d, size_t steps)
{
	return wide_half_double(rank->sum) / (double)steps - d->mean;
}

/* A test of the slowest, and what the ranks below each of them are. */
struct row_tester {
	const struct row_sums *sums;
	const struct row_rank *rank[ROW_SUMS_SLOWEST]; /* not known, slowest first */
	size_t count;				       /* of these */
	struct described below[MOST_HIDING];
	double p[MOST_HIDING];
};

static struct described new_described(size_t steps)
{
	return (struct described){.step = memory_alloc(memory_product(steps, sizeof(double)))};
}

/* The known ones go out of the sums; those of them who are among the slowest are suspects. */
static size_t test_known(struct row_tester *r, struct row_sums *others, const bool *known,
	struct row_suspect *suspect)
{
	struct described d = new_described(others->steps);
	const struct row_rank *rank[ROW_SUMS_SLOWEST];
	size_t count = 0;

	for (size_t i = 0; i < r->sums->slowest_count; i++) {
		const struct row_rank *at = &r->sums->slowest[i];

		if (!known[at->rank]) {
			r->rank[r->count++] = at;
			continue;
		}
		row_sums_take_out(others, at);
		rank[count++] = at;
	}
	if (count && others->ranks >= RANK_CULPRITS_RANKS - 1)
		describe(others, r->sums->unit, &d);
	else
		count = 0;
	for (size_t i = 0; i < count; i++)
		suspect[i] = (struct row_suspect){rank[i]->rank, true,
			excess(rank[i], &d, others->steps), test(rank[i], &d, others->steps)};
	memory_free(d.step);
	return count;
}

/* p of the slowest, of which `most` may hide another; `loosest` is the level if this row were the
 * only one. How many are suspects. */
static size_t test_slowest(struct row_tester *r, struct row_sums *others, size_t most,
	double loosest, struct row_suspect *suspect)
{
	const size_t steps = others->steps;
	size_t count = 0;

	for (size_t i = 0; i < most; i++) {
		row_sums_take_out(others, r->rank[i]);
		r->below[i] = new_described(steps);
		describe(others, r->sums->unit, &r->below[i]);
		r->p[i] = test(r->rank[i], &r->below[i], steps);
		for (size_t j = 0; j < i && r->p[i] <= loosest; j++)
			r->p[j] =
				fmin(r->p[j], fmax(r->p[i], test(r->rank[j], &r->below[i], steps)));
	}
	for (size_t i = 0; i < most; i++) {
		if (r->p[i] <= loosest)
			suspect[count++] = (struct row_suspect){r->rank[i]->rank, false,
				excess(r->rank[i], &r->below[i], steps), r->p[i]};
		memory_free(r->below[i].step);
	}
	return count;
}

void row_test(const struct row_sums *sums, const bool *known, double level, struct row_tested *out)
{
	struct row_tester r = {.sums = sums};
	struct row_sums others;
	size_t most;

	out->tests = out->count = 0;
	if (sums->steps < RANK_CULPRITS_STEPS || sums->ranks < RANK_CULPRITS_RANKS)
		return;
	row_sums_copy(&others, sums);
	out->count = test_known(&r, &others, known, out->suspect);
	if (others.ranks >= RANK_CULPRITS_RANKS) {
		out->tests = (size_t)others.ranks;
		most = out->tests / RANKS_FOR_TWO;
		most = most < 1 ? 1 : most > MOST_HIDING ? MOST_HIDING : most;
		most = most > r.count ? r.count : most;
		out->count += test_slowest(
			&r, &others, most, level / (double)out->tests, out->suspect + out->count);
	}
	row_sums_release(&others);
}

size_t row_slowest_in(const struct row_sums *sums, uint32_t rank)
{
	size_t count = 0;

	for (size_t t = 0; t < sums->steps && sums->ranks > 1; t++)
		count += sums->longest_rank[t] == rank;
	return count;
}

/* t of one value against a sample that it is not in. */

/* Ranks of real jobs differ by half a percent, however alike they are. So much is known of their
 * spread as from two degrees of freedom, which keeps two ranks that happen to agree from making a
 * culprit of the third. */
static const double usual_spread = 0.005, usual_df = 2;
/* And hardly by more than this: what is too much for such a spread needs no further degrees of
 * freedom. */
static const double most_spread = 0.03;
/* No test has a level above alpha/2, so no t below this passes with any degrees of freedom. */
static const double least_t = 1.9;

void rank_level_set_noise(struct rank_level *rank, double squares, double products)
{
	const double n = (double)rank->steps;
	const double worth = squares > 0 ? rank_steps_worth(n, products / squares) : n;

	rank->noise = squares / (n - 1) / worth;
	rank->noise_df = worth - 1;
}

/* p where the levels have this variance with these degrees of freedom. Noise of the rank's own
 * steps beyond that of the others widens it (Welch 1947). */
static double test_by(
	const struct rank_level *rank, double excess, double shared, double df, double own)
{
	const double variance = shared + own, t = excess / sqrt(variance);
	const double welch =
		variance * variance / (shared * shared / df + own * own / rank->noise_df);

	return t > least_t ? student_upper(t, fmin(df, welch)) : 1;
}

/* The level is a draw of the others' if the rank is alike, and t with their degrees of freedom is
 * exact for normal levels. */
double rank_test(const struct rank_level *rank, const struct rank_others *others, double grid)
{
	const double n = (double)others->count, df = n - 1, noise = others->noise / n;
	const double own = fmax(0, rank->noise - noise), effect = rank->level - others->mean;
	double spread = others->squares / df, most;

	spread = fmax(
		spread, (usual_df * usual_spread * usual_spread + df * spread) / (usual_df + df));
	spread = fmax(spread, noise);
	most = fmax(spread, most_spread * most_spread);
	if (!(effect >= RANK_CULPRITS_LEAST))
		return 1;
	return fmin(test_by(rank, effect - grid, spread * (1 + 1 / n), df, own),
		test_by(rank, effect - grid, most * (1 + 1 / n), INFINITY, own));
}
