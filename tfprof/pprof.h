/*
 * The code view as a profile for pprof: a sample for each graph node below a shown leaf, with the
 * calls that lead to the leaf. It makes the message; packing and writing are the caller's.
 */
#ifndef STEPSTAT_TFPROF_PPROF_H
#define STEPSTAT_TFPROF_PPROF_H

#include "tfprof/view/view.h"

/* Adds the bytes of the message. One word of the options' select names the quantity; the view has
 * one slot. */
void pprof_write(const struct view *view, const struct tfprof_options *options, struct text *bytes);
/* True if the options' select can be written; if not, `messages` has the reason, as in the
 * original. */
bool pprof_is_possible(
	enum view_kind kind, const struct tfprof_options *options, struct text *messages);

#endif
