/*
 * Ratios of means: a part of the windows of all steps together, not a mean of ratios.
 */
#include "analysis/device_parts.h"

#include <math.h>

static bool is_known(const struct device_series *series, size_t step)
{
	for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_KINDS; kind++)
		if (isnan(step_series_value(series->value_ps[kind], step)))
			return false;
	return true;
}

static void find_interval(const struct summary *summary, const struct device_series *series,
	struct arena *arena, struct device_parts *out)
{
	const struct step_set *steps = summary->steps;
	double *x = arena_array(arena, steps->count, sizeof(*x));
	struct summary_value value;

	out->low = out->high = NAN;
	if (out->steps < steps->count)
		return;
	for (size_t i = 0; i < steps->count; i++) {
		const double window = device_series_sum(series, SERIES_IDLE, steps->step[i]);
		const double busy = device_series_sum(series, SERIES_COPIES, steps->step[i]);

		x[i] = (busy - out->busy * window) / out->window_ps;
	}
	summary_describe(summary, MEASURE_TIME, x, &value);
	out->low = fmax(0, out->busy + value.runs.low);
	out->high = fmin(1, out->busy + value.runs.high);
	if (isnan(value.runs.low))
		out->low = out->high = NAN;
}

static void find_parts(
	const struct summary *summary, const struct device_series *series, struct device_parts *out)
{
	const struct step_set *steps = summary->steps;
	double window = 0, sum[SERIES_KINDS] = {0};

	for (size_t i = 0; i < steps->count; i++) {
		const uint32_t s = steps->step[i];

		if (!is_known(series, s))
			continue;
		out->steps++;
		window += device_series_sum(series, SERIES_IDLE, s);
		for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_KINDS; kind++)
			sum[kind] += (double)series->value_ps[kind][s];
	}
	if (!(window > 0))
		return;
	out->window_ps = window / (double)out->steps;
	for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_KINDS; kind++)
		out->part[kind] = sum[kind] / window;
	out->busy = 1 - out->part[SERIES_IDLE];
}

size_t device_parts_make(const struct summary *summary, const struct cube *self,
	struct arena *arena, struct device_parts **out)
{
	const char **device;
	const size_t count = step_series_devices(&self->series, arena, &device);
	struct device_parts *parts = arena_array(arena, count, sizeof(*parts));
	size_t n = 0;

	for (size_t d = 0; d < count; d++) {
		struct device_series series;

		device_series_find(&self->series, device[d], &series);
		parts[n] = (struct device_parts){.device = device[d]};
		find_parts(summary, &series, &parts[n]);
		if (!(parts[n].window_ps > 0))
			continue;
		find_interval(summary, &series, arena, &parts[n]);
		n++;
	}
	*out = parts;
	return n;
}
