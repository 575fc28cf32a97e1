/* Description of one series of doubles: location, spread, correlation, intervals. It knows no
 * files, no names and no units. An undefined value is NaN here, and only here: callers turn NaN
 * into an empty cell with a note. Formulas and sources: doc/statistics.md. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct moments;

struct sample_options {
	double confidence; /* of all intervals, 0.95 */
	bool population;   /* divisor n instead of n - 1 in sd and CV (the interval keeps n - 1) */
	double resolution; /* step of the grid on which the values were recorded; 0: not known */
};

struct sample {
	size_t n;
	bool constant; /* n >= 2, all values equal: sd = 0, CV = 0 exactly (also when all are 0), no
			  noise to speak of */
	double sum, mean;
	double sd; /* n < 2: NaN (population: n < 1) */
	double cv; /* sd / mean as a fraction; NaN when mean <= 0 and not constant, or sd is NaN */
	double se; /* sd(n-1) / sqrt(n_eff) */
	double min, max, median;
	double mad;	  /* raw median absolute deviation about the median; n < 2: NaN */
	double robust_cv; /* 1.482602218505602 mad / median; NaN when median <= 0 or n < 2 (0 when
			     constant) */
	double lag1;	  /* r1; NaN for n < 3 or constant */
	double lag1_corrected; /* r1 + (1 + 4 r1)/n, floored at 0, capped at 0.99; NaN as lag1 */
	double n_eff; /* n (1-r')/(1+r'), at least 2, at most n; n itself when lag1 is NaN */
	/* Lower estimate of n_eff: with r' + 80/n^2 for r', since few steps do not show their
	 * correlation. */
	double n_eff_low;
	/* True if fewer than 50 values lie on two levels (modes_apart), from 21 on with n_eff <
	 * n/2. */
	bool two_levels;
	/* n < 6 or n >= 50: mean -+ t(n_eff - 1) sd(n-1)/sqrt(n_eff_low), NaN when n_eff < 5. 6 to
	 * 20 values: mean -+ f t(n - 1) sd(n-1)/sqrt(n), f = 1.05 + (0.5 + 20/n) r' within 1 and
	 * 2.5, r' without its floor. Between them the weight of the first half length is
	 * (n - 20)/30, NaN when n_eff is below 5 times that. NaN with two_levels; both = mean when
	 * constant, n >= 5. */
	double low, high;
};

/* The MAD of normal values times this is their sd. */
#define SAMPLE_SD_OF_MAD 1.482602218505602

/* Median, and *mad the raw MAD about it (R: mad(x, constant = 1)). n >= 1. */
double sample_median(const double *x, size_t n, double *mad);
/* Median of values that may be put into another order. n >= 1. */
double sample_middle(double *x, size_t n);

/* x in step order. n = 0: n and sum are 0, everything else NaN. */
void sample_describe(
	const double *x, size_t n, const struct sample_options *opt, struct sample *out);

/* A series of n values of which all but k are 0: x[i] is value number at[i], ascending. It is
 * described in a time that grows with k and not with n. Below a quarter of values median and MAD
 * are 0. */
struct sparse {
	const double *x;
	const size_t *at;
	size_t k, n;
};
bool sparse_enough(const struct sparse *s); /* the functions below may be used, and are worth it */
/* Results of the functions without "sparse" for the whole series. */
void sample_describe_sparse(
	const struct sparse *s, const struct sample_options *opt, struct sample *out);
bool sample_worst_sparse(const struct sparse *s, const struct sample_options *opt, size_t *index,
	double *cv_without);

/* Quantile p in [0,1] of x (any order), R type 7. NaN when n = 0 or p outside. Copies and sorts. */
double sample_quantile(const double *x, size_t n, double p);
/* The same for `count` of them with one sort: out[count]. */
void sample_quantiles(const double *x, size_t n, const double *p, size_t count, double *out);
/* Place of the quantile among n > 0 values in order: `part` of the way from the one at the result
 * to the next. 0 <= p <= 1. */
size_t sample_quantile_place(size_t n, double p, double *part);
/* True if 10 of n values or more lie beyond the quantile. */
bool sample_quantile_is_known(size_t n, double p);
/* Interval of the quantile by order statistics, whatever the distribution of independent values: an
 * end is NaN where n values have none at this confidence. */
void sample_quantile_interval(
	const double *x, size_t n, double p, double confidence, double *low, double *high);
double sample_trimmed_mean(
	const double *x, size_t n, double trim);	 /* trim of each tail, 0 <= trim < 0.5 */
