/*
 * Titles and names of statistics over calls, as analysis/statistics.def has those over steps. What
 * is of single calls says so; sum and share are the same per step.
 */
#ifndef STEPSTAT_ANALYSIS_CALL_COLUMNS_H
#define STEPSTAT_ANALYSIS_CALL_COLUMNS_H

#include "analysis/calls.h"

/* Over the column in tables; `first`: of the first measure. */
const char *call_column_title(struct arena *arena, const struct measure *measure, bool first,
	const struct statistic_choice *choice);
/* In files: "call_mean" of time_call_mean_us. */
const char *call_column_name(
	struct arena *arena, const struct statistic_choice *choice, bool population);
/* How early a narrow terminal leaves it out; 0: it stays, as the mean of each measure that was
 * `asked` for by name does. */
int call_column_drop(const struct measure *measure, bool first, bool asked,
	const struct statistic_choice *choice);
/* True if it is in a table for which nothing was chosen. */
bool call_column_is_usual(const struct calls *calls, const struct measure *measure, bool first,
	const struct statistic_choice *choice);
/* A part below 5 us, and shares of the whole, are of times only. */
bool call_column_is_defined(const struct measure *measure, const struct statistic_choice *choice);
/* Columns of files where nothing was chosen. */
size_t call_columns_of_files(struct arena *arena, struct statistic_choice **choice);

#endif
