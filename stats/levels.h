/* Levels of variance of values that were recorded in runs, runs in sessions, sessions on machines:
 * how much each level adds, with an interval. It knows no rows, no names and no units. Formulas:
 * doc/statistics.md. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum level { LEVEL_STEP, LEVEL_RUN, LEVEL_SESSION, LEVEL_MACHINE, LEVELS };

/* Runs without a value (NaN) do not count. */
struct levels_data {
	size_t runs;
	const double *value; /* of each run: a mean over its steps */
	/* Steps that the value is worth, and the variance of one around it; NULL, or NaN for a run:
	 * not known. */
	const double *steps, *variance;
	/* Numbers from 0, those of sessions over all machines: sessions of two machines differ.
	 * NULL: each run is a session of its own, all on one machine. */
	const size_t *session, *machine;
};

/* One level. Mean squares are those of unweighted means, so that each unit counts alike. */
struct level_part {
	double square,
		df; /* mean square of what is on this level; NaN and 0: nothing is repeated */
	/* Expectation of the mean square: times the variance of this level (1), of those below. */
	double expects[LEVELS];
	double variance;  /* as it comes out, also below 0; NaN: not known */
	double low, high; /* of its interval; not below 0 */
	/* A level below is not repeated: its variance is in this one. */
	bool holds_below;
};

struct levels {
	struct level_part part[LEVELS];
	size_t units[LEVELS]; /* runs, sessions, machines with a value; of steps what they are worth
			       */
	/* Mean of the machines' means, and how much of the variance of each level is in it. */
	double mean, holds[LEVELS];
};

/* confidence NaN: mean squares alone. */
void levels_estimate(const struct levels_data *data, double confidence, struct levels *out);
/* Variances and intervals from squares, df and expects, which may have been changed. */
void levels_solve(double confidence, struct levels *out);

/* Recorded runs, and those of a gate: a new side of so many sessions of the same machine, runs in
 * each, steps (effective) in each run. */
struct levels_gate {
	double sessions, runs;
	double steps; /* 0: as many as a recorded run. All are harmonic means */
};

struct levels_error {
	double variance, df; /* of new less base; NaN and 0: not known */
};

/* Error of a new side against all that is in `levels`: the variance of a session's mean as
 * recorded, and what runs and steps of the new sides are more or fewer than those. */
void levels_error(
	const struct levels *levels, const struct levels_gate *gate, struct levels_error *out);
/* The same of `pairs` pairs recorded in turns within one session, of as many steps as recorded:
 * what sessions differ by drops out, and runs differ by no less than their steps make them. Not
 * known where runs have fewer than 2 degrees of freedom. */
void levels_error_in_turns(const struct levels *levels, size_t pairs, struct levels_error *out);
/* The smallest difference that a test at alpha (two-sided) sees with this power, when it uses the
 * error as estimated: (t of alpha/2 + t of power) times it. */
double levels_sees(const struct levels_error *error, double alpha, double power);
