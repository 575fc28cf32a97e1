/*
 * The rules in their order, and what they decide for one name. Patterns and renames themselves are
 * in pattern.c and rename.c, the YAML file in rules_yaml.c.
 */
#include "analysis/select/rules.h"

#include <assert.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "analysis/select/pattern.h"
#include "analysis/select/rename.h"

#define KINDS 5		 /* that have a place of their own */
#define RULES_MOST 10000 /* far above what a person writes; each is tried on each name */
#define CLASS_BYTES ((size_t)4096)

struct rules {
	struct arena *arena;
	struct matcher *matcher;
	struct vec kinds[KINDS]; /* of struct rule * */
	size_t count;
	bool full_match;
	struct rename_buffer now, next; /* the name between two renames */
	const struct rule **changed;	/* scratch of rules_apply, room for all renames */
};

struct rules *rules_new(void)
{
	struct arena *arena = arena_new();
	struct rules *rules = arena_alloc(arena, sizeof(*rules));

	rules->arena = arena;
	rules->matcher = matcher_new(arena);
	for (int kind = 0; kind < KINDS; kind++)
		vec_init(&rules->kinds[kind], sizeof(struct rule *), RULES_MOST, "rules");
	return rules;
}

void rules_free(struct rules *rules)
{
	if (!rules)
		return;
	for (int kind = 0; kind < KINDS; kind++)
		vec_release(&rules->kinds[kind]);
	memory_free(rules->now.data);
	memory_free(rules->next.data);
	memory_free(rules->changed);
	arena_free(rules->arena);
}

static enum rule_kind place_of(enum rule_kind kind)
{
	return kind == RULE_MAP || kind == RULE_MAP_TYPE ? RULE_RENAME : kind;
}

static struct rule *kind_at(const struct rules *rules, enum rule_kind kind, size_t index)
{
	struct rule **item = vec_at(&rules->kinds[kind], index);

	return *item;
}

static int compile_rule(struct rules *rules, struct rule *rule, struct error *err)
{
	struct pattern_problem problem;

	if (rule->kind == RULE_RENAME) {
		rule->code = rename_new(rules->matcher, rule, err);
		return rule->code ? 0 : -1;
	}
	if (!rule->text[0]) {
		error_set(err, ERROR_USAGE, rule->place, "found an empty %s, expected a pattern",
			rule_noun(rule));
		return error_hint(err, "\".*\" matches every name");
	}
	rule->code =
		pattern_new(rules->matcher, rule, rule->text, strlen(rule->text), false, &problem);
	return rule->code ? 0 : rule_wrong(rule, problem.offset, problem.message, err);
}

int rules_add(struct rules *rules, enum rule_kind kind, const char *text, const char *type,
	const char *place, struct error *err)
{
	struct rule *rule = arena_alloc(rules->arena, sizeof(*rule));

	assert((kind >= RULE_TYPE && kind <= RULE_MAP_TYPE) == (type != NULL));
	rule->kind = kind;
	rule->text = arena_strdup(rules->arena, text);
	rule->type = type ? arena_strdup(rules->arena, type) : NULL;
	rule->place = arena_strdup(rules->arena, place ? place : "");
	if (rules->count >= RULES_MOST)
		return error_set(err, ERROR_LIMIT, place, "more than %d rules", RULES_MOST);
	if (type && !type[0])
		return error_set(err, ERROR_USAGE, place, "found an empty %s, expected a name",
			kind == RULE_TYPE    ? "type"
			: kind == RULE_CLASS ? "class"
					     : "name");
	if (compile_rule(rules, rule, err))
		return -1;
	struct rule **item = vec_push(&rules->kinds[place_of(kind)], err);

	if (!item)
		return -1;
	*item = rule;
	rules->count++;
	if (place_of(kind) == RULE_RENAME)
		rules->changed = memory_resize(rules->changed,
			memory_product(rules->kinds[RULE_RENAME].room, sizeof(*rules->changed)));
	return 0;
}

void rules_set_full_match(struct rules *rules, bool full)
{
	rules->full_match = full;
}

size_t rules_count(const struct rules *rules)
{
	return rules->count;
}

