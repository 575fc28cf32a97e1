/* The tables of a profile: obs, steps, ranks, step_series, ops, measures, meta, and events where
 * there are any; or the one flat table of events. They are written for SQL: names are written out,
 * integers are exact, in base units (ps, bytes, 1). */
#pragma once

#include "export/op_series.h"
#include "export/event_source.h"
#include "export/table.h"

#define STEP_INDEX_SUMMARY "place of the step in time in its run, of a job in its steps, from 0"

struct table_source {
	/* rows: for `obs`; all: for `ops`, never run ones included. Measures of every step only. */
	const struct observation_set *set; /* of a cube in which each rank of a run is a run */
	const char *label;		   /* what the user named: "profile_100" */
	const char *program;		   /* "stepstat 0.1.0" */
	const struct event_files *events;  /* of the table `events`; NULL: without it */
};

extern const struct table_form table_steps, table_ops, table_events, table_flat;
extern const struct table_form
	*const table_forms[]; /* all but `flat`, in the order they are written */
extern const size_t table_form_count;

/* Fills all tables; `events` only where there are events. */
int tables_write(const struct table_source *source, struct table_sink *sink, struct error *err);
/* Fills `flat` alone. */
int tables_write_flat(const struct event_files *files, struct table_sink *sink, struct error *err);
