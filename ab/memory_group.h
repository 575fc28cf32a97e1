/* A group of processes whose peak memory the kernel knows (cgroup v2), where one can be made
 * without rights. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"

struct memory_group;

/* In the arena; NULL: none can be made. Files are below `root`, which is "". */
struct memory_group *memory_group_find(const char *root, struct arena *arena);
/* Makes the group and moves this process into it: what it starts begins there. false: there is no
 * group. */
bool memory_group_enter(const struct memory_group *group);
/* Moves this process back and removes the group, which nothing else may be in. The most that its
 * processes had together, with what their files took of the page cache; -1: not known. */
int64_t memory_group_leave(const struct memory_group *group);
/* Removes what a run left of the group. */
void memory_group_remove(const struct memory_group *group);
