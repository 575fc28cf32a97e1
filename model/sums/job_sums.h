/* Sums of the ranks of a job, each by itself, in whole numbers that any tree of joins makes the
 * same: the work of each rank in each step, and the sums of each row and class. It has no values of
 * single ranks in single rows but those of the slowest.
 *
 * Ranks that recorded the same steps are together in a set, because sums are over the same
 * steps. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "model/sums/row_sums.h"

/* ---- steps ---- */

/* Sums of the records of all ranks of a job about its steps: when the slowest was, how long any op
 * ran, times of devices. Whole numbers that any tree of joins makes the same; model/ranks.h divides
 * and names them. */

#define STEP_SUMS_UNKNOWN INT64_MIN /* a sum of which a part is not known, or too large */

/* One step over its ranks. */
struct step_sum {
	uint32_t ranks;			   /* that recorded it */
	uint32_t timed;			   /* of these, those with times */
	int64_t start_ps, end_ps, base_ns; /* of the longest; of equal ones the first */
	int64_t busy_ps;		   /* sum, or STEP_SUMS_UNKNOWN */
	uint64_t fingerprint;		   /* sum, modulo 2^64 */
};

/* Devices of one type ("gpu"): each rank numbers them in its own way. */
struct device_sums {
	const char *type;
	uint32_t most;	 /* that a rank has */
	const char *set; /* the devices of the rank that comes first in byte order, a line each */
	bool differ;	 /* other ranks have others */
};

/* One series (model/step_series.h) of the step, or of the device at this place of its type. */
struct series_sum {
	int kind;	   /* enum step_series_kind */
	const char *type;  /* ""; not of a device */
	const char *cause; /* "": of none */
	uint32_t place;
	bool is_largest; /* the value is that of the largest, not a sum */
	int64_t *value;	 /* [step]: where count is not 0; STEP_SUMS_UNKNOWN */
	uint32_t *count; /* [step]: ranks that have it */
};

struct step_sums {
	struct arena *arena; /* owns all */
	size_t step_count;
	struct step_sum *step;
	struct device_sums *device; /* by type */
	size_t device_count, device_room;
	struct series_sum **series; /* by kind, type, cause, place */
	size_t series_count, series_room;
};

/* Sums without any rank. They live as long as the arena. */
struct step_sums *step_sums_new(struct arena *arena, size_t steps);

/* A step of one rank, or of several, goes to `step`. Returns false when the sum of busy times
 * became too large. */
bool step_sums_add(struct step_sums *sums, size_t step, const struct step_sum *from);
/* The devices of one rank, or of several, of a type. */
void step_sums_add_devices(struct step_sums *sums, const struct device_sums *from);
/* The sums of the same series; NULL: there are none. */
const struct series_sum *step_sums_find(
	const struct step_sums *sums, const struct series_sum *like);
/* The sums of the same series, new ones without values; texts are copied. */
struct series_sum *step_sums_series(struct step_sums *sums, const struct series_sum *like);
/* Adds a value of `count` ranks. Returns false when it became too large. */
bool series_sum_add(struct series_sum *series, size_t step, int64_t value, uint32_t count);
/* NULL when there is none of this type. */
const struct device_sums *step_sums_device(const struct step_sums *sums, const char *type);

/* Adds all of `from`, whose step s is to[s] here; UINT32_MAX: not here. Returns how many sums
 * became too large. */
size_t step_sums_join(struct step_sums *sums, const struct step_sums *from, const uint32_t *to);

/* ---- ranks and rows ---- */

/* Sets of steps in one job. */
#define JOB_SUMS_SETS 64
/* Value in `work` and `all` that is not known. */
#define JOB_SUMS_UNKNOWN UINT64_MAX

struct sums_rank {
	const char *name;
	const char *group; /* "": none, or not known */
	/* [step] of its set: time of its work, and of all its ops; ps, or JOB_SUMS_UNKNOWN. */
	uint64_t *work, *all;
};

/* The sums of one row over the ranks of one group. */
struct group_sums {
	const char *group;
	struct row_sums sums; /* ranks are those of the set */
};

struct sums_row {
	const char *name;
	bool is_class;		  /* of ops; else a row */
	bool on_accelerator;	  /* its times are those of the accelerator; of classes false */
	struct group_sums *group; /* by name */
	size_t group_count, group_room;
};

struct sums_set {
	int64_t *step; /* places among the steps of the job, ascending */
	size_t step_count;
	struct sums_rank *rank; /* in natural order of names */
	size_t rank_count, rank_room;
	struct sums_row
		*row; /* classes first, by name; then rows of the accelerator, then others */
	size_t row_count, row_room;
	struct intern *rows; /* keys of the rows; the id is the place until they are sorted */
	/* Pairs of the place of a row and a group, and where in the row it is; also until then. */
	struct intern *groups;
	size_t *group_at, group_count, group_room;
};

struct job_sums {
	struct arena *arena;	 /* names and numbers of steps */
	struct step_sums *steps; /* of all steps, in the arena; NULL: elsewhere */
	struct sums_set *set;	 /* by their steps */
	size_t set_count, set_room;
};

struct job_sums *job_sums_new(void);
void job_sums_free(struct job_sums *sums); /* NULL is fine */

/* The set of these steps, new if there is none. NULL when there are too many: err says so. */
struct sums_set *job_sums_set(
	struct job_sums *sums, const int64_t *step, size_t count, struct error *err);
/* The row of this name in the set, new if there is none, and its sums of a group. Pointers hold
 * until the next row or group. */
struct sums_row *sums_set_row(struct job_sums *sums, struct sums_set *set, const char *name,
	bool is_class, bool on_accelerator);
struct row_sums *sums_row_group(
	struct job_sums *sums, struct sums_set *set, struct sums_row *row, const char *group);
/* Adds a rank at the end of the set: in natural order of names, so that equal sums of any two sets
 * are in one order. Work and all are 0. */
struct sums_rank *sums_set_rank(
	struct job_sums *sums, struct sums_set *set, const char *name, const char *group);
/* Rank r is to[r] from now on, in the same order, in the sums of all rows. */
void sums_set_renumber(struct sums_set *set, const uint32_t *to);
/* The order of the names of ranks, which no two share: below 0, 0, above. */
int job_sums_compare_names(const char *a, const char *b);
/* The order of two struct sums_row, for qsort and bsearch. */
int job_sums_compare_rows(const void *a, const void *b);
/* Sets, rows and groups in their order. No row can be added afterwards. */
void job_sums_sort(struct job_sums *sums);

/* Adds the sets of `from`, which has no rank of these; its sums have other numbers of ranks, and
 * its step s is step to[s], afterwards. ERROR_LIMIT: too many sets; ERROR_INPUT: the steps of a set
 * are in another order here. */
int job_sums_join(
	struct job_sums *sums, struct job_sums *from, const uint32_t *to, struct error *err);
