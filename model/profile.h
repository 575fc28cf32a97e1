/* Result of one read of one source: ops, steps, observations, issues, each in an arena of its own.
 * Durations are ps, memory is bytes, points in time are ps since the profile's base. It does not
 * know runs (merge decides) or rules. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "model/collective_calls.h"
#include "model/facts/facts.h"
#include "model/issue/issue.h"
#include "model/measure.h"
#include "model/step_series.h"
#include "model/sums/job_sums.h"

/* ---- calls ---- */

/* Single executions ("calls") of an op as numbers that add up: exact integers, so that
 * neither their order nor how they are grouped can change a result, in memory that does not grow
 * with the calls. And one by one, in order of their times, which percentiles need: whoever reads
 * traces keeps them, in memory of fixed size (ingest/events/call_store.h); profiles and cubes say
 * which op and step the numbers in them mean. */

/* Kinds of times that a call has: the measures `cpu`, `accelerator` and `delay`. */
enum call_kind {
	CALLS_CPU,
	CALLS_ACCELERATOR,
	CALLS_DELAY, /* from the start of the launch to the start of what it launched; below 0
			where the clocks of host and device differ by more */
	CALL_KINDS
};
#define CALL_TIME_KINDS CALLS_DELAY /* those before it are times of execution */

#define CALL_SHORT_PS INT64_C(5000000) /* 5 us: about what a launch costs */

#define CALL_SQUARES_UNKNOWN (~(unsigned __int128)0) /* they did not fit; and stay so */

/* Sums of calls. All zero: no call. */
struct call_sums {
	int64_t count;
	int64_t below;		/* of times: below CALL_SHORT_PS; of delays: below 0 */
	int64_t min_ps, max_ps; /* 0 without a call */
	__int128 sum_ps;
	unsigned __int128 squares; /* of ps */
};

/* One call of -2^63 + 1 .. 2^63 - 1 ps; times are not below 0. */
void call_sums_add(struct call_sums *sums, enum call_kind kind, int64_t ps);
void call_sums_join(struct call_sums *into, const struct call_sums *from);

/* ---- one by one ---- */

/* A value that has a part in the call_sums of the same op, step and kind. */
struct call_record {
	int64_t ps;
	uint32_t source; /* as in struct call_source */
	uint32_t op;	 /* of the profile */
	uint32_t place;	 /* of the step: see struct call_source */
	enum call_kind kind;
	bool total; /* of the totals, else of the ops themselves */
};

/* Source of the records of one profile. */
struct call_source {
	uint32_t number; /* of the records: struct call_record.source */
	uint32_t *step; /* of each place: of the profile, in a cube of the cube; UINT32_MAX: none */
	size_t place_count;
	const char **op; /* in a cube: names of the profile's ops */
	size_t op_count;
};

struct call_values {
	/* The next call of `next` returns the first record. */
	int (*rewind)(struct call_values *values, struct error *err);
	/* 1: the next record, by ps; 0: there is none; -1: it cannot be read back. */
	int (*next)(struct call_values *values, struct call_record *record, struct error *err);
	void (*free)(struct call_values *values);
};

/* ---- profiles ---- */

#define CELL_ABSENT INT64_MIN /* in a column of observations: this measure is not known here */

/* The op of all names beyond the most. */
#define OTHER_NAMES "[other names]"

struct op {
	const char *name;   /* as recorded */
	const char *type;   /* op kind ("Conv2D"); "" when unknown */
	const char *device; /* canonical device, lower case; "" when unknown or several */
	const char *shape;  /* of its outputs (model/op_shape.h); "" when unknown or not always the
			       same */
	int64_t params;	    /* 0 when it has none; CELL_ABSENT when the source does not say */
	int64_t float_ops_each; /* of one execution; 0 when unknown, CELL_ABSENT when for all ops */
	int64_t defined;	/* graph nodes of this op: 1; 0 when not from a graph */
	bool types_differ;	/* its events, or its sources, have several types */
};

/* Nesting of the ops of a profile of totals, as far as it is known. */
enum totals_nesting {
	TOTALS_UNKNOWN,
	TOTALS_SCOPES,	/* as names say: all of a/b is in a, and nothing of it elsewhere */
	TOTALS_OF_ROWS, /* what ran inside of another op of its row (--rename, --by) is in no
			   total: totals of the ops of a row add up */
};

#define STEP_BUSY_UNKNOWN INT64_MIN /* not asked for, or out of range */

