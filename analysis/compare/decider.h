/*
 * What the stages of a decision share: rows are prepared (row_evidence.c), tested (test_rows.c,
 * row_rounding.c), adjusted for their number (row_families.c) and given their verdicts
 * (verdicts.c). Internal to analysis/compare/.
 */
#ifndef STEPSTAT_ANALYSIS_COMPARE_DECIDER_H
#define STEPSTAT_ANALYSIS_COMPARE_DECIDER_H

#include "analysis/compare/row_test.h"
#include "analysis/compare/verdicts.h"

/* Which p values are adjusted together; watch-lists follow. */
enum family { FAMILY_NONE, FAMILY_COMMON, FAMILY_LINEAR, FAMILY_FLOOR, FAMILY_GIVEN, FAMILY_WATCH };

/* The largest p with which a claim is still made; the same for all rows of a family that make it,
 * and for all that do not. */
struct limit {
	size_t family;
	double alpha;
	enum verdict claim;
	bool made;
	double p;
};

struct decider {
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
int decider_prepare_row(struct decider *d, const struct decide_row *row, struct error *err);

/* In every run, and in 5 steps or all of each: a regular part of the program. */
bool decider_is_regular(const struct run_row *row);

/* Ops on one side only: the p of their presence, adjusted for their number, and their verdicts. */
void decider_decide_presence(struct decider *d);
/* Fills the matrix of logarithms; --normalize takes the runs' median deviations off it. */
void decider_fill_logs(struct decider *d);
/* The logarithms of row i, one a run, base first; NaN: not tested on logarithms. */
double *decider_logs(const struct decider *d, size_t i);
/* They again, as two samples in d->sample; with METHOD_PAIRED one sample, the differences by round
 * as d->sample.base. */
void decider_read_sample(struct decider *d, size_t i);
/* What the moderated methods test: the logarithms, or the differences by round. The row of `op`. */
struct moderated_data decider_tested(const struct decider *d);
double *decider_tested_row(const struct decider *d, size_t i);
/* Is the method moderated? Paired, only where the family is large enough for a prior; asked after
 * the test. */
bool decider_is_moderated(const struct decider *d);
/* Tests every row by the method that is asked for: diff, se, p; no q. */
void decider_test(struct decider *d);

/* Adds the variance that the resolution of the times leaves, where it is known. */
void decider_add_rounding(struct decider *d);
/* A known variance beside an estimated one, se^2 > 0: by Satterthwaite (1946) only the share of the
 * other in df counts. */
void decider_add_known(double variance, double *se, double *df);
/* After the verdict: of ranks, takes back what rounding alone could make. `limited`: most of the
 * variance is rounding, and the verdict is none or of the direction only. */
void decider_limit_verdict(struct compared *v);

/* Adjusts the p values of each family for their number: q, flagged, and the levels of intervals. */
void decider_adjust(struct decider *d);
/* p values of a family (FAMILY_COMMON, or a watch-list), with the differences, become their q. */
void decider_adjust_p(
	const struct decider *d, size_t family, double *p, const double *diff, size_t n);
/* Counts the claims of other splits of the runs; withholds verdicts where these are many. Takes
 * what is claimed off the logarithms, so it comes last. */
void decider_relabel(struct decider *d);
/* The largest p that the adjustment of row i lets pass for this claim, with as many such claims as
 * there are, and with one more where the row does not make it. REGRESSED, IMPROVED: one-sided p of
 * the minimum-effect test; SLOWER, FASTER: two-sided p. */
double decider_limit(struct decider *d, size_t i, enum verdict claim);
/* The changes that would be found REGRESSED, and SLOWER, with power 0.8 at these limits:
 * `detectable` and `detectable_slower` of the rows. */
void decider_detect(struct decider *d);

#endif
