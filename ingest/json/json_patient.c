/* JSON text that its producer got wrong: where its parts begin all the same. */
#include "ingest/json/json_index.h"

#include <string.h>
#include "base/text.h"

struct patient {
	const char *bytes;
	size_t size;
	struct json_damage *damage;
};

static void note(size_t *count, size_t *first, size_t at)
{
	if ((*count)++ == 0)
		*first = at;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t past_blanks(const struct patient *p, size_t at)
{
	while (at < p->size && is_blank(p->bytes[at]))
		at++;
	return at;
}

/* True if a member of an object begins at `at`: a plain word in quotes and a colon. */
static bool is_member(const struct patient *p, size_t at)
{
	size_t end;

	if (at >= p->size)
		return true; /* cut here: nothing speaks against it */
	if (p->bytes[at] != '"')
		return false;
	for (end = at + 1; end < p->size && p->bytes[end] != '"'; end++)
		if (p->bytes[end] == ',' || p->bytes[end] == ':' || p->bytes[end] == '{' ||
			is_blank(p->bytes[end]) || p->bytes[end] == '\\')
			return false;
	end = past_blanks(p, end + 1);
	return end >= p->size || p->bytes[end] == ':';
}

/* True if the quote at `at` can end a string. A string may be followed by a colon and a value, a
 * comma and a new string or value, or the end of the object or array around it. */
static bool can_end(const struct patient *p, size_t at)
{
	size_t next = past_blanks(p, at + 1);
	char c = next < p->size ? p->bytes[next] : '\0';

	if (next >= p->size || c == ':')
		return true;
	if (c == '}' || c == ']') {
		next = past_blanks(p, next + 1);
		return next >= p->size || strchr(",]}{", p->bytes[next]);
	}
	if (c != ',')
		return false;
	next = past_blanks(p, next + 1);
	return next >= p->size || strchr("\"{[]}-0123456789tfnNI", p->bytes[next]);
}

/* A backslash and a quote inside a string, with a member after it: a path that ends in a
 * backslash. */
static bool ends_after_backslash(const struct patient *p, size_t quote)
{
	size_t next = past_blanks(p, quote + 1);

	if (next >= p->size || p->bytes[next] != ',')
		return false;
	next = past_blanks(p, next + 1);
	return next < p->size && is_member(p, next);
}

/* The byte after the string that begins at the quote `at`; the size when it does not end. */
static size_t string_end(const struct patient *p, size_t at)
{
	size_t length;

	for (at++; at < p->size; at += length) {
		unsigned char c = (unsigned char)p->bytes[at];

		length = 1;
		if (c == '"') {
			if (can_end(p, at))
				return at + 1;
			note(&p->damage->open_quotes, &p->damage->open_quote_at, at);
		} else if (c == '\\') {
			if (at + 1 < p->size && p->bytes[at + 1] == '"' &&
				ends_after_backslash(p, at + 1)) {
				note(&p->damage->bad_escapes, &p->damage->bad_escape_at, at);
				return at + 2;
			}
			length = 2;
		} else if (c < 0x20) {
			note(&p->damage->control_bytes, &p->damage->control_byte_at, at);
		} else if (c >= 0x80) {
			length = text_utf8_length(p->bytes + at, p->size - at);
			if (length == 0) {
				length = 1;
				if (p->size - at >= 4) /* else the piece may cut it */
					note(&p->damage->not_utf8, &p->damage->not_utf8_at, at);
			}
		}
	}
	return p->size;
}

static size_t scalar_end(const struct patient *p, size_t at)
{
	while (at < p->size && !is_blank(p->bytes[at]) &&
		!strchr("{}[]:,\"", p->bytes[at] ? p->bytes[at] : 'x'))
		at++;
	return at;
}

size_t json_patient(const char *bytes, size_t size, uint32_t *at, struct json_damage *damage)
{
	const struct patient p = {bytes, size, damage};
	size_t count = 0, i = 0;

	while ((i = past_blanks(&p, i)) < size) {
		at[count++] = (uint32_t)i;
		if (bytes[i] == '"')
			i = string_end(&p, i);
		else if (bytes[i] && strchr("{}[]:,", bytes[i]))
			i++;
		else
			i = scalar_end(&p, i);
	}
	return count;
}
