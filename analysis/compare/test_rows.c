/* Tests every row of a measure by the method that is asked for, on the logarithms of the run values
 * where these exist. */
#include <math.h>
#include "analysis/compare/noise.h"
#include "analysis/compare/row_test.h"
#include "base/memory.h"
#include "base/number.h"
#include "stats/moments.h"
#include "stats/sample.h"
#include "stats/levels.h"

/* ps; far below where whole numbers are not exact in a double. */
#define RARE_SUM_MOST 1e15
/* Tail of an interval, each way, as of the means in a report. */
#define FACTOR_MOST 10

static bool is_paired(const struct rows_tester *d)
{
	return d->opt->method == METHOD_PAIRED;
}

/* True if all rows are tested together. */
static bool has_prior(enum compare_method method)
{
	return method == METHOD_MODERATED || method == METHOD_LIMMA || method == METHOD_PAIRED;
}

bool tester_is_moderated(const struct rows_tester *d)
{
	return has_prior(d->opt->method) && (!is_paired(d) || d->measure->moderated.prior_ops > 0);
}

double *tester_logs(const struct rows_tester *d, size_t i)
{
	return d->matrix + i * d->runs;
}

struct moderated_data tester_tested(const struct rows_tester *d)
{
	if (is_paired(d))
		return (struct moderated_data){d->difference, d->count, 0, d->runs_base};
	return (struct moderated_data){d->matrix, d->count, d->runs_base, d->runs - d->runs_base};
}

double *tester_tested_row(const struct rows_tester *d, size_t i)
{
	return is_paired(d) ? d->difference + i * d->runs_base : tester_logs(d, i);
}

void tester_fill_logs(struct rows_tester *d)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct compared *v = d->row[i].value;
		double *out = tester_logs(d, i);

		for (size_t r = 0; r < d->runs; r++)
			out[r] = NAN;
		if (v->evidence != EVIDENCE_TEST)
			continue;
		for (size_t r = 0; r < d->runs_base; r++)
			out[r] = v->base->run[r].scaled;
		for (size_t r = 0; r < d->runs - d->runs_base; r++)
			out[d->runs_base + r] = v->new->run[r].scaled;
	}
	if (is_paired(d)) {
		/* A round where a side has no value has no difference. */
		d->difference = arena_array(
			d->scratch, memory_product(d->count, d->runs_base), sizeof(*d->difference));
		for (size_t i = 0; i < d->count; i++) {
			const double *base = tester_logs(d, i), *new = base + d->runs_base;

			for (size_t r = 0; r < d->runs_base; r++)
				tester_tested_row(d, i)[r] = new[d->opt->round[r]] - base[r];
		}
	}
	tester_take_effects(d);
}

/* Adds what one side shows of the grid of an op's times: its sums over the runs and its largest
 * steps are multiples. Returns the mean of a step in which it ran. */
static double add_grid(const struct run_row *row, int64_t *grid)
{
	double sum = 0, ran = 0;

	for (size_t r = 0; r < row->runs; r++) {
		const struct run_value *run = &row->run[r];
		const double total = run->mean * (double)run->steps;

		if (!(run->value > 0) || !(total < RARE_SUM_MOST))
			continue;
		*grid = number_common_divisor(*grid, llround(total));
		*grid = number_common_divisor(*grid, llround(run->most));
		sum += total;
		ran += (double)run->ran;
	}
	return sum / ran;
}

/* An op without spread that ran in few steps may have a coarser grid than the others. Its steps
 * were rounded alike, so that neither they nor the runs average it out: q^2/12 on each side. */
static double rare_rounding(const struct compared *v)
{
	int64_t grid = 0;
	const double base_ps = add_grid(v->base, &grid), new_ps = add_grid(v->new, &grid);
	double q;

	if (!(base_ps > 0 && new_ps > 0 && grid > 0))
		return 0;
	/* The common divisor of so few times is often a multiple of the grid, see steps.c. */
	q = (double)number_power_of_ten(grid);
	return q * q / 12 * (1 / (base_ps * base_ps) + 1 / (new_ps * new_ps));
}

static bool is_rare(const struct rows_tester *d, const struct compared *v)
{
	return v->evidence == EVIDENCE_TEST &&
	       measure_at(d->measure->id)->dimension == DIMENSION_TIME &&
	       (!tester_is_regular(v->base) || !tester_is_regular(v->new));
}

double compared_grid(const struct compared *value, const struct compared_measure *measure)
{
	const double grid =
		fmax(value->base ? value->base->grid : 0, value->new ? value->new->grid : 0);

	return grid > 0 ? grid : measure->resolution;
}

