/* The moderated t test: limma's answers for a planted set and for odd ones
 * (tests/ref/make_compare.R), and the properties of the split that follow from its definition. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf_psi.h>
#include "stats/moderated/moderated.h"
#include "stats/multiple.h"
#include "stats/moderated/prior.h"
#include "stats/moderated/hidden_outliers.h"
#include "stats/student.h"
#include "tests/unit/test.h"

#define NESTED "tests/data/stats/nested/"

enum { OPS = 120, RUNS = 10, ROOM = OPS * RUNS };
enum { LOG_RATIO = 1, P_MODERATED = 8, T_MODERATED = 6, DF_TOTAL = 7, Q_MODERATED = 9 };

static const struct moderated_options plain = {.confidence = 0.95, .plain = true};
static const struct moderated_options usual = {.confidence = 0.95};

/* The first `runs` runs of each side of the planted set. */
static void read_nested(size_t runs, double *value)
{
	for (size_t op = 0; op < OPS; op++) {
		double all[RUNS];
		char name[16];

		snprintf(name, sizeof(name), "op%03zu", op + 1);
		assert_int_equal(ref_row(NESTED "run_logs.csv", name, all, RUNS), RUNS);
		for (size_t r = 0; r < 2 * runs; r++)
			value[op * 2 * runs + r] = all[r < runs ? r : 5 + r - runs];
	}
}

static void check_nested(size_t runs, const char *expected, double s2, double d0)
{
	double value[ROOM], p[OPS], q[OPS], want[16];
	const struct moderated_data data = {value, OPS, runs, runs};
	struct moderated_op op[OPS];
	struct moderated all;
	size_t found = 0, wrong = 0;

	read_nested(runs, value);
	moderated_test(&data, &plain, op, &all);
	assert_int_equal(all.family, OPS);
	assert_false(all.split);
	ref_near("s2_prior", all.s2_prior, s2, 1e-8);
	ref_near("df_prior", all.df_prior, d0, 1e-8);
	for (size_t i = 0; i < OPS; i++)
		p[i] = op[i].p;
	multiple_adjust(MULTIPLE_BH, p, OPS, q);
	for (size_t i = 0; i < OPS; i++) {
		char name[16];

		snprintf(name, sizeof(name), "op%03zu", i + 1);
		assert_int_equal(ref_row(expected, name, want, 16), 14);
		ref_near(name, op[i].diff, want[LOG_RATIO], 1e-8);
		ref_near(name, op[i].t, want[T_MODERATED], 1e-8);
		ref_near(name, op[i].df, want[DF_TOTAL], 1e-8);
		ref_near(name, op[i].p, want[P_MODERATED], 1e-8);
		ref_near(name, q[i], want[Q_MODERATED], 1e-8);
		found += q[i] < 0.05 && want[0] != 0;
		wrong += q[i] < 0.05 && want[0] == 0;
	}
	assert_int_equal(found, runs == 3 ? 10 : 11);
	assert_int_equal(wrong, runs == 3 ? 1 : 0);
}

TEST(limma_on_the_planted_set)
{
	check_nested(3, NESTED "expected_ops_3runs.csv", 0.000276034962754450, 6.44106029023983);
	check_nested(5, NESTED "expected_ops_5runs.csv", 0.000272154409959184, 7.05735157508675);
}

