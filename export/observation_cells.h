/* Rows of the table of observations, cell by cell, as CSV or as Parquet: what observations.c says
 * once, and each format writes as it does. It knows no profile. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/output/outfile.h"
#include "base/unit.h"

struct observation_cells;

struct observation_cells *observation_cells_csv(struct outfile *out);
/* program: "stepstat 0.1.0" */
struct observation_cells *observation_cells_parquet(struct outfile *out, const char *program);

/* Order of calls: the columns from left to right, then begin, then rows, then finish. */
enum observation_cell { CELL_OF_TEXT, CELL_OF_NUMBER };
void cells_column(struct observation_cells *cells, const char *name, enum observation_cell kind);
void cells_begin(struct observation_cells *cells);
/* The next cell of the row. "" is no text; a name that is "" is one. */
void cells_text(struct observation_cells *cells, const char *s);
void cells_name(struct observation_cells *cells, const char *s);
void cells_integer(struct observation_cells *cells, int64_t value);
/* Value in base units, written in `unit`: as decimals in CSV; a unit of Parquet is a base unit. */
void cells_value(struct observation_cells *cells, int64_t value, const struct unit *unit);
void cells_skip(struct observation_cells *cells, size_t count); /* empty ones */
void cells_end_row(struct observation_cells *cells);		/* what is left of it is empty */
int cells_finish(struct observation_cells *cells, struct error *err);
void cells_free(struct observation_cells *cells);
