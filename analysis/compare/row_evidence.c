/* Facts of a row before any test: its means, its margin, and which test can be made of its runs, if
 * any. */
#include <math.h>
#include <string.h>
#include "analysis/compare/row_test.h"
#include "stats/sample.h"
#include "stats/tests.h"

/* Steps of a run in which an op has to run to be a regular part of it. */
#define REGULAR_STEPS 5
/* Relative; of a product of two doubles. */
#define ROUNDING 1e-12

void decide_means(struct compared *v)
{
	v->low = v->high = v->level = NAN;
	v->diff = v->se = v->df = v->t = v->p = v->q = v->own_se = v->own_df = NAN;
	v->p_above = v->q_above = v->p_below = v->q_below = v->p_same = NAN;
	v->detectable = v->detectable_slower = NAN;
	v->p_presence = v->q_presence = NAN;
	v->presence_variance = v->rounding_variance = v->rounding_shift = 0;
	v->limited = false;
	v->withheld = v->by_direction = false;
	v->rare = v->of_centres = false;
	v->flagged = v->in_family = v->fragile_run = v->fragile_step = false;
	v->far_off = (struct far_off){0};
	v->reason = NULL;
	v->evidence = EVIDENCE_NONE;
	v->verdict = VERDICT_NONE;
	v->base_mean = v->base ? v->base->mean : NAN;
	v->new_mean = v->new ? v->new->mean : NAN;
	v->change = NAN;
	/* A side that is missing is 0; one that is not known leaves the difference unknown. */
	v->difference = (v->new ? v->new_mean : 0) - (v->base ? v->base_mean : 0);
	if (v->base_mean > 0 && !isnan(v->new_mean))
		v->change = v->new_mean / v->base_mean - 1;
}

double compare_margin_absolute(const struct compare_options *opt, enum measure_id id)
{
	const enum dimension dimension = measure_at(id)->dimension;

	if (!isnan(opt->rule.margin_absolute))
		return opt->rule.margin_absolute;
	return dimension == DIMENSION_TIME    ? opt->margin_ps
	       : dimension == DIMENSION_BYTES ? opt->margin_bytes
					      : NAN;
}

static int apply_rule(
	struct rows_tester *d, const struct decide_row *row, size_t *min_runs, struct error *err)
{
	const struct compare_options *opt = d->opt;
	struct compare_rule standard = opt->rule;
	const struct compare_rule *rule = &standard;

	standard.margin_absolute = compare_margin_absolute(opt, d->measure->id);
	if (opt->rule_of)
		rule = opt->rule_of(opt->rule_context, row->name, d->measure->id, err);
	if (!rule)
		return -1;

	/* All margins that are given; a change must be beyond the largest. */
	double base = row->value->base_mean, units = 0;

	if (!isnan(rule->margin_relative))
		units = rule->margin_relative * base;
	if (!isnan(rule->margin_absolute))
		units = fmax(units, rule->margin_absolute);
	if (!isnan(rule->margin_share))
		units = fmax(units, rule->margin_share * d->measure->total.base_mean);
	row->value->margin_units = units;
	row->value->margin = base > 0 ? units / base : units > 0 ? INFINITY : 0;
	row->value->alpha = rule->alpha;
	row->value->watch = rule->watch;
	row->value->level = opt->confidence;
	*min_runs = rule->min_runs;
	return 0;
}

/* Several runs, all of the same value: what is counted is the program's, and no chance is in it. */
static bool same_in_all_runs(const struct run_row *row)
{
	for (size_t r = 1; r < row->runs; r++)
		if (row->run[r].value != row->run[0].value)
			return false;
	return row->runs > 1 && !isnan(row->run[0].value);
}

/* An op that did not run has no value beside 0. */
static bool are_constant(const struct compared *v)
{
	return v->base->constant && v->new->constant && !v->base->ran == !v->new->ran;
}

