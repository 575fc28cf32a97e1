/*
 * Lines for a terminal that shows no UTF-8.
 */
#include "base/text.h"

#include <string.h>

/* ASCII form of a character that our own texts use; NULL: the character is part of a name. */
static const char *ascii_form(const char *s)
{
	static const struct {
		const char *character, *form;
	} forms[] = {{"\302\261", "+-"}, {"\342\200\246", "..."}, {"\302\267", "-"},
		{"\342\200\223", "-"}, {"\342\200\224", "-"}, {"\303\227", "x"}, {"\302\265", "u"}};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (text_starts(s, forms[i].character))
			return forms[i].form;
	return NULL;
}

void text_add_ascii(struct text *t, const char *s)
{
	size_t owed = 0;

	while (*s) {
		size_t blanks = strspn(s, " "), n = text_utf8_length(s, strnlen(s, 4));
		const char *form = (unsigned char)*s < 0x80 ? NULL : ascii_form(s);

		if (blanks) {
			size_t paid = owed < blanks - 1 ? owed : blanks - 1;

			text_add_repeat(t, ' ', blanks - paid);
			owed -= paid;
			s += blanks;
			continue;
		}
		n = n ? n : 1;
		if (form) {
			text_add(t, form);
			owed += strlen(form) - 1;
		} else if ((unsigned char)*s < 0x80) {
			text_add_char(t, *s);
		} else {
			for (size_t i = 0; i < n; i++)
				text_printf(t, "\\x%02x", (unsigned char)s[i]);
			owed += 4 * n - 1;
		}
		s += n;
	}
}
