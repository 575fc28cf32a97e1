/* Rules from arbitrary YAML bytes, and maps of names from the same, applied to a few names and to
 * the bytes themselves as a name. A rename whose TEXT PCRE2 refuses must have been found when the
 * rule was added. */
#include <stdint.h>
#include <stdlib.h>
#include "base/text.h"
#include "analysis/select/rename.h"
#include "analysis/select/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void apply(struct rules *rules, const char *name, struct arena *arena)
{
	struct error err = {.kind = ERROR_NONE};
	struct rule_outcome out;

	if (rules_apply(rules, name, arena, &out, &err)) {
		if (err.kind != ERROR_USAGE || !err.place[0] ||
			text_ends(err.message, ": unknown substring") ||
			text_ends(err.message, "replacement string"))
			abort();
		return;
	}
	if (!out.name || (name[0] && !out.name[0]) || (out.kept && out.dropped_by))
		abort();
	if (out.changed_count == 0 && out.name != name)
		abort();
}

/* The bytes as a map of names. */
static void map_names(const uint8_t *data, size_t size, const char *const *names, size_t count)
{
	struct arena *arena = arena_new();
	struct error err = {.kind = ERROR_NONE};
	struct name_map *map = name_map_read_memory((const char *)data, size, "fuzz", arena, &err);
	const char *out, **dead;

	if (!map && (err.kind == ERROR_NONE || !err.message[0] || !err.place[0]))
		abort();
	for (size_t i = 0; map && i < 2 * count; i++) {
		err = (struct error){.kind = ERROR_NONE};
		if (rules_map(name_map_side(map, i % 2), names[i / 2], i % 3 ? "Conv2D" : "", arena,
			    &out, &err)
				? err.kind != ERROR_USAGE || !err.place[0]
				: !out)
			abort();
	}
	if (map && name_map_dead(map, arena, &dead) > size)
		abort();
	arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {
		"v/tower_0/cg/conv12/Conv2D",
		"gradients/unit_3_2/sub2/conv2/Conv2D_grad/Conv2DBackpropFilter",
		"aaaaaaaaaaaaaaaaaaaaaaaa!",
		"\xc3\xa9\xe0\xab\xa2/\xf0\x9f\x98\x80",
		"a\xff"
		"b\xc3",
		"a\nb\\$1",
	};
	struct rules *rules = rules_new();
	struct arena *arena = arena_new();
	struct error err = {.kind = ERROR_NONE};

	if (rules_read_memory(rules, data, size, "fuzz", &err)) {
		if (err.kind == ERROR_NONE || !err.message[0] || !err.place[0])
			abort();
	}
	/* What was read before a mistake is good and can be used. */
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		apply(rules, names[i], arena);
	rules_set_full_match(rules, true);
	char *own = arena_strndup(arena, (const char *)data, size < 200 ? size : 200);

	apply(rules, own, arena);
	for (size_t i = 0; i < rules_count(rules); i++)
		if (!rules_at(rules, i)->place[0])
			abort();
	rules_reset_hits(rules);
	map_names(data, size, names, sizeof(names) / sizeof(names[0]));
	arena_free(arena);
	rules_free(rules);
	return 0;
}
