/*
 * Values of a line of a log, by a pattern of the user with named groups: --log=REGEX. It knows no
 * files and no measures.
 */
#ifndef STEPSTAT_ANALYSIS_SELECT_LOG_PATTERN_H
#define STEPSTAT_ANALYSIS_SELECT_LOG_PATTERN_H

#include <stddef.h>
#include "base/arena.h"
#include "base/error.h"

struct log_pattern {
	void *code;
	const char **name; /* of the groups, as they stand in the pattern */
	size_t count;
};

/* In the arena; ERROR_USAGE where the pattern is wrong or names no group. */
struct log_pattern *log_pattern_new(const char *pattern, struct arena *arena, struct error *err);
/* 1: the line matches, and value[i] of size[i] bytes is what the group name[i] is in it (NULL:
 * nothing); 0: it does not, -1: the pattern reached PCRE2's limits. `pattern` is a struct
 * log_pattern; many threads may ask at once. */
int log_pattern_match(
	void *pattern, const char *line, const char **value, size_t *size, struct error *err);

#endif
