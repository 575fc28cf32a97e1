/*
 * Compiles and matches one regular expression. Patterns and names come from outside, so each match
 * runs under limits, and a limit that is reached is an error and never "no match".
 */
#include "analysis/select/pattern.h"

#include <string.h>
#include "base/memory.h"
#include "base/text.h"

/*
 * An op name is some hundred bytes. Honest patterns need a few thousand steps for one; these limits
 * end a hopeless match within some hundredths of a second, also without JIT.
 */
#define MATCH_LIMIT 2000000
#define DEPTH_LIMIT 250000
#define HEAP_LIMIT_KIB 65536
#define JIT_STACK_START (32 * 1024)
#define JIT_STACK_MOST (1024 * 1024)

#define SHOWN_WIDTH 100 /* columns of a pattern or a name in a message */

static void *allocate(PCRE2_SIZE size_bytes, void *unused)
{
	(void)unused;
	return memory_alloc(size_bytes);
}

static void release(void *p, void *unused)
{
	(void)unused;
	memory_free(p);
}

static void release_general(void *object)
{
	pcre2_general_context_free(object);
}

static void release_compiling(void *object)
{
	pcre2_compile_context_free(object);
}

static void release_matching(void *object)
{
	pcre2_match_context_free(object);
}

static void release_stack(void *object)
{
	pcre2_jit_stack_free(object);
}

static void release_data(void *object)
{
	struct matcher *matcher = object;

	pcre2_match_data_free(matcher->data);
}

static void release_code(void *object)
{
	pcre2_code_free(object);
}

struct matcher *matcher_new(struct arena *arena)
{
	struct matcher *matcher = arena_alloc(arena, sizeof(*matcher));

	/* These fail only for want of memory, and then `allocate` does not return. */
	matcher->arena = arena;
	matcher->general = pcre2_general_context_create(allocate, release, NULL);
	arena_defer(arena, release_general, matcher->general);
	matcher->compiling = pcre2_compile_context_create(matcher->general);
	arena_defer(arena, release_compiling, matcher->compiling);
	matcher->matching = pcre2_match_context_create(matcher->general);
	arena_defer(arena, release_matching, matcher->matching);
	pcre2_set_match_limit(matcher->matching, MATCH_LIMIT);
	pcre2_set_depth_limit(matcher->matching, DEPTH_LIMIT);
	pcre2_set_heap_limit(matcher->matching, HEAP_LIMIT_KIB);
	/* NULL where PCRE2 has no JIT; then the interpreter does the work. */
	pcre2_jit_stack *stack =
		pcre2_jit_stack_create(JIT_STACK_START, JIT_STACK_MOST, matcher->general);
	if (stack) {
		arena_defer(arena, release_stack, stack);
		pcre2_jit_stack_assign(matcher->matching, NULL, stack);
	}
	matcher->data_pairs = 16;
	matcher->data = pcre2_match_data_create(matcher->data_pairs, matcher->general);
	arena_defer(arena, release_data, matcher);
	return matcher;
}

static pcre2_code *compile(struct matcher *matcher, const struct pattern *pattern, bool bytes,
	bool whole, struct pattern_problem *problem)
{
	int number;
	PCRE2_SIZE offset;
	/* Anchored at match time instead, JIT would not be used. */
	uint32_t options = pattern->options | (bytes ? PCRE2_NEVER_UTF : PCRE2_UTF) |
			   (whole ? PCRE2_ANCHORED | PCRE2_ENDANCHORED : 0);
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern->regex, pattern->size, options,
		&number, &offset, matcher->compiling);

	if (!code) {
		problem->offset = offset <= pattern->size ? offset : pattern->size;
		pcre2_get_error_message(
			number, (PCRE2_UCHAR *)problem->message, sizeof(problem->message));
		return NULL;
	}
	arena_defer(matcher->arena, release_code, code);
	/* Where this fails (no executable memory, say) matching is slower, and right. */
	(void)pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	return code;
}

