/* How often is a series without drift, or with one group of values, called drifting or two-valued,
 * and how often is what is there found? `make check-statistics` prints the numbers that
 * doc/statistics.md quotes. Usage: warnings [SERIES [SEED]] */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include "base/number.h"
#include "stats/drift.h"
#include "stats/modes.h"

enum { ROOM = 1000 };

static const size_t sizes[] = {10, 15, 20, 30, 50, 100, 200, 1000};

/* fill: one series of n values. */
struct source {
	const char *name;
	void (*fill)(gsl_rng *rng, double *x, size_t n);
};

static void fill_correlated(gsl_rng *rng, double phi, double *x, size_t n)
{
	double e = gsl_ran_ugaussian(rng);

	for (size_t i = 0; i < n; i++) {
		x[i] = 1000 + 20 * e;
		e = phi * e + sqrt(1 - phi * phi) * gsl_ran_ugaussian(rng);
	}
}

static void fill_normal(gsl_rng *rng, double *x, size_t n)
{
	fill_correlated(rng, 0, x, n);
}

static void fill_ar3(gsl_rng *rng, double *x, size_t n)
{
	fill_correlated(rng, 0.3, x, n);
}

static void fill_ar5(gsl_rng *rng, double *x, size_t n)
{
	fill_correlated(rng, 0.5, x, n);
}

static void fill_ar8(gsl_rng *rng, double *x, size_t n)
{
	fill_correlated(rng, 0.8, x, n);
}

/* Steps that wander slowly under as much noise of their own. */
static void fill_walk(gsl_rng *rng, double *x, size_t n)
{
	fill_correlated(rng, 0.95, x, n);
	for (size_t i = 0; i < n; i++)
		x[i] += 20 * gsl_ran_ugaussian(rng);
}

static void fill_lognormal5(gsl_rng *rng, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = gsl_ran_lognormal(rng, 0, 0.05);
}

static void fill_lognormal50(gsl_rng *rng, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = gsl_ran_lognormal(rng, 0, 0.5);
}

static void fill_spiked(gsl_rng *rng, double *x, size_t n)
{
	fill_normal(rng, x, n);
	for (size_t i = 0; i < n; i++)
		x[i] *= gsl_rng_uniform(rng) < 0.05 ? 5 : 1;
}

/* An sd of 0.8 of the grid: nearly all values are 1, 2 and 3. */
static void fill_grid(gsl_rng *rng, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = round(2.2 + 0.8 * gsl_ran_ugaussian(rng));
}

static void fill_uniform(gsl_rng *rng, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = gsl_rng_uniform(rng);
}

static void fill_exponential(gsl_rng *rng, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = gsl_ran_exponential(rng, 1);
}

/* 1.5 sds from end to end, and from one half to the other. */
static void fill_slope(gsl_rng *rng, double *x, size_t n)
{
	fill_normal(rng, x, n);
	for (size_t i = 0; i < n; i++)
		x[i] += 30 * (double)i / (double)(n - 1);
}

static void fill_step(gsl_rng *rng, double *x, size_t n)
{
	fill_normal(rng, x, n);
	for (size_t i = n / 2; i < n; i++)
		x[i] += 30;
}

/* 2.5 sds in a fifth. */
static void fill_back(gsl_rng *rng, double *x, size_t n)
{
	fill_normal(rng, x, n);
	for (size_t i = n / 2; i < n / 2 + n / 5; i++)
		x[i] += 50;
}

static void fill_groups(gsl_rng *rng, double apart, double share, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = gsl_ran_ugaussian(rng) + (gsl_rng_uniform(rng) < share ? apart : 0);
}

static void fill_half5(gsl_rng *rng, double *x, size_t n)
{
	fill_groups(rng, 5, 0.5, x, n);
}

static void fill_half7(gsl_rng *rng, double *x, size_t n)
{
	fill_groups(rng, 7, 0.5, x, n);
}

static void fill_third8(gsl_rng *rng, double *x, size_t n)
{
	fill_groups(rng, 8, 0.3, x, n);
}

