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
#ifndef STEPSTAT_ANALYSIS_SELECT_NAME_MAP_H
#define STEPSTAT_ANALYSIS_SELECT_NAME_MAP_H

#include "analysis/select/rules.h"

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

#endif