pcre2_code *pattern_of_option(
	const char *option, const char *regex, struct arena *arena, struct error *err)
{
	PCRE2_SIZE offset;
	int number;
	pcre2_code *code =
		pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED, 0, &number, &offset, NULL);

	if (!code) {
		PCRE2_UCHAR text[256];

		pcre2_get_error_message(number, text, sizeof(text));
		error_set(err, ERROR_USAGE, option, "in \"%s\" at character %zu: %s", regex,
			(size_t)offset + 1, (const char *)text);
		return NULL;
	}
	arena_defer(arena, release_code, code);
	return code;
}

int pattern_of_option_match(const char *option, const pcre2_code *code, const char *name,
	pcre2_match_data *match, struct error *err)
{
	int groups = pcre2_match(code, (PCRE2_SPTR)name, strlen(name), 0, 0, match, NULL);

	if (groups == PCRE2_ERROR_NOMATCH)
		return 0;
	if (groups > 0)
		return groups;
	error_set(err, ERROR_USAGE, option,
		"the pattern cannot be matched against \"%.100s\" (PCRE2 error %d)", name, groups);
	return error_hint(err, "a pattern with fewer repetitions inside repetitions");
}

struct pattern *pattern_new(struct matcher *matcher, const struct rule *rule, const char *regex,
	size_t size, bool ignore_case, struct pattern_problem *problem)
{
	struct pattern *pattern = arena_alloc(matcher->arena, sizeof(*pattern));

	pattern->rule = rule;
	pattern->regex = arena_strndup(matcher->arena, regex, size);
	pattern->size = size;
	/* A name is one text and not lines: $ is its end, also after a newline. */
	pattern->options =
		PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY | (ignore_case ? PCRE2_CASELESS : 0);
	pattern->code[0][0] = compile(matcher, pattern, false, false, problem);
	return pattern->code[0][0] ? pattern : NULL;
}

pcre2_match_data *pattern_data(struct matcher *matcher, const struct pattern *pattern)
{
	uint32_t groups = 0;

	(void)pcre2_pattern_info(pattern->code[0][0], PCRE2_INFO_CAPTURECOUNT, &groups);
	if (groups + 1 > matcher->data_pairs) {
		pcre2_match_data_free(matcher->data);
		matcher->data_pairs = groups + 1;
		matcher->data = pcre2_match_data_create(matcher->data_pairs, matcher->general);
	}
	return matcher->data;
}

bool pattern_not_utf8(int code)
{
	return code <= PCRE2_ERROR_UTF8_ERR1 && code >= PCRE2_ERROR_UTF8_ERR21;
}

int pattern_match(struct matcher *matcher, struct pattern *pattern, const char *name, size_t size,
	bool whole, struct error *err)
{
	bool bytes = false;
	uint32_t options = 0;

	for (;;) {
		const pcre2_code *code = pattern_code(matcher, pattern, bytes, whole, name, err);

		if (!code)
			return -1;
		int rc = pcre2_match(
			code, (PCRE2_SPTR)name, size, 0, options, matcher->data, matcher->matching);

		if (rc >= 0 || rc == PCRE2_ERROR_NOMATCH)
			return rc >= 0;
		if (pattern_not_utf8(rc) && !bytes)
			bytes = true;
		else if (rc == PCRE2_ERROR_JIT_STACKLIMIT && !options)
			options = PCRE2_NO_JIT;
		else
			return pattern_fail(pattern->rule, rc, name, err);
	}
}

static void add_shown(struct text *t, const char *s)
{
	struct text visible;

	text_init(&visible);
	text_add_visible(&visible, s);
	text_add_char(t, '"');
	text_add_shortened(t, text_string(&visible), SHOWN_WIDTH);
	text_add_char(t, '"');
	text_release(&visible);
}

/*
 * Names that are no UTF-8 are matched byte by byte. PCRE2_MATCH_INVALID_UTF would not need this,
 * but with it PCRE2 10.42 is wrong: JIT misses valid characters (\D does not match U+0AE2), and
 * without JIT \z matches before a bad byte.
 */
