/*
 * A page made by hand for tests of what draws it: ops in scopes, types and classes, runs with steps
 * that are left out, a device, ranks. Means and outliers are those of the values, by plain sums.
 */
#ifndef STEPSTAT_TESTS_UNIT_MADE_PAGE_H
#define STEPSTAT_TESTS_UNIT_MADE_PAGE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "report/page/page.h"

#define MADE_TYPES 6
#define MADE_CLASSES 3

struct made_size {
	size_t ops, steps, runs, ranks; /* steps of a run */
	size_t left_out;		/* first steps of each run */
	bool step_time;
	uint64_t seed;
};

static inline double made_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 40) / 16777216.0 + 1e-9;
}

static inline double made_normal(uint64_t *seed)
{
	return sqrt(-2 * log(made_random(seed))) * cos(2 * M_PI * made_random(seed));
}

static inline int made_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static inline double made_median(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), made_compare);
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Farther than 10 scaled MAD from the median of their run, of the kept steps. */
static inline void made_outliers(struct arena *arena, const struct web_page *page,
	const double *value, size_t **index, size_t *count)
{
	double *x = calloc(page->step_count, sizeof(*x));

	*index = arena_array(arena, page->step_count, sizeof(**index));
	*count = 0;
	for (size_t r = 0; r < page->run_count; r++) {
		const struct page_run *run = &page->run[r];
		size_t n = 0;

		for (size_t t = run->first; t < run->first + run->count; t++)
			if (page->step[t].kept && !isnan(value[t]))
				x[n++] = value[t];
		if (n < 2)
			continue;
		double median = made_median(x, n);

		for (size_t i = 0; i < n; i++)
			x[i] = fabs(x[i] - median);
		double mad = made_median(x, n) * 1.482602218505602;

		for (size_t t = run->first; t < run->first + run->count && mad > 0; t++)
			if (page->step[t].kept && !isnan(value[t]) &&
				fabs(value[t] - median) > 10 * mad)
				(*index)[(*count)++] = t;
	}
	free(x);
}

static inline void made_numbers(
	const struct web_page *page, const double *value, struct page_numbers *out)
{
	double *x = calloc(page->step_count, sizeof(*x)), sum = 0, squares = 0;
	size_t n = 0;

	*out = (struct page_numbers){.low = NAN, .high = NAN, .second = NAN, .cv_run = NAN};
	for (size_t t = 0; t < page->step_count; t++)
		if (page->step[t].kept) {
			x[n++] = isnan(value[t]) ? 0 : value[t];
			out->ran += !isnan(value[t]);
		}
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	out->mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - out->mean) * (x[i] - out->mean);
	out->sd = n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
	out->cv = out->mean > 0 ? out->sd / out->mean : NAN;
	if (n > 4) {
		out->low = out->mean - 2 * out->sd / sqrt((double)n);
		out->high = out->mean + 2 * out->sd / sqrt((double)n);
	}
	out->n = out->steps = n;
	out->median = made_median(x, n); /* sorts */
	out->min = x[0];
	out->max = x[n - 1];
	out->p95 = x[(n - 1) * 19 / 20];
	for (size_t i = 0; i < n; i++)
		x[i] = fabs(x[i] - out->median);
	out->robust_cv =
		out->median > 0 ? made_median(x, n) * 1.482602218505602 / out->median : NAN;
	free(x);
}

static inline void made_steps(
	struct arena *arena, struct web_page *page, const struct made_size *size)
{
	page->run = arena_array(arena, size->runs, sizeof(*page->run));
	page->run_count = size->runs;
	page->step = arena_array(arena, size->runs * size->steps, sizeof(*page->step));
	for (size_t r = 0; r < size->runs; r++) {
		page->run[r] = (struct page_run){.name = arena_printf(arena, "run_%zu", r + 1),
			.first = page->step_count,
			.count = size->steps};
		for (size_t i = 0; i < size->steps; i++) {
			bool kept = i >= size->left_out;

			page->step[page->step_count++] = (struct page_step){.run = r,
				.label = arena_printf(arena, "%zu", i + 3),
				.kept = kept,
				.fate = kept ? "yes" : "warm-up",
				.time = NAN,
				.busy = NAN};
			page->kept_count += kept;
		}
	}
}

