/* Equivalence, minimum effect, power and its inverses: R's t.test and power.t.test, a published
 * example, and Student's tails against R's pt. */
#include "tests/ref/values.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include "stats/student.h"
#include "stats/tests.h"
#include "tests/unit/test.h"

#define REFERENCE "tests/data/stats/reference.csv"

static const double gob_old[] = {3069, 3075, 3069, 3067, 3207, 3064, 3064, 3058, 3059, 3062};
static const double gob_new[] = {3075, 3065, 3059, 3065, 3060, 3081, 3186, 3135, 3087, 3062};

static double reference(const char *set, const char *procedure, const char *quantity)
{
	char start[256];

	snprintf(start, sizeof(start), "\"%s\",\"%s\",\"%s\",\"", set, procedure, quantity);
	return ref_column(REFERENCE, start, 0);
}

/* Calls check for each line of compare.csv with that name. */
static void each_row(const char *name, size_t columns, void (*check)(const double *row))
{
	char line[REF_LINE_SIZE];
	const size_t n = strlen(name);
	FILE *file = ref_open(REF_COMPARE);
	size_t seen = 0;

	while (fgets(line, sizeof(line), file)) {
		double row[8];
		char *s = line + n;

		if (strncmp(line, name, n) != 0 || line[n] != ',')
			continue;
		for (size_t i = 0; i < columns; i++)
			assert_true(ref_next(&s, &row[i]));
		check(row);
		seen++;
	}
	fclose(file);
	assert_true(seen >= 6);
}

static void check_tail(const double *row)
{
	ref_near("tail", student_upper(row[0], row[1]), row[2], 2e-13);
	ref_near("other tail", student_upper(-row[0], row[1]), 1 - row[2], 1e-13);
	ref_near("both", student_two_sided(-row[0], row[1]), 2 * row[2], 2e-13);
	ref_near("quantile", student_quantile(row[2], row[1]), row[0], 1e-8);
}

static void check_shifted(const double *row)
{
	const double upper = student_shifted_upper(row[0], row[1], row[2]);

	if (fabs(upper - row[3]) > 1e-13)
		ref_near("shifted", upper, row[3], 1e-11);
}

TEST(tails_of_students_t)
{
	each_row("tail", 3, check_tail);
	each_row("shifted", 4, check_shifted);
	ref_near("no shift", student_shifted_upper(1.5, 4, 0), student_upper(1.5, 4), 1e-12);
	ref_near("normal", student_shifted_upper(1.5, INFINITY, 2), gsl_cdf_ugaussian_Q(-0.5),
		1e-15);
	ref_near("t = 0", student_shifted_upper(0, 3, 1), gsl_cdf_ugaussian_P(1), 1e-12);
	assert_true(isnan(student_upper(1, 0)) && isnan(student_quantile(0.5, NAN)));
	assert_true(isnan(student_shifted_upper(1, -1, 0)));
}

static void check_gob(double margin, const char *procedure)
{
	const char *const set = "benchstat gob (ties)";
	double base[10], new[10];
	struct t_test t;
	struct equivalence e;

	for (int i = 0; i < 10; i++) {
		base[i] = log(gob_old[i]);
		new[i] = log(gob_new[i]);
	}
	test_welch(base, 10, new, 10, 0.95, &t);
	equivalence_test(t.diff, t.se, t.df, -log(1 + margin), log(1 + margin), &e);
	ref_near(procedure, e.p_low, reference(set, procedure, "p_lower"), 1e-10);
	ref_near(procedure, e.p_high, reference(set, procedure, "p_upper"), 1e-10);
	ref_near(procedure, e.p, reference(set, procedure, "p"), 1e-10);
}

