/*
 * Handlers of the options of `compare` and `gate`.
 */
#include <string.h>
#include "base/day.h"
#include "base/text.h"
#include "cli/apply.h"
#include "cli/option_words.h"

int apply_base(struct settings *s, const char *value, struct error *err)
{
	s->job.compare.side = INPUT_BASE;
	return job_settings_add_input(&s->job, value, err);
}

int apply_new(struct settings *s, const char *value, struct error *err)
{
	s->job.compare.side = INPUT_NEW;
	return job_settings_add_input(&s->job, value, err);
}

int apply_match(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"name", "type+shape", "nearest", NULL};
	int i = word_index("--match", value, words, err);

	if (i < 0)
		return -1;
	s->job.compare.match = (enum pairing_mode)i;
	return 0;
}

int apply_mixed(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"refuse", "allow", NULL};
	int i = word_index("--mixed", value, words, err);

	if (i < 0)
		return -1;
	s->job.compare.allow_mixed = i == 1;
	return 0;
}

static int take_percent(const char *option, const char *value, double least, double most,
	double *out, struct error *err)
{
	double fraction;

	if (word_percent(option, value, &fraction, err) < 0)
		return -1;
	if (!(fraction > least && fraction < most))
		return error_set(err, ERROR_USAGE, option,
			"expected a percentage above %g%% and below %g%%, found \"%s\"",
			100 * least, 100 * most, value);
	*out = fraction;
	return 0;
}

int apply_margin(struct settings *s, const char *value, struct error *err)
{
	s->job.compare.margin_text = value;
	return take_percent(
		"--margin", value, 0, 1.0000001, &s->job.compare.options.rule.margin_relative, err);
}

int apply_alpha(struct settings *s, const char *value, struct error *err)
{
	s->job.compare.alpha_text = value;
	return take_percent("--alpha", value, 0, 0.5, &s->job.compare.options.rule.alpha, err);
}

int apply_method(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {
		"moderated", "limma", "welch", "ranksum", "paired", NULL};
	int i = word_index("--method", value, words, err);

	if (i < 0)
		return -1;
	s->job.compare.options.method = (enum compare_method)i;
	return 0;
}

int apply_adjust(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"bh", "by", "holm", NULL};
	int i = word_index("--adjust", value, words, err);

	if (i < 0)
		return -1;
	s->job.compare.options.adjust = (enum multiple_method)i;
	return 0;
}

int apply_run_value(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"mean", "geomean", "median", "trimmed", NULL};
	int i = word_index("--run-value", value, words, err);

	if (i < 0)
		return -1;
	s->job.compare.options.value.kind = (enum run_value_kind)i;
	return 0;
}

/* A pattern that cannot be compiled is told now, not after the reading. */
static int check_pattern(const char *option, const char *value, struct error *err)
{
	struct rules *rules;
	int status;

	if (!*value)
		return error_set(err, ERROR_USAGE, option, "expected a pattern, found nothing");
	rules = rules_new();
	status = rules_add(rules, RULE_INCLUDE, value, NULL, option, err);
	rules_free(rules);
	return status;
}

int apply_pair(struct settings *s, const char *value, struct error *err)
{
	s->job.compare.pair_pattern = NULL;
	if (text_equal(value, "name")) {
		s->job.compare.pair = PAIR_NAME;
	} else if (text_equal(value, "order")) {
		s->job.compare.pair = PAIR_ORDER;
	} else {
		s->job.compare.pair = PAIR_REGEX;
		s->job.compare.pair_pattern = value;
		return check_pattern("--pair", value, err);
	}
	return 0;
}

int apply_normalize(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->job.compare.options.normalize = true;
	return 0;
}

int apply_run_cv(struct settings *s, const char *value, struct error *err)
{
	return take_percent("--run-cv", value, 0, 1.0000001, &s->job.compare.options.run_cv, err);
}

int apply_noise(struct settings *s, const char *value, struct error *err)
{
	if (!*value)
		return error_set(err, ERROR_USAGE, "--noise", "needs a file or a folder");
	s->job.compare.noise_path = value;
	return 0;
}

int apply_explain(struct settings *s, const char *value, struct error *err)
{
	s->job.compare.explain = value;
	return check_pattern("--explain", value, err);
}

int apply_fail_on(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"regressed", "slower", NULL};

	s->job.compare.fail_on_text = value;
	return word_index("--fail-on", value, words, err) < 0 ? -1 : 0;
}

int apply_blind(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"fail", "pass", NULL};

	s->job.compare.blind_text = value;
	return word_index("--blind", value, words, err) < 0 ? -1 : 0;
}

int apply_self_test(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->job.compare.self_test = true;
	return 0;
}

int apply_today(struct settings *s, const char *value, struct error *err)
{
	if (day_from_text(value, &s->job.compare.today))
		return 0;
	return error_set(err, ERROR_USAGE, "--today",
		"expected a date like 2026-12-31, found \"%s\"", value);
}
