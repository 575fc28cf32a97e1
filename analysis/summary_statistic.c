/*
 * Which number of a summary a statistic is, and what else is made of its numbers.
 */
#include "analysis/summary.h"

#include <math.h>

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
	case STATISTIC_MEAN:
		return runs->mean;
	case STATISTIC_CI:
		return relative_half_width(runs);
	case STATISTIC_SHARE:
		return value->share;
	case STATISTIC_CV:
		return runs->cv_step;
	case STATISTIC_CV_RUN:
		return runs->cv_run;
	case STATISTIC_JITTER:
		return value->jitter;
	case STATISTIC_SD:
		return one ? pooled->sd : NAN;
	case STATISTIC_SE:
		return one ? pooled->se : NAN;
	case STATISTIC_MIN:
		return pooled->min;
	case STATISTIC_MEDIAN:
		return pooled->median;
	case STATISTIC_MAX:
		return pooled->max;
	case STATISTIC_SUM: /* of nothing that is known there is none */
		return pooled->n == 0 && value->lost ? NAN : pooled->sum;
	case STATISTIC_N:
		return (double)pooled->n;
	case STATISTIC_RAN:
		return (double)value->ran;
	case STATISTIC_MAD:
		return one ? pooled->mad : NAN;
	case STATISTIC_ROBUST_CV:
		return one ? pooled->robust_cv : NAN;
	case STATISTIC_LAG1:
		return one ? pooled->lag1 : NAN;
	case STATISTIC_N_EFF:
		return one ? pooled->n_eff : NAN;
	case STATISTIC_CV_LOW:
		return cv_end(summary, value, false);
	case STATISTIC_CV_HIGH:
		return cv_end(summary, value, true);
	case STATISTIC_CV_FLOOR:
		return sample_cv_floor(summary->time_resolution_ps, runs->mean);
	case STATISTIC_TRIMMED:
	case STATISTIC_GEOMEAN:
	case STATISTIC_LJUNG_BOX:
	case STATISTIC_QUANTILE:
		return extra_of(summary, value, choice);
	case STATISTIC_CALLS:	  /* of no measure: analysis/executions.h */
	case STATISTIC_BELOW_5US: /* of calls only */
	case STATISTIC_COUNT:
		break;
	}
	return NAN;
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

void jitter_find(const struct summary *summary, double least, bool *out)
{
	const struct summary_part *all = &summary->all;
	const size_t rows = summary->grouping->count, lost = all->run_count + 1;
	const size_t steps = summary->steps->count;
	size_t moving = 0;

	for (size_t g = 0; g < rows; g++)
		moving += fabs(all->row[g].value[0].jitter) > 0;
	for (size_t g = 0; g < rows; g++) {
		const struct summary_value *value = &all->row[g].value[0];
		double equal = fmin(1 / (double)moving, least);

		out[g] =
			steps > lost && value->jitter > least &&
			value->jitter - equal > sample_jitter_allowance(value->jitter_se,
							steps - lost, FALSE_NAMES / (double)moving);
	}
}
