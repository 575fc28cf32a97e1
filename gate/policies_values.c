/*
 * Texts of the section `gate` to values: percentages, amounts with a unit, words, days. The same
 * for the file and for the command line.
 */
#include "gate/policies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/day.h"
#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "gate/policies_parts.h"

#define SHOWN_WIDTH 60
#define RUNS_MOST 1000000 /* far above what anyone records */

/* One key with its text, on its way into a policy. */
struct value {
	struct policies *policies;
	struct policy *policy;
	const char *key, *text, *place;
	struct error *err;
};

struct setting {
	const char *key;
	int (*set)(struct value *v);
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

/* Which of two words the value is. */
static int read_word(const struct value *v, const char *const *words, size_t *index)
{
	return policies_word(
		&(struct policy_word){v->text, v->key, v->place, words, 2}, index, v->err);
}

static int set_relative(struct value *v)
{
	v->policy->given |= PART_MARGIN;
	return read_percent(v->text, "relative margin", "a percentage, as 2%", v->place,
		&v->policy->margin_frac, v->err);
}

static int set_share(struct value *v)
{
	static const char expected[] = "a percentage of the step from 0% to 100%, as 0.1%";

	if (read_percent(v->text, "share of the margin", expected, v->place,
		    &v->policy->margin_share_frac, v->err))
		return -1;
	v->policy->given |= PART_MARGIN_SHARE;
	return v->policy->margin_share_frac <= 1
		       ? 0
		       : fail(v->text, "share of the margin", expected, v->place, v->err);
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
		if (set_relative(v))
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

static int set_alpha(struct value *v)
{
	static const char expected[] = "a percentage above 0% and below 50%, as 5%";
	double *alpha = &v->policy->alpha;

	if (read_percent(v->text, "alpha", expected, v->place, alpha, v->err))
		return -1;
	v->policy->given |= PART_ALPHA;
	if (*alpha > 0 && *alpha < 0.5)
		return 0;
	fail(v->text, "alpha", expected, v->place, v->err);
	if (*alpha < 0.5)
		return -1;
	return error_hint(v->err, "alpha is how often an unchanged op may fail: 5%% where the "
				  "confidence is 95%%");
}

static int set_runs(struct value *v, enum policy_part part, size_t *runs)
{
	int64_t number;

	if (!number_parse_int(v->text, strlen(v->text), &number) || number < 1 ||
		number > RUNS_MOST)
		return fail(v->text, v->key, "a whole number of runs from 1", v->place, v->err);
	*runs = (size_t)number;
	v->policy->given |= part;
	return 0;
}

static int set_min_runs(struct value *v)
{
	return set_runs(v, PART_MIN_RUNS, &v->policy->min_runs);
}

static int set_runs_expected(struct value *v)
{
	return set_runs(v, PART_RUNS_EXPECTED, &v->policies->runs_expected);
}

static int set_action(struct value *v, enum policy_part part, enum policy_action *action)
{
	static const char *const words[] = {"pass", "fail"};
	size_t index = 0;

	if (read_word(v, words, &index))
		return -1;
	*action = index ? POLICY_FAIL : POLICY_PASS;
	v->policy->given |= part;
	return 0;
}

static int set_inconclusive(struct value *v)
{
	return set_action(v, PART_INCONCLUSIVE, &v->policy->inconclusive);
}

static int set_gone(struct value *v)
{
	return set_action(v, PART_GONE, &v->policy->gone);
}

static int set_new(struct value *v)
{
	return set_action(v, PART_NEW, &v->policy->appeared);
}

static int set_executions(struct value *v)
{
	return set_action(v, PART_EXECUTIONS, &v->policy->executions);
}

static int set_fail_on(struct value *v)
{
	static const char *const words[] = {"regressed", "slower"};
	size_t index = 0;

	if (read_word(v, words, &index))
		return -1;
	v->policies->fail_on = index ? FAIL_ON_SLOWER : FAIL_ON_REGRESSED;
	v->policy->given |= PART_FAIL_ON;
	return 0;
}

static int set_fails(struct value *v, enum policy_part part, bool *fails)
{
	enum policy_action action;

	if (set_action(v, part, &action))
		return -1;
	*fails = action == POLICY_FAIL;
	return 0;
}

static int set_blind(struct value *v)
{
	return set_fails(v, PART_BLIND, &v->policies->blind_fails);
}

static int set_lost(struct value *v)
{
	return set_fails(v, PART_LOST, &v->policies->lost_fails);
}

static int set_moved(struct value *v)
{
	return set_fails(v, PART_MOVED, &v->policies->moved_fails);
}

static int set_allow_loss(struct value *v)
{
	v->policy->given |= PART_ALLOW_LOSS;
	return policies_percent(v->text, v->key, v->place, &v->policies->allow_loss_frac, v->err);
}

static int set_improved(struct value *v)
{
	static const char *const words[] = {"pass", "report"};
	size_t index = 0;

	if (read_word(v, words, &index))
		return -1;
	v->policies->improved_reports = index == 1;
	v->policy->given |= PART_IMPROVED;
	return 0;
}

static int set_baseline_expires(struct value *v)
{
	if (policies_day(v->text, v->key, v->place, &v->policies->baseline_expires_day, v->err))
		return -1;
	v->policies->has_baseline_expiry = true;
	v->policy->given |= PART_BASELINE_EXPIRES;
	return 0;
}

int policies_set_value(struct policies *policies, struct policy *policy, const char *key,
	const char *text, const char *place, struct error *err)
{
	static const struct setting settings[] = {
		{"margin", set_margin},
		{"relative", set_relative},
		{"absolute", set_absolute},
		{"share", set_share},
		{"alpha", set_alpha},
		{"min_runs", set_min_runs},
		{"runs_expected", set_runs_expected},
		{"inconclusive", set_inconclusive},
		{"gone", set_gone},
		{"new", set_new},
		{"executions", set_executions},
		{"fail_on", set_fail_on},
		{"blind", set_blind},
		{"moved", set_moved},
		{"lost", set_lost},
		{"allow_loss", set_allow_loss},
		{"improved", set_improved},
		{"baseline_expires", set_baseline_expires},
	};
	struct value v = {.policies = policies,
		.policy = policy,
		.key = key,
		.text = text,
		.place = place,
		.err = err};

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (text_equal(settings[i].key, key))
			return settings[i].set(&v);
	return error_set(err, ERROR_USAGE, place, "unknown key of gate \"%s\"", key);
}
