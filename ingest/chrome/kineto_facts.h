/*
 * Facts of a PyTorch trace about its recording: process, devices, driver, framework. It reads no
 * events.
 */
#ifndef STEPSTAT_INGEST_CHROME_KINETO_FACTS_H
#define STEPSTAT_INGEST_CHROME_KINETO_FACTS_H

#include "ingest/json/json_table.h"
#include "model/profile.h"

enum kineto_version {
	KINETO_CUDA_DRIVER,
	KINETO_CUDA_RUNTIME,
	KINETO_HIP_DRIVER,
	KINETO_HIP_RUNTIME,
	KINETO_VERSIONS
};

/* All zero: nothing is known. Texts are in the arena of the profile. */
struct kineto_facts {
	bool has_rank;
	uint64_t rank;
	const char *version[KINETO_VERSIONS]; /* NULL: not in the file */
};

/* A member of the file that is not its events; sets facts of the profile. */
void kineto_facts_member(
	struct kineto_facts *facts, struct profile *profile, const struct json_member *member);
/* Sets the facts that take several members together; call it after the last member. */
void kineto_facts_finish(const struct kineto_facts *facts, struct profile *profile);

#endif
