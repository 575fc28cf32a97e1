/* Reduces the series of each row to one value per run, with what a comparison has to know of the
 * steps of the run. */
#include "analysis/run_values.h"

#include <math.h>
#include <string.h>
#include "analysis/row_series.h"
#include "base/memory.h"
#include "stats/moments.h"
#include "stats/rounding.h"
#include "stats/sample.h"
#include "stats/tests.h"

const char *const run_value_words[] = {"mean", "geomean", "median", "trimmed", "p90", "p99", NULL};

#define TRIM 0.1 /* of each tail */
#define NORMAL_975 1.959963984540054
#define TYPICAL_SHARE_LEAST 0.01 /* rows that speak for the spread of the comparison */

/* Takes a series that is not of one group. */
static void set_series(struct row_series *w, const double *x, const unsigned char *state, size_t n)
{
	row_series_clear(w);
	memcpy(w->x, x, n * sizeof(*x));
	for (size_t i = 0; i < n; i++) {
		w->state[i] = state ? state[i] : RUN_STEP_PRESENT;
		if (w->state[i])
			w->touched[w->count++] = (uint32_t)i;
	}
}

/* The values of run r that count, at w->part from w->first[r] on. */
static void gather(const struct step_set *steps, const struct run_value_options *opt, size_t r,
	struct row_series *w)
{
	size_t n = w->first[r];

	for (size_t i = steps->first[r]; i < steps->first[r + 1]; i++) {
		if (w->state[i] == 2 || (opt->skip_absent && !w->state[i]))
			continue;
		w->step[n] = steps->step[i];
		w->part[n++] = w->x[i];
	}
}

/* exp of the mean logarithm over the steps in which it ran; NaN when one of these is not above
 * 0. */
static double geometric(
	const struct step_set *steps, size_t r, const struct row_series *w, double *log_mean)
{
	long double sum = 0;
	size_t n = 0;

	*log_mean = NAN;
	for (size_t i = steps->first[r]; i < steps->first[r + 1]; i++) {
		if (w->state[i] != 1)
			continue;
		if (!(w->x[i] > 0))
			return NAN;
		sum += logl(w->x[i]);
		n++;
	}
	if (n)
		*log_mean = (double)(sum / n);
	return exp(*log_mean);
}

/* Value number i is that of step[i]. */
static void find_ends(const double *x, const uint32_t *step, size_t n, struct run_value *out)
{
	out->least = out->most = n ? x[0] : NAN;
	out->least_step = out->most_step = n ? step[0] : 0;
	for (size_t i = 1; i < n; i++) {
		if (x[i] < out->least) {
			out->least = x[i];
			out->least_step = step[i];
		}
		if (x[i] > out->most) {
			out->most = x[i];
			out->most_step = step[i];
		}
	}
}

/* The steps whose logarithms the geometric mean is of: those in which it ran. */
static size_t gather_ran(const struct step_set *steps, size_t r, struct row_series *w)
{
	size_t n = 0;

	for (size_t i = steps->first[r]; i < steps->first[r + 1]; i++)
		if (w->state[i] == 1)
			w->ran[n++] = w->x[i];
	return n;
}

/* First order, without logarithms: (sd/mean)^2 / n_eff. */
static void set_step_variance(const struct sample *s, struct run_value *out)
{
	const double cv = sqrt(out->variance) / out->mean;

	out->step_variance = cv * cv / s->n_eff;
	out->interval_variance = cv * cv / s->n_eff_low;
	out->interval_df = s->n_eff >= 5 ? s->n_eff - 1 : NAN;
}

/* sd(ln x)^2 / n_eff; where a step is 0, the same to first order. */
static void find_step_variance(const double *x, size_t n, struct run_value *out)
{
	const struct sample_options opt = {.confidence = 0.95};
	struct step_mean mean;
	struct sample s;

	out->step_variance = test_step_variance(x, n);
	test_step_mean(x, n, &mean);
	out->interval_variance = mean.variance;
	out->interval_df = mean.df;
	if (!isnan(out->step_variance) || !(out->mean > 0))
		return;
	sample_describe(x, n, &opt, &s);
	set_step_variance(&s, out);
}

/* (sd/mean)^2 / n_eff, without a logarithm for every step. */
static double variance_of_mean(const struct moments *m, double n_eff)
{
	const double mean = moments_mean(m);

	if (m->n < 2 || !(mean > 0))
		return NAN;
	return moments_variance(m, false) / (mean * mean) / n_eff;
}

