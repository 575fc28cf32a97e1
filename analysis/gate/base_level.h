/* Means of the sessions of base, as rows for stats: a later level among them, which must not be
 * averaged with the one before, and what makes coarser what is seen. */
#pragma once

#include "analysis/compare/comparison.h"
#include "stats/sessions.h"

struct base_level {
	size_t session;		   /* the first of the later level */
	const struct run_row *row; /* that shows it most; NULL: the step */
	double change;		   /* of it: fraction */
	/* The row has a line, no step: change is that of the line. It has a step; neither: its
	 * sessions resemble their neighbours so much that they wander as far. */
	bool drifts, steps;
};

/* False: the sessions of base, in order of time, have one level (stats/sessions.h). alpha: of the
 * step and the drift. */
bool base_level_find(const struct compared_measure *measure,
	const struct compare_sessions *sessions, double alpha, struct base_level *out);
/* Sessions that lie apart; base_row() gives a row of what is found. */
void base_findings_make(const struct compared_measure *measure,
	const struct compare_sessions *sessions, struct session_findings *out);
/* NULL: the step. */
const struct run_row *base_row(const struct compared_measure *measure, size_t row);

/* The changes that are found, and that are red, in 80 % of cases, as medians over the rows; NaN:
 * none is tested. They are what base says, whatever new is. */
void base_sees(const struct comparison *comparison, double *seen, double *red);
