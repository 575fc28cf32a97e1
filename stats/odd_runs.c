/* Deletion residuals of runs, and the best exchange of two of them.
 * Cook and Weisberg, Residuals and Influence in Regression (1982), section 2.2.2. */
#include "stats/odd_runs.h"

#include <math.h>
#include "base/memory.h"
#include "stats/sample.h"
#include "stats/student.h"

/* Degrees of freedom lost to a pair: two runs are left out, and each side has a mean. */
#define PAIR_DF 4

struct scores {
	double *of_run;
	double floor; /* variance of a score that the resolution makes */
};

static double mean_of(const double *x, size_t n)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return (double)(sum / (long double)n);
}

static double squares_of(const double *x, size_t n)
{
	const double mean = mean_of(x, n);
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (long double)(x[i] - mean) * (x[i] - mean);
	return (double)sum;
}

/* Rows without spread count neither for nor against a run. */
static size_t add_row(const struct odd_runs_data *data, size_t row, struct scores *out)
{
	const size_t runs = data->runs_base + data->runs_new;
	const double *base = data->value + row * runs, *new = base + data->runs_base;
	const double squares = squares_of(base, data->runs_base) + squares_of(new, data->runs_new);
	const double spread = sqrt(squares / (double)(runs - 1 - (data->runs_base > 0)));
	const double mean_base = mean_of(base, data->runs_base);
	const double mean_new = mean_of(new, data->runs_new);

	if (!(spread > 0))
		return 0;
	for (size_t r = 0; r < runs; r++)
		out->of_run[r] += (base[r] - (r < data->runs_base ? mean_base : mean_new)) / spread;
	out->floor += data->floor[row] / (spread * spread);
	return 1;
}

static size_t score_runs(const struct odd_runs_data *data, struct scores *out)
{
	const size_t runs = data->runs_base + data->runs_new;
	size_t rows = 0;

	for (size_t i = 0; i < data->rows; i++)
		rows += add_row(data, i, out);
	for (size_t r = 0; r < runs; r++)
		out->of_run[r] /= (double)rows;
	out->floor /= (double)rows;
	return rows;
}

/* Tests run r among the n of its side at x; the other side has `others` squares and their degrees
 * of freedom. */
static void test_run(const double *x, size_t n, size_t r, const struct scores *scores,
	double others, double others_df, struct odd_run *out)
{
	const double rest = (double)(n - 1), mean = mean_of(x, n);
	const double distance = (x[r] - mean) * (double)n / rest; /* from the mean of the others */
	const double squares =
		fmax(0, squares_of(x, n) - distance * distance * rest / (double)n) + others;

	out->df = rest - 1 + others_df;
	out->t = distance / sqrt((squares / out->df + scores->floor) * (1 + 1 / rest));
	out->p = student_two_sided(out->t, out->df);
}

double odd_run_shift(const struct odd_runs_data *data, size_t run)
{
	const bool of_new = run >= data->runs_base;
	const size_t runs = data->runs_base + data->runs_new;
	const size_t n = of_new ? data->runs_new : data->runs_base;
	double sum = 0;

	for (size_t i = 0; i < data->rows; i++) {
		const double *x = data->value + i * runs;

		sum += x[run] - mean_of(x + (of_new ? data->runs_base : 0), n);
	}
	return sum / (double)data->rows * (double)n / (double)(n - 1);
}

void odd_run_find(const struct odd_runs_data *data, struct odd_run *out)
{
	const size_t runs = data->runs_base + data->runs_new;
	struct scores scores = {memory_alloc(memory_product(runs, sizeof(double))), 0};
	double best = 1;

	*out = (struct odd_run){.p = 1};
	for (size_t r = 0; r < runs; r++)
		scores.of_run[r] = 0;
	if (data->runs_base != 1 && data->runs_new > 1 && score_runs(data, &scores) > 0)
		for (size_t r = 0; r < runs; r++) {
			const bool of_new = r >= data->runs_base;
			const size_t first = of_new ? data->runs_base : 0;
			const size_t n = of_new ? data->runs_new : data->runs_base, m = runs - n;
			struct odd_run one = {.run = r};

			if (n < ODD_RUNS_LEAST)
				continue;
			test_run(scores.of_run + first, n, r - first, &scores,
				squares_of(scores.of_run + (of_new ? 0 : n), m),
				m ? (double)m - 1 : 0, &one);
			if (!(one.p < best))
				continue;
			best = one.p;
			*out = one;
		}
	if (best < 1) {
		out->shift = odd_run_shift(data, out->run);
		out->p = fmin(1, out->p * (double)runs);
		out->is_apart = out->p < ODD_RUNS_P;
	}
	memory_free(scores.of_run);
}

