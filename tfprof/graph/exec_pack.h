/* Executions in a few bytes: those of one node are columns of numbers above the least of each, as
 * wide as the greatest needs. A node's measurements are much alike, and most bytes are the same in
 * every step. */
#pragma once

#include <stddef.h>
#include "tfprof/graph/graph.h"

enum exec_part {
	EXEC_TIMES, /* step, start, end, own_interval and overflow */
	EXEC_WHOLE, /* these and all else, without the node */
};

struct exec_pack {
	unsigned char *bytes;
	size_t size, room;
};

void exec_pack_release(struct exec_pack *pack);
/* Appends executions; returns where they begin. */
size_t exec_pack_add(struct exec_pack *pack, const struct exec *exec, size_t count);
/* The executions that were added there, as many; other fields than those of the part stay as they
 * are. Returns where the next begin. */
size_t exec_pack_get(const struct exec_pack *pack, size_t at, enum exec_part part, struct exec *to,
	size_t count);
