/*
 * Inside the reader of containers of observations (.obs, .part): what all its elements refer to,
 * and those that are decoded into columns and sums of a profile. For the reader only.
 */
#ifndef STEPSTAT_INGEST_TABLE_OBS_READER_H
#define STEPSTAT_INGEST_TABLE_OBS_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"
#include "ingest/reader.h"
#include "ingest/table/obs_format.h"
#include "ingest/table/obs_parts.h"
#include "ingest/table/step_values.h"
#include "model/profile.h"

#define OBS_MEASURES_MOST 256

struct obs_op {
	uint32_t id; /* of the profile */
	bool other;  /* it is "[other names]": past the cap */
};

/* Ops and their series: of the source, and of given totals. */
struct obs_table {
	struct profile *profile; /* NULL: the file has none so far */
	struct obs_op *op;	 /* by number in the file */
	size_t count, room;
	size_t next_series; /* ops below this one have had theirs */
	struct text name;   /* of the op before */
	size_t *other_row;  /* row of "[other names]" in each step + 1; 0: none yet */
};

struct obs_reader {
	struct input *in;
	struct profile *out;
	const struct read_options *opt;
	struct arena *scratch; /* of one element */
	bool has_sums;	       /* the file has, or must have, the section of sums */
	const char **text;     /* the string table */
	size_t text_count, text_room;
	int measure[OBS_MEASURES_MOST]; /* number in the file -> id, -1: unknown here */
	size_t measure_count;
	struct obs_table self, totals;
	struct step_values values;
	struct text row_name; /* of the row of sums before */
	/* Work space for one series over all steps. */
	uint32_t *present;
	bool *known;
	int64_t *value;
	size_t room;
	/* Checks: observations and bytes so far, the element before. */
	uint64_t observations;
	uint32_t crc, last;
	bool ended;
};

/* Results of reading an element. */
enum obs_result {
	OBS_FAILED = -1, /* the error says why */
	OBS_READ = 0,
	OBS_DAMAGED = 1, /* it is not what it must be */
};

static inline enum obs_result obs_sound(bool is_sound)
{
	return is_sound ? OBS_READ : OBS_DAMAGED;
}

void obs_table_init(struct obs_table *table, struct profile *profile);
void obs_table_release(struct obs_table *table); /* not the profile */

/* The name of an op or a row: what it shares with the one before, which it replaces, and the
 * rest. */
bool obs_next_name(
	const struct obs_parts *parts, uint32_t shared, uint32_t rest, struct text *name);

/* The contents of one element. */
enum obs_result obs_read_op(struct obs_reader *r, struct obs_table *table, struct wire w);
enum obs_result obs_read_series(
	struct obs_reader *r, struct obs_table *table, struct wire w, struct error *err);
enum obs_result obs_read_collectives(struct obs_reader *r, struct wire w);
/* Elements of the section of sums; they go to the profile's job, whose steps are read already. */
enum obs_result obs_read_job_steps(struct obs_reader *r, struct wire w);
enum obs_result obs_read_job_set(struct obs_reader *r, struct wire w, struct error *err);
enum obs_result obs_read_job_row(struct obs_reader *r, struct wire w);

#endif
