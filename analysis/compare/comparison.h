/* Two configurations against each other: what each row is worth on both sides, how far that is from
 * chance, and the verdict. The run is the unit of replication. It knows no words and no tables;
 * what a gate makes of the verdicts is analysis/gate/findings.h. */
#pragma once

#include "analysis/compare/pairing.h"
#include "analysis/run_values.h"
#include "stats/moderated/moderated.h"
#include "stats/multiple.h"

enum compare_method {
	METHOD_MODERATED, /* the default: moderated t, the shared run effect told apart */
	METHOD_LIMMA,	  /* plain moderated t */
	METHOD_WELCH,
	METHOD_RANKSUM,
	/* moderated t of the differences by round, see compare_options.round; with fewer than
	   MODERATED_SPLIT_OPS ops the plain paired t */
	METHOD_PAIRED,
};

/* As users write them, in the order of the enum, then NULL. */
extern const char *const compare_method_words[];

/* In the order in which they are tried. For bytes and counts SLOWER and FASTER are called MORE and
 * LESS. */
enum verdict {
	VERDICT_NONE, /* no test was possible: `reason` says why */
	VERDICT_NEW,
	VERDICT_GONE,
	VERDICT_LOST, /* a benchmark of base that no run of new has measured */
	/* on one side only, in so few runs that chance may have put them there */
	VERDICT_RARE,
	/* q < alpha, and beyond the margin by the minimum-effect test, adjusted */
	VERDICT_REGRESSED,
	VERDICT_IMPROVED,
	VERDICT_SAME, /* within the margin: two one-sided tests, each at alpha, and the interval */
	VERDICT_SLOWER, /* q < alpha, but the size may be within the margin */
	VERDICT_FASTER,
	VERDICT_INCONCLUSIVE,
	VERDICT_COUNT
};

/* So many runs of a side are the noise of a single one on the other. */
#define COMPARE_NOISE_RUNS 4

/* The evidence of a verdict. */
enum evidence {
	EVIDENCE_NONE,
	EVIDENCE_EXACT,	 /* constant on both sides: decided without a test */
	EVIDENCE_TEST,	 /* on the logarithms of the run values; a member of the family */
	EVIDENCE_FLOOR,	 /* no spread but that of the print resolution */
	EVIDENCE_LINEAR, /* a run value is 0: Welch on the run values themselves */
	/* One run on a side, run-to-run spread by --run-cv, --noise or COMPARE_NOISE_RUNS of the
	 * other side. */
	EVIDENCE_GIVEN,
	EVIDENCE_ONE_RUN, /* one run on a side: the interval is about these runs only, or
			     has the spread of the other side's runs */
};

/* Run-to-run spread by op name, from runs of one configuration: analysis/compare/noise.h. */
struct noise;

/* The rule that decides about a row; of a gate's policy, or of the command line. */
struct compare_rule {
	/* A change counts when it is beyond all that are given (not NaN). */
	double margin_relative; /* fraction */
	double margin_absolute; /* base units */
	double margin_share;	/* fraction of the step's total of base */
	double alpha;
	size_t min_runs;   /* fewer a side: no verdict */
	bool alone;	   /* never among the small ones: somebody asked for it by name */
	const void *watch; /* rows with the same one are a family of their own, adjusted by Holm;
			      NULL: the common family */
};

/* Sessions of the kept runs, where these and not the runs are the unit (stats/levels.h). */
struct compare_sessions {
	const uint32_t *base, *new;
	size_t base_runs, new_runs, base_count, new_count;
};

/* A base with fewer sessions says too little of how sessions differ. */
#define COMPARE_SESSIONS_LEAST 3
/* With which the smallest change that is stated is found. */
#define COMPARE_POWER 0.8

