/*
 * Rounds as tfprof's text does (two decimals of ms, sec, KB or MB from 1000 up), then converts to
 * the sheet's kilobyte.
 */
#include "pipeline/tfprof_digits.h"

#include <math.h>
#include <string.h>
#include "base/number.h"
#include "base/unit.h"
#include "pipeline/settings.h"

/* The number that the text "%.2f" of the value is read back as. */
static double two_decimals(double value)
{
	char text[NUMBER_TEXT_SIZE];
	double read = value;

	number_format_fixed(text, value, 2);
	number_parse_real(text, strlen(text), &read);
	return read;
}

static double printed_time(double us)
{
	if (us < 1e3)
		return us;
	if (us < 1e6)
		return two_decimals(us / 1e3) * 1e3;
	return two_decimals(us / 1e6) * 1e6;
}

/* Size in KB of the sheet. */
static double printed_size(double bytes, double kilobyte)
{
	if (bytes < 1e3)
		return bytes / kilobyte;
	if (bytes < 1e6)
		return two_decimals(bytes / 1e3);
	return two_decimals(bytes / 1e6) * kilobyte;
}

double tfprof_digits_rescale(const void *context, enum measure_id id, double value)
{
	const struct job_settings *s = context;

	if (s->kilobyte != 1024 || measure_at(id)->dimension != DIMENSION_BYTES || value >= 1e3)
		return value;
	return value / 1024 * 1e3;
}

double tfprof_digits_round(const void *context, enum measure_id id, double value)
{
	const struct job_settings *s = context;

	switch (measure_at(id)->dimension) {
	case DIMENSION_TIME:
		return printed_time(value / (double)PS_PER_US) * (double)PS_PER_US;
	case DIMENSION_BYTES:
		return printed_size(value, (double)s->kilobyte) * 1e3;
	default:
		return value;
	}
}
