/*
 * Policies and waivers in their order, and which of them is for an op. Their texts are read in
 * policies_values.c, the file in policies_yaml.c.
 */
#include "gate/policies.h"

#include <math.h>
#include <string.h>
#include "base/intern.h"
#include "select/pattern.h"
#include "gate/policies_parts.h"
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

static void copy_parts(struct policy *to, const struct policy *from, unsigned parts)
{
	if (parts & PART_MARGIN)
		to->margin_frac = from->margin_frac;
	if (parts & PART_MARGIN_PS)
		to->margin_ps = from->margin_ps;
	if (parts & PART_MARGIN_BYTES)
		to->margin_bytes = from->margin_bytes;
	if (parts & PART_MARGIN_SHARE)
		to->margin_share_frac = from->margin_share_frac;
	if (parts & PART_ALPHA)
		to->alpha = from->alpha;
	if (parts & PART_MIN_RUNS)
		to->min_runs = from->min_runs;
	if (parts & PART_INCONCLUSIVE)
		to->inconclusive = from->inconclusive;
	if (parts & PART_GONE)
		to->gone = from->gone;
	if (parts & PART_NEW)
		to->appeared = from->appeared;
	if (parts & PART_EXECUTIONS)
		to->executions = from->executions;
}

void policies_resolve(struct policies *policies, const struct policies *before)
{
	unsigned fixed = policies->fixed;

	copy_parts(&policies->standard, &before->standard, fixed);
	if (fixed & PART_FAIL_ON)
		policies->fail_on = before->fail_on;
	if (fixed & PART_BLIND)
		policies->blind_fails = before->blind_fails;
	if (fixed & PART_LOST)
		policies->lost_fails = before->lost_fails;
	if (fixed & PART_ALLOW_LOSS)
		policies->allow_loss_frac = before->allow_loss_frac;
	if (fixed & PART_RUNS_EXPECTED)
		policies->runs_expected = before->runs_expected;
	if (fixed & PART_MOVED)
		policies->moved_fails = before->moved_fails;
	if (fixed & PART_IMPROVED)
		policies->improved_reports = before->improved_reports;
	if (fixed & PART_BASELINE_EXPIRES)
		policies->baseline_expires_day = before->baseline_expires_day;
	for (size_t i = 0; i < policies->policy.count; i++) {
		struct policy *policy = policy_at(policies, i);

		copy_parts(policy, &policies->standard, ~policy->given);
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