struct compare_options {
	/* Files with the steps of base, of new, where these are more than its runs and no ranks;
	 * else 0. */
	size_t files_base, files_new;
	size_t assumed_base, assumed_new; /* processes that are ranks only by their times */
	enum compare_method method;
	enum multiple_method adjust; /* of the common family */
	struct compare_rule rule;    /* where `rule_of` is NULL */
	/* Margins of the rule in measures of time and of bytes, as its margin_absolute; NaN:
	 * none. */
	double margin_ps, margin_bytes;
	/* The rule of a row; NULL with err set on failure. */
	const struct compare_rule *(*rule_of)(
		void *context, const char *name, enum measure_id id, struct error *err);
	void *rule_context;
	double confidence;
	/* Fraction: rows below it on both sides are tested as one. Unless it is fixed it is lowered
	 * until the rows that are tested by themselves make half of the measure. */
	double min_share;
	bool min_share_fixed;
	/* Test each op against what all have in common (struct common_change). */
	bool normalize;
	double run_cv;		   /* known run-to-run CV, for one run a side; NaN: none */
	const struct noise *noise; /* the same by op; NULL: none */
	const struct compare_sessions *sessions; /* NULL: the run is the unit */
	const struct alpha_shares *shares;	 /* found by a first decision; else NULL */
	struct run_value_options value;
	const size_t *round; /* METHOD_PAIRED: run round[i] of new belongs to run i of base */
	bool in_turns;	     /* METHOD_PAIRED because the runs were recorded so, not by choice */
	bool turns_unused;   /* they were; rounds are too few for so few rows, or begin alike */
	bool benchmarks;     /* as in struct comparison */
	bool unsteady;	     /* a run without steady state: no verdict on what is noisy */
	/* In what the sides differ although they are to be alike, a sentence each: the user allowed
	 * it. */
	const char *const *mixed;
	size_t mixed_count;
	bool other_profiler;   /* one of these: the sides come from different profilers */
	const char *map_path;  /* file that says which names of the sides are the same, or NULL */
	const char **dead_map; /* "FILE:LINE: RULE" of its rules that match nothing */
	size_t dead_map_count;
};

/* Runs of a row that lie far from the others of their side: the test and the means of the row are
 * of those. Without any, all is 0. */
struct far_off {
	size_t base, new; /* how many */
	const bool *run;  /* each run of base, then of new */
};

struct row_split;
struct alpha_shares;

/* One measure of one row. Values per step in base units; changes as fractions; tests on logarithms
 * (EVIDENCE_LINEAR: base units). NaN: not known or not defined. */
