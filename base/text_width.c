/* Columns on a terminal, by utf8proc's tables of the Unicode character database. */
#include "base/text.h"

#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

static uint32_t utf8_code(const char *s, size_t length)
{
	const unsigned char *p = (const unsigned char *)s;
	uint32_t code = length == 1 ? p[0] : p[0] & (0x7fu >> length);

	for (size_t i = 1; i < length; i++)
		code = code << 6 | (p[i] & 0x3fu);
	return code;
}

/* Length in bytes of the character at s, and its columns. A byte that is not UTF-8 is one column,
 * as most terminals show one sign for it. */
static size_t step(const char *s, size_t n, size_t *columns)
{
	size_t length = text_utf8_length(s, n);
	uint32_t code = length ? utf8_code(s, length) : ' ';

	if (code < 0x300)
		*columns = code >= 0x20 && !(code >= 0x7f && code < 0xa0);
	else if ((code >= 0x1160 && code < 0x1200) || (code >= 0xd7b0 && code < 0xd800))
		*columns = 0; /* vowels and ends of Hangul syllables, which utf8proc counts */
	else
		*columns = (size_t)utf8proc_charwidth((utf8proc_int32_t)code);
	return length ? length : 1;
}

static size_t width_of(const char *s, const char *end)
{
	size_t width = 0, columns;

	for (; s < end; s += step(s, (size_t)(end - s), &columns), width += columns)
		;
	return width;
}

size_t text_width(const char *s)
{
	return width_of(s, s + strlen(s));
}

/* The end of the longest start of s with at most `width` columns, with the marks of its last
 * character. */
static const char *head_end(const char *s, const char *end, size_t width)
{
	while (s < end) {
		size_t columns, length = step(s, (size_t)(end - s), &columns);

		if (columns > width)
			break;
		width -= columns;
		s += length;
	}
	return s;
}

bool text_fits(const char *s, size_t width)
{
	return *head_end(s, s + strlen(s), width) == '\0';
}

/* The begin of the longest end of s with at most `width` columns; not on a combining mark. It goes
 * back from the end: no more of a long name is looked at than is shown. */
static const char *tail_begin(const char *s, const char *end, size_t width)
{
	const char *begin = end;

	while (end > s) {
		size_t length = 1, columns;

		while (length < 4 && end - length > s && (end[-(ptrdiff_t)length] & 0xc0) == 0x80)
			length++;
		if (text_utf8_length(end - length, length) != length)
			length = 1;
		step(end - length, length, &columns);
		if (columns > width)
			break;
		width -= columns;
		end -= length;
		if (columns > 0)
			begin = end;
	}
	return begin;
}

/* Cut of names like paths between whole parts, "a/b/…/last", as long as that uses at least half of
 * the room. Sets the end of the head and the begin of the tail. */
static bool cut_at_parts(
	const char *s, const char *end, size_t width, const char **head, const char **tail)
{
	const char *last = strrchr(s, '/');

	if (!last)
		return false;
	if (width < 2 || !text_fits(last, width - 2))
		return false;
	size_t tail_width = width_of(last, end);
	const char *most = head_end(s, last, width - tail_width - 1);

	while (most > s && most[-1] != '/')
		most--;
	if (most == s || (width_of(s, most) + 1 + tail_width) * 2 < width)
		return false;
	*head = most;
	*tail = last;
	return true;
}

void text_add_shortened(struct text *t, const char *s, size_t width)
{
	const char *end = s + strlen(s);
	const char *head, *tail;

	if (text_fits(s, width)) {
		text_add_bytes(t, s, (size_t)(end - s));
		return;
	}
	if (!cut_at_parts(s, end, width, &head, &tail)) {
		size_t keep = width > 0 ? width - 1 : 0;

		head = head_end(s, end, keep - keep / 2);
		tail = tail_begin(s, end, keep / 2);
	}
	text_add_bytes(t, s, (size_t)(head - s));
	text_add(t, "\342\200\246"); /* U+2026 */
	text_add_bytes(t, tail, (size_t)(end - tail));
}
