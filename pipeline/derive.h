/*
 * Ratios of two measures, as the user asks for them (--measure=NAME=A/B): a further measure of each
 * row that has both. Ratios of sums or means are none of these.
 */
#ifndef STEPSTAT_PIPELINE_DERIVE_H
#define STEPSTAT_PIPELINE_DERIVE_H

#include "model/cube.h"

struct derived_measure {
	const char *name, *above, *below; /* names of measures */
	struct derived_measure *next;
};

/* Splits "NAME=A/B" in place; ERROR_USAGE where it is not that. */
int derived_measure_parse(char *text, struct derived_measure *out, struct error *err);
/* Adds them all to the cube. The unit is that of A where B is a plain number, none where both have
 * one unit, else A/B; better is what makes A better and B worse; --measure goes before both.
 * ERROR_USAGE where the inputs have no A or B. */
int cube_derive(struct cube *cube, const struct derived_measure *derived, struct error *err);

#endif
