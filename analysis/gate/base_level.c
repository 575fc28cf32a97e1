/*
 * Means of sessions of all rows and of the step, as arrays for stats.
 */
#include "analysis/gate/base_level.h"

#include <math.h>
#include "base/memory.h"
#include "stats/change_points.h"
#include "stats/modes.h"
#include "stats/sample.h"
#include "stats/sessions.h"

/* Means of the sessions of a row; NaN: none. */
static void means_of_row(
	const struct run_row *row, const struct compare_sessions *of, size_t *count, double *mean)
{
	for (size_t s = 0; s < of->base_count; s++)
		mean[s] = 0, count[s] = 0;
	for (size_t r = 0; r < row->runs && row->run; r++) {
		mean[of->base[r]] += row->run[r].scaled;
		count[of->base[r]]++;
	}
	for (size_t s = 0; s < of->base_count; s++)
		mean[s] /= (double)count[s]; /* 0/0 is NaN */
}

/* Rows one after the other, the step first. */
static double *means_of_rows(const struct run_table *base, const struct compare_sessions *sessions,
	struct arena *scratch)
{
	const size_t n = sessions->base_count;
	double *mean = arena_array(scratch, memory_product(base->count + 1, n), sizeof(*mean));
	size_t *count = arena_array(scratch, n, sizeof(*count));

	for (size_t i = 0; i <= base->count; i++)
		means_of_row(i ? &base->row[i - 1] : &base->total, sessions, count, &mean[i * n]);
	return mean;
}

/* How much a row changes from the sessions below `at` to those from it on, or from all others to
 * it. */
static double change_at(const double *mean, size_t n, size_t at, bool alone)
{
	double part[2] = {0, 0};
	size_t values[2] = {0, 0};

	for (size_t s = 0; s < n; s++)
		if (!isnan(mean[s])) {
			part[alone ? s == at : s >= at] += mean[s];
			values[alone ? s == at : s >= at]++;
		}
	return expm1(part[1] / (double)values[1] - part[0] / (double)values[0]);
}

/* The values that are known; returns how many. */
static size_t known_of(const double *mean, size_t n, double *known)
{
	size_t count = 0;

	for (size_t s = 0; s < n; s++)
		if (!isnan(mean[s]))
			known[count++] = mean[s];
	return count;
}

#define DRIFT_ALPHA 0.05 /* that of stepstat history */
#define DRIFT_ORDERS 999

/* Whether a row has no step but a line, as stepstat history says it; *change is then that of the
 * line. */
static bool drifts(const double *mean, size_t n, double *change, struct arena *scratch)
{
	const struct change_point_options opt = {DRIFT_ALPHA, DRIFT_ORDERS};
	double *known = arena_array(scratch, n, sizeof(*known));
	struct change_points points;

	change_points_find(known, known_of(mean, n, known), &opt, &points);
	memory_free(points.point);
	if (points.drifts)
		*change = expm1(points.drift);
	return points.drifts;
}

bool base_level_find(const struct compared_measure *measure,
	const struct compare_sessions *sessions, struct base_level *out)
{
	const struct run_table *base = &measure->base;
	const size_t n = sessions->base_count;
	struct arena *scratch = arena_new();
	const double *mean = means_of_rows(base, sessions, scratch);
	size_t row = 0;

	out->session = session_level(mean, base->count + 1, n, &row, NULL);
	out->row = row ? &base->row[row - 1] : NULL;
	out->change = change_at(&mean[row * n], n, out->session, false);
	out->drifts = out->session > 0 && drifts(&mean[row * n], n, &out->change, scratch);
	arena_free(scratch);
	return out->session > 0;
}

bool base_apart_find(const struct compared_measure *measure,
	const struct compare_sessions *sessions, struct base_apart *out)
{
	const struct run_table *base = &measure->base;
	const size_t n = sessions->base_count;
	struct arena *scratch = arena_new();
	const double *mean = means_of_rows(base, sessions, scratch);
	double least = SESSION_LEVEL_P;
	bool found = false;

	for (size_t i = 0; i <= base->count; i++) {
		double widens;
		size_t at;
		const double p =
			session_apart(&mean[i * n], n, &at, &widens) * (double)(base->count + 1);

		if (p > least)
			continue;
		least = p;
		found = true;
		*out = (struct base_apart){at, i ? &base->row[i - 1] : NULL,
			change_at(&mean[i * n], n, at, true), widens};
	}
	arena_free(scratch);
	return found;
}

bool base_groups_find(const struct compared_measure *measure,
	const struct compare_sessions *sessions, struct base_groups *out)
{
	const struct run_table *base = &measure->base;
	const size_t n = sessions->base_count;
	struct arena *scratch = arena_new();
	const double *mean = means_of_rows(base, sessions, scratch);
	double *known = arena_array(scratch, n, sizeof(*known)), most = 0;

	for (size_t i = 0; i <= base->count; i++) {
		const size_t count = known_of(&mean[i * n], n, known);
		struct modes modes;

		modes_find(known, count, 0, &modes);
		if (!modes.two || modes.separation <= most)
			continue;
		most = modes.separation;
		*out = (struct base_groups){i ? &base->row[i - 1] : NULL,
			expm1(modes.high - modes.low),
			(size_t)lrint(modes.share_high * (double)count), count};
	}
	arena_free(scratch);
	return most > 0;
}

double comparison_typical_sees(const struct comparison *comparison)
{
	struct arena *scratch = arena_new();
	double *sees = arena_array(scratch, comparison->count, sizeof(*sees)), median = NAN;
	size_t n = 0;

	for (size_t i = 0; i < comparison->count; i++)
		if (comparison->row[i].value[0].detectable_slower > 0)
			sees[n++] = comparison->row[i].value[0].detectable_slower;
	if (n)
		median = sample_quantile(sees, n, 0.5);
	arena_free(scratch);
	return median;
}
