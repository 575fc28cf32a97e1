/*
 * The table of the patient index, token by token; separators and brackets are our own, so that the
 * result is JSON whatever the tokens are.
 */
#include "timeline/json_mend.h"

#include <string.h>
#include "base/memory.h"
#include "timeline/json_fields.h"

#define DEPTH_MOST 4096 /* what is deeper becomes a string of itself */

enum expected { ITEM, KEY, VALUE };

struct mender {
	struct text *out;
	char open[DEPTH_MOST]; /* '{' or '[' */
	size_t depth;
	bool is_empty; /* nothing stands in the innermost one yet */
	enum expected expected;
};

static bool is_escape(const char *at, const char *end)
{
	if (end - at < 2)
		return false;
	if (at[1] != 'u')
		return at[1] && strchr("\"\\/bfnrt", at[1]);
	if (end - at < 6)
		return false;
	for (int i = 2; i < 6; i++)
		if (!at[i] || !strchr("0123456789abcdefABCDEF", at[i]))
			return false;
	return true;
}

void json_mend_string(const char *bytes, size_t size, bool escaped, struct text *out)
{
	const char *at = bytes, *end = bytes + size;
	size_t n;

	text_add_char(out, '"');
	for (; at < end; at += n) {
		unsigned char c = (unsigned char)*at;

		n = 1;
		if (c == '\\' && escaped && is_escape(at, end)) {
			n = at[1] == 'u' ? 6 : 2;
			text_add_bytes(out, at, n);
		} else if (c == '"' || c == '\\') {
			text_add_char(out, '\\');
			text_add_char(out, (char)c);
		} else if (c < ' ') {
			text_printf(out, "\\u%04x", c);
		} else if (c < 0x80) {
			text_add_char(out, (char)c);
		} else if ((n = text_utf8_length(at, (size_t)(end - at)))) {
			text_add_bytes(out, at, n);
		} else {
			text_add(out, "\\ufffd");
			n = 1;
		}
	}
	text_add_char(out, '"');
}

static void begin_value(struct mender *m)
{
	if (m->expected == KEY) {
		if (!m->is_empty)
			text_add_char(m->out, ',');
	} else if (m->expected == ITEM && m->depth > 0 && !m->is_empty) {
		text_add_char(m->out, ',');
	}
	m->is_empty = false;
}

/* What comes after a value in the innermost container. */
static void end_value(struct mender *m)
{
	m->expected = m->depth > 0 && m->open[m->depth - 1] == '{' ? KEY : ITEM;
}

static void give_key(struct mender *m, const char *bytes, size_t size, bool escaped)
{
	begin_value(m);
	json_mend_string(bytes, size, escaped, m->out);
	text_add_char(m->out, ':');
	m->expected = VALUE;
}

static void give_scalar(struct mender *m, const char *bytes, size_t size, bool is_string)
{
	if (m->expected == KEY) {
		give_key(m, bytes, size, is_string);
		return;
	}
	begin_value(m);
	if (is_string || !json_is_value(bytes, size))
		json_mend_string(bytes, size, is_string, m->out);
	else
		text_add_bytes(m->out, bytes, size);
	end_value(m);
}

static void open_container(struct mender *m, char bracket)
{
	if (m->depth == DEPTH_MOST) {
		give_scalar(m, &bracket, 1, false);
		return;
	}
	if (m->expected == KEY)
		give_key(m, "", 0, false);
	begin_value(m);
	text_add_char(m->out, bracket);
	m->open[m->depth++] = bracket;
	m->is_empty = true;
	m->expected = bracket == '{' ? KEY : ITEM;
}

static void close_container(struct mender *m)
{
	if (m->depth == 0)
		return;
	if (m->expected == VALUE)
		text_add(m->out, "null");
	text_add_char(m->out, m->open[--m->depth] == '{' ? '}' : ']');
	m->is_empty = false;
	end_value(m);
}

static size_t token_end(const char *bytes, size_t begin, size_t next)
{
	while (next > begin + 1 && strchr(" \t\r\n", bytes[next - 1]) && bytes[next - 1])
		next--;
	return next;
}

static void give_token(struct mender *m, const char *bytes, size_t begin, size_t next)
{
	size_t end = token_end(bytes, begin, next);

	switch (bytes[begin]) {
	case '{':
	case '[':
		open_container(m, bytes[begin]);
		break;
	case '}':
	case ']':
		close_container(m);
		break;
	case ',':
	case ':':
		break; /* ours stand where they belong */
	case '"':
		end -= end > begin + 1 && bytes[end - 1] == '"';
		give_scalar(m, bytes + begin + 1, end - begin - 1, true);
		break;
	default:
		give_scalar(m, bytes + begin, end - begin, false);
	}
}

void json_mend(struct json_index *index, const char *bytes, size_t size, struct text *out)
{
	struct mender *m = memory_alloc(sizeof(*m));
	struct json_damage ignored = {0};
	const uint32_t *at;
	size_t count, before = out->size;

	m->out = out;
	m->is_empty = true;
	json_index_patient(index, bytes, size, &at, &count, &ignored);
	for (size_t i = 0; i < count; i++) {
		give_token(m, bytes, at[i], i + 1 < count ? at[i + 1] : size);
		if (m->depth == 0 && m->expected == ITEM && out->size > before)
			break; /* one value is whole */
	}
	while (m->depth > 0)
		close_container(m);
	if (out->size == before)
		text_add(out, "null");
	memory_free(m);
}
