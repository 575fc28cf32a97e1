/* The values of one row after the other over the kept steps, all measures side by side: what the
 * writers of observations put into files. It writes nothing itself. */
#pragma once

#include <stdbool.h>
#include "analysis/summary.h"

/* Observations to be written, as the commands select them. */
struct observation_set {
	const struct cube *cube; /* the rows are from this one */
	const struct step_set *steps;
	const struct grouping *rows;	/* what ran in these steps */
	const struct grouping *all;	/* the same with what never ran; NULL: that is left out */
	const enum measure_id *measure; /* of every step; then those of an op */
	size_t measure_count;
	bool complete; /* the measures were not chosen: all that a report can show of the source */
	/* ops were chosen, renamed or grouped: these are not the steps of the source */
	bool changed;
	bool printed; /* values were rounded for printing, as in tfprof's text */
	/* totals that the source gives itself, of the same steps; NULL: none */
	const struct cube *given;
	const enum measure_id *given_measure;
	size_t given_count;
};

struct op_series {
	const struct cube *cube;
	const enum measure_id *measure;
	size_t measure_count, step_count;
	const uint32_t *index_of; /* as in struct step_set: step of the cube -> index below */
	int64_t **value;	  /* [measure][step] */
	unsigned char **state;	  /* 0 absent, 1 present, 2 present but not known */
	uint32_t *step; /* those in which it is present, ascending: only these have values */
	size_t ran;	/* of these */
	bool *seen;	/* [step]: work space */
};

/* Makes series in the arena, for the rows of the set or of its given totals; static measures have
 * no series. */
void op_series_init(struct op_series *series, const struct observation_set *set, bool given,
	struct arena *arena);
void op_series_read(struct op_series *series, const struct group *group);

/* Measures that a file of observations needs so that a report of it is that of the source: recorded
 * measures, derived ones that the source gave, and where rows are groups of ops those that cannot
 * be derived from sums. */
const enum measure_id *op_series_measures(
	const struct cube *cube, const struct grouping *rows, struct arena *arena, size_t *count);
/* Each op of the cube as a row of its own. */
struct grouping op_series_each_op(const struct cube *cube, struct arena *arena);
/* Calls of collectives by op, in the arena: those of op o, by step, are from (*first)[o] up to
 * (*first)[o + 1]. */
const struct collective_call *const *op_series_calls(
	const struct cube *cube, struct arena *arena, size_t **first);
/* True if some kept step has a value of this series. */
bool op_series_step_known(const struct observation_set *set, const struct step_series *series);
/* Float operations of one execution of a row; CELL_ABSENT when unknown or when it is several
 * ops. */
int64_t op_series_float_ops_each(const struct cube *cube, const struct group *group);
