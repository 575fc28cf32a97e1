/* The step as a whole: series of its times with their descriptions, the parts of each device, and
 * how often ops ran in it. */
#include "analysis/totals.h"

#include <math.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

static const char *const percentiles[] = {"p5", "p25", "p75", "p90", "p95", "p99"};

#define PERCENTILES (sizeof(percentiles) / sizeof(*percentiles))

/* All that is said of a series; shares are of ops. */
static void choose(struct totals *totals, struct arena *arena)
{
	struct statistic_choice *choice =
		arena_array(arena, STATISTIC_COUNT + PERCENTILES, sizeof(*choice));
	size_t n = 0;

	for (enum statistic_id id = 0; id < STATISTIC_COUNT; id++) {
		const struct statistic *stat = statistic_at(id);

		if (id == STATISTIC_SHARE || id == STATISTIC_JITTER || id == STATISTIC_RAN ||
			id == STATISTIC_CALLS || id == STATISTIC_BELOW_5US)
			continue;
		if (!statistic_has_order(id))
			choice[n++] = (struct statistic_choice){stat, 0, stat->name};
		for (size_t i = 0; id == STATISTIC_QUANTILE && i < PERCENTILES; i++)
			n += statistic_choose(percentiles[i], &choice[n], NULL) == 0;
	}
	totals->choice = choice;
	totals->choice_count = n;
}

/* Op time is that of the report: of the selected ops where shares are of these. */
static double *op_time(const struct totals *totals, const struct cube *self, struct arena *arena)
{
	const struct summary *summary = &totals->with;
	double *total = arena_array(arena, self->step_count, sizeof(*total));
	bool *known = arena_array(arena, self->step_count, sizeof(*known));

	if (!cube_has(self, MEASURE_TIME))
		return NULL;
	steps_totals(self, MEASURE_TIME, total, known);
	for (size_t s = 0; s < self->step_count; s++)
		total[s] = known[s] ? total[s] : NAN;
	for (size_t m = 0; m < summary->options.measure_count; m++) {
		if (summary->options.measure[m] != MEASURE_TIME || !summary->options.of_selected)
			continue;
		for (size_t s = 0; s < self->step_count; s++)
			total[s] = NAN;
		for (size_t i = 0; i < summary->steps->count && summary->step_known[m]; i++)
			total[summary->steps->step[i]] = summary->step_total[m][i];
	}
	return total;
}

static double *wall_time(const struct cube *self, bool busy, struct arena *arena)
{
	double *time = arena_array(arena, self->step_count, sizeof(*time));
	bool any = false;

	for (size_t s = 0; s < self->step_count; s++) {
		const struct step *step = &self->step[s];

		const bool is_known = busy ? step_knows_busy(step) : step->has_wall;

		time[s] = !is_known ? NAN
			  : busy    ? (double)step->busy_ps
				    : (double)(step->end_ps - step->start_ps);
		any |= is_known;
	}
	return any ? time : NULL;
}

/* Values of a series of steps; NULL: not known in any. */
static double *series_values(const struct cube *self, const int64_t *value_ps, struct arena *arena)
{
	double *time = arena_array(arena, self->step_count, sizeof(*time));

	if (!value_ps)
		return NULL;
	for (size_t s = 0; s < self->step_count; s++)
		time[s] = step_series_value(value_ps, s);
	return time;
}

static void add_total(struct totals *totals, const char *name, double *step, struct arena *arena)
{
	struct total *total = &totals->total[totals->count++];

	total->name = name;
	total->step = step;

	/* Known in all kept steps; the step time in one at least, since the last step has no
	 * period. */
	const bool is_step_time = text_equal(total->name, "step_time");
	const struct step_set *steps = totals->with.steps;
	double *kept = arena_array(arena, steps->count, sizeof(*kept));
	size_t known = 0;

	for (size_t i = 0; i < steps->count && total->step; i++) {
		kept[i] = total->step[steps->step[i]];
		known += !isnan(kept[i]);
	}
	total->known = known && (is_step_time || known == steps->count);
	if (total->known)
		summary_describe(&totals->with, MEASURE_TIME, kept, &total->value);
}