/* Case NAME of make_compare.R: the header line has ops, runs a side, d0 and the first prior. */
static void check_case(const char *name, const double *covariate)
{
	static double value[OPS * RUNS];
	double head[5], want[8];
	struct moderated_options opt = plain;
	struct moderated_data data = {.value = value};
	struct moderated_op op[OPS];
	struct moderated all;
	char row[64];

	snprintf(row, sizeof(row), "mod.%s", name);
	assert_int_equal(ref_row(REF_COMPARE, row, head, 5), 5);
	data.ops = (size_t)head[0];
	data.runs_base = (size_t)head[1];
	data.runs_new = (size_t)head[2];
	for (size_t i = 0; i < data.ops; i++) {
		snprintf(row, sizeof(row), "mod.%s.%zu", name, i + 1);
		ref_row(REF_COMPARE_SERIES, row, value + i * (data.runs_base + data.runs_new),
			RUNS);
	}
	opt.covariate = covariate;
	opt.covariates = covariate != NULL;
	moderated_test(&data, &opt, op, &all);
	ref_near(name, all.df_prior, head[3], 1e-8);
	ref_near(name, op[0].s2_prior, head[4], 1e-8);
	for (size_t i = 0; i < data.ops; i++) {
		snprintf(row, sizeof(row), "mod.%s.%zu", name, i + 1);
		assert_int_equal(ref_row(REF_COMPARE, row, want, 8), 6);
		ref_near(row, op[i].diff, want[0], 1e-9);
		ref_near(row, op[i].t, want[1], 1e-8);
		ref_near(row, op[i].df, want[2], 1e-8);
		ref_near(row, op[i].p, want[3], 1e-8);
		ref_near(row, op[i].s2_posterior, want[4], 1e-8);
		ref_near(row, op[i].s2_prior, want[5], 1e-8);
	}
}

TEST(limma_on_odd_sets)
{
	double half[40];

	for (size_t i = 0; i < 40; i++)
		half[i] = i >= 20;
	check_case("unequal", NULL);
	check_case("two", NULL);
	check_case("missing", NULL);
	check_case("tiny", NULL);
	check_case("alone", NULL);
	check_case("trend", half);
}

/* lmFit of the differences with an intercept, eBayes. */
TEST(limma_on_rounds)
{
	check_case("rounds3", NULL);
	check_case("roundsmissing", NULL);
}

/* Below the smallest family with a prior each op has its own t: R, t.test. */
TEST(small_families_have_no_prior)
{
	static const double value[] = {0.1, 0.3, 0.2, NAN, 0.5, 0.6, 0.4, 0.5};
	static const double want[][3] = {{0.2, 3.46410161513775, 0.0741799002274485},
		{0.5, 12.2474487139159, 0.00117221644471689}};
	const struct moderated_data data = {value, 2, 0, 4};
	struct moderated_options opt = usual;
	struct moderated_op op[2];
	struct moderated all;

	opt.prior_least = 3;
	moderated_test(&data, &opt, op, &all);
	assert_true(all.rounds && all.family == 2 && all.prior_ops == 0);
	for (size_t i = 0; i < 2; i++) {
		ref_near("diff", op[i].diff, want[i][0], 1e-12);
		ref_near("t", op[i].t, want[i][1], 1e-12);
		ref_near("df", op[i].df, i == 0 ? 2 : 3, 1e-12);
		ref_near("p", op[i].p, want[i][2], 1e-12);
	}
	opt.prior_least = 2;
	moderated_test(&data, &opt, op, &all);
	assert_int_equal(all.prior_ops, 2);
}

/* V <= 0: the prior alone counts, and the degrees of freedom are those of all residuals
 * together. */
TEST(variances_alike_are_one_variance)
{
	check_case("infinite", NULL);
	check_case("capped", NULL);
}

TEST(trigamma_has_an_inverse)
{
	static const double x[] = {1e-5, 0.01, 0.5, 1, 3.3, 40, 1e4, 2e6};

	for (size_t i = 0; i < sizeof(x) / sizeof(x[0]); i++)
		ref_near("inverse", prior_trigamma_inverse(gsl_sf_psi_1(x[i])), x[i], 5e-7);
	ref_near("trigamma(1)", prior_trigamma_inverse(M_PI * M_PI / 6), 1, 1e-13);
	assert_true(isnan(prior_trigamma_inverse(0)));
	assert_true(isnan(prior_trigamma_inverse(-1)));
}

/* `ops` unchanged ops with an own sd of `own` and a run effect that all share. */
static void simulate(
	gsl_rng *rng, size_t ops, size_t runs, double own, double shared, double *value)
{
	for (size_t r = 0; r < 2 * runs; r++) {
		const double effect = gsl_ran_gaussian(rng, shared);

		for (size_t op = 0; op < ops; op++)
			value[op * 2 * runs + r] = (double)op + effect + gsl_ran_gaussian(rng, own);
	}
}

