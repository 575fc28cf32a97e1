/* Compares two small samples of run values: t tests and the ratio of two means. It knows no ops and
 * corrects nothing for their number. Undefined is NaN. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct t_test {
	double diff;	  /* mean of new - mean of base */
	double se, df;	  /* of diff; df is INFINITY where the variance is taken as known */
	double t, p;	  /* two-sided; NaN when se is 0 */
	double low, high; /* interval of diff; both = diff when se is 0 */
};

/* Test of an estimate with its standard error: t, p and the interval. */
void test_estimate(double diff, double se, double df, double confidence, struct t_test *out);
/* Two values or more a side, else only diff is set. Welch: variances of the sides may differ. */
void test_welch(const double *base, size_t base_n, const double *new, size_t new_n,
	double confidence, struct t_test *out);
/* new[i] belongs to base[i]. */
void test_paired(
	const double *base, const double *new, size_t n, double confidence, struct t_test *out);

/* Uncertainty of the log of a run's value by its steps, by n_eff_low and n_eff of struct sample. */
struct step_mean {
	double variance; /* sd(ln x)^2 / n_eff_low; NaN as test_step_variance */
	double df;	 /* n_eff - 1; NaN when n_eff < 5: no interval */
};
void test_step_mean(const double *x, size_t n, struct step_mean *out);
/* Variance of the log of a run's value by its steps: sd(ln x)^2 / n_eff. NaN when n < 2 or a value
 * is not above 0. */
double test_step_variance(const double *x, size_t n);

struct ratio {
	double value;	  /* mean of new / mean of base */
	double low, high; /* -INFINITY, INFINITY when unbounded */
	bool unbounded;	  /* the mean of base is not clearly away from 0 */
};

/* Fieller's (1954) interval of a ratio of means of unpaired samples, with the smaller n - 1 degrees
 * of freedom (Kalibera & Jones 2013). Two values or more a side.
 * `factor`: of both standard errors, 1 where these are those of the samples. */
void test_fieller(const double *base, size_t base_n, const double *new, size_t new_n,
	double confidence, double factor, struct ratio *out);

/* Fisher's exact test of a table of two by two counts: does something occur more often on one
 * side. */

/* Two-sided p of `a` of n_a against `b` of n_b: the probability of all tables with these margins
 * that are no more probable than this one (as R: fisher.test). NaN when a side is empty. Counts
 * below 2^32. */
double fisher_test(size_t a, size_t n_a, size_t b, size_t n_b);

/* Test of a difference against a margin: within it, or beyond it, and the size of difference that
 * data like these could have shown. Works on an estimate with its standard error; it gives no
 * verdict. */

struct equivalence {
	double t_low, p_low;   /* of the claim: above the lower margin */
	double t_high, p_high; /* of the claim: below the upper margin */
	double p;	       /* the larger: within both (Schuirmann 1987, each at alpha) */
};

/* An estimate with its standard error > 0 and degrees of freedom (INFINITY: normal), against
 * low < high, on its own scale: -ln(1+m) and ln(1+m) for logs. NaN when se is not above 0. */
void equivalence_test(
	double diff, double se, double df, double low, double high, struct equivalence *out);

/* Minimum-effect tests: p of the claim that the difference is above / below `margin`. */
double equivalence_above(double diff, double se, double df, double margin);
double equivalence_below(double diff, double se, double df, double margin);

/* Power of the t test at `alpha` (sides: 1 or 2) when the true difference is `diff` > 0; as R's
 * power.t.test, which does not count a claim in the wrong direction. */
double equivalence_power(double diff, double se, double df, double alpha, int sides);
/* The difference that is found with that power, in the scale of se (MDE). NaN when there is
 * none. */
double equivalence_detectable(double se, double df, double alpha, int sides, double power);

/* Splits the variance of steps in runs into what lies between runs and what lies within them: the
 * one-way layout with random effects. It compares no sides. */

struct oneway {
	size_t runs, n; /* runs that have values, and all values */
	/* steps of a run: n when all have the same, else a little below their mean */
	double typical;
	double ms_between, ms_within;
	double f, p;		 /* are the run means equal */
	double variance_between; /* (MSB - MSW)/typical, as it is, also below 0 */
	double variance_run;	 /* the same, 0 when below 0 */
	bool truncated;		 /* then it was */
	double icc;		 /* correlation of two steps of a run, as it is, also below 0 */
	double design_effect; /* 1 + (typical - 1) icc, at least 1: what one step counts less in a
				 mean */
	double mean, se;      /* mean of the run means, and its standard error by the runs */
};

/* Run r is x[first[r]] .. x[first[r+1] - 1]; first has runs + 1 entries. Everything but runs, n and
 * mean is NaN with fewer than 2 runs or without a run of 2 values; f, p, icc also when undefined.
 */
void oneway_describe(const double *x, const size_t *first, size_t runs, struct oneway *out);

/* Other ways to divide the runs of a comparison into two sides of the same sizes. It knows counts
 * only. */

/* Runs 0 .. base - 1 are of base, base .. base + new - 1 of new. Fills of_new[i * (base + new) +
 * run], one row for each other split, and returns how many: all, when they are at most `most`; else
 * `most` that are drawn with a fixed seed, where one may come twice. Not among them are the split
 * itself and, with sides of equal size, the one that exchanges them; of two splits that are each
 * other's exchange there is one. */
size_t splits_fill(size_t base, size_t new, size_t most, bool *of_new);

/* The same of rounds with a run of each side: in other splits some rounds have their sides
 * exchanged. Fills exchanged[i * rounds + round]; the first round keeps its sides, as exchanging
 * all is the split that was observed. */
size_t splits_fill_rounds(size_t rounds, size_t most, bool *exchanged);
