/*
 * The moderated t test of many ops at once: each op's run-to-run variance borrows from the others',
 * and what moves all ops of a run together is told apart. It adjusts no p value and gives no
 * verdict.
 */
#ifndef STEPSTAT_STATS_MODERATED_H
#define STEPSTAT_STATS_MODERATED_H

#include <stdbool.h>
#include <stddef.h>

/* With fewer ops the median op says more of itself than of its run, and the split is not made. */
#define MODERATED_SPLIT_OPS 10

/* value[op * (runs_base + runs_new) + run], the runs of base first, on the scale of the test
 * (logs); NaN: the op has no value in that run. */
struct moderated_data {
	const double *value;
	size_t ops, runs_base, runs_new;
};

struct moderated_options {
	double confidence; /* of the intervals, 0.95 */
	bool plain;	   /* limma's test: nothing shared between the ops of a run is looked for */
	/* The prior may depend on what else is known of an op, above all on its mean log time, with
	 * 50 ops and more (doc/statistics-simulation.md): covariate[op * covariates + i], finite;
	 * the log of the prior is then linear in them. NULL: one prior for all. */
	const double *covariate;
	size_t covariates;
	/* Variance of one run value by the resolution of the print alone (q^2/12 over the squared
	 * mean, on logs), per op; what an op without residual variance is tested with. NULL: it is
	 * not tested. */
	const double *floor;
};

enum moderated_state {
	MODERATED_FAMILY, /* tested, a member of the family whose p values are adjusted together */
	MODERATED_FLOOR,  /* residual variance 0: tested against the floor alone, outside of it */
	MODERATED_CONSTANT, /* residual variance 0 and no floor: difference only */
	MODERATED_FEW_RUNS, /* fewer than 2 runs with a value on a side: difference if there is any
			     */
};

struct moderated_op {
	enum moderated_state state;
	size_t runs_base, runs_new; /* with a value */
	double diff;		    /* mean of the new runs - mean of the base runs */
	double s2;		    /* residual variance of a run, its own part, df nu */
	double nu;		    /* runs_base + runs_new - 2 */
	double s2_prior;	    /* what its prior expects of s2 */
	double s2_posterior;
	double se, df;	  /* of diff: own and shared part together */
	double t, p;	  /* two-sided; p not adjusted */
	double low, high; /* interval of the difference */
};

struct moderated {
	size_t family;	  /* ops in it */
	size_t prior_ops; /* ops that the prior is made of */
	double s2_prior;  /* one for all; NaN with covariates or without family */
	double df_prior;  /* d0; INFINITY when the variances differ no more than by chance */
	bool split;	  /* the shared part was told apart */
	double shared_s2; /* variance of a run's shared effect; 0 when not split */
	double shared_df;
	double shared_share; /* of the variance of a run's value, shared_s2 / (shared_s2 + mean s2)
			      */
};

/* out[ops] and *summary are filled. */
void moderated_test(const struct moderated_data *data, const struct moderated_options *opt,
	struct moderated_op *out, struct moderated *summary);

/* The median over the family of (value in the run - mean of the op), per run, into
 * effect[runs_base + runs_new]. sides: the mean is that of the run's own side, so that a change
 * between the sides is no run effect; else over all runs, which takes a change of all ops away as
 * well (--normalize). NaN for a run without values. */
void moderated_run_effects(const struct moderated_data *data, bool sides, double *effect);

#endif
