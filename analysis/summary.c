/* Computes the statistics of every row: series out of the cube, stats/ on each, shares against the
 * totals. */
#include "analysis/summary.h"

#include <math.h>
#include <string.h>
#include "analysis/row_series.h"
#include "base/memory.h"
#include "base/threads.h"
#include "stats/moments.h"

#define VALUES_OF_THREAD ((size_t)50000) /* some ms of work */

static size_t part_begin(const struct summary *summary, const struct summary_part *part)
{
	return summary->steps->first[part->run_first];
}

static size_t part_end(const struct summary *summary, const struct summary_part *part)
{
	return summary->steps->first[part->run_first + part->run_count];
}

/* A series whose results are the summary's. */
static struct row_series *series_new(const struct summary *summary, struct arena *scratch)
{
	struct row_series *series = row_series_new(summary->steps, scratch);

	series->results = summary->arena;
	return series;
}

static size_t gather_step(
	const struct summary *summary, struct row_series *series, size_t step, size_t n)
{
	if (series->state[step] == 2)
		return n;
	series->step[n] = summary->steps->step[step];
	series->part[n] = series->x[step];
	return n + 1;
}

/* Gathers the values that count of the runs of `part`; returns how many. */
static size_t gather(const struct summary *summary, const struct summary_part *part,
	struct row_series *series, bool skip_absent)
{
	const size_t *first = summary->steps->first + part->run_first;
	size_t n = 0, next = touched_from(series->touched, series->count, first[0]);

	for (size_t r = 0; r < part->run_count; r++) {
		series->first[r] = n;
		if (skip_absent)
			for (; next < series->count && series->touched[next] < first[r + 1]; next++)
				n = gather_step(summary, series, series->touched[next], n);
		else
			for (size_t i = first[r]; i < first[r + 1]; i++)
				n = gather_step(summary, series, i, n);
	}
	series->first[part->run_count] = n;
	return n;
}

/* The same where nothing is unknown, as a sparse series: absent steps are 0. */
static struct sparse gather_sparse(
	const struct summary *summary, const struct summary_part *part, struct row_series *series)
{
	size_t begin = part_begin(summary, part), end = part_end(summary, part), n = 0;

	for (size_t i = touched_from(series->touched, series->count, begin);
		i < series->count && series->touched[i] < end; i++, n++) {
		series->at[n] = series->touched[i] - begin;
		series->part[n] = series->x[series->touched[i]];
	}
	for (size_t r = 0; r <= part->run_count; r++)
		series->first[r] = summary->steps->first[part->run_first + r] - begin;
	return (struct sparse){series->part, series->at, n, end - begin};
}

/* x minus its mean within each run, so that differences between runs are not taken for jitter; of
 * one run x itself. */
static const double *centred(const struct summary *summary, const struct summary_part *part,
	const double *x, double *out)
{
	const size_t *first = summary->steps->first + part->run_first;

	if (part->run_count == 1)
		return x;
	for (size_t r = 0; r < part->run_count; r++) {
		double sum = 0;
		size_t n = first[r + 1] - first[r];

		for (size_t i = first[r]; i < first[r + 1]; i++)
			sum += x[i];
		for (size_t i = first[r]; i < first[r + 1]; i++)
			out[i] = x[i] - sum / (double)n;
	}
	return out;
}

/* sparse: the series, where it is described as one; else NULL. */
static void shares(const struct summary *summary, const struct summary_part *part, size_t measure,
	struct row_series *series, const struct sparse *sparse, struct summary_value *out)
{
	const struct summary_base *base = measure == SIZE_MAX ? NULL : &part->base[measure];
	size_t begin = part_begin(summary, part), end = part_end(summary, part);
	double sum = 0;

	out->share = out->jitter = NAN;
	if (!base || out->lost || !summary->step_known[measure])
		return;
	for (size_t i = touched_from(series->touched, series->count, begin);
		i < series->count && series->touched[i] < end; i++)
		sum += series->x[series->touched[i]];
	if (base->sum > 0)
		out->share = sum / base->sum;