const struct rule *rules_at(const struct rules *rules, size_t index)
{
	int kind = 0;

	assert(index < rules->count);
	for (; index >= rules->kinds[kind].count; kind++)
		index -= rules->kinds[kind].count;
	return kind_at(rules, kind, index);
}

bool rules_have(const struct rules *rules, enum rule_kind kind)
{
	return rules->kinds[kind].count > 0;
}

void rules_reset_hits(struct rules *rules)
{
	for (int kind = 0; kind < KINDS; kind++)
		for (size_t i = 0; i < rules->kinds[kind].count; i++)
			kind_at(rules, kind, i)->hits = kind_at(rules, kind, i)->whole = 0;
}

static int rule_match(struct rules *rules, const struct rule *rule, const char *name, size_t size,
	struct error *err)
{
	return pattern_match(rules->matcher, rule->code, name, size, rules->full_match, err);
}

/* tfprof's patterns match from end to end: how many of the names would be left is counted. */
static int count_whole(
	struct rules *rules, struct rule *rule, const char *name, size_t size, struct error *err)
{
	int matched = pattern_match(rules->matcher, rule->code, name, size, true, err);

	if (matched < 0)
		return -1;
	rule->whole += matched > 0;
	return 0;
}

/* Tries all rules of a kind, counts those that match, and sets *first to the first of them or NULL.
 */
static int match_all(struct rules *rules, enum rule_kind kind, const char *name, size_t size,
	const struct rule **first, struct error *err)
{
	*first = NULL;
	for (size_t i = 0; i < rules->kinds[kind].count; i++) {
		struct rule *rule = kind_at(rules, kind, i);
		int matched = rule_match(rules, rule, name, size, err);

		if (matched < 0)
			return -1;
		rule->hits += matched > 0;
		if (matched && kind == RULE_INCLUDE && count_whole(rules, rule, name, size, err))
			return -1;
		if (matched && !*first)
			*first = rule;
	}
	return 0;
}

static int decide_included(struct rules *rules, const char *name, size_t size,
	struct rule_outcome *out, struct error *err)
{
	const struct rule *taken_by;

	if (match_all(rules, RULE_INCLUDE, name, size, &taken_by, err))
		return -1;
	if (!taken_by && rules_have(rules, RULE_INCLUDE))
		return 0;
	if (match_all(rules, RULE_EXCLUDE, name, size, &out->dropped_by, err))
		return -1;
	out->kept = !out->dropped_by;
	return 0;
}

static int decide_type(struct rules *rules, const char *name, size_t size, struct rule_outcome *out,
	struct error *err)
{
	for (size_t i = 0; i < rules->kinds[RULE_TYPE].count && !out->type; i++) {
		struct rule *rule = kind_at(rules, RULE_TYPE, i);
		int matched = rule_match(rules, rule, name, size, err);

		if (matched < 0)
			return -1;
		if (matched) {
			out->type = rule->type;
			rule->hits += out->kept;
		}
	}
	return 0;
}

static void set_buffer(struct rename_buffer *buffer, const char *name, size_t size)
{
	rename_buffer_room(buffer, size);
	memcpy(buffer->data, name, size + 1);
	buffer->size = size;
}

/* A recorded name, and the type of its op where renames may ask for it. */
struct rule_subject {
	const char *name;
	size_t size;
	const char *type;
};

/* The name becomes that of the rule: 1, 0: the pattern does not match, -1. */
static int map_name(struct rules *rules, const struct rule *rule,
	const struct rule_subject *subject, struct error *err)
{
	const bool by_type = rule->kind == RULE_MAP_TYPE;
	const char *seen = by_type ? subject->type : rules->now.data;
	int matched = pattern_match(rules->matcher, rule->code, seen,
		by_type ? strlen(subject->type) : rules->now.size, false, err);

	if (matched > 0)
		set_buffer(&rules->next, rule->type, strlen(rule->type));
	return matched;
}