struct step {
	int64_t number; /* as the source numbers it */
	/* the source does not say: merge numbers such steps in order of arguments */
	bool unnumbered;
	bool by_place; /* the source does not say: its number is its place in the recording */
	/* a table says its place in the run, where it has no times */
	bool has_index;
	uint32_t index;	 /* this place; in a cube that in the run, of a job in its steps; from 0 */
	uint32_t origin; /* in a cube: its index in the profile that it is of */
	const char *run; /* name from the source's own run column, or NULL: merge decides */
	/* Kind of step in the producer's words ("train", "eval"); NULL: not said. */
	const char *kind;
	/* Names of the process of a job and of the group that it belongs to (its pipeline stage);
	 * NULL: not known. */
	const char *rank, *rank_group;
	bool has_wall;		  /* the source has start times */
	int64_t start_ps, end_ps; /* of its events, since the base */
	int64_t busy_ps;	  /* union of the intervals, or STEP_BUSY_UNKNOWN */
	uint32_t source;	  /* in a cube: place of its profile among those that were merged */
	/* Epoch of its point 0; 0: that of its profile, in a cube unknown. Of a step without times
	 * it is the start of its run. */
	int64_t base_ns;
	uint64_t fingerprint; /* of names and times; equal for the same step of the same run */
	/* Launches in it whose work a device's records must have, and those of which they have
	 * none: of LOSS_LAUNCHES, then of LOSS_REPLAYS. All 0: not known. */
	struct step_launches {
		uint32_t all[2], lost[2];
	} launches;
};

static inline bool step_knows_busy(const struct step *step)
{
	return step->has_wall && step->busy_ps != STEP_BUSY_UNKNOWN;
}

/* The start in ns of the clock of the source, mostly since 1970. False: it is not known. */
bool step_start(const struct step *step, int64_t *ns);

/* One row: an op present in a step. Presence is a fact of its own: values may all be 0. */
struct observations {
	size_t count, room;
	uint32_t *op, *step; /* indexes into the profile */
	/* NULL: the source does not have this measure. A derived measure has a column only where
	 * the source gives it; without one, and where it is CELL_ABSENT, the cube derives it. */
	int64_t *column[MEASURE_STEP_COUNT];
	/* The single executions of a row. NULL: not requested, or not in the source. A source that
	 * has any kind has CALLS_CPU. */
	struct call_sums *calls[CALL_KINDS];
};

/* Lists the measures that have a column; returns their number. */
size_t observations_columns(
	const struct observations *obs, enum measure_id out[MEASURE_STEP_COUNT]);

struct packed_rows;

struct profile {
	struct arena *arena;
	const char *path;  /* as shown in messages and tables */
	const char *input; /* of a file in a merged trace: the trace, which was read; else NULL */
	/* File by which a folder that is one input is opened again; else NULL. */
	const char *entry;
	size_t part;	      /* its place there, from 0 */
	bool is_stdin;	      /* it was read from standard input, which path and input only name */
	struct profile *next; /* of the next file there, freed with this one unless it is
				 unlinked; else NULL */
	/* folder it was found in, or NULL when named on the command line alone */
	const char *group;
	/* place of the input among the arguments: order of steps without a number */
	size_t argument;
	const char *format;	  /* name of the reader */
	const char *format_title; /* "TensorFlow profile" */
	struct intern *names;	  /* op names; the id is the index in op[] */
	struct op *op;
	size_t op_count, op_room;
	struct step *step;
	size_t step_count, step_room;
	size_t run_bytes; /* names of runs of steps, where a step is of another run than the last */
	struct step_series_list series; /* one value for each step */
	struct observations obs;
	/* Measures of its own among them, in the order in which they were declared. */
	enum measure_id own[MEASURE_OWN_SLOTS];
	size_t own_count;
	struct collective_calls collectives; /* groups live as long as the profile */
	/* Sums of several ranks of a job, for which the profile stands: observations are sums over
	 * them. NULL: it does not. Its steps are those of the profile. */
	struct job_sums *job;
	struct packed_rows *packed; /* these, taken out of obs (model/packed_rows.h); else NULL */
	/* Source of its single executions; NULL: they are not kept. `op` is not used. */
	struct call_source *call_source;
	/* Totals of scopes as the source gives them: the same steps, the scopes as ops, each with
	 * everything below it. For a source that shows only some of the ops, so that sums over them
	 * would be too small. NULL: totals are sums. */
	struct profile *totals;
	enum totals_nesting nesting; /* of totals */
	/* The run of its steps has the name of one process of a job ("rank 3"): files of one step
	 * with the same such name are the steps of one run, as are files of one step without a
	 * name. */
	bool run_is_rank;
	/* One of the files that its profiler wrote into one folder, one for each host of a job,
	 * at one time; facts.host is its name. */
	bool host_is_rank;
	/* Host and devices have events of their own: an op of the host with the name of one of a
	 * device only launches it. */
	bool host_is_apart;
	/* A cache owns it, and it is merged more than once: its observations stay in it. */
	bool is_kept;
	/* True if its format writes a file for each step of a run: a profile of one step is a part
	 * of one. */
	bool is_file_a_step;
	/* True if its one step is the average of many, and all that is known of its run: a run of
	 * its own. */
	bool is_average;
	/* The runs that it names are repetitions of one process. */
	bool repeats;
	bool benchmarks;    /* its ops are benchmarks, which stand for themselves and do not add up
			     */
	bool is_printed;    /* values were rounded for printing, as tfprof's text is */
	int64_t base_ns;    /* epoch of point 0, 0 when unknown */
	struct facts facts; /* what the source says about its recording */
	/* Facts of the files that a table of observations was made of, as the files say. `facts`
	 * then has those that all of them have in common. */
	struct fact_lists file_facts;
	/* Facts of single runs that a table of several states: by the name of the run, its facts;
	 * by "" those of all runs that do not state them. NULL: none. */
	struct intern *fact_runs;
	struct facts *run_facts;
	size_t run_facts_room;
	struct issue_list issues;
};

