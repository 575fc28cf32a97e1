/* The rules in their order, and what they decide for one name. Patterns and renames themselves are
 * in pattern.c and rename.c. */
#include "analysis/select/rules.h"

#include <assert.h>
#include <string.h>
#include "analysis/select/pattern.h"
#include "analysis/select/rename.h"
#include "analysis/select/yaml_reader.h"
#include "base/memory.h"
#include "base/text.h"

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
	if (decide_included(rules, name, size, out, err))
		return -1;
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

/* Rules from a YAML file: select, rename, types and classes; report goes to the caller's settings,
 * gate is for others and only walked over. */

struct rules_target {
	struct rules *rules;
	const struct rules_settings *settings; /* NULL: `report` is only walked over */
	struct rules_unread *unread;	       /* NULL: not asked for */
};

static struct rules *rules_of(const struct yaml_reader *reader)
{
	const struct rules_target *target = reader->context;

	return target->rules;
}

static int add_rule(
	struct yaml_reader *reader, enum rule_kind kind, const char *type, const char *expected)
{
	char place[YAML_PLACE_SIZE];

	if (!yaml_is_text(reader) || yaml_is_nothing(reader))
		return YAML_FAIL(
			reader, "found %s in a list, expected %s", yaml_found(reader), expected);
	yaml_place(reader, reader->event.start_mark, place);
	return rules_add(rules_of(reader), kind, yaml_text(reader), type, place, reader->err);
}

/* One text or a list of them; a key without a value, as commenting out leaves it, has none. */
static int read_rules(struct yaml_reader *reader, enum rule_kind kind, const char *type)
{
	const char *expected = kind == RULE_RENAME ? "'s/REGEX/TEXT/FLAGS'" : "a pattern";

	if (yaml_is_nothing(reader))
		return 0;
	if (yaml_is_text(reader))
		return add_rule(reader, kind, type, expected);
	if (reader->event.type != YAML_SEQUENCE_START_EVENT)
		return YAML_FAIL(reader, "found %s, expected %s or a list of them",
			yaml_found(reader), expected);
	for (;;) {
		if (yaml_next(reader))
			return -1;
		if (reader->event.type == YAML_SEQUENCE_END_EVENT)
			return 0;
		if (add_rule(reader, kind, type, expected))
			return -1;
	}
}

static int read_include(struct yaml_reader *reader)
{
	return read_rules(reader, RULE_INCLUDE, NULL);
}

static int read_exclude(struct yaml_reader *reader)
{
	return read_rules(reader, RULE_EXCLUDE, NULL);
}

static int read_rename(struct yaml_reader *reader)
{
	return read_rules(reader, RULE_RENAME, NULL);
}

static int read_match(struct yaml_reader *reader)
{
	static const char *const words[] = {"full", "anywhere"};
	bool is_text = yaml_is_text(reader);

	for (size_t i = 0; i < 2; i++)
		if (is_text && text_equal(yaml_text(reader), words[i])) {
			rules_set_full_match(rules_of(reader), i == 0);
			return 0;
		}
	YAML_FAIL(reader, "found %s as match, expected full or anywhere", yaml_found(reader));
	int near = is_text ? text_nearest(yaml_text(reader), words, 2) : -1;

	return near < 0 ? -1 : error_hint(reader->err, "did you mean \"%s\"?", words[near]);
}

static int read_named(struct yaml_reader *reader, enum rule_kind kind, const char *noun)
{
	if (yaml_is_nothing(reader))
		return 0;
	if (reader->event.type != YAML_MAPPING_START_EVENT)
		return YAML_FAIL(reader, "found %s, expected a mapping of %s to patterns",
			yaml_found(reader), kind == RULE_TYPE ? "types" : "classes");
	for (;;) {
		if (yaml_next(reader))
			return -1;
		if (reader->event.type == YAML_MAPPING_END_EVENT)
			return 0;
		if (!yaml_is_text(reader) || !yaml_text(reader)[0])
			return YAML_FAIL(reader,
				"found %s as a key of %s, expected the name of a %s",
				yaml_is_text(reader) ? "nothing" : yaml_found(reader),
				kind == RULE_TYPE ? "types" : "classes", noun);
		size_t before = intern_count(reader->seen);
		const char *type = arena_strdup(reader->arena, yaml_text(reader));

		const char *key = arena_printf(reader->arena, "%s %s", noun, type);

		intern_id(reader->seen, key, strlen(key));
		if (intern_count(reader->seen) == before)
			return YAML_FAIL(reader,
				"found %s %s a second time, expected it once with a list "
				"of patterns",
				noun, yaml_found(reader));
		if (yaml_next(reader) || read_rules(reader, kind, type))
			return -1;
	}
}