/* One rule: 1: the result is in `next`, 0: it changes nothing, -1. */
static int rename_once(struct rules *rules, struct rule *rule, const struct rule_subject *subject,
	const struct rule_outcome *out, struct error *err)
{
	const struct rename_buffer *now = &rules->now, *next = &rules->next;
	const bool maps = rule->kind != RULE_RENAME;
	int matched = maps ? map_name(rules, rule, subject, err)
			   : rename_apply(rules->matcher, rule->code, subject->name, now,
				     &rules->next, err);

	if (matched < 0 || (maps && !matched))
		return matched;
	const bool same = now->size == next->size && memcmp(now->data, next->data, now->size) == 0;

	rule->hits += out->kept && (maps || !same);
	return !same;
}

static int decide_name(struct rules *rules, const struct rule_subject *subject, struct arena *arena,
	struct rule_outcome *out, struct error *err)
{
	set_buffer(&rules->now, subject->name, subject->size);
	for (size_t i = 0; i < rules->kinds[RULE_RENAME].count; i++) {
		struct rule *rule = kind_at(rules, RULE_RENAME, i);
		int changed = rename_once(rules, rule, subject, out, err);
		struct rename_buffer old = rules->now;

		if (changed < 0)
			return -1;
		if (!changed)
			continue;
		rules->changed[out->changed_count++] = rule;
		rules->now = rules->next;
		rules->next = old;
	}
	if (out->changed_count == 0)
		return 0;
	out->name = arena_strdup(arena, rules->now.size ? rules->now.data : "(empty)");
	out->changed_by = arena_array(arena, out->changed_count, sizeof(*out->changed_by));
	memcpy(out->changed_by, rules->changed, out->changed_count * sizeof(*out->changed_by));
	return 0;
}

int rules_map(struct rules *rules, const char *name, const char *type, struct arena *arena,
	const char **out, struct error *err)
{
	struct rule_outcome outcome = {.kept = true, .name = name};
	const struct rule_subject subject = {name, strlen(name), type};

	if (decide_name(rules, &subject, arena, &outcome, err))
		return -1;
	*out = outcome.name;
	return 0;
}

int rules_apply(struct rules *rules, const char *name, struct arena *arena,
	struct rule_outcome *out, struct error *err)
{
	size_t size = strlen(name);

	*out = (struct rule_outcome){.name = name};
	if (decide_included(rules, name, size, out, err) ||
		decide_type(rules, name, size, out, err))
		return -1;
	if (!rules_have(rules, RULE_RENAME))
		return 0;
	return decide_name(rules, &(struct rule_subject){name, size, ""}, arena, out, err);
}

/* Bytes of a name that the patterns of classes see, up to the end of a character: a name of 64 KiB
 * has its words at its beginning, and each of 60 patterns would read it all. */
static size_t class_bytes(const char *seen)
{
	size_t size = strnlen(seen, CLASS_BYTES + 1);

	if (size <= CLASS_BYTES)
		return size;
	for (size = CLASS_BYTES;
		size > CLASS_BYTES - 4 && ((unsigned char)seen[size] & 0xc0) == 0x80;)
		size--;
	return size;
}

static int find_class(
	struct rules *rules, const char *seen, const char **class_name, struct error *err)
{
	const size_t size = class_bytes(seen);

	for (size_t i = 0; i < rules->kinds[RULE_CLASS].count; i++) {
		struct rule *rule = kind_at(rules, RULE_CLASS, i);
		int matched = pattern_match(rules->matcher, rule->code, seen, size, false, err);

		if (matched < 0)
			return -1;
		if (!matched)
			continue;
		*class_name = rule->type;
		rule->hits++;
		return 0;
	}
	return 0;
}

int rules_class(struct rules *rules, const char *type, const char *name, const char **class_name,
	struct error *err)
{
	const char *shipped = rules_shipped_classes();
	struct text seen;
	int status;

	*class_name = NULL;
	if (!rules_have(rules, RULE_CLASS) &&
		rules_read_memory(rules, shipped, strlen(shipped), "shipped classes", err))
		return -1;
	if (!type || !*type)
		return find_class(rules, name, class_name, err);
	if (!class_type_is_category(type))
		return find_class(rules, type, class_name, err);
	text_init(&seen);
	text_printf(&seen, "%s:%s", type, name);
	status = find_class(rules, text_string(&seen), class_name, err);
	text_release(&seen);
	return status;
}
