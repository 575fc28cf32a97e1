/*
 * The two-sided sign test.
 */
#include "stats/sign.h"

#include <math.h>
#include <gsl/gsl_cdf.h>

/*
 * Binomial(n, 1/2) is symmetric, so both tails are alike (R: binom.test(above, above + below)).
 * P(B <= k) = I_1/2(n - k, k + 1): GSL's binomial takes counts of 32 bits only, its beta does not.
 */
double sign_test(size_t above, size_t below)
{
	const double fewer = (double)(above < below ? above : below);
	const double more = (double)(above < below ? below : above);

	if (above == 0 && below == 0)
		return NAN;
	return above == below ? 1 : fmin(1, 2 * gsl_cdf_beta_P(0.5, more, fewer + 1));
}