/* score[run], and the variance that the resolution makes in it; rows without spread do not
 * count. */
static size_t median_scores(const struct odd_runs_data *data, struct scores *out)
{
	const size_t runs = data->runs_base + data->runs_new;
	double *distance = memory_alloc(memory_product(runs, sizeof(*distance)));
	double *z = memory_alloc(memory_product(memory_product(data->rows, runs), sizeof(*z)));
	size_t rows = 0;

	for (size_t i = 0; i < data->rows; i++) {
		const double *x = data->value + i * runs;
		const double middle = sample_quantile(x, runs, 0.5);
		double spread;

		for (size_t r = 0; r < runs; r++)
			distance[r] = fabs(x[r] - middle);
		spread = sample_quantile(distance, runs, 0.5);
		if (!(spread > 0))
			continue;
		for (size_t r = 0; r < runs; r++)
			z[r * data->rows + rows] = (x[r] - middle) / spread;
		out->floor += data->floor[i] / (spread * spread);
		rows++;
	}
	for (size_t r = 0; r < runs && rows; r++)
		out->of_run[r] = sample_quantile(z + r * data->rows, rows, 0.5);
	out->floor /= (double)rows;
	memory_free(distance);
	memory_free(z);
	return rows;
}

size_t odd_run_extreme(const double *x, size_t n, bool largest)
{
	size_t found = 0;

	for (size_t i = 1; i < n; i++)
		if (largest ? x[i] > x[found] : x[i] < x[found])
			found = i;
	return found;
}

/* Squares within the sides after runs i of base and j of new have changed places. */
static double exchanged_squares(const struct odd_runs_data *data, double *score, size_t i, size_t j)
{
	double *new = score + data->runs_base;
	const double of_base = score[i], of_new = new[j];
	double squares;

	score[i] = of_new;
	new[j] = of_base;
	squares = squares_of(score, data->runs_base) + squares_of(new, data->runs_new);
	score[i] = of_base;
	new[j] = of_new;
	return squares;
}

void odd_pair_find(const struct odd_runs_data *data, struct odd_pair *out)
{
	const size_t base = data->runs_base, new = data->runs_new;
	const double df = (double)(base + new) - PAIR_DF;
	struct scores scores = {memory_alloc(memory_product(base + new, sizeof(double))), 0};
	double *score = scores.of_run, before, after, noise;

	*out = (struct odd_pair){.p = 1};
	if (base >= ODD_RUNS_LEAST && new >= ODD_RUNS_LEAST && median_scores(data, &scores) > 0) {
		before = after = squares_of(score, base) + squares_of(score + base, new);
		/* The squares are convex in the difference of the two, so the best pair has the
		   largest or the smallest. */
		for (int largest = 0; largest < 2; largest++) {
			const size_t i = odd_run_extreme(score, base, largest);
			const size_t j = odd_run_extreme(score + base, new, !largest);
			const double squares = exchanged_squares(data, score, i, j);

			if (!(squares < after))
				continue;
			after = squares;
			out->base = i;
			out->new = j;
		}
		/* F = (before - after)/2 / (after/df); its upper tail with 2 and df degrees. */
		noise = scores.floor * df;
		if (after < before)
			out->p = fmin(1, pow((after + noise) / (before + noise), df / 2) *
						 (double)base * (double)new);
		out->is_exchanged = out->p < ODD_RUNS_P;
	}
	memory_free(score);
}
