/* Which number of a summary a statistic is, and what else is made of its numbers. */
#include "analysis/summary.h"

#include <math.h>
#include "base/memory.h"
#include "stats/student.h"

static double relative_half_width(const struct runs *runs)
{
	if (isnan(runs->low) || !(runs->mean > 0))
		return NAN;
	/* The upper half: the lower one may be cut at 0. */
	return (runs->high - runs->mean) / runs->mean;
}

static double extra_of(const struct summary *summary, const struct summary_value *value,
	const struct statistic_choice *choice)
{
	for (size_t i = 0; i < summary->options.extra_count; i++)
		if (summary->options.extra[i].statistic == choice->statistic &&
			summary->options.extra[i].p == choice->p)
			return value->extra[i];
	return NAN;
}

/* One end of Vangel's interval. It is about the CV with divisor n - 1, and of one run. */
static double cv_end(const struct summary *summary, const struct summary_value *value, bool high)
{
	const struct sample *sample = &value->runs.pooled;
	double k = sample->cv, ends[2];

	if (value->runs.runs != 1 || value->spiky || sample->n < 2)
		return NAN;
	if (summary->options.sample.population)
		k *= sqrt((double)sample->n / (double)(sample->n - 1));
	sample_cv_interval(
		k, sample->n_eff, summary->options.sample.confidence, &ends[0], &ends[1]);
	return ends[high];
}

double summary_statistic(const struct summary *summary, const struct summary_value *value,
	const struct statistic_choice *choice)
{
	const struct runs *runs = &value->runs;
	const struct sample *pooled = &runs->pooled;
	bool one = runs->runs <= 1; /* statistics of the order of steps need one run */

	switch (choice->statistic->id) {
#define STATISTIC(id, name, shape, digits, title, words, traits, of_steps, ...)                    \
	case STATISTIC_##id:                                                                       \
		return of_steps;
#include "analysis/statistics.def"
#undef STATISTIC
	case STATISTIC_COUNT:
		break;
	}
	return NAN;
}

bool summary_lacks_tail(
	const struct summary *summary, const struct statistic_choice *choice, size_t n)
{
	/* The middle and the ends of the sample are no tails. */
	return summary->cube->benchmarks && statistic_has_order(choice->statistic->id) &&
	       fabs(choice->p - 0.5) > 0.25 && choice->p > 0 && choice->p < 1 &&
	       !sample_quantile_is_known(n, choice->p);
}

const struct runs *summary_first_runs(const struct summary *summary)
{
	const bool of_time = summary->options.measure[0] == MEASURE_TIME;

	return of_time && summary->all.has_time && !summary->options.of_selected
		       ? &summary->all.time
		       : &summary->all.total[0].runs;
}

double summary_series_mean(
	const struct summary *summary, const struct cube *self, enum step_series_kind kind)
{
	const struct step_set *steps = summary->steps;
	const int64_t *value_ps = step_series_find(&self->series, kind, "");
	double sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < steps->count; i++) {
		const double value = step_series_value(value_ps, steps->step[i]);

		if (isnan(value))
			continue;
		sum += value;
		count++;
	}
	return count ? sum / (double)count : NAN;
}

/* ---- jitter ---- */

#define FALSE_NAMES 0.05 /* the chance of one name or more where all rows are alike */

#define ABOUT_SHARE 1.2 /* jitter up to this times the share of the time is about that share */

/* True if the row has more of the jitter than its share of the ops explains. y: room for the
 * steps. */
static bool is_beyond_share(const struct summary *summary, size_t g, double tail, double *y)
{
	const struct step_set *steps = summary->steps;
	const size_t df = steps->count - steps->run_count - 1;
	/* Jitter of a row with this share of the op time that is nothing of its own; for the larger
	 * ones, what leaves the others that much less than their share. */
	const double about = fmin(ABOUT_SHARE * summary->all.row[g].value[0].share,
		1 - (1 - summary->all.row[g].value[0].share) / ABOUT_SHARE);
	double slope, se;

	summary_row_series(summary, &summary->grouping->group[g], 0, y);
	for (size_t i = 0; i < steps->count; i++)
		y[i] = (isnan(y[i]) ? 0 : y[i]) - about * summary->step_total[0][i];
	/* y[i] of each run less their mean. */
	for (size_t r = 0; r < steps->run_count; r++) {
		const size_t first = steps->first[r], end = steps->first[r + 1];
		double sum = 0;

		for (size_t i = first; i < end; i++)
			sum += y[i];
		for (size_t i = first; i < end; i++)
			y[i] -= sum / (double)(end - first);
	}
	sample_slope(y, summary->all.base[0].deviation, steps->count, df, &slope, &se);
	return slope > 1e-9 && slope > student_quantile(tail, (double)df) * se;
}

void jitter_find(const struct summary *summary, double least, bool *out)
{
	const struct summary_part *all = &summary->all;
	const size_t rows = summary->grouping->count, steps = summary->steps->count;
	double *y = memory_alloc(memory_product(steps, sizeof(*y)));
	size_t moving = 0;

	for (size_t g = 0; g < rows; g++)
		moving += fabs(all->row[g].value[0].jitter) > 0;
	for (size_t g = 0; g < rows; g++)
		out[g] = steps > all->run_count + 1 && all->row[g].value[0].jitter > least &&
			 is_beyond_share(summary, g, FALSE_NAMES / (double)moving, y);
	memory_free(y);
}

static double sd_in_runs(const struct summary_value *value)
{
	const double sd = value->runs.cv_step * value->runs.mean;

	return sd > 0 ? sd : 0;
}

bool jitter_is_common(const struct summary *summary)
{
	const struct summary_part *all = &summary->all;
	const struct runs *total = &all->total[0].runs;
	const double whole = pow(sd_in_runs(&all->total[0]), 2);
	const double df = total->runs == 1 ? total->pooled.n_eff - 1
					   : (double)(summary->steps->count - all->run_count);
	double sum = 0, own = 0;

	for (size_t g = 0; g < summary->grouping->count; g++) {
		const double sd = sd_in_runs(&all->row[g].value[0]);

		sum += sd;
		own += sd * sd;
	}
	return !summary->options.skip_absent && sample_moves_together(whole, own, sum, df);
}
