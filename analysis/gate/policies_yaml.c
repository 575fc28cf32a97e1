/* The section `gate` of a configuration file. Values are texts for policies_values.c; here is what
 * belongs where, and what must not be missing. */
#include <math.h>
#include "analysis/gate/policies.h"
#include "analysis/select/yaml_reader.h"
#include "base/text.h"
#include "model/own/measure_own.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The target of what is being read: the standard policy, a policy, or a waiver. */
struct policies_target {
	struct policies *policies;
	struct policy *policy;
	struct waiver *waiver; /* NULL: it is the policy */
	bool has_expiry;
	yaml_mark_t start;     /* of the policy or waiver */
	yaml_mark_t ps, bytes; /* of the absolute margins */
};

static const struct yaml_keys gate_keys, keys_of_policy, waiver_keys;

static int expect_value(struct yaml_reader *reader)
{
	if (yaml_is_text(reader))
		return 0;
	return YAML_FAIL(
		reader, "found %s as %s, expected a value", yaml_found(reader), reader->key);
}

static int read_value(struct yaml_reader *reader)
{
	const struct policies_target *target = reader->context;
	char place[YAML_PLACE_SIZE];

	if (expect_value(reader))
		return -1;
	yaml_place(reader, reader->event.start_mark, place);
	return policies_set_value(target->policies, target->policy, reader->key, yaml_text(reader),
		place, reader->err);
}

/* An amount, at most one for times and one for bytes. */
static int read_amount(struct yaml_reader *reader)
{
	static const unsigned parts[] = {PART_MARGIN_PS, PART_MARGIN_BYTES};
	struct policies_target *target = reader->context;
	yaml_mark_t *const marks[] = {&target->ps, &target->bytes};
	unsigned before = target->policy->given;

	target->policy->given &= ~(parts[0] | parts[1]);
	if (read_value(reader))
		return -1;
	for (size_t i = 0; i < 2; i++) {
		if (!(target->policy->given & parts[i]))
			continue;
		if (before & parts[i])
			return YAML_FAIL(reader,
				"found a second absolute margin for %s, expected one (first at "
				"line %zu)",
				i ? "bytes" : "times", marks[i]->line + 1);
		*marks[i] = reader->event.start_mark;
	}
	target->policy->given |= before;
	return 0;
}

static int read_absolute(struct yaml_reader *reader)
{
	const struct policies_target *target = reader->context;
	yaml_mark_t mark = reader->event.start_mark;

	if (yaml_read_items(reader, read_amount))
		return -1;
	if (target->policy->given & (PART_MARGIN_PS | PART_MARGIN_BYTES))
		return 0;
	return yaml_fail_at(
		reader, mark, "found an empty list as absolute margin, expected 50us or 4KB, say");
}

static int read_margin(struct yaml_reader *reader)
{
	static const struct yaml_key table[] = {
		{"relative", read_value},
		{"absolute", read_absolute},
		{"share", read_value},
	};
	static const struct yaml_keys margin_keys = {
		.key = table, .count = COUNT(table), .of = "margin"};

	if (reader->event.type == YAML_MAPPING_START_EVENT)
		return yaml_read_keys(reader, &margin_keys);
	if (!yaml_is_text(reader))
		return YAML_FAIL(reader,
			"found %s as margin, expected a value or a mapping with relative, absolute "
			"or share",
			yaml_found(reader));
	return read_amount(reader);
}

static int read_pattern(struct yaml_reader *reader)
{
	struct policies_target *target = reader->context;
	struct waiver *waiver = target->waiver;
	char place[YAML_PLACE_SIZE];

	if (!yaml_is_text(reader) || yaml_is_nothing(reader))
		return YAML_FAIL(reader, "found %s as ops, expected a pattern or a list of them",
			yaml_found(reader));
	yaml_place(reader, reader->event.start_mark, place);
	return policies_add_pattern(target->policies,
		waiver ? &waiver->patterns : &target->policy->patterns,
		waiver ? RULE_WAIVER : RULE_POLICY, yaml_text(reader), place, reader->err);
}

/* A key without a pattern is a mistake: it would be a policy for every op. */
static int read_ops(struct yaml_reader *reader)
{
	const struct policies_target *target = reader->context;
	yaml_mark_t mark = reader->event.start_mark;

	if (yaml_read_items(reader, read_pattern))
		return -1;
	if (target->waiver ? target->waiver->patterns : target->policy->patterns)
		return 0;
	return yaml_fail_at(
		reader, mark, "found an empty list as ops, expected a pattern or a list of them");
}

