/* Policies and waivers in their order, and which of them is for an op. Their texts are read in
 * policies_values.c, the file in policies_yaml.c. */
#include "analysis/gate/policies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "analysis/select/pattern.h"
#include "base/day.h"
#include "base/intern.h"
#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
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

void policies_set_shown(struct policies *policies, double change_frac)
{
	const unsigned margin =
		PART_MARGIN | PART_MARGIN_PS | PART_MARGIN_BYTES | PART_MARGIN_SHARE;

	if (!(policies->standard.given & margin))
		policies->shown_frac = change_frac;
}

size_t policies_count(const struct policies *policies)
{
	return policies->policy.count;
}

struct policy *policies_at(const struct policies *policies, size_t index)
{
	return *(struct policy **)vec_at(&policies->policy, index);
}

size_t policies_waiver_count(const struct policies *policies)
{
	return policies->waiver.count;
}

struct waiver *policies_waiver_at(const struct policies *policies, size_t index)
{
	return *(struct waiver **)vec_at(&policies->waiver, index);
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
		struct policy *policy = policies_at(policies, i);

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
		struct policy *policy = policies_at(policies, i);
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
		struct waiver *w = policies_waiver_at(policies, i);
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
		struct policy *policy = policies_at(policies, i);

		policy->hits = policy->matches = 0;
		reset_patterns(policy->patterns);
	}
	for (size_t i = 0; i < policies->waiver.count; i++) {
		struct waiver *waiver = policies_waiver_at(policies, i);

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

/* Texts of the section `gate` to values: percentages, amounts with a unit, words, days. The same
 * for the file and for the command line. */

#define SHOWN_WIDTH 60
#define RUNS_MOST 1000000 /* far above what anyone records */

/* One key with its text, on its way into a policy. */
struct value {
	struct policies *policies;
	struct policy *policy;
	const struct policy_key *key;
	const char *text, *place;
	struct error *err;
};

static int fail(const char *text, const char *what, const char *expected, const char *place,
	struct error *err)
{
	struct text visible, t;

	text_init(&visible);
	text_init(&t);
	text_add_visible(&visible, text);
	if (text[0]) {
		text_add_char(&t, '"');
		text_add_shortened(&t, text_string(&visible), SHOWN_WIDTH);
		text_add_char(&t, '"');
	} else {
		text_add(&t, "nothing");
	}
	error_set(err, ERROR_USAGE, place, "found %s as %s, expected %s", text_string(&t), what,
		expected);
	text_release(&t);
	text_release(&visible);
	return -1;
}

/* The number at the start and what follows it after blanks; false without a number from 0 on. */
static bool split_number(const char *text, double *number, const char **rest)
{
	size_t size = strspn(text, "0123456789+-.eE");

	if (!number_parse_real(text, size, number) || !isfinite(*number) || *number < 0)
		return false;
	*rest = text + size + strspn(text + size, " ");
	return true;
}

/* A number alone could mean 2 % or 200 %. */
static int hint_percent(const char *text, struct error *err)
{
	char now[NUMBER_TEXT_SIZE], times_100[NUMBER_TEXT_SIZE];
	const char *rest;
	double number;

	if (!split_number(text, &number, &rest) || *rest)
		return -1;
	number_format_real(now, number, 15);
	if (number >= 1 || number == 0)
		return error_hint(err, "write %s%%", now);
	return error_hint(err, "write %s%%, or %s%% where the share %s is meant", now,
		number_format_real(times_100, 100 * number, 15), now);
}

static int read_percent(const char *text, const char *what, const char *expected, const char *place,
	double *frac, struct error *err)
{
	const char *rest;
	double number;

	if (split_number(text, &number, &rest) && text_equal(rest, "%")) {
		*frac = number / 100;
		return 0;
	}
	fail(text, what, expected, place, err);
	return hint_percent(text, err);
}

int policies_percent(
	const char *text, const char *what, const char *place, double *frac, struct error *err)
{
	return read_percent(text, what, "a percentage, as 2%", place, frac, err);
}

int policies_day(
	const char *text, const char *what, const char *place, int32_t *day, struct error *err)
{
	if (day_from_text(text, day))
		return 0;
	return fail(text, what, "a day that exists, as 2027-06-30", place, err);
}

int policies_word(const struct policy_word *word, size_t *index, struct error *err)
{
	struct text list;

	for (size_t i = 0; i < word->count; i++)
		if (text_equal(word->text, word->words[i])) {
			*index = i;
			return 0;
		}
	text_init(&list);
	for (size_t i = 0; i < word->count; i++)
		text_printf(&list, "%s%s", i ? " or " : "", word->words[i]);
	fail(word->text, word->key, text_string(&list), word->place, err);
	text_release(&list);
	int near = text_nearest(word->text, word->words, word->count);

	return near < 0 ? -1 : error_hint(err, "did you mean \"%s\"?", word->words[near]);
}

/* The name of the value in messages. */
static const char *noun(const struct value *v)
{
	return v->key->what ? v->key->what : v->key->name;
}

static int set_frac(const struct value *v, double *frac)
{
	const struct policy_key *key = v->key;
	const char *expected = key->expected ? key->expected : "a percentage, as 2%";

	if (read_percent(v->text, noun(v), expected, v->place, frac, v->err))
		return -1;
	if (key->open ? *frac > 0 && *frac < key->most : !(key->most > 0) || *frac <= key->most)
		return 0;
	fail(v->text, noun(v), expected, v->place, v->err);
	return key->hint && *frac >= key->most ? error_hint(v->err, "%s", key->hint) : -1;
}

static int set_runs(const struct value *v, size_t *runs)
{
	int64_t number;

	if (!number_parse_int(v->text, strlen(v->text), &number) || number < 1 ||
		number > RUNS_MOST)
		return fail(v->text, noun(v), "a whole number of runs from 1", v->place, v->err);
	*runs = (size_t)number;
	return 0;
}

static int set_word(const struct value *v, bool *second)
{
	const char *const words[] = {policy_key_word(v->key, false), policy_key_word(v->key, true)};
	size_t index = 0;

	if (policies_word(&(struct policy_word){v->text, v->key->name, v->place, words, 2}, &index,
		    v->err))
		return -1;
	*second = index == 1;
	return 0;
}

static int set_day(const struct value *v, int32_t *day)
{
	if (policies_day(v->text, noun(v), v->place, day, v->err))
		return -1;
	v->policies->has_baseline_expiry = true;
	return 0;
}

/* A key of the table. */
static int set_key(struct value *v, enum policy_key_id id)
{
	int status = -1;

	v->key = &policy_keys[id];
	void *at = (char *)policy_key_value(v->key, v->policies, v->policy);

	switch (v->key->kind) {
	case KEY_FRAC:
		status = set_frac(v, at);
		break;
	case KEY_RUNS:
		status = set_runs(v, at);
		break;
	case KEY_WORD:
		status = set_word(v, at);
		break;
	case KEY_DAY:
		status = set_day(v, at);
		break;
	case KEY_PS:
	case KEY_BYTES:
		break;
	}
	if (!status)
		v->policy->given |= 1U << id;
	return status;
}

/* A number with a unit of time or of bytes. */
static int set_amount(struct value *v, const char *what, const char *expected)
{
	const char *rest;
	double number;

	if (!split_number(v->text, &number, &rest))
		return fail(v->text, what, expected, v->place, v->err);
	const struct unit *unit = unit_lookup(rest);
	bool is_time = unit && unit->dimension == DIMENSION_TIME;

	if (!is_time && !(unit && unit->dimension == DIMENSION_BYTES)) {
		struct error unknown = {.kind = ERROR_NONE};

		fail(v->text, what, expected, v->place, v->err);
		if (!*rest || unit || unit_find(rest, &unknown))
			return -1;
		return error_hint(v->err, "%s", unknown.hint);
	}
	double *margin = is_time ? &v->policy->margin_ps : &v->policy->margin_bytes;

	*margin = number * (double)unit->factor;
	if (!isfinite(*margin))
		return fail(v->text, what, expected, v->place, v->err);
	v->policy->given |= is_time ? PART_MARGIN_PS : PART_MARGIN_BYTES;
	return 0;
}

static int set_absolute(struct value *v)
{
	return set_amount(
		v, "absolute margin", "a number with a unit of time or of bytes, as 50us or 4KB");
}

static int set_margin_part(struct value *v)
{
	static const char expected[] =
		"a percentage, an amount with its unit or both, as 2%, 50us or 2%+50us";
	const char *rest = "";
	double number;
	const unsigned before = v->policy->given;

	v->policy->given = 0;
	if (split_number(v->text, &number, &rest) && text_equal(rest, "%")) {
		if (set_key(v, KEY_MARGIN))
			return -1;
	} else if (set_amount(v, "margin", expected)) {
		return *rest ? -1 : hint_percent(v->text, v->err);
	}
	if (before & v->policy->given)
		return fail(v->text, "second margin of its kind", expected, v->place, v->err);
	v->policy->given |= before;
	return 0;
}

/* "2%", "50us", "2%+50us": a part that is not there stays what it is. */
static int set_margin(struct value *v)
{
	const unsigned before = v->policy->given;
	const char *all = v->text;
	int status = 0;

	v->policy->given = 0;
	for (const char *part = all; part && !status;) {
		const char *plus = strchr(part, '+');
		char text[NUMBER_TEXT_SIZE];
		const size_t size = plus ? (size_t)(plus - part) : strlen(part);

		snprintf(text, sizeof(text), "%.*s", (int)(size < sizeof(text) ? size : 0), part);
		v->text = text;
		status = set_margin_part(v);
		part = plus ? plus + 1 : NULL;
	}
	v->text = all;
	v->policy->given |= before;
	return status;
}

int policies_set_value(struct policies *policies, struct policy *policy, const char *key,
	const char *text, const char *place, struct error *err)
{
	struct value v = {
		.policies = policies, .policy = policy, .text = text, .place = place, .err = err};

	if (text_equal(key, "margin"))
		return set_margin(&v);
	if (text_equal(key, "absolute"))
		return set_absolute(&v);
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (*key && text_equal(policy_keys[i].name, key))
			return set_key(&v, (enum policy_key_id)i);
	return error_set(err, ERROR_USAGE, place, "unknown key of gate \"%s\"", key);
}
