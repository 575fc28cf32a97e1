/*
 * Values are kept until the group is complete: the statistics of stats/ need two passes and are
 * right to the last digits, which sums of squares are not.
 */
#include "export/aggregates.h"

#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include "base/memory.h"
#include "stats/moments.h"
#include "stats/sample.h"

#define VALUES_MOST 200000000

/* SQLite zeroes it; `begun` says that the vector is set up. */
struct collected {
	struct vec x;
	double p; /* of quantile */
	bool begun, failed;
};

static void release(struct collected *c)
{
	if (c && c->begun)
		vec_release(&c->x);
}

static void fail(sqlite3_context *context, struct collected *c, const char *message)
{
	if (c->failed)
		return;
	c->failed = true;
	sqlite3_result_error(context, message, -1);
}

static struct collected *collect(sqlite3_context *context, sqlite3_value *value)
{
	struct collected *c = sqlite3_aggregate_context(context, sizeof(*c));
	struct error err;
	int type = sqlite3_value_numeric_type(value);
	double *slot;

	if (!c) {
		sqlite3_result_error_nomem(context);
		return NULL;
	}
	if (!c->begun)
		vec_init(&c->x, sizeof(double), VALUES_MOST, "values of an aggregate");
	c->begun = true;
	if (type == SQLITE_NULL)
		return c;
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
		fail(context, c, "a statistic needs numbers, found a text");
		return c;
	}
	slot = vec_push(&c->x, &err);
	if (slot)
		*slot = sqlite3_value_double(value);
	else
		fail(context, c, "too many values for one aggregate");
	return c;
}

static void on_value(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	(void)argc;
	collect(context, argv[0]);
}

static void on_value_and_p(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	struct collected *c = collect(context, argv[0]);
	int type = sqlite3_value_numeric_type(argv[1]);
	double p = sqlite3_value_double(argv[1]);
	bool first;

	(void)argc;
	if (!c)
		return;
	first = c->p == 0;
	if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !(p >= 0 && p <= 1))
		fail(context, c, "quantile(x, p): p is a number from 0 to 1");
	else if (!first && c->p != p + 1)
		fail(context, c, "quantile(x, p): p must be the same in all rows of a group");
	c->p = p + 1; /* 0 is "not yet" */
}

/* The values of the group; NULL where there are none or something failed. */
static struct collected *gathered(sqlite3_context *context)
{
	struct collected *c = sqlite3_aggregate_context(context, 0);

	return c && c->begun && !c->failed ? c : NULL;
}

static void answer(sqlite3_context *context, struct collected *c, double value)
{
	if (c && isfinite(value))
		sqlite3_result_double(context, value);
	else if (!sqlite3_aggregate_context(context, 0) || c)
		sqlite3_result_null(context);
	release(sqlite3_aggregate_context(context, 0));
}

static struct moments moments_of(const struct collected *c)
{
	struct moments m = {0};

	if (c)
		moments_compute(c->x.data, c->x.count, &m);
	return m;
}

static void on_stddev_samp(sqlite3_context *context)
{
	struct collected *c = gathered(context);
	struct moments m = moments_of(c);

	answer(context, c, moments_sd(&m, false));
}

static void on_stddev_pop(sqlite3_context *context)
{
	struct collected *c = gathered(context);
	struct moments m = moments_of(c);

	answer(context, c, moments_sd(&m, true));
}

static void on_cv(sqlite3_context *context)
{
	struct collected *c = gathered(context);
	struct moments m = moments_of(c);

	answer(context, c, moments_cv(&m, false));
}

static void on_median(sqlite3_context *context)
{
	struct collected *c = gathered(context);

	answer(context, c, c ? sample_quantile(c->x.data, c->x.count, 0.5) : NAN);
}

static void on_quantile(sqlite3_context *context)
{
	struct collected *c = gathered(context);

	answer(context, c, c ? sample_quantile(c->x.data, c->x.count, c->p - 1) : NAN);
}

int aggregates_define(sqlite3 *db)
{
	static const struct {
		const char *name;
		int arguments;
		void (*step)(sqlite3_context *, int, sqlite3_value **);
		void (*final)(sqlite3_context *);
	} functions[] = {
		{"stddev_samp", 1, on_value, on_stddev_samp},
		{"stddev_pop", 1, on_value, on_stddev_pop},
		{"cv", 1, on_value, on_cv},
		{"median", 1, on_value, on_median},
		{"quantile", 2, on_value_and_p, on_quantile},
	};
	int status = SQLITE_OK;

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions) && status == SQLITE_OK; i++)
		status = sqlite3_create_function_v2(db, functions[i].name, functions[i].arguments,
			SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL, NULL,
			functions[i].step, functions[i].final, NULL);
	return status;
}
