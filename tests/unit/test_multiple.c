/* Adjusted p values: R's p.adjust (tests/ref/make_compare.R), and the table of the paper. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include "stats/multiple.h"
#include "tests/unit/test.h"

#define BH1995 "tests/data/stats/textbook/bh1995.csv"

enum { ROOM = 512 };

static const struct {
	const char *name;
	enum multiple_method method;
} methods[] = {{"BH", MULTIPLE_BH}, {"BY", MULTIPLE_BY}, {"holm", MULTIPLE_HOLM}};
static const char *const sets[] = {"ties", "missing", "one", "alone", "many", "zeros"};

#define EACH(i, array) (size_t i = 0; i < sizeof(array) / sizeof((array)[0]); i++)

TEST(as_p_adjust)
{
	double p[ROOM], want[ROOM], q[ROOM];
	char name[64];

	for
		EACH(s, sets)
		{
			size_t n;

			snprintf(name, sizeof(name), "p.%s", sets[s]);
			n = ref_row(REF_COMPARE_SERIES, name, p, ROOM);
		for
			EACH(m, methods)
			{
				snprintf(name, sizeof(name), "%s.%s", methods[m].name, sets[s]);
				assert_int_equal(ref_row(REF_COMPARE, name, want, ROOM), n);
				multiple_adjust(methods[m].method, p, n, q);
				for (size_t i = 0; i < n; i++)
					ref_near(name, q[i], want[i], 1e-14);
			}
		}
}

TEST(the_table_of_1995)
{
	static const char *const rows[] = {"1e-04", "4e-04", "0.0019", "0.0095", "0.0201", "0.0278",
		"0.0298", "0.0344", "0.0459", "0.324", "0.4262", "0.5719", "0.6528", "0.759", "1"};
	double p[15], want[15][4], q[15];
	size_t rejected = 0, naive = 0;

	for
		EACH(i, rows)
		{
			assert_int_equal(ref_row(BH1995, rows[i], want[i], 4), 4);
			assert_true(number_parse_real(rows[i], strlen(rows[i]), &p[i]));
		}
	multiple_adjust(MULTIPLE_BH, p, 15, q);
	for
		EACH(i, q)
		{
			ref_near(rows[i], q[i], want[i][0], 1e-14);
			rejected += q[i] < 0.05;
			naive += p[i] < 0.05;
		}
	assert_int_equal(rejected, 4);
	assert_int_equal(naive, 9);
	multiple_adjust(MULTIPLE_HOLM, p, 15, q);
	for
		EACH(i, q)
	ref_near(rows[i], q[i], want[i][1], 1e-14);
	multiple_adjust(MULTIPLE_BY, p, 15, p);
	for
		EACH(i, p)
	ref_near(rows[i], p[i], want[i][2], 1e-14);
}

/* By hand. Up, one-sided: 0.005, 0.01, 0.015, 0.98, 0.75; times 5/rank: 0.025 for the first three,
 * twice that is 0.05. Down: 0.02, 0.25 (and three above 0.98): 0.1, twice that 0.2, and 0.625. */
TEST(each_direction_by_itself)
{
	static const double diff[] = {1, 2, 3, -1, NAN, -2};
	static const double p[] = {0.01, 0.02, 0.03, 0.04, NAN, 0.5};
	static const double want[] = {0.05, 0.05, 0.05, 0.2, NAN, 0.625};
	/* Ten of one direction: 0.06 / 2 times 10/10 is 0.03, twice that is q: but not below p. */
	double ten[10], up[10], q[10];

	multiple_adjust_directions(p, diff, 6, q);
	for
		EACH(i, p)
	ref_near("both", q[i], want[i], 1e-15);
	for
		EACH(i, ten)
		{
			up[i] = 1;
			ten[i] = i ? 0.06 : 1e-6;
		}
	multiple_adjust_directions(ten, up, 10, ten);
	ref_near("first", ten[0], 1e-5, 1e-12);
	ref_near("not below its p", ten[5], 0.06, 1e-15);
	multiple_adjust_directions(&p[3], &diff[3], 1, q);
	ref_near("alone it is the two-sided p", q[0], 0.04, 1e-15);
}

TEST(nothing_to_adjust)
{
	double none[2] = {NAN, NAN};

	multiple_adjust(MULTIPLE_BH, none, 0, none);
	multiple_adjust(MULTIPLE_BY, none, 2, none);
	assert_true(isnan(none[0]) && isnan(none[1]));
}

TEST(level_of_picked_intervals)
{
	ref_near("level", multiple_interval_level(0.05, 4, 15), 1 - 0.05 * 4 / 15, 1e-15);
	ref_near("all", multiple_interval_level(0.05, 15, 15), 0.95, 1e-15);
	assert_true(isnan(multiple_interval_level(0.05, 0, 15)));
	assert_true(isnan(multiple_interval_level(0.05, 16, 15)));
	assert_true(isnan(multiple_interval_level(0, 1, 15)));
}

TESTS_BEGIN(gsl_set_error_handler_off());
