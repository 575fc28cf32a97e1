/*
 * A later level in the sessions of base, which must not be averaged with the one before, and what
 * the typical row of a comparison would show.
 */
#ifndef STEPSTAT_ANALYSIS_GATE_BASE_LEVEL_H
#define STEPSTAT_ANALYSIS_GATE_BASE_LEVEL_H

#include "analysis/compare/comparison.h"

struct base_level {
	size_t session;		   /* the first of the later level */
	const struct run_row *row; /* that shows it most; NULL: the step */
	double change;		   /* of it: fraction */
	bool drifts;		   /* the row has a line, no step: change is that of the line */
};

/* False: the sessions of base, in order of time, have one level (stats/sessions.h). */
bool base_level_find(const struct compared_measure *measure,
	const struct compare_sessions *sessions, struct base_level *out);
/* A session of base that lies apart in some row (stats/sessions.h), so that what is seen is
 * coarser.
 */
struct base_apart {
	size_t session;
	const struct run_row *row; /* NULL: the step */
	double change, widens;	   /* from the mean of the others: fraction; of the spread */
};
bool base_apart_find(const struct compared_measure *measure,
	const struct compare_sessions *sessions, struct base_apart *out);

/* Sessions of base in two groups, in the row where these lie farthest apart (stats/modes.h). */
struct base_groups {
	const struct run_row *row; /* NULL: the step */
	double change;		   /* from the lower to the upper one: fraction */
	size_t upper, sessions;	   /* how many are in the upper one, of all that have the row */
};
bool base_groups_find(const struct compared_measure *measure,
	const struct compare_sessions *sessions, struct base_groups *out);

/* The change that is found in 80 % of cases, median over the rows; NaN: none is tested. */
double comparison_typical_sees(const struct comparison *comparison);

#endif