double tester_floor(const struct rows_tester *d, const struct compared *v)
{
	const double q = compared_grid(v, d->measure), mean = (v->base_mean + v->new_mean) / 2;

	return q > 0 && mean > 0 ? q * q / 12 / (mean * mean) : 0;
}

static void add_known(const struct run_row *row, double *sum, size_t *known)
{
	for (size_t r = 0; r < row->runs; r++) {
		if (isnan(row->run[r].step_variance))
			continue;
		*sum += row->run[r].step_variance;
		++*known;
	}
}

/* Variance that the steps leave in a run value, mean over the runs of both sides; NaN: not
 * known. */
static double step_variance_of(const struct compared *v)
{
	double sum = 0;
	size_t known = 0;

	if (v->evidence != EVIDENCE_TEST)
		return NAN;
	add_known(v->base, &sum, &known);
	add_known(v->new, &sum, &known);
	return known > 0 ? sum / (double)known : NAN;
}

/* The variance of a run of the typical op; 0 without any. */
static double typical_variance(const struct rows_tester *d, const struct moderated_op *op)
{
	double *variance = arena_array(d->scratch, d->count, sizeof(*variance));
	size_t n = 0;

	for (size_t i = 0; i < d->count; i++)
		if (op[i].state == MODERATED_FAMILY)
			variance[n++] = op[i].s2_posterior;
	return n > 0 ? sample_quantile(variance, n, 0.5) : 0;
}

/* Few equal values are no evidence that nothing varies: a rare op without spread has, beside its
 * resolution, the variance of the typical op. */
static void test_without_spread(const struct rows_tester *d, struct compared *v,
	const struct moderated_op *op, double typical)
{
	const double runs =
		(op->runs_base ? 1 / (double)op->runs_base : 0) + 1 / (double)op->runs_new;

	v->rare = is_rare(d, v);
	v->evidence = EVIDENCE_FLOOR;
	row_test_conclude(v, op->diff,
		v->rare ? sqrt(op->se * op->se + typical * runs + rare_rounding(v)) : op->se,
		op->df, false);
}

static const char *lack_of_test(enum moderated_state state)
{
	return state == MODERATED_FEW_RUNS
		       ? "it has values on both sides in fewer than 2 rounds"
		       : "no spread between runs, and the resolution of the times is not known";
}

static void test_moderated(struct rows_tester *d)
{
	const bool usual = d->opt->method != METHOD_LIMMA;
	const double sides = is_paired(d) ? 2 : 1; /* in one value: both have their variance */
	struct moderated_data data = tester_tested(d);
	struct moderated_op *op = arena_array(d->scratch, d->count, sizeof(*op));
	double *floor = arena_array(d->scratch, d->count, sizeof(*floor));
	double *step_variance = arena_array(d->scratch, d->count, sizeof(*step_variance));
	double *level = arena_array(d->scratch, d->count, sizeof(*level));
	size_t *group = arena_array(d->scratch, d->count, sizeof(*group));
	double typical;
	struct moderated_options opt = {.confidence = d->opt->confidence,
		.plain = !usual,
		.by_mean = usual,
		.robust = usual,
		.hidden_outliers = usual,
		.cautious = usual,
		.ratio = usual && !is_paired(d),
		.prior_least = is_paired(d) ? MODERATED_SPLIT_OPS : 0,
		.level = is_paired(d) ? level : NULL,
		.group = usual ? group : NULL,
		.step_variance = usual ? step_variance : NULL,
		.floor = floor};

	for (size_t i = 0; i < d->count; i++) {
		floor[i] = sides * tester_floor(d, d->row[i].value);
		step_variance[i] = sides * step_variance_of(d->row[i].value);

		/* The op's mean logarithm over all runs; 0 where it is not tested on logarithms. */
		const double *x = tester_logs(d, i);
		double sum = 0;
		size_t n = 0;

		for (size_t r = 0; r < d->runs; r++)
			if (!isnan(x[r])) {
				sum += x[r];
				n++;
			}
		level[i] = n > 0 ? sum / (double)n : 0;
		group[i] = d->row[i].group;
	}
	d->asked = opt;
	moderated_test(&data, &opt, op, &d->measure->moderated);
	typical = typical_variance(d, op);
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;

		if (v->evidence != EVIDENCE_TEST)
			continue;
		v->detail = op[i];
		if (op[i].state == MODERATED_FLOOR) {
			test_without_spread(d, v, &op[i], typical);
			continue;
		}
		if (op[i].state == MODERATED_FAMILY) {
			row_test_conclude(v, op[i].diff, op[i].se, op[i].df, false);
			if (op[i].hidden_outlier > 0)
				row_test_allow_hidden_outlier(
					v, op[i].hidden_outlier, op[i].hidden_outlier_se);
			continue;
		}
		v->evidence = EVIDENCE_NONE;
		v->diff = op[i].diff;
		v->reason = lack_of_test(op[i].state);
	}
}

