/* The table of measures and those that files bring along (model/own/measure_own.h). It knows names,
 * dimensions, what may be added up and which direction is better, no values. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"
#include "base/text.h"
#include "base/unit.h"

enum measure_id {
#define MEASURE(id, ...) MEASURE_##id,
#define MEASURE_OWN(count) MEASURE_OWN_FIRST, MEASURE_OWN_LAST = MEASURE_OWN_FIRST + (count)-1,
#include "model/measures.def"
#undef MEASURE_OWN
#undef MEASURE
	MEASURE_COUNT
};

enum measure_kind { MEASURE_RECORDED, MEASURE_DERIVED, MEASURE_STATIC, MEASURE_OF_CALLS };

/* Recorded measures of the table have the ids below this one: columns of observations. */
#define MEASURE_RECORDED_COUNT ((size_t)MEASURE_TIME)
#define MEASURE_OWN_SLOTS ((size_t)(MEASURE_OWN_LAST - MEASURE_OWN_FIRST + 1))
/* With derived ones and those that files bring along, all that have a value in each step, have the
 * ids below this one. */
#define MEASURE_STEP_COUNT ((size_t)MEASURE_PARAMS)
/* All but those of single executions, which no table of observations holds. */
#define MEASURE_TABLE_COUNT ((size_t)MEASURE_DELAY)

/* The better values: nothing is judged where it is not known. */
enum direction { DIRECTION_LOWER, DIRECTION_HIGHER, DIRECTION_UNKNOWN };

struct measure {
	enum measure_id id;
	const char *name;
	enum dimension dimension;
	enum measure_kind kind;
	bool additive;
	const char *summary;
	enum direction better;
};

/* True if a file brought it along. */
static inline bool measure_is_own(enum measure_id id)
{
	return id >= MEASURE_OWN_FIRST && id <= MEASURE_OWN_LAST;
}

const struct measure *measure_at(enum measure_id id);
/* Unit in which files have its values: "ps", "bytes", "count". */
const char *measure_base_unit(const struct measure *measure);
/* Measure of the table; NULL: there is none of this name. */
const struct measure *measure_lookup(const char *name);
/* Measure of the table; NULL: no name is near. */
const struct measure *measure_nearest(const char *name);
/* Adds the names of the table with an id below that: "time, micros". */
void measure_list(size_t below, struct text *list);
/* Unknown: ERROR_USAGE with the nearest name and the list. */
const struct measure *measure_find(const char *name, struct error *err);
