/*
 * Types that Arrow's writers (pyarrow, pandas, polars) add to a Parquet file because Parquet does
 * not have them: the key "ARROW:schema", a Schema of Arrow's IPC format in base64.
 */
#ifndef STEPSTAT_INGEST_PARQUET_ARROW_SCHEMA_H
#define STEPSTAT_INGEST_PARQUET_ARROW_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#define ARROW_SCHEMA_KEY "ARROW:schema"

/* Flags for those of the `count` columns that are durations: in Parquet plain integers of a unit
 * that only this schema has. All false where the schema cannot be read, or is not of so many
 * columns. The flags are the caller's. */
void arrow_schema_durations(
	const unsigned char *text, size_t size, bool *is_duration, size_t count);

#endif
