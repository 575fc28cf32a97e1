/* An interval of a mean that holds at every look: whoever adds values until it decides is wrong no
 * more often than alpha. It knows no pairs and no margins. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The t statistic with a normal prior of variance 1 on mean/sd (unit information): the likelihood
 * ratio (1+n)^(-1/2) [(1 + t^2/(n-1)) / (1 + t^2/((n-1)(1+n)))]^(n/2) is a martingale without a
 * difference (Lai 1976; Wang and Ramdas 2023), so it ever reaches 1/alpha with probability alpha at
 * most (Ville 1939). The interval is mean -+ factor sd/sqrt(n). */
double sequential_factor(size_t n, double alpha); /* INFINITY where n values cannot claim */

/* Two-sided level at which Student's interval of the mean of n values is that of sequential_factor;
 * 0 where n values cannot claim. */
double sequential_level(size_t n, double alpha);

struct sequential {
	size_t n, far_off; /* values that count; those that lie far off and do not */
	size_t beyond;	   /* that lie far off and count, because they are too many */
	double mean, sd;   /* of those that count; NaN for n < 1, n < 2 */
	double low, high;  /* infinite where n values cannot claim */
};

/* Values more than 8 robust standard deviations (1.4826 MAD, by 1 + 2.5/n) from the median do not
 * count where they are at most a tenth of all; where they are more, they are no disturbance, and
 * all count. far[i]: value i does not count; NULL: not wanted. */
void sequential_describe(
	const double *x, size_t n, double alpha, struct sequential *out, bool *far);

/* The factor of one look alone, at n values (Student). */
double sequential_factor_once(size_t n, double alpha);

/* Values that lie above their median by more than the width of both sides' fences, whichever is the
 * wider, and by log(1.2) at least; of x and y each, 0 for fewer than 5 or where half of both are
 * alike. *times_x: least exp(value - median) of those; NaN. */
void sequential_slow(const double *x, const double *y, size_t n, size_t *slow_x, double *times_x,
	size_t *slow_y, double *times_y);

/* Number of values, at most `most`, from which on half the interval is below `distance`, with this
 * sd; 0: more than `most`. */
size_t sequential_needed(double sd, double distance, double alpha, size_t most);
