/* A Parquet file as rows of a table: one row of memory, and a page of each column that is used. */
#pragma once

#include "ingest/parquet/parquet_file.h"
#include "ingest/table/cell_rows.h"

/* The file is the caller's and outlives the rows. Places are "FILE: row 12, column "NAME"". */
struct cell_rows *parquet_rows_new(struct parquet_file *file);
void parquet_rows_free(struct cell_rows *rows); /* NULL is fine */
