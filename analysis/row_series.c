/* Series out of the cube, for statistics (summary.c) and for plots. */
#include "analysis/row_series.h"

#include <math.h>
#include <string.h>

struct row_series *row_series_new(const struct step_set *steps, struct arena *arena)
{
	size_t n = steps->count;
	struct row_series *series = arena_alloc(arena, sizeof(*series));

	series->value = arena_array(arena, n, sizeof(int64_t));
	series->x = arena_array(arena, n, sizeof(double));
	series->state = arena_array(arena, n, 1);
	series->touched = arena_array(arena, n, sizeof(uint32_t));
	series->at = arena_array(arena, n, sizeof(size_t));
	series->part = arena_array(arena, n, sizeof(double));
	series->centred = arena_array(arena, n, sizeof(double));
	series->centred_total = arena_array(arena, n, sizeof(double));
	series->step = arena_array(arena, n, sizeof(uint32_t));
	series->index = arena_array(arena, n, sizeof(size_t));
	series->first = arena_array(arena, steps->run_count + 1, sizeof(size_t));
	series->ran = arena_array(arena, n, sizeof(double));
	return series;
}

void row_series_clear(struct row_series *series)
{
	for (size_t i = 0; i < series->count; i++) {
		series->value[series->touched[i]] = 0;
		series->x[series->touched[i]] = 0;
		series->state[series->touched[i]] = 0;
	}
	series->count = 0;
}

void row_series_fill(struct row_series *series, bool known, size_t begin, size_t end)
{
	row_series_clear(series);
	for (size_t i = begin; i < end; i++) {
		series->state[i] = known ? 1 : 2;
		series->touched[series->count++] = (uint32_t)i;
	}
}

void row_series_set(struct row_series *series, const double *x, size_t begin, size_t end)
{
	row_series_fill(series, true, begin, end);
	for (size_t i = begin; i < end; i++) {
		series->state[i] = isnan(x[i]) ? 2 : 1;
		series->x[i] = isnan(x[i]) ? 0 : x[i];
	}
}

void row_series_read(const struct cube *cube, const struct step_set *steps,
	const struct group *group, enum measure_id id, struct row_series *series)
{
	row_series_clear(series);
	series->over = 0;
	series->count = grouping_series(&(struct group_series){.cube = cube,
						.step_index = steps->index_of,
						.value = series->value,
						.state = series->state,
						.touched = series->touched},
		group, id);
	for (size_t i = 0; i < series->count; i++) {
		uint32_t at = series->touched[i];

		if (series->state[at] == 3) {
			series->state[at] = 2;
			series->over_first = series->over++ ? series->over_first : at;
		}
		series->x[at] = 0;
		if (series->state[at] == 1)
			series->x[at] = cube_mean(cube, steps->step[at], series->value[at]);
	}
}

double series_mean(const double *x, const uint32_t *step, size_t n)
{
	double sum = 0;
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		sum += isnan(x[step[i]]) ? 0 : x[step[i]];
		known += !isnan(x[step[i]]);
	}
	return known ? sum / (double)known : n ? NAN : 0;
}

bool row_series_add(const struct row_series *series, double factor, double *sum)
{
	bool known = true;

	for (size_t i = 0; i < series->count; i++) {
		const uint32_t at = series->touched[i];

		sum[at] += factor * series->x[at];
		known &= series->state[at] != 2;
	}
	return known;
}

void row_series_adjust(const struct summary *summary, enum measure_id id, struct row_series *series)
{
	const struct summary_options *opt = &summary->options;

	if (!opt->adjust)
		return;
	for (size_t i = 0; i < series->count; i++) {
		uint32_t at = series->touched[i];

		if (series->state[at] == 1)
			series->x[at] = opt->adjust(opt->adjust_context, id, series->x[at]);
	}
}

size_t touched_from(const uint32_t *touched, size_t count, size_t step)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (touched[middle] < step)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* True if a step without the op counts as 0. */
static bool counts_absent(const struct summary *summary, enum measure_id id)
{
	return !summary->options.skip_absent && cube_adds_up(summary->cube, id);
}

