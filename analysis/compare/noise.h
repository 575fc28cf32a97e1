/* Run-to-run spread by op, learned from runs of one configuration (A against A): what takes the
 * place of replication where there is one run a side. It compares nothing. */
#pragma once

#include "analysis/run_values.h"

#define NOISE_RUNS_LEAST 4

struct noise;

/* In the arena. ERROR_INPUT with fewer than NOISE_RUNS_LEAST runs. One entry per measure. */
struct noise *noise_make(const struct run_side *side, const enum measure_id *measure,
	size_t measure_count, const struct run_value_options *opt, struct arena *arena,
	struct error *err);
/* Variance of the logarithm of one run value and its degrees of freedom; of an op that the noise
 * runs do not have: the median over those that they have. NaN when nothing is known. */
double noise_variance(const struct noise *noise, const char *name, enum measure_id id, double *df);
/* The same of the total of a step. */
double noise_total_variance(const struct noise *noise, enum measure_id id, double *df);
/* The same runs with the step time as the total of a step, in place of the time of its ops; NULL
 * where they have no step times of this kind. It lives as long as `noise`. */
const struct noise *noise_of_step_time(const struct noise *noise, enum step_time_kind kind);
