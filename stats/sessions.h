/* A later level among means of sessions, which must not be averaged with the one before, a session
 * that lies apart, and two groups of sessions. Rows of values on the scale of the test (logs); it
 * knows no names and no verdicts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The session whose mean lies farthest from those of the others: the p of its deletion residual
 * times their number; 1 where the others have no spread or are fewer than 3. x[n], NaN: none.
 * *at: which. *widens: the standard deviation of all over that of the others. */
double session_apart(const double *x, size_t n, size_t *at, double *widens);

/* Sessions that make coarser what is seen, over all rows. */
struct session_findings {
	/* The session that lies apart most surely, with p times the rows at most SESSION_LEVEL_P.
	 */
	bool is_apart;
	size_t apart_row, apart;
	double apart_by, widens; /* from the mean of the others; of the standard deviation */
	/* Two groups (stats/modes.h) in the row where these lie farthest apart. */
	bool has_groups;
	size_t groups_row, upper, valued; /* sessions in the upper one, and with a value */
	double groups_by;		  /* from the lower to the upper one */
};
/* value[row * sessions + s]: as of session_level(). */
void session_findings_make(
	const double *value, size_t rows, size_t sessions, struct session_findings *out);

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
