/* The reader of rows while it reads: of a whole table, or of a part of one (table_parts.h). What a
 * row means is in table_read.c. */
#pragma once

#include "base/memory.h"
#include "ingest/table/cell_rows.h"
#include "ingest/table/csv_columns.h"
#include "ingest/table/csv_steps.h"
#include "ingest/table/csv_table.h"
#include "ingest/table/run_facts.h"
#include "ingest/reader.h"

#define ROWS_KEPT 1024 /* between two clearings of the scratch arena */

struct step_facts {
	int64_t wall, busy, start_ns; /* start 0: not given */
	uint32_t line[2];	      /* of wall and busy; 0: not given */
	uint32_t recording;
};

/* The op found last, and what was found of it in the row of this number. */
struct row_place {
	uint64_t op_line, row_line; /* 0: nothing */
	uint32_t op;
	bool shared;
	size_t row; /* of the observations */
};

struct table_reader {
	struct profile *out;
	const struct read_options *opt;
	struct cell_rows *rows;
	struct cell_row row;
	struct csv_columns columns;
	struct arena *arena;   /* as long as the reader */
	struct arena *scratch; /* a few rows */
	struct csv_table self, totals;
	struct csv_recordings recordings;
	struct run_facts run_facts;
	struct csv_steps steps;
	struct intern *names; /* texts of the column `measure` */
	struct intern *process_groups;
	struct csv_quantity *quantity; /* of each of the names */
	size_t quantity_room;
	struct step_values values;
	struct step_facts *facts; /* parallel to the profile's steps */
	size_t facts_room;
	struct row_place at[2]; /* of the op itself, of its total */
	struct cell_memo op_memo[2], name_memo, unit_memo;
	struct intern *units;	  /* texts of the column `unit` */
	const struct unit **unit; /* of each of them; NULL: it is none */
	size_t unit_room;
	/* Values that are not whole base units: others, times; and the first of them. */
	size_t rounded[2];
	uint64_t rounded_line[2];
	char rounded_place[2][600];
	bool is_part;	  /* rows that are no observations are kept for later */
	bool met_measure; /* of files, that the part does not know: its slot is the whole's to take
			   */
	struct vec later; /* of them: struct cell_row, whose cells are copies */
	struct arena *kept; /* of their cells, and of what is made of the part */
	size_t kept_most;   /* bytes of it */
};

void table_reader_init(struct table_reader *r, struct cell_rows *rows, struct profile *out,
	const struct read_options *opt);
void table_reader_release(struct table_reader *r);
/* Reads the next row: 1, 0 at the end, -1. */
int table_reader_next(struct table_reader *r, struct error *err);
/* Takes what the row in r->row says. */
int table_reader_row(struct table_reader *r, struct error *err);
struct csv_table *table_reader_table(struct table_reader *r, bool total);
/* Adds what a text of the column `measure`, or that and a unit, means. Valid until the next call.
 */
const struct csv_quantity *table_reader_add_quantity(
	struct table_reader *r, const char *key, size_t size, const struct csv_quantity *q);
/* Measures of files that the other reader has met are known. */
void table_reader_know_measures(struct table_reader *r, const struct table_reader *from);
/* Room for the facts of the step, which is new. */
void table_reader_add_step(struct table_reader *r, uint32_t step, uint32_t recording);
