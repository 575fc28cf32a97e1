/*
 * Inside the reader of .part files: the elements that say what the ranks of a job add up to. For
 * the reader only.
 */
#ifndef STEPSTAT_INGEST_TABLE_PART_TABLE_H
#define STEPSTAT_INGEST_TABLE_PART_TABLE_H

#include "ingest/table/obs_table.h"

struct part_table {
	struct text name, before; /* of the row, and of the one before it */
};

void part_table_init(struct part_table *table);
void part_table_release(struct part_table *table);

/* The contents of one element JobSteps, JobSet, JobRow; they go to the profile's job, whose steps
 * are read already. */
int part_table_steps(struct obs_context *context, struct wire w, struct error *err);
int part_table_set(struct obs_context *context, struct wire w, struct error *err);
int part_table_row(
	struct part_table *table, struct obs_context *context, struct wire w, struct error *err);

#endif
