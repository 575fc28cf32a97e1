/*
 * Choice of measures by id, or by name where only the inputs have the measure.
 */
#include "pipeline/measure_choice.h"

#include "base/text.h"
#include "model/cube.h"
#include "model/own/measure_own.h"

/* The hint lists the measures that the side has. */
static int no_measure(
	const struct side *side, enum measure_id id, const char *option, struct error *err)
{
	const struct measure *near =
		measure_is_name(id) ? measure_nearest(measure_at(id)->name) : NULL;
	enum measure_id has[MEASURE_COUNT];
	const size_t count = cube_measures(side->self, has);
	struct text names;

	text_init(&names);
	for (size_t i = 0; i < count; i++)
		text_printf(&names, "%s%s", i ? ", " : "", measure_at(has[i])->name);
	if (near) {
		error_set(err, ERROR_USAGE, option, "unknown measure \"%s\"", measure_at(id)->name);
		error_hint(err, "did you mean \"%s\"? %s has: %s", near->name, side->label,
			count ? text_string(&names) : "none");
		text_release(&names);
		return -1;
	}
	error_set(err, measure_is_name(id) ? ERROR_USAGE : ERROR_INPUT, option,
		"%s has no measure \"%s\"", side->label, measure_at(id)->name);
	if (measure_at(id)->kind == MEASURE_OF_CALLS)
		error_hint(err,
			"it is of single executions on devices (--per=call of stepstat report), in "
			"traces that say what launched them");
	else
		error_hint(err, "it has: %s", count ? text_string(&names) : "none");
	text_release(&names);
	return -1;
}

/* The measures of the side that are wanted by a name or an id; those that are there already are
 * left out. Returns the new count; -1: there is none of them. */
static int add_wanted(
	const struct side *side, enum measure_id wanted, enum measure_id *out, size_t *n)
{
	enum measure_id has[MEASURE_COUNT];
	const size_t count = cube_measures(side->self, has);
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		bool there = false;

		if (!measure_is_wanted(wanted, has[i]))
			continue;
		for (size_t k = 0; k < *n; k++)
			there |= out[k] == has[i];
		if (!there)
			out[(*n)++] = has[i];
		any = true;
	}
	return any ? 0 : -1;
}

int side_measures(const struct side *side, const struct job_settings *settings, struct arena *arena,
	const enum measure_id **measure, size_t *count, struct error *err)
{
	const enum measure_id standard[] = {
		MEASURE_TIME, settings->read.calls ? MEASURE_DELAY : MEASURE_REQUESTED};
	size_t given = settings->measure.count, n = 0;
	enum measure_id *out = arena_array(arena, MEASURE_COUNT, sizeof(*out));
	const struct cube *self = side->self;

	for (size_t i = 0; i < given; i++) {
		const enum measure_id wanted = *(enum measure_id *)vec_at(&settings->measure, i);

		if (add_wanted(side, wanted, out, &n) < 0)
			return no_measure(side, wanted, settings->measures_option, err);
	}
	for (size_t i = 0; !given && i < sizeof(standard) / sizeof(*standard); i++)
		if (cube_has(self, standard[i]))
			out[n++] = standard[i];
	for (size_t i = 0; !given && i < self->own_count; i++)
		if (cube_has(self, self->own[i]))
			out[n++] = self->own[i];
	if (!n)
		n = cube_measures(self, out);
	if (!n)
		return error_set(err, ERROR_INPUT, NULL, "%s has no measure at all", side->label);
	*measure = out;
	*count = n;
	return 0;
}

int measures_of_both(const struct side *base, const struct side *new_side,
	const struct job_settings *settings, struct arena *arena, const enum measure_id **measure,
	size_t *count, struct error *err)
{
	static const enum measure_id standard[] = {MEASURE_TIME, MEASURE_REQUESTED, MEASURE_PEAK};
	const struct cube *a = base->self, *b = new_side->self;
	enum measure_id *out = arena_array(arena, MEASURE_COUNT, sizeof(*out)), all[MEASURE_COUNT];
	const size_t all_count = cube_measures(a, all);
	size_t n = 0;

	if (settings->measure.count) {
		if (side_measures(base, settings, arena, measure, count, err) < 0)
			return -1;
		for (size_t i = 0; i < *count; i++)
			if (!cube_has(b, (*measure)[i]))
				return no_measure(
					new_side, (*measure)[i], settings->measures_option, err);
		return 0;
	}
	for (size_t i = 0; i < sizeof(standard) / sizeof(*standard); i++)
		if (cube_has(a, standard[i]) && cube_has(b, standard[i]))
			out[n++] = standard[i];
	for (size_t i = 0; i < all_count; i++)
		if (measure_is_own(all[i]) && cube_has(b, all[i]))
			out[n++] = all[i];
	for (size_t i = 0; !n && i < all_count; i++)
		if (cube_has(b, all[i]))
			out[n++] = all[i];
	if (!n)
		return error_set(err, ERROR_INPUT, NULL, "%s and %s have no measure in common",
			base->label, new_side->label);
	*measure = out;
	*count = n;
	return 0;
}
