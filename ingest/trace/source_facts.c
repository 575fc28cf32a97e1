/*
 * Numbers in names, versions as people write them.
 */
#include "ingest/trace/source_facts.h"

#include <string.h>
#include "base/number.h"
#include "base/text.h"

bool rank_of_file(const char *path, uint64_t *rank)
{
	const char *name = text_base_name(path);

	for (const char *at = name; (at = strstr(at, "rank")); at++) {
		const char *digits = at + 4;
		int64_t number;

		if (at > name &&
			((at[-1] >= 'a' && at[-1] <= 'z') || (at[-1] >= 'A' && at[-1] <= 'Z')))
			continue;
		digits += *digits == '-' || *digits == '_';
		if (number_parse_int(digits, strspn(digits, "0123456789"), &number)) {
			*rank = (uint64_t)number;
			return true;
		}
	}
	return false;
}

const char *runtime_version_text(struct arena *arena, const char *recorded, bool is_hip)
{
	int64_t n;

	if (!number_parse_int(recorded, strlen(recorded), &n) || n < 1000)
		return recorded;
	if (is_hip)
		return n < 10000000 ? recorded
				    : arena_printf(arena, "%lld.%lld.%lld", (long long)n / 10000000,
					      (long long)n / 100000 % 100, (long long)n % 100000);
	return n % 10 ? recorded
		      : arena_printf(
				arena, "%lld.%lld", (long long)n / 1000, (long long)n % 1000 / 10);
}