static int read_types(struct yaml_reader *reader)
{
	return read_named(reader, RULE_TYPE, "type");
}

static int read_classes(struct yaml_reader *reader)
{
	return read_named(reader, RULE_CLASS, "class");
}

/* The value of a setting: a text, or a list of texts joined by commas. */
static int read_value(struct yaml_reader *reader, struct text *value)
{
	if (yaml_is_text(reader)) {
		text_add(value, yaml_text(reader));
		return 0;
	}
	if (reader->event.type != YAML_SEQUENCE_START_EVENT)
		return YAML_FAIL(reader, "found %s, expected a value or a list of values",
			yaml_found(reader));
	for (;;) {
		if (yaml_next(reader))
			return -1;
		if (reader->event.type == YAML_SEQUENCE_END_EVENT)
			return 0;
		if (!yaml_is_text(reader))
			return YAML_FAIL(
				reader, "found %s in a list, expected a value", yaml_found(reader));
		text_printf(value, "%s%s", value->size ? "," : "", yaml_text(reader));
	}
}

static int read_setting(struct yaml_reader *reader)
{
	const struct rules_target *target = reader->context;
	char place[YAML_PLACE_SIZE];
	const char *key;
	struct text value;
	int status;

	if (!yaml_is_text(reader))
		return YAML_FAIL(reader,
			"found %s as a key of report, expected the name of an option",
			yaml_found(reader));
	key = arena_printf(reader->arena, "setting %s", yaml_text(reader));
	if (intern_find(reader->seen, key, strlen(key), &(uint32_t){0}))
		return YAML_FAIL(reader, "found setting %s a second time, expected it once",
			yaml_found(reader));
	intern_id(reader->seen, key, strlen(key));
	key = arena_strdup(reader->arena, yaml_text(reader));
	yaml_place(reader, reader->event.start_mark, place);
	if (yaml_next(reader))
		return -1;
	text_init(&value);
	status = read_value(reader, &value);
	if (!status)
		status = target->settings->apply(
			target->settings->context, key, text_string(&value), place, reader->err);
	text_release(&value);
	return status;
}

static int read_gate(struct yaml_reader *reader)
{
	const struct rules_target *target = reader->context;

	if (target->unread)
		target->unread->gate |= !yaml_is_nothing(reader);
	return yaml_read_anything(reader);
}

static int read_report(struct yaml_reader *reader)
{
	const struct rules_target *target = reader->context;

	if (target->unread)
		target->unread->report |= !yaml_is_nothing(reader);
	if (!target->settings)
		return yaml_read_anything(reader);
	if (yaml_is_nothing(reader))
		return 0;
	if (reader->event.type != YAML_MAPPING_START_EVENT)
		return YAML_FAIL(reader, "found %s, expected a mapping of options to values",
			yaml_found(reader));
	for (;;) {
		if (yaml_next(reader))
			return -1;
		if (reader->event.type == YAML_MAPPING_END_EVENT)
			return 0;
		if (read_setting(reader))
			return -1;
	}
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct yaml_keys top_keys;

static const struct yaml_key select_table[] = {
	{"include", read_include},
	{"exclude", read_exclude},
	{"match", read_match},
};
static const struct yaml_keys select_keys = {
	.key = select_table,
	.count = COUNT(select_table),
	.of = "select",
	.outer = &top_keys,
};

static int read_select(struct yaml_reader *reader)
{
	return yaml_read_keys(reader, &select_keys);
}

static const struct yaml_key top_table[] = {
	{"select", read_select},
	{"rename", read_rename},
	{"types", read_types},
	{"classes", read_classes},
	{"report", read_report},
	{"gate", read_gate},
};
static const struct yaml_keys top_keys = {
	.key = top_table,
	.count = COUNT(top_table),
	.inner = {&select_keys},
};

int rules_read_memory(
	struct rules *rules, const void *bytes, size_t size, const char *place, struct error *err)
{
	return rules_read_config(rules, bytes, size, place, NULL, err);
}

int rules_read_file(
	struct rules *rules, const char *path, struct rules_unread *unread, struct error *err)
{
	struct rules_target target = {.rules = rules, .unread = unread};

	*unread = (struct rules_unread){false, false};

	return yaml_read_file(path, "rules", &top_keys, &target, err);
}

int rules_read_config(struct rules *rules, const void *bytes, size_t size, const char *place,
	const struct rules_settings *settings, struct error *err)
{
	struct rules_target target = {.rules = rules, .settings = settings};
	const struct yaml_source source = {bytes, size, place, "rules"};

	return yaml_read_memory(&source, &top_keys, &target, err);
}