struct compared {
	const struct run_row *base, *new; /* NULL: the side has no such row */
	double base_mean, new_mean;
	double difference; /* new_mean - base_mean, a missing side as 0: adds up to the total */
	double change;	   /* as shown: new_mean/base_mean - 1, or exp(diff) - 1 where the test is
			      about something else (ranks, other run values, --normalize) */
	double low, high;  /* its interval, at `level` */
	double level;	   /* confidence of the interval: FCR-adjusted when flagged */
	enum evidence evidence;
	const char *reason; /* why there is no test, or none that counts; NULL when there is */
	struct far_off far_off;
	double diff, se, df, t; /* t and se: NaN for ranks */
	/* Results of the method alone, before errors are added that the runs do not show. */
	double own_se, own_df;
	double p, q; /* two-sided; where moderated, with BH, q is that of its direction */
	double p_above, q_above, p_below, q_below; /* beyond the margin, by direction */
	double p_same;				   /* within it: the larger one of two */
	double margin;	     /* in force, as a fraction; INFINITY when absolute and base is 0 */
	double margin_units; /* the same in base units */
	double alpha;
	const void *watch; /* as in the rule */
	/* Presence of an op on one side only: Fisher's test of the runs that have it; q is adjusted
	 * for the number of such ops. */
	double p_presence, q_presence;
	/* Smallest changes that are found REGRESSED, and SLOWER, with power 0.8, as fractions, at
	 * the level that the adjustment for the number of rows implies with one claim more; beside
	 * INCONCLUSIVE never below the change itself. */
	double detectable, detectable_slower;
	/* se^2 of an op that runs in some steps by chance, where the runs showed less; else 0. */
	double presence_variance;
	double rounding_variance; /* part of se^2 that the resolution of the times makes; 0: none,
				     not known, or ranks, which have no se */
	double rounding_shift;	  /* of ranks: by how much diff may be off for it; else 0 */
	bool limited;		  /* that resolution keeps the verdict from being more */
	bool flagged;		  /* q < alpha */
	/* The change of the means is outside of the interval: `change` is that of the test. */
	bool of_centres;
	bool unsteady; /* INCONCLUSIVE because a run has no steady state */
	bool withheld; /* flagged, but the runs differ as much among themselves: INCONCLUSIVE */
	bool rare;     /* no spread, but in so few steps that this shows little: EVIDENCE_FLOOR with
			  more than the resolution */
	bool is_benchmark;	 /* of the first measure of one */
	bool small;		 /* tested within the merged row */
	struct row_split *split; /* how often it ran, and how long each time; NULL: always alike */
	bool per_call;		 /* change, interval, q and verdict are of one time that it ran */
	bool moved;		 /* one of those of comparison.moved, which cancel */
	bool by_direction;	 /* q is that of multiple_adjust_directions */
	bool in_family; /* its p is adjusted with the others of its watch-list, or with all */
	bool fragile_run, fragile_step; /* the verdict hangs on one run, on one step */
	size_t fragile_run_index;	/* of base when fragile_run_of_base, else of new */
	bool fragile_run_of_base;
	uint32_t fragile_step_index; /* in cube->step of that side */
	bool fragile_step_of_base;
	struct moderated_op detail; /* moderated methods only */
	enum verdict verdict;
};

struct compared_row {
	const char *name; /* of new where there is one */
	const char *was;  /* name in base where that differs; else NULL */
	const char *type, *device;
	const struct group *base, *new; /* NULL: the side has none */
	enum pairing_how how;
	double executions_base, executions_new; /* per step; NaN: not known */
	/* The first measure against the other ops, where that was asked by itself; else NULL. */
	const struct compared *against;
	bool ran_changed; /* ran in another share of the steps, or another number of executions */
	struct compared *value; /* per measure */
};

/* Claims of the rule of the comparison where its runs are divided otherwise; the rows tested on
 * logarithms, moderated methods with 3 runs a side or more. Paired: some rounds have their sides
 * exchanged. */
struct relabelling {
	size_t splits;	 /* other splits that were tried; 0: none */
	size_t observed; /* rows flagged as the runs are */
	double claims;	 /* mean over the splits; NaN without any */
	size_t withheld; /* flagged rows that get no verdict: the splits make as strong claims */
};

/* compare_options.normalize: what most tested ops agree in, on logarithms, with its variance, and
 * the ops that lie apart from it. */
struct common_change {
	double change, variance;
	double raised; /* se^2 of each by this factor: the median of n ops follows each */
	size_t ops, above, below; /* tested; of them apart */
	/* More than a third lie apart: nothing tells which of them changed. Then how far, on
	 * average, with its interval, as fractions. */
	bool groups;
	double apart, apart_low, apart_high;
};

