/*
 * Policies and waivers in their order, and which of them is for an op. Their texts are read in
 * policies_values.c, the file in policies_yaml.c.
 */
#include "analysis/gate/policies.h"

#include <math.h>
#include <string.h>
#include "base/intern.h"
#include "analysis/select/pattern.h"
#include "analysis/gate/policies_parts.h"
#include "model/own/measure_own.h"

#define POLICIES_MOST 1000  /* far above what a person writes; each is tried on each op */
#define PATTERNS_MOST 10000 /* of all of them together */

struct policies *policies_new(void)
{
	struct arena *arena = arena_new();
	struct policies *policies = arena_alloc(arena, sizeof(*policies));

	*policies = (struct policies){
		.standard = {.name = "standard",
			.place = "",
			.margin_frac = 0.02,
			.margin_ps = NAN,
			.margin_bytes = NAN,
			.margin_share_frac = NAN,
			.alpha = 0.05,
			.min_runs = 1},
		.blind_fails = true,
		.lost_fails = true,
		.allow_loss_frac = 0.10,
		.arena = arena,
		.matcher = matcher_new(arena),
		.families = intern_new(arena),
	};
	vec_init(&policies->policy, sizeof(struct policy *), POLICIES_MOST, "policies");
	vec_init(&policies->waiver, sizeof(struct waiver *), POLICIES_MOST, "waivers");
	return policies;
}

void policies_free(struct policies *policies)
{
	if (!policies)
		return;
	vec_release(&policies->policy);
	vec_release(&policies->waiver);
	arena_free(policies->arena);
}

static struct policy *policy_at(const struct policies *policies, size_t index)
{
	struct policy **item = vec_at(&policies->policy, index);

	return *item;
}

static struct waiver *waiver_at(const struct policies *policies, size_t index)
{
	struct waiver **item = vec_at(&policies->waiver, index);

	return *item;
}

size_t policies_count(const struct policies *policies)
{
	return policies->policy.count;
}

const struct policy *policies_at(const struct policies *policies, size_t index)
{
	return policy_at(policies, index);
}

size_t policies_waiver_count(const struct policies *policies)
{
	return policies->waiver.count;
}

const struct waiver *policies_waiver_at(const struct policies *policies, size_t index)
{
	return waiver_at(policies, index);
}

struct policy *policies_add(struct policies *policies, struct error *err)
{
	struct policy **item = vec_push(&policies->policy, err);

	if (!item)
		return NULL;
	struct policy *policy = arena_alloc(policies->arena, sizeof(*policy));

	*item = policy;
	policy->name = arena_printf(policies->arena, "policy %zu", policies->policy.count);
	policy->place = "";
	return policy;
}

struct waiver *policies_add_waiver(struct policies *policies, struct error *err)
{
	struct waiver **item = vec_push(&policies->waiver, err);

	if (!item)
		return NULL;
	struct waiver *waiver = arena_alloc(policies->arena, sizeof(*waiver));

	*item = waiver;
	waiver->place = "";
	waiver->ceiling_frac = NAN;
	return waiver;
}

void policies_add_family(struct policies *policies, struct policy *policy)
{
	policy->family =
		(size_t)intern_id(policies->families, policy->name, strlen(policy->name)) + 1;
	policies->family_count = intern_count(policies->families);
}

int policies_add_pattern(struct policies *policies, struct policy_pattern **list,
	enum rule_kind kind, const char *text, const char *place, struct error *err)
{
	struct pattern_problem problem;

	if (policies->pattern_count >= PATTERNS_MOST)
		return error_set(err, ERROR_LIMIT, place, "more than %d patterns of policies",
			PATTERNS_MOST);
	struct policy_pattern *pattern = arena_alloc(policies->arena, sizeof(*pattern));

	pattern->rule = (struct rule){.kind = kind,
		.text = arena_strdup(policies->arena, text),
		.place = arena_strdup(policies->arena, place)};
	if (!text[0]) {
		error_set(err, ERROR_USAGE, place, "found an empty %s, expected a pattern",
			rule_noun(&pattern->rule));
		return error_hint(err, "\".*\" matches every name");
	}
	pattern->code =
		pattern_new(policies->matcher, &pattern->rule, text, strlen(text), false, &problem);
	if (!pattern->code)
		return rule_wrong(&pattern->rule, problem.offset, problem.message, err);
	while (*list)
		list = &(*list)->next;
	*list = pattern;
	policies->pattern_count++;
	return 0;
}

/* ---- keys ---- */

#define OF_policy false
#define OF_gate true
#define STRUCT_policy struct policy
#define STRUCT_gate struct policies

