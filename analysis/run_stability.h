/* How the steps of each run behave: drift, a shift, two levels, single steps far out. Evidence for
 * warnings; it removes nothing, decides nothing, and compares no sides. */
#pragma once

#include "analysis/run_values.h"
#include "stats/drift.h"
#include "stats/modes.h"
#include "analysis/summary.h"

#define STEADINESS_OUTLIERS_KEPT 3
/* p of drift and shift, over all runs of the side together: of STEADINESS_FEW steps or fewer, of
 * STEADINESS_MANY or more; between them by the logarithm of their number. */
#define STEADINESS_P 0.01
#define STEADINESS_P_MANY 0.001
#define STEADINESS_FEW 30
#define STEADINESS_MANY 50
#define STEADINESS_LEAST 0.02 /* change, or distance of two levels: less is not worth a word */

enum run_trend {
	TREND_UNKNOWN, /* fewer than DRIFT_VALUES_MIN steps */
	TREND_NONE,    /* none is shown */
	TREND_DRIFT,   /* a straight line */
	TREND_SHIFT    /* one jump */
};

/* Trend of the series of one of so many runs. A trend looks like a shift and a shift like a trend:
 * the smaller p is the better guess. */
enum run_trend drift_trend(const struct drift *drift, size_t runs);

/* One run. Times in ps. */
struct steadiness_run {
	const char *run; /* its name, as in the cube */
	size_t steps;	 /* looked at */
	struct drift drift;
	uint32_t shift_step; /* where drift.shift_at is not 0: index in cube->step */
	size_t shift_after;  /* with it: steps from there on */
	struct modes modes;
	size_t outliers;			    /* steps far from the median (stats/sample.h) */
	uint32_t outlier[STEADINESS_OUTLIERS_KEPT]; /* the first of them: indexes in cube->step */
	double mean;	     /* per step: step time, or over all ops; NaN: not known */
	double mean_without; /* the same without the outliers; NaN when there are none */
	/* p below the level / runs, and STEADINESS_LEAST: one of the two, that of the smaller
	 * p. */
	bool drifts, shifts;
	bool two_modes; /* that far apart, and not what a shift makes */
};

struct steadiness {
	struct steadiness_run *run; /* one per run of the step set */
	size_t runs;
	size_t drifting, shifting, two_modes, with_outliers; /* runs */
};

/* Spread of the series that warm-up is decided by (steps_steady_totals): the step time, or the op
 * time over the ops that are present in every kept step of their run: what comes and goes is no
 * drift. `mean` alone is over all ops, or with by_step_time of that step time. In the arena; of the
 * cube without time nothing is found. */
void steadiness_find(const struct run_side *side, bool by_step_time, struct arena *arena,
	struct steadiness *out);
/* True if the means of the runs differ by less than half as much (standard deviation of the
 * logarithms, both sides pooled) without the outlier steps? */
bool steadiness_outliers_dominate(const struct steadiness *base, const struct steadiness *new_side);
/* The same for a row of base and new, of its medians in place of means. */
bool run_rows_steadier(
	const struct run_row *const means[2], const struct run_row *const medians[2]);