struct compared_measure {
	enum measure_id id;
	struct run_table base, new;
	/* Keeps what is found of its rows; NULL: no run is left out for lying far off. */
	struct arena *arena;
	bool verdicts_alone; /* `detectable` of its rows is not asked for */
	/* Runs of base, then of new, that are far off in a third of the rows and left out of all;
	 * NULL: none.
	 */
	const bool *whole;
	struct compared total; /* of all ops; tested by Welch, or by round */
	struct compared small; /* the merged row; its base is NULL when there is none */
	size_t small_count;
	size_t family;				  /* rows tested in the common family */
	size_t flagged;				  /* of them */
	double flag_level_least, flag_level_most; /* confidence of their intervals; NaN: none */
	double smallest_p;	    /* METHOD_RANKSUM: no p below is possible; else NaN */
	struct moderated moderated; /* moderated methods only */
	struct common_change common;
	struct relabelling relabelling;
	double median_diff;			   /* of the tested rows, log scale */
	size_t above, below;			   /* tested rows with diff above and below 0 */
	double sign_p;				   /* of that split; NaN without any */
	double geomean, geomean_low, geomean_high; /* ratio of the typical op */
	size_t geomean_count; /* rows in it; the others are not on both sides or 0 */
	double limit_p;	  /* two-sided p that one more row would need to be SLOWER or FASTER; NaN:
			     none tested */
	double geomean_p; /* of the typical op, by Welch's test */
	/* Medians over the rows tested on logarithms but the merged one: the sd of a run value, and
	 * the part of se^2 that the resolution of the times makes and no number of runs takes away.
	 */
	double sd_run, rounding_variance;
	/* The same sd of the rows that are INCONCLUSIVE, how many these are, the degrees of freedom
	 * with which all of them know it, and the first of them. */
	double open_sd_run, open_df;
	size_t open_count;
	const struct compared *open_first;
	bool limited; /* so it is with most of them: the resolution keeps the verdict from being
			 more */
	double resolution;		/* grid of recorded times, base units; 0: unknown */
	size_t verdicts[VERDICT_COUNT]; /* rows, without the merged one; small ones do not count */
};

enum run_order_kind {
	/* Not known: a run has no time of day, or a side has fewer than 2 runs. */
	RUN_ORDER_UNKNOWN,
	RUN_ORDER_MIXED, /* known, and none of the others */
	/* One run after the other, and each two that follow are one of base and one of new: b n b
	 * n, n b b n, ... */
	RUN_ORDER_ROUNDS,
	RUN_ORDER_BASE_FIRST, /* all of base ended before new began */
	RUN_ORDER_NEW_FIRST,
};

struct run_order {
	enum run_order_kind kind;
	/* RUN_ORDER_ROUNDS: run round[i] of new belongs to run i of base; else NULL. */
	const size_t *round;
	size_t rounds;
	bool base_leads; /* base is the first in every round */
	bool new_leads;
	/* RUN_ORDER_BASE_FIRST and RUN_ORDER_NEW_FIRST: between the end of the earlier side and the
	 * start of the later one. */
	int64_t gap_ns;
};

struct warmup_change {
	size_t left_out;    /* steps of every run */
	size_t runs;	    /* of new that need more; 0: none, or the sides are not cleaned alike */
	size_t least, most; /* steps that these need */
	bool typical;	    /* they are more than half of the runs of new */
	/* P of the claim that runs of new need more than those of base, one-sided: the exact
	 * rank-sum test on the needed steps. NaN: not known. */
	double p;
	double time_ps;	 /* what the further steps add to a kept step of new, mean of its runs */
	double fraction; /* of the other steps */
};

/* How the step times of the sides relate. */
enum step_times_use {
	STEP_TIMES_NONE,   /* a side has none, or the sides have different kinds */
	STEP_TIMES_BESIDE, /* both have the same kind, but the step is judged by its op time */
	STEP_TIMES_DECIDE, /* the step is judged by them */
};

#define COMPARED_SHARE_P 0.05 /* below it a kind comes more or less often than before */

/* A kind of step beside that of the rows, as a whole, with 5 steps or more in each run of a
 * side. */
/* Steps of a kind in each run: fewer say little of it by themselves. */
#define KIND_STEPS_LEAST 5

struct compared_kind {
	uint32_t number;	      /* of base, then those of new alone */
	const char *word;	      /* as --kind takes it: its name, else its number */
	size_t steps_base, steps_new; /* in the run that has the fewest */
	bool judged;		      /* both sides have enough */
	const char *reason;	      /* both have, and yet it is not judged; else NULL */
	struct compared value;	      /* of the first measure, where it is judged */
	/* Its part of the steps of a run, mean over the runs, and the p of their difference by the
	 * ranks of the runs, times the number of kinds. */
	double share_base, share_new, share_p;
};