/* A whole number of the unit, more than once. */
static bool is_repeated_count(const struct run_row *row, double factor)
{
	for (size_t r = 0; r < row->runs; r++)
		if (fmod(row->run[r].value, factor) != 0)
			return false;
	return row->runs > 1 || (row->runs && row->run[0].ran > 1);
}

/* Bytes and counts repeat where nothing changes; times and rates do not. A unit that a file brings
 * along counts where all values are whole ("allocs/op", "errors"). */
static bool is_exact(const struct compared *v, enum measure_id id)
{
	const enum dimension dimension = measure_at(id)->dimension;
	bool repeats = dimension != DIMENSION_TIME && dimension <= DIMENSION_FRACTION;

	if (dimension >= DIMENSION_OWN && !dimension_is_rate(dimension)) {
		const double factor = (double)unit_choose(dimension, 0)->factor;

		repeats = is_repeated_count(v->base, factor) && is_repeated_count(v->new, factor);
	}

	if (are_constant(v))
		return repeats || (v->base->mean == 0 && v->new->mean == 0);
	return repeats && same_in_all_runs(v->base) && same_in_all_runs(v->new);
}

static double exact_value(const struct compared *v, const struct run_row *row)
{
	return are_constant(v) ? row->constant_value : row->run[0].value;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Runs lack a value where it is not known, or where the op did not run and such steps do not
 * count. */
static const char *lack_of_values(const struct compared *v)
{
	if (v->base->undefined || v->new->undefined)
		return v->base->undefined ? v->base->undefined : v->new->undefined;
	if (v->base->lost || v->new->lost)
		return "no value is known in some run";
	return "it ran in fewer than 2 runs of a side, and steps without it are skipped";
}

/* Which test, if any. */
static void classify(
	struct compared *v, enum measure_id id, size_t min_runs, const struct compare_options *opt)
{
	const bool is_spread_given = !isnan(opt->run_cv) || opt->noise;
	const size_t runs = least(v->base->runs, v->new->runs);
	const size_t valued = least(v->base->valued, v->new->valued);
	const size_t most = v->base->valued + v->new->valued - valued;

	if (!valued) {
		v->reason = lack_of_values(v);
	} else if (is_exact(v, id)) {
		/* Without a test: beyond the margin or not. At the margin is within it, however it
		 * was rounded. */
		const double before = exact_value(v, v->base), after = exact_value(v, v->new);

		v->evidence = EVIDENCE_EXACT;
		v->change = before > 0 ? after / before - 1 : after == before ? 0 : NAN;
		if (after - before > v->margin_units * (1 + ROUNDING))
			v->verdict = VERDICT_REGRESSED;
		else if (before > 0 && after < before / (1 + v->margin) * (1 - ROUNDING))
			v->verdict = VERDICT_IMPROVED;
		else
			v->verdict = VERDICT_SAME;
	} else if (opt->sessions) {
		if (v->base->zero || v->new->zero)
			v->reason = "0 in some run, where sessions cannot be told from chance";
		else if (v->base->runs != opt->sessions->base_runs ||
			 v->new->runs != opt->sessions->new_runs)
			v->reason = "its runs are not those of the sessions";
		else
			v->evidence = EVIDENCE_GIVEN;
	} else if (runs < min_runs) {
		v->reason = "fewer runs than the policy asks for";
	} else if (runs < 2) {
		v->evidence = is_spread_given || most >= COMPARE_NOISE_RUNS ? EVIDENCE_GIVEN
									    : EVIDENCE_ONE_RUN;
	} else if (valued < 2 || v->base->undefined || v->new->undefined) {
		v->reason = lack_of_values(v);
	} else if (valued < min_runs) {
		v->reason = "values in fewer runs than the policy asks for";
	} else if (v->base->zero || v->new->zero) {
		v->evidence = EVIDENCE_LINEAR;
	} else {
		v->evidence = EVIDENCE_TEST;
	}
}

/* In every run, and in some steps of each: not there by accident. Static values know no steps. */
bool tester_is_regular(const struct run_row *row)
{
	for (size_t r = 0; r < row->runs && row->steps; r++) {
		const struct run_value *v = &row->run[r];

		if (v->ran < REGULAR_STEPS && v->ran < v->kept)
			return false;
	}
	return true;
}

/* The op is on one side only. Its steps in a run are not independent: the runs that have it are
 * counted. */
static void test_presence(const struct rows_tester *d, struct compared *v)
{
	const struct run_row *row = v->base ? v->base : v->new;
	const size_t others = v->base ? d->runs - d->runs_base : d->runs_base;
	size_t present = 0;

	for (size_t r = 0; r < row->runs; r++)
		present += row->run[r].ran > 0;
	v->p_presence = row->steps ? fisher_test(present, row->runs, 0, others) : NAN;
}

void tester_decide_presence(struct rows_tester *d)
{
	size_t *member = arena_array(d->scratch, d->count, sizeof(*member)), n = 0;
	double *q = arena_array(d->scratch, d->count, sizeof(*q));

	for (size_t i = 0; i < d->count; i++) {
		const struct compared *v = d->row[i].value;

		if (v->base && v->new)
			continue;
		q[n] = v->p_presence;
		member[n++] = i;
	}
	multiple_adjust(d->opt->adjust, q, n, q);
	for (size_t i = 0; i < n; i++) {
		struct compared *v = d->row[member[i]].value;

		v->q_presence = d->opt->shares ? fmin(1, q[i] * d->opt->shares->presence) : q[i];
		if (d->opt->benchmarks) {
			if ((v->base ? v->base : v->new)->valued)
				v->verdict = v->base ? VERDICT_LOST : VERDICT_NEW;
			else
				v->reason = "not measured";
			continue;
		}
		/* Few runs cannot show by counts what each of their steps shows. */
		if (tester_is_regular(v->base ? v->base : v->new) || v->q_presence < v->alpha)
			v->verdict = v->base ? VERDICT_GONE : VERDICT_NEW;
		else
			v->verdict = VERDICT_RARE;
	}
}

/* Before any test: means, margins, and what needs none. */
int tester_prepare_row(struct rows_tester *d, const struct decide_row *row, struct error *err)
{
	struct compared *v = row->value;
	size_t min_runs;

	decide_means(v);
	if (d->opt->benchmarks && (!v->base || !v->new))
		v->difference = NAN; /* what is not measured is not 0 */
	if (apply_rule(d, row, &min_runs, err) < 0)
		return -1;
	if (!v->base || !v->new)
		test_presence(d, v);
	else if (v->small)
		v->reason = "small: tested with the others of its kind";
	else if (d->opt->benchmarks && (!v->base->valued || !v->new->valued)) {
		/* A benchmark without a value in all runs of a side. */
		if (v->base->undefined || v->new->undefined)
			v->reason = lack_of_values(v);
		else if (v->base->valued || v->new->valued)
			v->verdict = v->base->valued ? VERDICT_LOST : VERDICT_NEW;
		else
			v->reason = "not measured";
	} else
		classify(v, d->measure->id, min_runs, d->opt);
	return 0;
}

/* Runs that lie far off in what is tested: logarithms, differences by round, or what is left of
 * both without what all ops share. One disturbed run among ten hides a change of 5 %: in its rows,
 * and in what all rows share where it is disturbed as a whole. Such runs leave both sides alike:
 * beyond the same distance from the median of their side. Its scale is the median distance of the
 * runs of both sides, so that a change between the sides is none. */

#define FENCE_SD 8	     /* so many robust standard deviations; chosen by simulation */
#define FENCE_FEW_RUNS 2.5   /* over the number of runs: by so much the scale of few is too small */
#define FENCE_RUNS_LEAST 5   /* of a side have to be left */
#define NORMAL_MEDIAN 1.4826 /* sd of a normal distribution over its median distance */
/* Level of Fisher's test: runs that are far off on one side more often are a change, not a
 * disturbance. */
#define FENCE_SIDES_P 0.05
/* Part of its rows: a run that is far off in more is left out of all. */
#define FENCE_WHOLE (1 / 3.0)

/* The values that are tested of a row lie around its middle, by side; rounds are all of new. */
struct fence {
	double middle[2], reach; /* NaN: without values */
};

struct fencer {
	struct rows_tester *d;
	size_t base, runs;   /* of what is tested */
	struct fence *fence; /* of each row */
	bool *whole;	     /* of each run: left out of all rows */
};

static bool is_tested(const struct fencer *f, size_t i)
{
	return f->d->row[i].value->evidence == EVIDENCE_TEST;
}

static void find_fence(const struct fencer *f, size_t i, double *room)
{
	const double *x = tester_tested_row(f->d, i);
	struct fence *out = &f->fence[i];
	const double floor = tester_floor(f->d, f->d->row[i].value);
	size_t n = 0, first = 0;

	for (size_t r = 0; r < f->runs; r++) {
		if (r == f->base) {
			out->middle[0] = n ? sample_quantile(room, n, 0.5) : NAN;
			first = n;
		}
		if (!isnan(x[r]))
			room[n++] = x[r];
	}
	out->middle[1] = n > first ? sample_quantile(room + first, n - first, 0.5) : NAN;
	n = 0;
	for (size_t r = 0; r < f->runs; r++)
		if (!isnan(x[r]))
			room[n++] = fabs(x[r] - out->middle[r >= f->base]);
	out->reach =
		n ? FENCE_SD * fmax(sqrt(floor), NORMAL_MEDIAN * sample_quantile(room, n, 0.5) *
							 (1 + FENCE_FEW_RUNS / (double)n))
		  : NAN;
}

static bool is_beyond(const struct fencer *f, size_t i, size_t run)
{
	const struct fence *fence = &f->fence[i];

	return fence->reach > 0 &&
	       fabs(tester_tested_row(f->d, i)[run] - fence->middle[run >= f->base]) > fence->reach;
}

/* Far off, but where the other side is: a level that runs of both sides may have (an algorithm, a
 * run of the other side), no disturbance. */
static bool is_of_other_side(const struct fencer *f, size_t i, size_t run)
{
	const struct fence *fence = &f->fence[i];

	return f->base > 0 && fabs(fence->middle[1] - fence->middle[0]) > fence->reach / 2 &&
	       is_beyond(f, i, run) &&
	       !(fabs(tester_tested_row(f->d, i)[run] - fence->middle[run < f->base]) >
		       fence->reach);
}

static bool has_levels(const struct fencer *f, size_t i)
{
	bool any = false;

	for (size_t r = 0; r < f->runs && !any; r++)
		any = is_of_other_side(f, i, r);
	return any;
}

/* May these runs of a row, or of all, be left out? of[]: those that there are, by side. */
static bool may_leave(const struct fencer *f, const size_t out[2], const size_t of[2])
{
	if (!(out[0] + out[1]) || of[1] - out[1] < FENCE_RUNS_LEAST)
		return false;
	return f->base == 0 || (of[0] - out[0] >= FENCE_RUNS_LEAST &&
				       fisher_test(out[0], of[0], out[1], of[1]) >= FENCE_SIDES_P);
}

/* Runs that are far off in many of their rows. */
static void find_whole(struct fencer *f)
{
	const size_t of[2] = {f->base, f->runs - f->base};
	size_t out[2] = {0, 0};

	for (size_t r = 0; r < f->runs; r++) {
		size_t beyond = 0, rows = 0;

		for (size_t i = 0; i < f->d->count; i++) {
			if (!is_tested(f, i) || isnan(tester_tested_row(f->d, i)[r]))
				continue;
			rows++;
			beyond += is_beyond(f, i, r) && !is_of_other_side(f, i, r);
		}
		f->whole[r] = rows && (double)beyond > FENCE_WHOLE * (double)rows;
		out[r >= f->base] += f->whole[r];
	}
	if (!may_leave(f, out, of))
		memset(f->whole, 0, f->runs * sizeof(*f->whole));
}

/* Writes those of row i into out[runs], with their numbers by side; `single`: also those of this
 * row alone. False: they stay. */
static bool choose(const struct fencer *f, size_t i, bool single, bool *out, size_t count[2])
{
	size_t of[2] = {0, 0};

	count[0] = count[1] = 0;
	single = single && !has_levels(f, i);
	for (size_t r = 0; r < f->runs; r++) {
		const bool known = !isnan(tester_tested_row(f->d, i)[r]);

		out[r] = known && (f->whole[r] || (single && is_beyond(f, i, r)));
		count[r >= f->base] += out[r];
		of[r >= f->base] += known;
	}
	return may_leave(f, count, of);
}

static double mean_of_rest(const struct compared *v, bool of_new)
{
	const struct run_row *row = of_new ? v->new : v->base;
	double sum = 0;
	size_t n = 0;

	for (size_t r = 0; r < row->runs; r++) {
		if (isnan(row->run[r].value) || compared_is_far_off(v, of_new, r))
			continue;
		sum += row->run[r].value;
		n++;
	}
	return sum / (double)n;
}

/* The flags of runs from those of what is tested: a round is a run of each side. */
static const bool *flags_of_runs(const struct fencer *f, const bool *tested)
{
	const struct rows_tester *d = f->d;
	bool *run = arena_array(d->measure->arena, d->runs, sizeof(*run));

	for (size_t r = 0; r < f->runs; r++) {
		if (f->runs == d->runs) {
			run[r] = tested[r];
			continue;
		}
		run[r] = tested[r];
		run[d->runs_base + d->opt->round[r]] = tested[r];
	}
	return run;
}

/* Its means are those of what is tested. */
static int leave_out(
	const struct fencer *f, size_t i, const bool *out, const size_t count[2], struct error *err)
{
	size_t min_runs;
	struct compared *v = f->d->row[i].value;

	for (size_t r = 0; r < f->runs; r++)
		if (out[r])
			tester_tested_row(f->d, i)[r] = NAN;
	v->far_off = (struct far_off){.base = f->base ? count[0] : count[1],
		.new = count[1],
		.run = flags_of_runs(f, out)};
	v->base_mean = mean_of_rest(v, false);
	v->new_mean = mean_of_rest(v, true);
	v->difference = v->new_mean - v->base_mean;
	v->change = v->new_mean / v->base_mean - 1;
	return apply_rule(f->d, &f->d->row[i], &min_runs, err);
}

bool compared_is_far_off(const struct compared *value, bool of_new, size_t run)
{
	return value->far_off.run && value->far_off.run[of_new ? value->base->runs + run : run];
}

int tester_fence(struct rows_tester *d, struct error *err)
{
	const struct moderated_data data = tester_tested(d);
	struct fencer f = {.d = d, .base = data.runs_base, .runs = data.runs_base + data.runs_new};
	double *room = arena_array(d->scratch, f.runs, sizeof(*room));
	bool *out = arena_array(d->scratch, f.runs, sizeof(*out));
	size_t count[2], whole = 0;

	d->measure->whole = NULL;
	if ((d->opt->method != METHOD_MODERATED && d->opt->method != METHOD_PAIRED) ||
		!d->measure->arena || data.runs_new <= FENCE_RUNS_LEAST)
		return 0;
	f.fence = arena_array(d->scratch, d->count, sizeof(*f.fence));
	f.whole = arena_array(d->scratch, f.runs, sizeof(*f.whole));
	for (size_t i = 0; i < d->count; i++)
		if (is_tested(&f, i))
			find_fence(&f, i, room);
	find_whole(&f);
	for (size_t r = 0; r < f.runs; r++)
		whole += f.whole[r];
	if (whole)
		d->measure->whole = flags_of_runs(&f, f.whole);
	for (size_t i = 0; i < d->count; i++)
		if (is_tested(&f, i) &&
			(choose(&f, i, true, out, count) || choose(&f, i, false, out, count)) &&
			leave_out(&f, i, out, count, err) < 0)
			return -1;
	return 0;
}
