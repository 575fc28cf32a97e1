/* Student's t distribution, central and not, with any positive degrees of freedom; INFINITY is the
 * normal distribution. It knows no samples. */
#pragma once

double student_upper(double t, double df);	 /* P(T > t) */
double student_two_sided(double t, double df);	 /* P(|T| > |t|) */
double student_quantile(double tail, double df); /* the t with P(T > t) = tail */
/* The x with P(chi^2(df) < x) = p. */
double student_chi_squared_quantile(double p, double df);
/* P(T > t) for T = (Z + shift)/sqrt(chi^2(df)/df), the t of a difference that is there. */
double student_shifted_upper(double t, double df, double shift);

#define STUDENT_PANELS 5
#define STUDENT_POINTS 20 /* of each panel */

/* The same for many shifts: what t and df alone decide is found once. */
struct student_shifted {
	double t, df;
	double low, high; /* between them sqrt(chi^2(df)/df) is, but for 1e-17 a side */
	double scale;	  /* of its density */
	/* The last piece of it, and its points in the order in which the rule asks for them: most
	 * shifts have the same, from low to high. */
	double from, to;
	struct student_point {
		double s, rest;
	} point[STUDENT_PANELS * STUDENT_POINTS];
};

void student_shifted_init(double t, double df, struct student_shifted *out);
double student_shifted_at(struct student_shifted *student, double shift);