/* A part of what a device did in a step (model/step_series.h). */
enum compared_part {
	/* These four are the window. */
	PART_COMPUTE,
	PART_COMMUNICATION, /* alone */
	PART_COPIES,	    /* alone */
	PART_IDLE,
	/* These four are idle. */
	PART_HOST_LATE,
	PART_WAITED,
	PART_GAPS,
	PART_NO_CAUSE, /* what is left of idle */
	PART_WINDOW,
	PART_HIDDEN, /* communication while a kernel computes: a part of compute */
	PARTS
};

/* Part of PART_HOST_LATE by what the host did, the outermost. */
struct compared_cause {
	const char *name;
	struct compared value;
};

struct compared_device {
	const char *base, *new; /* names; NULL: the side has no such device */
	/* Causes of either side; those whose larger mean is largest first. */
	struct compared_cause *cause;
	size_t cause_count;
	/* Means over the kept steps in which all parts of the window are known, whatever the run
	 * value of the ops is, so that they add up. */
	struct compared part[PARTS];
};

struct compared_devices {
	struct compared_device *device;
	size_t count;
	/* Beside them the host: time of its ops, all threads together, and the part of it that
	 * waits. Without values where a side does not know it. */
	struct compared host_ops, host_waiting;
};

enum odd_kind {
	ODD_NONE,
	ODD_APART,     /* one run lies apart from the others of its side */
	ODD_ROUND,     /* the difference of a round lies apart from those of the others */
	ODD_LACKS,     /* one run lacks ops that every other run of both sides has */
	ODD_EXCHANGED, /* a run of base and one of new look exchanged */
};

/* Runs that do not belong to their side, and what the first measure and the step would be without
 * them. */
struct odd_runs {
	enum odd_kind kind;
	size_t base, new; /* indexes of the runs; SIZE_MAX: none of that side */
	size_t lacks;	  /* ODD_LACKS: how many ops */
	/* ODD_APART: log ratio to the others of its side, of the step, or where there is
	 * none the mean over the rows; ODD_ROUND: of the ratio of new to base. */
	double shift;
	struct compared step; /* its base and new are NULL */
	size_t verdicts[VERDICT_COUNT];
};

/* Rows of the first measure whose changes cancel, or NEW ones in the place of GONE ones. */
struct moved_work {
	size_t up, down;     /* how many take more than before, and less; 0 and 0: none */
	double more, less;   /* by how much together, both above 0 */
	struct compared sum; /* of all of them */
	bool cancels;	     /* the sum is SAME */
};

/* Sides without marks of steps of which one recorded more work than the other, as the calls of its
 * ops say. */
struct unequal_work {
	size_t ops;	   /* whose calls changed alike; 0: the sides do not differ, or not known */
	size_t of;	   /* of so many whose calls are known */
	double calls;	   /* by how much, as a fraction */
	double same_calls; /* change of the time that as many calls of these ops take */
	bool of_ops;	   /* these are ops, whatever the rows are */
};

/* The second answer of the same runs, where most of what they differ by is common to all ops: the
 * first measure as compare_options.normalize tests it. */
struct against_others {
	bool asked;
	double share; /* of the variance of a run of the median op: what all have in common */
	struct common_change common;
	size_t verdicts[VERDICT_COUNT];
};

