/* Change points: series whose changes people marked (tests/data/stats/README.md), made ones whose
 * answer is known, and by simulation how often noise has one. More of that: tests/sim. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include "base/memory.h"
#include "stats/change_points.h"
#include "tests/unit/test.h"

#define SERIES "tests/data/stats/tcpd/series.csv"

enum { ROOM = 600, ANNOTATORS = 5, MARKS = 4 };

static const struct change_point_options usual = {0.05, 1999};

/* Points that each of five people marked, 0 ends a list (Van den Burg and Williams 2020). */
static const struct marked {
	const char *name;
	size_t mark[ANNOTATORS][MARKS + 1];
} marked[] = {
	{"quality_control_1", {{143}, {144}, {144}, {146}, {144}}},
	{"quality_control_2", {{0}, {98}, {99}, {97}, {97}}},
	{"quality_control_3", {{178}, {180}, {179}, {178}, {179}}},
	{"quality_control_5", {{0}, {0}, {0}, {0}, {0}}},
	{"nile", {{0}, {28}, {0}, {28}, {28}}},
};

static bool is_near(size_t a, size_t b)
{
	return a <= b + 5 && b <= a + 5;
}

static bool has_near(const size_t *list, size_t n, size_t at)
{
	for (size_t i = 0; i < n; i++)
		if (is_near(list[i], at))
			return true;
	return at == 0;
}

static size_t length(const size_t *list)
{
	size_t n = 0;

	while (list[n])
		n++;
	return n;
}

/* F1 of a list against those of all people but `except`: precision against what any of them
 * marked, recall as the mean over them; the start counts as a point of each list. */
static double f1(const struct marked *m, const size_t *list, size_t n, size_t except)
{
	double right = 1, recall = 0, precision, people = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t a = 0, found = 0; a < ANNOTATORS && !found; a++)
			if (a != except && has_near(m->mark[a], length(m->mark[a]), list[i]))
				right += (double)(found = 1);
	precision = right / (double)(n + 1);
	for (size_t a = 0; a < ANNOTATORS; a++) {
		double hits = 1;

		if (a == except)
			continue;
		for (size_t i = 0; i < length(m->mark[a]); i++)
			hits += has_near(list, n, m->mark[a][i]);
		recall += hits / (double)(length(m->mark[a]) + 1);
		people++;
	}
	recall /= people;
	return 2 * precision * recall / (precision + recall);
}

/* As people see it: F1 against all of them is not below that of any of them against the others. */
TEST(as_people_see_it)
{
	static const size_t known[] = {146, 97, 179, 0, 28};
	double ours = 0, best = 0;

	for (size_t i = 0; i < sizeof(marked) / sizeof(*marked); i++) {
		struct change_points points;
		double x[ROOM], most = 0;
		size_t list[ROOM];

		change_points_find(x, ref_row(SERIES, marked[i].name, x, ROOM), &usual, &points);
		assert_int_equal(points.count, known[i] > 0);
		for (size_t k = 0; k < points.count; k++) {
			list[k] = points.point[k].at;
			assert_true(list[k] <= known[i] + 3 && known[i] <= list[k] + 3);
		}
		for (size_t a = 0; a < ANNOTATORS; a++)
			most = fmax(most,
				f1(&marked[i], marked[i].mark[a], length(marked[i].mark[a]), a));
		ours += f1(&marked[i], list, points.count, ANNOTATORS);
		best += most;
		memory_free(points.point);
	}
	printf("# F1 %.3f, the best of each series against the other people %.3f\n", ours / 5,
		best / 5);
	assert_true(ours / 5 >= 0.9);
}

static size_t count_of(const double *x, size_t n, bool *drifts)
{
	struct change_points points;

	change_points_find(x, n, &usual, &points);
	*drifts = points.drifts;
	memory_free(points.point);
	return points.count;
}

