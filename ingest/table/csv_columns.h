/* The header of a table of observations: which column is the op, the step, a measure and its unit;
 * and the names of measures as tables write them ("time_us", "time [ms]", "cpu_total_us"). It reads
 * no values. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/unit.h"
#include "ingest/table/cell_rows.h"
#include "model/measure.h"
#include "model/profile.h"
#include "model/step_series.h"

enum quantity_kind {
	QUANTITY_UNKNOWN,
	QUANTITY_MEASURE, /* of an op in a step */
	QUANTITY_OWN,	  /* the same, whose unit is in another cell */
	QUANTITY_PARAMS,  /* facts about an op: numbers */
	QUANTITY_DEFINED,
	QUANTITY_FLOAT_OPS_EACH,
	QUANTITY_TYPE, /* and texts */
	QUANTITY_DEVICE,
	QUANTITY_SHAPE, /* of its outputs; there is none of a total */
	QUANTITY_CALLS, /* of an op in a step: its calls as a collective, a text */
	QUANTITY_WALL,	/* of a step */
	QUANTITY_BUSY,
	QUANTITY_SERIES, /* of a step: model/step_series.h */
	QUANTITY_START,	 /* of a step or of a run: a point in time */
	QUANTITY_OF_RUN, /* model/facts/facts.def: a text */
	QUANTITY_SOURCE, /* of the whole: texts */
	QUANTITY_ISSUE,
	QUANTITY_FACT,
	QUANTITY_PRINTED, /* values were rounded for printing */
};

/* The meaning of a column of the wide form, or of a name in the column `measure` of the long
 * form. */
struct csv_quantity {
	enum quantity_kind kind;
	enum measure_id measure;
	bool total; /* of the op with everything below it: "time_total" */
	enum dimension dimension;
	const struct unit *unit; /* from the name; NULL: it has none */
	/* Name of a series: the device is the first bytes of the name that was asked for. */
	enum step_series_kind series;
	size_t device_size;
	uint32_t number;   /* of the series, for its reader */
	enum fact_id fact; /* of QUANTITY_OF_RUN */
};

struct csv_quantity quantity_find(const char *name);
/* True if the name is near to that of one of our measures, so that it is taken for a slip. */
bool quantity_is_slip(const char *name);
bool quantity_is_of_file(const struct csv_quantity *quantity);
bool quantity_is_of_op(const struct csv_quantity *quantity); /* a text: type, device, shape */
/* A value of a step or of a run, in a row of any kind. */
bool quantity_is_of_run(const struct csv_quantity *quantity);
bool quantity_is_text(
	const struct csv_quantity *quantity); /* also those of the whole and of a run */
/* The error of a unit that does not fit: NULL is unknown. -1. */
int quantity_bad_unit(struct cell_rows *rows, size_t field, const char *name,
	const struct csv_quantity *quantity, const struct unit *unit, struct error *err);
/* The same in the long form, where every name is one that is no slip; `unit` is the word in its own
 * cell, NULL: the name says it. */
int quantity_own(const char *name, const char *unit, struct arena *arena, struct csv_quantity *out,
	struct error *err);
/* The name of the measure of values of which only the unit is said: time, memory, or made of it. */
const char *quantity_name_of_unit(const char *unit);
/* The error of a name that is not a quantity, at that field: the nearest name, how to map it. -1.
 */
int quantity_unknown(struct cell_rows *rows, size_t field, const char *name, struct error *err);

enum column_role {
	COLUMN_IGNORED,
	COLUMN_RUN,
	COLUMN_STEP,
	COLUMN_INDEX, /* place of the step in its run; only between another column and the step */
	COLUMN_KIND,  /* of the step; only behind it */
	COLUMN_OP,
	COLUMN_RANK,	/* of the process that recorded the row */
	COLUMN_GROUP,	/* that the rank belongs to; only beside a rank */
	COLUMN_MEASURE, /* the long form */
	COLUMN_VALUE,
	COLUMN_UNIT,
	COLUMN_QUANTITY, /* type, device, shape; in the wide form the measures */
	COLUMN_ROLES
};

#define NO_COLUMN SIZE_MAX

struct csv_columns {
	enum column_role *role;
	struct csv_quantity *quantity; /* where the role is COLUMN_QUANTITY */
	size_t count;
	size_t at[COLUMN_ROLES]; /* NO_COLUMN: there is none */
	/* Rows are benchmarks: the op has a column "benchmark", or steps have none. */
	bool benchmarks;
	bool is_long;
	bool by_unit;	     /* the long form without a column `measure`: the unit names it */
	bool has_texts;	     /* of ops (type, device, shape) and of runs */
	const char *ignored; /* name of the first column that is not read, or NULL */
	size_t ignored_count;
};

/* Fills `out` (in the arena) from the header row; -1 when it does not describe observations. */
int csv_columns_read(struct cell_rows *rows, const struct cell_row *header, struct arena *arena,
	struct csv_columns *out, struct error *err);
/* Parts of its cells that the reader needs. */
enum table_use csv_columns_use(const struct csv_columns *columns, size_t i);
/* True if the name is one of a column with that role. */
bool csv_column_has_role(const char *name, enum column_role role);
/* How much a header looks like observations: 0 not at all, else a score for the probe. */
int csv_columns_score(const struct cell_row *header);