	/* A series without any spread in a total that has some: its share of the jitter is 0, as
	 * sample_jitter_share would find. */
	const struct sample *sample = &out->runs.pooled;

	if (part->run_count == 1 && sample->constant && sample->n == out->steps &&
		out->steps >= 5 && part->base[measure].squares > 0) {
		out->jitter = 0;
	} else if (sparse) {
		out->jitter = sample_jitter_share_sparse(sparse, base->deviation, base->squares);
	} else {
		const double *total = summary->jitter_of[measure];
		const double *x = centred(summary, part, series->x, series->centred);
		const double *of = centred(summary, part, total, series->centred_total);

		out->jitter = sample_jitter_share(x + begin, of + begin, end - begin);
	}
}

/* The whole that shares of this part refer to. */
static void fill_base(struct summary *summary, struct summary_part *part, size_t measure,
	struct row_series *series)
{
	struct summary_base *base = &part->base[measure];
	const double *total = summary->step_total[measure];
	size_t begin = part_begin(summary, part), n = part_end(summary, part) - begin;
	const double *of =
		centred(summary, part, summary->jitter_of[measure], series->centred_total) + begin;
	struct moments m;

	moments_compute(of, n, &m);
	base->squares = m.constant ? 0 : m.squares;
	base->deviation = arena_array(summary->arena, n, sizeof(double));
	for (size_t i = 0; i < n; i++) {
		base->sum += total[begin + i];
		base->deviation[i] = (double)moments_deviation(&m, of[i]);
	}
}

static void note_resolution(
	const struct summary *summary, enum measure_id id, struct summary_value *out)
{
	if (measure_at(id)->dimension == DIMENSION_TIME && summary->time_resolution_ps > 0)
		out->resolution_limited = out->runs.pooled.sd < summary->time_resolution_ps;
}

/* True if one step makes more than half of the CV. */
static bool is_spike(const struct sample *sample, double cv_without)
{
	return fabs(sample->cv - cv_without) > 0.5 * sample->cv;
}

static void find_odd_steps(const struct summary *summary, const struct summary_part *part,
	enum measure_id id, struct row_series *series, size_t n, struct summary_value *out)
{
	const struct sample_options *opt = &summary->options.sample;
	const struct sample *sample = &out->runs.pooled;
	size_t worst;
	double without_worst;

	if (part->run_count != 1 || n < 3 || sample->constant)
		return;
	note_resolution(summary, id, out);
	if (isnan(sample->cv))
		return;
	out->cv_without = sample->cv;
	out->spiky = sample_may_be_spiky(sample, opt->population) &&
		     sample_worst(series->part, n, opt, &worst, &without_worst) &&
		     is_spike(sample, without_worst);
	out->outliers = sample_described_outliers(series->part, n, sample, series->index);
	if (out->spiky && !out->outliers) {
		out->outliers = 1;
		series->index[0] = worst;
	}
	for (size_t i = 0; i < out->outliers && i < SUMMARY_OUTLIERS_KEPT; i++)
		out->outlier[i] = series->step[series->index[i]];
	if (out->outliers) {
		/* CV of the series without the values at index[0..k), ascending. */
		struct moments rest;
		size_t kept = 0, next = 0;

		for (size_t i = 0; i < n; i++) {
			if (next < out->outliers && series->index[next] == i) {
				next++;
				continue;
			}
			series->centred[kept++] = series->part[i];
		}
		moments_compute(series->centred, kept, &rest);
		out->cv_without = moments_cv(&rest, summary->options.sample.population);
	}
}

/* No time and no size is below 0. */
static void fit_interval(struct runs *runs)
{
	if (runs->pooled.min >= 0)
		sample_positive_interval(runs->mean, &runs->low, &runs->high);
}

/* The grid is that of times. */
static struct sample_options sample_options_of(const struct summary *summary, enum measure_id id)
{
	struct sample_options opt = summary->options.sample;

