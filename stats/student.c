/*
 * Tails of Student's t to the last digits, also far out, and the non-central t by quadrature.
 */
#include "stats/student.h"

#include <math.h>
#include <stddef.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_sf_gamma.h>

/* From here on the t distribution is the normal one to the precision of a double. */
static const double endless_df = 1e17;

/*
 * GSL expands t with more than 30 df around the normal distribution, which is off by 3e-8 of the
 * tail at t = 12; the incomplete beta function is not.
 */
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
	const struct student_shifted *of;
	double shift;
};

/*
 * The density of s = sqrt(chi^2(df)/df) is scale/s (s^2 exp(1 - s^2))^(df/2): written so that large
 * df cost no digits. It is taken over v = s^(1/4), in which it is smooth at 0 also for df like 2.5.
 */
static double shifted_density(double v, void *state)
{
	const struct shifted *const d = state;
	const double s = v * v * v * v, u = s - 1;

	return gsl_cdf_ugaussian_Q(d->of->t * s - d->shift) * d->of->scale * 4 / v *
	       exp(d->of->df * (4 * log(v) - u - u * u / 2));
}

/* The integrand is smooth in each piece, so a fixed rule is exact and cannot fail to converge. */
static double piece(const struct shifted *d, double from_s, double to_s,
	const gsl_integration_glfixed_table *rule)
{
	const double from = sqrt(sqrt(from_s)), to = sqrt(sqrt(to_s));
	const int panels = 5;
	struct shifted state = *d;
	const gsl_function f = {.function = shifted_density, .params = &state};
	const double width = (to - from) / panels;
	double sum = 0;

	if (!(width > 0))
		return 0;
	for (int i = 0; i < panels; i++)
		sum += gsl_integration_glfixed(&f, from + i * width, from + (i + 1) * width, rule);
	return sum;
}

static double within(double x, double low, double high)
{
	return fmin(high, fmax(low, x));
}

/* The quantiles of chi^2 cost more than the integral. */
void student_shifted_init(double t, double df, struct student_shifted *out)
{
	const double sd = 1 / sqrt(2 * df);

	*out = (struct student_shifted){.t = t, .df = df, .low = NAN, .high = NAN, .scale = NAN};
	if (!(df > 0) || df > endless_df)
		return;
	out->scale = sqrt(df / M_PI) / gsl_sf_gammastar(df / 2);
	out->low = df > 1000 ? 1 - 10 * sd : sqrt(gsl_cdf_chisq_Pinv(1e-17, df) / df);
	out->high = df > 1000 ? 1 + 10 * sd : sqrt(gsl_cdf_chisq_Qinv(1e-17, df) / df);
}

/*
 * P(T > t) = integral of P(Z > t s - shift) over the density of s = sqrt(chi^2(df)/df). The normal
 * tail falls from 1 to 0 within nine units around t s = shift, which gets pieces of its own. Series
 * (Lenth 1989, AS 243) are shorter, but underflow at the shifts that small alphas ask for.
 */
double student_shifted_at(const struct student_shifted *student, double shift)
{
	const struct shifted d = {student, shift};
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
	rule = gsl_integration_glfixed_table_alloc(20);
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