/* Degrees of freedom from the moments: an inverse chi-squared of scale s and n degrees of freedom
 * has mean n s/(n - 2) and variance 2 mean^2/(n - 4); those of the sum with a known part, and the
 * relative variance of a scaled chi-squared, 2/n, for the part that is not known. */
static double sum_df(double own, double own_df, double shared, double shared_df)
{
	const double mean = own * own_df / (own_df - 2);
	const double variance = 2 * mean * mean / (own_df - 4);
	const double known = 4 + 2 * (mean + shared) * (mean + shared) / variance;
	const double part = shared / (mean + shared), estimated = 2 / shared_df * part * part;

	return 2 / (2 / known + estimated);
}

/* The definition, written down once more for a set of eleven ops, in which the median of every run
 * is easy to find: deviations of -5..5 units times the run, plus an effect per run. */
TEST(the_split_by_hand)
{
	static const double effect[] = {3, -1, -2, 1, 1, -2}, spread[] = {1, -2, 1, 2, -1, -1};
	double value[11 * 6], found[6];
	const struct moderated_data data = {value, 11, 3, 3};
	const double shared = (9 + 1 + 4 + 1 + 1 + 4) / 4.0; /* effects add up to 0 on each side */
	struct moderated_op op[11];
	struct moderated all;

	for (size_t o = 0; o < 11; o++)
		for (size_t r = 0; r < 6; r++)
			value[o * 6 + r] = 100 * (double)o + (r < 3 ? 0 : 7) + effect[r] +
					   ((double)o - 5) * spread[r] / 10;
	moderated_run_effects(&data, found);
	for (size_t r = 0; r < 6; r++)
		ref_near("effect", found[r], effect[r], 1e-12);
	moderated_test(&data, &usual, op, &all);
	assert_true(all.split);
	ref_near("shared", all.shared_s2, shared, 1e-12);
	ref_near("shared df", all.shared_df, 4, 0);
	for (size_t o = 0; o < 11; o++) {
		const double own = ((double)o - 5) * ((double)o - 5) * 12 / 100 / 4;
		const double post = (all.df_prior * all.s2_prior + 4 * own) / (all.df_prior + 4);
		const double total = post + shared;
		const double df = sum_df(all.s2_prior, fmin(all.df_prior + 4, 44), shared, 4);

		ref_near("difference", op[o].diff, 7, 1e-12);
		assert_true(fabs(op[o].s2 - own) < 1e-12);
		ref_near("posterior", op[o].s2_posterior, post, 1e-9);
		ref_near("se", op[o].se, sqrt(total * 2 / 3), 1e-9);
		ref_near("df", op[o].df, df, 1e-9);
		ref_near("p", op[o].p, student_two_sided(7 / sqrt(total * 2 / 3), df), 1e-9);
		ref_near("half", op[o].high - 7, student_quantile(0.025, df) * op[o].se, 1e-9);
	}
	/* The op in the middle has no variance of its own left: it stays out of the prior only. */
	assert_int_equal(all.family, 11);
	assert_int_equal(all.prior_ops, 10);
}

/* Two groups of eleven ops, the median op of each without deviations of its own: the second moves
 * as the first or by itself. Its ops follow those of the first, or are between them. */
TEST(groups_have_run_effects_of_their_own)
{
	static const double effect[2][6] = {{3, -1, -2, 1, 1, -2}, {-30, 10, 20, 10, -20, 10}};
	static const double spread[] = {1, -2, 1, 2, -1, -1};
	const double shared[2] = {20 / 4.0, 2000 / 4.0};
	double value[22 * 6];
	size_t group[22];
	const struct moderated_data data = {value, 22, 3, 3};
	struct moderated_options opt = usual;
	struct moderated_op op[22];
	struct moderated all;

	opt.group = group;
	for (int world = 0; world < 4; world++) {
		const int apart = world % 2;

		for (size_t o = 0; o < 22; o++) {
			const size_t nth = world < 2 ? o % 11 : o / 2;
			const bool second = world < 2 ? o >= 11 : o % 2;

			group[o] = second ? 0 : 4; /* any numbers below 22 */
			for (size_t r = 0; r < 6; r++)
				value[o * 6 + r] = 100 * (double)o + effect[apart && second][r] +
						   ((double)nth - 5) * spread[r] / 10;
		}
		moderated_test(&data, &opt, op, &all);
		assert_true(all.split);
		assert_int_equal(all.groups, apart ? 2 : 0);
		for (size_t o = 0; o < 22; o++)
			ref_near("shared", op[o].shared_s2, shared[apart && group[o] == 0], 1e-12);
		ref_near("mean", all.shared_s2, apart ? (shared[0] + shared[1]) / 2 : shared[0],
			1e-12);
	}
}