double sample_geometric_mean(const double *x, size_t n); /* NaN when any value <= 0 */
/* The interval of the mean of a quantity that is not negative, where low, by t, is below 0: mean
 * exp(-+ half/mean), half = high - mean (delta method on the logarithm). Both NaN where that is
 * more than a factor of 10 each way, or the mean is 0. Others stay. */
void sample_positive_interval(double mean, double *low, double *high);
/* Number of independent values that it is worth: n_eff as in struct sample; NaN when n = 0. */
double sample_effective_size(const double *x, size_t n);
/* The same of a series whose moments are known. */
double sample_effective_size_of(const double *x, const struct moments *m);
/* Q over lags 1..h and its upper p value (chi-squared, h df); NaN when n <= h or constant. */
void sample_ljung_box(const double *x, size_t n, size_t h, double *q, double *p);

/* cov(x, total) / var(total): NaN when n < 5 or total is constant. Adds up to 1 over a
 * partition. */
double sample_jitter_share(const double *x, const double *total, size_t n);
/* The same of values that are 0 but for s->x; the deviations of the total (x - mean), and their
 * squares. Runs that are centred on their own have deviations that add up to 0 in each, and s need
 * not be centred. */
double sample_jitter_share_sparse(
	const struct sparse *s, const double *deviation, long double squares);
/* The slope of y on t, both about the means of their runs, and its standard error with df values
 * less the means and the slope: the larger one of that of a straight line and of HC3, which holds
 * where long steps scatter more. Steps that are correlated in t and in what the line leaves of y
 * count less by the product of both (Bartlett 1946). */
void sample_slope(const double *y, const double *t, size_t n, size_t df, double *slope, double *se);

/* True if series move together: of the variance of their sum (`whole`, df degrees of freedom), the
 * sum of their variances (`own`) and that of their sds, the mean correlation of two is 0.5 or more,
 * and the first is above its 0.99 quantile without any. */
bool sample_moves_together(double whole, double own, double sum, double df);

/* Vangel's (1996) interval of a CV k with n_eff; *high = INFINITY when unbounded; NaN when n_eff
 * < 2. */
void sample_cv_interval(double k, double n_eff, double confidence, double *low, double *high);

/* True if the removal of one value may change the CV by more than half. False is certain. */
bool sample_may_be_spiky(const struct sample *sample, bool population);
/* The value whose removal changes the CV most, and the CV without it; false when n < 3 or
 * constant. */
bool sample_worst(const double *x, size_t n, const struct sample_options *opt, size_t *index,
	double *cv_without);

/* Indexes of the values outside low .. high, in order, into out (room for n); returns how many. */
size_t sample_outside(const double *x, size_t n, double low, double high, size_t *out);
/* The same of the outliers |x - median| > 10 x SAMPLE_SD_OF_MAD MAD (MAD 0: none); of values that
 * are described already. */
size_t sample_outliers(const double *x, size_t n, size_t *out);
size_t sample_described_outliers(
	const double *x, size_t n, const struct sample *described, size_t *out);

/* The place of a value far above all others, n where there is none: more than SAMPLE_ALONE_LEAST
 * times their median, and above the largest of them by `ranges` times their range (Dixon's ratio
 * without the value itself); of 5 to 16 values. */
#define SAMPLE_ALONE_LEAST 1.25
size_t sample_alone(const double *x, size_t n, double ranges);

/* The step of the grid on which all values lie: the greatest common divisor of the values taken as
 * integers (they are whole numbers of base units), 0 when all are 0 or one is not whole. */
double sample_resolution(const double *x, size_t n);
double sample_cv_floor(
	double resolution, double mean); /* q / (sqrt(12) mean); NaN when mean <= 0 */

enum warmup_state { WARMUP_NONE, WARMUP_FOUND, WARMUP_UNSTEADY };
struct warmup {
	enum warmup_state state; /* UNSTEADY: more than half would have to go: nothing is dropped */
	size_t drop;		 /* leading steps to leave out */
	double ratio;	    /* largest dropped value / median of the second half; NaN when none */
	double median, mad; /* of the second half */
};
/* On step totals (doc/statistics.md, warm-up): drop leading values while they are above median + 4
 * * 1.482602218505602 * MAD of the second half (steps floor(n/2)+1..n), more than 4 where that half
 * has 10 values or fewer; MAD 0 is replaced by `resolution`. n < 6: WARMUP_NONE, median and mad
 * NaN. */
void sample_warmup(const double *total, size_t n, double resolution, struct warmup *out);
