/* Describes several runs of one series: the mean of the run means, and the spread within runs and
 * between runs, kept apart. */
#include "stats/runs.h"

#include <math.h>
#include "base/memory.h"
#include "stats/moments.h"

/* Gathered over the runs that have values. */
struct runs_tally {
	size_t runs, spread_runs; /* the second: with two values or more */
	double origin;	       /* near the mean of all values: run means are kept as the distance */
	long double *distance; /* run mean - origin, one per run */
	bool equal;	       /* all run means are equal */
	long double first_mean, variances;
};

static void tally_run(
	struct runs_tally *t, const struct moments *m, bool population, struct runs *out)
{
	const size_t n = m->n;
	long double mean;

	if (n == 0)
		return;
	mean = m->constant ? (long double)m->origin : m->sum / n;
	if (t->runs == 0) {
		t->first_mean = mean;
		out->steps_min = n;
	}
	t->equal = t->equal && mean == t->first_mean;
	t->distance[t->runs++] = ((long double)m->origin - t->origin) + m->offset;
	if (n >= 2) {
		t->variances += moments_variance(m, population);
		t->spread_runs++;
	}
	if (n < out->steps_min)
		out->steps_min = n;
	if (n > out->steps_max)
		out->steps_max = n;
}

/* sum of squared deviations of the run means from their mean, which is origin + *offset */
static long double squares_between(const struct runs_tally *t, long double *offset)
{
	long double sum = 0, squares = 0, mean;

	for (size_t r = 0; r < t->runs; r++)
		sum += t->distance[r];
	mean = sum / t->runs;
	for (size_t r = 0; r < t->runs; r++)
		squares += (t->distance[r] - mean) * (t->distance[r] - mean);
	*offset = mean;
	return t->equal ? 0 : squares;
}

static double relative(double sd, double mean)
{
	return sd == 0 ? 0 : mean > 0 ? sd / mean : NAN;
}

/* Two runs and more: every estimate has the run as its unit. */
static void describe_runs(
	const struct runs_tally *t, const struct sample_options *opt, struct runs *out)
{
	long double offset;
	const long double squares = squares_between(t, &offset);
	const double count = (double)t->runs;
	const double se = (double)sqrtl(squares / (count - 1) / count);
	const double between = (double)sqrtl(squares / (opt->population ? count : count - 1));
	double half;

	out->mean = t->equal ? (double)t->first_mean : (double)(t->origin + offset);
	if (t->spread_runs > 0)
		out->cv_step = relative((double)sqrtl(t->variances / t->spread_runs), out->mean);
	out->cv_run = relative(between, out->mean);
	half = t->equal ? 0 : moments_half_width(se, count - 1, opt->confidence);
	out->low = out->mean - half;
	out->high = out->mean + half;
}

/* Begins the tally about the mean of all values together. */
static void tally_begin(struct runs_tally *t, size_t runs, struct runs *out)
{
	*t = (struct runs_tally){.equal = true, .origin = out->pooled.n > 0 ? out->pooled.mean : 0};
	t->distance = memory_alloc(memory_product(runs, sizeof(*t->distance)));
}

static void tally_end(struct runs_tally *t, const struct sample_options *opt, struct runs *out)
{
	out->runs = t->runs;
	if (t->runs == 1) {
		out->mean = out->pooled.mean;
		out->cv_step = out->pooled.cv;
		out->low = out->pooled.low;
		out->high = out->pooled.high;
	} else if (t->runs > 1) {
		describe_runs(t, opt, out);
	}
	memory_free(t->distance);
}

static const struct runs runs_nothing = {
	.mean = NAN, .cv_step = NAN, .cv_run = NAN, .low = NAN, .high = NAN};

void runs_describe(const double *x, const size_t *first, size_t runs,
	const struct sample_options *opt, struct runs *out)
{
	struct moments m;
	struct runs_tally t;

	*out = runs_nothing;
	if (runs == 0)
		sample_describe(NULL, 0, opt, &out->pooled);
	else
		sample_describe(x + first[0], first[runs] - first[0], opt, &out->pooled);
	tally_begin(&t, runs, out);
	for (size_t r = 0; r < runs; r++) {
		moments_compute(x + first[r], first[r + 1] - first[r], &m);
		tally_run(&t, &m, opt->population, out);
	}
	tally_end(&t, opt, out);
}

void runs_describe_sparse(const struct sparse *s, const size_t *first, size_t runs,
	const struct sample_options *opt, struct runs *out)
{
	struct moments m;
	struct runs_tally t;
	size_t from = 0, to;

	*out = runs_nothing;
	sample_describe_sparse(s, opt, &out->pooled);
	tally_begin(&t, runs, out);
	for (size_t r = 0; r < runs; r++, from = to) {
		for (to = from; to < s->k && s->at[to] < first[r + 1];)
			to++;
		if (to - from == first[r + 1] - first[r]) /* no zero in it */
			moments_compute(s->x + from, to - from, &m);
		else
			moments_compute_sparse(s->x + from, to - from, first[r + 1] - first[r], &m);
		tally_run(&t, &m, opt->population, out);
	}
	tally_end(&t, opt, out);
}
