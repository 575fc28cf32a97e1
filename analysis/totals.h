/* The step itself as series: op time, wall time, busy time, step time, and what each device did in
 * it, described by every statistic. It holds no rows of ops. */
#pragma once

#include "analysis/device_causes.h"
#include "analysis/summary.h"

struct total {
	/* "op_time", "wall", "busy", "step_time"; of a device "gpu:0_window", "gpu:0_compute", ...;
	 * "gpu:0 in NAME_host_late_outermost", ... */
	const char *name;
	/* Totals of every step of the cube; NULL where the source does not have it. NaN: not known
	 * for this step. */
	double *step;
	bool is_cause;		    /* a part of idle_host_late, by a name of the host */
	bool known;		    /* it has a value: every kept step is known */
	struct summary_value value; /* over the kept steps */
};

struct totals {
	/* the summary with the statistics of `choice`: for summary_statistic */
	struct summary with;
	const struct statistic_choice *choice;
	size_t choice_count;
	struct total *total;
	size_t count;
};

/* In the arena. */
struct totals *totals_make(
	const struct summary *summary, const struct cube *self, struct arena *arena);

/* Activities of each device in the kept steps, as means of its parts (model/step_series.h): for the
 * sentences of a report. */

struct device_parts {
	const char *device;
	size_t steps;	  /* kept steps in which its parts are known */
	double window_ps; /* the mean; above 0 */
	/* Means divided by the mean of the window; unset for series of the step. */
	double part[SERIES_KINDS];
	double busy; /* compute, communication alone, copies alone */
	/* Interval of busy over the steps; NaN where there is none. It is that of the mean of busy
	 * minus `busy` times the window, divided by the mean of the window: the ratio linearised.
	 */
	double low, high;
	/* Names of what the host did while it was late, the outermost; sums as part of all windows.
	 */
	struct device_cause *cause;
	size_t cause_count;
};

/* The devices with a window in natural order, in the arena. */
size_t device_parts_make(const struct summary *summary, const struct cube *self,
	struct arena *arena, struct device_parts **out);
/* How many of these devices, from the first on, are of its kind ("gpu:0", "gpu:1"): at least 1. */
size_t device_parts_alike(const struct device_parts *device, size_t count);
/* "gpu" of "gpu:0": how long it is; 0: the name has no kind. */
size_t device_kind_size(const char *device);

/* How often ops ran in the steps of a summary: exact sums of the measure `occurrence`.
 * CELL_ABSENT: not known. */

int64_t executions_of_group(
	const struct summary *summary, const struct summary_part *part, const struct group *group);
/* As the total of the summary: of all ops (`self` has them), or of the rows with of_selected. */
int64_t executions_of_all(
	const struct summary *summary, const struct cube *self, const struct summary_part *part);
/* The total over all runs without the rows that are shown, which must not overlap. */
int64_t executions_of_rest(
	const struct summary *summary, const struct cube *self, const bool *shown);
