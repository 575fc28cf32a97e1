/* One regular expression of a rule, compiled with PCRE2 and matched under limits. It does not know
 * what the rule is for, nor how s/REGEX/TEXT/ is parsed. */
#pragma once

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "analysis/select/rules.h"
#include "base/arena.h"
#include "base/error.h"
#include "model/merge.h"

/* State that all patterns of one set of rules share; not for two threads at once. */
struct matcher {
	struct arena *arena;
	pcre2_general_context *general;
	pcre2_compile_context *compiling;
	pcre2_match_context *matching; /* limits and JIT stack */
	pcre2_match_data *data;
	uint32_t data_pairs; /* room of `data` */
};

struct pattern {
	const struct rule *rule; /* for messages */
	const char *regex;
	size_t size;
	uint32_t options;
	/* [bytes][whole]; all but the first are compiled when first needed */
	pcre2_code *code[2][2];
};

struct pattern_problem {
	size_t offset; /* in regex, bytes */
	char message[256];
};

struct matcher *matcher_new(struct arena *arena); /* ends with the arena */

/* NULL when the expression is wrong; then *problem says why. regex is copied. */
struct pattern *pattern_new(struct matcher *matcher, const struct rule *rule, const char *regex,
	size_t size, bool ignore_case, struct pattern_problem *problem);
/* Returns 1 if the expression is found in the name or, with `whole`, is all of the name, else 0, or
 * -1. */
int pattern_match(struct matcher *matcher, struct pattern *pattern, const char *name, size_t size,
	bool whole, struct error *err);
/* Match data with room for all groups of the pattern. */
pcre2_match_data *pattern_data(struct matcher *matcher, const struct pattern *pattern);
/* The code to use, by whether the name is UTF-8 and whether all of it must match. NULL with an
 * error that names rule and op when the pattern cannot be compiled that way. */
const pcre2_code *pattern_code(struct matcher *matcher, struct pattern *pattern, bool bytes,
	bool whole, const char *name, struct error *err);
bool pattern_not_utf8(int code); /* the error number says that the name is not UTF-8 */
/* Words for an error number of pcre2_match or pcre2_substitute; returns -1. */
int pattern_fail(const struct rule *rule, int code, const char *name, struct error *err);
/* The same for a renamed name that outgrew its cap. */
int pattern_too_long(const struct rule *rule, size_t most, const char *name, struct error *err);

/* "include pattern", "rename" ...: what a rule is called in messages. */
const char *rule_noun(const struct rule *rule);
/* ERROR_USAGE `NOUN "TEXT": at character N: MESSAGE`; returns -1. */
int rule_wrong(const struct rule *rule, size_t offset, const char *message, struct error *err);

/* Values of a line of a log, by a pattern of the user with named groups: --log=REGEX. It knows no
 * files and no measures. */

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

/* Pattern of the user for slices of a trace that are steps: --step-marker=REGEX. It knows no
 * traces. */

struct step_marker;

/* Makes the marker in the arena; a bad pattern is ERROR_USAGE. */
struct step_marker *step_marker_new(const char *pattern, struct arena *arena, struct error *err);
/* 1: the name is that of a step, 0: it is not, -1: the pattern reached PCRE2's limits. *numbered:
 * its first capture group is a whole number, the step's. `marker` is a struct step_marker; many
 * threads may ask at once. */
int step_marker_match(
	void *marker, const char *name, bool *numbered, int64_t *number, struct error *err);

/* The name of a run, a rank or a round, out of a path: --runs=REGEX, --ranks=REGEX, --pair=REGEX.
 * It knows no profiles. */

struct run_namer;

/* Namer of runs or ranks, in the arena; a bad pattern is ERROR_USAGE. `option` and `what` it names
 * are for messages: "--runs", "run". */
struct run_namer *run_namer_new(const char *option, const char *what, const char *pattern,
	struct arena *arena, struct error *err);
/* The first capture group of the match, or the whole match; NULL is ERROR_INPUT. `namer` is a
 * struct run_namer, as struct merge_options wants it. */
const char *run_namer_name(void *namer, const char *path, struct arena *arena, struct error *err);

/* Test whether a frame of Python is the user's own code, for --by=stack:N: by a list of known
 * libraries, or by a pattern of the user, user-code. It knows no traces. */

struct user_code;

/* Makes the test in the arena; a bad pattern is ERROR_USAGE. */
struct user_code *user_code_new(const char *pattern, struct arena *arena, struct error *err);
/* 1: a frame of this name ("train.py(12): step") is the user's, 0: it is not, -1: the pattern
 * reached PCRE2's limits. `user_code` NULL: what user_code_is_known_library() leaves is. Many
 * threads may ask at once. */
int user_code_match(void *user_code, const char *name, struct error *err);
