/* The values of one row, or of a total, over the kept steps: read out of the cube, with what is
 * absent or not known. It describes nothing; summary.c does. */
#pragma once

#include "analysis/summary.h"

/* Work space for one series over all kept steps. */
struct row_series {
	int64_t *value;	      /* as summed over a group: exact; zero where absent */
	double *x;	      /* the same; zero where absent or not known */
	unsigned char *state; /* 0 absent, 1 present, 2 not known */
	uint32_t *touched;    /* the steps that are not absent, ascending */
	size_t count;	      /* of these */
	double *part;	      /* the values that count, run by run */
	size_t over;	      /* touched steps whose sum 64 bits do not hold; unknown */
	uint32_t over_first;
	size_t *at; /* of the values of a sparse series in part */
	double *centred, *centred_total;
	uint32_t *step; /* of each value in part */
	size_t *index;
	size_t *first; /* runs + 1 */
	double *ran;   /* the values of steps in which it ran, where they are asked for */
	size_t ran_count;
	struct arena *results; /* of what outlives it; the caller's */
};

/* The place of the first of the touched steps that is `step` or later. */
size_t touched_from(const uint32_t *touched, size_t count, size_t step);
struct row_series *row_series_new(const struct step_set *steps, struct arena *arena);
/* As if nothing had run. Only what the last series touched is cleared. */
void row_series_clear(struct row_series *series);
/* A series that has a value in every step, known or not; the values themselves are the caller's to
 * fill. */
void row_series_fill(struct row_series *series, bool known, size_t begin, size_t end);
/* The same with these values; NaN: not known. */
void row_series_set(struct row_series *series, const double *x, size_t begin, size_t end);
/* The sums of a group as recorded; then as the options change them (summary_options.adjust). */
void row_series_read(const struct cube *cube, const struct step_set *steps,
	const struct group *group, enum measure_id id, struct row_series *series);
/* The mean in n steps, of what is known; 0 of none. Steps without the row have 0; of ranks a value
 * may not be known (NaN). */
double series_mean(const double *x, const uint32_t *step, size_t n);
/* Adds the series times a factor to sums of each step. False: a value is not known. */
bool row_series_add(const struct row_series *series, double factor, double *sum);
void row_series_adjust(
	const struct summary *summary, enum measure_id id, struct row_series *series);

/* A row over all kept steps, for plots, in the first measure. value[i]: base units; NaN: not known,
 * of a run that is not in the part, or absent where such steps do not count. outlier[i]: further
 * from the median of its run than sample_outliers allows, or a step that the notes name. */

/* Row `group` of the part; false for a static measure. */
bool plot_row(const struct summary *summary, const struct summary_part *part, size_t group,
	double *value, bool *outlier);
/* The total of all runs without the rows that are shown (NULL: the whole total); false where it is
 * not known in all steps, and for a static measure. */
bool plot_rest(const struct summary *summary, const bool *shown, double *value, bool *outlier);
