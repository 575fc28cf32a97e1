/* The recording that a row of a table belongs to (its columns run, rank and group), and its step,
 * by recording, number and place in the run. It does not look at what rows say of them. */
#pragma once

#include "base/arena.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "ingest/table/cell_rows.h"
#include "ingest/table/csv_columns.h"
#include "model/profile.h"

/* The text of a field of the row before, and what it was found to be. */
struct memory_of_text {
	struct text text;
	uint32_t id, dictionary, entry;
	bool known;
};

bool csv_remembered(const struct memory_of_text *memory, const struct table_cell *field);
void csv_remember(struct memory_of_text *memory, const struct table_cell *field, uint32_t id);

/* NULL: not given. */
struct csv_recording {
	const char *run, *rank, *rank_group;
};

struct csv_recordings {
	struct intern *keys, *names;
	struct vec item; /* struct csv_recording */
	struct memory_of_text of[3];
	bool given[3];
	uint32_t last;
};

void csv_recordings_init(struct csv_recordings *recordings, struct arena *arena);
void csv_recordings_release(struct csv_recordings *recordings);
/* The recording of a row. ERROR_INPUT when the rank was in another group before. */
int csv_recording_of_row(struct csv_recordings *recordings, struct cell_rows *rows,
	const struct cell_row *row, const struct csv_columns *columns, struct arena *scratch,
	uint32_t *out, struct error *err);
/* Adds the recordings of a part of the table: map has their numbers here. False: they contradict
 * those that are here. */
bool csv_recordings_join(
	struct csv_recordings *recordings, const struct csv_recordings *part, uint32_t *map);
const struct csv_recording *csv_recording_at(
	const struct csv_recordings *recordings, uint32_t recording);

#define CSV_NO_STEP UINT32_MAX

struct csv_steps {
	struct profile *out;
	const struct profile_limits *limits;
	struct intern *keys, *kinds;
	/* The step found last. */
	struct memory_of_text step, kind;
	uint32_t recording;
	/* Counts of tables without steps: how often each row came, by run, op and measure; and the
	 * row that was looked at last. */
	struct intern *rows;
	struct vec times; /* int64_t, of each of them */
	int64_t times_most;
	uint64_t line;
	int64_t number, place; /* in tables whose steps are numbers; in the run, 0: not said */
	bool kinds_differ;     /* in a step: the column is of something else */
	bool has_empty_kind;
};

/* A row and what it means. */
struct csv_row {
	struct cell_rows *rows;
	const struct cell_row *row;
	const struct csv_columns *columns;
	struct arena *scratch;
};

/* Kinds are texts of the profile. */
void csv_steps_init(struct csv_steps *steps, struct profile *out,
	const struct profile_limits *limits, struct arena *arena);
void csv_steps_release(struct csv_steps *steps);
/* The step of the row, added to the profile when new; CSV_NO_STEP when the row has none. */
int csv_step_of_row(struct csv_steps *steps, const struct csv_row *row,
	struct csv_recordings *recordings, uint32_t *step, struct error *err);
/* Adds the steps of a part of the table from `first` on, whose limits were looked at; map has their
 * numbers here. False: their kinds have to be read in order. */
bool csv_steps_join(struct csv_steps *steps, const struct csv_steps *part, size_t first,
	const struct csv_recordings *recordings, const uint32_t *recording_map, uint32_t *map);
/* After the last row: kinds that differ within a step are none; repetitions in a table without
 * steps and runs are runs. */
void csv_steps_end(struct csv_steps *steps);
