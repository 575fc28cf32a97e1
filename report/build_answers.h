/* The sentences under the heading of a report that answer: how long a step or a call lasts, how
 * much that varies, and which ops make it vary. */
#pragma once

#include "report/build_warmup.h"

#define JITTER_SHOWN 0.10 /* of the jitter: ops with a larger share are named and on the screen */

/* True of each that an answer says, so that no note does. */
struct answered {
	bool warmup, period;
};

/* self: the ops themselves, where the summary is of scopes. name: the short form of each group's
 * name. */
struct answered answers_add(struct report *report, const struct summary *summary,
	const struct cube *self, const struct build_options *opt,
	const struct report_warmup *warmup, const char *const *name);
/* Answers of a report of calls. */
void answers_add_calls(struct report *report, const struct calls *calls);
