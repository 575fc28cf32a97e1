/*
 * Sums of the records of all ranks of a job about its steps: when the slowest was, how long any op
 * ran, times of devices. Whole numbers that any tree of joins makes the same; model/ranks.h divides
 * and names them.
 */
#ifndef STEPSTAT_MODEL_SUMS_STEP_SUMS_H
#define STEPSTAT_MODEL_SUMS_STEP_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"

#define STEP_SUMS_UNKNOWN INT64_MIN /* a sum of which a part is not known, or too large */

/* One step over its ranks. */
struct step_sum {
	uint32_t ranks;			   /* that recorded it */
	uint32_t timed;			   /* of these, those with times */
	int64_t start_ps, end_ps, base_ns; /* of the longest; of equal ones the first */
	int64_t busy_ps;		   /* sum, or STEP_SUMS_UNKNOWN */
	uint64_t fingerprint;		   /* sum, modulo 2^64 */
};

/* Devices of one type ("gpu"): each rank numbers them in its own way. */
struct device_sums {
	const char *type;
	uint32_t most;	 /* that a rank has */
	const char *set; /* the devices of the rank that comes first in byte order, a line each */
	bool differ;	 /* other ranks have others */
};

/* One series (model/step_series.h) of the step, or of the device at this place of its type. */
struct series_sum {
	int kind;	  /* enum step_series_kind */
	const char *type; /* ""; not of a device */
	uint32_t place;
	bool is_largest; /* the value is that of the largest, not a sum */
	int64_t *value;	 /* [step]: where count is not 0; STEP_SUMS_UNKNOWN */
	uint32_t *count; /* [step]: ranks that have it */
};

struct step_sums {
	struct arena *arena; /* owns all */
	size_t step_count;
	struct step_sum *step;
	struct device_sums *device; /* by type */
	size_t device_count, device_room;
	struct series_sum **series; /* by kind, type, place */
	size_t series_count, series_room;
};

/* Sums without any rank. They live as long as the arena. */
struct step_sums *step_sums_new(struct arena *arena, size_t steps);

/* A step of one rank, or of several, goes to `step`. Returns false when the sum of busy times
 * became too large. */
bool step_sums_add(struct step_sums *sums, size_t step, const struct step_sum *from);
/* The devices of one rank, or of several, of a type. */
void step_sums_add_devices(struct step_sums *sums, const struct device_sums *from);
/* The sums of this series; texts are copied. */
struct series_sum *step_sums_series(
	struct step_sums *sums, int kind, const char *type, uint32_t place, bool is_largest);
/* Adds a value of `count` ranks. Returns false when it became too large. */
bool series_sum_add(struct series_sum *series, size_t step, int64_t value, uint32_t count);
/* NULL when there is none of this type. */
const struct device_sums *step_sums_device(const struct step_sums *sums, const char *type);

/* Adds all of `from`, whose step s is to[s] here; UINT32_MAX: not here. Returns how many sums
 * became too large. */
size_t step_sums_join(struct step_sums *sums, const struct step_sums *from, const uint32_t *to);

#endif