/* The mean of a run, without a look at the steps in which it did not run. */
static void describe_sparse(const struct sparse *s, const uint32_t *step, const uint32_t *ran,
	size_t runs, struct run_value *out)
{
	const struct sample_options opt = {.confidence = 0.95};
	struct sample sample;
	struct moments m;

	moments_compute_sparse(s->x, s->k, s->n, &m);
	sample_describe_sparse(s, &opt, &sample);
	out->mean = out->value = moments_mean(&m);
	out->variance = moments_variance(&m, false);

	/* The others are 0: the first of them counts. */
	size_t zero = 0;

	find_ends(s->x, ran, s->k, out);
	while (zero < s->k && s->at[zero] == zero)
		zero++;
	if (!(out->least < 0) && (s->k == 0 || out->least > 0 || step[zero] < out->least_step)) {
		out->least = 0;
		out->least_step = step[zero];
	}
	if (!(out->most > 0) && (s->k == 0 || out->most < 0 || step[zero] < out->most_step)) {
		out->most = 0;
		out->most_step = step[zero];
	}
	out->scaled = out->value > 0 ? log(out->value) : NAN;
	if (runs > 1)
		out->step_variance = variance_of_mean(&m, sample.n_eff);
	else if (out->mean > 0)
		set_step_variance(&sample, out);
}

/* A percentile of a run, and what the steps leave open of it by its interval of order statistics.
 */
static void describe_tail(const double *x, size_t n, double p, struct run_value *out)
{
	double low, high, sd;

	out->value = n == 1 || sample_quantile_is_known(n, p) ? sample_quantile(x, n, p) : NAN;
	out->scaled = out->value > 0 ? log(out->value) : NAN;
	sample_quantile_interval(x, n, p, 0.95, &low, &high);
	sd = (log(high) - log(low)) / (2 * NORMAL_975);
	/* An end of 0 has no logarithm. */
	out->step_variance = out->interval_variance = isfinite(sd) ? sd * sd : NAN;
	out->interval_df = (double)n - 1;
}

static void describe_run(const struct step_set *steps, const struct run_value_options *opt,
	size_t r, struct row_series *w, struct run_value *out)
{
	const double *x = w->part + w->first[r];
	struct sparse sparse = {0};
	struct moments m;
	size_t n;
	const size_t first = touched_from(w->touched, w->count, steps->first[r]);
	const size_t last = touched_from(w->touched, w->count, steps->first[r + 1]);

	out->kept = steps->first[r + 1] - steps->first[r];
	out->ran = last - first;
	for (size_t i = first; i < last; i++)
		out->unknown += w->state[w->touched[i]] == 2;
	out->steps = opt->skip_absent ? out->ran - out->unknown : out->kept - out->unknown;
	w->first[r + 1] = w->first[r] + out->steps;
	n = out->steps;
	out->step_variance = out->interval_variance = out->interval_df = NAN;
	if (opt->kind == RUN_VALUE_MEAN && n == out->kept) {
		/* The values of a run of which all steps count as those of the few steps in which
		 * it ran. */
		const size_t begin = steps->first[r], end = steps->first[r + 1];
		struct sparse s = {.x = w->ran, .at = w->at, .n = end - begin};

		for (size_t i = touched_from(w->touched, w->count, begin);
			i < w->count && w->touched[i] < end; i++) {
			w->at[s.k] = w->touched[i] - begin;
			w->step[s.k] = steps->step[w->touched[i]];
			w->ran[s.k++] = w->x[w->touched[i]];
		}
		sparse = s;
	}
	if (sparse_enough(&sparse)) {
		describe_sparse(
			&sparse, steps->step + steps->first[r], w->step, steps->run_count, out);
		return;
	}
	gather(steps, opt, r, w);
	moments_compute(x, n, &m);
	out->mean = out->value = moments_mean(&m);
	out->variance = moments_variance(&m, false);
	find_ends(x, w->step + w->first[r], n, out);
	if (opt->kind == RUN_VALUE_P90 || opt->kind == RUN_VALUE_P99) {
		describe_tail(x, n, opt->kind == RUN_VALUE_P90 ? 0.9 : 0.99, out);
		return;
	}
	if (opt->kind == RUN_VALUE_MEDIAN)
		out->value = sample_quantile(x, n, 0.5);
	else if (opt->kind == RUN_VALUE_TRIMMED)
		out->value = sample_trimmed_mean(x, n, TRIM);
	if (opt->kind == RUN_VALUE_GEOMEAN)
		out->value = geometric(steps, r, w, &out->scaled);
	else
		out->scaled = out->value > 0 ? log(out->value) : NAN;
	if (steps->run_count > 1)
		out->step_variance = variance_of_mean(&m, sample_effective_size_of(x, &m));
	else if (opt->kind == RUN_VALUE_GEOMEAN)
		find_step_variance(w->ran, gather_ran(steps, r, w), out);
	else
		find_step_variance(x, n, out);
}

