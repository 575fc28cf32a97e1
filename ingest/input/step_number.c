/* Takes names of files apart. */
#include "ingest/input/step_number.h"

#include <string.h>
#include "base/number.h"
#include "base/text.h"

/* Length of the name without suffixes. */
static size_t stem_size(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = n; i-- > 1;) {
		char next = name[i + 1];

		if (name[i] == '.' &&
			((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z')))
			n = i;
		else if (name[i] == '.')
			break;
	}
	return n;
}

static size_t digits_before(const char *name, size_t n)
{
	size_t digits = 0;

	while (digits < n && text_is_digit(name[n - digits - 1]))
		digits++;
	return digits;
}

bool step_number_in_name(const char *path, int64_t *number)
{
	const char *name = text_base_name(path);
	size_t n = stem_size(name), digits = digits_before(name, n);

	return digits && number_parse_int(name + n - digits, digits, number);
}

/* Here ".timeline_0" is not a suffix. */
static size_t word_stem_size(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = n; i-- > 1;) {
		char c = name[i], next = name[i + 1];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

		if (c == '.' && ((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z')))
			n = i;
		else if (!letter && !text_is_digit(c))
			break;
	}
	return n;
}

static bool parts_words(char c)
{
	return c == '_' || c == '-' || c == '.';
}

bool step_number_among_words(const char *path, int64_t *number)
{
	const char *name = text_base_name(path);
	size_t stem = word_stem_size(name), digits = digits_before(name, stem);

	if (digits)
		return number_parse_int(name + stem - digits, digits, number);
	for (size_t n = stem; n > 0; n--) {
		digits = n == stem || parts_words(name[n]) ? digits_before(name, n) : 0;
		if (digits && (digits == n || parts_words(name[n - digits - 1])))
			return number_parse_int(name + n - digits, digits, number);
	}
	return false;
}
