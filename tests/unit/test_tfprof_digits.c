/* Values as tfprof prints them: two decimals of ms, sec, KB, MB, and the kilobyte of the sheet. */
#include <math.h>
#include "pipeline/report_choices.h"
#include "pipeline/settings.h"
#include "tests/unit/test.h"

#define US 1e6 /* ps */

static void near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-12 * expected))
		fail_msg("%.17g is not %.17g", value, expected);
}

/* What tfprof prints is in the comments. */
TEST(times)
{
	struct job_settings s = {.kilobyte = 1000};

	near(tfprof_digits_round(&s, MEASURE_TIME, 0), 0);		     /* 0us */
	near(tfprof_digits_round(&s, MEASURE_CPU, 999 * US), 999 * US);	     /* 999us */
	near(tfprof_digits_round(&s, MEASURE_TIME, 1000 * US), 1000 * US);   /* 1.00ms */
	near(tfprof_digits_round(&s, MEASURE_TIME, 1234 * US), 1230 * US);   /* 1.23ms */
	near(tfprof_digits_round(&s, MEASURE_MICROS, 1236 * US), 1240 * US); /* 1.24ms */
	near(tfprof_digits_round(&s, MEASURE_ACCELERATOR, 999999 * US),
		1000000 * US);							 /* 1000.00ms */
	near(tfprof_digits_round(&s, MEASURE_TIME, 1234567 * US), 1230000 * US); /* 1.23sec */
}

TEST(sizes_of_a_decimal_kilobyte)
{
	struct job_settings s = {.kilobyte = 1000};

	near(tfprof_digits_round(&s, MEASURE_REQUESTED, 0), 0);
	near(tfprof_digits_round(&s, MEASURE_REQUESTED, 999), 999);		 /* 999B */
	near(tfprof_digits_round(&s, MEASURE_PEAK, 1234), 1230);		 /* 1.23KB */
	near(tfprof_digits_round(&s, MEASURE_OUTPUT, 1234567), 1230000);	 /* 1.23MB */
	near(tfprof_digits_round(&s, MEASURE_RESIDUAL, 1234567890), 1234570000); /* 1234.57MB */
}

/* The sheet turned x MB into 1024 x KB and x B into x / 1024 KB; KB it left alone. */
TEST(sizes_of_a_binary_kilobyte)
{
	struct job_settings s = {.kilobyte = 1024};

	near(tfprof_digits_round(&s, MEASURE_REQUESTED, 512), 500);   /* 512B: 0.5 KB */
	near(tfprof_digits_round(&s, MEASURE_REQUESTED, 1234), 1230); /* 1.23KB */
	near(tfprof_digits_round(&s, MEASURE_REQUESTED, 1234567), 1.23 * 1024000); /* 1.23MB */
}

TEST(other_values_stay)
{
	struct job_settings s = {.kilobyte = 1000};

	near(tfprof_digits_round(&s, MEASURE_OCCURRENCE, 123456), 123456);
	near(tfprof_digits_round(&s, MEASURE_FLOAT_OPS, 1234567), 1234567);
}