static const struct source drifting[] = {
	{"normal", fill_normal},
	{"lognormal, CV 5 %", fill_lognormal5},
	{"lognormal, sd log 0.5", fill_lognormal50},
	{"normal, 5 % spikes of 5 times", fill_spiked},
	{"whole numbers 1 to 3", fill_grid},
	{"AR(1) 0.3", fill_ar3},
	{"AR(1) 0.5", fill_ar5},
	{"AR(1) 0.8", fill_ar8},
	{"AR(1) 0.95 and as much noise", fill_walk},
	{"normal + slope of 1.5 sds", fill_slope},
	{"normal + step of 1.5 sds", fill_step},
	{"normal + 2.5 sds in a fifth", fill_back},
};

static const struct source grouped[] = {
	{"normal", fill_normal},
	{"uniform", fill_uniform},
	{"exponential", fill_exponential},
	{"lognormal, sd log 0.5", fill_lognormal50},
	{"normal, 5 % spikes of 5 times", fill_spiked},
	{"whole numbers 1 to 3 (resolution 1)", fill_grid},
	{"AR(1) 0.8", fill_ar8},
	{"two normals 5 sds apart, 50 %", fill_half5},
	{"two normals 7 sds apart, 50 %", fill_half7},
	{"two normals 8 sds apart, 30 %", fill_third8},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void print_head(const char *what)
{
	printf("\n## %s\n\n| series |", what);
	for (size_t i = 0; i < COUNT(sizes); i++)
		printf(" n = %zu |", sizes[i]);
	printf("\n| --- |");
	for (size_t i = 0; i < COUNT(sizes); i++)
		printf(" --- |");
	printf("\n");
}

/* Percent of the series with a trend, with a shift and with a stretch at p < 0.01. */
static void print_drift(gsl_rng *rng, const struct source *source, size_t count)
{
	double x[ROOM];

	printf("| %s |", source->name);
	for (size_t i = 0; i < COUNT(sizes); i++) {
		size_t trends = 0, shifts = 0, stretches = 0;

		for (size_t k = 0; k < count; k++) {
			struct level_stretch stretch;
			struct drift d;

			source->fill(rng, x, sizes[i]);
			drift_find(x, sizes[i], &d);
			trends += d.trend_p < 0.01;
			shifts += d.shift_p < 0.01;
			stretch_find(x, sizes[i], &stretch);
			stretches += stretch.p < 0.01;
		}
		printf(" %.2f, %.2f, %.2f |", 100.0 * (double)trends / (double)count,
			100.0 * (double)shifts / (double)count,
			100.0 * (double)stretches / (double)count);
	}
	printf("\n");
}

static void print_modes(gsl_rng *rng, const struct source *source, size_t count)
{
	const double resolution = source->fill == fill_grid ? 1 : 0;
	double x[ROOM];

	printf("| %s |", source->name);
	for (size_t i = 0; i < COUNT(sizes); i++) {
		size_t called = 0;

		for (size_t k = 0; k < count; k++) {
			struct modes m;

			source->fill(rng, x, sizes[i]);
			modes_find(x, sizes[i], resolution, &m);
			called += m.two;
		}
		printf(" %.2f |", 100.0 * (double)called / (double)count);
	}
	printf("\n");
}

static size_t argument(int argc, char **argv, int place, size_t usual)
{
	int64_t value;

	if (place >= argc)
		return usual;
	if (!number_parse_int(argv[place], strlen(argv[place]), &value) || value < 1) {
		fprintf(stderr, "warnings: '%s' is no number above 0\n", argv[place]);
		exit(2);
	}
	return (size_t)value;
}

int main(int argc, char **argv)
{
	const size_t count = argument(argc, argv, 1, 10000);
	const size_t seed = argument(argc, argv, 2, 20240301);
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_set_error_handler_off();
	gsl_rng_set(rng, seed);
	printf("%zu series a number, generator mt19937, seed %zu\n", count, seed);
	print_head("Percent with a trend, a shift, a stretch at p < 0.01");
	for (size_t i = 0; i < COUNT(drifting); i++)
		print_drift(rng, &drifting[i], count);
	print_head("Percent called two-valued");
	for (size_t i = 0; i < COUNT(grouped); i++)
		print_modes(rng, &grouped[i], count);
	gsl_rng_free(rng);
	return 0;
}
