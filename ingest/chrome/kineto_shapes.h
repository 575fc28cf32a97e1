/* Shapes of the arguments of PyTorch's ops (record_shapes=True): rows of --by=shape, and the float
 * operations of products of matrices. */
#pragma once

#include "ingest/trace/trace_event.h"

/* True if the name is that of an op which multiplies matrices, and whose shapes say how much. */
bool kineto_is_product(const struct json_value *name);
/* Float operations of such an op: two for each multiplication with its addition, 2 x batch x M x N
 * x K, as torch.utils.flop_counter counts them (a bias is not counted). -1: the event has no
 * shapes, they do not fit together, or there are more than 2^63 operations. */
int64_t kineto_float_ops(const struct trace_event *event);
/* Bytes of the matrices of such an op, and of what is added to the product: each element that
 * memory holds read once, those of the result written once. -1: as above, or a type is not known.
 */
int64_t kineto_matrix_bytes(const struct trace_event *event);
bool kineto_has_shapes(const struct trace_event *event);
/* Adds "aten::mm [[64,32],[32,8]]" as text of JSON: the name and the shapes without blanks, and
 * without the empty ones at the end, of scalars. Only the name where the event has no shapes. */
void kineto_name_with_shapes(const struct trace_event *event, struct text *to);
