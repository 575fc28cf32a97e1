/*
 * One trace of the mean step: each op at its mean place with its mean duration over the steps. A
 * slice is the k-th execution of an op on its lane in a step; the k-th of all steps belong
 * together.
 */
#ifndef STEPSTAT_TIMELINE_MERGE_MEAN_FILES_H
#define STEPSTAT_TIMELINE_MERGE_MEAN_FILES_H

#include "timeline/merge/merge_files.h"

struct mean_outcome {
	size_t files_left_out, steps, slices;
	uint64_t events, outside; /* in the slices; in no step that was chosen */
};

/* Writes the mean step of a job, by its paths, output, from, read, take, skip, rules, strict.
 * Memory: 32 bytes for each event in a step, at most read.limits.observations of them. */
int mean_files(const struct merge_job *job, struct mean_outcome *outcome, struct issue_list *issues,
	struct error *err);

#endif
