/*
 * Quotes, backslashes and the two line ends of Unicode, escaped.
 */
#include "base/json_text.h"

#include <string.h>

static void add_escaped(struct text *line, const char *s)
{
	for (const char *c = s; *c;) {
		size_t plain = strcspn(c, "\"\\\342");

		text_add_bytes(line, c, plain);
		c += plain;
		if (*c == '\0')
			break;
		if (strncmp(c, "\342\200\250", 3) == 0 || strncmp(c, "\342\200\251", 3) == 0) {
			text_add(line, c[2] == '\250' ? "\\u2028" : "\\u2029");
			c += 3;
			continue;
		}
		if (*c == '"' || *c == '\\')
			text_add_char(line, '\\');
		text_add_char(line, *c++);
	}
}

void json_text(struct text *line, const char *s)
{
	struct text visible;

	text_init(&visible);
	text_add_visible(&visible, s);
	text_add_char(line, '"');
	add_escaped(line, text_string(&visible));
	text_add_char(line, '"');
	text_release(&visible);
}