	if (measure_at(id)->dimension == DIMENSION_TIME)
		opt.resolution = summary->time_resolution_ps;
	return opt;
}

/* The spread of a sparse series, and what a single step makes of it; nothing else can be odd. */
static void describe_sparse(const struct summary *summary, const struct summary_part *part,
	enum measure_id id, const struct sparse *sparse, struct row_series *series,
	struct summary_value *out)
{
	const struct sample_options *opt = &summary->options.sample;
	const struct sample *sample = &out->runs.pooled;
	size_t worst;
	double without;

	runs_describe_sparse(sparse, series->first, part->run_count, opt, &out->runs);
	fit_interval(&out->runs);
	if (part->run_count != 1 || sample->constant)
		return;
	note_resolution(summary, id, out);
	if (isnan(sample->cv))
		return;
	out->cv_without = sample->cv;
	out->spiky = sample_may_be_spiky(sample, opt->population) &&
		     sample_worst_sparse(sparse, opt, &worst, &without) &&
		     is_spike(sample, without);
	if (!out->spiky)
		return;
	out->outliers = 1;
	out->outlier[0] = summary->steps->step[part_begin(summary, part) + worst];
	out->cv_without = without;
}

/* Statistics of the series at hand (x and state filled, adjusted). base: the measure whose total
 * its shares are of; SIZE_MAX: it has none. */
static void describe(const struct summary *summary, const struct summary_part *part,
	enum measure_id id, size_t base, struct row_series *series, struct summary_value *out)
{
	const struct summary_options *opt = &summary->options;
	const struct sample_options sample = sample_options_of(summary, id);
	/* A measure that does not add up is not 0 where there is none of it. */
	const bool skip_absent = opt->skip_absent || !cube_adds_up(summary->cube, id);
	size_t n, end = part_end(summary, part);
	struct sample *when_run;
	struct sparse sparse;

	out->steps = end - part_begin(summary, part);
	for (size_t i = touched_from(series->touched, series->count, part_begin(summary, part));
		i < series->count && series->touched[i] < end; i++) {
		out->ran++;
		out->lost += series->state[series->touched[i]] == 2;
	}
	if (out->ran < out->steps && !skip_absent && out->ran > out->lost) {
		n = gather(summary, part, series, true);
		out->when_run = when_run = arena_alloc(series->results, sizeof(*when_run));
		sample_describe(series->part, n, &sample, when_run);
	}
	sparse = (struct sparse){.k = out->ran, .n = out->steps};
	if (!out->lost && !skip_absent && !opt->extra_count && sparse_enough(&sparse)) {
		sparse = gather_sparse(summary, part, series);
		describe_sparse(summary, part, id, &sparse, series, out);
		shares(summary, part, base, series, &sparse, out);
		return;
	}
	n = gather(summary, part, series, skip_absent);
	runs_describe(series->part, series->first, part->run_count, &sample, &out->runs);
	fit_interval(&out->runs);
	out->extra = opt->extra_count
			     ? arena_array(series->results, opt->extra_count, sizeof(double))
			     : NULL;
	for (size_t i = 0; i < opt->extra_count; i++)
		out->extra[i] = summary_lacks_tail(summary, &opt->extra[i], n)
					? NAN
					: statistic_of_series(&opt->extra[i], series->part, n,
						  part->run_count == 1, sample.confidence);
	find_odd_steps(summary, part, id, series, n, out);
	sparse = (struct sparse){.k = out->ran, .n = out->steps};
	if (skip_absent && sparse_enough(&sparse)) /* the jitter is of all steps */
		sparse = gather_sparse(summary, part, series);
	shares(summary, part, base, series, sparse.x ? &sparse : NULL, out);
}

