/* Runs of plain characters and quotes are copied; each other character is handled alone. */
#include "base/output/json_text.h"

#include <string.h>

static bool is_plain(unsigned char c)
{
	return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

static bool is_hex(char c)
{
	return text_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* Bytes of the escape at a backslash; 0 when it is not one. */
static size_t escape_length(const char *at, size_t left)
{
	if (left < 2)
		return 0;
	if (at[1] != 'u')
		return at[1] && strchr("\"\\/bfnrt", at[1]) ? 2 : 0;
	if (left < 6)
		return 0;
	for (int i = 2; i < 6; i++)
		if (!is_hex(at[i]))
			return 0;
	return 6;
}

static void add_unit(struct text *line, unsigned unit)
{
	text_printf(line, "\\u%04x", unit);
}

#define PLAIN_MOST 4096 /* bytes that are looked at in one go */

/* Adds what is plain, quotes and, where they begin no escape, backslashes; returns how many bytes
 * these were. */
static size_t add_plain(struct text *line, const char *bytes, size_t size, unsigned spelling)
{
	const char *at = bytes, *end = bytes + (size < PLAIN_MOST ? size : PLAIN_MOST);
	char *const from = text_room(line, 2 * (size_t)(end - bytes)), *to = from;

	for (; at < end; *to++ = *at++)
		if (!is_plain((unsigned char)*at)) {
			if (*at != '"' && (*at != '\\' || (spelling & JSON_KEEP_ESCAPES)))
				break;
			*to++ = '\\';
		}
	text_extend(line, (size_t)(to - from));
	return (size_t)(at - bytes);
}

static void add_ascii(struct text *line, char c, unsigned spelling)
{
	static const char special[] = "\b\f\n\r\t", letter[] = "bfnrt";
	const char *found = memchr(special, c, sizeof(special) - 1);

	if (c == '\\') {
		text_add(line, "\\\\");
	} else if (found && (spelling & JSON_SHORT)) {
		text_add_char(line, '\\');
		text_add_char(line, letter[found - special]);
	} else if (c < ' ' || (c == 0x7f && (spelling & JSON_DELETE))) {
		add_unit(line, (unsigned char)c);
	} else {
		text_add_char(line, c);
	}
}

size_t json_text_exact(struct text *line, const char *bytes, size_t size, unsigned spelling)
{
	size_t replaced = 0, n;

	text_add_char(line, '"');
	for (; size > 0; bytes += n, size -= n) {
		n = add_plain(line, bytes, size, spelling);
		if (n > 0)
			continue;
		if (*bytes == '\\' && (spelling & JSON_KEEP_ESCAPES) &&
			(n = escape_length(bytes, size))) {
			text_add_bytes(line, bytes, n);
			continue;
		}
		n = text_utf8_length(bytes, size);
		if (n > 1) {
			/* A character of n bytes in UTF-8, n > 1. */
			unsigned code = (unsigned char)bytes[0] & (0xffu >> (n + 1));
			bool is_line_end;

			for (size_t i = 1; i < n; i++)
				code = code << 6 | ((unsigned char)bytes[i] & 0x3fu);
			is_line_end = code == 0x2028 || code == 0x2029;
			if (!(spelling & JSON_ASCII) &&
				!(is_line_end && (spelling & JSON_LINE_ENDS))) {
				text_add_bytes(line, bytes, n);
			} else if (code < 0x10000) {
				add_unit(line, code);
			} else {
				add_unit(line, 0xd800 + ((code - 0x10000) >> 10));
				add_unit(line, 0xdc00 + ((code - 0x10000) & 0x3ff));
			}
		} else if (n == 1) {
			add_ascii(line, *bytes, spelling);
		} else {
			add_unit(line, 0xfffd);
			replaced++;
			n = 1;
		}
	}
	text_add_char(line, '"');
	return replaced;
}

static void add_made(
	struct text *line, const char *s, void (*make)(struct text *made, const char *s))
{
	struct text visible;

	text_init(&visible);
	make(&visible, s);
	json_text_exact(line, text_string(&visible), visible.size, JSON_LINE_ENDS);
	text_release(&visible);
}

void json_text(struct text *line, const char *s)
{
	add_made(line, s, text_add_visible);
}

void json_text_shown(struct text *line, const char *s)
{
	add_made(line, s, text_add_shown);
}
