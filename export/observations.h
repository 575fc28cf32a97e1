/* Writes observations: as a table row by row, `run,step,op,measure,value,unit` (long) or one column
 * per measure (wide), in CSV or in Parquet, and as .obs. One series is in memory at a time, so that
 * a file may be larger. */
#pragma once

#include <stdbool.h>
#include "base/output/outfile.h"
#include "export/op_series.h"

struct observations_options {
	const struct unit *time_unit, *bytes_unit; /* NULL: us and bytes */
	bool wide;
	bool parquet;	     /* else CSV; its values are whole ps and bytes */
	const char *program; /* "stepstat 0.1.0", for Parquet */
};

/* Rows in order of op, then of run and step; only steps in which the op was present. Values are
 * exact in decimal units. A complete set has rows without a step that say what is known of an op
 * (type, params), rows without an op for each step (wall time), and rows without either about the
 * source. Of chosen measures there are the values alone. */
int observations_write_table(const struct observation_set *set,
	const struct observations_options *opt, struct outfile *out, struct error *err);

struct job_sums;
struct step_sums;

/* The section of sums of a job: over the ranks, of the steps of the set. The caller owns them; NULL
 * with err set. */
struct job_part {
	const struct step_sums *steps; /* of the steps of the cube */
	struct job_sums *(*sums)(void *context, struct error *err);
	void *context;
};

/* The container, ingest/proto/obs.proto: .obs, or with the section of sums .part, whose
 * observations are sums over the ranks; `sums` NULL: without. ERROR_USAGE where two rows have one
 * name, or for totals: they could not be read back. */
int observations_write_obs(const struct observation_set *set, const struct job_part *sums,
	struct outfile *out, struct error *err);
