/* The sentences under the heading of a report that answer: how long a step or a call lasts, how
 * much that varies, and which ops make it vary. */
#pragma once

#include "report/build.h"

#define JITTER_SHOWN 0.10 /* of the jitter: ops with a larger share are named and on the screen */

/* self: the ops themselves, where the summary is of scopes. name: the short form of each group's
 * name. */
void answers_add(struct report *report, const struct summary *summary, const struct cube *self,
	const struct build_options *opt, const char *const *name);
/* From the start of a step to the start of the next one, where their marker is too short to be the
 * step; else NaN. */
double answers_period(const struct summary *summary, const struct cube *self);
/* Answers of a report of calls. */
void answers_add_calls(struct report *report, const struct calls *calls);
