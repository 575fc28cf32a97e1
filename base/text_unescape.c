/*
 * Bytes out of their visible form.
 */
#include "base/text_unescape.h"

#include <string.h>
#include "base/text.h"

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

const char *visible_decode(const char *text, struct arena *arena)
{
	size_t n = 0;
	char *bytes;
	struct text again;
	bool same;

	if (!strstr(text, "\\x"))
		return text;
	bytes = arena_strdup(arena, text);
	for (const char *p = text; *p; n++) {
		int high = p[0] == '\\' && p[1] == 'x' ? hex_digit(p[2]) : -1;
		int low = high < 0 ? -1 : hex_digit(p[3]);

		bytes[n] = low < 0 ? *p : (char)(high << 4 | low);
		p += low < 0 ? 1 : 4;
	}
	bytes[n] = '\0';
	text_init(&again);
	text_add_visible(&again, bytes); /* a byte 0 ends it early, so it stays as it was */
	same = text_equal(text_string(&again), text);
	text_release(&again);
	return same ? bytes : text;
}