/* Sums of what a device did, in every step. */
static double *device_sums(const struct cube *self, const struct device_series *series,
	enum step_series_kind to, struct arena *arena)
{
	double *sum = arena_array(arena, self->step_count, sizeof(*sum));

	for (size_t s = 0; s < self->step_count; s++)
		sum[s] = device_series_sum(series, to, s);
	return sum;
}

static void add_causes(struct totals *totals, const struct cube *self, const char *device,
	enum step_series_kind kind, struct arena *arena)
{
	struct device_cause *cause;
	const size_t count =
		device_causes_find(self, totals->with.steps, device, kind, arena, &cause);

	for (size_t i = 0; i < count; i++) {
		add_total(totals,
			arena_printf(arena, "%s_%s",
				step_series_place(arena, device, cause[i].name),
				step_series_name(kind)),
			series_values(self, cause[i].value_ps, arena), arena);
		totals->total[totals->count - 1].is_cause = true;
	}
}

#define TOTALS_OF_STEP 6
#define TOTALS_OF_DEVICE (2 + SERIES_PARTS_END - SERIES_DEVICE_FIRST)

struct totals *totals_make(
	const struct summary *summary, const struct cube *self, struct arena *arena)
{
	struct totals *totals = arena_alloc(arena, sizeof(*totals));
	const char **device;
	const size_t devices = step_series_devices(&self->series, arena, &device);

	totals->with = *summary;
	choose(totals, arena);

	struct statistic_choice *extra = arena_array(arena, totals->choice_count, sizeof(*extra));
	size_t n = 0;

	for (size_t i = 0; i < totals->choice_count; i++)
		if (totals->choice[i].statistic->traits & STATISTIC_OF_SERIES)
			extra[n++] = totals->choice[i];
	totals->with.options.extra = extra;
	totals->with.options.extra_count = n;
	totals->with.arena = arena;
	totals->total =
		arena_array(arena, TOTALS_OF_STEP + devices * TOTALS_OF_DEVICE + self->series.count,
			sizeof(*totals->total));
	add_total(totals, "op_time", op_time(totals, self, arena), arena);
	add_total(totals, "wall", wall_time(self, false, arena), arena);
	add_total(totals, "busy", wall_time(self, true, arena), arena);
	add_total(totals, "step_time", series_values(self, self->times.time_ps, arena), arena);
	for (enum step_series_kind kind = SERIES_HOST_OPS; kind <= SERIES_HOST_WAITING; kind++)
		if (step_series_find(&self->series, kind, ""))
			add_total(totals, step_series_name(kind),
				series_values(
					self, step_series_find(&self->series, kind, ""), arena),
				arena);
	for (size_t d = 0; d < devices; d++) {
		struct device_series series;

		device_series_find(&self->series, device[d], &series);
		add_total(totals, arena_printf(arena, "%s_window", device[d]),
			device_sums(self, &series, SERIES_IDLE, arena), arena);
		add_total(totals, arena_printf(arena, "%s_busy", device[d]),
			device_sums(self, &series, SERIES_COPIES, arena), arena);
		for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_PARTS_END;
			kind++)
			add_total(totals,
				arena_printf(arena, "%s_%s", device[d], step_series_name(kind)),
				series_values(self, series.value_ps[kind], arena), arena);
		for (enum step_series_kind kind = SERIES_PARTS_END; kind < SERIES_KINDS; kind++)
			add_causes(totals, self, device[d], kind, arena);
	}
	return totals;
}

/* Ratios of means: a part of the windows of all steps together, not a mean of ratios. */

static bool is_known(const struct device_series *series, size_t step)
{
	for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_PARTS_END; kind++)
		if (isnan(step_series_value(series->value_ps[kind], step)))
			return false;
	return true;
}

static void find_interval(const struct summary *summary, const struct device_series *series,
	struct arena *arena, struct device_parts *out)
{
	const struct step_set *steps = summary->steps;
	double *x = arena_array(arena, steps->count, sizeof(*x));
	struct sample_options opt = summary->options.sample;
	struct runs runs;

