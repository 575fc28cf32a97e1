/*
 * The queries are templates. What the engines spell differently is in the table of dialects.
 */
#include "export/queries.h"

#include "base/template.h"
#include "templates/templates.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

const char *const query_dialects[] = {"bigquery", "duckdb", "sqlite", "clickhouse", "spark", NULL};

/* Where there is no function for the exact quantile: @P@ between the neighbours by rank. */
#define RANKED                                                                                     \
	"ranked AS (\n"                                                                            \
	"  SELECT op, measure, value,\n"                                                           \
	"         ROW_NUMBER() OVER (PARTITION BY op, measure ORDER BY value) - 1 AS place,\n"     \
	"         COUNT(*) OVER (PARTITION BY op, measure) AS n\n"                                 \
	"  FROM above\n"                                                                           \
	"),\n"
#define QUANTILE_BY_RANK                                                                           \
	"SUM(CASE WHEN ABS(place - (n - 1) * @P@) < 1 "                                            \
	"THEN value * (1 - ABS(place - (n - 1) * @P@)) END)"

/* Of each dialect what report.sql leaves open. */
struct sql_dialect {
	const char *load;     /* comments: the engine, and how it loads the tables */
	const char *of_ranks; /* v.value, the sum over s.ranks ranks, as their mean */
	const char *around;   /* a table that the variance needs, with its comma; or "" */
	const char *values;   /* the table that the variance is computed from */
	const char *variance; /* of d; NULL of one value */
	const char *ranked;   /* a table that the quantiles need, with its comma; or "" */
	const char *ranks;    /* the table that the quantiles are computed from */
	const char *quantile; /* of value, with the place @P@ */
	const char *one;      /* 1 as a number that division does not cut */
	const char *settings; /* after the query */
};

static const struct sql_dialect sql_dialects[] = {
	[QUERY_BIGQUERY] =
		{
			.load = "BigQuery; load (stepstat export INPUT... -o TABLES/), for each of "
				"obs, steps, ops, measures:\n"
				"--   bq load --source_format=NEWLINE_DELIMITED_JSON DATASET.obs "
				"'gs://BUCKET/TABLES/obs*.ndjson' TABLES/obs.schema.json\n"
				"-- and run: bq query --nouse_legacy_sql --dataset_id=DATASET "
				"< this",
			.of_ranks = "v.value * 1.0 / s.ranks",
			.around = "",
			.values = "above",
			.variance = "VAR_SAMP(d)",
			.ranked = RANKED,
			.ranks = "ranked",
			.quantile = QUANTILE_BY_RANK,
			.one = "1.0",
			.settings = "",
		},
	[QUERY_DUCKDB] =
		{
			.load = "DuckDB; load each of obs, steps, ops, measures (stepstat export "
				"INPUT... --to=csv -o TABLES/):\n"
				"--   CREATE TABLE obs AS SELECT * FROM read_csv('TABLES/obs.csv', "
				"header = true, all_varchar = false,\n"
				"--     nullstr = '', types = {'run': 'VARCHAR', 'op': "
				"'VARCHAR'});\n"
				"-- or from NDJSON: read_json('TABLES/obs*.ndjson', format = "
				"'newline_delimited').",
			.of_ranks = "v.value * 1.0::DOUBLE / s.ranks",
			.around = "",
			.values = "above",
			.variance = "VAR_SAMP(d)",
			.ranked = "",
			.ranks = "above",
			.quantile = "QUANTILE_CONT(value, @P@)",
			.one = "1.0::DOUBLE",
			.settings = "",
		},
	[QUERY_SQLITE] =
		{
			.load = "SQLite 3.35 or later; load: stepstat export INPUT... -o "
				"profile.sqlite, or stepstat sql INPUT...",
			/* An integer stays exact. */
			.of_ranks = "CASE WHEN s.ranks = 1 THEN v.value ELSE v.value * 1.0 / "
				    "s.ranks END",
			.around = "around AS (\n"
				  "  SELECT op, measure, run, value, low, d,\n"
				  "         d - AVG(d) OVER (PARTITION BY op, measure, run) AS e\n"
				  "  FROM above\n"
				  "),\n",
			.values = "around",
			.variance = "CASE WHEN COUNT(*) > 1 THEN SUM(e * e) / (COUNT(*) - 1) END",
			.ranked = RANKED,
			.ranks = "ranked",
			.quantile = QUANTILE_BY_RANK,
			.one = "1.0",
			.settings = "",
		},
	[QUERY_CLICKHOUSE] =
		{
			.load = "ClickHouse; load (stepstat export INPUT... -o TABLES/), for each "
				"of obs, steps, ops, measures:\n"
				"--   CREATE TABLE obs ENGINE = Memory AS SELECT * FROM "
				"file('TABLES/obs*.ndjson', 'JSONEachRow');",
			.of_ranks = "v.value * 1.0 / s.ranks",
			.around = "",
			.values = "above",
			.variance = "CASE WHEN COUNT(*) > 1 THEN varSampStable(d) END",
			.ranked = "",
			.ranks = "above",
			.quantile = "quantileExactInclusive(@P@)(value)",
			.one = "1.0",
			.settings =
				"\nSETTINGS join_use_nulls = 1, prefer_column_name_to_alias = 1",
		},
	[QUERY_SPARK] =
		{
			.load = "Spark SQL; load (stepstat export INPUT... -o TABLES/), for each "
				"of obs, steps, ops, measures:\n"
				"--   CREATE TEMPORARY VIEW obs USING json OPTIONS (path "
				"'TABLES/obs*.ndjson');",
			.of_ranks = "v.value * 1.0D / s.ranks",
			.around = "",
			.values = "above",
			.variance = "VAR_SAMP(d)",
			.ranked = "",
			.ranks = "above",
			.quantile = "PERCENTILE(value, @P@D)",
			.one = "1.0D",
			.settings = "",
		},
};

