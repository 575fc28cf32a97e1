/* Idle time of a device that the host caused, by what the host did: the names of one kind
 * (SERIES_LATE_OUTERMOST, SERIES_LATE_INNERMOST) with their series. */
#pragma once

#include "analysis/steps.h"
#include "model/cube.h"

struct device_cause {
	const char *name;
	const int64_t *value_ps; /* of each step of the cube */
	double sum_ps, mean_ps;	 /* over the kept steps that know it */
};

/* Causes with any time in the kept steps, the largest first, STEP_SERIES_OTHER last; in the arena.
 */
size_t device_causes_find(const struct cube *self, const struct step_set *steps, const char *device,
	enum step_series_kind kind, struct arena *arena, struct device_cause **out);
/* The same of the outermost, under the names that people use: "DataLoader" of
 * "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "Optimizer.step" of
 * "Optimizer.step#SGD.step". Those of one such name are one. */
size_t device_causes_spoken(const struct cube *self, const struct step_set *steps,
	const char *device, struct arena *arena, struct device_cause **out);

const char *device_cause_spoken(const char *name, struct arena *arena);

/* The one of this name; NULL: there is none. */
const struct device_cause *device_causes_named(
	const struct device_cause *cause, size_t count, const char *name);

/* Names may be in STEP_SERIES_OTHER of the other side: those that are not among its names, and of
 * which the mean is at most that of its STEP_SERIES_OTHER, most_ps, become part of that here, too.
 * Returns how many are left. */
size_t device_causes_fold(const struct cube *self, struct device_cause *cause, size_t count,
	const struct device_cause *beside, size_t beside_count, double most_ps,
	struct arena *arena);
