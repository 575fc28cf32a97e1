/* A walk by the grammar, byte by byte; mending by the table of the patient index, token by
 * token. */
#include "timeline/merge/json_fields.h"

#include <string.h>
#include "base/text.h"
#include "base/output/json_text.h"
#include "base/memory.h"

#define DEPTH_MOST 5000 /* the trace's own limit is below */

struct text_walk {
	const char *at, *end;
	unsigned depth;
};

static void pass_blanks(struct text_walk *w)
{
	while (w->at < w->end &&
		(*w->at == ' ' || *w->at == '\n' || *w->at == '\t' || *w->at == '\r'))
		w->at++;
}

static bool pass_char(struct text_walk *w, char c)
{
	if (w->at == w->end || *w->at != c)
		return false;
	w->at++;
	return true;
}

static bool pass_escape(struct text_walk *w)
{
	static const char letters[] = "\"\\/bfnrt";

	if (w->end - w->at < 2)
		return false;
	if (w->at[1] != 'u') {
		bool known = w->at[1] && strchr(letters, w->at[1]);

		w->at += 2;
		return known;
	}
	if (w->end - w->at < 6)
		return false;
	for (int i = 2; i < 6; i++) {
		char c = w->at[i];

		if (!text_is_digit(c) && ((c | 0x20) < 'a' || (c | 0x20) > 'f'))
			return false;
	}
	w->at += 6;
	return true;
}

/* A byte that means itself in a string. */
static bool is_plain(char c)
{
	return c >= ' ' && c != '"' && c != '\\'; /* plain char is signed or not: bytes of UTF-8 go
						     the slow way, or are checked there */
}

static bool pass_string(struct text_walk *w)
{
	size_t n;

	if (!pass_char(w, '"'))
		return false;
	while (w->at < w->end) {
		unsigned char c = (unsigned char)*w->at;

		if (c < 0x80 && is_plain((char)c)) {
			w->at++;
		} else if (c == '"') {
			w->at++;
			return true;
		} else if (c == '\\') {
			if (!pass_escape(w))
				return false;
		} else {
			n = c < 0x80 ? 0 : text_utf8_length(w->at, (size_t)(w->end - w->at));
			if (n == 0)
				return false;
			w->at += n;
		}
	}
	return false;
}

static bool pass_digits(struct text_walk *w)
{
	const char *begin = w->at;

	while (w->at < w->end && text_is_digit(*w->at))
		w->at++;
	return w->at > begin;
}

static bool pass_word(struct text_walk *w, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(w->end - w->at) < n || memcmp(w->at, word, n) != 0)
		return false;
	w->at += n;
	return true;
}

static bool pass_value(struct text_walk *w);

static bool pass_array(struct text_walk *w)
{
	w->at++;
	pass_blanks(w);
	if (pass_char(w, ']'))
		return true;
	do {
		if (!pass_value(w))
			return false;
		pass_blanks(w);
	} while (pass_char(w, ','));
	return pass_char(w, ']');
}

static bool pass_object(struct text_walk *w, struct json_fields *fields)
{
	w->at++;
	pass_blanks(w);
	if (pass_char(w, '}'))
		return true;
	do {
		struct json_field field;

		pass_blanks(w);
		field.key = w->at + 1;
		if (!pass_string(w))
			return false;
		field.key_size = (size_t)(w->at - 1 - field.key);
		pass_blanks(w);
		if (!pass_char(w, ':'))
			return false;
		pass_blanks(w);
		field.value = w->at;
		if (!pass_value(w))
			return false;
		field.value_size = (size_t)(w->at - field.value);
		if (fields && fields->count < JSON_FIELDS_MOST)
			fields->field[fields->count++] = field;
		pass_blanks(w);
	} while (pass_char(w, ','));
	return pass_char(w, '}');
}

static bool pass_value(struct text_walk *w)
{
	bool good;

	pass_blanks(w);
	if (w->at == w->end)
		return false;
	switch (*w->at) {
	case '"':
		return pass_string(w);
	case '{':
	case '[':
		if (w->depth == DEPTH_MOST)
			return false;
		w->depth++;
		good = *w->at == '{' ? pass_object(w, NULL) : pass_array(w);
		w->depth--;
		return good;
	case 't':
		return pass_word(w, "true");
	case 'f':
		return pass_word(w, "false");
	case 'n':
		return pass_word(w, "null");
	default:
		pass_char(w, '-');
		if (!pass_char(w, '0') && !pass_digits(w))
			return false;
		if (pass_char(w, '.') && !pass_digits(w))
			return false;
		if (w->at < w->end && (*w->at | 0x20) == 'e') {
			w->at++;
			if (!pass_char(w, '-'))
				pass_char(w, '+');
			return pass_digits(w);
		}
		return true;
	}
}

bool json_fields_of(const char *text, size_t size, struct json_fields *fields)
{
	struct text_walk w = {text, text + size, 0};

	fields->count = 0;
	return size > 0 && *text == '{' && pass_object(&w, fields) && w.at == w.end;
}

bool json_is_value(const char *text, size_t size)
{
	struct text_walk w = {text, text + size, 0};

	return pass_value(&w) && w.at == w.end;
}

bool json_field_is(const struct json_field *field, const char *key)
{
	return strlen(key) == field->key_size && memcmp(key, field->key, field->key_size) == 0;
}

/* ---- The table of the patient index, token by token; separators and brackets are our own, so
 * that the result is JSON whatever the tokens are ---- */

#define MEND_DEPTH_MOST 4096 /* what is deeper becomes a string of itself */

enum expected { ITEM, KEY, VALUE };

struct mender {
	struct text *out;
	char open[MEND_DEPTH_MOST]; /* '{' or '[' */
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
	if (m->depth == MEND_DEPTH_MOST) {
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

static void add_token(struct mender *m, const char *bytes, size_t begin, size_t next)
{
	while (next > begin + 1 && strchr(" \t\r\n", bytes[next - 1]) && bytes[next - 1])
		next--;
	size_t end = next;

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
