/* The shapes of an op's outputs as one text, which is equal where the shapes are. It says nothing
 * of inputs and computes nothing from dimensions.
 *
 * The form: one pair of brackets for each output, in order of the outputs, dimensions with commas
 * between them: "[32,128]", "[32,128][32]". A dimension that is not known is "?"; so is an output
 * of which nothing is known: "[?,128]?". A scalar is "[1]", as in tfprof, so that
 * a dump and RunMetadata of one op give the same text. Nothing known at all is "". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"

/* A longer text than this is "": an op of hundreds of outputs is found by its name. */
#define OP_SHAPE_MOST 1024

struct op_output {
	int64_t index;
	bool known;	    /* of how many dimensions it is; without any it is a scalar */
	const int64_t *dim; /* negative: not known */
	size_t dim_count;
};

/* The text, made in `out`, which is emptied first. Outputs may come in any order; a gap is an
 * output of which nothing is known; of equal indexes the last counts. The outputs are sorted. */
const char *op_shape_text(struct op_output *output, size_t count, struct text *out);

/* The shape by two sources: "" says nothing, and two that contradict each other are
 * op_shape_differs, which is "" and remains. Returns one of a, b, or that; either may be NULL. */
const char *op_shape_join(const char *a, const char *b);
extern const char op_shape_differs[1];
