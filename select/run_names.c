/*
 * Matches a pattern against paths; the first capture group, or the whole match, is the name of the
 * run.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "select/run_names.h"

#include <pcre2.h>
#include <string.h>

static void free_code(void *code)
{
	pcre2_code_free(code);
}

static const char *name_run(void *context, const char *path, struct arena *arena, struct error *err)
{
	pcre2_match_data *match = pcre2_match_data_create_from_pattern(context, NULL);
	const char *name = NULL;
	int groups = pcre2_match(context, (PCRE2_SPTR)path, strlen(path), 0, 0, match, NULL);
	PCRE2_SIZE *at = pcre2_get_ovector_pointer(match);
	int use = groups > 1 && at[2] != PCRE2_UNSET ? 1 : 0;

	if (groups > 0) {
		name = arena_strndup(arena, path + at[2 * use], at[2 * use + 1] - at[2 * use]);
	} else {
		error_set(err, ERROR_INPUT, "--runs", "the pattern does not match %s", path);
		error_hint(err, "it must match every path; a capture group names the run: "
				"--runs='run(\\d+)'");
	}
	pcre2_match_data_free(match);
	return name;
}

int run_names_make(
	const char *pattern, struct arena *arena, struct merge_options *opt, struct error *err)
{
	PCRE2_SIZE offset;
	int code;
	pcre2_code *compiled =
		pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, 0, &code, &offset, NULL);

	if (!compiled) {
		PCRE2_UCHAR text[256];

		pcre2_get_error_message(code, text, sizeof(text));
		return error_set(err, ERROR_USAGE, "--runs", "in \"%s\" at character %zu: %s",
			pattern, (size_t)offset + 1, (const char *)text);
	}
	arena_defer(arena, free_code, compiled);
	opt->name_run = name_run;
	opt->context = compiled;
	return 0;
}
