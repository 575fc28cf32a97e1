/*
 * t of one value against a sample that it is not in.
 */
#include "stats/job/rank_test.h"

#include <math.h>
#include "stats/job/rank_culprits.h"
#include "stats/student.h"

/* Ranks of real jobs differ by half a percent, however alike they are. So much is known of their
 * spread as from two degrees of freedom, which keeps two ranks that happen to agree from making a
 * culprit of the third. */
static const double usual_spread = 0.005, usual_df = 2;
/* No test has a level above alpha/2, so no t below this passes with any degrees of freedom. */
static const double least_t = 1.9;

double rank_steps_worth(double n, double r1)
{
	const double r = fmin(0.99, fmax(0, r1 + (1 + 4 * r1) / n));

	return fmin(n, fmax(2, n * (1 - r) / (1 + r)));
}

void rank_level_set_noise(struct rank_level *rank, double squares, double products)
{
	const double n = (double)rank->steps;
	const double worth = squares > 0 ? rank_steps_worth(n, products / squares) : n;

	rank->noise = squares / (n - 1) / worth;
	rank->noise_df = worth - 1;
}

/*
 * The level is a draw of the others' if the rank is alike, and t with their degrees of freedom is
 * exact for normal levels. Noise of its own steps beyond theirs widens it (Welch 1947).
 */
double rank_test(const struct rank_level *rank, const struct rank_others *others, double grid)
{
	const double n = (double)others->count, df = n - 1, noise = others->noise / n;
	const double own = fmax(0, rank->noise - noise), effect = rank->level - others->mean;
	double spread = others->squares / df, shared, variance, welch, t;

	spread = fmax(
		spread, (usual_df * usual_spread * usual_spread + df * spread) / (usual_df + df));
	shared = fmax(spread, noise) * (1 + 1 / n);
	variance = shared + own;
	t = (effect - grid) / sqrt(variance);
	if (!(effect >= RANK_CULPRITS_LEAST) || !(t > least_t))
		return 1;
	welch = variance * variance / (shared * shared / df + own * own / rank->noise_df);
	return student_upper(t, fmin(df, welch));
}