/* Ten quiet runs against three noisy ones, nothing changed. */
TEST(sides_may_differ_in_spread)
{
	enum { SPREAD_OPS = 100, REPEATS = 200 };
	static double value[SPREAD_OPS * 13];
	const struct moderated_data data = {value, SPREAD_OPS, 10, 3};
	struct moderated_options equal = usual, ratio = usual;
	struct moderated_op op[SPREAD_OPS];
	struct moderated all;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double p[SPREAD_OPS], q[SPREAD_OPS];
	size_t claims[2] = {0, 0};

	ratio.ratio = true;
	for (int i = 0; i < REPEATS; i++) {
		for (size_t v = 0; v < SPREAD_OPS * 13; v++)
			value[v] = gsl_ran_gaussian(rng, v % 13 < 10 ? 0.01 : 0.04);
		for (int with = 0; with < 2; with++) {
			double least = 1;

			moderated_test(&data, with ? &ratio : &equal, op, &all);
			for (size_t o = 0; o < SPREAD_OPS; o++)
				p[o] = op[o].p;
			multiple_adjust(MULTIPLE_BH, p, SPREAD_OPS, q);
			for (size_t o = 0; o < SPREAD_OPS; o++)
				least = fmin(least, q[o]);
			claims[with] += least < 0.05;
		}
		assert_true(all.ratio > 8 && all.ratio < 32);
	}
	assert_true(claims[0] > 190);
	assert_true(claims[1] <= 20); /* 5 % are 10; P(> 20) < 0.002 */
	gsl_rng_free(rng);
}

/* 16 of 40 ops move together, and nobody says which: expected values are those of a program in
 * Python that follows the definitions pair by pair of ops. */
TEST(hidden_groups_are_noticed)
{
	enum { SOME = 40, SIDE_RUNS = 3, MOVED = 16 };
	static const double together[2 * SIDE_RUNS] = {0.02, -0.03, 0.01, 0.03, -0.01, -0.02};
	double value[SOME * 2 * SIDE_RUNS];
	const struct moderated_data data = {value, SOME, SIDE_RUNS, SIDE_RUNS};
	struct moderated_options opt = usual;
	struct moderated_op op[SOME];
	struct moderated all;

	opt.ratio = true;
	for (size_t o = 0; o < SOME; o++)
		for (size_t r = 0; r < 2 * SIDE_RUNS; r++) {
			const double of_op = (double)o, of_run = (double)r + 1;

			value[o * 2 * SIDE_RUNS + r] =
				5 + 0.1 * of_op +
				0.01 * sin(12.9898 * (of_op + 1) + 78.233 * of_run * (of_op + 3)) +
				(o < MOVED ? together[r] : 0);
		}
	moderated_test(&data, &opt, op, &all);
	ref_near("log ratio", log(all.ratio_found), 0.08191619879911338, 1e-9);
	ref_near("its error", all.ratio_log_se, 0.8677010258179964, 1e-9);
	opt.ratio = false;
	moderated_test(&data, &opt, op, &all);
	ref_near("shared", all.shared_s2, 5.199142348662556e-05, 1e-9);
	ref_near("first", op[0].shared_s2, 0.00026540558953791715, 1e-9);
	ref_near("last moved", op[15].shared_s2, 0.0002346687900985393, 1e-9);
	ref_near("another", op[16].shared_s2, 0, 1e-9);
	ref_near("the last", op[39].shared_s2, 0, 1e-9);
}

