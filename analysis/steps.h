/*
 * Which steps a report is about: kinds, warm-up and the user's choice, in this order. It counts
 * what is left out and changes no values.
 */
#ifndef STEPSTAT_ANALYSIS_STEPS_H
#define STEPSTAT_ANALYSIS_STEPS_H

#include "analysis/step_kinds.h"
#include "base/text.h"
#include "model/cube.h"
#include "stats/rounding.h"
#include "stats/sample.h"

enum warmup_mode { WARMUP_MODE_NONE, WARMUP_MODE_COUNT, WARMUP_MODE_AUTO };

/* One part of --steps: numbers (or positions from 1) from..to, both included. */
struct step_range {
	int64_t from, to; /* INT64_MIN, INT64_MAX: open */
	bool by_position;
	/* Only the step of this kind (as in struct step) that comes at this place, from 1, among
	 * those of its number and kind in its run; 0: all of the numbers. */
	uint32_t occurrence;
	const char *kind;
};

/* The place of a step of the cube, from 1, among those of its number and kind in its run. */
uint32_t step_occurrence(const struct cube *cube, size_t step);

/* "10:99", "@1", "7:". */
void step_range_text(const struct step_range *range, struct text *out);

/* Place of the issue "steps-unknown". */
#define STEPS_UNKNOWN "parts of --steps that are not a step of any run"

struct step_set;

struct step_options {
	enum warmup_mode warmup;
	size_t warmup_count;
	/* WARMUP_MODE_AUTO: all runs leave out the same number of steps: as many as the runs of
	 * `base` do, or without one the most that a run needs. The last step of a run stays. */
	bool alike;
	const struct step_set *base; /* made with `alike`; NULL: none */
	const struct kinds *kinds; /* of the cube, found together with others; NULL: of it alone */
	bool one_kind;		   /* all steps are of one kind */
	uint32_t kind;		   /* 0: all */
	const char *kind_name;	   /* the kind of this name instead; NULL: `kind` is it */
	struct step_range *range;
	size_t range_count; /* 0: all */
	/* Runs with the values of another one are left out; so are single runs without a steady
	 * state, with WARMUP_MODE_AUTO and where enough others remain. */
	bool leave_out_copies, leave_out_unsteady;
};

/* True if the step of this place in the cube, and of this place in its run, from 1, is among those
 * of --steps. */
bool step_options_choose(
	const struct step_options *opt, const struct cube *cube, size_t step, size_t position);

/* Why a step is kept or left out, in the order of the tests. */
enum step_fate { STEP_KEPT, STEP_OTHER_KIND, STEP_WARMUP, STEP_NOT_CHOSEN, STEP_OF_LEFT_OUT_RUN };

/* Why a run is left out of a comparison. */
enum run_fate {
	RUN_COPY,     /* it has the values of run `of`, step by step */
	RUN_UNSTEADY, /* it never becomes steady, and most others do */
};

struct left_out_run {
	enum run_fate why;
	uint32_t run, of; /* indexes in cube->run */
};

#define STEP_NOT_KEPT UINT32_MAX

/* The kept steps, run by run; runs that lost all their steps are gone. */
struct step_set {
	uint32_t *step; /* index in cube->step */
	size_t count;
	uint32_t *index_of; /* of each step of the cube: its index in step[], or STEP_NOT_KEPT */
	size_t *first;	    /* run_count + 1 offsets into step[] */
	uint32_t *run;	    /* index in cube->run */
	size_t run_count;
	struct kinds kinds;
	uint32_t kind; /* the one that was chosen; 0: all */
	struct warmup *
		warmup; /* evidence for each kept run, over its steps before --warmup took effect */
	bool is_alike;	/* made with step_options.alike and WARMUP_MODE_AUTO */
	size_t warmup_most; /* with step_options.alike: what all runs leave out, but for short ones
			     */
	size_t *skipped;    /* of each kept run: steps left out at its start */
	/* Time of each kept run: that of the kept steps that its warm-up still needs, above the
	 * median of its second half; ps, 0 for none. */
	double *warmup_kept_ps;
	/* Grid of the recorded times (stats/rounding.h): what the source could resolve; 0: unknown.
	 */
	double time_resolution_ps;
	struct grid grid;
	size_t dropped_warmup, dropped_kind, dropped_choice; /* steps left out, by reason */
	enum step_fate *fate;				     /* of each step of the cube */
	struct left_out_run *left_out;
	size_t left_out_count;
	/* Parts of --steps that no run has a step for, as typed ("999,@40"); NULL: none. */
	const char *missing;
	size_t missing_count;
};

/* Sum over all ops of a measure in each step of the cube (absent counts 0), and whether all of it
 * was known. */
void steps_totals(const struct cube *cube, enum measure_id id, double *total, bool *known);

/* The series that warm-up and drift are decided by. The step time where it decides
 * (model/step_series.h), else sums of the time over the ops that are present in every one of these
 * steps of their run, so that what comes and goes does not look like warm-up or drift:
 * step[first[r]] .. step[first[r + 1] - 1] are the steps of run run[r] of the cube (NULL: run r).
 * Added to total, one per entry of `step`. */
void steps_steady_totals(const struct cube *cube, const uint32_t *step, const uint32_t *run,
	const size_t *first, size_t runs, double *total);

/* How many steps at the start of kept run r the warm-up takes; of a run without steady state one
 * more than half of its steps. */
size_t steps_warmup_needed(const struct step_set *steps, size_t r);

/* ERROR_INPUT when nothing is left, with what there is. */
int steps_select(const struct cube *cube, const struct step_options *opt, struct arena *arena,
	struct step_set *out, struct error *err);

#endif
