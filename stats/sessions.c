/*
 * Means of sessions, their variance for a prediction, and a level that begins somewhere among them.
 */
#include "stats/sessions.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"

#define VALUES_MOST 100000000 /* values that all shuffles together look at */
#define SHUFFLES_LEAST 199
#define SEED 46

void session_means_compute(const double *value, const uint32_t *session, size_t runs,
	size_t sessions, struct session_means *out)
{
	double *sum = memory_alloc(memory_product(sessions + 1, sizeof(*sum)));
	size_t *count = memory_alloc(memory_product(sessions + 1, sizeof(*count)));
	double inverse = 0, squares = 0;
	size_t n = 0;

	memset(sum, 0, (sessions + 1) * sizeof(*sum));
	memset(count, 0, (sessions + 1) * sizeof(*count));
	*out = (struct session_means){.ms_between = NAN, .mean = NAN, .runs = NAN};
	for (size_t r = 0; r < runs; r++)
		if (!isnan(value[r])) {
			sum[session[r]] += value[r];
			count[session[r]]++;
			n++;
		}
	for (size_t s = 0; s < sessions; s++)
		if (count[s]) {
			sum[s] /= (double)count[s];
			inverse += 1 / (double)count[s];
			out->mean = (out->sessions ? out->mean : 0) + sum[s];
			out->sessions++;
		}
	if (out->sessions) {
		out->mean /= (double)out->sessions;
		out->runs = (double)out->sessions / inverse;
	}
	for (size_t s = 0; s < sessions; s++)
		squares += count[s] ? (sum[s] - out->mean) * (sum[s] - out->mean) : 0;
	if (out->sessions > 1)
		out->ms_between = squares / (double)(out->sessions - 1);
	squares = 0;
	for (size_t r = 0; r < runs; r++)
		if (!isnan(value[r]))
			squares += (value[r] - sum[session[r]]) * (value[r] - sum[session[r]]);
	out->ms_within = n > out->sessions ? squares / (double)(n - out->sessions) : 0;
	memory_free(sum);
	memory_free(count);
}

bool session_variance(const struct session_means *base, const struct session_means *new_side,
	double *variance, double *df)
{
	const double sessions = (double)base->sessions, of_new = (double)new_side->sessions;

	if (base->sessions < 2 || !new_side->sessions)
		return false;
	*variance = base->ms_between * (1 / sessions + 1 / of_new) +
		    base->ms_within * fmax(0, 1 / new_side->runs - 1 / base->runs) / of_new;
	*df = sessions - 1;
	return true;
}

/* ---- levels ---- */

/* The largest part of the variance of a row that two levels explain, times its sessions - 1: over
 * all orders its mean is 1 at each place, however many sessions have a value. */
static double most_explained(const double *x, const size_t *order, size_t n, size_t *at)
{
	double sum = 0, squares = 0, before = 0, largest = 0;
	size_t values = 0, passed = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(x[order[i]])) {
			sum += x[order[i]];
			values++;
		}
	for (size_t i = 0; i < n; i++)
		if (!isnan(x[order[i]]))
			squares += (x[order[i]] - sum / (double)values) *
				   (x[order[i]] - sum / (double)values);
	for (size_t i = 0; i < n && squares > 0; i++) {
		if (isnan(x[order[i]]))
			continue;
		if (passed >= SESSION_LEVEL_LEAST && passed + SESSION_LEVEL_LEAST <= values) {
			const double first = (double)passed, then = (double)(values - passed);
			const double gap = (sum - before) / then - before / first;
			const double explained = gap * gap * first * then / (double)values;

			if (explained > largest) {
				largest = explained;
				*at = i;
			}
		}
		before += x[order[i]];
		passed++;
	}
	return largest > 0 ? largest / squares * (double)(values - 1) : 0;
}

static double largest_of_rows(
	const double *value, size_t rows, const size_t *order, size_t n, size_t *at, size_t *row)
{
	double largest = 0;

	for (size_t i = 0; i < rows; i++) {
		size_t place = 0;
		const double explained = most_explained(value + i * n, order, n, &place);

		if (explained > largest) {
			largest = explained;
			*at = place;
			*row = i;
		}
	}
	return largest;
}

size_t session_level(const double *value, size_t rows, size_t sessions, size_t *row, double *p)
{
	size_t shuffles = SESSION_SHUFFLES, as_far = 0, at = 0, unused[2];
	gsl_rng *rng;
	size_t *order;
	double observed, found = 1;

	if (p)
		*p = 1;
	if (sessions < 2 * SESSION_LEVEL_LEAST || !rows)
		return 0;
	while (shuffles > SHUFFLES_LEAST && rows * sessions > VALUES_MOST / shuffles)
		shuffles -= 100;
	order = memory_alloc(memory_product(sessions, sizeof(*order)));
	for (size_t i = 0; i < sessions; i++)
		order[i] = i;
	observed = largest_of_rows(value, rows, order, sessions, &at, row);
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(rng, SEED);
	for (size_t b = 0; b < shuffles && observed > 0; b++) {
		gsl_ran_shuffle(rng, order, sessions, sizeof(*order));
		as_far += largest_of_rows(value, rows, order, sessions, &unused[0], &unused[1]) >=
			  observed * (1 - 1e-9);
	}
	gsl_rng_free(rng);
	memory_free(order);
	if (observed > 0)
		found = (double)(as_far + 1) / (double)(shuffles + 1);
	if (p)
		*p = found;
	return found <= SESSION_LEVEL_P ? at : 0;
}
