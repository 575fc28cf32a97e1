/* Rows by what XLA's programs say of their ops: the scope in the model (op_name), the line of
 * source, the program. The rules know no files: a reader gives the args of an event. */
#pragma once

#include "ingest/trace/trace_requests.h"
#include "ingest/trace/xla_rules.h"

/* The row of an op of the host that is none of the model's. */
#define XLA_HOST_ROW "[host]"
/* An arg that readers make up: the op_name of what calls the computation that the op is in. */
#define XLA_CALLER_ARG "tf_op of the caller"
/* The same: the line of source in the user's own code. */
#define XLA_USER_SOURCE_ARG "source of the user"

/* tf_op of a kernel of a program whose op the profiler does not say. */
#define XLA_NO_OP_NAME "XlaModule:"

/* A trace_row_words: by args tf_op, source or hlo_module. */
bool xla_row_words(enum trace_rows rows, const struct name_source *source, struct text *to);

/* The type of an event of a device of this name and type, where its row does not say what it did.
 */
struct xla_text xla_word_type(struct xla_text name, struct xla_text type);

/* Appends the scopes and the op of an op_name: without the transformations of JAX (jvp, transpose,
 * vmap ...), so that forward and backward of a layer have one name; jit(f) is f. */
void xla_add_scope(struct xla_text op_name, struct text *to);
