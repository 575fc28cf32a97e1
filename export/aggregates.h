/*
 * Aggregate functions for SQLite, computed by stats/ over the values collected.
 */
#ifndef STEPSTAT_EXPORT_AGGREGATES_H
#define STEPSTAT_EXPORT_AGGREGATES_H

struct sqlite3;

/* stddev_samp(x), stddev_pop(x), cv(x) (sd with divisor n - 1 over the mean, a fraction),
 * median(x), quantile(x, p) (R type 7). Nulls are left out; undefined is null; a text is an error.
 * Returns an SQLite status. */
int aggregates_define(struct sqlite3 *db);

#endif
