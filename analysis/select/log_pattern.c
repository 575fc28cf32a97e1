/*
 * Matches the pattern of --log against lines.
 */
#include "analysis/select/log_pattern.h"

#include <string.h>
#include "base/text.h"
#include "analysis/select/pattern.h"

#define OPTION "--log"

/* The names with their groups, sorted by name: two bytes of a number, then the name. */
struct name_table {
	PCRE2_SPTR entry;
	uint32_t count, entry_bytes;
};

static struct name_table names_of(const pcre2_code *code)
{
	struct name_table names = {0};

	pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &names.count);
	pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &names.entry_bytes);
	pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &names.entry);
	return names;
}

static PCRE2_SPTR entry_at(const struct name_table *names, size_t i)
{
	return names->entry + i * names->entry_bytes;
}

struct log_pattern *log_pattern_new(const char *regex, struct arena *arena, struct error *err)
{
	struct log_pattern *pattern = arena_alloc(arena, sizeof(*pattern));
	struct name_table names;

	pattern->code = pattern_of_option(OPTION, regex, arena, err);
	if (!pattern->code)
		return NULL;
	names = names_of(pattern->code);
	if (!names.count) {
		error_set(err, ERROR_USAGE, OPTION, "no named group in \"%s\"", regex);
		error_hint(err, "name each value and its unit: "
				"--log='step (?<step>[0-9]+).* took (?<time_ms>[0-9.]+)'");
		return NULL;
	}
	pattern->count = names.count;
	pattern->name = arena_array(arena, names.count, sizeof(*pattern->name));
	for (size_t i = 0; i < names.count; i++)
		pattern->name[i] = (const char *)entry_at(&names, i) + 2;
	pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE);
	return pattern;
}

int log_pattern_match(
	void *context, const char *line, const char **value, size_t *size, struct error *err)
{
	const struct log_pattern *pattern = context;
	const struct name_table names = names_of(pattern->code);
	pcre2_match_data *match = pcre2_match_data_create_from_pattern(pattern->code, NULL);
	const int groups = pattern_of_option_match(OPTION, pattern->code, line, match, err);
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(match);

	for (size_t i = 0; i < pattern->count && groups > 0; i++) {
		const size_t group = (size_t)entry_at(&names, i)[0] << 8 | entry_at(&names, i)[1];
		const bool is_set = group < (size_t)groups && at[2 * group] != PCRE2_UNSET;

		value[i] = is_set ? line + at[2 * group] : NULL;
		size[i] = is_set ? at[2 * group + 1] - at[2 * group] : 0;
	}
	pcre2_match_data_free(match);
	return groups < 0 ? -1 : groups > 0;
}
