/*
 * Mode of many differences, in which most of them agree, with its own error. Differences that lie
 * apart do not move it, as long as more than half agree; above half nothing can tell which of two
 * groups is the one that stayed.
 */
#ifndef STEPSTAT_STATS_CENTRE_H
#define STEPSTAT_STATS_CENTRE_H

#include <stddef.h>

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

#endif
