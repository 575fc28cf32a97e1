/*
 * The moderated t test of many ops at once: each op's run-to-run variance borrows from the others',
 * and what moves all ops of a run together is separated. It adjusts no p value and gives no
 * verdict.
 *
 * Plain, this is limma's test (Smyth 2004): a = (d0 s2_prior + nu s2)/(d0 + nu), se^2 = a (1/n1 +
 * 1/n2), df = own_df = min(d0 + nu, sum of nu). With a shared part b = shared_s2 beside it, and
 * with runs of new whose variance is `ratio` times that of runs of base:
 *
 *	s2   = (squares of base + squares of new/ratio)/nu, b likewise
 *	se^2 = (a + b) (1/n1 + ratio/n2)
 *	w    = k s2_prior / (k s2_prior + b)	k = own_df/(own_df - 2), 2 for an own_df below 4
 *	f    = 4 + (own_df - 4)/w^2		own_df when that is 4 or less
 *	1/df = 1/f + (1 - w)^2/shared_df + v^2/2 + u^2/2
 *	v    = (ratio/n2/(1/n1 + ratio/n2) - (n2 - 1)/nu) times the error of the log of all ratios
 *	u    = (ratio/n2/(1/n1 + ratio/n2) - (squares of new/ratio)/(d0 s2_prior + nu s2)) times
 *	       that of the op's own
 *
 * In the part of v that is b, the error of the ratio of all ops counts in whole; in the part that
 * is a, only as far as the op has that ratio (stats/moderated/spread_ratio.h).
 *
 * For one op alone this is Welch's test (1938). Where the smaller side has too few runs for v and
 * u, se and df are those of the mean over the ratio (stats/moderated/spread_ratio.h).
 *
 * Prior and s2 together know the op's own variance as an inverse chi-squared with mean k a and
 * squared CV 2/(own_df - 4). With a known b added the squared CV falls by w^2, and f are the
 * degrees of freedom that have it (those of the t with the kurtosis of own t and shared normal part
 * as well, Patil 1965). The last line adds that b is an estimate, as Satterthwaite (1946) does. w
 * is made of the prior and not of a: chance that makes a small would raise df just there.
 *
 * With one side only (runs_base = 0) the values are differences new - base, one a round; their mean
 * is tested against 0: nu = n2 - 1, and 1/n1 is 0. What all ops of a round's difference share is
 * separated likewise.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* With fewer ops the median op says more of itself than of its run, and the split is not made. */
#define MODERATED_SPLIT_OPS 10
/* With fewer ops a prior that depends on the mean loses more than it gains. */
#define MODERATED_MEAN_OPS 50

/* Groups of ops have run effects of their own when the largest differs from that of all ops with a
 * P below this, times their number. */
#define MODERATED_GROUP_P 0.05
/* With fewer ops outliers are not told from the rest. */
#define MODERATED_ROBUST_OPS 30
/* Parts of the smallest and largest variances that do not make the robust prior; limma's. */
#define MODERATED_LOWER_TAIL 0.05
#define MODERATED_UPPER_TAIL 0.1
/* Standard errors that a cautious prior adds to the spread of the variances beyond chance. */
#define MODERATED_CAUTION 0.5
/* Standard errors that it adds besides, divided by the number of ops: with few of them the standard
 * error is an estimate itself. */
#define MODERATED_CAUTION_FEW 4.0
/* The step variances count where they explain so many times the residual variance (their F). */
#define MODERATED_STEPS_GAIN 6.6
/* The robust prior is taken where the log variances vary more than it expects, by so many standard
 * errors. */
#define MODERATED_OUTLIER_SE 3.0
/* With fewer ops than MODERATED_SPLIT_OPS, but more than one, P is raised by this part for the
 * error of the prior. */
#define MODERATED_FEW_OPS_P 0.1
/* With fewer ops a group that nobody names is not told from chance. */
#define MODERATED_HIDDEN_OPS 30
/* The own parts go along with what all ops share where the squares of their covariances are larger
 * than by chance, by so many standard errors. */
#define MODERATED_CROSS_SE 2.0
/* Standard errors above chance from which the mean squared correlation of residuals shows that ops
 * move together. */
#define MODERATED_CLUSTERING_SE 2.0

/* value[op * (runs_base + runs_new) + run], the runs of base first, on the scale of the test
 * (logs); NaN: the op has no value in that run. runs_base = 0: differences by round. */
struct moderated_data {
	const double *value;
	size_t ops, runs_base, runs_new;
};

