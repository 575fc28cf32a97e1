/* Tails of Student's t to the last digits, also far out, and the non-central t by quadrature. */
#include "stats/student.h"

#include <math.h>
#include <stddef.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_sf_gamma.h>

/* From here on the t distribution is the normal one to the precision of a double. */
static const double endless_df = 1e17;

/* GSL expands t with more than 30 df around the normal distribution, which is off by 3e-8 of the
 * tail at t = 12; the incomplete beta function is not. */
double student_upper(double t, double df)
{
	if (!(df > 0) || isnan(t))
		return NAN;
	if (df > endless_df || isinf(t))
		return gsl_cdf_ugaussian_Q(t);
	if (df <= 30 || fabs(t) < 3)
		return gsl_cdf_tdist_Q(t, df);
	if (t < 0)
		return 1 - student_upper(-t, df);
	return gsl_cdf_beta_P(df / (df + t * t), df / 2, 0.5) / 2;
}

double student_two_sided(double t, double df)
{
	return 2 * student_upper(fabs(t), df);
}

double student_quantile(double tail, double df)
{
	if (!(df > 0) || !(tail > 0 && tail < 1))
		return NAN;
	return df > endless_df ? gsl_cdf_ugaussian_Qinv(tail) : gsl_cdf_tdist_Qinv(tail, df);
}

/* The t of a true difference, given the sd in units of the true one: Z > t s - shift. */
struct shifted {
	struct student_shifted *of;
	double shift;
	size_t at; /* the next point */
};

/* The density of s = sqrt(chi^2(df)/df) is scale/s (s^2 exp(1 - s^2))^(df/2): written so that large
 * df cost no digits. It is taken over v = s^(1/4), in which it is smooth at 0 also for df like
 * 2.5. */
static double find_point(double v, void *state)
{
	struct shifted *const d = state;
	const double s = v * v * v * v, u = s - 1;

	d->of->point[d->at++] =
		(struct student_point){s, exp(d->of->df * (4 * log(v) - u - u * u / 2))};
	return 0;
}

static double shifted_density(double v, void *state)
{
	struct shifted *const d = state;
	const struct student_point *point = &d->of->point[d->at++];

	return gsl_cdf_ugaussian_Q(d->of->t * point->s - d->shift) * d->of->scale * 4 / v *
	       point->rest;
}

static double integrate(double (*density)(double v, void *state), struct shifted *d,
	const gsl_integration_glfixed_table *rule)
{
	const gsl_function f = {.function = density, .params = d};
	const double from = d->of->from, width = (d->of->to - from) / STUDENT_PANELS;
	double sum = 0;

	d->at = 0;
	for (int i = 0; i < STUDENT_PANELS; i++)
		sum += gsl_integration_glfixed(&f, from + i * width, from + (i + 1) * width, rule);
	return sum;
}

/* The integrand is smooth in each piece, so a fixed rule is exact and cannot fail to converge. */
static double piece(
	struct shifted *d, double from_s, double to_s, const gsl_integration_glfixed_table *rule)
{
	const double from = sqrt(sqrt(from_s)), to = sqrt(sqrt(to_s));

	if (!(to > from))
		return 0;
	if (d->of->from != from || d->of->to != to) {
		d->of->from = from;
		d->of->to = to;
		integrate(find_point, d, rule);
	}
	return integrate(shifted_density, d, rule);
}

static double within(double x, double low, double high)
{
	return fmin(high, fmax(low, x));
}

/* The quantiles of chi^2 cost more than the integral. */
void student_shifted_init(double t, double df, struct student_shifted *out)
{
	const double sd = 1 / sqrt(2 * df);

	out->t = t;
	out->df = df;
	out->low = out->high = out->scale = out->from = out->to = NAN;
	if (!(df > 0) || df > endless_df)
		return;
	out->scale = sqrt(df / M_PI) / gsl_sf_gammastar(df / 2);
	out->low = df > 1000 ? 1 - 10 * sd : sqrt(gsl_cdf_chisq_Pinv(1e-17, df) / df);
	out->high = df > 1000 ? 1 + 10 * sd : sqrt(gsl_cdf_chisq_Qinv(1e-17, df) / df);
}

/* P(T > t) = integral of P(Z > t s - shift) over the density of s = sqrt(chi^2(df)/df). The normal
 * tail falls from 1 to 0 within nine units around t s = shift, which gets pieces of its own. Series
 * (Lenth 1989, AS 243) are shorter, but underflow at the shifts that small alphas ask for. */
double student_shifted_at(struct student_shifted *student, double shift)
{
	struct shifted d = {student, shift, 0};
	const double t = student->t, low = student->low, high = student->high;
	gsl_integration_glfixed_table *rule;
	double begin = low, end = low, sum;

	if (!(student->df > 0) || isnan(t) || isnan(shift))
		return NAN;
	if (student->df > endless_df)
		return gsl_cdf_ugaussian_Q(t - shift);
	if (t != 0) {
		begin = within((shift - copysign(9, t)) / t, low, high);
		end = within((shift + copysign(9, t)) / t, low, high);
	}
	rule = gsl_integration_glfixed_table_alloc(STUDENT_POINTS);
	sum = piece(&d, low, begin, rule) + piece(&d, begin, end, rule) +
	      piece(&d, end, high, rule);
	gsl_integration_glfixed_table_free(rule);
	return fmin(1, sum);
}

double student_chi_squared_quantile(double p, double df)
{
	return gsl_cdf_chisq_Pinv(p, df);
}

double student_shifted_upper(double t, double df, double shift)
{
	struct student_shifted student;

	student_shifted_init(t, df, &student);
	return student_shifted_at(&student, shift);
}
