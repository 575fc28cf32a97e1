/*
 * Warm-up in the steps of a report: how long it is, and what a step takes without it. Large warm-up
 * belongs to the answers, other to the notes.
 */
#pragma once

#include "report/build.h"

#define WARMUP_LARGE 0.05 /* of the mean of the steps */

/* Op time over the kept steps that `keep` accepts, mean of the run means; NaN when there are
 * none. */
double mean_of_steps(
	const struct summary *summary, bool (*keep)(const struct step_set *, size_t run, size_t i));
/* Leading steps of the run with most of them. */
size_t warmup_found(const struct step_set *steps);
bool warmup_is_unsteady(const struct step_set *steps); /* in some run */
bool warmup_is_large(const struct summary *summary, const struct build_options *opt);
/* In the report's arena; NULL: none, or none that --warmup=auto would leave out. */
const char *phrase_warmup(
	struct arena *arena, const struct summary *summary, const struct build_options *opt);
