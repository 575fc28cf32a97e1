/*
 * Test whether a frame of Python is the user's own code, for --by=stack:N: by a list of known
 * libraries, or by a pattern of the user, user-code. It knows no traces.
 */
#ifndef STEPSTAT_ANALYSIS_SELECT_USER_CODE_H
#define STEPSTAT_ANALYSIS_SELECT_USER_CODE_H

#include <stdbool.h>
#include "base/arena.h"
#include "base/error.h"

struct user_code;

/* Makes the test in the arena; a bad pattern is ERROR_USAGE. */
struct user_code *user_code_new(const char *pattern, struct arena *arena, struct error *err);
/* 1: a frame of this name ("train.py(12): step") is the user's, 0: it is not, -1: the pattern
 * reached PCRE2's limits. `user_code` NULL: what user_code_is_known_library() leaves is. Many
 * threads may ask at once. */
int user_code_match(void *user_code, const char *name, struct error *err);

#endif
