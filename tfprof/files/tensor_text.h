/*
 * A recorded tensor in protobuf's text form.
 */
#ifndef STEPSTAT_TFPROF_FILES_TENSOR_TEXT_H
#define STEPSTAT_TFPROF_FILES_TENSOR_TEXT_H

#include "base/text.h"
#include "ingest/proto/run_metadata.pb-c.h"

/* Adds the TensorDescription as Python's str() writes it, without '"'. NULL: a message without
 * fields, which is nothing. */
void tensor_text_add(struct text *out, const Run__RecordedTensor *tensor);

#endif
