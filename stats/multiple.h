/*
 * Corrects p values for how many of them there are, and the level of the intervals of those picked
 * out. It does not know what was tested, nor which tests belong together.
 */
#ifndef STEPSTAT_STATS_MULTIPLE_H
#define STEPSTAT_STATS_MULTIPLE_H

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

/* Confidence of the intervals of `flagged` of `family` tests picked at level q, so that the
 * expected share of them that miss is q: 1 - q flagged/family (Benjamini & Yekutieli 2005). NaN:
 * none picked. */
double multiple_interval_level(double q, size_t flagged, size_t family);

#endif
