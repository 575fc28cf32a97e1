/*
 * One regular expression of a rule, compiled with PCRE2 and matched under limits. It does not know
 * what the rule is for, nor how s/REGEX/TEXT/ is parsed.
 */
#ifndef STEPSTAT_ANALYSIS_SELECT_PATTERN_H
#define STEPSTAT_ANALYSIS_SELECT_PATTERN_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/arena.h"
#include "base/error.h"
#include "analysis/select/rules.h"

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

/* A regular expression that is the value of `option` itself, without rules and limits; in the
 * arena. NULL is ERROR_USAGE with the place. */
pcre2_code *pattern_of_option(
	const char *option, const char *regex, struct arena *arena, struct error *err);
/* Returns the number of groups that are set (1: no group but the whole), 0: the expression is not
 * found in the name, -1: PCRE2's limits were reached. `match` is of this code. */
int pattern_of_option_match(const char *option, const pcre2_code *code, const char *name,
	pcre2_match_data *match, struct error *err);

/* "include pattern", "rename" ...: what a rule is called in messages. */
const char *rule_noun(const struct rule *rule);
/* ERROR_USAGE `NOUN "TEXT": at character N: MESSAGE`; returns -1. */
int rule_wrong(const struct rule *rule, size_t offset, const char *message, struct error *err);

#endif
