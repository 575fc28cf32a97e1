/*
 * Ratios of means: a part of the windows of all steps together, not a mean of ratios.
 */
#include "analysis/device_parts.h"

#include <math.h>

static bool is_known(const struct cube *self, const char *device, uint32_t step)
{
	for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_KINDS; kind++) {
		const int64_t *value = step_series_find(&self->series, kind, device);

		if (!value || value[step] == CELL_ABSENT)
			return false;
	}
	return true;
}

static double sum_of(
	const struct cube *self, const char *device, uint32_t step, enum step_series_kind to)
{
	double sum = 0;

	for (enum step_series_kind kind = SERIES_COMPUTE; kind <= to; kind++)
		sum += (double)step_series_find(&self->series, kind, device)[step];
	return sum;
}

static void find_interval(const struct summary *summary, const struct cube *self,
	struct arena *arena, struct device_parts *out)
{
	const struct step_set *steps = summary->steps;
	double *x = arena_array(arena, steps->count, sizeof(*x));
	struct summary_value value;

	out->low = out->high = NAN;
	if (out->steps < steps->count)
		return;
	for (size_t i = 0; i < steps->count; i++) {
		const double window = sum_of(self, out->device, steps->step[i], SERIES_IDLE);
		const double busy = sum_of(self, out->device, steps->step[i], SERIES_COPIES);

		x[i] = (busy - out->busy * window) / out->window_ps;
	}
	summary_describe(summary, MEASURE_TIME, x, &value);
	out->low = fmax(0, out->busy + value.runs.low);
	out->high = fmin(1, out->busy + value.runs.high);
	if (isnan(value.runs.low))
		out->low = out->high = NAN;
}

static void find_parts(
	const struct summary *summary, const struct cube *self, struct device_parts *out)
{
	const struct step_set *steps = summary->steps;
	double window = 0, sum[SERIES_KINDS] = {0};

	for (size_t i = 0; i < steps->count; i++) {
		const uint32_t s = steps->step[i];

		if (!is_known(self, out->device, s))
			continue;
		out->steps++;
		window += sum_of(self, out->device, s, SERIES_IDLE);
		for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_KINDS; kind++)
			sum[kind] += (double)step_series_find(&self->series, kind, out->device)[s];
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
		parts[n] = (struct device_parts){.device = device[d]};
		find_parts(summary, self, &parts[n]);
		if (!(parts[n].window_ps > 0))
			continue;
		find_interval(summary, self, arena, &parts[n]);
		n++;
	}
	*out = parts;
	return n;
}
