/*
 * A walk by the grammar, byte by byte.
 */
#include "timeline/merge/json_fields.h"

#include <string.h>
#include "base/text.h"

#define DEPTH_MOST 5000 /* the trace's own limit is below */

struct text_walk {
	const char *at, *end;
	unsigned depth;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

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

		if (!is_digit(c) && ((c | 0x20) < 'a' || (c | 0x20) > 'f'))
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

	while (w->at < w->end && is_digit(*w->at))
		w->at++;
	return w->at > begin;
}

static bool pass_number(struct text_walk *w)
{
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
		return pass_number(w);
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
