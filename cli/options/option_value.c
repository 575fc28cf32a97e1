/* Sets the members of the settings that the option table names. */
#include <ctype.h>
#include <string.h>
#include "base/number.h"
#include "cli/options/option_words.h"
#include "cli/options/options.h"

bool option_is_typed(const struct option_spec *spec, char letter)
{
	return letter && strchr(spec->commands, letter);
}

bool option_is_key(const struct option_spec *spec, char letter)
{
	return letter && strchr(spec->commands, tolower((unsigned char)letter));
}

const char *option_dashes(const struct option_spec *spec)
{
	for (const char *p = spec->commands; *p; p++)
		if (isupper((unsigned char)*p))
			return strlen(spec->name) == 1 ? "-" : "--";
	return "";
}

bool option_has_value(const struct option_spec *spec)
{
	return spec->words || *spec->argument;
}

void option_add_argument(const struct option_spec *spec, struct text *out)
{
	text_add(out, spec->argument);
	for (size_t i = 0; spec->words && spec->words[i]; i++)
		text_printf(out, "%s%s", i ? "|" : "", spec->words[i]);
}

char *option_dashed_name(const struct option_spec *spec, struct arena *arena)
{
	char *name = arena_strdup(arena, spec->name);

	for (char *p = name; *p; p++)
		*p = *p == '_' ? '-' : *p;
	return name;
}

/* The members are of different sizes: bool, enum, size_t. */
static int store(struct settings *s, const struct option_spec *spec, uint64_t number)
{
	void *member = (char *)s + spec->at;

	if (spec->bytes == 1)
		memcpy(member, &(uint8_t){(uint8_t)number}, 1);
	else if (spec->bytes == 4)
		memcpy(member, &(uint32_t){(uint32_t)number}, 4);
	else
		memcpy(member, &number, 8);
	return 0;
}

static int set_word(struct settings *s, const struct option_spec *spec, const char *option,
	const char *value, struct error *err)
{
	int i = word_index(option, value, spec->words, err);

	if (i < 0 || spec->kind == OPTION_TEXT)
		return i < 0 ? -1 : 0;
	return store(s, spec, (uint64_t)(spec->number + i));
}

static int set_count(struct settings *s, const struct option_spec *spec, const char *option,
	const char *value, struct error *err)
{
	int64_t n;

	if (!number_parse_int(value, strlen(value), &n) || n < 1)
		return error_set(err, ERROR_USAGE, option,
			"expected a whole number from 1, found \"%s\"", value);
	return store(s, spec, (uint64_t)n);
}

static int set_bytes(struct settings *s, const struct option_spec *spec, const char *option,
	const char *value, struct error *err)
{
	size_t bytes;

	if (word_size(option, value, (size_t)spec->number, &bytes, err) < 0)
		return -1;
	return store(s, spec, bytes);
}

/* "90s", "10m", "1.5h"; a number alone is in seconds. */
static int set_time(struct settings *s, const struct option_spec *spec, const char *option,
	const char *value, struct error *err)
{
	const size_t n = strlen(value);
	const bool hours = text_ends(value, "h"), minutes = text_ends(value, "m");
	int64_t ps;

	if (word_time(option, value, n - (hours || minutes),
		    unit_lookup(hours || minutes ? "min" : "s"), &ps, err) < 0)
		return -1;
	if (ps < 0 || ps > INT64_MAX / 60)
		return error_set(err, ERROR_USAGE, option,
			"expected a time from 0 to 42 h, found \"%s\"", value);
	return store(s, spec, (uint64_t)(hours ? ps * 60 : ps));
}

static int set_percent(struct settings *s, const struct option_spec *spec, const char *option,
	const char *value, struct error *err)
{
	double fraction;

	if (word_percent(option, value, &fraction, err) < 0)
		return -1;
	if (!(fraction > spec->above && fraction < spec->below))
		return error_set(err, ERROR_USAGE, option,
			"expected a percentage above %g%% and below %g%%, found \"%s\"",
			100 * spec->above, 100 * spec->below, value);
	memcpy((char *)s + spec->at, &fraction, sizeof(fraction));
	return 0;
}

int option_set_value(
	struct settings *s, const struct option_spec *spec, const char *value, struct error *err)
{
	const char *option = arena_printf(
		s->arena, "%s%s", option_dashes(spec), option_dashed_name(spec, s->arena));

	if (spec->typed_at)
		memcpy((char *)s + spec->typed_at, &value, sizeof(value));
	switch (spec->kind) {
	case OPTION_HANDLER:
		return spec->apply(s, value, err);
	case OPTION_SWITCH:
		return store(s, spec, (uint64_t)spec->number);
	case OPTION_WORD:
		return set_word(s, spec, option, value, err);
	case OPTION_COUNT:
		return set_count(s, spec, option, value, err);
	case OPTION_BYTES:
		return set_bytes(s, spec, option, value, err);
	case OPTION_TIME:
		return set_time(s, spec, option, value, err);
	case OPTION_PERCENT:
		return set_percent(s, spec, option, value, err);
	case OPTION_TEXT:
		return spec->words ? set_word(s, spec, option, value, err) : 0;
	case OPTION_STEPS:
		return word_steps(option, value, (struct vec *)((char *)s + spec->at), err);
	case OPTION_RULE:
		s->job.rules_given = true;
		return rules_add(
			s->job.rules, (enum rule_kind)spec->number, value, NULL, option, err);
	case OPTION_EARLIER:
		return 0;
	}
	return 0;
}