static void fill_part(struct summary *summary, struct summary_part *part, struct row_series *series)
{
	const struct grouping *grouping = summary->grouping;
	const struct summary_options *opt = &summary->options;
	size_t begin = part_begin(summary, part), end = part_end(summary, part);

	part->row = arena_array(summary->arena, grouping->count, sizeof(*part->row));
	for (size_t g = 0; g < grouping->count; g++) {
		part->row[g].group = &grouping->group[g];
		part->row[g].value = arena_array(
			summary->arena, opt->measure_count, sizeof(struct summary_value));
	}
	part->total = arena_array(summary->arena, opt->measure_count, sizeof(struct summary_value));
	part->base = arena_array(summary->arena, opt->measure_count, sizeof(*part->base));
	for (size_t m = 0; m < opt->measure_count; m++) {
		part->base[m].not_in_ops = NAN;
		if (measure_at(opt->measure[m])->kind == MEASURE_STATIC)
			continue;
		fill_base(summary, part, m, series);
		row_series_fill(series, summary->step_known[m], begin, end);
		memcpy(series->x + begin, summary->step_total[m] + begin,
			(end - begin) * sizeof(double));
		describe(summary, part, opt->measure[m], m, series, &part->total[m]);
		if (summary->jitter_of[m] == summary->step_total[m])
			continue;
		part->base[m].not_in_ops = 1 - part->total[m].jitter;
		if (!isnan(part->total[m].jitter))
			part->total[m].jitter = 1;
	}
}

/* An earlier measure with the same value in every row, or m itself: without an accelerator `micros`
 * and `time` are `cpu`, and need not be described again. */
static size_t same_as(const struct summary *summary, const struct cube *self, size_t m)
{
	const enum measure_id *measure = summary->options.measure;

	if (summary->options.adjust) /* it may tell measures apart */
		return m;
	for (size_t e = 0; e < m; e++)
		if (measure_at(measure[e])->kind != MEASURE_STATIC &&
			cube_same_values(self, measure[e], measure[m]) &&
			(summary->cube == self ||
				cube_same_values(summary->cube, measure[e], measure[m])))
			return e;
	return m;
}

/* Takes over what is known of the measure `same`, in every part. */
static void copy_values(struct summary *summary, size_t g, size_t m, size_t same)
{
	summary->all.row[g].value[m] = summary->all.row[g].value[same];
	for (size_t r = 0; r < summary->part_count; r++)
		summary->part[r].row[g].value[m] = summary->part[r].row[g].value[same];
}

static void free_results(void *arena)
{
	arena_free(arena);
}

/* One of the threads that describe rows. */
struct row_worker {
	struct row_series *series;
	size_t over, over_row; /* sums that 64 bits do not hold; the row of the first */
	uint32_t over_step;
};

struct rows_work {
	struct summary *summary;
	size_t measure;
	struct row_worker *worker;
};

static void describe_row(struct summary *summary, size_t g, size_t m, struct row_worker *worker)
{
	struct row_series *series = worker->series;

	row_series_read(summary->cube, summary->steps, &summary->grouping->group[g],
		summary->options.measure[m], series);
	if (series->over && worker->over == 0) {
		worker->over_row = g;
		worker->over_step = summary->steps->step[series->over_first];
	}
	worker->over += series->over;
	row_series_adjust(summary, summary->options.measure[m], series);
	enum measure_id id = summary->options.measure[m];

	describe(summary, &summary->all, id, m, series, &summary->all.row[g].value[m]);
	for (size_t r = 0; r < summary->part_count; r++)
		describe(summary, &summary->part[r], id, m, series,
			&summary->part[r].row[g].value[m]);
}

static void describe_next(void *context, size_t row, size_t thread)
{
	const struct rows_work *work = context;

	describe_row(work->summary, row, work->measure, &work->worker[thread]);
}

