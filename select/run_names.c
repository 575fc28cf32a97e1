/*
 * Matches a pattern against paths.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "select/run_names.h"

#include <pcre2.h>
#include <string.h>

static void free_code(void *code)
{
	pcre2_code_free(code);
}

struct run_namer {
	pcre2_code *code;
	const char *option;
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
			"it must match every path; a capture group names the run: "
			"%s='run(\\d+)'",
			n->option);
	}
	pcre2_match_data_free(match);
	return name;
}

struct run_namer *run_namer_new(
	const char *option, const char *pattern, struct arena *arena, struct error *err)
{
	struct run_namer *namer = arena_alloc(arena, sizeof(*namer));
	PCRE2_SIZE offset;
	int code;

	namer->option = option;
	namer->code =
		pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, 0, &code, &offset, NULL);
	if (!namer->code) {
		PCRE2_UCHAR text[256];

		pcre2_get_error_message(code, text, sizeof(text));
		error_set(err, ERROR_USAGE, option, "in \"%s\" at character %zu: %s", pattern,
			(size_t)offset + 1, (const char *)text);
		return NULL;
	}
	arena_defer(arena, free_code, namer->code);
	return namer;
}
