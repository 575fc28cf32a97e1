/*
 * One or few runs against runs of several sessions: the session is the unit, since what its runs
 * share is most of what they differ by from those of another day. Arrays of values on the scale of
 * the test (logs); it knows no rows and no verdicts.
 */
#ifndef STEPSTAT_STATS_SESSIONS_H
#define STEPSTAT_STATS_SESSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session_means {
	size_t sessions;   /* with a value */
	double mean;	   /* of the means of sessions */
	double ms_between; /* variance of these means; NaN below 2 */
	double ms_within;  /* of runs in a session, pooled; 0 where no session has two */
	double runs;	   /* of a session: harmonic mean */
};

/* value[run], NaN: none; session[run] < sessions. */
void session_means_compute(const double *value, const uint32_t *session, size_t runs,
	size_t sessions, struct session_means *out);

/* Variance of the difference mean of new - mean of base where nothing changed, and its degrees of
 * freedom, by the sessions of base alone: MSB (1/S + 1/T) + MSW max(0, 1/r - 1/n) / T, S - 1, with
 * S sessions of n runs in base and T of r in new. The means of sessions of n runs have MSW/n of
 * their variance from their runs; those of r runs have MSW/r. False: base has fewer than 2
 * sessions. */
bool session_variance(const struct session_means *base, const struct session_means *new_side,
	double *variance, double *df);

/* Sessions of each level at least. */
#define SESSION_LEVEL_LEAST 3
#define SESSION_LEVEL_P 0.01
#define SESSION_SHUFFLES 999

/* value[row * sessions + s]: means of sessions in order of time, NaN: none, and the row is judged
 * by the others. Returns the first session of a later level, at the row and place where two levels
 * explain most: the largest (n - 1) R^2, which orders rows of n sessions as |t| does and lets no
 * row of few sessions drown the others; 0: no such level, by the permutation of the sessions over
 * the whole search, (b + 1)/(B + 1) at SESSION_LEVEL_P (Phipson and Smyth 2010), with a fixed seed.
 * *row: where it is. *p may be NULL. */
size_t session_level(const double *value, size_t rows, size_t sessions, size_t *row, double *p);

#endif
