/*
 * Matches the pattern of --step-marker against names.
 */
#include "analysis/select/step_marker.h"

#include "base/number.h"
#include "analysis/select/pattern.h"

#define OPTION "--step-marker"

struct step_marker {
	pcre2_code *code;
};

struct step_marker *step_marker_new(const char *pattern, struct arena *arena, struct error *err)
{
	struct step_marker *marker = arena_alloc(arena, sizeof(*marker));

	if (!*pattern) {
		error_set(err, ERROR_USAGE, OPTION,
			"an empty pattern matches every name, so that nothing is left for an op");
		error_hint(err,
			"give the name of the slices that are steps: --step-marker='^train_step$'");
		return NULL;
	}
	marker->code = pattern_of_option(OPTION, pattern, arena, err);
	if (!marker->code)
		return NULL;
	return marker;
}

int step_marker_match(
	void *marker, const char *name, bool *numbered, int64_t *number, struct error *err)
{
	const struct step_marker *m = marker;
	pcre2_match_data *match = pcre2_match_data_create_from_pattern(m->code, NULL);
	int groups = pattern_of_option_match(OPTION, m->code, name, match, err);
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(match);

	*numbered = groups > 1 && at[2] != PCRE2_UNSET &&
		    number_parse_int(name + at[2], at[3] - at[2], number);
	pcre2_match_data_free(match);
	return groups < 0 ? -1 : groups > 0;
}
