/*
 * Compares two small samples of run values: t tests, the ratio of two means, the median of paired
 * differences. It knows no ops and corrects nothing for their number. Undefined is NaN.
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

/* What follows from an estimate with its standard error: t, p and the interval. */
void test_estimate(double diff, double se, double df, double confidence, struct t_test *out);
/* Two values or more a side, else only diff is set. Welch: variances of the sides may differ. */
void test_welch(const double *base, size_t base_n, const double *new, size_t new_n,
	double confidence, struct t_test *out);
void test_student(const double *base, size_t base_n, const double *new, size_t new_n,
	double confidence, struct t_test *out);
/* new[i] belongs to base[i]. */
void test_paired(
	const double *base, const double *new, size_t n, double confidence, struct t_test *out);

/*
 * One run a side, with the run-to-run CV taken as known: the difference `diff` of the logs of the
 * two run values has variance 2 run_cv^2 + what the steps leave open. Normal quantiles.
 */
void test_one_run(double diff, double run_cv, double step_variance_base, double step_variance_new,
	double confidence, struct t_test *out);
/* sd(ln x)^2 / n_eff: what the steps of one run leave open of the log of its value. NaN when n < 2
 * or a value is not above 0. */
double test_step_variance(const double *x, size_t n);

struct ratio {
	double value;	  /* mean of new / mean of base */
	double low, high; /* -INFINITY, INFINITY when unbounded */
	bool unbounded;	  /* the mean of base is not clearly away from 0 */
};

/* Fieller's (1954) interval of a ratio of means of unpaired samples, with the smaller n - 1 degrees
 * of freedom (Kalibera & Jones 2013). Two values or more a side. */
void test_fieller(const double *base, size_t base_n, const double *new, size_t new_n,
	double confidence, struct ratio *out);

struct median_interval {
	double median;
	size_t rank; /* the interval is from the rank-th smallest to the rank-th largest; 0: none */
	double coverage; /* of that interval, at least what was asked for */
	double low, high;
};

/* The sign test's interval: holds for every continuous distribution. */
void test_sign_interval(const double *x, size_t n, double confidence, struct median_interval *out);

#endif
