/*
 * Makes the rows of the parts from the series of both sides and has each decided by itself.
 */
#include "analysis/compare/compared_parts.h"

#include <math.h>
#include <string.h>
#include "analysis/compare/verdicts.h"
#include "base/memory.h"

/* Of the parts that are recorded. */
static const enum step_series_kind series_of[PARTS] = {
	[PART_COMPUTE] = SERIES_COMPUTE,
	[PART_COMMUNICATION] = SERIES_COMMUNICATION,
	[PART_COPIES] = SERIES_COPIES,
	[PART_IDLE] = SERIES_IDLE,
	[PART_HOST_LATE] = SERIES_HOST_LATE,
	[PART_WAITED] = SERIES_WAITED,
	[PART_GAPS] = SERIES_GAPS,
	[PART_HIDDEN] = SERIES_HIDDEN,
};

const char *compared_part_name(enum compared_part part)
{
	if (part == PART_WINDOW || part == PART_NO_CAUSE)
		return part == PART_WINDOW ? "window" : "idle_no_cause";
	return step_series_name(series_of[part]);
}

/* The sum of the first parts, or what is left of idle, in a step; false when it is not known. */
static bool derived_ps(
	const int64_t *const series[PARTS], enum compared_part part, uint32_t s, double *value)
{
	*value = part == PART_NO_CAUSE ? (double)series[PART_IDLE][s] : 0;
	for (int p = part == PART_NO_CAUSE ? PART_HOST_LATE : PART_COMPUTE;
		p < (part == PART_NO_CAUSE ? PART_NO_CAUSE : PARTS_OF_WINDOW); p++) {
		if (!series[p] || series[p][s] == CELL_ABSENT)
			return false;
		*value += part == PART_NO_CAUSE ? -(double)series[p][s] : (double)series[p][s];
	}
	return true;
}

static bool part_ps(
	const int64_t *const series[PARTS], enum compared_part part, uint32_t s, double *value)
{
	double window;

	/* Means of parts add up only over the same steps. */
	if (!derived_ps(series, PART_WINDOW, s, &window))
		return false;
	if (part == PART_WINDOW || part == PART_NO_CAUSE)
		return derived_ps(series, part, s, value);
	if (!series[part] || series[part][s] == CELL_ABSENT)
		return false;
	*value = (double)series[part][s];
	return true;
}

/* The rows of a device; NULL where no kept step knows the part. */
static void device_rows(const struct run_side *side, const char *device, struct arena *arena,
	const struct run_row *out[PARTS])
{
	const struct run_value_options opt = {.kind = RUN_VALUE_MEAN};
	const struct step_set *steps = side->steps;
	const int64_t *series[PARTS] = {NULL};
	struct arena *scratch = arena_new();
	double *x = arena_array(scratch, steps->count, sizeof(*x));
	unsigned char *state = arena_array(scratch, steps->count, sizeof(*state));

	for (int p = 0; p < PARTS; p++)
		if (p != PART_WINDOW && p != PART_NO_CAUSE)
			series[p] = step_series_find(&side->self->series, series_of[p], device);
	for (int p = 0; p < PARTS; p++) {
		struct run_row *row = arena_alloc(arena, sizeof(*row));
		size_t known = 0;

		for (size_t i = 0; i < steps->count; i++) {
			bool is_known = part_ps(series, p, steps->step[i], &x[i]);

			state[i] = is_known ? RUN_STEP_PRESENT : RUN_STEP_UNKNOWN;
			x[i] = is_known ? x[i] : 0;
			known += is_known;
		}
		*row = (struct run_row){0};
		run_row_of_series(steps, &opt, x, state, arena, row);
		out[p] = known ? row : NULL;
	}
	arena_free(scratch);
}

