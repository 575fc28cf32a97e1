/* Facts that sources of all formats have about their recording in the same words: ranks in names of
 * files, versions of the runtimes of devices. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "ingest/json/json_table.h"
#include "model/profile.h"

/* rank-3, rank_3 and rank3 in the name of a file. */
bool rank_of_file(const char *path, uint64_t *rank);
/* Sets the host, unless it is known, from a name of PyTorch's handler with the number of the
 * process: node7_4242.1700000000000.pt.trace.json. */
void host_of_file(struct profile *p);

/* CUDA counts 12090 for 12.9 (CUDART_VERSION: 1000 major + 10 minor), HIP 60443483 for 6.4.43483
 * (HIP_VERSION: 10^7 major + 10^5 minor + patch). Other texts stay as they are. */
const char *runtime_version_text(struct arena *arena, const char *recorded, bool is_hip);

/* Sets batch, host, machine, commit and model of the devices from a member of a trace that the
 * program under study added, or from what is inside of "metadata" and "otherData". */
void source_facts_said(struct profile *p, const struct json_member *member);

typedef void source_facts_member(struct profile *p, const struct json_member *member);
/* Calls `set` with each member of the object, and of objects in it, that is no object itself;
 * deeper than four objects with the objects, too. */
void source_facts_inside(
	struct profile *p, const struct json_value *object, source_facts_member *set);
