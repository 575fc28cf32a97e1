/* Mean and sum of squared deviations of a series, right to the last digits of a double also where
 * the values are 10^15 and differ by 1. Internal to stats/: it knows no median and no interval. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct moments {
	size_t n;
	bool constant;	    /* two values or more, all equal */
	long double sum;    /* exact for whole numbers up to 2^64 */
	double origin;	    /* the mean rounded to a double: deviations are taken from here first */
	long double offset; /* mean - origin */
	long double squares; /* of the deviations from the mean; 0 exactly when constant */
};

/* n = 0: everything 0. */
void moments_compute(const double *x, size_t n, struct moments *out);
/* The same of n > k values of which all but x[0..k) are 0. */
void moments_compute_sparse(const double *x, size_t k, size_t n, struct moments *out);
/* The same of n >= 0 whole numbers of which only the exact sums are known. The squares must be
 * those of such numbers: at least sum^2 / n. */
void moments_of_sums(int64_t n, __int128 sum, unsigned __int128 squares, struct moments *out);
long double moments_deviation(const struct moments *m, double x); /* x - mean */
double moments_mean(const struct moments *m);			  /* n = 0: NaN */
/* Divisor n when population, else n - 1; NaN when there are too few values for it. */
double moments_variance(const struct moments *m, bool population);
double moments_sd(const struct moments *m, bool population);
/* sd / mean; 0 when constant, or for one value of a population; NaN when sd is NaN or the mean is
 * not above 0. */
double moments_cv(const struct moments *m, bool population);
/* Half the width of the t interval of a mean: t(df) times its standard error. */
double moments_half_width(double se, double df, double confidence);

/* Mode of many differences, in which most of them agree, with its own error. Differences that lie
 * apart do not move it, as long as more than half agree; above half nothing can tell which of two
 * groups is the one that stayed. */

/* Beyond so many standard errors of its distance a difference lies apart. */
#define CENTRE_APART_SE 4

struct centre {
	double centre, variance;
	size_t above, below; /* differences that lie apart */
};

/* Centre of diff[n] with standard errors se[n], above 0; n is 1 or more: from the middle of the
 * shortest half (Rousseeuw 1984) a redescending mean (Beaton and Tukey 1974). Its variance counts
 * the distances between differences that agree, at least their standard errors. */
void centre_find(const double *diff, const double *se, size_t n, struct centre *out);