struct comparison {
	struct compared_row *row; /* decided first, then INCONCLUSIVE, then the rest; each by
				     |difference| of the first measure, then by name */
	size_t count;
	struct compared_measure *measure;
	size_t measure_count;
	/* Rows are benchmarks (model/cube.h): no total, no step, no small rows; what a side lacks
	 * in all runs is lost. */
	bool benchmarks;
	enum step_times_use step_times;
	enum step_time_kind step_time_kind; /* of base; where step_times is not NONE, of both */
	struct compared step_time;	 /* of the step; not where step_times is STEP_TIMES_NONE */
	struct compared_devices devices; /* where the first measure is the time */
	struct pairing pairing;
	size_t runs_base, runs_new;
	struct warmup_change warmup;
	struct run_order order;
	struct odd_runs odd;
	struct moved_work moved;
	struct unequal_work work;
	struct against_others against;
	struct compared_kind *kind;
	size_t kind_count;
	size_t kinds_beyond; /* further kinds with enough steps, too many to be judged */
	struct arena *arena;
	/* Runs of base and new whose times are all equal: the same file twice? */
	size_t duplicates, duplicate_base, duplicate_new; /* how many; the first such pair */
	/* Every run of new is such a one, or its files are those of base: there is nothing to
	 * compare. */
	bool new_is_base;
	double unmatched_base, unmatched_new; /* shares of the first measure in unpaired rows */
};

struct job_ranks;
struct summary;

struct compare_side {
	const char *label;
	struct run_side run;
	/* Time of the side by itself, and its ranks; NULL: that is not known, or not of several
	 * ranks. */
	const struct summary *summary;
	const struct job_ranks *ranks;
};

/* Sides, measures and methods of a comparison. */
struct comparison_input {
	struct compare_side base, new;
	const enum measure_id *measure;
	size_t measure_count;
	const struct pairing *pairing; /* of the groups of both sides */
	const struct compare_options *options;
	bool same_files;	   /* every file of new is a file of base */
	struct step_options steps; /* as those of both sides were chosen; base: not used */
	struct run_order order;
};

/* The row that stands for the step: its step time where that decides, else the total of the first
 * measure. */
const struct compared *compared_step(const struct comparison *comparison);

/* True if run `run` of that side is left out of the test of the row (struct far_off). */
bool compared_is_far_off(const struct compared *value, bool of_new, size_t run);

/* The grid of the values of the row: one that its steps show by themselves, else that of the
 * recorded times; 0: not known. */
double compared_grid(const struct compared *value, const struct compared_measure *measure);

/* The absolute margin of a measure where no rule_of says otherwise, base units; NaN: none. */
double compare_margin_absolute(const struct compare_options *opt, enum measure_id id);

/* All in the arena. Both sides must know all measures. Errors come from rule_of and from pairs. */
int comparison_make(const struct comparison_input *input, struct arena *arena,
	struct comparison *out, struct error *err);
/* Decides again after the run values of a row have changed; the order of the rows stays. */
int comparison_decide(
	struct comparison *comparison, const struct compare_options *opt, struct error *err);

/* True if a side has a value of the measure in some run. */
bool compared_has_value(const struct compared *value);

/* How many runs a comparison needs, judged by the runs that there are: the spread of the median op,
 * the prior, and the adjustment for the number of ops stay as they were found. So does what the
 * resolution of the times hides. */

/* With more it is not a plan. */
#define RUN_PLAN_MOST 100

/* Runs a side (2 or more) with which a change of the median op (a fraction) is found SLOWER in 80 %
 * of cases; 0: with more than RUN_PLAN_MOST, or not known. */
size_t run_plan_runs(
	const struct compared_measure *measure, enum compare_method method, double change);
/* A number of runs, and between which numbers 8 of 10 such plans would lie: the spread is known
 * from few runs itself. */
struct run_plan_range {
	size_t runs, least, most; /* 0: more than RUN_PLAN_MOST, or not known */
};

/* The same for the rows that are INCONCLUSIVE. */
struct run_plan_range run_plan_open(
	const struct compared_measure *measure, enum compare_method method, double change);
/* The change that `runs` runs a side find in 80 % of cases; NAN: not known. */
double run_plan_change(
	const struct compared_measure *measure, enum compare_method method, size_t runs);