static void fill_quantile(struct text *out, const struct sql_dialect *dialect, const char *p)
{
	const struct template_place place[] = {{"P", p}};

	text_init(out);
	template_fill(out, dialect->quantile, place, COUNT(place));
}

void queries_write(const struct query_options *opt, struct text *out)
{
	static const char *const quantiles[] = {"0.5", "0.9", "0.95", "0.99"};
	const struct sql_dialect *dialect = &sql_dialects[opt->dialect];
	struct text quantile[COUNT(quantiles)];

	for (size_t i = 0; i < COUNT(quantiles); i++)
		fill_quantile(&quantile[i], dialect, quantiles[i]);

	const struct template_place place[] = {
		{"PROGRAM", opt->program},
		{"DIALECT", query_dialects[opt->dialect - 1]},
		{"ABSENT", opt->skip_absent ? "NULL" : "0"},
		{"MODE", opt->skip_absent ? "skip" : "zero"},
		{"MODE_WORDS", opt->skip_absent ? "A step without the op does not count."
						: "A step without the op counts as 0, so that "
						  "values add up to the step."},
		{"LOAD", dialect->load},
		{"OF_RANKS", dialect->of_ranks},
		{"AROUND", dialect->around},
		{"VALUES", dialect->values},
		{"VARIANCE", dialect->variance},
		{"RANKED", dialect->ranked},
		{"RANKS", dialect->ranks},
		{"P_MEDIAN", text_string(&quantile[0])},
		{"P_NINETY", text_string(&quantile[1])},
		{"P_NINETY_FIVE", text_string(&quantile[2])},
		{"P_NINETY_NINE", text_string(&quantile[3])},
		{"ONE", dialect->one},
		{"SETTINGS", dialect->settings},
	};

	template_fill(
		out, template_find(opt->flat ? "flat.sql" : "report.sql"), place, COUNT(place));
	for (size_t i = 0; i < COUNT(quantiles); i++)
		text_release(&quantile[i]);
}
