/*
 * Activities of each device in the kept steps, as means of its parts (model/step_series.h): for the
 * sentences of a report.
 */
#ifndef STEPSTAT_ANALYSIS_DEVICE_PARTS_H
#define STEPSTAT_ANALYSIS_DEVICE_PARTS_H

#include "analysis/summary.h"

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
};

/* The devices with a window in natural order, in the arena. */
size_t device_parts_make(const struct summary *summary, const struct cube *self,
	struct arena *arena, struct device_parts **out);

#endif
