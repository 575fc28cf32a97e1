/*
 * Names cut to a width so that different names stay different where they can: the parts in which
 * they differ are kept.
 */
#ifndef STEPSTAT_REPORT_SHORT_NAMES_H
#define STEPSTAT_REPORT_SHORT_NAMES_H

#include <stddef.h>
#include "base/arena.h"

/* cut[i] becomes the form of name[i] (NULL stays NULL) in at most `width` columns, in the arena. */
void short_names(
	const char *const *name, size_t count, size_t width, struct arena *arena, const char **cut);

#endif