/* Sums of a measure beyond 64 bits: the first in the order of rows is named. */
static void note_over(struct summary *summary, struct row_worker *worker, size_t threads)
{
	const struct row_worker *first = NULL;
	size_t over = 0;

	for (size_t i = 0; i < threads; i++) {
		if (worker[i].over && (!first || worker[i].over_row < first->over_row))
			first = &worker[i];
		over += worker[i].over;
	}
	if (first && summary->out_of_range == 0) {
		summary->out_of_range_row = summary->grouping->group[first->over_row].name;
		summary->out_of_range_step = first->over_step;
	}
	summary->out_of_range += over;
}

/* Threads that the rows are worth: values may be changed by code that is not made for several. */
static size_t row_threads(const struct summary *summary)
{
	const size_t values = summary->grouping->count * summary->steps->count;
	size_t threads = summary->options.adjust ? 1 : summary->options.threads;

	threads = threads > THREADS_MOST ? THREADS_MOST : threads < 1 ? 1 : threads;
	return threads < 1 + values / VALUES_OF_THREAD ? threads : 1 + values / VALUES_OF_THREAD;
}

/* One pass over the cube per row and measure, used for every part. */
static void fill_rows(struct summary *summary, const struct cube *self, struct row_series *series)
{
	const struct summary_options *opt = &summary->options;
	const size_t threads = row_threads(summary);
	struct arena *scratch = arena_new();
	struct rows_work work = {.summary = summary};
	struct row_worker *worker = arena_array(scratch, threads + 1, sizeof(*worker));

	work.worker = worker;
	worker[0].series = series;
	for (size_t i = 1; i < threads; i++) {
		worker[i].series = series_new(summary, scratch);
		worker[i].series->results = arena_new();
		arena_defer(summary->arena, free_results, worker[i].series->results);
	}
	for (size_t m = 0; m < opt->measure_count; m++) {
		if (measure_at(opt->measure[m])->kind == MEASURE_STATIC)
			continue;
		size_t same = same_as(summary, self, m);

		for (size_t g = 0; same < m && g < summary->grouping->count; g++)
			copy_values(summary, g, m, same);
		if (same < m)
			continue;
		work.measure = m;
		threads_each(threads, summary->grouping->count, describe_next, &work);
		note_over(summary, worker, threads);
		for (size_t i = 0; i < threads; i++)
			worker[i].over = 0;
	}
	arena_free(scratch);
}

static void fill_static(struct summary *summary, struct summary_part *part)
{
	const struct summary_options *opt = &summary->options;

	for (size_t m = 0; m < opt->measure_count; m++) {
		struct summary_value *total = &part->total[m];

		if (measure_at(opt->measure[m])->kind != MEASURE_STATIC)
			continue;
		total->is_static = true;
		for (uint32_t o = 0; o < summary->cube->op_count; o++) {
			int64_t v = cube_static(summary->cube, opt->measure[m], o);

			if (v == CELL_ABSENT)
				continue;
			total->known = !summary->cube->totals;
			total->static_value += (double)v;
		}
		for (size_t g = 0; g < summary->grouping->count; g++) {
			struct summary_value *value = &part->row[g].value[m];
			int64_t v;

			value->is_static = true;
			value->known = grouping_static(
				summary->cube, &summary->grouping->group[g], opt->measure[m], &v);
			value->static_value = value->known ? (double)v : 0;
		}
	}
}

/* Totals of the kept steps, over all ops or over the rows. */
static void fill_totals(struct summary *summary, const struct cube *self, struct row_series *series)
{
	const struct summary_options *opt = &summary->options;
	size_t n = summary->steps->count;
	double *all = memory_alloc(memory_product(self->step_count, sizeof(double)));
	bool *known = memory_alloc(self->step_count + 1);

	summary->step_total = arena_array(summary->arena, opt->measure_count, sizeof(double *));
	summary->step_known = arena_array(summary->arena, opt->measure_count, sizeof(bool));
	for (size_t m = 0; m < opt->measure_count; m++) {
		double *total = arena_array(summary->arena, n, sizeof(double));

		summary->step_total[m] = total;
		summary->step_known[m] = cube_adds_up(self, opt->measure[m]);
		if (measure_at(opt->measure[m])->kind == MEASURE_STATIC)
			continue;
		if (!opt->of_selected || summary->overlap) {
			steps_totals(self, opt->measure[m], all, known);
			for (size_t i = 0; i < n; i++) {
				total[i] = all[summary->steps->step[i]];
				summary->step_known[m] &= known[summary->steps->step[i]];
			}
			continue;
		}
		for (size_t g = 0; g < summary->grouping->count; g++) {
			row_series_read(summary->cube, summary->steps, &summary->grouping->group[g],
				opt->measure[m], series);
			summary->step_known[m] &= row_series_add(series, 1, total);
		}
	}
	memory_free(all);
	memory_free(known);
}