struct moderated_options {
	double confidence; /* of the intervals, 0.95 */
	bool plain;	   /* limma's test: nothing shared between the ops of a run is looked for */
	/* The log of the prior is linear in the op's mean over all runs, when the family has
	 * MODERATED_MEAN_OPS or more and no covariates are given. What a comparison should ask for
	 * (doc/statistics-simulation.md). */
	bool by_mean;
	/* Mean that by_mean uses of each op, finite: values that are differences do not show it.
	 * NULL: the mean of the values. */
	const double *level;
	/* Variance of a run value by its steps (step variance / n), per op, as a further covariate:
	 * log(c + step_variance), c the typical rest of the run variance. Not known: NaN, and the
	 * mean of the others is used. With by_mean only. */
	const double *step_variance;
	/* Other covariates of an op: covariate[op * covariates + i], finite; the log of the prior
	 * is then linear in them. NULL: one prior for all. */
	const double *covariate;
	size_t covariates;
	bool robust; /* where there are outliers among the variances, they neither make the prior
			nor follow it */
	bool hidden_outliers; /* with robust: fills hidden_outlier and hidden_outlier_se */
	/* In a smaller family there is no prior: each op has its own variance alone. */
	size_t prior_least;
	/* d0 as low as its own error makes likely: with few ops or runs limma's claims too much. */
	bool cautious;
	bool ratio; /* the runs of the sides may differ in variance: stats/moderated/spread_ratio.h
		     */
	/* Ops that may share a run effect of their own (a device, a type): group[op] < ops; NULL:
	 * none. Groups of MODERATED_SPLIT_OPS or more are looked at. */
	const size_t *group;
	/* Variance of one run value by the resolution of the print alone (q^2/12 over the squared
	 * mean, on logs), per op; what an op without residual variance is tested with. NULL: it is
	 * not tested. */
	const double *floor;
};

enum moderated_state {
	MODERATED_FAMILY, /* tested, a member of the family whose p values are adjusted together */
	MODERATED_FLOOR,  /* residual variance 0: tested against the floor alone, outside of it */
	MODERATED_CONSTANT, /* residual variance 0 and no floor: difference only */
	/* fewer than 2 runs with a value on a side, or rounds: difference if there is any */
	MODERATED_FEW_RUNS,
};

struct moderated_op {
	enum moderated_state state;
	size_t runs_base, runs_new; /* with a value */
	double diff;		    /* mean of the new runs - mean of the base runs */
	double s2;		    /* residual variance of a run of base, its own part, df nu */
	double nu;		    /* runs_base + runs_new - 2; of differences, runs_new - 1 */
	/* Variance of a run of new over that of a run of base as used; errors of its logarithm that
	 * are the same for all ops, and its own; 0: taken as known. */
	double ratio, ratio_log_se, ratio_own_log_se;
	double s2_prior; /* what its prior expects of s2 */
	double df_prior; /* d0, less for an outlier; NaN: not in the prior */
	/* Variance that its runs share with other ops, with twice the covariance of its own part;
	 * 0: not split. */
	double shared_s2;
	double s2_posterior;
	double se, df;	  /* of diff: own and shared part together */
	double t, p;	  /* two-sided; p not adjusted */
	double low, high; /* interval of the difference */
	/* The probability that the op is one of the noisy ones although its variance looks usual,
	 * and the standard error that diff has then; 0: nothing to fear. p does not allow for it:
	 * moderated_allow_hidden_outlier() does. */
	double hidden_outlier, hidden_outlier_se;
};

struct moderated {
	size_t family;	  /* ops in it */
	bool rounds;	  /* the values were differences by round */
	size_t prior_ops; /* ops that the prior is made of; 0: none was made */
	bool by_mean;	  /* the prior depends on the mean */
	bool by_steps;	  /* and on the step variance */
	bool robust;	  /* there are outliers among the variances: winsorised fit */
	size_t outliers;  /* ops whose variance follows the prior less than the others' */
	double s2_prior;  /* one for all; NaN with by_mean, with covariates or without family */
	double df_prior;  /* d0; INFINITY when the variances differ no more than by chance */
	bool split;	  /* the shared part was told apart */
	size_t groups;	  /* that have run effects of their own, beside the one of all ops */
	double shared_s2; /* variance of a run's shared effect; 0 when not split */
	double shared_df;
	/* of the variance of a run's value, shared_s2 / (shared_s2 + mean s2) */
	double shared_share;
	/* Variance of a run of new over that of a run of base, as found, and the standard error of
	 * its logarithm, which allows for ops that move together (NaN: not estimated); the sd of
	 * the logarithms of the ops' own ratios. ratio: what the test used, 1 when not estimated.
	 */
	double ratio_found, ratio_log_se, ratio_own_sd, ratio;
	bool few_runs; /* so few on a side that the test is a mean over the ratio */
};

/* out[ops] and *summary are filled. */
void moderated_test(const struct moderated_data *data, const struct moderated_options *opt,
	struct moderated_op *out, struct moderated *summary);

/* p raised for the chance `hidden_outlier` that it is other_p; p where that is not larger, or not
 * known. */
double moderated_allow_hidden_outlier(double p, double hidden_outlier, double other_p);

/* Degrees of freedom of a typical op of such a family if it were recorded with `runs` runs a side.
 */
double moderated_planned_df(const struct moderated *summary, size_t runs);

/* The median over the family of (value in the run - mean of the op over the runs of that side), per
 * run, into effect[runs_base + runs_new]: a change between the sides is no run effect. NaN for a
 * run without values. */
void moderated_run_effects(const struct moderated_data *data, double *effect);
