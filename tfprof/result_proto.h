/*
 * The result messages of tfprof's interface for programs, as protobuf bytes: GraphNodeProto (scope,
 * graph), MultiGraphNodeProto (op, code), AdviceProto. Tensor values are not written.
 */
#ifndef STEPSTAT_TFPROF_RESULT_PROTO_H
#define STEPSTAT_TFPROF_RESULT_PROTO_H

#include "base/text.h"
#include "tfprof/advise.h"
#include "tfprof/view.h"

/* Adds the message of the view's root with all below. The rows of the op view are a chain: each is
 * the only child of the one before. 0, or -1 (nothing added) when the view has not exactly one
 * slot, for which the messages have no room. */
int result_proto_write(const struct view *view, struct text *bytes);
void result_proto_write_advice(const struct advice *advice, struct text *bytes);

#endif