void tester_read_sample(struct rows_tester *d, size_t i)
{
	const double *x = tester_tested_row(d, i);
	const size_t runs = is_paired(d) ? d->runs_base : d->runs;

	d->sample.base_n = d->sample.new_n = 0;
	for (size_t r = 0; r < runs; r++) {
		if (isnan(x[r]))
			continue;
		if (r < d->runs_base) {
			d->sample.base_run[d->sample.base_n] = r;
			d->sample.base[d->sample.base_n++] = x[r];
		} else {
			d->sample.new_run[d->sample.new_n] = r - d->runs_base;
			d->sample.new[d->sample.new_n++] = x[r];
		}
	}
}

static bool varies(const double *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (x[i] != x[0])
			return true;
	return false;
}

/* True if there is any spread within the sides. Ranks have no standard error that would say so. */
static bool has_spread(const struct rows_tester *d, const struct compared *v)
{
	if (d->opt->method != METHOD_RANKSUM)
		return v->se > 0;
	return varies(d->sample.base, d->sample.base_n) || varies(d->sample.new, d->sample.new_n);
}

static void test_one_by_one(struct rows_tester *d)
{
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;

		if (v->evidence != EVIDENCE_TEST)
			continue;
		tester_read_sample(d, i);
		if (d->opt->method == METHOD_RANKSUM)
			row_test_ranks(v, &d->tables, &d->sample);
		else
			row_test_welch(v, &d->sample);
		if (!has_spread(d, v)) {
			/* No spread at all: only the resolution is left to test with. */
			double floor = tester_floor(d, v);

			if (!(floor > 0)) {
				v->evidence = EVIDENCE_NONE;
				v->reason = lack_of_test(MODERATED_CONSTANT);
				continue;
			}
			v->rare = is_rare(d, v);
			v->evidence = EVIDENCE_FLOOR;
			row_test_conclude(v, v->diff,
				sqrt(floor * (1 / (double)d->sample.base_n +
						     1 / (double)d->sample.new_n) +
					(v->rare ? rare_rounding(v) : 0)),
				(double)(d->sample.base_n + d->sample.new_n - 2), false);
		}
	}
}

/* Variance that the steps of all its runs leave in the side's mean. */
static double steps_of_mean(const struct run_row *row)
{
	double sum = 0;
	size_t known = 0;

	add_known(row, &sum, &known);
	return known > 0 ? sum / (double)known / (double)row->valued : 0;
}

/* Variance of the difference of the logarithms, and its degrees of freedom. Runs of the noise file
 * have their steps in their spread already. */
static double known_variance(const struct rows_tester *d, const struct decide_row *row, double *df)
{
	const struct compared *v = row->value;
	double runs = 1 / (double)v->base->runs + 1 / (double)v->new->runs;
	double cv = d->opt->run_cv;

	*df = INFINITY;
	if (!isnan(cv))
		return cv * cv * runs + steps_of_mean(v->base) + steps_of_mean(v->new);
	return runs * (row->name ? noise_variance(d->opt->noise, row->name, d->measure->id, df)
				 : noise_total_variance(d->opt->noise, d->measure->id, df));
}

static double mean_log(const struct run_row *row)
{
	double sum = 0;

	for (size_t r = 0; r < row->runs; r++)
		if (!isnan(row->run[r].scaled))
			sum += row->run[r].scaled;
	return row->zero || !row->valued ? NAN : sum / (double)row->valued;
}

static double part_of_df(const struct run_value *value, double variance)
{
	const double share = value->interval_variance / variance;

	return value->interval_variance > 0 ? share * share / value->interval_df : 0;
}

/* Variance that the steps of the single runs leave, as the interval of a mean in a report: NaN
 * where a run has steps that are worth fewer than 5. */
static double variance_of_steps(const struct compared *v, double *df)
{
	const struct run_value *base = v->base->run, *new = v->new->run;
	double variance = (base->interval_variance > 0 ? base->interval_variance : 0) +
			  (new->interval_variance > 0 ? new->interval_variance : 0);

	*df = 1 / (part_of_df(base, variance) + part_of_df(new, variance)); /* Satterthwaite */
	return isnan(*df) ? NAN : variance;
}

/* One run against several: it is taken to vary as those of the other side do, the t of two samples
 * of which one has a single value. NaN: the interval would be too long to say anything. */
