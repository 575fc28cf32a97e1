/* One side of a job, from paths to a summary: the order of the stages, once for all commands, so
 * that the same options give the same numbers everywhere. It prints nothing. */
#pragma once

#include "analysis/job/job_ranks.h"
#include "analysis/job/job_sums.h"
#include "analysis/summary.h"
#include "ingest/load.h"
#include "pipeline/settings.h"

struct side_file {
	/* the file that was read; for a part of a merged trace, the trace; "-": standard input */
	const char *path;
	size_t part; /* its index in the merged trace, from 0 */
};

struct side {
	struct arena *arena;
	const char *label;		 /* "profile_100", "runs/", "3 inputs" */
	struct call_values *call_values; /* of single executions; NULL: not kept */
	struct cube *self;
	struct cube *totals;	 /* with --value=total, else NULL */
	const struct cube *cube; /* the cube that rows are made of: self or totals */
	struct step_set steps;
	struct grouping grouping;
	struct summary *summary;
	struct summary
		*first_kind;	 /* of the steps of the first of several named kinds; else NULL */
	struct job_ranks *ranks; /* with the summary, of a job of several ranks; else NULL */
	/* The same of the time alone, for what a side of a comparison shows by itself. */
	struct summary *by_time;
	struct job_ranks *ranks_by_time;
	bool rows_chosen;	/* side_choose_rows has been called */
	bool has_other_rows;	/* --on took ops out */
	bool usual_rows;	/* --on is left to the program */
	bool is_tfprof_text;	/* all inputs are text that tfprof printed */
	bool uses_kilobyte;	/* --kilobyte applies to all inputs */
	bool is_trace;		/* all inputs are traces of events, or were exported from them */
	struct side_file *file; /* the files that were read, in order */
	size_t file_count;
	struct skipped_file *skipped; /* files of folders that were not read */
	size_t skipped_count;
};

/* Reads the inputs; texts that reading needs live in the arena. The caller frees it. */
struct loaded *side_read(const struct job_settings *settings, const char *const *paths,
	size_t count, struct arena *arena, struct error *err);
/* Issues found when the inputs become runs and ranks, without merging them; into the list's arena.
 * -1: they cannot become runs. */
int side_check_runs(const struct job_settings *settings, const struct loaded *loaded,
	struct issue_list *out, struct error *err);
/* Reads and merges the inputs. */
struct side *side_load(const struct job_settings *settings, const char *const *paths, size_t count,
	struct error *err);
/* Removes the ops that --on does not want, before kinds of steps are found by the rest. */
int side_choose_rows(struct side *side, const struct job_settings *settings, struct error *err);
/* Selects steps, applies rules, makes groups; chooses rows first, unless that has been done. */
int side_select(struct side *side, const struct job_settings *settings, struct error *err);
/* Makes the groups again, with a row for each kind (struct group_options). */
int side_split_kinds(struct side *side, const struct job_settings *settings,
	const uint32_t *kind_of_step, struct error *err);
/* Reports sums of rows that exceed 64 bits: an issue of the cube, or an error with --strict.
 * (Sums within an input are the issue sum-range.) */
int side_out_of_range(const struct job_settings *settings, struct cube *cube, size_t count,
	const char *place, struct error *err);
/* Computes the statistics. `adjust` changes each value first (notebook layout); NULL leaves
 * values alone. */
int side_summarize(struct side *side, const struct job_settings *settings,
	double (*adjust)(const void *, enum measure_id, double), struct error *err);
/* Makes by_time and ranks_by_time; none where its runs are too short for that, or its rows no parts
 * of a step. */
int side_summarize_time(struct side *side, const struct job_settings *settings, struct error *err);
/* Sums of the ranks of the job, in the selected steps; the rows of the side become those that a
 * report of it shows. The caller frees it. */
struct job_sums *side_job_sums(
	struct side *side, const struct job_settings *settings, struct error *err);
void side_free(struct side *side);
