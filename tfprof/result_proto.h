/*
 * The result messages of tfprof's interface for programs, as protobuf bytes: GraphNodeProto (scope,
 * graph), MultiGraphNodeProto (op, code), AdviceProto.
 */
#ifndef STEPSTAT_TFPROF_RESULT_PROTO_H
#define STEPSTAT_TFPROF_RESULT_PROTO_H

#include "base/text.h"
#include "tfprof/view/advise.h"
#include "tfprof/view/view.h"

/* The source of tensor_value: add() adds the TFProfTensorProto of the variable of this name and
 * returns true, or returns false when there is none. */
struct result_tensors {
	bool (*add)(void *context, const char *name, struct text *bytes);
	void *context;
};

/* Adds the message of the view's root with all below. The rows of the op view are a chain: each is
 * the only child of the one before. The messages have one integer for each number: over several
 * slots it is the mean without its remainder, as in the average. Tensors (NULL: none) are those of
 * the shown nodes of scope and graph view, the root left out. */
void result_proto_write(
	const struct view *view, const struct result_tensors *tensors, struct text *bytes);
void result_proto_write_advice(const struct advice *advice, struct text *bytes);

#endif