struct profile_limits {
	size_t ops, steps, observations; /* 10^6, 10^6, 2 * 10^8 */
	size_t name_bytes;		 /* of all names of ops together: 64 MiB; 0: no cap */
};
#define PROFILE_LIMITS                                                                             \
	{                                                                                          \
		.ops = 1000000, .steps = 1000000, .observations = 200000000,                       \
		.name_bytes = (size_t)64 << 20,                                                    \
	}
extern const struct profile_limits profile_limits_default; /* PROFILE_LIMITS */

struct profile *profile_new(const char *path);
void profile_free(struct profile *profile); /* NULL is fine */
/* Leaves out the observations and calls; steps and their series stay. */
void profile_drop_rows(struct profile *profile);

/* Makes it the profile of a part of an input that holds several, as if the input `whole` were a
 * folder with a file of the name `own` in it. It may be `whole` itself. */
void profile_make_part(
	struct profile *profile, const struct profile *whole, size_t part, const char *own);

/* Facts of the run of this name alone, to be filled; valid until the next call. */
struct facts *profile_run_facts(struct profile *profile, const char *run);
/* Sets facts of all of its runs, over what it states. */
void profile_overlay_facts(struct profile *profile, const struct facts *over);
/* Facts of the recording of a step; in the arena where they are not those of the profile. */
const struct facts *profile_facts_of_step(
	const struct profile *profile, size_t step, struct arena *arena);
/* After the last of file_facts: what they have in common becomes facts. */
void profile_share_facts(struct profile *profile);

/* Index of the op of this name, added with empty attributes when new (fields of the new op are then
 * the caller's to fill). Past a cap (how many, or how many bytes together), further names go to the
 * op "[other names]" and an issue counts them. A zero byte in the name becomes "\\0": names of ops
 * are strings from here on. */
uint32_t profile_op(struct profile *profile, const char *name, size_t n, bool *is_new,
	const struct profile_limits *limits);
/* Adds a step; ERROR_LIMIT past the cap, or where names of runs take more than a quarter of
 * limits->name_bytes. Numbers need not be sorted or distinct across runs. */
int profile_add_step(struct profile *profile, const struct step *step, uint32_t *index,
	const struct profile_limits *limits, struct error *err);
/* Declares that the source has this measure, before any observation. */
void profile_have(struct profile *profile, enum measure_id id);
/* Declares that the source has single executions of this kind, before any observation. */
void profile_have_calls(struct profile *profile, enum call_kind kind);
/* Adds an observation with all present columns CELL_ABSENT; fill by
 * profile->obs.column[id][row]. */
int profile_observe(struct profile *profile, uint32_t op, uint32_t step, size_t *row,
	const struct profile_limits *limits, struct error *err);
/* Room for so many observations, the first time. */
void profile_reserve(struct profile *profile, size_t count);
/* Adds `count` observations from *row on; all of them is the caller's to fill. */
int profile_add_rows(struct profile *profile, size_t count, size_t *row,
	const struct profile_limits *limits, struct error *err);
/* The same, zero in all columns and without calls; op and step are
 * the caller's to fill. */
int profile_observe_many(struct profile *profile, size_t count, size_t *row,
	const struct profile_limits *limits, struct error *err);