/* Half of the ops move together, which nobody says: looked for in 30 ops, not in 29. */
TEST(thirty_ops_show_hidden_groups)
{
	enum { SIDE_RUNS = 3 };
	static const double together[2 * SIDE_RUNS] = {0.02, -0.03, 0.01, 0.03, -0.01, -0.02};
	double value[30 * 2 * SIDE_RUNS];
	struct moderated_op op[30];
	struct moderated all;

	for (size_t o = 0; o < 30; o++)
		for (size_t r = 0; r < 2 * SIDE_RUNS; r++)
			value[o * 2 * SIDE_RUNS + r] =
				5 + 0.1 * (double)o +
				0.005 * sin(12.9898 * ((double)o + 1) +
						78.233 * ((double)r + 1) * ((double)o + 3)) +
				(o < 12 ? together[r] : 0);
	for (size_t ops = 29; ops <= 30; ops++) {
		bool alike = true;

		moderated_test(&(struct moderated_data){value, ops, SIDE_RUNS, SIDE_RUNS}, &usual,
			op, &all);
		for (size_t o = 1; o < ops; o++)
			alike &= op[o].shared_s2 == op[0].shared_s2;
		assert_int_equal(alike, ops == 29);
	}
}

TEST(few_ops_are_not_split)
{
	double value[10 * 6];
	struct moderated_data data = {value, 9, 3, 3};
	struct moderated_op op[10], same[10];
	struct moderated all;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	simulate(rng, 10, 3, 1, 1, value);
	moderated_test(&data, &usual, op, &all);
	assert_false(all.split);
	moderated_test(&data, &plain, same, &all);
	for (size_t i = 0; i < data.ops; i++)
		ref_near("p", op[i].p, same[i].p, 0);
	data.ops++;
	moderated_test(&data, &usual, op, &all);
	assert_true(all.split);
	gsl_rng_free(rng);
}

/* Four constant ops in twenty would pull d0 down for all others. */
TEST(constant_ops_stay_out)
{
	double value[20 * 6], without[20 * 6], floor[20] = {0};
	const struct moderated_data data = {value, 20, 3, 3}, rest = {without, 16, 3, 3};
	struct moderated_options opt = plain;
	struct moderated_op op[20], alone[16];
	struct moderated all, fewer;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	simulate(rng, 20, 3, 0.02, 0, value);
	memcpy(without, value, sizeof(without));
	for (size_t i = 16; i < 20; i++)
		for (size_t r = 0; r < 6; r++)
			value[i * 6 + r] = r < 3 ? 1 : 1.5;
	moderated_test(&rest, &opt, alone, &fewer);
	moderated_test(&data, &opt, op, &all);
	assert_int_equal(all.family, 16);
	ref_near("d0", all.df_prior, fewer.df_prior, 0);
	for (size_t i = 0; i < 16; i++)
		ref_near("p", op[i].p, alone[i].p, 0);
	assert_int_equal(op[16].state, MODERATED_CONSTANT);
	assert_true(isnan(op[16].p) && isnan(op[16].low) && op[16].diff == 0.5);
	floor[16] = 1e-4;
	opt.floor = floor;
	moderated_test(&data, &opt, op, &all);
	assert_int_equal(all.family, 16);
	assert_int_equal(op[16].state, MODERATED_FLOOR);
	assert_int_equal(op[17].state, MODERATED_CONSTANT);
	ref_near("t", op[16].t, 0.5 / (0.01 * sqrt(2.0 / 3)), 1e-13);
	ref_near("df", op[16].df, 4, 0);
	gsl_rng_free(rng);
}

TEST(too_few_runs_are_no_members)
{
	double value[3 * 4] = {1, 2, 3, 4, 1, NAN, 3, 5, NAN, NAN, 3, 4};
	struct moderated_data data = {value, 3, 2, 2};
	struct moderated_op op[4];
	struct moderated all;

	moderated_test(&data, &usual, op, &all);
	assert_int_equal(all.family, 1);
	assert_int_equal(op[0].state, MODERATED_FAMILY);
	assert_int_equal(op[1].state, MODERATED_FEW_RUNS);
	assert_true(op[1].diff == 3 && isnan(op[1].p));
	assert_true(isnan(op[2].diff) && op[2].runs_base == 0 && op[2].runs_new == 2);
	data.runs_base = data.runs_new = 1;
	moderated_test(&data, &usual, op, &all);
	assert_int_equal(all.family, 0);
	assert_true(isnan(all.df_prior) && isnan(all.s2_prior));
	data.ops = 0;
	moderated_test(&data, &usual, op, &all);
	assert_int_equal(all.family, 0);
}