TEST(two_one_sided_tests)
{
	const double pooled = sqrt((94 * 0.95 * 0.95 + 88 * 0.83 * 0.83) / 182);
	const char *const procedure = "TOST pooled, +-0.384";
	struct equivalence e;

	check_gob(0.05, "TOST on logs, margin 5%");
	check_gob(0.01, "TOST on logs, margin 1%");
	equivalence_test(5.25 - 5.22, pooled * sqrt(1 / 95.0 + 1 / 89.0), 182, -0.384, 0.384, &e);
	ref_near("Moery", e.t_low, reference("moery2016", procedure, "t_lower"), 1e-12);
	ref_near("Moery", e.t_high, reference("moery2016", procedure, "t_upper"), 1e-12);
	ref_near("Moery", e.p_low, reference("moery2016", procedure, "p_lower"), 1e-11);
	ref_near("Moery", e.p_high, reference("moery2016", procedure, "p_upper"), 1e-11);
	ref_near("Moery", e.p, e.p_high, 0);
	equivalence_test(0, 0, 5, -1, 1, &e);
	assert_true(isnan(e.p) && isnan(e.t_low));
}

/* The interval's end at the margin is the test at alpha/2 a side, in both directions. */
TEST(minimum_effects)
{
	const double t = student_quantile(0.025, 7);

	ref_near("above", equivalence_above(1 + t * 0.3, 0.3, 7, 1), 0.025, 1e-12);
	ref_near("below", equivalence_below(-1 - t * 0.3, 0.3, 7, -1), 0.025, 1e-12);
	ref_near("at the margin", equivalence_above(0.02, 0.3, 7, 0.02), 0.5, 1e-15);
	ref_near("normal", equivalence_above(1.96, 1, INFINITY, 0), gsl_cdf_ugaussian_Q(1.96),
		1e-15);
	assert_true(isnan(equivalence_above(1, 0, 7, 0.5)));
}

static void check_power(const double *row)
{
	const double n = row[0];

	ref_near("power", equivalence_power(row[1], sqrt(2 / n), 2 * (n - 1), row[2], 2), row[3],
		1e-9);
}

static void check_detectable(const double *row)
{
	const double n = row[0], se = sqrt(2 / n), df = 2 * (n - 1);
	const double found = equivalence_detectable(se, df, row[1], 2, row[2]);

	ref_near("MDE", found, row[3], 1e-9);
	ref_near("and back", equivalence_power(found, se, df, row[1], 2), row[2], 1e-10);
}

TEST(power_of_the_t_test)
{
	each_row("power", 4, check_power);
	each_row("mde", 4, check_detectable);
	ref_near("power", equivalence_power(1, sqrt(2 / 20.0), 38, 0.05, 2),
		reference("power.t.test", "n=20 delta=1 sd=1 alpha=.05 two-sample", "power"),
		1e-10);
	/* R solved these with its default tolerance. */
	for (int n = 2; n <= 20; n++) {
		char procedure[64];

		if (n != 2 && n != 3 && n != 5 && n != 10 && n != 20)
			continue;
		snprintf(procedure, sizeof(procedure), "MDE80, sd=1, n=%d per side", n);
		ref_near(procedure,
			equivalence_detectable(sqrt(2.0 / n), 2 * (n - 1), 0.05, 2, 0.8),
			reference("power.t.test", procedure, "delta"), 1e-5);
	}
}

TEST(power_at_its_ends)
{
	const double z = gsl_cdf_ugaussian_Qinv(0.05) + gsl_cdf_ugaussian_Qinv(0.2);
	double before = 0;

	ref_near("normal", equivalence_detectable(0.01, INFINITY, 0.05, 1, 0.8), 0.01 * z, 1e-12);
	ref_near("none", equivalence_power(0, 1, 5, 0.05, 1), 0.05, 1e-11);
	for (double df = 1; df < 3000; df *= 1.7) {
		const double small = equivalence_detectable(1, df, 1e-4, 2, 0.8);

		assert_true(small > 0 && (before == 0 || small < before));
		ref_near("back", equivalence_power(small, 1, df, 1e-4, 2), 0.8, 1e-9);
		ref_near("near alpha",
			equivalence_power(
				equivalence_detectable(1, df, 0.05, 2, 0.06), 1, df, 0.05, 2),
			0.06, 1e-9);
		before = small;
	}
	assert_true(isnan(equivalence_power(1, 1, 5, 0.05, 3)));
	assert_true(isnan(equivalence_detectable(1, 5, 0.05, 2, 0.01)));
	assert_true(isnan(equivalence_detectable(NAN, 5, 0.05, 2, 0.8)));
}

TESTS_BEGIN(gsl_set_error_handler_off());
