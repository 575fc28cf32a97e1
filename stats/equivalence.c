/*
 * Equivalence and minimum-effect tests, and the power of the t test turned round for the difference
 * and for the number of runs.
 */
#include "stats/equivalence.h"

#include <math.h>
#include <stdbool.h>
#include "stats/student.h"

double equivalence_above(double diff, double se, double df, double margin)
{
	return se > 0 ? student_upper((diff - margin) / se, df) : NAN;
}

double equivalence_below(double diff, double se, double df, double margin)
{
	return se > 0 ? student_upper((margin - diff) / se, df) : NAN;
}

void equivalence_test(
	double diff, double se, double df, double low, double high, struct equivalence *out)
{
	out->t_low = se > 0 ? (diff - low) / se : NAN;
	out->t_high = se > 0 ? (diff - high) / se : NAN;
	out->p_low = equivalence_above(diff, se, df, low);
	out->p_high = equivalence_below(diff, se, df, high);
	out->p = out->p_low > out->p_high ? out->p_low : out->p_high;
}

static bool sensible(double alpha, int sides)
{
	return alpha > 0 && alpha < 1 && (sides == 1 || sides == 2);
}

double equivalence_power(double diff, double se, double df, double alpha, int sides)
{
	if (!sensible(alpha, sides) || !(se > 0))
		return NAN;
	return student_shifted_upper(student_quantile(alpha / sides, df), df, diff / se);
}

/* A rising function of one argument and the rest of what it needs. */
struct curve {
	double (*at)(const struct curve *c, double x);
	struct student_shifted student; /* at the t that a claim needs */
	double diff, sd, alpha;		/* of the number of runs */
	int sides;
};

struct curve_point {
	double x, y;
};

static struct curve_point point_at(const struct curve *c, double x)
{
	return (struct curve_point){x, c->at(c, x)};
}

/*
 * Regula falsi with the Illinois rule: an end that stays twice in a row counts half. The curve
 * rises from below the target at `low` to above it at `high`.
 */
static double solve(
	const struct curve *c, double target, struct curve_point low, struct curve_point high)
{
	double x = low.x;
	int stayed = 0; /* -1: the lower end moved last, 1: the upper one */

	low.y -= target;
	high.y -= target;
	for (int i = 0; i < 200 && high.x - low.x > 1e-13 * high.x; i++) {
		const double before = x;
		double value;

		x = low.x - low.y * (high.x - low.x) / (high.y - low.y);
		value = c->at(c, x) - target;
		if (value == 0 || fabs(x - before) <= 1e-13 * x)
			break;
		if (value < 0) {
			low = (struct curve_point){x, value};
			high.y /= stayed < 0 ? 2 : 1;
			stayed = -1;
		} else {
			high = (struct curve_point){x, value};
			low.y /= stayed > 0 ? 2 : 1;
			stayed = 1;
		}
	}
	return x;
}

static double power_of_shift(const struct curve *c, double shift)
{
	return student_shifted_at(&c->student, shift);
}

double equivalence_detectable(double se, double df, double alpha, int sides, double power)
{
	struct curve c = {.at = power_of_shift};
	struct curve_point low, high;
	double t;

	if (!sensible(alpha, sides) || !(se > 0) || !(df > 0) || !(power > alpha && power < 1))
		return NAN;
	t = student_quantile(alpha / sides, df);
	student_shifted_init(t, df, &c.student);
	/* Near t + the central quantile of the power, which is too much for few df and powers >
	 * 1/2. */
	low = high = point_at(&c, fmax(t, t + student_quantile(1 - power, df)));
	while (low.x > 0 && low.y >= power)
		low = point_at(&c, low.x > 1e-3 ? low.x * 0.8 : 0);
	for (; high.y < power; high = point_at(&c, high.x * 1.25))
		if (!(high.x < 1e12))
			return NAN;
	return se * solve(&c, power, low, high);
}

static double power_of_runs(const struct curve *c, double runs)
{
	return equivalence_power(
		c->diff, c->sd * sqrt(2 / runs), 2 * (runs - 1), c->alpha, c->sides);
}

double equivalence_runs(double diff, double sd, double alpha, int sides, double power)
{
	const struct curve c = {
		.at = power_of_runs, .diff = diff, .sd = sd, .alpha = alpha, .sides = sides};
	const double most = 1e6;
	struct curve_point low, high;

	if (!sensible(alpha, sides) || !(sd > 0) || !(diff > 0) || !(power > alpha && power < 1))
		return NAN;
	low = high = point_at(&c, 2);
	if (low.y >= power)
		return 2;
	for (; high.y < power; high = point_at(&c, high.x * 2)) {
		if (high.x > most)
			return INFINITY;
		low = high;
	}
	return solve(&c, power, low, high);
}
