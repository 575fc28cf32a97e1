/*
 * The table of the patient index, token by token; separators and brackets are our own, so that the
 * result is JSON whatever the tokens are.
 */
#include "timeline/merge/json_mend.h"

#include <string.h>
#include "base/output/json_text.h"
#include "base/memory.h"
#include "timeline/merge/json_fields.h"

#define DEPTH_MOST 4096 /* what is deeper becomes a string of itself */

enum expected { ITEM, KEY, VALUE };

struct mender {
	struct text *out;
	char open[DEPTH_MOST]; /* '{' or '[' */
	size_t depth;
	bool is_empty; /* the innermost one has no member yet */
	enum expected expected;
};

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

/* Sets the item that is expected after a value in the innermost container. */
static void end_value(struct mender *m)
{
	m->expected = m->depth > 0 && m->open[m->depth - 1] == '{' ? KEY : ITEM;
}

static void add_key(struct mender *m, const char *bytes, size_t size, bool escaped)
{
	begin_value(m);
	json_text_exact(m->out, bytes, size, escaped ? JSON_KEEP_ESCAPES : 0);
	text_add_char(m->out, ':');
	m->expected = VALUE;
}

static void add_scalar(struct mender *m, const char *bytes, size_t size, bool is_string)
{
	if (m->expected == KEY) {
		add_key(m, bytes, size, is_string);
		return;
	}
	begin_value(m);
	if (is_string || !json_is_value(bytes, size))
		json_text_exact(m->out, bytes, size, is_string ? JSON_KEEP_ESCAPES : 0);
	else
		text_add_bytes(m->out, bytes, size);
	end_value(m);
}

static void open_container(struct mender *m, char bracket)
{
	if (m->depth == DEPTH_MOST) {
		add_scalar(m, &bracket, 1, false);
		return;
	}
	if (m->expected == KEY)
		add_key(m, "", 0, false);
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

static void add_token(struct mender *m, const char *bytes, size_t begin, size_t next)
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
		break; /* ours are where they belong */
	case '"':
		end -= end > begin + 1 && bytes[end - 1] == '"';
		add_scalar(m, bytes + begin + 1, end - begin - 1, true);
		break;
	default:
		add_scalar(m, bytes + begin, end - begin, false);
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
		add_token(m, bytes, at[i], i + 1 < count ? at[i + 1] : size);
		if (m->depth == 0 && m->expected == ITEM && out->size > before)
			break; /* one value is whole */
	}
	while (m->depth > 0)
		close_container(m);
	if (out->size == before)
		text_add(out, "null");
	memory_free(m);
}
