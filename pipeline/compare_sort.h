/* --sort of a comparison: puts its rows in the order of a column. It changes no value. */
#pragma once

#include "analysis/compare/comparison.h"
#include "base/error.h"

const char *compare_sort_column(size_t i); /* the i-th known column; NULL after the last */
/* `column` as in the table or in the CSV, with or without measure and unit: "change", "op",
 * "requested_change", "time_new_us". NULL: the order stays. ERROR_USAGE names the columns. */
int compare_sort(struct comparison *comparison, const char *column, struct error *err);
