/* The table of statistics. */
#include "analysis/statistic.h"

#include <math.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "stats/sample.h"

static const struct statistic table[] = {
#define PLAIN STATISTIC_PLAIN
#define OF_SPREAD STATISTIC_OF_SPREAD
#define OF_SERIES STATISTIC_OF_SERIES
#define OF_CALLS STATISTIC_OF_CALLS
#define OF_CALLS_ALONE STATISTIC_OF_CALLS_ALONE
#define NAMES_MEASURE STATISTIC_NAMES_MEASURE
#define STATISTIC(id, name, shape, digits, title, summary, traits, of_steps, of_calls, call_title, \
	call_name, call_drop)                                                                      \
	{STATISTIC_##id, name, SHAPE_##shape, digits, title, summary, traits, call_title,          \
		call_name, call_drop},
#include "analysis/statistics.def"
#undef STATISTIC
};

const struct statistic *statistic_at(enum statistic_id id)
{
	return &table[id];
}

bool statistic_has_order(enum statistic_id id)
{
	return id == STATISTIC_QUANTILE || id == STATISTIC_QUANTILE_LOW ||
	       id == STATISTIC_QUANTILE_HIGH;
}

enum dimension statistic_dimension(const struct statistic *statistic, enum dimension of_series)
{
	switch (statistic->shape) {
	case SHAPE_SAME:
		return of_series;
	case SHAPE_FRACTION:
		return DIMENSION_FRACTION;
	case SHAPE_COUNT:
		return DIMENSION_COUNT;
	case SHAPE_NUMBER:
		break;
	}
	return DIMENSION_NONE;
}

const char *statistic_column_name(const struct statistic_choice *choice, bool population)
{
	return population && choice->statistic->id == STATISTIC_CV ? "cvpop" : choice->name;
}

/* "p99", "p99.9low" */
static bool is_percentile(const char *name, enum statistic_id *id, double *percent)
{
	size_t size = strlen(name);

	*id = text_ends(name, "low")	? STATISTIC_QUANTILE_LOW
	      : text_ends(name, "high") ? STATISTIC_QUANTILE_HIGH
					: STATISTIC_QUANTILE;
	size -= strlen(table[*id].name) - strlen("pN");
	return name[0] == 'p' && number_parse_real(name + 1, size - 1, percent);
}

int statistic_choose(const char *name, struct statistic_choice *out, struct error *err)
{
	enum statistic_id id;
	double percent;

	for (size_t i = 0; i < STATISTIC_COUNT; i++)
		if (!statistic_has_order(i) && text_equal(name, table[i].name)) {
			*out = (struct statistic_choice){&table[i], 0, name};
			return 0;
		}
	if (is_percentile(name, &id, &percent)) {
		if (!(percent >= 0 && percent <= 100))
			return error_set(err, ERROR_USAGE, "--stats",
				"percentile \"%s\" is not between p0 and p100", name);
		*out = (struct statistic_choice){&table[id], percent / 100, name};
		return 0;
	}

	const char *names[STATISTIC_COUNT];
	int nearest;

	for (size_t i = 0; i < STATISTIC_COUNT; i++)
		names[i] = table[i].name;
	nearest = text_nearest(name, names, STATISTIC_COUNT);
	error_set(err, ERROR_USAGE, "--stats", "unknown statistic \"%s\"", name);
	if (nearest >= 0 && statistic_has_order(nearest))
		return error_hint(err, "percentiles are p and a number: p50, p95, p99.9");
	if (nearest >= 0)
		return error_hint(err, "did you mean \"%s\"? `stepstat help statistics` lists them",
			names[nearest]);
	return error_hint(err, "`stepstat help statistics` lists them");
}

#define TRIM 0.1	  /* of each tail */
#define LJUNG_BOX_LAGS 10 /* as the reference values have it */

double statistic_of_series(const struct statistic_choice *choice, const double *x, size_t n,
	bool one_run, double confidence)
{
	double q, p = NAN, end[2];

	if (choice->statistic->id == STATISTIC_QUANTILE)
		return sample_quantile(x, n, choice->p);
	if (!one_run)
		return NAN;
	if (statistic_has_order(choice->statistic->id)) {
		sample_quantile_interval(x, n, choice->p, confidence, &end[0], &end[1]);
		return end[choice->statistic->id == STATISTIC_QUANTILE_HIGH];
	}
	if (choice->statistic->id == STATISTIC_TRIMMED)
		return sample_trimmed_mean(x, n, TRIM);
	if (choice->statistic->id == STATISTIC_GEOMEAN)
		return sample_geometric_mean(x, n);
	if (choice->statistic->id == STATISTIC_LJUNG_BOX)
		sample_ljung_box(x, n, LJUNG_BOX_LAGS, &q, &p);
	return p;
}
