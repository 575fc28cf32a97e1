/* Parts of a table that several threads read, each with names, steps and rows of its own, which are
 * joined in the order of the file: as if one had read it. */
#pragma once

#include "ingest/table/table_reader.h"

/* Reads the parts that the rows give, after the header; the rows behind them are left. */
int table_parts_read(struct table_reader *r, struct error *err);
