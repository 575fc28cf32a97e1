/* Runs that do not belong to their side: one that lies apart from the others, and a run of each
 * side that look exchanged. The null is made from the runs and not from the rows, so that it holds
 * whether rows are independent or share what moves a run. It leaves no run out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Times the number of runs, or of pairs of runs, p must be below it. */
#define ODD_RUNS_P 0.02
/* A side of fewer runs has none that lies apart. */
#define ODD_RUNS_LEAST 3

/* value[row * (runs_base + runs_new) + run], the runs of base first, on the scale of the test
 * (logs); none is NaN. Differences by round are all of new, without any of base. */
struct odd_runs_data {
	const double *value;
	/* Variance of a value that the resolution of the times alone makes, per row; so much is
	 * taken to be in it, too, where runs differ by less. */
	const double *floor;
	size_t rows, runs_base, runs_new;
};

struct odd_run {
	size_t run;    /* of base first, then of new */
	double shift;  /* its mean over the rows, less that of the other runs of its side */
	double t, df;  /* deletion residual */
	double p;      /* two-sided, times the number of runs; 1 where no run can be tested */
	bool is_apart; /* p is below ODD_RUNS_P */
};

struct odd_pair {
	size_t base, new; /* indexes within their sides */
	double p;	  /* times the number of pairs; 1 where no pair can be tested */
	bool is_exchanged;
};

/* The run that lies farthest apart. The score of a run is the mean over the rows of its distance
 * from the mean of its side over the spread of the row; t compares it with the other runs of its
 * side, by the spread of all runs but this one (externally studentised residual). */
void odd_run_find(const struct odd_runs_data *data, struct odd_run *out);

/* The shift of any run. */
double odd_run_shift(const struct odd_runs_data *data, size_t run);

/* The run with the largest of n values, or the smallest: it carries most of a difference. */
size_t odd_run_extreme(const double *x, size_t n, bool largest);

/* The pair of runs whose exchange makes the sides most uniform, by the F of two runs that are left
 * out. The score of a run is the median over the rows of its distance from the median of the row
 * over the median distance. Sides of ODD_RUNS_LEAST runs or more. */
void odd_pair_find(const struct odd_runs_data *data, struct odd_pair *out);
