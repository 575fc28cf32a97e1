/*
 * Rules from a YAML file: select, rename, types and classes; report goes to the caller's settings,
 * gate is for others and only walked over.
 */
#include "analysis/select/rules.h"

#include <string.h>
#include "base/text.h"
#include "analysis/select/yaml_reader.h"

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
