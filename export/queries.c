/* The queries are templates. What the engines spell differently is in the table of dialects. */
#include "export/queries.h"

#include "base/arena.h"
#include "base/text.h"
#include "templates/templates.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

const char *const query_dialects[] = {"bigquery", "duckdb", "sqlite", "clickhouse", "spark", NULL};

/* Form without a function for the exact quantile: @P@ between the neighbours by rank. */
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

/* Parts of a dialect that the templates leave open. */
struct sql_dialect {
	const char *load;     /* comments: the engine, and how it loads the @TABLES@ */
	const char *of_ranks; /* v.value, the sum over s.ranks ranks, as their mean */
	const char *around;   /* a table that the variance needs, with its comma; or "" */
	const char *values;   /* the table that the variance is computed from */
	const char *variance; /* of d; NULL of one value */
	const char *ranked;   /* a table that the quantiles need, with its comma; or "" */
	const char *ranks;    /* the table that the quantiles are computed from */
	const char *quantile; /* of value, with the place @P@ */
	const char *one;      /* 1 as a number that division does not cut */
	const char *whole;    /* @A@ over @B@, cut to a whole number */
	const char *text;     /* the type of texts */
	const char *type;     /* of `device` what stands before the last colon */
	const char *settings; /* after the query */
};

static const struct sql_dialect sql_dialects[] = {
	[QUERY_BIGQUERY] =
		{
			.load = "BigQuery; load (stepstat export INPUT... -o TABLES/), for each of "
				"@TABLES@:\n"
				"--   bq load --source_format=NEWLINE_DELIMITED_JSON "
				"DATASET.@TABLE@ "
				"'gs://BUCKET/TABLES/@TABLE@*.ndjson' TABLES/@TABLE@.schema.json\n"
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
			.whole = "DIV(@A@, @B@)",
			.text = "STRING",
			.type = "REGEXP_REPLACE(device, ':[^:]*$', '')",
			.settings = "",
		},
	[QUERY_DUCKDB] =
		{
			.load = "DuckDB; load each of @TABLES@ (stepstat export "
				"INPUT... --to=csv -o TABLES/):\n"
				"--   CREATE TABLE @TABLE@ AS SELECT * FROM "
				"read_csv('TABLES/@TABLE@.csv', "
				"header = true, all_varchar = false,\n"
				"--     nullstr = '', types = {'run': 'VARCHAR', 'op': "
				"'VARCHAR'});\n"
				"-- or from NDJSON: read_json('TABLES/@TABLE@*.ndjson', format = "
				"'newline_delimited').",
			.of_ranks = "v.value * 1.0::DOUBLE / s.ranks",
			.around = "",
			.values = "above",
			.variance = "VAR_SAMP(d)",
			.ranked = "",
			.ranks = "above",
			.quantile = "QUANTILE_CONT(value, @P@)",
			.one = "1.0::DOUBLE",
			.whole = "(@A@) // (@B@)",
			.text = "VARCHAR",
			.type = "REGEXP_REPLACE(device, ':[^:]*$', '')",
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
			.whole = "(@A@) / (@B@)",
			.text = "TEXT",
			.type = "RTRIM(RTRIM(device, '0123456789'), ':')",
			.settings = "",
		},
	[QUERY_CLICKHOUSE] =
		{
			.load = "ClickHouse; load (stepstat export INPUT... -o TABLES/), for each "
				"of @TABLES@:\n"
				"--   CREATE TABLE @TABLE@ ENGINE = Memory AS SELECT * FROM "
				"file('TABLES/@TABLE@*.ndjson', 'JSONEachRow');",
			.of_ranks = "v.value * 1.0 / s.ranks",
			.around = "",
			.values = "above",
			.variance = "CASE WHEN COUNT(*) > 1 THEN varSampStable(d) END",
			.ranked = "",
			.ranks = "above",
			.quantile = "quantileExactInclusive(@P@)(value)",
			.one = "1.0",
			.whole = "intDiv(@A@, @B@)",
			.text = "String",
			.type = "replaceRegexpOne(device, ':[^:]*$', '')",
			.settings =
				"\nSETTINGS join_use_nulls = 1, prefer_column_name_to_alias = 1",
		},
	[QUERY_SPARK] =
		{
			.load = "Spark SQL; load (stepstat export INPUT... -o TABLES/), for each "
				"of @TABLES@:\n"
				"--   CREATE TEMPORARY VIEW @TABLE@ USING json OPTIONS (path "
				"'TABLES/@TABLE@*.ndjson');",
			.of_ranks = "v.value * 1.0D / s.ranks",
			.around = "",
			.values = "above",
			.variance = "VAR_SAMP(d)",
			.ranked = "",
			.ranks = "above",
			.quantile = "PERCENTILE(value, @P@D)",
			.one = "1.0D",
			.whole = "(@A@) DIV (@B@)",
			.text = "STRING",
			.type = "REGEXP_REPLACE(device, ':[^:]*$', '')",
			.settings = "",
		},
};

