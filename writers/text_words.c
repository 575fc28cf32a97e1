/*
 * A number and its unit ("41.82 ms", "5 %") are one word; all blanks that stood between two words
 * are kept unless the line is broken there.
 */
#include "writers/text_words.h"

#include <string.h>

struct text_word {
	const char *start;
	size_t bytes, width, blanks; /* blanks before it */
};

static bool is_short_word(const char *s)
{
	size_t n = strcspn(s, " ");

	return n > 0 && (n <= 2 || (n == 3 && strchr(",;.)", s[2])));
}

static const char *word_end(const char *s)
{
	for (;;) {
		s += strcspn(s, " ");
		if (s[0] == '\0' || s[-1] < '0' || s[-1] > '9' || !is_short_word(s + 1))
			return s;
		s++;
	}
}

static struct text_word word_next(const char **s, struct text *scratch)
{
	struct text_word word = {.blanks = strspn(*s, " ")};
	const char *end;

	word.start = *s + word.blanks;
	end = *word.start ? word_end(word.start) : word.start;
	word.bytes = (size_t)(end - word.start);
	text_clear(scratch);
	text_add_bytes(scratch, word.start, word.bytes);
	word.width = text_width(text_string(scratch));
	*s = end;
	return word;
}

size_t words_in_line(const char *s, size_t room, struct text *scratch)
{
	const char *rest = s, *gap = NULL;
	size_t used = 0;

	while (*rest) {
		const char *before = rest;
		struct text_word word = word_next(&rest, scratch);

		if (before != s && used + word.blanks + word.width > room) {
			if (word.bytes == 0)
				break;
			return (size_t)((gap && word.blanks < 2 ? gap : before) - s);
		}
		if (before != s && word.blanks >= 2 && used >= room / 3)
			gap = before;
		used += word.blanks + word.width;
	}
	return strlen(s);
}