TEST(made_series)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct change_points points;
	int false_points = 0;
	double x[ROOM];
	bool drifts;

	gsl_rng_set(rng, 4);
	/* Six values in two groups of three: 1 in 10 orders is so clean, so nothing is found. */
	for (size_t i = 0; i < 6; i++)
		x[i] = i < 3 ? 10 : 20;
	assert_int_equal(count_of(x, 6, &drifts), 0);
	change_points_find(x, 5, &usual, &points);
	assert_true(isnan(points.p) && points.count == 0);
	/* Twenty: 1 of 92 378. */
	for (size_t i = 0; i < 20; i++)
		x[i] = i < 10 ? 10 : 20;
	change_points_find(x, 20, &usual, &points);
	assert_true(points.count == 1 && points.point[0].at == 10 && points.direction > 0);
	ref_near("p", points.p, 1 / 2000.0, 1e-12);
	ref_near("change", points.point[0].change, 10, 1e-12);
	memory_free(points.point);
	/* All equal; one far value anywhere, in noise that has a point in 1 % of cases. */
	for (size_t i = 0; i < 40; i++)
		x[i] = 7;
	assert_int_equal(count_of(x, 40, &drifts), 0);
	for (size_t at = 0; at < 40; at++) {
		for (size_t i = 0; i < 40; i++)
			x[i] = 100 + gsl_ran_gaussian(rng, 1);
		x[at] += 50;
		false_points += count_of(x, 40, &drifts) > 0;
	}
	assert_true(false_points <= 2);
	/* A stretch: up and down again. */
	for (size_t i = 0; i < 100; i++)
		x[i] = 100 + gsl_ran_gaussian(rng, 1) + (i >= 40 && i < 55 ? 4 : 0);
	change_points_find(x, 100, &usual, &points);
	assert_int_equal(points.count, 2);
	assert_true(points.point[0].at >= 39 && points.point[0].at <= 41);
	assert_true(points.point[1].at >= 54 && points.point[1].at <= 56);
	assert_true(points.point[0].low < 4 && points.point[0].high > 4);
	assert_true(points.point[1].change < -3 && points.point[1].change > -5);
	memory_free(points.point);
	/* A straight line is no step. */
	for (size_t i = 0; i < 60; i++)
		x[i] = 100 + 0.2 * (double)i + gsl_ran_gaussian(rng, 1);
	assert_true(count_of(x, 60, &drifts) == 0 && drifts);
	/* Twelve commits of +1.2 % each, of which no split explains more than three quarters. */
	for (size_t i = 0; i < 12; i++)
		x[i] = 0.012 * (double)i + 0.001 * (double)(i * 7 % 5);
	change_points_find(x, 12, &usual, &points);
	assert_true(points.count == 0 && points.drifts);
	ref_near("drift", points.drift, 0.132, 0.05);
	memory_free(points.point);
	gsl_rng_free(rng);
}

/* Steps of 6 sd are mostly found when two values lie behind them; noise has points in at most 6 %
 * of series, also where neighbours resemble each other. */
TEST(noise_and_steps)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int noise = 0, memory = 0, late = 0;

	gsl_rng_set(rng, 5);
	for (int t = 0; t < 500; t++) {
		double x[ROOM], y = 0;
		bool drifts;

		for (size_t i = 0; i < 50; i++)
			x[i] = gsl_ran_gaussian(rng, 1);
		noise += count_of(x, 50, &drifts) || drifts;
		x[48] += 6;
		x[49] += 6;
		late += count_of(x, 50, &drifts) > 0;
		for (size_t i = 0; i < 70; i++) {
			y = 0.5 * y + gsl_ran_gaussian(rng, 1);
			x[i < 20 ? 0 : i - 20] = y;
		}
		memory += count_of(x, 50, &drifts) || drifts;
	}
	printf("# noise %d, that resembles its neighbours %d, steps found %d of 500\n", noise,
		memory, late);
	assert_true(noise <= 30 && memory <= 30 && late >= 450);
	gsl_rng_free(rng);
}

TESTS_BEGIN(gsl_set_error_handler_off());