/* The row of a series of the step; NULL where some kept step does not know it. */
static const struct run_row *step_series_row(
	const struct run_side *side, enum step_series_kind kind, struct arena *arena)
{
	const struct run_value_options opt = {.kind = RUN_VALUE_MEAN};
	const int64_t *series = step_series_find(&side->self->series, kind, "");
	struct arena *scratch = arena_new();
	double *x = arena_array(scratch, side->steps->count, sizeof(*x));
	struct run_row *row = NULL;
	size_t known = 0;

	for (size_t i = 0; series && i < side->steps->count; i++) {
		x[i] = (double)series[side->steps->step[i]];
		known += series[side->steps->step[i]] != CELL_ABSENT;
	}
	if (known && known == side->steps->count) {
		row = arena_alloc(arena, sizeof(*row));
		*row = (struct run_row){0};
		run_row_of_series(side->steps, &opt, x, NULL, arena, row);
	}
	arena_free(scratch);
	return row;
}

static void decide_part(const struct compare_options *opt, double resolution, struct compared *v)
{
	if (v->base && v->new)
		decide_single(v, opt, MEASURE_TIME, resolution);
	else
		decide_means(v);
}

static struct compare_options options_of_parts(const struct compare_options *opt)
{
	struct compare_options alone = *opt;

	alone.value = (struct run_value_options){.kind = RUN_VALUE_MEAN};
	/* The given spread is that of ops and of the step. */
	alone.noise = NULL;
	alone.run_cv = NAN;
	return alone;
}

static void fill_device(const struct run_side *base, const struct run_side *new_side,
	const struct compare_options *opt, struct arena *arena, struct compared_device *device)
{
	const double resolution =
		fmax(base->steps->time_resolution_ps, new_side->steps->time_resolution_ps);
	const struct run_row *rows[2][PARTS] = {{NULL}};
	const struct compare_options alone = options_of_parts(opt);

	if (device->base)
		device_rows(base, device->base, arena, rows[0]);
	if (device->new)
		device_rows(new_side, device->new, arena, rows[1]);
	for (int p = 0; p < PARTS; p++) {
		device->part[p] = (struct compared){.base = rows[0][p], .new = rows[1][p]};
		decide_part(&alone, resolution, &device->part[p]);
	}
}

static void fill_host(const struct run_side *base, const struct run_side *new_side,
	const struct compare_options *opt, struct arena *arena, struct compared_devices *out)
{
	const struct compare_options alone = options_of_parts(opt);
	const double resolution =
		fmax(base->steps->time_resolution_ps, new_side->steps->time_resolution_ps);
	struct compared *const host[] = {&out->host_ops, &out->host_waiting};
	const enum step_series_kind kind[] = {SERIES_HOST_OPS, SERIES_HOST_WAITING};

	for (size_t i = 0; i < 2; i++) {
		*host[i] = (struct compared){.base = step_series_row(base, kind[i], arena),
			.new = step_series_row(new_side, kind[i], arena)};
		decide_part(&alone, resolution, host[i]);
	}
}

static size_t find_name(const char *const *name, size_t count, const char *sought)
{
	size_t i = 0;

	while (i < count && strcmp(name[i], sought) != 0)
		i++;
	return i;
}

void compared_devices_make(const struct run_side *base, const struct run_side *new_side,
	const struct compare_options *opt, struct arena *arena, struct compared_devices *out)
{
	const char **name[2];
	const size_t bases = step_series_devices(&base->self->series, arena, &name[0]),
		     news = step_series_devices(&new_side->self->series, arena, &name[1]);

	*out = (struct compared_devices){0};
	out->device = arena_array(arena, bases + news, sizeof(*out->device));
	for (size_t i = 0; i < bases; i++) {
		size_t at = bases == news ? i : find_name(name[1], news, name[0][i]);

		out->device[out->count++] = (struct compared_device){
			.base = name[0][i], .new = at < news ? name[1][at] : NULL};
	}
	for (size_t i = 0; i < news && bases != news; i++)
		if (find_name(name[0], bases, name[1][i]) == bases)
			out->device[out->count++] = (struct compared_device){.new = name[1][i]};
	for (size_t i = 0; i < out->count; i++)
		fill_device(base, new_side, opt, arena, &out->device[i]);
	fill_host(base, new_side, opt, arena, out);
}
