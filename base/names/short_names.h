/* Names short enough for a table or a sentence, so that different names look different: of
 * functions in C++ the return type, the namespaces and most template arguments go first, then the
 * middle is left out and the parts in which the names differ are kept. */
#pragma once

#include <stddef.h>
#include "base/arena.h"

/* columns of names in sentences, tables and the column `short` of files */
#define SHORT_NAME_WIDTH 48

/* an empty name in tables and sentences; the column op of files keeps it empty */
#define NO_NAME "(no name)"

/* cut[i] becomes the form of name[i] (NULL stays NULL), made harmless, in at most `width` columns
 * (at least 12); a name that fits, and is not a mangled C++ one, stays
 * as it is, without a copy. The forms depend on the set of
 * names, not on their order: equal names have equal forms, different ones different forms. `cut`
 * may be `name`. */
void short_names(
	const char *const *name, size_t count, size_t width, struct arena *arena, const char **cut);
