/*
 * Columns of ratios. What is not known in a row, or is divided by 0, is not known.
 */
#include "pipeline/derive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "model/own/measure_own.h"

struct operand {
	const struct measure *measure;
	const char *unit; /* "" of a plain number */
	double factor;	  /* base units in one of it */
};

int derived_measure_parse(char *text, struct derived_measure *out, struct error *err)
{
	char *equal = strchr(text, '='), *slash = equal ? strchr(equal, '/') : NULL;

	if (!slash || equal == text || slash == equal + 1 || !slash[1]) {
		error_set(err, ERROR_USAGE, NULL, "expected NAME=A/B, found \"%s\"", text);
		return error_hint(err, "A and B are measures: --measure=j_per_token=energy/tokens");
	}
	*equal = *slash = '\0';
	*out = (struct derived_measure){text, equal + 1, slash + 1, NULL};
	return measure_lookup(text) ? error_set(err, ERROR_USAGE, NULL,
					      "\"%s\" is a measure of the program", text)
				    : 0;
}

static bool find_operand(const struct cube *cube, const char *name, struct operand *out)
{
	const struct measure *measure = measure_lookup(name);
	const struct unit *unit;

	for (size_t i = 0; i < cube->own_count && !measure; i++)
		if (text_equal(measure_at(cube->own[i])->name, name))
			measure = measure_at(cube->own[i]);
	if (!measure || measure->id >= MEASURE_STEP_COUNT || !cube_has(cube, measure->id))
		return false;
	unit = measure->dimension == DIMENSION_TIME    ? unit_lookup("s")
	       : measure->dimension == DIMENSION_BYTES ? unit_lookup("B")
						       : measure_unit(measure);
	*out = (struct operand){measure, unit ? unit->name : "", unit ? (double)unit->factor : 1};
	return true;
}

static enum direction direction_of(const struct measure *above, const struct measure *below)
{
	if (above->better == DIRECTION_UNKNOWN && below->better != DIRECTION_UNKNOWN)
		return below->better == DIRECTION_LOWER ? DIRECTION_HIGHER : DIRECTION_LOWER;
	return above->better == below->better ? DIRECTION_UNKNOWN : above->better;
}

/* Both are sums over the ranks that recorded the step, where there are several: the ratio is of the
 * sums, which the divisor leaves as it is. */
static int64_t ratio_of(const struct cube *cube, const struct operand *above,
	const struct operand *below, double factor, uint32_t op, size_t row)
{
	const int64_t a = cube_value(cube, above->measure->id, op, row),
		      b = cube_value(cube, below->measure->id, op, row);
	const double ranks = cube->divisor ? cube->divisor[cube->step_of[row]] : 1;
	double value;

	if (a == CELL_ABSENT || b == CELL_ABSENT || b == 0)
		return CELL_ABSENT;
	value = (double)a / above->factor / ((double)b / below->factor) * factor * ranks;
	return fabs(value) < 9.2e18 ? llround(value) : CELL_ABSENT;
}

static int add_ratio(struct cube *cube, const struct derived_measure *derived, struct error *err)
{
	struct own_measure own = {.name = derived->name};
	struct operand above, below;
	char unit[MEASURE_OWN_SIZE];
	const struct unit *known;
	enum measure_id id;
	double factor;

	if (!find_operand(cube, derived->above, &above) ||
		!find_operand(cube, derived->below, &below)) {
		error_set(err, ERROR_USAGE, "--measure", "no measure \"%s\" in the inputs",
			find_operand(cube, derived->above, &above) ? derived->below
								   : derived->above);
		return error_hint(err, "`--explain-inputs` shows what they have");
	}

	size_t size = sizeof(unit);

	if (above.measure->dimension == below.measure->dimension)
		snprintf(unit, size, "%s", "");
	else if (!*below.unit)
		snprintf(unit, size, "%s", above.unit);
	else
		snprintf(unit, size, "%s/%s", *above.unit ? above.unit : above.measure->name,
			below.unit);
	own.better = direction_of(above.measure, below.measure);
	own.unit = measure_own_declared(own.name) ? "" : unit;
	if (measure_own(&own, &id, err) < 0)
		return -1;
	if (!*measure_unit(measure_at(id))->name) {
		own.unit = unit;
		if (measure_own(&own, &id, err) < 0)
			return -1;
	}
	if (cube->column[id])
		return error_set(err, ERROR_USAGE, "--measure", "the inputs have a measure \"%s\"",
			derived->name);
	known = unit_own_lookup(unit);
	factor = (double)measure_factor(
		id, known && known->dimension == measure_at(id)->dimension ? unit : NULL);
	cube->own[cube->own_count++] = id;
	cube->column[id] = arena_array(cube->arena, cube->row_count, sizeof(int64_t));
	for (uint32_t op = 0; op < cube->op_count; op++)
		for (size_t row = cube->op_first[op]; row < cube->op_first[op + 1]; row++)
			cube->column[id][row] = ratio_of(cube, &above, &below, factor, op, row);
	return 0;
}

int cube_derive(struct cube *cube, const struct derived_measure *derived, struct error *err)
{
	for (; derived; derived = derived->next)
		if (add_ratio(cube, derived, err) < 0)
			return -1;
	return 0;
}