static int read_measure(struct yaml_reader *reader)
{
	struct policies_target *target = reader->context;
	struct error unknown = {.kind = ERROR_NONE}, full = {.kind = ERROR_NONE};
	enum measure_id id;

	if (expect_value(reader))
		return -1;
	const char *name = yaml_text(reader);
	bool slip = !measure_find(name, &unknown) && measure_nearest(name) != NULL;

	if (!*name || (slip && !measure_own_declared(name)) ||
		measure_own_wanted(name, &id, &full) < 0) {
		YAML_FAIL(reader, "found %s as measure, expected the name of a measure",
			yaml_found(reader));
		return error_hint(reader->err, "%s", slip ? unknown.hint : full.hint);
	}
	if (measure_at(id)->kind == MEASURE_OF_CALLS)
		return YAML_FAIL(reader,
			"found %s as measure, which is of single executions: a gate compares steps",
			yaml_found(reader));
	if (target->waiver) {
		target->waiver->has_measure = true;
		target->waiver->measure = id;
	} else {
		target->policy->has_measure = true;
		target->policy->measure = id;
	}
	return 0;
}

/* A text that must not be empty, in the arena of the policies. */
static int read_text(struct yaml_reader *reader, const char **text)
{
	const struct policies_target *target = reader->context;

	if (expect_value(reader))
		return -1;
	if (!yaml_text(reader)[0])
		return YAML_FAIL(reader, "found nothing as %s, expected a text", reader->key);
	*text = arena_strdup(target->policies->arena, yaml_text(reader));
	return 0;
}

static int read_name(struct yaml_reader *reader)
{
	struct policies_target *target = reader->context;

	return read_text(reader, &target->policy->name);
}

static int read_watch(struct yaml_reader *reader)
{
	static const char *const words[] = {"false", "true"};
	struct policies_target *target = reader->context;
	char place[YAML_PLACE_SIZE];
	size_t index;

	if (expect_value(reader))
		return -1;
	yaml_place(reader, reader->event.start_mark, place);
	if (policies_word(&(struct policy_word){yaml_text(reader), reader->key, place, words, 2},
		    &index, reader->err))
		return -1;
	target->policy->watch = index == 1;
	return 0;
}

static int read_owner(struct yaml_reader *reader)
{
	struct policies_target *target = reader->context;

	return read_text(reader, &target->waiver->owner);
}

static int read_reason(struct yaml_reader *reader)
{
	struct policies_target *target = reader->context;

	return read_text(reader, &target->waiver->reason);
}

static int read_expires(struct yaml_reader *reader)
{
	struct policies_target *target = reader->context;
	char place[YAML_PLACE_SIZE];

	if (expect_value(reader))
		return -1;
	yaml_place(reader, reader->event.start_mark, place);
	target->has_expiry = true;
	return policies_day(
		yaml_text(reader), reader->key, place, &target->waiver->expires_day, reader->err);
}

static int read_ceiling(struct yaml_reader *reader)
{
	struct policies_target *target = reader->context;
	char place[YAML_PLACE_SIZE];

	if (expect_value(reader))
		return -1;
	yaml_place(reader, reader->event.start_mark, place);
	return policies_percent(
		yaml_text(reader), reader->key, place, &target->waiver->ceiling_frac, reader->err);
}

/* Known only after the last key: `measure` may follow `margin`. */
static int check_margin(struct yaml_reader *reader, const struct policies_target *target)
{
	const struct policy *policy = target->policy;
	unsigned given = policy->given & (PART_MARGIN_PS | PART_MARGIN_BYTES);

	if (!policy->has_measure || measure_is_name(policy->measure))
		return 0;
	const struct measure *measure = measure_at(policy->measure);

	if (measure->dimension == DIMENSION_TIME)
		given &= ~(unsigned)PART_MARGIN_PS;
	if (measure->dimension == DIMENSION_BYTES)
		given &= ~(unsigned)PART_MARGIN_BYTES;
	if (!given)
		return 0;
	bool is_time = given & PART_MARGIN_PS;
	const char *expected = "a percentage";

	if (measure->dimension == DIMENSION_TIME)
		expected = "a unit of time, as 50us";
	else if (measure->dimension == DIMENSION_BYTES)
		expected = "a unit of bytes, as 4KB";
	return yaml_fail_at(reader, is_time ? target->ps : target->bytes,
		"found an absolute margin in %s for measure \"%s\", expected %s",
		is_time ? "time" : "bytes", measure->name, expected);
}

static int read_policy(struct yaml_reader *reader)
{
	struct policies_target *gate = reader->context;
	struct policies_target target = {
		.policies = gate->policies, .start = reader->event.start_mark};
	char place[YAML_PLACE_SIZE];

	target.policy = policies_add(gate->policies, reader->err);
	if (!target.policy)
		return -1;
	yaml_place(reader, target.start, place);
	target.policy->place = arena_strdup(gate->policies->arena, place);
	reader->context = &target;
	int result = yaml_read_keys(reader, &keys_of_policy);

	reader->context = gate;
	if (result || check_margin(reader, &target))
		return -1;
	if (!target.policy->patterns && !target.policy->has_measure)
		return yaml_fail_at(reader, target.start,
			"found a policy without ops and measure, expected ops, measure or both");
	if (target.policy->watch)
		policies_add_family(gate->policies, target.policy);
	return 0;
}

