/* Words and percentages of options. */
#include "cli/options/option_words.h"

#include <string.h>
#include "analysis/steps.h"
#include "base/number.h"
#include "base/text.h"

int word_index(const char *option, const char *value, const char *const *words, struct error *err)
{
	struct text list;
	size_t n = 0;
	int nearest;

	for (; words[n]; n++)
		if (text_equal(words[n], value))
			return (int)n;
	text_init(&list);
	for (size_t i = 0; i < n; i++)
		text_printf(&list, "%s%s", i ? ", " : "", words[i]);
	error_set(err, ERROR_USAGE, option, "unknown word \"%s\"", value);
	nearest = text_nearest(value, words, n);
	if (nearest >= 0)
		error_hint(
			err, "did you mean \"%s\"? one of %s", words[nearest], text_string(&list));
	else
		error_hint(err, "one of %s", text_string(&list));
	text_release(&list);
	return -1;
}

int word_place(const char *option, struct error *err)
{
	char hint[sizeof(err->hint)];

	if (*err->place)
		return -1;
	memcpy(hint, err->hint, sizeof(hint));
	error_set(err, err->kind, option, "%s", err->message);
	return error_hint(err, "%s", hint);
}

int word_percent(const char *option, const char *value, double *fraction, struct error *err)
{
	size_t n = strlen(value);
	double percent;

	if (n && value[n - 1] == '%')
		n--;
	if (!number_parse_real(value, n, &percent) || percent < 0 || percent > 100)
		return error_set(err, ERROR_USAGE, option,
			"expected a percentage from 0 to 100, found \"%s\"", value);
	*fraction = percent / 100;
	return 0;
}

int word_size(const char *option, const char *value, size_t least, size_t *out, struct error *err)
{
	size_t digits = strspn(value, "0123456789.");
	const struct unit *unit = unit_lookup(value[digits] ? value + digits : "B");
	int64_t bytes;

	if (!unit || unit->dimension != DIMENSION_BYTES ||
		!number_parse_scaled(value, digits, unit->factor, &bytes, NULL) ||
		bytes < (int64_t)least) {
		error_set(err, ERROR_USAGE, option, "expected a size from %zu bytes, found \"%s\"",
			least, value);
		return error_hint(err, "bytes, or a number with KB, MB, GB, KiB, MiB, GiB: 256MiB");
	}
	*out = (size_t)bytes;
	return 0;
}

int word_time(const char *option, const char *value, size_t n, const struct unit *unit, int64_t *ps,
	struct error *err)
{
	size_t digits = strspn(value, "0123456789.");
	struct text name;

	digits = digits < n ? digits : n;
	text_init(&name);
	text_add_bytes(&name, value + digits, n - digits);
	if (name.size)
		unit = unit_lookup(text_string(&name));
	else if (n == 1 && value[0] == '0')
		unit = unit_lookup("ps");
	text_release(&name);
	if (unit && unit->dimension == DIMENSION_TIME &&
		number_parse_scaled(value, digits, unit->factor, ps, NULL))
		return 0;
	error_set(err, ERROR_USAGE, option, "expected a time, found \"%.*s\"",
		(int)(n < 100 ? n : 100), value);
	return error_hint(err, "a number with a unit: 250ms, 1.5s, 80us");
}

static int bad_steps(const char *option, const char *value, struct error *err)
{
	error_set(err, ERROR_USAGE, option, "cannot read \"%s\"", value);
	return error_hint(err, "step numbers or ranges with both ends: 10:99,120 or 10: or :99; "
			       "@2: is by position");
}

/* "10", "10:99", "10:", ":99", each perhaps after '@'; one part of `value`. */
static int parse_range(const char *option, const char *value, const char *part, size_t n,
	struct vec *ranges, struct error *err)
{
	struct step_range range = {.from = INT64_MIN, .to = INT64_MAX};
	const char *colon;
	struct step_range *slot;

	if (n && *part == '@') {
		range.by_position = true;
		part++, n--;
	}
	colon = memchr(part, ':', n);
	if (!n || (colon && n == 1))
		return bad_steps(option, value, err);
	if (!colon) {
		if (!number_parse_int(part, n, &range.from))
			return bad_steps(option, value, err);
		range.to = range.from;
	} else {
		size_t left = (size_t)(colon - part), right = n - left - 1;

		if ((left && !number_parse_int(part, left, &range.from)) ||
			(right && !number_parse_int(colon + 1, right, &range.to)))
			return bad_steps(option, value, err);
	}
	if (range.from > range.to)
		return error_set(
			err, ERROR_USAGE, option, "\"%.*s\" ends before it begins", (int)n, part);
	slot = vec_push(ranges, err);
	if (!slot)
		return -1;
	*slot = range;
	return 0;
}

int word_steps(const char *option, const char *value, struct vec *ranges, struct error *err)
{
	if (text_equal(value, "all"))
		return 0;
	for (const char *p = value;;) {
		size_t n = strcspn(p, ",");

		if (parse_range(option, value, p, n, ranges, err) < 0)
			return -1;
		if (!p[n])
			return 0;
		p += n + 1;
	}
}
