/*
 * Fisher's exact test, by the hypergeometric distribution.
 * Fisher, Statistical Methods for Research Workers, 5th edition (1934), section 21.02.
 */
#include "stats/fisher.h"

#include <math.h>
#include <gsl/gsl_randist.h>

/* Tables that are as probable as the observed one may differ from it by rounding (R's value). */
#define EQUAL 1e-7

double fisher_test(size_t a, size_t n_a, size_t b, size_t n_b)
{
	const unsigned int in = (unsigned int)n_a, out = (unsigned int)n_b;
	const unsigned int drawn = (unsigned int)(a + b);
	const unsigned int least = drawn > out ? drawn - out : 0, most = drawn < in ? drawn : in;
	double observed, sum = 0;

	if (!n_a || !n_b)
		return NAN;
	observed = gsl_ran_hypergeometric_pdf((unsigned int)a, in, out, drawn) * (1 + EQUAL);
	for (unsigned int k = least; k <= most; k++) {
		const double p = gsl_ran_hypergeometric_pdf(k, in, out, drawn);

		if (p <= observed)
			sum += p;
	}
	return fmin(1, sum);
}
