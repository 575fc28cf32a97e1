/*
 * Which recording a row of a table belongs to: its columns run, rank and group. Rows that follow
 * each other are mostly of one.
 */
#ifndef STEPSTAT_INGEST_TABLE_CSV_RECORDINGS_H
#define STEPSTAT_INGEST_TABLE_CSV_RECORDINGS_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/text.h"
#include "base/memory.h"
#include "ingest/table/csv_columns.h"

/* The text of a field of the row before, and what it was found to be. */
struct memory_of_text {
	struct text text;
	uint32_t id;
	bool known, shared;
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
const struct csv_recording *csv_recording_at(
	const struct csv_recordings *recordings, uint32_t recording);

#endif
