/* Events in the series of the steps, as the files that find them share them. */
#pragma once

#include "analysis/causes/causes.h"

/* A change in one run: kept steps on[0 .. on_count), held against those of `ref`. */
struct step_event {
	struct cause cause;
	int64_t number; /* of the step: its place in the run where it has none */
	uint32_t *on, *ref;
	size_t on_count, ref_count, singles;
	const double *ops;	 /* all ops together */
	double ops_from, ops_by; /* their level, and its change */
	double rows_by;		 /* change of the rows */
	double excess, by;	 /* of the row that is named */
	double change;		 /* of the mean of the steps */
	bool *is_single;	 /* of each of several long steps: one row has it */
	int64_t last;		 /* number of the last step of a level that goes back */
	bool goes_back;
	bool of_work; /* of ranks: not of what they wait for */
};

struct cause_finder {
	const struct summary *summary;
	const struct job_ranks *ranks; /* NULL: of one process */
	double *work;		       /* of each kept step, the mean over the ranks */
	const double *total;	       /* of each kept step */
	double whole;		       /* its sum */
	struct arena *arena;
	struct step_event *event;
	size_t count, room;
	bool *is_long;	   /* of each kept step */
	bool *is_shifted;  /* of a level that is an event, beside enough others of the run */
	size_t single;	   /* long steps that are events of their own; some may be left out */
	bool is_one_level; /* of the run: known not to have two */
	double *known;	   /* room for the values of a run */
	double *most;	   /* those that are clearly long */
	size_t *known_at;  /* places of these */
	size_t *odd;	   /* those that are long */
	double rest, all;  /* squares within runs: without causes, and all */
};

/* The row that each event is in, and what its steps have in common: one pass over the rows. */
void step_events_find_rows(struct cause_finder *f);
