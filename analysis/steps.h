/* Which steps a report is about: kinds, warm-up and the user's choice, in this order. It counts
 * what is left out and changes no values. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
/* Warm-up among the kept steps of a run. */
struct warmup_kept {
	size_t steps;
	double above_ps; /* time of those that it needs above the median of the second half */
};

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
	struct warmup_kept *warmup_kept; /* of each kept run */
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

/* When two runs are one run recorded twice: a print of the times of a run, op by op and step by
 * step. It knows no sides and no files; what is done about such runs is up to its callers. */

/* The measured values by which two runs are compared. */
struct run_print {
	uint64_t hash; /* of ops, places of steps and times; a sum: in any order */
	size_t steps;
	size_t moves;	/* values that differ from those of the op in the step before */
	size_t telling; /* ops whose first value has many ticks of the clock */
	double telling_ps;
};

/* Ops of a run that are enough to tell it from the others, and to read the rest of a few. */
enum { RUN_PRINT_FIRST_OPS = 16 };

/* resolution_ps: grid of the times; 0: not known, then only values that move tell. */
struct run_print run_print_new(size_t steps, double resolution_ps);
/* A time of an op, a number that both runs give it, in step `at` of the run; CELL_ABSENT: not
 * known, which tells nothing. before: its time in the step before in which it ran, NULL in the
 * first. */
void run_print_add(
	struct run_print *print, uint32_t op, uint32_t at, int64_t ps, const int64_t *before);
/* The step times of a run where they decide (model/step_series.h): runs with equal ops are not the
 * same when their steps took other times. step[0 .. count): its steps in the cube. */
void run_print_add_step_times(
	struct run_print *print, const struct cube *cube, const uint32_t *step, size_t count);
/* The same times, be it by chance. */
bool run_print_equal(const struct run_print *a, const struct run_print *b);
/* True if these are so many equal times that chance does not make them: 3 that moved, or those of
 * 10 ops that have 100 ticks of the clock or more? Of one run, or added up over several. */
bool run_print_tells(size_t moves, size_t telling);

/* How much of the launches is lost in the steps that --steps chooses. It changes the losses of the
 * cube; it says nothing of what is in no step. */

/* Lost launches and graphs become those of the chosen steps, where each source knows them by step;
 * an issue of which nothing is left is information. What kinds and warm-up leave out still counts:
 * a step may be of another kind because its records are lost. Of several ranks, which share steps,
 * nothing is changed. */
void kept_losses_set(struct cube *cube, const struct step_options *chosen);
