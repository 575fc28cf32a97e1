/*
 * The queries are templates; here they get their places.
 */
#include "export/queries.h"

#include <stdio.h>
#include "base/template.h"
#include "templates/templates.h"

const char *const query_dialects[] = {"bigquery", "duckdb", "sqlite", "clickhouse", "spark", NULL};

void queries_write(const struct query_options *opt, struct text *out)
{
	const char *dialect = query_dialects[opt->dialect - 1];
	const struct template_place place[] = {
		{"PROGRAM", opt->program},
		{"DIALECT", dialect},
		{"ABSENT", opt->skip_absent ? "NULL" : "0"},
		{"MODE", opt->skip_absent ? "skip" : "zero"},
		{"MODE_WORDS", opt->skip_absent ? "A step without the op does not count."
						: "A step without the op counts as 0, so that "
						  "values add up to the step."},
	};
	char name[64];

	snprintf(name, sizeof(name), "report_%s.sql", dialect);
	template_fill(out, template_find(opt->flat ? "flat.sql" : name), place,
		sizeof(place) / sizeof(*place));
}