const pcre2_code *pattern_code(struct matcher *matcher, struct pattern *pattern, bool bytes,
	bool whole, const char *name, struct error *err)
{
	pcre2_code **code = &pattern->code[bytes][whole];
	struct pattern_problem problem;
	struct text t;

	if (!*code)
		*code = compile(matcher, pattern, bytes, whole, &problem);
	if (*code)
		return *code;
	text_init(&t);
	text_printf(&t, "%s ", rule_noun(pattern->rule));
	add_shown(&t, pattern->rule->text);
	text_add(&t, " cannot be tried on op ");
	add_shown(&t, name);
	text_printf(&t, "%s: %s", bytes ? ", which is not UTF-8" : "", problem.message);
	error_set(err, ERROR_USAGE, pattern->rule->place, "%s", text_string(&t));
	text_release(&t);
	return NULL;
}

int pattern_fail(const struct rule *rule, int code, const char *name, struct error *err)
{
	struct text t;
	const char *limit = NULL;

	if (code == PCRE2_ERROR_MATCHLIMIT)
		limit = "match";
	else if (code == PCRE2_ERROR_DEPTHLIMIT)
		limit = "depth";
	else if (code == PCRE2_ERROR_HEAPLIMIT)
		limit = "memory";
	text_init(&t);
	text_printf(&t, "%s ", rule_noun(rule));
	add_shown(&t, rule->text);
	if (limit) {
		text_printf(&t, " reached the %s limit on op ", limit);
		add_shown(&t, name);
	} else {
		PCRE2_UCHAR words[256];

		text_add(&t, " failed on op ");
		add_shown(&t, name);
		pcre2_get_error_message(code, words, sizeof(words));
		text_printf(&t, ": %s", (const char *)words);
	}
	error_set(err, ERROR_USAGE, rule->place, "%s", text_string(&t));
	if (limit)
		error_hint(err, "write it so that each part of a name can match in one way only: "
				"(a+)+ tries them all, a+ does the same at once");
	text_release(&t);
	return -1;
}

int pattern_too_long(const struct rule *rule, size_t most, const char *name, struct error *err)
{
	struct text t;

	text_init(&t);
	text_printf(&t, "%s ", rule_noun(rule));
	add_shown(&t, rule->text);
	text_printf(&t, " makes a name of more than %zu bytes of op ", most);
	add_shown(&t, name);
	error_set(err, ERROR_USAGE, rule->place, "%s", text_string(&t));
	text_release(&t);
	return -1;
}

const char *rule_noun(const struct rule *rule)
{
	static const char *const nouns[] = {
		[RULE_INCLUDE] = "include pattern",
		[RULE_EXCLUDE] = "exclude pattern",
		[RULE_RENAME] = "rename",
		[RULE_TYPE] = "type pattern",
		[RULE_CLASS] = "class pattern",
		[RULE_MAP] = "pattern",
		[RULE_MAP_TYPE] = "type pattern",
		[RULE_POLICY] = "policy pattern",
		[RULE_WAIVER] = "waiver pattern",
	};

	return nouns[rule->kind];
}

/* Characters of s before byte `offset`, plus 1; a byte that is not UTF-8 counts as one. */
static size_t rule_character(const char *s, size_t offset)
{
	size_t count = 1;

	for (size_t i = 0; i < offset; count++) {
		size_t length = text_utf8_length(s + i, offset - i);

		i += length ? length : 1;
	}
	return count;
}

int rule_wrong(const struct rule *rule, size_t offset, const char *message, struct error *err)
{
	struct text t;

	text_init(&t);
	text_printf(&t, "%s ", rule_noun(rule));
	add_shown(&t, rule->text);
	error_set(err, ERROR_USAGE, rule->place, "%s: at character %zu: %s", text_string(&t),
		rule_character(rule->text, offset), message);
	text_release(&t);
	return -1;
}
