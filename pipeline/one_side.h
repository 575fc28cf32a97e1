/*
 * One side of a job, from paths to a summary: the order of the stages, once, for all commands, so
 * that with the same options all commands give the same numbers. It prints nothing.
 */
#ifndef STEPSTAT_PIPELINE_ONE_SIDE_H
#define STEPSTAT_PIPELINE_ONE_SIDE_H

#include "analysis/summary.h"
#include "ingest/load.h"
#include "pipeline/settings.h"

struct side_file {
	const char *path; /* that was read: of files in a merged trace, the trace */
	size_t part;	  /* its place there, from 0 */
};

struct side {
	struct arena *arena;
	const char *label; /* "profile_100", "runs/", "3 inputs" */
	struct cube *self;
	struct cube *totals;	 /* with --value=total, else NULL */
	const struct cube *cube; /* the one the rows are from */
	struct step_set steps;
	struct grouping grouping;
	struct summary *summary;
	bool is_tfprof_text;	/* all inputs are text that tfprof printed */
	bool uses_kilobyte;	/* all inputs are of kinds that --kilobyte is for */
	struct side_file *file; /* that were read, in order */
	size_t file_count;
	struct skipped_file *skipped; /* files of folders that were not read */
	size_t skipped_count;
};

/* Reads and merges. */
struct side *side_load(const struct job_settings *settings, const char *const *paths, size_t count,
	struct error *err);
/* Steps, rules, groups. */
int side_select(struct side *side, const struct job_settings *settings, struct error *err);
/* Sums of rows that 64 bits do not hold, as an input's own sums (sum-range): an issue of the cube;
 * an error in --strict. */
int side_out_of_range(const struct job_settings *settings, struct cube *cube, size_t count,
	const char *place, struct error *err);
/* Statistics; with `adjust` for the notebook layout, else NULL. */
int side_summarize(struct side *side, const struct job_settings *settings,
	double (*adjust)(const void *, enum measure_id, double), struct error *err);
void side_free(struct side *side);

/* The measures in force: the user's (all must be known to the cube), or time and requested where it
 * has them. */
int side_measures(const struct side *side, const struct job_settings *settings, struct arena *arena,
	const enum measure_id **measure, size_t *count, struct error *err);

#endif
