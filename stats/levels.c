/* Nested random effects by unweighted means: Thomas & Hultquist (Annals of Statistics 6, 1978),
 * intervals of Ting, Burdick, Graybill, Jeyaratnam & Lu (Journal of Statistical Computation and
 * Simulation 35, 1990). */
#include "stats/levels.h"

#include <math.h>
#include <string.h>
#include <gsl/gsl_cdf.h>
#include "base/memory.h"
#include "stats/student.h"

#define RUN_DF_LEAST 2 /* one difference of two runs may be small by chance */
#define DF_MOST 1e5    /* of a quantile of F; it is as good as without end */

/* A unit of a level: its mean, and how much of the variance of each level is in that. */
struct unit_mean {
	long double mean;
	double holds[LEVELS];
	size_t of; /* the unit of the next level that it is in */
};

/* Sums over the units of one parent. Means are taken from the first, so that nothing cancels. */
struct siblings {
	size_t count;
	long double origin, sum, squares;
	double holds[LEVELS];
};

static void siblings_add(struct siblings *f, const struct unit_mean *unit)
{
	long double d;

	if (!f->count++)
		f->origin = unit->mean;
	d = unit->mean - f->origin;
	f->sum += d;
	f->squares += d * d;
	for (size_t l = 0; l < LEVELS; l++)
		f->holds[l] += unit->holds[l];
}

/* Squares of the units of this level within their parents, and what these expect; the parents'
 * means take the place of the units. Returns how many parents there are. */
static size_t climb(struct unit_mean *unit, size_t n, size_t parents, struct level_part *part)
{
	struct siblings *siblings = memory_alloc(memory_product(parents, sizeof(*siblings)));
	long double squares = 0;
	size_t count = 0;

	for (size_t u = 0; u < n; u++)
		siblings_add(&siblings[unit[u].of], &unit[u]);
	for (size_t p = 0; p < parents; p++) {
		struct siblings *f = &siblings[p];

		if (!f->count)
			continue;

		const double k = (double)f->count;
		struct unit_mean *mean = &unit[count++];

		squares += f->squares - f->sum * f->sum / k;
		part->df += k - 1;
		mean->mean = f->origin + f->sum / k;
		mean->of = p; /* its own number */
		for (size_t l = 0; l < LEVELS; l++) {
			part->expects[l] += f->holds[l] * (1 - 1 / k);
			mean->holds[l] = f->holds[l] / (k * k);
		}
	}
	for (size_t l = 0; l < LEVELS; l++)
		part->expects[l] = part->df > 0 ? part->expects[l] / part->df : 0;
	part->square = part->df > 0 ? (double)fmaxl(0, squares / part->df) : NAN;
	memory_free(siblings);
	return count;
}

/* Variance of one step: of all runs that know theirs, with the degrees of freedom of their steps.
 */
static void step_level(const struct levels_data *data, struct levels *out)
{
	struct level_part *part = &out->part[LEVEL_STEP];
	long double squares = 0;

	for (size_t r = 0; data->steps && data->variance && r < data->runs; r++) {
		const double df = data->steps[r] - 1;

		if (isnan(data->value[r]) || !(df > 0) || isnan(data->variance[r]))
			continue;
		squares += (long double)data->variance[r] * df;
		part->df += df;
		out->units[LEVEL_STEP] += (size_t)data->steps[r];
	}
	part->square = part->df > 0 ? (double)(squares / part->df) : NAN;
	part->expects[LEVEL_STEP] = part->df > 0;
}

static size_t count_of(const size_t *number, size_t n)
{
	size_t most = 0;

	for (size_t i = 0; number && i < n; i++)
		most = number[i] > most ? number[i] : most;
	return most + 1;
}

void levels_estimate(const struct levels_data *data, double confidence, struct levels *out)
{
	const size_t room = data->runs + 1;
	const size_t sessions = data->session ? count_of(data->session, data->runs) : data->runs;
	const size_t machines = count_of(data->machine, data->runs);
	struct unit_mean *unit = memory_alloc(memory_product(room, sizeof(*unit)));
	size_t *machine_of = memory_alloc(memory_product(sessions + 1, sizeof(*machine_of)));
	size_t n = 0;

	*out = (struct levels){.units = {0}};
	step_level(data, out);
	for (size_t r = 0; r < data->runs; r++) {
		const size_t session = data->session ? data->session[r] : r;

		if (isnan(data->value[r]))
			continue;
		unit[n] = (struct unit_mean){.mean = data->value[r], .of = session};
		if (out->part[LEVEL_STEP].df > 0 && data->steps[r] > 0)
			unit[n].holds[LEVEL_STEP] = 1 / data->steps[r];
		unit[n++].holds[LEVEL_RUN] = 1;
		machine_of[session] = data->machine ? data->machine[r] : 0;
	}
	out->units[LEVEL_RUN] = n;
	out->units[LEVEL_SESSION] = n = climb(unit, n, sessions, &out->part[LEVEL_RUN]);
	for (size_t u = 0; u < n; u++) {
		unit[u].of = machine_of[unit[u].of];
		unit[u].holds[LEVEL_SESSION] = 1;
	}
	out->units[LEVEL_MACHINE] = n = climb(unit, n, machines, &out->part[LEVEL_SESSION]);
	for (size_t u = 0; u < n; u++) {
		unit[u].of = 0;
		unit[u].holds[LEVEL_MACHINE] = 1;
	}
	if (climb(unit, n, 1, &out->part[LEVEL_MACHINE])) {
		out->mean = (double)unit->mean;
		memcpy(out->holds, unit->holds, sizeof(out->holds));
	}
	memory_free(machine_of);
	memory_free(unit);
	if (!isnan(confidence))
		levels_solve(confidence, out);
}

