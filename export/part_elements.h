/*
 * The elements that a .part file has beside those of observations: what the ranks of the job add up
 * to. Internal to export/; ingest/proto/obs.proto explains them.
 */
#ifndef STEPSTAT_EXPORT_PART_ELEMENTS_H
#define STEPSTAT_EXPORT_PART_ELEMENTS_H

#include "export/obs_writer.h"
#include "model/sums/job_sums.h"

/* Records of the ranks about the steps, which are those of the file. */
void part_write_steps(struct obs_writer *w, const struct step_sums *steps);
/* Sets of ranks and their rows, which are in order. */
void part_write_sums(struct obs_writer *w, const struct job_sums *sums);

#endif
