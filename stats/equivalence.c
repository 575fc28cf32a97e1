/*
 * Equivalence and minimum-effect tests, and the power of the t test turned round for the
 * difference.
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

struct curve_point {
	double x, y;
};

/* The power at a shift. */
static struct curve_point point_at(const struct student_shifted *s, double x)
{
	return (struct curve_point){x, student_shifted_at(s, x)};
}

/*
 * Regula falsi with the Illinois rule: an end that stays twice in a row counts half. The curve
 * rises from below the target at `low` to above it at `high`.
 */
static double solve(const struct student_shifted *s, double target, struct curve_point low,
	struct curve_point high)
{
	double x = low.x;
	int stayed = 0; /* -1: the lower end moved last, 1: the upper one */

	low.y -= target;
	high.y -= target;
	for (int i = 0; i < 200 && high.x - low.x > 1e-13 * high.x; i++) {
		const double before = x;
		double value;

		x = low.x - low.y * (high.x - low.x) / (high.y - low.y);
		value = student_shifted_at(s, x) - target;
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

double equivalence_detectable(double se, double df, double alpha, int sides, double power)
{
	struct student_shifted student;
	struct curve_point low, high;
	double t;

	if (!sensible(alpha, sides) || !(se > 0) || !(df > 0) || !(power > alpha && power < 1))
		return NAN;
	t = student_quantile(alpha / sides, df);
	student_shifted_init(t, df, &student);
	/* Near t + the central quantile of the power, which is too much for few df and powers >
	 * 1/2. */
	low = high = point_at(&student, fmax(t, t + student_quantile(1 - power, df)));
	while (low.x > 0 && low.y >= power)
		low = point_at(&student, low.x > 1e-3 ? low.x * 0.8 : 0);
	for (; high.y < power; high = point_at(&student, high.x * 1.25))
		if (!(high.x < 1e12))
			return NAN;
	return se * solve(&student, power, low, high);
}
