/* Fisher's exact test against R's fisher.test (the first is the lady tasting tea). */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include "stats/tests.h"
#include "tests/unit/test.h"

TEST(as_in_r)
{
	static const struct {
		size_t a, n_a, b, n_b;
		double p;
	} cases[] = {
		{3, 4, 1, 4, 0.48571428571428582},
		{3, 3, 0, 3, 0.10000000000000003},
		{5, 5, 0, 5, 0.0079365079365079395},
		{1, 60, 0, 60, 1},
		{7, 10, 0, 3, 0.069930069930070005},
		{4, 10, 0, 3, 0.49650349650349662},
		{2, 3, 0, 10, 0.03846153846153845},
		{10, 10, 0, 3, 0.0034965034965034982},
		{0, 5, 0, 5, 1},
		{12, 17, 5, 20, 0.0086021320533096989},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ref_near("p", fisher_test(cases[i].a, cases[i].n_a, cases[i].b, cases[i].n_b),
			cases[i].p, 1e-12);
		ref_near("sides", fisher_test(cases[i].b, cases[i].n_b, cases[i].a, cases[i].n_a),
			cases[i].p, 1e-12);
	}
}

TEST(empty_sides)
{
	/* SciPy; the table [10 2; 2 15] is 0.7 % more likely than this one, and does not count. */
	ref_near("p", fisher_test(1, 12, 11, 17), 0.003157877394443322, 1e-9);
	assert_true(isnan(fisher_test(0, 0, 1, 2)));
	assert_true(isnan(fisher_test(1, 2, 0, 0)));
}

TESTS_BEGIN(gsl_set_error_handler_off());