/* The mean of the row over its runs. */
static void join_runs(struct run_row *row)
{
	double sum = 0;

	row->steps = row->ran = row->unknown = row->valued = 0;
	row->lost = row->thin = row->zero = false;
	for (size_t r = 0; r < row->runs; r++) {
		const struct run_value *value = &row->run[r];

		row->steps += value->kept;
		row->ran += value->ran;
		row->unknown += value->unknown;
		row->lost |= value->unknown && !value->steps;

		size_t known = value->ran - value->unknown;

		row->thin |= value->unknown && (known < 2 || 2 * known < value->ran);
		row->zero |= value->value == 0;
		if (isnan(value->value))
			continue;
		sum += value->value;
		row->valued++;
	}
	row->mean = row->valued ? sum / (double)row->valued : NAN;
}

/* From the series at hand (x and state filled). */
static void describe_row(const struct step_set *steps, const struct run_value_options *opt,
	struct row_series *w, struct arena *arena, struct run_row *out)
{
	out->runs = steps->run_count;
	out->run = arena_array(arena, steps->run_count, sizeof(*out->run));
	w->first[0] = 0;
	for (size_t r = 0; r < steps->run_count; r++) {
		struct run_value *value = &out->run[r];

		describe_run(steps, opt, r, w, value);
		if (isnan(value->value) && value->ran > value->unknown)
			out->undefined =
				opt->kind == RUN_VALUE_GEOMEAN
					? "a step is 0: no geometric mean"
					: "fewer than 10 steps of a run beyond the percentile";
	}
	join_runs(out);

	bool found = false;

	out->constant = true;
	for (size_t i = 0; i < w->count && out->constant; i++) {
		const uint32_t at = w->touched[i];

		if (w->state[at] != 1)
			continue;
		if (!found)
			out->constant_value = w->x[at];
		else
			out->constant = w->x[at] == out->constant_value;
		found = true;
	}
	w->ran_count = 0;
	for (size_t i = 0; i < w->count; i++)
		if (w->state[w->touched[i]] == 1)
			w->ran[w->ran_count++] = w->x[w->touched[i]];
	out->grid = out->constant ? 0 : grid_of_series(w->ran, w->ran_count);
}

void run_row_without(
	const struct run_row *row, size_t run, struct arena *arena, struct run_row *out)
{
	*out = *row;
	out->runs--;
	out->run = arena_array(arena, out->runs, sizeof(*out->run));
	for (size_t r = 0; r < out->runs; r++)
		out->run[r] = row->run[r < run ? r : r + 1];
	join_runs(out);
}

/* Executions of the ops of a group in a step in which they ran; 1 where they are not counted. */
static double executions_of(const struct run_side *side, const struct group *group)
{
	const size_t n = side->steps->count;
	struct arena *scratch;
	int64_t *value;
	unsigned char *state;
	double sum = 0;
	size_t known = 0;

	if (!cube_has(side->cube, MEASURE_OCCURRENCE))
		return 1;
	scratch = arena_new();
	value = arena_array(scratch, n, sizeof(*value));
	state = arena_array(scratch, n, 1);
	grouping_values(&(struct group_series){.cube = side->cube,
				.step_index = side->steps->index_of,
				.count = n,
				.value = value,
				.state = state},
		group, MEASURE_OCCURRENCE);
	for (size_t i = 0; i < n; i++) {
		if (state[i] != 1)
			continue;
		sum += cube_mean(side->cube, side->steps->step[i], value[i]);
		known++;
	}
	arena_free(scratch);
	return known && sum > (double)known ? sum / (double)known : 1;
}

/* Each recorded time of an execution is off by its rounding, and the mean of alike ones by what
 * rounding_variance says. A step with several executions is their sum: alike executions of one op
 * are off alike, those of different ops (a row of several) each for itself. A median is on the grid
 * whatever the spread. The series is in `w`. */
