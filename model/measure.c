/*
 * The table of measures, made from measures.def, and the search by name.
 */
#include "model/measure.h"

#include "base/text.h"

static const struct measure measure_table[MEASURE_COUNT] = {
#define MEASURE(id, name, dimension, kind, additive, summary)                                      \
	[MEASURE_##id] = {MEASURE_##id, name, dimension, MEASURE_##kind, additive, summary},
#include "model/measures.def"
#undef MEASURE
};

const struct measure *measure_at(enum measure_id id)
{
	return &measure_table[id];
}

const struct measure *measure_find(const char *name, struct error *err)
{
	const char *names[MEASURE_COUNT];
	struct text list;

	for (size_t i = 0; i < MEASURE_COUNT; i++) {
		names[i] = measure_table[i].name;
		if (text_equal(name, names[i]))
			return &measure_table[i];
	}
	int nearest = text_nearest(name, names, MEASURE_COUNT);

	text_init(&list);
	if (nearest >= 0)
		text_printf(&list, "did you mean \"%s\"? ", names[nearest]);
	text_add(&list, "measures are ");
	for (size_t i = 0; i < MEASURE_COUNT; i++)
		text_printf(&list, "%s%s", i ? ", " : "", names[i]);
	error_set(err, ERROR_USAGE, NULL, "unknown measure \"%s\"", name);
	error_hint(err, "%s", text_string(&list));
	text_release(&list);
	return NULL;
}
