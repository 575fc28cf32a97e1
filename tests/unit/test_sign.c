/* The sign test against binomial probabilities in whole numbers (tests/ref/make_warnings.py). */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include "stats/ranks.h"
#include "tests/unit/test.h"

#define EXPECTED "tests/ref/warnings.csv"

TEST(binomial)
{
	static const size_t cases[][2] = {{287, 13}, {1, 0}, {5, 0}, {0, 6}, {3, 3}, {8, 2},
		{60, 40}, {150, 151}, {0, 300}, {600, 500}, {5000, 5400}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const size_t above = cases[i][0], below = cases[i][1];
		char name[64];
		double want;

		snprintf(name, sizeof(name), "sign.%zu.%zu", above, below);
		assert_int_equal(ref_row(EXPECTED, name, &want, 1), 1);
		ref_near(name, sign_test(above, below), want, 1e-11);
		assert_true(sign_test(below, above) == sign_test(above, below));
	}
}

TEST(ends)
{
	assert_true(isnan(sign_test(0, 0)));
	assert_true(sign_test(2000, 0) >= 0 && sign_test(2000, 0) < 1e-300);
	assert_true(sign_test(3000000000, 3000000000) == 1);
	assert_true(sign_test(3000000000, 3001000000) < 1e-30);
}

TESTS_BEGIN(gsl_set_error_handler_off());
