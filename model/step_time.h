/*
 * Time of each step of a cube: the time of the loop, not a sum over ops that run side by side.
 */
#ifndef STEPSTAT_MODEL_STEP_TIME_H
#define STEPSTAT_MODEL_STEP_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"

struct cube;

enum step_time_kind {
	STEP_TIME_AUTO, /* asked for: the period where some markers are only launches, the marker
			   where every step has one, the period where markers are points, else the
			   span */
	STEP_TIME_MARKER,
	STEP_TIME_PERIOD,
	STEP_TIME_SPAN,
	STEP_TIME_NONE /* the source has no times */
};

struct step_times {
	enum step_time_kind kind; /* not STEP_TIME_AUTO */
	/* Time of each step of the cube; NULL: not known. A period that is not known is
	 * CELL_ABSENT. */
	int64_t *time_ps;
	/* Warm-up, jitter and comparisons refer to the step time: steps are marked, an accelerator
	 * worked in them, or the kind was asked for. Otherwise they refer to the op time. */
	bool decides;
};

/* "auto", "marker", "period", "span", "none". */
const char *step_time_name(enum step_time_kind kind);

/* " from start to start", " to the end of its device work" after a duration; else "". */
const char *step_time_phrase(const struct cube *cube);

/* Sets cube->times. ERROR_USAGE when a kind is asked for that some step does not have. */
int step_time_choose(struct cube *cube, enum step_time_kind asked, struct error *err);

#endif
