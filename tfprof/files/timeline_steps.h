/*
 * Several steps in one timeline. Scripts merge timelines under one set of rows; each step begins
 * with TensorFlow's node _SOURCE, one on each device. `stepstat timeline generate` and `merge` give
 * each step rows of its own, labelled.
 *
 * A second _SOURCE on a device is a new step only where nothing is running: functions inside of a
 * step have a _SOURCE too, while the op that calls them runs.
 */
#ifndef STEPSTAT_TFPROF_FILES_TIMELINE_STEPS_H
#define STEPSTAT_TFPROF_FILES_TIMELINE_STEPS_H

#include "base/memory.h"
#include "ingest/events/eventlog.h"

struct timeline_steps {
	struct vec busy; /* struct keyed, from key to value; disjoint after coalescing */
	size_t coalesce_at;
	struct keyed *spare; /* to sort them: kept, as it is needed often */
	size_t spare_room;
	struct vec source; /* struct source */
	struct vec range;  /* struct process_range, by process */
	bool full;	   /* too many stretches or sources: not divided */
};

void timeline_steps_init(struct timeline_steps *s);
void timeline_steps_release(struct timeline_steps *s);
/* An execution of an op in the rows of this process. */
int timeline_steps_add(struct timeline_steps *s, uint32_t process, int64_t start_ps, int64_t dur_ps,
	struct error *err);
/* A _SOURCE there, which is in no step's time. */
int timeline_steps_source(
	struct timeline_steps *s, uint32_t process, int64_t start_ps, struct error *err);
/* Marks the steps that labels of processes or _SOURCE separate; *merged is the number found by
 * _SOURCE, 0 for a file of one step (which gets no mark) or with labels. -1: steps with labels run
 * at the same time. */
int timeline_steps_mark(struct timeline_steps *s, struct eventlog *log, const char *path,
	size_t *merged, struct error *err);

#endif