static void find_rounding(const struct run_side *side, const struct run_value_options *opt,
	const struct row_series *w, struct run_row *out)
{
	const double q = out->grid > 0 ? out->grid : side->steps->time_resolution_ps;
	const double ops = (double)out->group->op_count;
	const size_t n = w->ran_count;
	const double *x = w->ran;
	double sum = 0, mean, executions, step;
	struct rounding_fit fit;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	mean = n ? sum / (double)n : 0;
	if (!(q > ROUNDING_LEAST * mean) || !(mean > 0))
		return;
	executions = executions_of(side, out->group);
	rounding_fit(x, n, q, &fit);
	if (executions > 1 && fit.spread > 0) {
		step = fit.spread * fit.spread + q * q / 12;
		fit.spread = sqrt(fmax(0, step / executions - q * q / 12));
	}
	if (executions > 1 || opt->kind == RUN_VALUE_MEDIAN)
		fit.rarer = 0;
	if (opt->kind == RUN_VALUE_MEDIAN)
		fit.spread = 0;
	mean /= executions;
	out->rounding = rounding_variance_of(&fit, q) / (mean * mean) / ops;
}

static void read_series(const struct run_side *side, const struct group *group, enum measure_id id,
	struct row_series *w)
{
	size_t kept = 0;

	row_series_read(side->cube, side->steps, group, id, w);
	for (size_t i = 0; i < w->count && side->self->benchmarks; i++) {
		const uint32_t at = w->touched[i];

		if (w->state[at] == 2) { /* it was not measured */
			w->state[at] = 0;
			w->value[at] = 0;
		} else {
			w->touched[kept++] = at;
		}
	}
	w->count = side->self->benchmarks ? kept : w->count;
}

static void static_row(const struct run_side *side, bool known, double value, struct arena *arena,
	struct run_row *out)
{
	out->runs = side->steps->run_count;
	out->run = arena_array(arena, side->steps->run_count, sizeof(*out->run));
	out->constant = true;
	out->lost = !known;
	out->valued = known ? out->runs : 0;
	out->mean = out->constant_value = known ? value : NAN;
	out->zero = known && value == 0;
	for (size_t r = 0; r < side->steps->run_count; r++)
		out->run[r] = (struct run_value){.value = out->mean,
			.mean = out->mean,
			.scaled = out->mean > 0 ? log(out->mean) : NAN,
			.variance = NAN,
			.step_variance = NAN,
			.interval_variance = NAN,
			.interval_df = NAN,
			.least = out->mean,
			.most = out->mean};
}

/* Adds the series of a group to the totals of the steps. */
static void add_series(const struct row_series *w, double *total, unsigned char *state)
{
	for (size_t i = 0; i < w->count; i++) {
		const uint32_t at = w->touched[i];

		total[at] += w->x[at];
		if (w->state[at] == 2)
			state[at] = 2;
		else if (!state[at])
			state[at] = 1;
	}
}

/* Spread of the rows that matter: one entry for each of them. */
struct spread {
	double *cv_step, *cv_run, *icc, *effect, *n_eff;
	size_t count, n_eff_count;
};

/* The series is still in `w`. */
static void add_spread(const struct step_set *steps, const struct run_value_options *opt,
	struct row_series *w, const struct run_row *row, struct spread *out)
{
	struct oneway split;
	size_t i = out->count;

	if (row->lost || !(row->mean > 0) || row->constant)
		return;
	for (size_t r = 0; r < steps->run_count; r++)
		gather(steps, opt, r, w);
	oneway_describe(w->part, w->first, steps->run_count, &split);
	out->cv_step[i] = sqrt(split.ms_within) / split.mean;
	out->cv_run[i] = split.se * sqrt((double)split.runs) / split.mean;
	out->icc[i] = split.icc;
	out->effect[i] = split.design_effect;
	out->count++;
	for (size_t r = 0; r < steps->run_count; r++) {
		size_t n = w->first[r + 1] - w->first[r];

		if (n)
			out->n_eff[out->n_eff_count++] =
				sample_effective_size(w->part + w->first[r], n) / (double)n;
	}
}

static double median(const double *x, size_t n)
{
	return n && !isnan(x[0]) ? sample_quantile(x, n, 0.5) : NAN;
}

static struct spread spread_new(struct arena *arena, size_t rows, size_t runs)
{
	return (struct spread){
		.cv_step = arena_array(arena, rows, sizeof(double)),
		.cv_run = arena_array(arena, rows, sizeof(double)),
		.icc = arena_array(arena, rows, sizeof(double)),
		.effect = arena_array(arena, rows, sizeof(double)),
		.n_eff = arena_array(arena, memory_product(rows, runs), sizeof(double)),
	};
}

