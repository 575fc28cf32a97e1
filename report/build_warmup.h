/*
 * Warm-up in the steps of a report: how long it is, and what a step takes without it. Large warm-up
 * belongs to the answers, other to the notes.
 */
#pragma once

#include "report/build.h"

#define WARMUP_LARGE 0.05 /* of the mean of the steps */

struct report_warmup {
	bool is_unsteady;     /* in some run */
	size_t found;	      /* leading steps of the run with most of them */
	const char *sentence; /* NULL: none that --warmup=auto would leave out */
	bool is_large;	      /* so that the mean is less without it by WARMUP_LARGE */
};

/* Its sentence is in the arena. */
struct report_warmup warmup_of(
	struct arena *arena, const struct summary *summary, const struct build_options *opt);
/* Op time over the kept steps that `keep` names (NULL: all), mean of the run means; NaN when there
 * are none. */
double mean_of_steps(const struct summary *summary, const bool *keep);
