/*
 * Fisher's exact test of a table of two by two counts: does something occur more often on one side.
 */
#ifndef STEPSTAT_STATS_FISHER_H
#define STEPSTAT_STATS_FISHER_H

#include <stddef.h>

/* Two-sided p of `a` of n_a against `b` of n_b: the probability of all tables with these margins
 * that are no more probable than this one (as R: fisher.test). NaN when a side is empty. Counts
 * below 2^32. */
double fisher_test(size_t a, size_t n_a, size_t b, size_t n_b);

#endif
