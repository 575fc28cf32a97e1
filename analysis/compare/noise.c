/* The runs are cut in two halves that are compared as if they were sides: what the test finds as
 * spread there, own and shared part, is the spread of a run. */
#include "analysis/compare/noise.h"

#include <math.h>
#include <string.h>
#include "analysis/compare/compared_step.h"
#include "base/intern.h"
#include "base/memory.h"
#include "stats/moderated/moderated.h"
#include "stats/moments.h"
#include "stats/sample.h"

struct noise_measure {
	enum measure_id id;
	double *variance, *df; /* by index of the name; NaN: none */
	double typical_variance, typical_df;
	double total_variance, total_df; /* of the step as a whole */
};

struct noise {
	struct intern *names;
	struct noise_measure *measure;
	size_t measure_count;
	enum step_time_kind step_kind;
	struct noise *of_step; /* with step times as totals; NULL: there are none */
};

static double median_of_known(const double *x, size_t n, struct arena *arena)
{
	double *known = arena_array(arena, n, sizeof(*known));
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(x[i]))
			known[k++] = x[i];
	return k ? sample_quantile(known, k, 0.5) : NAN;
}

/* Around the means of the halves, as the rows are. */
static void learn_total(const struct run_row *total, struct noise_measure *out)
{
	size_t half = total->runs / 2;
	double *value = memory_alloc(memory_product(total->runs, sizeof(*value)));
	struct moments first, second;

	for (size_t r = 0; r < total->runs; r++)
		value[r] = total->run[r].scaled;
	moments_compute(value, half, &first);
	moments_compute(value + half, total->runs - half, &second);
	memory_free(value);
	out->total_df = (double)(total->runs - 2);
	out->total_variance =
		(moments_variance(&first, false) * (double)(half - 1) +
			moments_variance(&second, false) * (double)(total->runs - half - 1)) /
		out->total_df;
}

static void learn(const struct run_table *table, struct arena *arena, struct noise_measure *out)
{
	size_t runs = table->runs, n = table->count, half = runs / 2;
	struct arena *scratch = arena_new();
	double *value = arena_array(scratch, memory_product(n, runs), sizeof(*value));
	struct moderated_op *op = arena_array(scratch, n, sizeof(*op));
	struct moderated_data data = {value, n, half, runs - half};
	struct moderated_options opt = {.confidence = 0.95, .by_mean = true};
	struct moderated all;

	for (size_t i = 0; i < n; i++)
		for (size_t r = 0; r < runs; r++)
			value[i * runs + r] = table->row[i].run[r].scaled;
	moderated_test(&data, &opt, op, &all);
	out->variance = arena_array(arena, n, sizeof(double));
	out->df = arena_array(arena, n, sizeof(double));
	for (size_t i = 0; i < n; i++) {
		bool known = op[i].state == MODERATED_FAMILY;
		double sides = 1 / (double)op[i].runs_base + 1 / (double)op[i].runs_new;

		out->variance[i] = known ? op[i].se * op[i].se / sides : NAN;
		out->df[i] = known ? op[i].df : NAN;
	}
	out->typical_variance = median_of_known(out->variance, n, scratch);
	out->typical_df = median_of_known(out->df, n, scratch);
	arena_free(scratch);
}

struct noise *noise_make(const struct run_side *side, const enum measure_id *measure,
	size_t measure_count, const struct run_value_options *opt, struct arena *arena,
	struct error *err)
{
	struct noise *noise = arena_alloc(arena, sizeof(*noise));
	struct run_table table;

	if (side->steps->run_count < NOISE_RUNS_LEAST) {
		error_set(err, ERROR_INPUT, "--noise", "has %zu run%s, expected %d or more",
			side->steps->run_count, side->steps->run_count == 1 ? "" : "s",
			NOISE_RUNS_LEAST);
		error_hint(err, "it holds runs of one configuration; --run-cv=2%% gives one number "
				"for all ops");
		return NULL;
	}
	noise->names = intern_new(arena);
	for (size_t g = 0; g < side->grouping->count; g++)
		intern_id(noise->names, side->grouping->group[g].name,
			strlen(side->grouping->group[g].name));
	noise->measure = arena_array(arena, measure_count, sizeof(*noise->measure));
	for (size_t m = 0; m < measure_count; m++) {
		noise->measure[m].id = measure[m];
		if (measure_at(measure[m])->kind == MEASURE_STATIC)
			continue;
		run_table_make(side, measure[m], opt, arena, &table);
		learn(&table, arena, &noise->measure[m]);
		learn_total(&table.total, &noise->measure[m]);
		noise->measure_count = m + 1;
	}
	const struct step_times *times = &side->self->times;
	struct noise *of_step;
	struct run_row row;

	/* The measures are those of `noise`, but for the total of the time. */
	if (times->time_ps) {
		row = step_row(side, MEASURE_TIME, true, opt, arena);
		of_step = arena_alloc(arena, sizeof(*of_step));
		*of_step = *noise;
		of_step->measure =
			arena_array(arena, noise->measure_count, sizeof(*of_step->measure));
		for (size_t m = 0; m < noise->measure_count; m++) {
			of_step->measure[m] = noise->measure[m];
			if (noise->measure[m].id == MEASURE_TIME)
				learn_total(&row, &of_step->measure[m]);
		}
		noise->step_kind = times->kind;
		noise->of_step = of_step;
	}
	return noise;
}

static const struct noise_measure *find_measure(const struct noise *noise, enum measure_id id)
{
	for (size_t m = 0; m < noise->measure_count; m++)
		if (noise->measure[m].id == id && noise->measure[m].variance)
			return &noise->measure[m];
	return NULL;
}

double noise_variance(const struct noise *noise, const char *name, enum measure_id id, double *df)
{
	const struct noise_measure *measure = find_measure(noise, id);
	uint32_t index;

	if (!measure)
		return NAN;
	if (intern_find(noise->names, name, strlen(name), &index) &&
		!isnan(measure->variance[index])) {
		*df = measure->df[index];
		return measure->variance[index];
	}
	*df = measure->typical_df;
	return measure->typical_variance;
}

double noise_total_variance(const struct noise *noise, enum measure_id id, double *df)
{
	const struct noise_measure *measure = find_measure(noise, id);

	if (!measure)
		return NAN;
	*df = measure->total_df;
	return measure->total_variance;
}

const struct noise *noise_of_step_time(const struct noise *noise, enum step_time_kind kind)
{
	return noise->of_step && noise->step_kind == kind ? noise->of_step : NULL;
}