/* With nothing of their own the ops are one op, and with nothing shared the test is limma's. */
TEST(one_part_has_its_own_degrees_of_freedom)
{
	static double value[60 * 6];
	const struct moderated_data data = {value, 60, 3, 3};
	struct moderated_op op[60], same[60];
	struct moderated all;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	simulate(rng, 60, 3, 1e-7, 1, value);
	moderated_test(&data, &usual, op, &all);
	for (size_t i = 0; i < 60; i++)
		ref_near("shared alone", op[i].df, 4, 1e-6);
	/* Effects of 0 in every run: op i + 30 is the mirror image of op i. */
	simulate(rng, 30, 3, 1, 0, value);
	for (size_t i = 0; i < 30 * 6; i++)
		value[30 * 6 + i] = -value[i];
	moderated_test(&data, &usual, op, &all);
	assert_true(all.split && all.shared_s2 < 1e-25);
	moderated_test(&data, &plain, same, &all);
	for (size_t i = 0; i < 60; i++) {
		ref_near("own alone", op[i].df, same[i].df, 1e-9);
		ref_near("p", op[i].p, same[i].p, 1e-9);
	}
	gsl_rng_free(rng);
}

/* The same as with the means as covariates, from 50 on. */
TEST(the_prior_follows_the_mean)
{
	static double value[50 * 6], mean[50];
	struct moderated_data data = {value, 50, 3, 3};
	struct moderated_options by_mean = usual, by_covariate = usual;
	struct moderated_op op[50], same[50];
	struct moderated all, other;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	by_mean.by_mean = true;
	simulate(rng, 50, 3, 1, 0.5, value);
	value[7 * 6 + 4] = NAN;
	for (size_t i = 0; i < 50; i++) {
		for (size_t r = 0; r < 6; r++)
			mean[i] += isnan(value[i * 6 + r]) ? 0 : value[i * 6 + r];
		mean[i] /= i == 7 ? 5 : 6;
	}
	by_covariate.covariate = mean;
	by_covariate.covariates = 1;
	moderated_test(&data, &by_mean, op, &all);
	moderated_test(&data, &by_covariate, same, &other);
	assert_true(all.by_mean && isnan(all.s2_prior) && !other.by_mean);
	ref_near("d0", all.df_prior, other.df_prior, 1e-12);
	for (size_t i = 0; i < 50; i++)
		ref_near("p", op[i].p, same[i].p, 1e-12);
	assert_true(op[0].s2_prior != op[1].s2_prior);
	data.ops--;
	moderated_test(&data, &by_mean, op, &all);
	assert_true(!all.by_mean && op[0].s2_prior == op[1].s2_prior);
	gsl_rng_free(rng);
}

/* In how many of `repeats` comparisons of 200 unchanged ops something is claimed. */
static size_t false_claims(gsl_rng *rng, const struct moderated_options *opt, double own,
	double shared, size_t repeats)
{
	enum { SIM_OPS = 200 };
	static double value[SIM_OPS * 6];
	static struct moderated_op op[SIM_OPS];
	const struct moderated_data data = {value, SIM_OPS, 3, 3};
	double p[SIM_OPS], q[SIM_OPS];
	size_t claims = 0;

	for (size_t i = 0; i < repeats; i++) {
		struct moderated all;
		bool claim = false;

		simulate(rng, SIM_OPS, 3, own, shared, value);
		moderated_test(&data, opt, op, &all);
		for (size_t o = 0; o < SIM_OPS; o++)
			p[o] = op[o].p;
		multiple_adjust(MULTIPLE_BH, p, SIM_OPS, q);
		for (size_t o = 0; o < SIM_OPS; o++)
			claim = claim || q[o] < 0.05;
		claims += claim;
	}
	return claims;
}

