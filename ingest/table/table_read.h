/* Observations out of the rows of a table: long, `run,step,op,measure,value,unit`, or wide, a
 * column per measure. It does not know which kind of file the rows are from. */
#pragma once

#include "ingest/reader.h"
#include "ingest/table/cell_rows.h"

/* Fills `out` (new, path set) from the header and all rows. ERROR_INPUT at the cell that is no
 * observation. */
int table_read(struct cell_rows *rows, struct profile *out, const struct read_options *opt,
	struct error *err);
