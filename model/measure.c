/* The table of measures, made from measures.def, and the search by name. */
#include "model/measure.h"

#include "base/text.h"
#include "model/own/measure_own.h"

static const struct measure measure_table[MEASURE_COUNT] = {
#define MEASURE(id, name, dimension, kind, additive, summary)                                      \
	[MEASURE_##id] = {MEASURE_##id, name, dimension, MEASURE_##kind, additive, summary},
#include "model/measures.def"
#undef MEASURE
};

const struct measure *measure_at(enum measure_id id)
{
	return measure_is_own(id) ? measure_own_at(id) : &measure_table[id];
}

const char *measure_base_unit(const struct measure *measure)
{
	return measure->dimension == DIMENSION_TIME    ? "ps"
	       : measure->dimension == DIMENSION_BYTES ? "bytes"
						       : "count";
}

const struct measure *measure_lookup(const char *name)
{
	for (size_t i = 0; i < MEASURE_COUNT; i++)
		if (measure_table[i].name && text_equal(name, measure_table[i].name))
			return &measure_table[i];
	return NULL;
}

void measure_list(size_t below, struct text *list)
{
	for (size_t i = 0; i < below; i++)
		if (measure_table[i].name)
			text_printf(list, "%s%s", i ? ", " : "", measure_table[i].name);
}

const struct measure *measure_nearest(const char *name)
{
	const char *names[MEASURE_COUNT];
	size_t count = 0;
	int nearest;

	for (size_t i = 0; i < MEASURE_COUNT; i++)
		if (measure_table[i].name)
			names[count++] = measure_table[i].name;
	nearest = *name ? text_nearest(name, names, count) : -1;
	return nearest < 0 ? NULL : measure_lookup(names[nearest]);
}

const struct measure *measure_find(const char *name, struct error *err)
{
	const struct measure *known = measure_lookup(name), *nearest;
	struct text list;

	if (known)
		return known;
	nearest = measure_nearest(name);
	text_init(&list);
	if (nearest)
		text_printf(&list, "did you mean \"%s\"? ", nearest->name);
	text_add(&list, "measures are ");
	measure_list(MEASURE_COUNT, &list);
	error_set(err, ERROR_USAGE, NULL, "unknown measure \"%s\"", name);
	error_hint(err, "%s", text_string(&list));
	text_release(&list);
	return NULL;
}
