/* Rows of a comparison by hand: five runs a side whose logarithms have a chosen difference and
 * standard error, decided by Welch's test. */
#pragma once

#include <math.h>
#include <gsl/gsl_errno.h>
#include "analysis/compare/comparison.h"
#include "analysis/compare/verdicts.h"
#include "tests/unit/made_runs.h"
#include "tests/unit/test.h"

#define RUNS 5
#define BASE_PS 1e9
#define LOG_MARGIN 0.01980262729617973
/* Student, 8 degrees of freedom. */
#define T_0950 1.8595480375308973
#define T_0975 2.306004135204166
#define T_0990 2.896459447709622
#define T_0995 3.355387331333395

/* Variance 2.5: times s it makes the standard error of a difference of two such samples s. */
static const double pattern[RUNS] = {-2, -1, 0, 1, 2};

struct made_rows {
	struct arena *arena;
	struct compare_options opt;
	struct compared_measure measure;
	struct compared value[8];
	struct decide_row row[8];
	size_t count;
};

static inline int make(void **state)
{
	struct arena *arena = arena_new();
	struct made_rows *t = arena_alloc(arena, sizeof(*t));

	gsl_set_error_handler_off();
	t->arena = arena;
	t->opt = usual_options(METHOD_WELCH);
	t->measure = (struct compared_measure){.id = MEASURE_TIME,
		.base = {.runs = RUNS},
		.new = {.runs = RUNS},
		.total = {.base_mean = 10 * BASE_PS}};
	*state = t;
	return 0;
}

static inline int release(void **state)
{
	struct made_rows *t = *state;

	arena_free(t->arena);
	return 0;
}

/* One side from its values; 0 has no logarithm. */
static inline struct run_row *of_values(struct made_rows *t, const double *value, size_t runs)
{
	struct run_row *row = arena_alloc(t->arena, sizeof(*row));

	row->run = arena_array(t->arena, runs, sizeof(*row->run));
	row->runs = row->valued = runs;
	row->constant = true;
	row->constant_value = value[0];
	for (size_t r = 0; r < runs; r++) {
		row->run[r] = run_of_value(value[r], value[r] > 0 ? log(value[r]) : NAN);
		row->mean += value[r] / (double)runs;
		row->zero |= value[r] == 0;
		row->constant &= value[r] == value[0];
	}
	return row;
}

static inline struct compared *add(struct made_rows *t, const char *name,
	const struct run_row *base, const struct run_row *new)
{
	struct compared *value = &t->value[t->count];

	*value = (struct compared){.base = base, .new = new};
	t->row[t->count++] = (struct decide_row){value, name, 0};
	return value;
}

static inline struct run_row *spread(struct made_rows *t, double diff, double se)
{
	double scaled[RUNS];

	for (size_t r = 0; r < RUNS; r++)
		scaled[r] = log(BASE_PS) + diff + se * pattern[r];
	return row_of_logs(t->arena, scaled, RUNS);
}

/* A row with that difference of logarithms and that standard error. */
static inline struct compared *add_test(
	struct made_rows *t, const char *name, double diff, double se)
{
	return add(t, name, spread(t, 0, se), spread(t, diff, se));
}

static inline struct compared *add_values(
	struct made_rows *t, const char *name, const double *base, const double *new, size_t runs)
{
	return add(t, name, of_values(t, base, runs), of_values(t, new, runs));
}

static inline struct compared *add_steady(
	struct made_rows *t, const char *name, double base, double new)
{
	double b[RUNS], n[RUNS];

	for (size_t r = 0; r < RUNS; r++) {
		b[r] = base;
		n[r] = new;
	}
	return add_values(t, name, b, n, RUNS);
}

static inline void decide(struct made_rows *t)
{
	struct error err = {.kind = ERROR_NONE};

	if (decide_rows(t->row, t->count, &t->opt, &t->measure, &err))
		fail_msg("%s", err.message);
}
