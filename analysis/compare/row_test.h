/* The test of one row by one method: difference, p values, interval. After it the state that the
 * stages of a decision share: rows are prepared (row_evidence.c), tested (test_rows.c,
 * row_errors.c), adjusted for their number (row_families.c) and given their verdicts (verdicts.c).
 * Internal to analysis/compare/. */
#pragma once

#include "analysis/compare/comparison.h"
#include "stats/ranks.h"
#include "analysis/compare/verdicts.h"

/* The run values of both sides as arrays, on the scale of the test; unknown ones are left out. */
struct row_test_sample {
	double *base, *new;
	size_t base_n, new_n;
	size_t *base_run, *new_run; /* which run of the side each is */
};

/* `linear`: the values themselves instead of their logarithms. Room: the runs of each side. */
void row_test_read(const struct compared *value, bool linear, struct row_test_sample *out);

/* Fills diff, se, df, t, p, p_above, p_below and p_same of what follows a t distribution; `linear`:
 * differences are values, not logarithms. */
void row_test_conclude(struct compared *value, double diff, double se, double df, bool linear);
/* Raises the p values of a concluded row for the chance `hidden_outlier` that its standard error is
 * `se` (stats/moderated/moderated.h). */
void row_test_allow_hidden_outlier(struct compared *value, double hidden_outlier, double se);
/* The test by ranks: p values exact, the shift of Hodges and Lehmann. */
void row_test_ranks(
	struct compared *value, struct rank_tables *tables, const struct row_test_sample *x);
/* The test by t. */
void row_test_welch(struct compared *value, const struct row_test_sample *x);
/* Welch on the values themselves, of which some are 0; p is not below the smaller one of the exact
 * p of ranks and of Welch's without the zeros. */
void row_test_linear(
	struct compared *value, struct rank_tables *tables, const struct row_test_sample *x);

/* The interval of the change at value->level. tables: for ranks, else NULL. Where a run value is 0
 * it is NaN if it would reach -100 % or base is 0, infinite if base is not clearly above 0. */
void row_test_interval(
	struct compared *value, struct rank_tables *tables, const struct row_test_sample *x);

/* A margin as a logarithm. */
double row_test_log_margin(const struct compared *value);
/* The margins on the scale of the test, below and above: logarithms, or base units (linear), where
 * they are 1/(1+m) and 1+m of base too; of a base of 0 the same both ways. */
void row_test_margins(const struct compared *value, bool linear, double *low, double *high);

/* Which p values are adjusted together; watch-lists follow. */
enum family { FAMILY_NONE, FAMILY_COMMON, FAMILY_LINEAR, FAMILY_FLOOR, FAMILY_GIVEN, FAMILY_WATCH };

/* The largest p with which a claim is still made. All rows of a family that make the claim share
 * one, and all that do not share another. */
struct limit {
	size_t family;
	double alpha;
	enum verdict claim;
	bool made;
	double p;
};

struct rows_tester {
	struct arena *scratch;
	const struct decide_row *row;
	size_t count;
	const struct compare_options *opt;
	struct compared_measure *measure;
	size_t runs_base, runs; /* of both sides */
	double *matrix;		/* [count][runs]: logarithms of the run values */
	double *difference;	/* [count][runs_base]: new - base by round; METHOD_PAIRED only */
	size_t *family;		/* of each row: enum family, or FAMILY_WATCH + index of the list */
	const void **watch;	/* the lists */
	size_t watches;
	struct limit *limit; /* those that were found */
	size_t limits, limit_room;
	struct rank_tables tables;
	struct row_test_sample sample;
	struct moderated_options asked; /* moderated methods: as tested */
};

/* Means, margins, the kind of evidence, and the verdicts of rows that need no test. -1 with err set
 * when the rule of the row cannot be found. */
int tester_prepare_row(struct rows_tester *d, const struct decide_row *row, struct error *err);

/* Leaves runs that lie far off out of what is tested. -1 as above. */
int tester_fence(struct rows_tester *d, struct error *err);
/* Variance of a run value that the print resolution alone makes: q^2/12 over the squared mean. */
double tester_floor(const struct rows_tester *d, const struct compared *v);

