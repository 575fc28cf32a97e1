/*
 * Options of traces of events.
 */
#include "cli/apply.h"
#include "cli/words.h"
#include "select/step_marker.h"

int apply_step_marker(struct settings *s, const char *value, struct error *err)
{
	struct step_marker *marker = step_marker_new(value, s->arena, err);

	if (!marker)
		return -1;
	s->read.trace.marker = step_marker_match;
	s->read.trace.marker_context = marker;
	return 0;
}

int apply_name(struct settings *s, const char *value, struct error *err)
{
	(void)err;
	s->read.trace.name = value;
	return 0;
}

int apply_like(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"key_averages", NULL};

	if (word_index("--like", value, words, err) < 0)
		return -1;
	s->read.trace.key_averages = true;
	return 0;
}

int apply_spill_limit(struct settings *s, const char *value, struct error *err)
{
	size_t bytes;

	if (word_size("--spill-limit", value, 0, &bytes, err) != 0)
		return -1;
	s->read.trace.max_spill_bytes = bytes;
	return 0;
}
