/* Names and suffixes of files of observations, and of tables for databases, among the output
 * formats. They hold no report: `stepstat export` writes them (export/), and `stepstat sql` keeps a
 * database. */
#include "writers/writer.h"

const struct writer writer_obs = {
	.name = "obs",
	.summary = "observations to be read again: stepstat export",
	.suffixes = (const char *const[]){".obs", NULL},
	.holds = WRITER_OBSERVATIONS,
};

const struct writer writer_parquet = {
	.name = "parquet",
	.summary = "observations or tables as Parquet: stepstat export",
	.suffixes = (const char *const[]){".parquet", NULL},
	.holds = WRITER_OBSERVATIONS,
};

const struct writer writer_ndjson = {
	.name = "ndjson",
	.summary =
		"tables for databases, a folder (-o NAME/) with BigQuery schemas: stepstat export",
	.suffixes = (const char *const[]){".ndjson", ".jsonl", NULL},
	.holds = WRITER_TABLES,
};

const struct writer writer_sqlite = {
	.name = "sqlite",
	.summary = "the same tables as an SQLite database: stepstat export, stepstat sql",
	.suffixes = (const char *const[]){".sqlite", ".db", NULL},
	.holds = WRITER_TABLES,
};

const struct writer writer_sql = {
	.name = "sql",
	.summary = "queries over these tables: stepstat export --queries",
	.suffixes = (const char *const[]){".sql", NULL},
	.holds = WRITER_QUERIES,
};
