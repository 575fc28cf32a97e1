/* The table of observations of one side: one row for each op present in a step of a run, sorted by
 * (op, run, step), a column for each measure, integers in base units. It holds no statistics and no
 * names but the recorded ones. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/error.h"
#include "model/issue/issue.h"
#include "model/measure.h"
#include "model/profile.h"
#include "model/step_series.h"

struct ranks;

struct run {
	const char *name;
	/* The process that it is, where it ran on one and the source names it; and its group. */
	const char *rank, *rank_group;
	const char *sources;	       /* the files that make it, for --explain-inputs */
	const char *path;	       /* the file that makes it; NULL: several */
	size_t step_first, step_count; /* its steps are cube->step[step_first...] in order of time,
					  where it is not known of number */
	const struct facts *facts;     /* that all of its files state alike; not NULL in a cube of
					  merge_profiles() */
};

struct cube {
	struct arena *arena;
	struct op *op;	       /* sorted by name (bytes) */
	bool *has_accelerator; /* per op: it has accelerator time in some step, so `time` is that */
	size_t op_count;
	struct run *run; /* in natural order of names */
	size_t run_count;
	struct step *step; /* run by run */
	size_t step_count;
	struct step_series_list series; /* one value for each step */
	struct step_times times;	/* step_time_choose sets it */
	/* Ranks of a job of several (model/ranks.h), for all of which the rows stand; else NULL.
	 * NULL in totals, too: see the cube that they are made from. */
	struct ranks *ranks;
	uint32_t *rank_count; /* of each step: the ranks that recorded it; 1 without ranks */
	uint32_t *divisor;    /* of the values in each step (cube_mean); NULL: 1 */
	size_t row_count;
	size_t *op_first;  /* op_count + 1: rows of op o are op_first[o] .. op_first[o + 1] - 1 */
	uint32_t *step_of; /* index in step[], ascending within an op */
	int64_t *column[MEASURE_COUNT]; /* NULL: not stored (unknown, or derived when asked for) */
	/* Measures of files among them, in the order of the first file that has each. */
	enum measure_id own[MEASURE_OWN_SLOTS];
	size_t own_count;
	struct call_sums *calls[CALL_KINDS]; /* of each row; NULL: not known, or not asked for */
	/* Collectives; in a job of several ranks those of each rank are in `ranks`. */
	struct collective_calls collectives;
	/* The executions that calls are sums of, those of the totals, too. NULL: not kept, or not
	 * all. Not owned. */
	struct call_values *call_values;
	struct call_source *call_source;
	size_t call_source_count;
	bool host_is_apart; /* as all profiles say it of themselves */
	/* Ops are benchmarks: nothing adds up to a step, and what lacks is unknown (struct
	 * merge_options: rows). */
	bool benchmarks;
	bool is_one_side;	  /* time of the host, or of devices, was taken out */
	const char *format_title; /* "TensorFlow profile"; of the first source */
	bool repeats;		  /* the runs are repetitions of one process */
	bool totals;		  /* rows are scopes with everything below them, and overlap */
	/* Totals that the sources give, for cube_totals: ops, rows and columns over the same steps.
	 * NULL: totals are sums over the ops. */
	struct cube *given;
	enum totals_nesting nesting; /* of `given`, and of totals */
	bool totals_partly;	     /* only some of the sources give totals */
	struct fact_lists facts;     /* of the files whose steps are in it, in order */
	struct issue_list issues;
};

struct cube *cube_new(void);
void cube_free(struct cube *cube); /* NULL is fine */

/* Index of the op of this name; UINT32_MAX: there is none. */
uint32_t cube_find_op(const struct cube *cube, const char *name);
/* True if this cube can compute the measure at all. */
bool cube_has(const struct cube *cube, enum measure_id id);
/* True if values of this measure add up over ops, and count as 0 where an op is not in a step. */
static inline bool cube_adds_up(const struct cube *cube, enum measure_id id)
{
	return !cube->benchmarks && measure_at(id)->additive;
}
/* The measures that the cube has, the first of the order in which tables show them: of the program,
 * then of files. Returns how many; `out` has room for all. */
size_t cube_measures(const struct cube *cube, enum measure_id out[MEASURE_COUNT]);
/* Value that is not stored; only for cube_value. */
int64_t cube_derived(const struct cube *cube, enum measure_id id, uint32_t op, size_t row);
/* Value of a recorded or derived measure in a row; CELL_ABSENT when unknown or out of range. */
static inline int64_t cube_value(
	const struct cube *cube, enum measure_id id, uint32_t op, size_t row)
{
	const int64_t *column = cube->column[id];

	if (column && (cube->totals || column[row] != CELL_ABSENT))
		return column[row];
	return cube_derived(cube, id, op, row);
}
/* A value of a row, or the sum of several, in a step: where rows are sums over ranks, the mean over
 * those that recorded the step. */
static inline double cube_mean(const struct cube *cube, uint32_t step, int64_t value)
{
	return cube->divisor ? (double)value / cube->divisor[step] : (double)value;
}
/* True if the value is absent because it is more than 64 bits hold: a sum or product of recorded
 * ones that are known. */
bool cube_out_of_range(const struct cube *cube, enum measure_id id, uint32_t op, size_t row);
/* True if both measures have the same dimension, and the same value in every row. */
bool cube_same_values(const struct cube *cube, enum measure_id a, enum measure_id b);
/* Value of a static measure of an op; CELL_ABSENT when unknown. */
int64_t cube_static(const struct cube *cube, enum measure_id id, uint32_t op);

/* The same observations as scopes: a row for every name of the tree (also for parents that are not
 * ops), each with everything below it. A scope is present where anything below it is. Totals that
 * the sources give are used instead of sums; ERROR_INPUT when only some give them. */
struct cube *cube_totals(const struct cube *cube, struct error *err);

/* The one accumulator over a tree: values are vectors over slots (a slot is a step, or tfprof's
 * average over steps). total = self + totals of the children. It knows no names, options or units.
 */

#define ACCOUNT_ROOT UINT32_MAX /* parent of a top-level node */

/* parent[i] > i never holds: parents come before their children (parent[i] < i or ACCOUNT_ROOT).
 * value is node-major, value[i * slots + s]: self on entry, total on return. keep (may be NULL):
 * nodes with keep[i] false add nothing to their parent. Sums wrap in two's complement; returns true
 * when one did. */
bool account_totals(
	const uint32_t *parent, size_t nodes, size_t slots, const bool *keep, int64_t *value);