/* Rows, and where totals are over the rows, these. */
static void fill_rows(const struct run_side *side, enum measure_id id,
	const struct run_value_options *opt, struct arena *arena, struct run_table *out)
{
	struct arena *scratch = arena_new();
	struct row_series *w = row_series_new(side->steps, scratch);
	size_t n = side->steps->count;
	bool of_rows = opt->of_selected && !side->cube->totals;
	struct spread typical = spread_new(scratch, out->count, out->runs);
	double *total = arena_array(scratch, n, sizeof(*total));
	unsigned char *state = arena_array(scratch, n, 1);

	if (of_rows) {
		for (size_t g = 0; g < out->count; g++) {
			read_series(side, out->row[g].group, id, w);
			add_series(w, total, state);
		}
	} else {
		/* Totals of the kept steps over all ops. */
		double *all = arena_array(scratch, side->self->step_count, sizeof(*all));
		bool *known = arena_array(scratch, side->self->step_count, sizeof(*known));

		steps_totals(side->self, id, all, known);
		for (size_t i = 0; i < side->steps->count; i++) {
			total[i] = all[side->steps->step[i]];
			state[i] = known[side->steps->step[i]] ? 1 : 2;
		}
	}
	set_series(w, total, state, n);
	describe_row(side->steps, opt, w, arena, &out->total);
	for (size_t g = 0; g < out->count; g++) {
		read_series(side, out->row[g].group, id, w);
		out->out_of_range += w->over;
		describe_row(side->steps, opt, w, arena, &out->row[g]);
		if (out->row[g].mean >= TYPICAL_SHARE_LEAST * out->total.mean)
			add_spread(side->steps, opt, w, &out->row[g], &typical);
		if (measure_at(id)->dimension == DIMENSION_TIME)
			find_rounding(side, opt, w, &out->row[g]);
	}
	/* One row and its step are tested alike. */
	if (out->count == 1 && out->total.mean == out->row[0].mean) {
		out->total.group = out->row[0].group;
		out->total.rounding = out->row[0].rounding;
	}
	out->cv_step = median(typical.cv_step, typical.count);
	out->cv_run = median(typical.cv_run, typical.count);
	out->icc = median(typical.icc, typical.count);
	out->design_effect = median(typical.effect, typical.count);
	out->n_eff_share = median(typical.n_eff, typical.n_eff_count);
	arena_free(scratch);
}

void run_table_make(const struct run_side *side, enum measure_id id,
	const struct run_value_options *opt, struct arena *arena, struct run_table *out)
{
	struct run_value_options of_measure = *opt;

	of_measure.skip_absent |= !cube_adds_up(side->self, id);
	*out = (struct run_table){.measure = id,
		.runs = side->steps->run_count,
		.count = side->grouping->count,
		.cv_step = NAN,
		.cv_run = NAN,
		.icc = NAN,
		.design_effect = NAN,
		.n_eff_share = NAN};
	out->row = arena_array(arena, out->count, sizeof(*out->row));
	for (size_t g = 0; g < out->count; g++)
		out->row[g].group = &side->grouping->group[g];
	if (measure_at(id)->kind == MEASURE_STATIC) {
		double sum = 0;
		bool any = false;

		for (size_t g = 0; g < out->count; g++) {
			int64_t v = 0;
			bool known = grouping_static(side->cube, out->row[g].group, id, &v);

			static_row(side, known, (double)v, arena, &out->row[g]);
		}
		for (uint32_t o = 0; o < side->cube->op_count && !side->cube->totals; o++) {
			int64_t v = cube_static(side->cube, id, o);

			any |= v != CELL_ABSENT;
			sum += v == CELL_ABSENT ? 0 : (double)v;
		}
		static_row(side, any, sum, arena, &out->total);
		return;
	}
	fill_rows(side, id, &of_measure, arena, out);
}

struct run_row run_row_of_groups(const struct run_side *side, enum measure_id id,
	const struct run_value_options *opt, const size_t *group, size_t count, struct arena *arena)
{
	struct run_row out = {0};
	struct arena *scratch = arena_new();
	struct row_series *w = row_series_new(side->steps, scratch);
	size_t n = side->steps->count;
	double *total = arena_array(scratch, n, sizeof(*total));
	unsigned char *state = arena_array(scratch, n, 1);

	for (size_t i = 0; i < count; i++) {
		read_series(side, &side->grouping->group[group[i]], id, w);
		add_series(w, total, state);
	}
	set_series(w, total, state, n);
	describe_row(side->steps, opt, w, arena, &out);
	arena_free(scratch);
	return out;
}

void run_row_of_series(const struct step_set *steps, const struct run_value_options *opt,
	const double *x, const unsigned char *state, struct arena *arena, struct run_row *out)
{
	struct arena *scratch = arena_new();
	struct row_series *w = row_series_new(steps, scratch);

	*out = (struct run_row){0};
	set_series(w, x, state, steps->count);
	describe_row(steps, opt, w, arena, out);
	arena_free(scratch);
}