static inline int made_larger(const void *a, const void *b)
{
	const struct page_row *x = a, *y = b;

	return (x->number.mean < y->number.mean) - (x->number.mean > y->number.mean);
}

/* Numbers, shares and order of rows whose values are filled in. */
static inline void made_finish_rows(
	struct arena *arena, struct web_page *page, struct page_rows *rows)
{
	const struct page_numbers *total = &page->total.number;

	for (size_t i = 0; i < rows->count; i++) {
		struct page_row *row = &rows->row[i];
		double covariance = 0;
		size_t *outlier;

		made_numbers(page, row->value, &row->number);
		made_outliers(arena, page, row->value, &outlier, &row->outlier_count);
		row->outlier = outlier;
		for (size_t t = 0; t < page->step_count; t++)
			if (page->step[t].kept)
				covariance += (page->step[t].op_time - total->mean) *
					      ((isnan(row->value[t]) ? 0 : row->value[t]) -
						      row->number.mean);
		row->number.share = row->number.mean / total->mean;
		row->number.jitter =
			covariance / ((double)(page->kept_count - 1) * total->sd * total->sd);
		for (size_t k = 0; k < PAGE_QUANTILES; k++)
			row->quantile[k] = NAN;
	}
	qsort(rows->row, rows->count, sizeof(*rows->row), made_larger);
}

static inline void made_ops(
	struct arena *arena, struct web_page *page, const struct made_size *size, uint64_t *seed)
{
	struct page_rows *rows = &page->rows[PAGE_NAME];

	rows->row = arena_array(arena, size->ops, sizeof(*rows->row));
	rows->count = size->ops;
	for (size_t i = 0; i < size->ops; i++) {
		struct page_row *row = &rows->row[i];
		double *value = arena_array(arena, page->step_count, sizeof(*value));
		double mean = 4e9 / (double)(i + 1), spread = 0.01 + 0.3 * made_random(seed);
		bool seldom = i % 17 == 13;

		row->type = i % MADE_TYPES;
		row->class_name = i * 7 % MADE_CLASSES;
		row->name = row->short_name = arena_printf(arena, "tower_%zu/block_%zu/%s_%zu",
			i % 2, i / 7 % 9, page->type[row->type], i);
		for (size_t t = 0; t < page->step_count; t++) {
			value[t] = seldom && made_random(seed) < 0.4
					   ? NAN
					   : round(mean * exp(spread * made_normal(seed)));
			if (!page->step[t].kept)
				value[t] *= 1.8;
			if (!isnan(value[t]))
				page->step[t].op_time += value[t];
		}
		row->value = value;
	}
}

static inline void made_group(
	struct arena *arena, struct web_page *page, enum page_kind kind, size_t groups)
{
	struct page_rows *rows = &page->rows[kind], *ops = &page->rows[PAGE_NAME];

	rows->row = arena_array(arena, groups, sizeof(*rows->row));
	rows->count = groups;
	for (size_t g = 0; g < groups; g++) {
		double *value = arena_array(arena, page->step_count, sizeof(*value));

		for (size_t t = 0; t < page->step_count; t++)
			value[t] = 0;
		for (size_t i = 0; i < ops->count; i++) {
			const struct page_row *op = &ops->row[i];

			if ((kind == PAGE_TYPE ? op->type : op->class_name) != g)
				continue;
			for (size_t t = 0; t < page->step_count; t++)
				value[t] += isnan(op->value[t]) ? 0 : op->value[t];
		}
		rows->row[g] = (struct page_row){
			.name = kind == PAGE_TYPE ? page->type[g] : page->class_name[g],
			.value = value};
		rows->row[g].short_name = rows->row[g].name;
	}
	made_finish_rows(arena, page, rows);
}

