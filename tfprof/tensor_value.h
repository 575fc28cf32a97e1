/*
 * A variable's value as tfprof shows it below the line of a node and in its result messages. It
 * has no state.
 */
#ifndef STEPSTAT_TFPROF_TENSOR_VALUE_H
#define STEPSTAT_TFPROF_TENSOR_VALUE_H

#include "base/text.h"
#include "tfprof/files/checkpoint.h"

/* Adds the text of the value, at most 10000 bytes and the closing bracket; nothing, and a line to
 * `messages`, when the checkpoint has no such variable or no text for its type. */
void tensor_value_text(
	struct checkpoint *checkpoint, const char *name, struct text *out, struct text *messages);
/* Adds the value as a TFProfTensorProto: its type and, where tfprof has a text for it, all elements
 * in the order of memory. False, with nothing added, when the checkpoint has no such variable or it
 * cannot be read. */
bool tensor_value_message(struct checkpoint *checkpoint, const char *name, struct text *bytes);
/* A number as tfprof stores it: with six significant digits. */
double tensor_value_rounded(double value);

#endif
