/*
 * Compares two small samples of run values: t tests and the ratio of two means. It knows no ops and
 * corrects nothing for their number. Undefined is NaN.
 */
#ifndef STEPSTAT_STATS_TESTS_H
#define STEPSTAT_STATS_TESTS_H

#include <stdbool.h>
#include <stddef.h>

struct t_test {
	double diff;	  /* mean of new - mean of base */
	double se, df;	  /* of diff; df is INFINITY where the variance is taken as known */
	double t, p;	  /* two-sided; NaN when se is 0 */
	double low, high; /* interval of diff; both = diff when se is 0 */
};

/* Test of an estimate with its standard error: t, p and the interval. */
void test_estimate(double diff, double se, double df, double confidence, struct t_test *out);
/* Two values or more a side, else only diff is set. Welch: variances of the sides may differ. */
void test_welch(const double *base, size_t base_n, const double *new, size_t new_n,
	double confidence, struct t_test *out);
/* new[i] belongs to base[i]. */
void test_paired(
	const double *base, const double *new, size_t n, double confidence, struct t_test *out);

/* Uncertainty of the log of a run's value by its steps, by n_eff_low and n_eff of struct sample. */
struct step_mean {
	double variance; /* sd(ln x)^2 / n_eff_low; NaN as test_step_variance */
	double df;	 /* n_eff - 1; NaN when n_eff < 5: no interval */
};
void test_step_mean(const double *x, size_t n, struct step_mean *out);
/* Variance of the log of a run's value by its steps: sd(ln x)^2 / n_eff. NaN when n < 2 or a value
 * is not above 0. */
double test_step_variance(const double *x, size_t n);

struct ratio {
	double value;	  /* mean of new / mean of base */
	double low, high; /* -INFINITY, INFINITY when unbounded */
	bool unbounded;	  /* the mean of base is not clearly away from 0 */
};

/* Fieller's (1954) interval of a ratio of means of unpaired samples, with the smaller n - 1 degrees
 * of freedom (Kalibera & Jones 2013). Two values or more a side.
 * `factor`: of both standard errors, 1 where these are those of the samples. */
void test_fieller(const double *base, size_t base_n, const double *new, size_t new_n,
	double confidence, double factor, struct ratio *out);

#endif
