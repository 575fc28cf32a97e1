/* Means of sessions of all rows and of the step, as arrays for stats. */
#include "analysis/gate/base_level.h"

#include <math.h>
#include "base/memory.h"
#include "stats/change_points.h"
#include "stats/levels.h"
#include "stats/sample.h"

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

const struct run_row *base_row(const struct compared_measure *measure, size_t row)
{
	return row ? &measure->base.row[row - 1] : NULL;
}

/* Whether stepstat history at this alpha says a step or a line of the row, and how much it changes:
 * along the line, or from the sessions below that of the level to those from it on. */
static void describe(
	const double *mean, size_t n, double alpha, struct base_level *level, struct arena *scratch)
{
	const struct change_point_options opt = {alpha, CHANGE_POINT_ORDERS};
	double *known = arena_array(scratch, n, sizeof(*known)), part[2] = {0, 0};
	struct change_points points;
	size_t count = 0, before = 0;

	for (size_t s = 0; s < n; s++)
		if (!isnan(mean[s])) {
			part[s >= level->session] += mean[s];
			before += s < level->session;
			known[count++] = mean[s];
		}
	change_points_find(known, count, &opt, &points);
	memory_free(points.point);
	level->drifts = points.drifts;
	level->steps = points.count > 0;
	level->change = expm1(
		points.drifts ? points.drift
			      : part[1] / (double)(count - before) - part[0] / (double)before);
}

bool base_level_find(const struct compared_measure *measure,
	const struct compare_sessions *sessions, double alpha, struct base_level *out)
{
	const size_t rows = measure->base.count + 1, n = sessions->base_count;
	struct arena *scratch = arena_new();
	const double *mean = means_of_rows(&measure->base, sessions, scratch);
	size_t row = 0;

	out->session = session_level(mean, rows, n, &row, NULL);
	out->row = base_row(measure, row);
	if (out->session)
		describe(&mean[row * n], n, alpha, out, scratch);
	arena_free(scratch);
	return out->session > 0;
}

void base_findings_make(const struct compared_measure *measure,
	const struct compare_sessions *sessions, struct session_findings *out)
{
	struct arena *scratch = arena_new();

	session_findings_make(means_of_rows(&measure->base, sessions, scratch),
		measure->base.count + 1, sessions->base_count, out);
	arena_free(scratch);
}

void base_sees(const struct comparison *comparison, double *seen, double *red)
{
	struct arena *scratch = arena_new();
	double *of_seen = arena_array(scratch, comparison->count + 1, sizeof(*of_seen));
	double *of_red = arena_array(scratch, comparison->count + 1, sizeof(*of_red));
	size_t tested = 0, n = 0;

	for (size_t i = 0; i < comparison->count; i++)
		tested += comparison->row[i].value[0].se > 0;
	for (size_t i = 0; i < comparison->count; i++) {
		const struct compared *v = &comparison->row[i].value[0];
		const struct levels_error error = {v->se * v->se, v->df};
		const double alpha = v->alpha / (double)tested;

		if (!(v->se > 0))
			continue;
		of_seen[n] = expm1(levels_sees(&error, alpha, COMPARE_POWER));
		/* Beyond the margin in one direction. */
		of_red[n] = log1p(v->margin) + levels_sees(&error, 2 * alpha, COMPARE_POWER);
		of_red[n] = fmax(of_seen[n], expm1(of_red[n]));
		n++;
	}
	*seen = n ? sample_quantile(of_seen, n, 0.5) : NAN;
	*red = n ? sample_quantile(of_red, n, 0.5) : NAN;
	arena_free(scratch);
}
