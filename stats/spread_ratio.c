/*
 * The ratio of two sides' variances over many ops: the root of a bounded score.
 */
#include "stats/spread_ratio.h"

#include <math.h>

/* The ratio is looked for between exp(-LOG_MOST) and exp(LOG_MOST). */
#define LOG_MOST 60.0

struct score {
	size_t count;
	double sum, squares, slope; /* of the ops' scores; minus the derivative by log k */
};

static struct score score_at(const struct spread_pair *pair, size_t n, double log_ratio)
{
	const double ratio = exp(log_ratio);
	struct score out = {0};

	for (size_t i = 0; i < n; i++) {
		const double df = pair[i].base_df + pair[i].new_df;
		const double all = ratio * pair[i].base + pair[i].new;
		double u, score;

		if (!(pair[i].base + pair[i].new > 0) || !(pair[i].base_df > 0) ||
			!(pair[i].new_df > 0))
			continue;
		u = pair[i].new / all;
		score = df * u - pair[i].new_df;
		out.count++;
		out.sum += score;
		out.squares += score * score;
		out.slope += df * u * (1 - u);
	}
	return out;
}

/* The score falls with the ratio: Newton's steps, halved intervals where they leave the bracket. */
static double solve(const struct spread_pair *pair, size_t n)
{
	double low = -LOG_MOST, high = LOG_MOST, x = 0;

	for (int i = 0; i < 200 && high - low > 1e-14; i++) {
		const struct score score = score_at(pair, n, x);
		double next = x + score.sum / score.slope;

		if (score.sum > 0)
			low = x;
		else
			high = x;
		if (!(next > low && next < high))
			next = (low + high) / 2;
		if (fabs(next - x) < 1e-13)
			return next;
		x = next;
	}
	return x;
}

void spread_ratio(const struct spread_pair *pair, size_t n, struct spread_ratio *out)
{
	struct score score = score_at(pair, n, 0);
	double x;

	*out = (struct spread_ratio){.count = score.count, .ratio = NAN, .log_se = NAN};
	if (score.count == 0)
		return;
	x = solve(pair, n);
	score = score_at(pair, n, x);
	out->ratio = x > LOG_MOST - 1 ? INFINITY : x < 1 - LOG_MOST ? 0 : exp(x);
	if (score.count > 1 && score.slope > 0)
		out->log_se =
			sqrt(score.squares * (double)score.count / ((double)score.count - 1)) /
			score.slope;
}