/* Runs that differ as wholes: limma claims changes, the split does not. Full tables are made by
 * tests/sim/simulate.c. */
TEST(shared_run_effects_are_no_changes)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	const size_t large = false_claims(rng, &usual, 0.01, 0.03, 400);

	assert_true(large <= 34); /* 5 % of 400 are 20; P(> 34) < 0.001 */
	assert_true(false_claims(rng, &plain, 0.01, 0.03, 400) > large + 10);
	assert_true(false_claims(rng, &usual, 0.02, 0.01, 400) <= 34);
	gsl_rng_free(rng);
}

/* The densities from their definitions (Johnson, Kotz & Balakrishnan), not from a library. */
static double chisq_density(double x, double nu)
{
	return exp((nu / 2 - 1) * log(x) - x / 2 - nu / 2 * log(2) - lgamma(nu / 2));
}

static double f_density(double x, double a, double b)
{
	return exp(lgamma((a + b) / 2) - lgamma(a / 2) - lgamma(b / 2) + a / 2 * log(a / b) +
		   (a / 2 - 1) * log(x) - (a + b) / 2 * log1p(a / b * x));
}

enum { MIXED_OPS = 200, MIXED_NOISY = 20, MIXED_RUNS = 3 };
#define CHISQ_4_MEDIAN 3.3566939800333224 /* R: qchisq(0.5, 4) */

static double median_of(double *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && x[k - 1] > x[k]; k--) {
			const double swap = x[k];

			x[k] = x[k - 1];
			x[k - 1] = swap;
		}
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* A tenth of the ops is noisy: a usual variance may be that of one of them. */
TEST(hidden_outliers_of_a_noisy_minority)
{
	const struct moderated_options opt = {
		.confidence = 0.95, .robust = true, .hidden_outliers = true};
	static double value[MIXED_OPS * 2 * MIXED_RUNS];
	static struct moderated_op out[MIXED_OPS];
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double outlier[MIXED_OPS], ratio, part;
	struct moderated summary;
	size_t outliers = 0, seen = 0;

	for (size_t i = 0; i < MIXED_OPS * 2 * MIXED_RUNS; i++)
		value[i] = gsl_ran_gaussian(rng, i < MIXED_NOISY * 2 * MIXED_RUNS ? 6 : 1);
	moderated_test(&(struct moderated_data){value, MIXED_OPS, MIXED_RUNS, MIXED_RUNS}, &opt,
		out, &summary);
	assert_true(summary.robust);
	for (size_t o = 0; o < MIXED_OPS; o++)
		if (out[o].s2 > out[o].s2_prior &&
			!(out[o].df_prior > summary.df_prior / 2 || isinf(out[o].df_prior)))
			outlier[outliers++] = out[o].s2 / out[o].s2_prior * 4 / CHISQ_4_MEDIAN;
	assert_in_range(outliers, MIXED_NOISY - 6, MIXED_NOISY + 2);
	ratio = median_of(outlier, outliers);
	part = (double)outliers / MIXED_OPS;
	for (size_t o = 0; o < MIXED_OPS; o++) {
		const double x = out[o].s2 / out[o].s2_prior;
		const double noisy = part * 4 / ratio * chisq_density(x * 4 / ratio, 4);
		const double usual_part =
			(1 - part) * (isinf(summary.df_prior) ? 4 * chisq_density(4 * x, 4)
							      : f_density(x, 4, summary.df_prior));

		if (out[o].hidden_outlier == 0)
			continue;
		seen++;
		ref_near("hidden_outlier", out[o].hidden_outlier, noisy / (noisy + usual_part),
			1e-9);
		ref_near("its standard error", out[o].hidden_outlier_se / out[o].se,
			sqrt((ratio * out[o].s2_prior + out[o].shared_s2) /
				(out[o].s2_posterior + out[o].shared_s2)),
			1e-12);
	}
	assert_int_equal(seen, MIXED_OPS - outliers);
	gsl_rng_free(rng);
}

/* Ops follow the prior above half of its degrees of freedom; of fewer than three that do not the
 * kind is not known. */
