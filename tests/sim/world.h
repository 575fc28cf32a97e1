/* Simulated recordings for comparisons through the command line: what a world is, how a recording
 * of it is drawn and written as an .obs file, and what the program says about it. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <gsl/gsl_rng.h>

enum { WORLD_OPS_MAX = 300, WORLD_RUNS_MAX = 128, WORLD_STEPS_MAX = 64 };
enum side { BASE, NEW, SIDES };

/* What is counted; see the head of worlds.c. */
enum judge { BY_VERDICTS, BY_SEES, BY_PLAN, BY_WITHIN, BY_INTERVAL, BY_JITTER, BY_SAME };

/* What is simulated. Times are lognormal. A 0 takes the usual value where one is named, and leaves
 * out the effect elsewhere. CVs, sds and changes are fractions of the time. */
struct world {
	const char *section, *name;
	enum judge judge;
	const char *options;		/* of the program */
	size_t runs[SIDES], ops, steps; /* usual: 100 ops, 30 steps */
	double cv[SIDES];		/* of an op between runs; usual 1.5 %, new as base */
	double spread;			/* sd over the ops of the log of that CV; usual 0.3 */
	double prior_df; /* the CV is instead that of a scaled inverse chi-squared variance */
	double step_cv, step_cv_most; /* of an op: between these two; usual 5 % */
	double lag;		      /* correlation of neighbouring steps, AR(1) */
	double us_least, us_most;     /* times of the ops, even in the log; usual 100 to 2000 */
	double grid_us;		      /* times are recorded in multiples of it; usual 1 ps */
	double shared;		      /* sd of what all ops of a run have in common */
	double round;		      /* sd of what run j of base and run j of new have in common */
	/* Runs recorded base, new, base, new: by how much the last is slower than the first,
	 * evenly; sd of the steps of a random walk. */
	double trend, walk;
	double group, group_sd; /* share of the ops that move together in a run, by how much */
	bool hidden;	   /* nothing says which: they have the type and device of the others */
	double noisy;	   /* share of the ops whose run CV is 6 times as large */
	double two_speeds; /* share of the ops that are 8 % slower in a run or not, by chance */
	double rare;	   /* share of the ops with 2 executions a run, whole us below 10 */
	double changed, change; /* share of the ops that change, and by how much */
	bool missing;		/* ops that change are absent from the first base run */
	bool unsteady;		/* most of the first base run falls from twice the time */
};

struct world_op {
	double us, cv[SIDES], step_cv, change;
	bool grouped, named, noisy, two_speeds, rare, missing;
};

/* One side. Times in ps, op after op, each run after run and step after step; -1: the op did not
 * run in that step. */
struct recording {
	size_t ops, runs, steps;
	int64_t *ps;
};

/* A world with the usual values filled in. */
struct world world_usual(const struct world *w);
/* The ops of one comparison; `changed`: with those that change. */
void world_draw_ops(gsl_rng *rng, const struct world *w, bool changed, struct world_op *op);
/* Draws recordings of both sides and writes FOLDER/base.obs and FOLDER/new.obs. */
void world_record(
	gsl_rng *rng, const struct world *w, const struct world_op *op, const char *folder);
/* Writes a recording as an .obs file; ends the program when it cannot. */
void world_write(const char *path, const struct recording *r, const struct world_op *op);
/* Expected time of a step, which the mean of a series estimates. */
double world_mean_us(const struct world_op *op);

enum said {
	SAID_NOTHING,
	SAID_REGRESSED,
	SAID_IMPROVED,
	SAID_SLOWER,
	SAID_FASTER,
	SAID_SAME,
	SAID_INCONCLUSIVE
};

/* What the program says of an op; NaN: an empty cell. Percent as printed. */
struct world_answer {
	enum said said;
	double q, change_pct, low_pct, high_pct, sees_pct;
};

struct world_program {
	const char *path, *folder;
	size_t failures; /* calls that did not end with status 0 */
};

/* Runs `compare` on the recordings of the folder. Returns false when it failed. */
bool world_compare(
	struct world_program *program, const struct world *w, struct world_answer *answer);
/* "a change of 1 % in the median op needs 9 runs a side", under the table; runs 0: no such note. */
struct world_plan {
	double change_pct;
	size_t runs;
};
struct world_plan world_plan(struct world_program *program, const struct world *w);
/* Intervals of the means that `report` shows of base.obs, in us; NaN: none is shown. */
bool world_intervals(
	struct world_program *program, const struct world *w, double *low, double *high);
/* Whether the sentences above the table of `report` name an op. */
bool world_names_op(struct world_program *program, const struct world *w, bool *names);

extern const struct world worlds[];
extern const size_t worlds_count;

/* What the judges share; each prints one line of its table. */
struct job {
	struct world_program program;
	gsl_rng *rng;
	size_t comparisons;
	const volatile sig_atomic_t *stopped; /* the user has pressed Ctrl-C */
};

void print_verdicts(struct job *job, const struct world *w);
void print_sees(struct job *job, const struct world *w);
void print_plan(struct job *job, const struct world *w);
void print_within(struct job *job, const struct world *w);
void print_intervals(struct job *job, const struct world *w);
void print_jitter(struct job *job, const struct world *w);
void print_same(struct job *job, const struct world *w);
