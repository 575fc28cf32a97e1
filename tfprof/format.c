/*
 * Numbers as tfprof prints them: decimal units, two digits, no carry into the next unit (999999 is
 * 1000.00k).
 */
#include "tfprof/view.h"

struct step_of_unit {
	int64_t below; /* for numbers less than this */
	double divisor;
	const char *unit;
};

/* Numbers below 1000, also all negative ones, are written whole with `unit`; the last step has no
 * end. */
static void format_scaled(struct text *out, int64_t n, const char *unit,
	const struct step_of_unit *step, size_t steps)
{
	size_t i = 0;

	if (n < 1000) {
		text_printf(out, "%lld%s", (long long)n, unit);
		return;
	}
	while (i + 1 < steps && n >= step[i].below)
		i++;
	text_printf(out, "%.2f%s", (double)n / step[i].divisor, step[i].unit);
}

void format_number(struct text *out, int64_t n)
{
	static const struct step_of_unit step[] = {
		{1000000, 1e3, "k"}, {1000000000, 1e6, "m"}, {INT64_MAX, 1e9, "b"}};

	format_scaled(out, n, "", step, 3);
}

void format_time(struct text *out, int64_t micros)
{
	static const struct step_of_unit step[] = {{1000000, 1e3, "ms"}, {INT64_MAX, 1e6, "sec"}};

	format_scaled(out, micros, "us", step, 2);
}

void format_memory(struct text *out, int64_t bytes)
{
	static const struct step_of_unit step[] = {{1000000, 1e3, "KB"}, {INT64_MAX, 1e6, "MB"}};

	format_scaled(out, bytes, "B", step, 2);
}

void format_shape(struct text *out, const int64_t *dim, size_t count)
{
	for (size_t i = 0; i < count; i++)
		text_printf(out, "%s%lld", i ? "x" : "", (long long)dim[i]);
}
