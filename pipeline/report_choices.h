/* Choices of the report builders, made from settings: default columns, the sort column, the noun of
 * a row. */
#pragma once

#include "pipeline/one_side.h"
#include "report/build.h"
#include "model/measure.h"

/* `out` refers into the settings' arena. ERROR_USAGE for an unknown --sort; a side without a
 * summary is not sorted. */
int report_choices_make(const struct job_settings *settings, const struct side *side,
	struct build_options *out, struct error *err);
/* The percentiles over calls that the report may need, in the settings' arena; after set_stats. */
struct calls_options report_choices_percentiles(const struct job_settings *settings);
/* ERROR_USAGE for a statistic that --per=call does not have, or that only it has. */
int report_choices_check_stat(
	bool calls, const char *option, const struct statistic_choice *choice, struct error *err);
/* The statistic that --sort names; false when it names none. */
bool report_choices_sort_stat(const struct job_settings *settings, struct statistic_choice *out);
/* The columns of a report when the user gives no --stats. */
void report_choices_set_stats(struct job_settings *settings);

/* Measures to show or compare: those that were asked for, else the usual ones and all that the
 * inputs bring along. */

/* The chosen measures, which the side must all have; without a choice, time and requested where
 * the side has them. */
int side_measures(const struct side *side, const struct job_settings *settings, struct arena *arena,
	const enum measure_id **measure, size_t *count, struct error *err);
/* The same of two sides: the usual ones are time, requested and peak, and all must be on both
 * sides.
 */
int measures_of_both(const struct side *base, const struct side *new_side,
	const struct job_settings *settings, struct arena *arena, const enum measure_id **measure,
	size_t *count, struct error *err);

/* A value as tfprof prints it, for --as-printed: the notebook read rounded text. */

/* The value, in base units (ps, bytes), that the sheet would read from tfprof's text. context
 * is a struct job_settings (kilobyte). */
double tfprof_digits_round(const void *context, enum measure_id id, double value);
/* The same for a value that was read from tfprof's text. Its reader has converted MB, and KB
 * stay; only values below 1 KB are converted here, to x / 1024 KB. */
double tfprof_digits_rescale(const void *context, enum measure_id id, double value);
