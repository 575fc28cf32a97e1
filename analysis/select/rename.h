/* One rename of the form s/REGEX/TEXT/FLAGS: parsed, checked, applied to a name. It does not
 * know in which order renames run. */
#pragma once

#include "analysis/select/pattern.h"
#include "analysis/select/rules.h"

struct rename {
	struct pattern *pattern;
	const char *text; /* in PCRE2's form: $1, ${name}, $$ */
	size_t text_size;
	bool all; /* flag g */
};

/* A name on its way through the renames; the memory is the owner's, by memory_free. */
struct rename_buffer {
	char *data;
	size_t size, room;
};

/* NULL with ERROR_USAGE when the rule's text is not a substitution. */
struct rename *rename_new(struct matcher *matcher, const struct rule *rule, struct error *err);
/* Renames `from` into `to` (also when nothing changes). `op` is the recorded name, for messages. */
int rename_apply(struct matcher *matcher, const struct rename *rename, const char *op,
	const struct rename_buffer *from, struct rename_buffer *to, struct error *err);
/* Makes room for size bytes and a 0 after them. */
void rename_buffer_room(struct rename_buffer *buffer, size_t size);

/*
 * A map of names for two sides that call the same things differently: a text file with a rule on
 * each line, of one side or of both, that renames rows. It knows no rows;
 *analysis/select/grouping.h applies the rules of a side.
 *
 *	# comment
 *	base s/^aten:://
 *	new  type ^Gemm$ = addmm
 *	both ^(mm|addmm)$ = matrix product
 *
 * A rule is a rename, s/REGEX/TEXT/FLAGS, or REGEX = NAME, which replaces the whole name where
 *REGEX matches anywhere in it, or with the word `type` in the type of the op. Rules run in the
 *order of the file, each on the result of those before.
 */

struct name_map;

/* ERROR_INPUT: the file cannot be read or has no rule; ERROR_USAGE with FILE:LINE: a line is no
 * rule. In the arena, with which it ends. */
struct name_map *name_map_read(const char *path, struct arena *arena, struct error *err);
/* The same from bytes in memory; `place` is FILE in the messages. */
struct name_map *name_map_read_memory(
	const char *bytes, size_t size, const char *place, struct arena *arena, struct error *err);
const char *name_map_path(const struct name_map *map);
/* The rules of base (0) or new (1). */
struct rules *name_map_side(const struct name_map *map, size_t side);
/* The lines whose patterns matched no row of a side that they are for, since the rows were made:
 * "FILE:LINE: RULE". Returns their number; in the arena. */
size_t name_map_dead(const struct name_map *map, struct arena *arena, const char ***out);