static int check_waiver(struct yaml_reader *reader, const struct policies_target *target)
{
	const struct waiver *waiver = target->waiver;
	const struct {
		const char *key;
		bool given;
	} needed[] = {
		{"ops", waiver->patterns != NULL},
		{"owner", waiver->owner != NULL},
		{"expires", target->has_expiry},
		{"reason", waiver->reason != NULL},
	};
	struct text missing;

	text_init(&missing);
	for (size_t i = 0; i < COUNT(needed); i++)
		if (!needed[i].given)
			text_printf(&missing, "%s%s", missing.size ? ", " : "", needed[i].key);
	int result = !missing.size ? 0
				   : yaml_fail_at(reader, target->start,
					     "found a waiver without %s, expected ops, owner, "
					     "expires and reason",
					     text_string(&missing));

	text_release(&missing);
	return result;
}

static int read_waiver(struct yaml_reader *reader)
{
	struct policies_target *gate = reader->context;
	struct policies_target target = {
		.policies = gate->policies, .start = reader->event.start_mark};
	char place[YAML_PLACE_SIZE];

	target.waiver = policies_add_waiver(gate->policies, reader->err);
	if (!target.waiver)
		return -1;
	yaml_place(reader, target.start, place);
	target.waiver->place = arena_strdup(gate->policies->arena, place);
	reader->context = &target;
	int result = yaml_read_keys(reader, &waiver_keys);

	reader->context = gate;
	return result ? -1 : check_waiver(reader, &target);
}

/* A key without a value, as commenting out leaves it, has none. */
static int read_policies(struct yaml_reader *reader)
{
	return yaml_is_nothing(reader) ? 0 : yaml_read_items(reader, read_policy);
}

static int read_waivers(struct yaml_reader *reader)
{
	return yaml_is_nothing(reader) ? 0 : yaml_read_items(reader, read_waiver);
}

static int read_gate(struct yaml_reader *reader)
{
	return yaml_read_keys(reader, &gate_keys);
}

static const struct yaml_key policy_table[] = {
	{"name", read_name},
	{"ops", read_ops},
	{"measure", read_measure},
	{"margin", read_margin},
#define IN_policy(name) {name, read_value},
#define IN_gate(name)
#define MARGIN_PART(...)
#define KEY(id, of, field, kind, name, ...) IN_##of(name)
#include "analysis/gate/policy_keys.def"
	{"watch", read_watch},
};
static const struct yaml_keys keys_of_policy = {
	.key = policy_table,
	.count = COUNT(policy_table),
	.of = "policies",
	.outer = &gate_keys,
};

static const struct yaml_key waiver_table[] = {
	{"ops", read_ops},
	{"measure", read_measure},
	{"ceiling", read_ceiling},
	{"owner", read_owner},
	{"expires", read_expires},
	{"reason", read_reason},
};
static const struct yaml_keys waiver_keys = {
	.key = waiver_table,
	.count = COUNT(waiver_table),
	.of = "waivers",
};

static const struct yaml_key gate_table[] = {
	{"margin", read_margin},
#undef IN_gate
#define IN_gate IN_policy
#include "analysis/gate/policy_keys.def"
#undef KEY
	{"policies", read_policies},
	{"waivers", read_waivers},
};
static const struct yaml_keys gate_keys = {
	.key = gate_table,
	.count = COUNT(gate_table),
	.of = "gate",
	.inner = {&keys_of_policy, &waiver_keys},
};

/* The others are for analysis/select/rules_yaml.c, which also says what is wrong in them. */
static const struct yaml_key top_table[] = {
	{"select", yaml_read_anything},
	{"rename", yaml_read_anything},
	{"types", yaml_read_anything},
	{"classes", yaml_read_anything},
	{"report", yaml_read_anything},
	{"gate", read_gate},
};
static const struct yaml_keys top_keys = {
	.key = top_table,
	.count = COUNT(top_table),
	.inner = {&gate_keys},
};

int policies_read_memory(struct policies *policies, const void *bytes, size_t size,
	const char *place, struct error *err)
{
	struct policies_target target = {.policies = policies, .policy = &policies->standard};
	const struct yaml_source source = {bytes, size, place, "settings"};
	struct policies before = *policies;
	int result;

	policies->standard.given = 0;
	result = yaml_read_memory(&source, &top_keys, &target, err);
	policies->standard.given |= before.fixed;
	policies_resolve(policies, &before);
	return result;
}
