/* Chrome traces of several steps, ranks or jobs as one: processes, flows and ids of each file kept
 * apart, times moved together. Files are read twice, first for their processes and times, then
 * event by event: memory grows with processes and files, not with events. It writes text as it was
 * read; only what has to differ is changed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "analysis/steps.h"
#include "ingest/reader.h"
#include "model/issue/issue.h"
#include "analysis/select/rules.h"

enum merge_clock {
	MERGE_CLOCK_AUTO, /* own clocks when the files fill a tenth of the time that they span, else
			     one after the other */
	MERGE_CLOCK_KEEP,
	MERGE_CLOCK_STEP, /* each step begins at 0 */
};

struct merge_job {
	const char *const
		*paths; /* files and folders; "-" is standard input, then it is the only one */
	size_t path_count;
	const char *output;	   /* "-": standard output; gzipped when it ends in ".gz" */
	const char *input_name;	   /* stands for the name of standard input; NULL: none */
	const struct reader *from; /* what the files are; NULL: by their content */
	struct read_options read;  /* for the steps of files that hold several */
	enum merge_clock clock;
	const struct step_range *take, *skip; /* steps to take (none: all) and to leave out */
	size_t take_count, skip_count;
	bool *found;	     /* for each of `take`, false: set where a step is in it */
	struct rules *rules; /* --include, --exclude; NULL: all ops */
	uint64_t max_bytes;  /* of the trace before gzip; 0: any */
	bool strict;
	bool cv_of_population; /* of `timeline mean` */
};

/* Results that the caller reports besides issues. */
struct merge_outcome {
	size_t files, parts;   /* parts: files, or their steps */
	size_t files_left_out; /* by --steps, --skip; in a folder also those that are not traces */
	uint64_t events;       /* written */
	uint64_t outside;      /* not in a step that was chosen */
	uint64_t filtered;     /* by --include, --exclude */
	uint64_t arrows, short_slices,
		others;	     /* left out by --max-size (arrows also with --include and --exclude) */
	int64_t shortest_ps; /* slices that are shorter were left out by --max-size ... */
	int64_t cut_ps;	     /* ... where cut_kept: not all from this duration on */
	bool cut_kept;
	bool moved; /* MERGE_CLOCK_AUTO laid the files one after the other */
};

/* True if the step is among those that --steps and --skip leave. The position is from 1. */
bool step_is_chosen(const struct merge_job *job, bool has_number, int64_t number, int64_t position);
/* Adds an issue for parts of --steps in which no step was; after the last step. */
void step_choices_check(const struct merge_job *job, struct issue_list *issues);

/* Writes the file, whole or not at all. One file without any choice is copied event by event, byte
 * for byte where it is JSON. */
int merge_files(const struct merge_job *job, struct merge_outcome *outcome,
	struct issue_list *issues, struct error *err);

/* One trace of the mean step: each op at its mean place with its mean duration over the steps. A
 * slice is the k-th execution of an op on its lane in a step; the k-th of all steps belong
 * together. */

struct mean_outcome {
	size_t files_left_out, steps, slices;
	uint64_t events, outside; /* in the slices; in no step that was chosen */
};

/* Writes the mean step of a job, by its paths, output, from, read, take, skip, rules, strict.
 * Memory: 32 bytes for each event in a step, at most read.limits.observations of them. */
int mean_files(const struct merge_job *job, struct mean_outcome *outcome, struct issue_list *issues,
	struct error *err);
