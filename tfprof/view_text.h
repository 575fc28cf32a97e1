/*
 * A view as the text that tfprof prints. It computes no number.
 */
#ifndef STEPSTAT_TFPROF_VIEW_TEXT_H
#define STEPSTAT_TFPROF_VIEW_TEXT_H

#include "base/text.h"
#include "tfprof/view/view.h"

/* The text of a report: warning about missing streams, doc block, legend, rows. tensor(): text of a
 * tensor value after a node's line (scope, graph), or NULL where no checkpoint is given. */
struct view_text_options {
	bool misses_stream;
	void (*tensor)(void *context, const char *name, struct text *out, struct text *messages);
	void *context;
};
void view_text(const struct view *view, const struct tfprof_options *options,
	const struct view_text_options *text, struct text *out, struct text *messages);

#endif