TEST(three_ops_without_the_prior_are_a_kind)
{
	static const struct {
		size_t wild;
		double df;
		bool kind;
	} world[] = {{3, 4.9, true}, {3, 4, true}, {3, 5.1, false}, {2, 4, false}};

	for (size_t i = 0; i < sizeof(world) / sizeof(*world); i++) {
		struct moderated_op op[10];

		for (size_t o = 0; o < 10; o++)
			op[o] = (struct moderated_op){.state = MODERATED_FAMILY,
				.s2 = o < world[i].wild ? 9 : 1,
				.s2_prior = 1,
				.s2_posterior = 1,
				.nu = 4,
				.se = 1,
				.df_prior = o < world[i].wild ? world[i].df : 10};
		hidden_outliers_find(op, 10, 10);
		assert_true(op[0].hidden_outlier == 0);
		assert_int_equal(op[9].hidden_outlier > 0, world[i].kind);
	}
}

/* One op of 30 is far too noisy for the others; of 29 none is told apart. */
TEST(thirty_ops_have_a_robust_prior)
{
	const struct moderated_options opt = {.confidence = 0.95, .robust = true};
	double value[30 * 6];
	struct moderated_op op[30];
	struct moderated all;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	for (size_t i = 0; i < 30 * 6; i++)
		value[i] = gsl_ran_gaussian(rng, i < 6 ? 100 : 1);
	for (size_t ops = 29; ops <= 30; ops++) {
		moderated_test(&(struct moderated_data){value, ops, 3, 3}, &opt, op, &all);
		assert_int_equal(all.robust, ops == 30);
	}
	gsl_rng_free(rng);
}

/* The prior of 40 ops, of which 3 are far noisier: tails of 5 and 10 %, outliers from 3 errors on,
 * and half an error and 4/40 of one of caution. */
TEST(the_prior_is_robust_and_cautious)
{
	enum { SOME = 40 };
	const struct moderated_options opt = {.confidence = 0.95, .robust = true, .cautious = true};
	double value[SOME * 8], s2[SOME], nu[SOME], expected[SOME], df[SOME];
	struct moderated_op op[SOME];
	struct moderated all;
	struct prior prior;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	for (size_t o = 0; o < SOME; o++) {
		const double sd = o < 3 ? 60 : exp(0.5 * gsl_ran_ugaussian(rng));

		for (size_t r = 0; r < 8; r++)
			value[o * 8 + r] = gsl_ran_gaussian(rng, sd);
	}
	moderated_test(&(struct moderated_data){value, SOME, 4, 4}, &opt, op, &all);
	assert_true(all.robust && isfinite(all.df_prior));
	for (size_t o = 0; o < SOME; o++) {
		s2[o] = op[o].s2;
		nu[o] = op[o].nu;
	}
	prior_fit(&(struct prior_data){.s2 = s2,
			  .nu = nu,
			  .n = SOME,
			  .optional = 1,
			  .caution = 0.5 + 4 / 40.0,
			  .keep_location = true,
			  .tails = {0.05, 0.1},
			  .evidence = 3},
		&prior, expected, df);
	ref_near("s2_prior", all.s2_prior, prior.s2, 1e-12);
	ref_near("df_prior", all.df_prior, prior.df, 1e-12);
	for (size_t o = 0; o < SOME; o++)
		ref_near("df", op[o].df_prior, df[o], 1e-12);
	gsl_rng_free(rng);
}

TEST(p_is_raised_for_a_hidden_outlier)
{
	assert_true(moderated_allow_hidden_outlier(0.25, 0.5, 0.75) == 0.5);
	assert_true(moderated_allow_hidden_outlier(0.25, 0, 0.75) == 0.25);
	assert_true(moderated_allow_hidden_outlier(0.25, 1, 0.75) == 0.75);
	assert_true(moderated_allow_hidden_outlier(0.25, 0.5, 0.125) == 0.25); /* never lowered */
	assert_true(moderated_allow_hidden_outlier(0.25, 0.5, NAN) == 0.25);
	assert_true(isnan(moderated_allow_hidden_outlier(NAN, 0.5, 0.75)));
}

TESTS_BEGIN(gsl_set_error_handler_off());
