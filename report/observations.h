/*
 * Writes observations as CSV, row by row: `run,step,op,measure,value,unit` (long) or one column per
 * measure (wide). It keeps one series in memory, so the output may be larger than it.
 */
#ifndef STEPSTAT_REPORT_OBSERVATIONS_H
#define STEPSTAT_REPORT_OBSERVATIONS_H

#include <stdbool.h>
#include "analysis/summary.h"
#include "base/outfile.h"

struct observations_options {
	const enum measure_id *measure;
	size_t measure_count;
	const struct unit *time_unit, *bytes_unit; /* NULL: us and bytes */
	bool wide;
};

/* Rows in order of op, then of run and step; only steps in which the op was present. Values are
 * exact. Measures per op (params) are one row without run and step in the long form, and repeated
 * in the wide one. */
void observations_write(const struct cube *cube, const struct step_set *steps,
	const struct grouping *grouping, const struct observations_options *opt,
	struct outfile *out);

#endif