/* A series of the steps of the part, which the caller has put into `series`. */
static void describe_steps(const struct summary *summary, const struct summary_part *part,
	struct row_series *series, struct runs *out)
{
	const struct sample_options opt = sample_options_of(summary, MEASURE_TIME);

	gather(summary, part, series, false);
	runs_describe(series->part, series->first, part->run_count, &opt, out);
	fit_interval(out);
}

/* Step times that are not known become the mean of those of their run: they are no jitter, and
 * shares are those of the steps whose time is known. */
static double *known_times(const struct summary *summary, const double *time)
{
	const struct step_set *steps = summary->steps;
	double *out = arena_array(summary->arena, steps->count, sizeof(*out));

	for (size_t r = 0; r < steps->run_count; r++) {
		double sum = 0;
		size_t known = 0;

		for (size_t i = steps->first[r]; i < steps->first[r + 1]; i++) {
			sum += isnan(time[i]) ? 0 : time[i];
			known += !isnan(time[i]);
		}
		for (size_t i = steps->first[r]; i < steps->first[r + 1]; i++)
			out[i] = !isnan(time[i]) ? time[i] : known ? sum / (double)known : 0;
	}
	return out;
}

/* The series that jitter shares refer to: the step time, or the total of the measure. */
static void fill_jitter_of(struct summary *summary, const struct cube *self)
{
	const struct summary_options *opt = &summary->options;
	const struct step_times *times = &self->times;
	const bool of_step = times->time_ps && !opt->of_selected && !summary->overlap &&
			     (opt->jitter_of == JITTER_OF_STEP ||
				     (opt->jitter_of == JITTER_OF_AUTO && times->decides));
	double *time = arena_array(summary->arena, summary->steps->count, sizeof(*time));
	double *of;

	for (size_t i = 0; times->time_ps && i < summary->steps->count; i++)
		time[i] = step_series_value(times->time_ps, summary->steps->step[i]);
	summary->step_time = times->time_ps ? time : NULL;
	summary->jitter_of = arena_array(summary->arena, opt->measure_count, sizeof(double *));
	of = of_step ? known_times(summary, time) : NULL;
	for (size_t m = 0; m < opt->measure_count; m++)
		summary->jitter_of[m] =
			of_step && measure_at(opt->measure[m])->dimension == DIMENSION_TIME
				? of
				: summary->step_total[m];
}

/* Mean of `count` runs of the step set. */
static void init_part(struct summary *summary, struct summary_part *part, size_t first,
	size_t count, struct row_series *series)
{
	const uint32_t run = summary->steps->run[first];

	part->run = count == 1 ? summary->cube->run[run].name : "all";
	part->run_first = first;
	part->run_count = count;
	fill_part(summary, part, series);
	fill_static(summary, part);

	const size_t begin = part_begin(summary, part), end = part_end(summary, part);
	const struct step *step = summary->cube->step;
	const uint32_t *index = summary->steps->step;

	part->has_time = summary->step_time != NULL;
	part->has_busy = true;
	for (size_t i = begin; i < end; i++)
		part->has_busy &= step_knows_busy(&step[index[i]]);
	if (part->has_time) {
		row_series_set(series, summary->step_time, begin, end);
		describe_steps(summary, part, series, &part->time);
	}
	row_series_fill(series, true, begin, end);
	for (size_t i = begin; i < end && part->has_busy; i++)
		series->x[i] = (double)step[index[i]].busy_ps;
	if (part->has_busy)
		describe_steps(summary, part, series, &part->busy);
}

