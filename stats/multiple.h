/* Corrects p values for how many of them there are, and the level of the intervals of those picked
 * out. It does not know what was tested, nor which tests belong together. */
#pragma once

#include <stddef.h>

enum multiple_method {
	MULTIPLE_BH,   /* false discovery rate, Benjamini & Hochberg 1995 */
	MULTIPLE_BY,   /* the same under any dependence, Benjamini & Yekutieli 2001 */
	MULTIPLE_HOLM, /* family-wise error rate, Holm 1979 */
};

/* As users write them, in the order of the enum, then NULL. */
extern const char *const multiple_method_words[];

/* q[i] belongs to p[i]. NaN stays NaN and does not count as a test. q may be p. As R's p.adjust. */
void multiple_adjust(enum multiple_method method, const double *p, size_t n, double *q);

/*
 * Both directions of two-sided tests, each adjusted by itself: p[i] is two-sided, the sign of
 * diff[i] is its direction. The one-sided p values of a direction (p/2, or 1 - p/2 where the sign
 * is the other) are adjusted by Benjamini and Hochberg, and
 *
 *	q[i] = max(its adjusted p, twice the smallest adjusted p of its direction, p[i])
 *
 * The smallest adjusted p is the test of Simes (Biometrika 73, 1986) that anything at all changed
 * in that direction; twice it is Bonferroni's price for the two directions. So where nothing
 * changed, anything has q < alpha in a share of at most alpha of the cases, as with two-sided
 * adjustment. NaN stays NaN and does not count as a test. q may be p.
 */
void multiple_adjust_directions(const double *p, const double *diff, size_t n, double *q);

/* Confidence of the intervals of `flagged` of `family` tests picked at level q, so that the
 * expected share of them that miss is q: 1 - q flagged/family (Benjamini & Yekutieli 2005). NaN:
 * none picked. */
double multiple_interval_level(double q, size_t flagged, size_t family);
