/*
 * Parses the label of an execution, "NAME = OP(IN1, IN2)", by the rules of timeline.py. The parts
 * point into the label.
 */
#ifndef STEPSTAT_TIMELINE_OP_LABEL_H
#define STEPSTAT_TIMELINE_OP_LABEL_H

#include <stdbool.h>
#include "tfprof/files/run_metadata.h"

struct op_label {
	struct recorded_text op;     /* "unknown" when the label is of another form */
	struct recorded_text inputs; /* what is between the parentheses, not yet walked */
	bool has_inputs;
};

struct op_label op_label_parse(struct recorded_text label);
/* Removes the next input from the label; false after the last. */
bool op_label_input(struct op_label *label, struct recorded_text *input);

/* An execution on a stream: name and op out of "NAME:OP", or out of the note "@@NAME:OP#" in its
 * label. */
void op_label_kernel(
	const struct recorded_node *node, struct recorded_text *name, struct recorded_text *op);

#endif