void summary_row_series(
	const struct summary *summary, const struct group *group, size_t measure, double *x)
{
	const enum measure_id id = summary->options.measure[measure];
	const enum measure_kind kind = measure_at(id)->kind;
	struct arena *scratch = arena_new();
	struct row_series *series = row_series_new(summary->steps, scratch);

	for (size_t i = 0; i < summary->steps->count; i++)
		x[i] = NAN;
	if (kind == MEASURE_RECORDED || kind == MEASURE_DERIVED) {
		row_series_read(summary->cube, summary->steps, group, id, series);
		row_series_adjust(summary, id, series);
		for (size_t i = 0; i < summary->steps->count; i++)
			if (series->state[i] == 1 ||
				(!series->state[i] && counts_absent(summary, id)))
				x[i] = series->x[i];
	}
	arena_free(scratch);
}

/* ---- for plots ---- */

static bool is_plotted(const struct summary *summary)
{
	const struct summary_options *opt = &summary->options;

	return opt->measure_count && measure_at(opt->measure[0])->kind != MEASURE_STATIC;
}

/* Run by run, over the values that are known. `scratch` has room for a run. */
static void find_outliers(const struct summary *summary, const struct summary_part *part,
	const double *value, struct row_series *scratch, bool *outlier)
{
	const size_t *first = summary->steps->first + part->run_first;

	memset(outlier, 0, summary->steps->count * sizeof(*outlier));
	for (size_t r = 0; r < part->run_count; r++) {
		size_t n = 0, found;

		for (size_t i = first[r]; i < first[r + 1]; i++) {
			if (isnan(value[i]))
				continue;
			scratch->at[n] = i;
			scratch->part[n++] = value[i];
		}
		found = sample_outliers(scratch->part, n, scratch->index);
		for (size_t k = 0; k < found; k++)
			outlier[scratch->at[scratch->index[k]]] = true;
	}
}

static void mark_named(
	const struct summary *summary, const struct summary_value *value, bool *outlier)
{
	for (size_t i = 0; i < value->outliers && i < SUMMARY_OUTLIERS_KEPT; i++) {
		const uint32_t at = summary->steps->index_of[value->outlier[i]];

		if (at != STEP_NOT_KEPT)
			outlier[at] = true;
	}
}

bool plot_row(const struct summary *summary, const struct summary_part *part, size_t group,
	double *value, bool *outlier)
{
	const size_t *first = summary->steps->first + part->run_first;
	struct arena *scratch;
	struct row_series *series;

	if (!is_plotted(summary))
		return false;
	scratch = arena_new();
	series = row_series_new(summary->steps, scratch);
	row_series_read(summary->cube, summary->steps, part->row[group].group,
		summary->options.measure[0], series);
	row_series_adjust(summary, summary->options.measure[0], series);
	for (size_t i = 0; i < summary->steps->count; i++)
		value[i] = NAN;
	for (size_t i = first[0]; i < first[part->run_count]; i++)
		if (series->state[i] == 1 ||
			(!series->state[i] && counts_absent(summary, summary->options.measure[0])))
			value[i] = series->x[i];
	find_outliers(summary, part, value, series, outlier);
	mark_named(summary, &part->row[group].value[0], outlier);
	arena_free(scratch);
	return true;
}

bool plot_rest(const struct summary *summary, const bool *shown, double *value, bool *outlier)
{
	bool known = is_plotted(summary) && summary->step_known[0];
	struct arena *scratch;
	struct row_series *series;

	if (!known)
		return false;
	scratch = arena_new();
	series = row_series_new(summary->steps, scratch);
	memcpy(value, summary->step_total[0], summary->steps->count * sizeof(*value));
	for (size_t g = 0; shown && known && g < summary->grouping->count; g++) {
		if (!shown[g])
			continue;
		row_series_read(summary->cube, summary->steps, &summary->grouping->group[g],
			summary->options.measure[0], series);
		known &= row_series_add(series, -1, value);
	}
	if (known)
		find_outliers(summary, &summary->all, value, series, outlier);
	if (known && !shown)
		mark_named(summary, &summary->all.total[0], outlier);
	arena_free(scratch);
	return known;
}
