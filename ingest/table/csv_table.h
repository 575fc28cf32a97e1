/* The observations of a table while it is read: rows found by op and step in any order, and the
 * line of each value, so that a second one can be refused with both places; and durations of steps
 * (model/step_series.h), when the number of steps is not known yet. Durations that would take more
 * room than the limits allow are left out, counted and reported. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/intern.h"
#include "ingest/table/csv_columns.h"
#include "model/profile.h"

struct table_op {
	uint32_t line[3];    /* of params, defined, float_ops_each; 0: not given yet */
	uint32_t row, steps; /* of the step found last, and that step + 1 */
	uint32_t next;	     /* the op of the row after one of this, where it was looked for */
};

struct csv_table {
	struct profile *profile;
	uint32_t
		*slot; /* open addressing: row + 1, 0 empty; NULL: steps of each op came in order */
	size_t mask;
	uint32_t *line[MEASURE_STEP_COUNT]; /* of each row's value; NULL: no value yet */
	size_t line_room;
	enum measure_id measure[MEASURE_STEP_COUNT]; /* that have lines, as they came */
	size_t measures;
	struct table_op *op; /* parallel to the profile's */
	size_t op_room;
};

void csv_table_init(struct csv_table *table, struct profile *profile);
void csv_table_release(struct csv_table *table); /* not the profile */
void csv_table_clear(struct csv_table *table);	 /* takes out the rows; ops stay */

/* The op of this name, made when new with nothing known about it. *shared: the cap on names is
 * reached and the op holds several names. */
uint32_t csv_table_op(struct csv_table *table, const char *name, size_t n, bool *shared,
	const struct profile_limits *limits);
/* The row of an op in a step, made when new. */
int csv_table_row(struct csv_table *table, uint32_t op, uint32_t step, size_t *row,
	const struct profile_limits *limits, struct error *err);
/* Rows of a part of the table, which become rows of the whole. The maps have the numbers of its ops
 * and steps there. NULL: a value of it is there already. */
struct csv_table_rows *csv_table_find_rows(struct csv_table *table, const struct csv_table *part,
	const uint32_t *op_map, const uint32_t *step_map, struct arena *arena);
/* Adds them; there is room for them. */
void csv_table_add_rows(struct csv_table *table, const struct csv_table_rows *rows,
	const struct profile_limits *limits);
/* True if the text is the name of this op, which may not exist. */
bool csv_table_is_op(const struct csv_table *table, uint32_t op, const struct table_cell *field);
/* Line of the value of a measure in a row, 0 when it has none; the value and its line are set. */
static inline uint32_t csv_table_line(const struct csv_table *table, enum measure_id id, size_t row)
{
	return table->line[id] && row < table->line_room ? table->line[id][row] : 0;
}
void csv_table_make_lines(struct csv_table *table, enum measure_id id, size_t row);
static inline void csv_table_set(
	struct csv_table *table, enum measure_id id, size_t row, int64_t value, uint32_t line)
{
	if (!table->line[id] || row >= table->line_room)
		csv_table_make_lines(table, id, row);
	table->profile->obs.column[id][row] = value;
	table->line[id][row] = line;
}

/* Writes a row about the whole table, a quantity of the file, into the profile. False: the text is
 * no issue, or no fact. */
bool csv_table_says(struct profile *profile, const struct csv_quantity *quantity, const char *text);

/* Fingerprints of all steps: sums over the rows, so that their order says nothing. The run is part
 * of them: a table means what its column `run` says, also where two runs have the same values. */
void csv_table_add_fingerprints(struct profile *profile, size_t threads);

/* ---- durations of steps ---- */

#define STEP_VALUES_MOST 8192 /* series: 1024 devices */

struct step_values_series;

struct step_values {
	struct profile *out;
	struct arena *arena;
	struct intern *keys; /* kind and device */
	struct step_values_series *series;
	size_t series_room;
	size_t cells;	/* for which there is room, of all series */
	size_t most;	/* of them */
	size_t dropped; /* values */
};

enum step_value_result { STEP_VALUE_SET, STEP_VALUE_SAME, STEP_VALUE_DIFFERS };

void step_values_init(
	struct step_values *values, struct profile *out, const struct profile_limits *limits);
/* The number of this series, which exists from now on, also without a value. Where the cause is
 * still in the device ("gpu:0 in NAME") it is "". */
uint32_t step_values_series(struct step_values *values, enum step_series_kind kind,
	const char *device, const char *cause);
/* DIFFERS, and nothing is set: the step has another value. A value that is left out counts as set.
 */
enum step_value_result step_values_set(
	struct step_values *values, uint32_t series, uint32_t step, int64_t value_ps);
/* Hands the series to the profile, whose steps are complete. */
void step_values_finish(struct step_values *values);
void step_values_release(struct step_values *values);
