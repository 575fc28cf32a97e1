/* SQL that computes from the tables what `report` computes, in the dialects of several engines. */
#pragma once

#include <stdbool.h>
#include "base/text.h"

enum query_dialect {
	QUERY_NONE,
	QUERY_BIGQUERY,
	QUERY_DUCKDB,
	QUERY_SQLITE,
	QUERY_CLICKHOUSE,
	QUERY_SPARK,
};

/* Tables that are computed: the ops or the totals of a report, or of the table `flat` dur by
 * arg_name. */
enum query_table { QUERY_OPS, QUERY_TOTALS, QUERY_FLAT };

struct query_options {
	enum query_dialect dialect;
	bool skip_absent; /* --absent=skip */
	enum query_table table;
	const char *program; /* "stepstat 0.1.0" */
};

/* "bigquery", "duckdb", ...: word i is the dialect i + 1; NULL-terminated. */
extern const char *const query_dialects[];

void queries_write(const struct query_options *opt, struct text *out);