/* A variance as a sum of mean squares times weights. */
struct combination {
	double weight[LEVELS];
};

/* The level's variance: its mean square less what that expects of the levels below, each of which
 * is such a sum. */
static struct combination combination_of(
	const struct levels *levels, size_t level, const struct combination *below)
{
	struct combination c = {.weight = {0}};

	c.weight[level] = 1;
	for (size_t b = 0; b < level; b++)
		for (size_t l = 0; l <= b; l++)
			c.weight[l] -= levels->part[level].expects[b] * below[b].weight[l];
	return c;
}

/* The f with P(F(a, b) < f) = p, by halving: GSL's own inverse does not converge for some a and b.
 */
static double f_quantile(double p, double a, double b)
{
	double low = -30, high = 30; /* of its logarithm */

	a = fmin(a, DF_MOST);
	b = fmin(b, DF_MOST);
	for (int i = 0; i < 50; i++) {
		const double middle = (low + high) / 2;

		*(gsl_cdf_fdist_P(exp(middle), a, b) < p ? &low : &high) = middle;
	}
	return exp((low + high) / 2);
}

/* Squared distance of a bound from a difference of mean squares, `tail` on each side. With is_low
 * what is added may be as small as its chi-squared allows, and what is taken off as large. */
static double bound_square(
	const struct levels *levels, const struct combination *c, double tail, bool is_low)
{
	double square = 0;

	for (size_t q = 0; q < LEVELS; q++) {
		const struct level_part *a = &levels->part[q];
		const double x = c->weight[q] * a->square;
		double own;

		if (c->weight[q] == 0 || !(a->df > 0))
			continue;
		own = a->df / student_chi_squared_quantile(
				      (x > 0) == is_low ? 1 - tail : tail, a->df) -
		      1;
		square += own * own * x * x;
		for (size_t r = 0; r < LEVELS && x > 0; r++) {
			const struct level_part *b = &levels->part[r];
			const double y = -c->weight[r] * b->square;
			double f, other;

			if (!(y > 0) || !(b->df > 0))
				continue;
			f = f_quantile(is_low ? 1 - tail : tail, a->df, b->df);
			other = b->df / student_chi_squared_quantile(
						is_low ? tail : 1 - tail, b->df) -
				1;
			square +=
				((f - 1) * (f - 1) - own * own * f * f - other * other) / f * x * y;
		}
	}
	return fmax(0, square);
}

void levels_solve(double confidence, struct levels *out)
{
	const double tail = (1 - confidence) / 2;
	struct combination c[LEVELS];

	for (size_t l = 0; l < LEVELS; l++) {
		struct level_part *part = &out->part[l];

		part->variance = part->low = part->high = NAN;
		part->holds_below = false;
		memset(&c[l], 0, sizeof(c[l]));
		if (!(part->df > 0))
			continue;
		c[l] = combination_of(out, l, c);
		part->variance = 0;
		for (size_t k = 0; k <= l; k++) {
			part->variance +=
				c[l].weight[k] == 0 ? 0 : c[l].weight[k] * out->part[k].square;
			part->holds_below |= k < l && !(out->part[k].df > 0);
		}
		part->low = fmax(0, part->variance - sqrt(bound_square(out, &c[l], tail, true)));
		part->high = fmax(0, part->variance + sqrt(bound_square(out, &c[l], tail, false)));
	}
}

/* Adds `times` of a mean square to an error, Satterthwaite's way (1946). */
static void error_add(struct levels_error *e, const struct level_part *part, double times)
{
	const double v = times * part->square;
	const double old = e->df > 0 ? e->variance * e->variance / e->df : 0;

	if (!(part->df > 0) || !(v > 0))
		return;
	e->variance += v;
	e->df = e->variance * e->variance / (old + v * v / part->df);
}

void levels_error(
	const struct levels *levels, const struct levels_gate *gate, struct levels_error *out)
{
	const struct level_part *step = &levels->part[LEVEL_STEP], *run = &levels->part[LEVEL_RUN];
	const struct level_part *session = &levels->part[LEVEL_SESSION];
	const double recorded = (double)levels->units[LEVEL_SESSION];
	double runs, steps, per_step;

	*out = (struct levels_error){.variance = 0};
	if (!(session->df > 0)) {
		*out = (struct levels_error){.variance = NAN};
		return;
	}
	error_add(out, session, 1 / recorded + 1 / gate->sessions);
	/* Runs in a recorded session, and steps in a recorded run, as means count them. */
	runs = (1 / (gate->sessions * gate->runs)) - session->expects[LEVEL_RUN] / gate->sessions;
	error_add(out, run, runs);
	/* Runs need not be repeated for this. */
	per_step = gate->steps > 0 ? 1 / gate->steps
				   : session->expects[LEVEL_STEP] / session->expects[LEVEL_RUN];
	steps = per_step / (gate->sessions * gate->runs) -
		session->expects[LEVEL_STEP] / gate->sessions -
		fmax(0, runs) * run->expects[LEVEL_STEP];
	error_add(out, step, steps);
}

void levels_error_in_turns(const struct levels *levels, size_t pairs, struct levels_error *out)
{
	const struct level_part *run = &levels->part[LEVEL_RUN];

	*out = (struct levels_error){.variance = NAN};
	if (!(run->df >= RUN_DF_LEAST))
		return;
	out->variance =
		2 * fmax(run->square, run->expects[LEVEL_STEP] * levels->part[LEVEL_STEP].square) /
		(double)pairs;
	out->df = fmin((double)pairs - 1, run->df);
}

double levels_sees(const struct levels_error *error, double alpha, double power)
{
	if (!(error->df > 0))
		return NAN;
	return (student_quantile(alpha / 2, error->df) + student_quantile(1 - power, error->df)) *
	       sqrt(error->variance);
}
