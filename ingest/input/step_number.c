/* Takes names of files apart. */
#include "ingest/input/step_number.h"

#include <string.h>
#include "base/number.h"
#include "base/text.h"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Length of the name without suffixes, which may be of letters and digits alone: then
 * ".timeline_0" is none. */
static size_t stem_size(const char *name, bool of_words)
{
	size_t n = strlen(name);

	for (size_t i = n; i-- > 1;)
		if (name[i] == '.' && is_letter(name[i + 1]))
			n = i;
		else if (of_words ? !is_letter(name[i]) && !text_is_digit(name[i]) : name[i] == '.')
			break;
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
	size_t n = stem_size(name, false), digits = digits_before(name, n);

	return digits && number_parse_int(name + n - digits, digits, number);
}

static bool parts_words(char c)
{
	return c == '_' || c == '-' || c == '.';
}

bool step_number_among_words(const char *path, int64_t *number)
{
	const char *name = text_base_name(path);
	size_t stem = stem_size(name, true), digits = digits_before(name, stem);

	if (digits)
		return number_parse_int(name + stem - digits, digits, number);
	for (size_t n = stem; n > 0; n--) {
		digits = n == stem || parts_words(name[n]) ? digits_before(name, n) : 0;
		if (digits && (digits == n || parts_words(name[n - digits - 1])))
			return number_parse_int(name + n - digits, digits, number);
	}
	return false;
}
