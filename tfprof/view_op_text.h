/*
 * Text of the op view's rows. The frame around them and the legend are not made here.
 */
#ifndef STEPSTAT_TFPROF_VIEW_OP_TEXT_H
#define STEPSTAT_TFPROF_VIEW_OP_TEXT_H

#include "base/text.h"
#include "tfprof/view/view.h"

/* Rows only. A graph without any node has one: the root, which the original prints without a
 * legend. */
void view_op_text(const struct view *view, const struct tfprof_options *options, struct text *out);

#endif
