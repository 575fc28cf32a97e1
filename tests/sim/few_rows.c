/* Few rows, or rows of which each has a ratio of its own between the sides' spreads: how often is
 * something claimed where nothing changed, and how often is one changed row found? By the test of
 * the program's default; `make check-statistics` prints the table that doc/statistics-simulation.md
 * quotes. Usage: few_rows [COMPARISONS [SEED]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include "stats/moderated/moderated.h"
#include "stats/multiple.h"
#include "stats/student.h"

enum { ROWS = 60, RUNS = 10 };

struct world {
	size_t rows, base, new;
	double ratio;  /* of the sides' standard deviations, new over base */
	double own;    /* sd of the logarithm of a row's own ratio */
	double change; /* of row 0, in standard errors at equal spreads */
};

static void draw(gsl_rng *rng, const struct world *w, double *value)
{
	for (size_t o = 0; o < w->rows; o++) {
		const double sd = 0.02 * gsl_ran_lognormal(rng, 0, 0.4);
		const double ratio = w->ratio * gsl_ran_lognormal(rng, 0, w->own);
		const double change =
			o > 0 ? 0 : w->change * sd * sqrt(1 / (double)w->base + 1 / (double)w->new);

		for (size_t r = 0; r < w->base; r++)
			*value++ = gsl_ran_gaussian(rng, sd);
		for (size_t r = 0; r < w->new; r++)
			*value++ = change + gsl_ran_gaussian(rng, sd * ratio);
	}
}

/* Claims: of any row, or of row 0. */
static double rate(gsl_rng *rng, const struct world *w, size_t comparisons)
{
	const struct moderated_options opt = {.confidence = 0,
		.by_mean = true,
		.robust = true,
		.hidden_outliers = true,
		.cautious = true,
		.ratio = true};
	double value[ROWS * 2 * RUNS], p[ROWS], diff[ROWS];
	struct moderated_op op[ROWS];
	struct moderated summary;
	size_t claimed = 0;

	for (size_t i = 0; i < comparisons; i++) {
		const struct moderated_data data = {value, w->rows, w->base, w->new};
		bool any = false;

		draw(rng, w, value);
		moderated_test(&data, &opt, op, &summary);
		for (size_t o = 0; o < w->rows; o++) {
			p[o] = op[o].hidden_outlier > 0
				       ? moderated_allow_hidden_outlier(op[o].p,
						 op[o].hidden_outlier,
						 student_two_sided(
							 op[o].diff / op[o].hidden_outlier_se,
							 op[o].df))
				       : op[o].p;
			diff[o] = op[o].diff;
		}
		multiple_adjust_directions(p, diff, w->rows, p);
		for (size_t o = 0; o < w->rows && (w->change == 0 || o == 0); o++)
			any |= p[o] < 0.05;
		claimed += any;
	}
	return (double)claimed / (double)comparisons;
}

static void print_cell(gsl_rng *rng, size_t rows, size_t base, size_t new, size_t comparisons)
{
	static const double ratio[] = {1, 2, 4, 10, 0.5, 0.25, 0.1};
	struct world w = {.rows = rows, .base = base, .new = new};

	printf("| %zu | %zu v %zu |", rows, base, new);
	for (int own = 0; own < 2; own++) {
		double worst = 0, at = 1;

		w.own = own ? 0.7 : 0;
		for (size_t i = 0; i < sizeof(ratio) / sizeof(ratio[0]); i++) {
			double found;

			w.ratio = ratio[i];
			found = rate(rng, &w, comparisons);
			if (found > worst) {
				worst = found;
				at = ratio[i];
			}
		}
		printf(" %.3f (%g) |", worst, at);
	}
	w.own = 0;
	w.ratio = 1;
	w.change = 3.3;
	printf(" %.3f |\n", rate(rng, &w, comparisons));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const size_t rows[] = {1, 2, 3, 4, 5, 9, 10, 20, 60},
			    runs[][2] = {{10, 3}, {10, 2}, {3, 10}, {5, 5}, {3, 3}, {10, 10}};
	const size_t comparisons = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_set_error_handler_off();
	gsl_rng_set(rng, argc > 2 ? strtoul(argv[2], NULL, 10) : 20261128);
	printf("\n## Few rows, and ratios of spread\n\n%zu comparisons a cell. Any claim without a "
	       "change, the worst of the ratios 1, 2, 4, 10, 1/2, 1/4, 1/10 of the sides' sd "
	       "(which); one ratio for all rows, or of a row's own (log-sd 0.7 more). Power: one "
	       "row changed by 3.3 standard errors, equal spreads.\n\n"
	       "| rows | runs | one ratio | own ratios | power |\n"
	       "| --- | --- | --- | --- | --- |\n",
		comparisons);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t k = 0; k < sizeof(runs) / sizeof(runs[0]); k++)
			print_cell(rng, rows[i], runs[k][0], runs[k][1], comparisons);
	gsl_rng_free(rng);
	return 0;
}
