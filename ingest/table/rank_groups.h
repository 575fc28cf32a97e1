/* A file that says which group each rank of a job belongs to (its pipeline stage): a table of two
 * columns, `rank,group`, with or without that header. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

struct rank_groups;

/* In the arena. ERROR_INPUT with the line for what is not two columns, or a rank named twice. */
struct rank_groups *rank_groups_read(const char *path, struct arena *arena, struct error *err);
/* NULL: the file does not name the rank. `groups` is a struct rank_groups, as struct merge_options
 * wants it. */
const char *rank_groups_find(void *groups, const char *rank);
