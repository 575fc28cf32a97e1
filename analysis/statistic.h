/* The table of statistics that a report can show, and the choice of the user. It computes
 * nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"
#include "base/unit.h"

enum statistic_id {
#define STATISTIC(id, ...) STATISTIC_##id,
#include "analysis/statistics.def"
#undef STATISTIC
	STATISTIC_COUNT
};

enum statistic_shape { SHAPE_SAME, SHAPE_FRACTION, SHAPE_COUNT, SHAPE_NUMBER };

/* Traits of a statistic. */
enum {
	STATISTIC_PLAIN = 0,
	STATISTIC_OF_SPREAD = 1,      /* one step has none */
	STATISTIC_OF_SERIES = 2,      /* needs all values (percentiles, other means), not only their
					 summary */
	STATISTIC_OF_CALLS = 4,	      /* calls have it, too */
	STATISTIC_OF_CALLS_ALONE = 8, /* steps do not have it */
	STATISTIC_NAMES_MEASURE =
		16, /* its title over calls names the measure of the first column, too
		     */
};

struct statistic {
	enum statistic_id id;
	const char *name;
	enum statistic_shape shape;
	int digits;
	const char *title;
	const char *summary;
	unsigned traits;
	const char *call_title, *call_name; /* NULL: as chosen (p99) */
	int call_drop; /* how early a narrow terminal leaves it out of a table of calls; 0: never */
};

/* A statistic as chosen: a percentile carries its order. */
struct statistic_choice {
	const struct statistic *statistic;
	double p;	  /* of a percentile, as a fraction */
	const char *name; /* as typed: "p99.9" */
};

const struct statistic *statistic_at(enum statistic_id id);
/* True if its name has an order: pN, and the ends of its interval. */
bool statistic_has_order(enum statistic_id id);
/* ERROR_USAGE with the nearest name and the list. `name` must outlive the choice. */
int statistic_choose(const char *name, struct statistic_choice *out, struct error *err);

/* Dimension of its values, when those of the series have this dimension. */
enum dimension statistic_dimension(const struct statistic *statistic, enum dimension of_series);
/* Its column in files: "cv" is "cvpop" where the divisor is n. */
const char *statistic_column_name(const struct statistic_choice *choice, bool population);

/* One of series; NaN when undefined. The order of steps, the means other than the plain one and
 * intervals of percentiles belong to one run. */
double statistic_of_series(const struct statistic_choice *choice, const double *x, size_t n,
	bool one_run, double confidence);