static inline void made_scopes(struct arena *arena, struct web_page *page)
{
	struct page_rows *rows = &page->rows[PAGE_SCOPE], *ops = &page->rows[PAGE_NAME];

	rows->row = arena_array(arena, 2 + 18 + ops->count, sizeof(*rows->row));
	rows->count = 0;
	for (size_t s = 0; s < 20; s++) {
		char *name = s < 2 ? arena_printf(arena, "tower_%zu", s)
				   : arena_printf(arena, "tower_%zu/block_%zu", (s - 2) % 2,
					     (s - 2) / 2);
		double *value = arena_array(arena, page->step_count, sizeof(*value));
		size_t size = strlen(name), found = 0;

		for (size_t i = 0; i < ops->count; i++) {
			if (strncmp(ops->row[i].name, name, size) || ops->row[i].name[size] != '/')
				continue;
			found++;
			for (size_t t = 0; t < page->step_count; t++)
				value[t] += isnan(ops->row[i].value[t]) ? 0 : ops->row[i].value[t];
		}
		if (found)
			rows->row[rows->count++] =
				(struct page_row){.name = name, .short_name = name, .value = value};
	}
	for (size_t i = 0; i < ops->count && i < 60; i++)
		rows->row[rows->count++] = ops->row[i];
	made_finish_rows(arena, page, rows);
}

static inline void made_device(struct arena *arena, struct web_page *page, uint64_t *seed)
{
	static const struct {
		const char *name;
		bool of_idle, of_compute;
		double mean;
	} parts[] = {{"compute", false, false, 9e9}, {"communication alone", false, false, 2e9},
		{"copies alone", false, false, 3e8}, {"idle", false, false, 3e9},
		{"communication hidden", false, true, 1.5e9}, {"idle: host late", true, false, 1e9},
		{"idle: waiting", true, false, 8e8}, {"idle: short gaps", true, false, 2e8}};
	struct page_device *device;

	page->devices = device = arena_array(arena, 1, sizeof(*device));
	page->devices_count = 1;
	device->name = "gpu:0";
	device->part_count = sizeof(parts) / sizeof(parts[0]);
	device->part = arena_array(arena, device->part_count, sizeof(*device->part));
	for (size_t k = 0; k < device->part_count; k++) {
		double *value = arena_array(arena, page->step_count, sizeof(*value)), sum = 0;

		for (size_t t = 0; t < page->step_count; t++)
			sum += value[t] = parts[k].mean * exp(0.15 * made_normal(seed));
		device->part[k] = (struct page_part){.name = parts[k].name,
			.value = value,
			.mean = sum / (double)page->step_count,
			.low = NAN,
			.high = NAN,
			.of_idle = parts[k].of_idle,
			.of_compute = parts[k].of_compute};
	}
	/* Causes are parts of idle. */
	for (size_t t = 0; t < page->step_count; t++) {
		double *idle = (double *)(uintptr_t)device->part[3].value;

		idle[t] = 3e8;
		for (size_t k = 5; k < 8; k++)
			idle[t] += device->part[k].value[t];
		device->window += (idle[t] + device->part[0].value[t] + device->part[1].value[t] +
					  device->part[2].value[t]) /
				  (double)page->step_count;
	}
}

static inline void made_ranks(
	struct arena *arena, struct web_page *page, size_t ranks, uint64_t *seed)
{
	page->rank = arena_array(arena, ranks, sizeof(*page->rank));
	page->rank_count = ranks;
	for (size_t r = 0; r < ranks; r++) {
		double *excess = arena_array(arena, page->kept_count, sizeof(*excess)), sum = 0;
		bool culprit = r == ranks / 3;

		for (size_t k = 0; k < page->kept_count; k++) {
			excess[k] = 1e8 * made_normal(seed) + (culprit ? 6e8 : 0);
			sum += excess[k];
		}
		page->rank[r] = (struct page_rank){.name = arena_printf(arena, "rank %zu", r),
			.group = arena_printf(arena, "host_%zu", r / 8),
			.excess = excess,
			.work = 9e9,
			.excess_mean = sum / (double)page->kept_count,
			.slowest_in = culprit ? page->kept_count / 2 : 0,
			.steps = page->kept_count,
			.culprit = culprit};
	}
	page->split = arena_array(arena, 4, sizeof(*page->split));
	page->split_count = 4;
	page->split[0] = (struct page_split){"all ops", 0.1, 0.45, 0.25, 0.2};
	page->split[1] = (struct page_split){"tower_0/block_0/MatMul_0", 0, 0.8, 0.05, 0.15};
	page->split[2] = (struct page_split){"tower_1/block_0/Conv2D_1", 0.3, 0.2, 0.4, 0.1};
	page->split[3] = (struct page_split){"tower_0/block_0/Relu_2", NAN, NAN, NAN, NAN};
}

