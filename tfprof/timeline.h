/*
 * A view as a timeline for Chrome: scope and code as blocks below each other, graph as what ran
 * when and which memory was held. It writes the file; its messages go into texts.
 */
#ifndef STEPSTAT_TFPROF_TIMELINE_H
#define STEPSTAT_TFPROF_TIMELINE_H

#include "base/text.h"
#include "tfprof/view/model.h"
#include "tfprof/view/view.h"

/* Writes FILE_STEP, FILE and STEP as the options name them. `view` must be that of this step; the
 * graph view needs the model, which it reads again for the executions. Notes go to `out` and
 * `messages` as the original's to stdout and stderr: a file that cannot be written is a message
 * and 1. -1: the model could not be read again, and no file. */
int tfprof_timeline(struct tfprof_model *model, const struct view *view,
	const struct tfprof_options *options, struct text *out, struct text *messages,
	struct error *err);

#endif
