/* How often a series in which nothing changed has a change point, and how soon a step is found.
 * change_points [SERIES] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include "base/memory.h"
#include "stats/change_points.h"

enum { ROOM = 500 };

static void draw(gsl_rng *rng, double memory, double *x, size_t n)
{
	double y = gsl_ran_gaussian(rng, 1 / sqrt(1 - memory * memory));

	for (size_t i = 0; i < n; i++) {
		x[i] = y;
		y = memory * y + gsl_ran_gaussian(rng, 1);
	}
}

/* Share of series of n values with p <= alpha, when `late` values at the end are higher by `step`.
 */
static double share(
	gsl_rng *rng, size_t n, double memory, double alpha, size_t late, double step, int series)
{
	const struct change_point_options opt = {alpha, 1999};
	int found = 0;

	for (int t = 0; t < series; t++) {
		struct change_points points;
		double x[ROOM];

		draw(rng, memory, x, n);
		for (size_t i = n - late; i < n; i++)
			x[i] += step;
		change_points_find(x, n, &opt, &points);
		found += points.count > 0 || points.drifts;
		memory_free(points.point);
	}
	return found / (double)series;
}

int main(int argc, char **argv)
{
	static const size_t sizes[] = {20, 50, 100};
	static const double memories[] = {0, 0.5}, alphas[] = {0.05, 0.01};
	const int series = argc > 1 ? atoi(argv[1]) : 4000;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	int bad = 0;

	gsl_set_error_handler_off();
	for (size_t m = 0; m < 2; m++)
		for (size_t i = 0; i < 3; i++)
			for (size_t a = 0; a < 2; a++) {
				const double got =
					share(rng, sizes[i], memories[m], alphas[a], 0, 0, series);
				const double most = alphas[a] + 0.01;

				printf("%s false series, AR(1) %.1f, %zu values, alpha %.2f: "
				       "%.4f\n",
					got <= most ? "ok" : "not ok", memories[m], sizes[i],
					alphas[a], got);
				bad += got > most;
			}
	for (size_t i = 0; i < 3; i++)
		for (size_t late = 1; late <= 3; late++)
			printf("# a step of 6 sd, %zu values of which %zu after it: %.3f\n",
				sizes[i], late, share(rng, sizes[i], 0, 0.05, late, 6, series / 4));

	const clock_t start = clock();

	share(rng, 500, 0, 0.05, 0, 0, series / 4);
	printf("# 10 000 series of 500 values: %.1f s\n",
		(double)(clock() - start) / CLOCKS_PER_SEC * 10000 / (series / 4));
	gsl_rng_free(rng);
	return bad > 0;
}