/* True if the row is a regular part of the program: present in every run, in at least 5 of its
 * steps or in all? */
bool tester_is_regular(const struct run_row *row);

/* Ops on one side only: the p of their presence, adjusted for their number, and their verdicts. */
void tester_decide_presence(struct rows_tester *d);
/* Fills what is tested: the matrix of logarithms, and the differences by round. */
void tester_fill_logs(struct rows_tester *d);
/* The logarithms of row i, one a run, base first; NaN: not tested on logarithms. */
double *tester_logs(const struct rows_tester *d, size_t i);
/* Copies the logarithms of row i into d->sample, as two samples. With METHOD_PAIRED there is one,
 * d->sample.base: the differences by round. */
void tester_read_sample(struct rows_tester *d, size_t i);
/* The data that the moderated methods test: the logarithms, or the differences by round. */
struct moderated_data tester_tested(const struct rows_tester *d);
/* The part of it that is of row i. */
double *tester_tested_row(const struct rows_tester *d, size_t i);
/* True if the method is moderated. METHOD_PAIRED is where the family is large enough for a prior.
 * Known only after tester_test. */
bool tester_is_moderated(const struct rows_tester *d);
/* Tests every row by the method of the options. Sets diff, se and p, not q. */
void tester_test(struct rows_tester *d);

/* compare_options.normalize: takes what all ops of a run have in common off what is tested. */
void tester_take_effects(struct rows_tester *d);
/* And what most ops agree in off the runs of new. */
void tester_take_common(struct rows_tester *d);
/* And adds the error of that to se^2, after the test. */
void tester_add_common(struct rows_tester *d);
/* Called after the verdicts: where more than a third of the ops lie apart from the others, none
 * is known to have changed. */
void tester_withhold_groups(struct rows_tester *d);

/* Raises se^2 of ops that run in some steps by chance to what the draw of the steps leaves, if the
 * runs showed less. */
void tester_add_presence(struct rows_tester *d);
/* Adds the variance that the resolution of the times leaves, where it is known. */
void tester_add_rounding(struct rows_tester *d);
/* Adds a known variance to an estimated one, se^2 > 0. By Satterthwaite (1946) only the estimated
 * part counts in df. */
void tester_add_known(double variance, double *se, double *df);
/* Called after the verdict. Reduces a verdict by ranks to what rounding alone could not make.
 * `limited` is set where rounding is the reason that the verdict is only INCONCLUSIVE, SLOWER or
 * FASTER. */
void tester_limit_verdict(struct compared *v);

/* Adjusts the p values of each family for their number: q, flagged, and the levels of intervals. */
void tester_adjust(struct rows_tester *d);
/* Counts the claims that other splits of the runs would make, and withholds verdicts where they are
 * many. It changes the matrix of logarithms, so it is called last. */
void tester_relabel(struct rows_tester *d);
/* The largest p that the adjustment of row i lets pass for this claim, with as many such claims as
 * there are, and with one more where the row does not make it. REGRESSED, IMPROVED: one-sided p of
 * the minimum-effect test; SLOWER, FASTER: two-sided p. */
double tester_limit(struct rows_tester *d, size_t i, enum verdict claim);
/* Sets `detectable` and `detectable_slower` of the rows: the changes that are found REGRESSED, and
 * SLOWER, with power 0.8 at these limits. */
void tester_detect(struct rows_tester *d);

/* ---- one alpha for all families: rows on logarithms, with a run of 0, without a spread, ops on
 * one side, how often ops ran, the step. Each alone holds alpha. ---- */

/* Factors of the q of each family; 1, or 0 as well: by nothing. */
struct alpha_shares {
	double test, linear, floor, presence, number, step;
};

/* The options for a family that is decided by itself, all of it multiplied by `factor`. */
struct compare_options alpha_share_alone(
	const struct compare_options *opt, double factor, struct alpha_shares *room);

/* From a first decision: after Hochberg (1988) over the smallest q of each family. False: nothing
 * is multiplied. */
bool alpha_shares_find(const struct comparison *comparison, const struct compare_options *opt,
	struct alpha_shares *out);
