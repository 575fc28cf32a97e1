/*
 * The sum of the ranks in many files.
 */
#ifndef STEPSTAT_CLI_MERGE_MERGE_RANKS_H
#define STEPSTAT_CLI_MERGE_MERGE_RANKS_H

#include "base/output/outfile.h"
#include "cli/options/settings.h"

struct merge_inputs {
	const char *const *path;
	const uint64_t *size_bytes; /* of each file */
	size_t count;
	const struct issue_list *losses; /* of files that are not among them; NULL: none */
};

/* True if the settings choose steps by properties of the whole job (kind, warm-up, position): all
 * files are then read twice. */
bool merge_finds_steps(const struct job_settings *settings);
/* Writes the sum of the ranks, as the settings choose steps and rows, into `out`, which is finished
 * and stays open. Errors name the inputs. */
int merge_ranks(struct settings *settings, const struct merge_inputs *in, struct outfile *out,
	struct error *err);

#endif
