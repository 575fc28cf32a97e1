/* Graphs of kernels that were captured once and are replayed: what launched each kernel while a
 * graph was captured, and which capture the kernels of a replay are of. Kernels of a replay name
 * neither; the order of their names tells. It reads no files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct graph_captures;

/* A launch that was captured. */
struct captured_launch {
	uint32_t kernel; /* of graph_captures_kernel; 0: the source does not name it */
	bool is_copy;	 /* of memory, which is filled or moved by whatever the runtime takes */
	const char *row, *type; /* what launched it, and its type */
};

/* One kernel of a replay, in order of time. */
struct replayed_kernel {
	const char *name;
	bool is_copy;
	const struct captured_launch *of; /* what graph_captures_match found */
};

/* True if the event of a device fills or moves memory; runtimes have kernels for both. */
bool graph_kernel_copies(const char *name, const char *type);

struct graph_captures *graph_captures_new(void);
void graph_captures_free(struct graph_captures *captures); /* NULL is fine */

/* Number of a kernel's name; 0 for one more than `most`, which is counted. */
uint32_t graph_captures_kernel(
	struct graph_captures *captures, const char *name, size_t n, size_t most);
/* The launches that are added from here on are of a further graph. */
void graph_captures_begin(struct graph_captures *captures);
/* Texts are copied. Beyond 2^22 launches they are not kept, but counted. */
void graph_captures_add(struct graph_captures *captures, const struct captured_launch *launch);
/* The same graphs once more, from another table. */
void graph_captures_join(struct graph_captures *captures, const struct graph_captures *from);
size_t graph_captures_count(const struct graph_captures *captures); /* launches */
/* Things beyond a limit. */
enum graph_cut { GRAPH_CUT_NAMES, GRAPH_CUT_LAUNCHES, GRAPH_CUT_REPLAYS };
size_t graph_captures_cut(const struct graph_captures *captures, enum graph_cut cut);

/* Finds the capture with the kernels of this replay: in their order, with at most a tenth of
 * launches between them that the replay does not have, or, where streams run side by side, as many
 * of each name. The one with the fewest other launches counts; of several that are alike each
 * replay takes the next. Where launches have no names, all that fit must have the same rows. False:
 * there is none. */
bool graph_captures_match(
	struct graph_captures *captures, struct replayed_kernel *kernel, size_t count);