static const char *rank_of(const struct summary *summary, size_t run)
{
	const char *rank = summary->cube->run[summary->steps->run[run]].rank;

	return rank ? rank : "";
}

/* Runs of one rank are neighbours in the step set. */
static void make_parts(struct summary *summary, struct row_series *series)
{
	const size_t runs = summary->steps->run_count;

	summary->parts_of = summary;
	if (summary->options.parts == PARTS_NONE)
		return;
	summary->part = arena_array(summary->arena, runs, sizeof(*summary->part));
	for (size_t r = 0, n; r < runs; r += n) {
		struct summary_part *part = &summary->part[summary->part_count++];

		part->rank = rank_of(summary, r);
		for (n = 1; summary->options.parts == PARTS_RANKS && r + n < runs &&
			    text_equal(rank_of(summary, r + n), part->rank);)
			n++;
		init_part(summary, part, r, n, series);
	}
}

struct summary *summary_make(const struct cube *self, const struct cube *cube,
	const struct step_set *steps, const struct grouping *grouping,
	const struct summary_options *opt)
{
	struct arena *arena = arena_new(), *scratch = arena_new();
	struct summary *summary = arena_alloc(arena, sizeof(*summary));
	struct row_series *series;

	summary->arena = arena;
	summary->cube = cube;
	summary->steps = steps;
	summary->grouping = grouping;
	summary->options = *opt;
	summary->overlap = cube->totals;
	summary->time_resolution_ps = steps->time_resolution_ps;
	series = series_new(summary, scratch);
	fill_totals(summary, self, series);
	fill_jitter_of(summary, self);
	init_part(summary, &summary->all, 0, steps->run_count, series);
	make_parts(summary, series);
	fill_rows(summary, self, series);
	arena_free(scratch);
	return summary;
}

void summary_free(struct summary *summary)
{
	if (summary)
		arena_free(summary->arena);
}

struct summary_value *summary_rest(
	struct summary *summary, const struct summary_part *part, const bool *shown)
{
	const struct summary_options *opt = &summary->options;
	struct arena *scratch = arena_new();
	struct row_series *series = series_new(summary, scratch);
	size_t n = summary->steps->count;
	double *rest = arena_array(scratch, n, sizeof(double));
	struct summary_value *value =
		arena_array(summary->arena, opt->measure_count, sizeof(*value));

	for (size_t m = 0; m < opt->measure_count; m++) {
		bool known = summary->step_known[m];

		if (measure_at(opt->measure[m])->kind == MEASURE_STATIC) {
			value[m] = part->total[m];
			for (size_t g = 0; g < summary->grouping->count; g++)
				if (shown[g])
					value[m].static_value -= part->row[g].value[m].static_value;
			continue;
		}
		memcpy(rest, summary->step_total[m], n * sizeof(double));
		for (size_t g = 0; g < summary->grouping->count; g++) {
			if (!shown[g])
				continue;
			row_series_read(summary->cube, summary->steps, &summary->grouping->group[g],
				opt->measure[m], series);
			known &= row_series_add(series, -1, rest);
		}
		row_series_fill(series, known, 0, n);
		memcpy(series->x, rest, n * sizeof(double));
		describe(summary, part, opt->measure[m], m, series, &value[m]);
	}
	arena_free(scratch);
	return value;
}

void summary_describe(const struct summary *summary, enum measure_id id, const double *x,
	struct summary_value *out)
{
	struct arena *scratch = arena_new();
	struct row_series *series = series_new(summary, scratch);

	*out = (struct summary_value){.share = NAN, .jitter = NAN};
	row_series_set(series, x, 0, summary->steps->count);
	describe(summary, &summary->all, id, SIZE_MAX, series, out);
	arena_free(scratch);
}
