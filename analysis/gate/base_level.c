/*
 * Means of sessions of all rows and of the step, as arrays for stats.
 */
#include "analysis/gate/base_level.h"

#include <math.h>
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

bool base_level_find(const struct compared_measure *measure,
	const struct compare_sessions *sessions, struct base_level *out)
{
	const struct run_table *base = &measure->base;
	const size_t n = sessions->base_count, rows = base->count + 1;
	struct arena *scratch = arena_new();
	double *mean = arena_array(scratch, rows * n, sizeof(*mean)), part[2] = {0, 0};
	size_t *count = arena_array(scratch, n, sizeof(*count)), row = 0, values[2] = {0, 0};

	for (size_t i = 0; i < rows; i++)
		means_of_row(i ? &base->row[i - 1] : &base->total, sessions, count, &mean[i * n]);
	out->session = session_level(mean, rows, n, &row, NULL);
	for (size_t s = 0; s < n; s++)
		if (!isnan(mean[row * n + s])) {
			part[s >= out->session] += mean[row * n + s];
			values[s >= out->session]++;
		}
	out->row = row ? &base->row[row - 1] : NULL;
	out->change = expm1(part[1] / (double)values[1] - part[0] / (double)values[0]);
	arena_free(scratch);
	return out->session > 0;
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
