/* Changes of rows over recorded runs: when, how large, how sure, and of what kind each is. The unit
 * is the session, or the run where all runs of a machine are one session. */
#pragma once

#include "analysis/recorded/recorded.h"
#include "stats/change_points.h"

enum change_class {
	CHANGE_OF_ROW,
	CHANGE_OF_ALL,	  /* half of the rows or more moved there the same way: the machine */
	CHANGE_OF_METHOD, /* facts changed there: device, driver, framework, batch ... */
	CHANGE_OF_NOISE,  /* not the level: the spread */
	CHANGE_DRIFT,	  /* no step: a straight line from first to last */
};

struct history_series {
	const struct recorded_row *row;
	size_t machine;
	size_t count;  /* sessions, or runs */
	double *value; /* mean of the logarithms, in order of time */
	double *level; /* of each unit: the mean of its part between changes, or a drift's line */
	size_t *first_run; /* count + 1: its runs are run[first_run[i]] .. run[first_run[i + 1] - 1]
			    */
	size_t *run;	   /* indexes in recorded->run */
	bool of_runs;	   /* units are runs of one session */
	size_t changes, levels; /* all, and those of its level, drifts among them */
	double p;		/* that anything changed; NaN: too few */
};

struct history_change {
	const struct history_series *series;
	enum change_class class;
	size_t at;	   /* its first unit */
	double p, q;	   /* q: over all rows, by direction */
	double change;	   /* fraction; of CHANGE_OF_NOISE of the spread */
	double low, high;  /* NaN: too few values */
	const char *facts; /* CHANGE_OF_METHOD: "driver 550 -> 560" */
	size_t rows_alike; /* that moved there the same way, with this one */
	size_t rows_there; /* of the machine and measure that have a series there */
};

struct history {
	struct history_series *series;
	size_t series_count;
	size_t too_few;		       /* series among them */
	struct history_change *change; /* with q below alpha, what one should look at first */
	size_t change_count;
};

/* In the arena but for the changes: history_free() takes them. */
struct history *history_make(const struct recorded_runs *recorded, const struct cube *cube,
	double alpha, struct arena *arena);
/* Takes the steps of level and the drifts that were found out of the levels of variance of each
 * row. */
void history_take_out(const struct history *history, struct recorded_runs *recorded);
void history_free(struct history *history);
