/* The search for a level over all rows and places, and in as many other orders; what lies apart. */
#include "stats/sessions.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "stats/modes.h"
#include "stats/student.h"

#define VALUES_MOST 100000000 /* values that all shuffles together look at */
#define SHUFFLES_LEAST 199
#define APART_LEAST 4 /* sessions */
#define SEED 46

double session_apart(const double *x, size_t n, size_t *at, double *widens)
{
	double sum = 0, squares = 0, mean, largest = 0, others;
	size_t count = 0;

	for (size_t s = 0; s < n; s++)
		if (!isnan(x[s])) {
			sum += x[s];
			count++;
		}
	mean = sum / (double)count;
	for (size_t s = 0; s < n; s++) {
		const double d = x[s] - mean;

		if (isnan(d))
			continue;
		squares += d * d;
		if (fabs(d) > largest) {
			largest = fabs(d);
			*at = s;
		}
	}
	if (count < APART_LEAST)
		return 1;
	/* The gap to the mean of the others is d n/(n - 1). */
	others = (squares - largest * largest * (double)count / (double)(count - 1)) /
		 (double)(count - 2);
	if (!(others > squares * 1e-12))
		return 1;
	*widens = sqrt(squares / (double)(count - 1) / others);
	largest *= sqrt((double)count / (double)(count - 1) / others);
	return fmin(1, (double)count * student_two_sided(largest, (double)(count - 2)));
}

/* The values that are known; returns how many. */
static size_t known_of(const double *x, size_t n, double *known, double *sum)
{
	size_t count = 0;

	*sum = 0;
	for (size_t s = 0; s < n; s++)
		if (!isnan(x[s])) {
			known[count++] = x[s];
			*sum += x[s];
		}
	return count;
}

void session_findings_make(
	const double *value, size_t rows, size_t sessions, struct session_findings *out)
{
	double *known = memory_alloc(memory_product(sessions + 1, sizeof(*known)));
	double least = SESSION_LEVEL_P, most = 0;

	*out = (struct session_findings){.is_apart = false};
	for (size_t row = 0; row < rows; row++) {
		const double *x = value + row * sessions;
		double sum, widens = 1;
		const size_t n = known_of(x, sessions, known, &sum);
		struct modes modes;
		size_t at = 0;
		const double p = session_apart(x, sessions, &at, &widens) * (double)rows;

		if (p <= least) {
			least = p;
			out->is_apart = true;
			out->apart_row = row;
			out->apart = at;
			out->apart_by = x[at] - (sum - x[at]) / (double)(n - 1);
			out->widens = widens;
		}
		modes_find(known, n, 0, &modes);
		if (!modes.two || modes.separation <= most)
			continue;
		most = modes.separation;
		out->has_groups = true;
		out->groups_row = row;
		out->upper = (size_t)lrint(modes.share_high * (double)n);
		out->valued = n;
		out->groups_by = modes.high - modes.low;
	}
	memory_free(known);
}

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