static const char *fill(
	struct arena *arena, const char *template, const struct template_place *place, size_t count)
{
	struct text text;
	const char *out;

	text_init(&text);
	template_fill(&text, template, place, count);
	out = arena_strndup(arena, text_string(&text), text.size);
	text_release(&text);
	return out;
}

static const char *quantile(struct arena *arena, const struct sql_dialect *dialect, const char *p)
{
	return fill(arena, dialect->quantile, &(struct template_place){"P", p}, 1);
}

static const char *whole(
	struct arena *arena, const struct sql_dialect *dialect, const char *a, const char *b)
{
	const struct template_place place[] = {{"A", a}, {"B", b}};

	return fill(arena, dialect->whole, place, COUNT(place));
}

/* Statistics that are computed from the values of steps, for any table. */
static const char *statistics(struct arena *arena, const struct sql_dialect *dialect)
{
	const struct template_place place[] = {
		{"AROUND", dialect->around},
		{"VALUES", dialect->values},
		{"VARIANCE", dialect->variance},
		{"RANKED", dialect->ranked},
		{"RANKS", dialect->ranks},
		{"P_MEDIAN", quantile(arena, dialect, "0.5")},
		{"P_NINETY", quantile(arena, dialect, "0.9")},
		{"P_NINETY_FIVE", quantile(arena, dialect, "0.95")},
		{"P_NINETY_NINE", quantile(arena, dialect, "0.99")},
	};

	return fill(arena, template_find("statistics.sql"), place, COUNT(place));
}

static const char *how_to_load(
	struct arena *arena, const struct sql_dialect *dialect, enum query_table table)
{
	const bool totals = table == QUERY_TOTALS;
	const struct template_place place[] = {
		{"TABLES", totals ? "steps, step_series" : "obs, steps, ops, measures"},
		{"TABLE", totals ? "steps" : "obs"},
	};

	return fill(arena, dialect->load, place, COUNT(place));
}

void queries_write(const struct query_options *opt, struct text *out)
{
	static const char *const templates[] = {
		[QUERY_OPS] = "ops.sql", [QUERY_TOTALS] = "totals.sql", [QUERY_FLAT] = "flat.sql"};
	const struct sql_dialect *dialect = &sql_dialects[opt->dialect];
	struct arena *arena = arena_new();
	const char *half = whole(arena, dialect, "COUNT(*)", "2");
	const struct template_place place[] = {
		{"PROGRAM", opt->program},
		{"DIALECT", query_dialects[opt->dialect - 1]},
		{"ABSENT", opt->skip_absent ? "NULL" : "0"},
		{"MODE", opt->skip_absent ? "skip" : "zero"},
		{"MODE_WORDS", opt->skip_absent ? "A step without the op does not count."
						: "A step without the op counts as 0, so that "
						  "values add up to the step."},
		{"LOAD", how_to_load(arena, dialect, opt->table)},
		{"OF_RANKS", dialect->of_ranks},
		{"STATISTICS", statistics(arena, dialect)},
		{"MEAN_OF_RANKS",
			whole(arena, dialect, arena_printf(arena, "SUM(dur_ps) + %s", half),
				"COUNT(*)")},
		{"MEAN_BUSY", whole(arena, dialect, "SUM(busy_ps)", "COUNT(*)")},
		{"TEXT", dialect->text},
		{"DEVICE_TYPE", dialect->type},
		{"ONE", dialect->one},
		{"SETTINGS", dialect->settings},
	};

	template_fill(out, template_find(templates[opt->table]), place, COUNT(place));
	arena_free(arena);
}
