/*
 * The table of measures. It knows names, dimensions and what may be added up, no values.
 */
#ifndef STEPSTAT_MODEL_MEASURE_H
#define STEPSTAT_MODEL_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"
#include "base/unit.h"

enum measure_id {
#define MEASURE(id, ...) MEASURE_##id,
#include "model/measures.def"
#undef MEASURE
	MEASURE_COUNT
};

enum measure_kind { MEASURE_RECORDED, MEASURE_DERIVED, MEASURE_STATIC, MEASURE_OF_CALLS };

/* Recorded measures have the ids below this one: columns of observations. */
#define MEASURE_RECORDED_COUNT ((size_t)MEASURE_TIME)
/* Recorded and derived ones, all that have a value in each step, have the ids below this one. */
#define MEASURE_STEP_COUNT ((size_t)MEASURE_PARAMS)
/* All but those of single executions, which no table of observations holds. */
#define MEASURE_TABLE_COUNT ((size_t)MEASURE_DELAY)

struct measure {
	enum measure_id id;
	const char *name;
	enum dimension dimension;
	enum measure_kind kind;
	bool additive;
	const char *summary;
};

const struct measure *measure_at(enum measure_id id);
/* Unknown: ERROR_USAGE with the nearest name and the list. */
const struct measure *measure_find(const char *name, struct error *err);

#endif
