/*
 * Matches a pattern against paths.
 */
#include "analysis/select/run_names.h"

#include <string.h>
#include "analysis/select/pattern.h"

struct run_namer {
	pcre2_code *code;
	const char *option, *what;
};

const char *run_namer_name(void *namer, const char *path, struct arena *arena, struct error *err)
{
	const struct run_namer *n = namer;
	pcre2_match_data *match = pcre2_match_data_create_from_pattern(n->code, NULL);
	const char *name = NULL;
	int groups = pcre2_match(n->code, (PCRE2_SPTR)path, strlen(path), 0, 0, match, NULL);
	PCRE2_SIZE *at = pcre2_get_ovector_pointer(match);
	int use = groups > 1 && at[2] != PCRE2_UNSET ? 1 : 0;

	if (groups > 0) {
		name = arena_strndup(arena, path + at[2 * use], at[2 * use + 1] - at[2 * use]);
	} else {
		error_set(err, ERROR_INPUT, n->option, "the pattern does not match %s", path);
		error_hint(err,
			"it must match every path; a capture group names the %s: "
			"%s='%s(\\d+)'",
			n->what, n->option, n->what);
	}
	pcre2_match_data_free(match);
	return name;
}

struct run_namer *run_namer_new(const char *option, const char *what, const char *pattern,
	struct arena *arena, struct error *err)
{
	struct run_namer *namer = arena_alloc(arena, sizeof(*namer));

	namer->option = option;
	namer->what = what;
	namer->code = pattern_of_option(option, pattern, arena, err);
	if (!namer->code)
		return NULL;
	return namer;
}