static double variance_of_runs(const struct rows_tester *d, double confidence, double *df)
{
	const struct row_test_sample *x = &d->sample;
	const double *several = x->base_n > 1 ? x->base : x->new;
	const size_t n = x->base_n > 1 ? x->base_n : x->new_n;
	struct moments m;
	double variance;

	moments_compute(several, n, &m);
	*df = (double)n - 1;
	variance = moments_variance(&m, false) * (1 + 1 / (double)n);
	return moments_half_width(sqrt(variance), *df, confidence) > log(FACTOR_MOST) ? NAN
										      : variance;
}

static void levels_of_runs(struct rows_tester *d, const struct run_row *row,
	const uint32_t *session, size_t runs, struct levels *out)
{
	double *value = arena_array(d->scratch, runs, sizeof(*value));
	size_t *of = arena_array(d->scratch, runs, sizeof(*of));
	const struct levels_data data = {.runs = runs, .value = value, .session = of};

	for (size_t r = 0; r < runs; r++) {
		value[r] = row->run[r].scaled;
		of[r] = session[r];
	}
	levels_estimate(&data, NAN, out);
}

/* The session is the unit. */
static void test_sessions(struct rows_tester *d, struct compared *v)
{
	const struct compare_sessions *of = d->opt->sessions;
	struct levels base, new_side;
	struct levels_error error;

	levels_of_runs(d, v->base, of->base, of->base_runs, &base);
	levels_of_runs(d, v->new, of->new, of->new_runs, &new_side);
	if (base.units[LEVEL_SESSION] < COMPARE_SESSIONS_LEAST || !new_side.units[LEVEL_SESSION]) {
		v->evidence = EVIDENCE_NONE;
		v->reason = "it has values in too few sessions of base";
		return;
	}
	levels_error(&base,
		&(struct levels_gate){1 / new_side.holds[LEVEL_SESSION],
			new_side.holds[LEVEL_SESSION] / new_side.holds[LEVEL_RUN], 1},
		&error);
	error.variance =
		fmax(error.variance, tester_floor(d, v) * (1 / (double)base.units[LEVEL_SESSION] +
								  new_side.holds[LEVEL_SESSION]));
	if (!(error.variance > 0)) {
		v->evidence = EVIDENCE_NONE;
		v->reason = lack_of_test(MODERATED_CONSTANT);
		return;
	}
	if (!(error.df > 0)) /* sessions without a spread, at the resolution */
		error.df = base.part[LEVEL_SESSION].df;
	row_test_conclude(v, new_side.mean - base.mean, sqrt(error.variance), error.df, false);
}

/* One run on a side. */
static void test_few(struct rows_tester *d, const struct decide_row *row)
{
	struct compared *v = row->value;
	double diff = mean_log(v->new) - mean_log(v->base), df, variance;

	row_test_read(v, false, &d->sample);
	if (v->evidence == EVIDENCE_GIVEN && (!isnan(d->opt->run_cv) || d->opt->noise))
		variance = known_variance(d, row, &df);
	else if (d->sample.base_n > 1 || d->sample.new_n > 1)
		variance = variance_of_runs(d, v->level, &df);
	else
		variance = variance_of_steps(v, &df);

	if (isnan(diff) || !(variance > 0)) {
		v->evidence = EVIDENCE_ONE_RUN;
		v->reason = "one run on a side";
		return;
	}
	row_test_conclude(v, diff, sqrt(variance), df, false);
	if (v->evidence == EVIDENCE_GIVEN)
		return;
	v->p = v->p_above = v->p_below = v->p_same = v->t = NAN;
	v->reason = "one run on a side";
}

void tester_test(struct rows_tester *d)
{
	tester_take_common(d);
	if (has_prior(d->opt->method))
		test_moderated(d);
	else
		test_one_by_one(d);
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;

		if (v->evidence == EVIDENCE_GIVEN && d->opt->sessions)
			test_sessions(d, v);
		else if (v->evidence == EVIDENCE_GIVEN || v->evidence == EVIDENCE_ONE_RUN)
			test_few(d, &d->row[i]);
		if (v->evidence != EVIDENCE_LINEAR)
			continue;
		row_test_read(v, true, &d->sample);
		row_test_linear(v, &d->tables, &d->sample);
		if (!(v->se > 0)) {
			v->evidence = EVIDENCE_NONE;
			v->reason = "0 in all runs of a side, all of the other alike: no spread to "
				    "test with";
		}
	}
	for (size_t i = 0; i < d->count; i++) {
		d->row[i].value->own_se = d->row[i].value->se;
		d->row[i].value->own_df = d->row[i].value->df;
	}
	tester_add_common(d);
	tester_add_presence(d);
	tester_add_rounding(d);
}