	out->low = out->high = NAN;
	if (out->steps < steps->count)
		return;
	for (size_t i = 0; i < steps->count; i++) {
		const double window = device_series_sum(series, SERIES_IDLE, steps->step[i]);
		const double busy = device_series_sum(series, SERIES_COPIES, steps->step[i]);

		x[i] = busy - out->busy * window;
	}
	opt.resolution = summary->time_resolution_ps;
	runs_describe(x, steps->first, steps->run_count, &opt, &runs);
	if (isnan(runs.low))
		return;
	out->low = fmax(0, out->busy + runs.low / out->window_ps);
	out->high = fmin(1, out->busy + runs.high / out->window_ps);
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
		for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_PARTS_END;
			kind++)
			sum[kind] += (double)series->value_ps[kind][s];
	}
	if (!(window > 0))
		return;
	out->window_ps = window / (double)out->steps;
	for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_PARTS_END; kind++)
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
		parts[n].cause_count = device_causes_spoken(
			self, summary->steps, device[d], arena, &parts[n].cause);
		for (size_t i = 0; i < parts[n].cause_count; i++)
			parts[n].cause[i].sum_ps /= parts[n].window_ps * (double)parts[n].steps;
		n++;
	}
	*out = parts;
	return n;
}

size_t device_kind_size(const char *device)
{
	const char *colon = strrchr(device, ':');

	return colon ? (size_t)(colon - device) : 0;
}

size_t device_parts_alike(const struct device_parts *device, size_t count)
{
	const size_t size = device_kind_size(device->device);
	size_t n = 1;

	while (size && n < count && device_kind_size(device[n].device) == size &&
		strncmp(device[n].device, device->device, size) == 0)
		n++;
	return n;
}

/* Sums of occurrences. */

/* Adds up; what is not known, or too large, makes the sum unknown. */
static void add(int64_t *sum, int64_t value)
{
	if (*sum != CELL_ABSENT && (value == CELL_ABSENT || !number_add(*sum, value, sum)))
		*sum = CELL_ABSENT;
}

static void add_op(const struct summary *summary, const struct summary_part *part,
	const struct cube *cube, uint32_t op, int64_t *sum)
{
	const struct step_set *steps = summary->steps;
	const size_t begin = steps->first[part->run_first],
		     end = steps->first[part->run_first + part->run_count];

	for (size_t row = cube->op_first[op]; row < cube->op_first[op + 1]; row++) {
		const uint32_t at = steps->index_of[cube->step_of[row]];

		if (at != STEP_NOT_KEPT && at >= begin && at < end)
			add(sum, cube_value(cube, MEASURE_OCCURRENCE, op, row));
	}
}

int64_t executions_of_group(
	const struct summary *summary, const struct summary_part *part, const struct group *group)
{
	int64_t sum = cube_has(summary->cube, MEASURE_OCCURRENCE) ? 0 : CELL_ABSENT;

	for (size_t i = 0; i < group->op_count && sum != CELL_ABSENT; i++)
		add_op(summary, part, summary->cube, group->op[i], &sum);
	return sum;
}

int64_t executions_of_all(
	const struct summary *summary, const struct cube *self, const struct summary_part *part)
{
	const struct grouping *grouping = summary->grouping;
	int64_t sum = cube_has(self, MEASURE_OCCURRENCE) ? 0 : CELL_ABSENT;

	if (summary->options.of_selected && !summary->overlap)
		for (size_t g = 0; g < grouping->count; g++)
			add(&sum, executions_of_group(summary, part, &grouping->group[g]));
	else
		for (uint32_t op = 0; op < self->op_count && sum != CELL_ABSENT; op++)
			add_op(summary, part, self, op, &sum);
	return sum;
}

int64_t executions_of_rest(
	const struct summary *summary, const struct cube *self, const bool *shown)
{
	const struct grouping *grouping = summary->grouping;
	int64_t rest = executions_of_all(summary, self, &summary->all);

	for (size_t g = 0; g < grouping->count; g++) {
		int64_t here;

		if (!shown[g])
			continue;
		here = executions_of_group(summary, &summary->all, &grouping->group[g]);
		add(&rest, here == CELL_ABSENT ? CELL_ABSENT : -here);
	}
	return rest;
}
