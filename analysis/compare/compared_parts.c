/*
 * Makes the rows of the parts from the series of both sides and has each decided by itself.
 */
#include "analysis/compare/compared_parts.h"

#include <math.h>
#include <string.h>
#include "analysis/compare/verdicts.h"

/* Number of the parts that are recorded. */
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

/* In a step, ps; NaN where it is not known. */
static double part_ps(const struct device_series *series, enum compared_part part, size_t step)
{
	const double window = device_series_sum(series, SERIES_IDLE, step);
	double rest;

	/* Means of parts add up only over the same steps. */
	if (isnan(window) || part == PART_WINDOW)
		return window;
	if (part != PART_NO_CAUSE)
		return step_series_value(series->value_ps[series_of[part]], step);
	rest = step_series_value(series->value_ps[SERIES_IDLE], step);
	for (enum step_series_kind kind = SERIES_HOST_LATE; kind <= SERIES_GAPS; kind++)
		rest -= step_series_value(series->value_ps[kind], step);
	return rest;
}

/* The rows of a device; NULL where no kept step knows the part. */
static void device_rows(const struct run_side *side, const char *device, struct arena *arena,
	const struct run_row *out[PARTS])
{
	const struct run_value_options opt = {.kind = RUN_VALUE_MEAN};
	const struct step_set *steps = side->steps;
	struct arena *scratch = arena_new();
	double *x = arena_array(scratch, steps->count, sizeof(*x));
	unsigned char *state = arena_array(scratch, steps->count, sizeof(*state));
	struct device_series series;

	device_series_find(&side->self->series, device, &series);
	for (int p = 0; p < PARTS; p++) {
		struct run_row *row = arena_alloc(arena, sizeof(*row));
		size_t known = 0;

		for (size_t i = 0; i < steps->count; i++) {
			bool is_known;

			x[i] = part_ps(&series, p, steps->step[i]);
			is_known = !isnan(x[i]);
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
		x[i] = step_series_value(series, side->steps->step[i]);
		known += !isnan(x[i]);
	}
	if (known && known == side->steps->count) {
		row = arena_alloc(arena, sizeof(*row));
		*row = (struct run_row){0};
		run_row_of_series(side->steps, &opt, x, NULL, arena, row);
	}
	arena_free(scratch);
	return row;
}

/* Both sides, and how their parts are decided. */
struct parts_maker {
	const struct run_side *base, *new;
	struct compare_options opt;
	double resolution; /* the coarser one of the sides */
	struct arena *arena;
};

static void decide_part(const struct parts_maker *m, struct compared *v)
{
	if (v->base && v->new)
		decide_single(v, &m->opt, MEASURE_TIME, m->resolution, NULL);
	else
		decide_means(v);
}

static void fill_host(const struct parts_maker *m, enum step_series_kind kind, struct compared *out)
{
	*out = (struct compared){.base = step_series_row(m->base, kind, m->arena),
		.new = step_series_row(m->new, kind, m->arena)};
	decide_part(m, out);
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
	struct compare_options alone = *opt;

	alone.value = (struct run_value_options){.kind = RUN_VALUE_MEAN};
	/* The given spread is that of ops and of the step. */
	alone.noise = NULL;
	alone.run_cv = NAN;
	const struct parts_maker maker = {
		.base = base,
		.new = new_side,
		.opt = alone,
		.resolution =
			fmax(base->steps->time_resolution_ps, new_side->steps->time_resolution_ps),
		.arena = arena,
	};

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
	for (size_t i = 0; i < out->count; i++) {
		const struct run_row *rows[2][PARTS] = {{NULL}};

		if (out->device[i].base)
			device_rows(maker.base, out->device[i].base, maker.arena, rows[0]);
		if (out->device[i].new)
			device_rows(maker.new, out->device[i].new, maker.arena, rows[1]);
		for (int p = 0; p < PARTS; p++) {
			out->device[i].part[p] =
				(struct compared){.base = rows[0][p], .new = rows[1][p]};
			decide_part(&maker, &out->device[i].part[p]);
		}
	}
	fill_host(&maker, SERIES_HOST_OPS, &out->host_ops);
	fill_host(&maker, SERIES_HOST_WAITING, &out->host_waiting);
}
