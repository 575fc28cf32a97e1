/*
 * Labels out of paths.
 */
#include "timeline/step_label.h"

#include <inttypes.h>
#include <string.h>
#include "base/intern.h"
#include "base/text.h"
#include "ingest/input/step_number.h"

/* True if no two of the files have one name, in different folders. */
static bool names_are_distinct(const char *const *paths, size_t count)
{
	struct arena *arena = arena_new();
	struct intern *names = intern_new(arena);
	bool distinct;

	for (size_t i = 0; i < count; i++) {
		const char *name = text_base_name(paths[i]);

		intern_id(names, name, strlen(name));
	}
	distinct = intern_count(names) == count;
	arena_free(arena);
	return distinct;
}

const char **step_labels(const char *const *paths, size_t count, struct arena *arena)
{
	const char **labels = arena_array(arena, count, sizeof(*labels));
	bool distinct = names_are_distinct(paths, count);

	for (size_t i = 0; i < count && count > 1; i++) {
		const char *name = distinct ? text_base_name(paths[i]) : paths[i];
		int64_t step;

		labels[i] = step_number_in_name(paths[i], &step)
				    ? arena_printf(arena, "step %" PRId64 " (%s)", step, name)
				    : name;
	}
	return labels;
}
