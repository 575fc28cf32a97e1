/*
 * The calls that made the graph nodes as one tree: a level for each frame of a code trace,
 * outermost call first. It holds no numbers; the code view accounts and shows it.
 */
#ifndef STEPSTAT_TFPROF_VIEW_CODE_TREE_H
#define STEPSTAT_TFPROF_VIEW_CODE_TREE_H

#include "base/text.h"
#include "tfprof/view/view.h"

#define CODE_ROOT UINT32_MAX

/* A frame below its callers: unique by its name within the parent. */
struct code_frame {
	const char *name; /* "model.py:22:layer", with the suffix */
	uint32_t parent;  /* index of the caller, smaller than its own; CODE_ROOT at the top */
	const struct graph_frame *frame; /* of the first node that brought it */
	bool gradient;
	/* graph nodes of which it is the last frame, in order of their names */
	const uint32_t *node;
	size_t node_count;
};

struct code_tree {
	struct code_frame *frame; /* in order of insertion */
	size_t count;
	uint64_t unaccounted; /* names of forward operations that gradients are of and that have no
				 trace */
};

/* Nodes come in the order of their names, gradients after all others, below the frames of their
 * forward operation. */
void code_tree_build(const struct graph *graph, const uint32_t *by_name, struct arena *arena,
	struct code_tree *out);

/* True if it is the name of a gradient (".../gradients/OP_grad/..."); *forward and *n are then the
 * forward operation's. */
bool code_gradient_name(const char *name, const char **forward, size_t *n);

/* "FILE:LINE:FUNCTION" as tfprof shows it: base name of the file, at most 20 bytes of the
 * function. */
void code_frame_name(const struct graph_frame *frame, bool gradient, struct text *out);

#endif
