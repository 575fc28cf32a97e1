/* Handlers of the options of `compare` and `gate`. */
#include <string.h>
#include "base/day.h"
#include "base/text.h"
#include "cli/options/apply.h"
#include "cli/options/option_words.h"

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

/* Reports a pattern that cannot be compiled now, not after the reading. */
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

static int set_pair(struct settings *s, const char *value, struct error *err)
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

/* "paired:order" is the test with its rounds; "pair:order", which is --pair=order, the rounds
 * alone: they have an effect where the test is the paired one. */
int apply_method(struct settings *s, const char *value, struct error *err)
{
	const char *pair = text_starts(value, "paired:") ? value + strlen("paired:") : NULL;
	int i;

	if (text_starts(value, "pair:"))
		return set_pair(s, value + strlen("pair:"), err);
	i = word_index("--method", pair ? "paired" : value, compare_method_words, err);
	if (i < 0)
		return -1;
	s->job.compare.options.method = (enum compare_method)i;
	return pair ? set_pair(s, pair, err) : 0;
}

int apply_map(struct settings *s, const char *value, struct error *err)
{
	s->job.compare.map = name_map_read(value, s->arena, err);
	return s->job.compare.map ? 0 : -1;
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

int apply_today(struct settings *s, const char *value, struct error *err)
{
	if (day_from_text(value, &s->job.compare.today))
		return 0;
	return error_set(err, ERROR_USAGE, "--today",
		"expected a date like 2026-12-31, found \"%s\"", value);
}
