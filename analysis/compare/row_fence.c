/*
 * Runs that lie far off in what is tested: logarithms, differences by round, or what is left of
 * both without what all ops share. One disturbed run among ten hides a change of 5 %: in its rows,
 * and in what all rows share where it is disturbed as a whole. Such runs leave both sides alike:
 * beyond the same distance from the median of their side. Its scale is the median distance of the
 * runs of both sides, so that a change between the sides is none.
 */
#include <math.h>
#include <string.h>
#include "analysis/compare/decider.h"
#include "stats/fisher.h"
#include "stats/sample.h"

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
	struct decider *d;
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
	const double *x = decider_tested_row(f->d, i);
	struct fence *out = &f->fence[i];
	const double floor = decider_floor(f->d, f->d->row[i].value);
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

	return fence->reach > 0 && fabs(decider_tested_row(f->d, i)[run] -
					   fence->middle[run >= f->base]) > fence->reach;
}

/* Far off, but where the other side is: a level that runs of both sides may have (an algorithm, a
 * run of the other side), no disturbance. */
static bool is_of_other_side(const struct fencer *f, size_t i, size_t run)
{
	const struct fence *fence = &f->fence[i];

	return f->base > 0 && fabs(fence->middle[1] - fence->middle[0]) > fence->reach / 2 &&
	       is_beyond(f, i, run) &&
	       !(fabs(decider_tested_row(f->d, i)[run] - fence->middle[run < f->base]) >
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
			if (!is_tested(f, i) || isnan(decider_tested_row(f->d, i)[r]))
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
		const bool known = !isnan(decider_tested_row(f->d, i)[r]);

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
	const struct decider *d = f->d;
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
	struct compared *v = f->d->row[i].value;

	for (size_t r = 0; r < f->runs; r++)
		if (out[r])
			decider_tested_row(f->d, i)[r] = NAN;
	v->far_off = (struct far_off){.base = f->base ? count[0] : count[1],
		.new = count[1],
		.run = flags_of_runs(f, out)};
	v->base_mean = mean_of_rest(v, false);
	v->new_mean = mean_of_rest(v, true);
	v->difference = v->new_mean - v->base_mean;
	v->change = v->new_mean / v->base_mean - 1;
	return decider_set_rule(f->d, &f->d->row[i], err);
}

bool compared_is_far_off(const struct compared *value, bool of_new, size_t run)
{
	return value->far_off.run && value->far_off.run[of_new ? value->base->runs + run : run];
}

int decider_fence(struct decider *d, struct error *err)
{
	const struct moderated_data data = decider_tested(d);
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