/* What follows from values of ops that are filled in, or were changed. */
static inline void made_longest(struct arena *arena, struct web_page *page, const double *total)
{
	double *x = arena_array(arena, page->step_count, sizeof(*x));
	size_t n = 0;

	page->longest = page->step_count;
	for (size_t t = 0; t < page->step_count; t++) {
		if (!page->step[t].kept)
			continue;
		x[n++] = total[t];
		if (page->longest == page->step_count || total[t] > total[page->longest])
			page->longest = t;
	}
	page->median = n ? made_median(x, n) : NAN;
}

static inline void made_again(struct arena *arena, struct web_page *page)
{
	double *total = arena_array(arena, page->step_count, sizeof(*total));
	size_t *outlier, count;

	for (size_t t = 0; t < page->step_count; t++)
		total[t] = page->step[t].op_time;
	made_numbers(page, total, &page->total.number);
	page->total.number.share = 1;
	page->total.number.jitter = 1;
	made_outliers(arena, page, total, &outlier, &count);
	for (size_t t = 0; t < page->step_count; t++)
		page->step[t].outlier = false;
	for (size_t i = 0; i < count; i++)
		page->step[outlier[i]].outlier = true;
	for (size_t t = 0; t < page->step_count && page->has_step_time; t++)
		total[t] = page->step[t].time;
	if (page->has_step_time)
		made_numbers(page, total, &page->step_time);
	made_longest(arena, page, total);
	for (size_t r = 0; r < page->run_count; r++) {
		struct page_run *run = &page->run[r];
		double sum = 0, op_sum = 0;
		size_t n = 0;

		for (size_t t = run->first; t < run->first + run->count; t++)
			if (page->step[t].kept) {
				sum += total[t];
				op_sum += page->step[t].op_time;
				n++;
			}
		run->mean = n ? sum / (double)n : NAN;
		run->op_mean = n ? op_sum / (double)n : NAN;
		run->left_out = !n;
	}
	made_finish_rows(arena, page, &page->rows[PAGE_NAME]);
	made_group(arena, page, PAGE_TYPE, MADE_TYPES);
	made_group(arena, page, PAGE_CLASS, MADE_CLASSES);
	made_scopes(arena, page);
}

static inline struct web_page *made_page(struct arena *arena, const struct made_size *size)
{
	static const char *types[MADE_TYPES] = {
		"MatMul", "Conv2D", "Relu", "AllReduce", "MemcpyHtoD", "BatchNorm"};
	static const char *classes[MADE_CLASSES] = {"compute", "communication", "copies"};
	struct web_page *page = arena_alloc(arena, sizeof(*page));
	uint64_t seed = size->seed + 1;

	*page = (struct web_page){.title = "made",
		.measure = "time",
		.dimension = DIMENSION_TIME,
		.resolution = 1e6,
		.confidence = 0.95,
		.type = types,
		.type_count = MADE_TYPES,
		.class_name = classes,
		.class_count = MADE_CLASSES,
		.not_in_ops = NAN,
		.has_step_time = size->step_time};
	page->rows[PAGE_NAME].noun = "op";
	page->rows[PAGE_NAME].nouns = "ops";
	page->rows[PAGE_TYPE].noun = "type";
	page->rows[PAGE_TYPE].nouns = "types";
	page->rows[PAGE_CLASS].noun = "class";
	page->rows[PAGE_CLASS].nouns = "classes";
	page->rows[PAGE_SCOPE].noun = "scope";
	page->rows[PAGE_SCOPE].nouns = "scopes";
	made_steps(arena, page, size);
	made_ops(arena, page, size, &seed);
	for (size_t t = 0; t < page->step_count && size->step_time; t++)
		page->step[t].time = page->step[t].op_time * (1.05 + 0.1 * made_random(&seed));
	made_again(arena, page);
	made_device(arena, page, &seed);
	if (size->ranks)
		made_ranks(arena, page, size->ranks, &seed);
	return page;
}

#endif