const struct policy_key policy_keys[KEY_COUNT] = {
#define KEY(id, of, field, kind_of_it, its_name, its_help, ...)                                    \
	[KEY_##id] = {.name = (its_name),                                                          \
		.help = (its_help),                                                                \
		.kind = KEY_##kind_of_it,                                                          \
		.of_gate = OF_##of,                                                                \
		.offset = offsetof(STRUCT_##of, field),                                            \
		.size = sizeof(((STRUCT_##of *)NULL)->field),                                      \
		__VA_ARGS__},
#include "analysis/gate/policy_keys.def"
#undef KEY
};

const char *policies_help(size_t line)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (policy_keys[i].help && line-- == 0)
			return policy_keys[i].help;
	return NULL;
}

const void *policy_key_value(
	const struct policy_key *key, const struct policies *policies, const struct policy *policy)
{
	return (key->of_gate ? (const char *)policies : (const char *)policy) + key->offset;
}

const char *policy_key_word(const struct policy_key *key, bool second)
{
	static const char *const words[] = {"pass", "fail"};

	return key->words[0] ? key->words[second] : words[second];
}

static void copy_parts(void *to, const void *from, bool of_gate, unsigned parts)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if ((parts & (1U << i)) && policy_keys[i].of_gate == of_gate)
			memcpy((char *)to + policy_keys[i].offset,
				(const char *)from + policy_keys[i].offset, policy_keys[i].size);
}

void policies_resolve(struct policies *policies, const struct policies *before)
{
	if (before != policies) {
		copy_parts(&policies->standard, &before->standard, false, policies->fixed);
		copy_parts(policies, before, true, policies->fixed);
	}
	for (size_t i = 0; i < policies->policy.count; i++) {
		struct policy *policy = policy_at(policies, i);

		copy_parts(policy, &policies->standard, false, ~policy->given);
	}
}

int policies_set(struct policies *policies, const char *key, const char *text, const char *place,
	struct error *err)
{
	unsigned given = policies->standard.given;

	policies->standard.given = 0;
	int result = policies_set_value(policies, &policies->standard, key, text, place, err);

	policies->fixed |= policies->standard.given;
	policies->standard.given |= given;
	policies_resolve(policies, policies);
	return result;
}

/* Whether one of the patterns matches; each that does is counted. */
static int match_patterns(struct policies *policies, struct policy_pattern *patterns,
	const char *name, bool *matched, struct error *err)
{
	size_t size = strlen(name);

	*matched = !patterns;
	for (struct policy_pattern *p = patterns; p; p = p->next) {
		int here = pattern_match(policies->matcher, p->code, name, size, false, err);

		if (here < 0)
			return -1;
		p->rule.hits += here > 0;
		*matched = *matched || here;
	}
	return 0;
}

const struct policy *policies_find(
	struct policies *policies, const char *name, enum measure_id measure, struct error *err)
{
	struct policy *found = NULL;

	for (size_t i = 0; i < policies->policy.count; i++) {
		struct policy *policy = policy_at(policies, i);
		bool matched;

		if (policy->has_measure && !measure_is_wanted(policy->measure, measure))
			continue;
		if (match_patterns(policies, policy->patterns, name, &matched, err))
			return NULL;
		policy->matches += matched;
		if (matched && !found)
			found = policy;
	}
	policies->standard.matches++;
	if (!found)
		found = &policies->standard;
	found->hits++;
	return found;
}

int policies_waiver(struct policies *policies, const struct waiver_subject *subject,
	const struct waiver **waiver, struct error *err)
{
	struct waiver *found = NULL;
	bool covered = false;

	*waiver = NULL;
	for (size_t i = 0; i < policies->waiver.count; i++) {
		struct waiver *w = waiver_at(policies, i);
		bool matched;

		if (w->has_measure && !measure_is_wanted(w->measure, subject->measure))
			continue;
		if (match_patterns(policies, w->patterns, subject->name, &matched, err))
			return -1;
		w->matches += matched;
		if (!matched || covered)
			continue;
		covered = waiver_covers(w, subject->change_frac, subject->today_day);
		if (covered || !found)
			found = w;
	}
	if (found)
		found->hits++;
	*waiver = found;
	return 0;
}

static void reset_patterns(struct policy_pattern *patterns)
{
	for (struct policy_pattern *p = patterns; p; p = p->next)
		p->rule.hits = 0;
}

void policies_reset_hits(struct policies *policies)
{
	policies->standard.hits = policies->standard.matches = 0;
	for (size_t i = 0; i < policies->policy.count; i++) {
		struct policy *policy = policy_at(policies, i);

		policy->hits = policy->matches = 0;
		reset_patterns(policy->patterns);
	}
	for (size_t i = 0; i < policies->waiver.count; i++) {
		struct waiver *waiver = waiver_at(policies, i);

		waiver->hits = waiver->matches = 0;
		reset_patterns(waiver->patterns);
	}
}

double policy_margin_absolute(const struct policy *policy, enum measure_id measure)
{
	switch (measure_at(measure)->dimension) {
	case DIMENSION_TIME:
		return policy->margin_ps;
	case DIMENSION_BYTES:
		return policy->margin_bytes;
	default:
		return NAN;
	}
}

bool waiver_expired(const struct waiver *waiver, int32_t today_day)
{
	return today_day > waiver->expires_day;
}

bool waiver_covers(const struct waiver *waiver, double change_frac, int32_t today_day)
{
	return !waiver_expired(waiver, today_day) &&
	       (isnan(waiver->ceiling_frac) || change_frac <= waiver->ceiling_frac);
}
