/*
 * Test of a difference against a margin: within it, or beyond it, and the size of difference that
 * data like these could have shown. Works on an estimate with its standard error; it gives no
 * verdict.
 */
#ifndef STEPSTAT_STATS_EQUIVALENCE_H
#define STEPSTAT_STATS_EQUIVALENCE_H

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

#endif
