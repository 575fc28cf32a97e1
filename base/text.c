/* The growing buffer, UTF-8 checks and small comparisons. Widths are in text_width.c, nearest words
 * in text_nearest.c. */
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"

#define TEXT_FIRST 64 /* bytes */
#define TEXT_DRAINED ((size_t)1 << 16)

void text_init(struct text *t)
{
	*t = (struct text){NULL, 0, 0, NULL};
}

void text_release(struct text *t)
{
	memory_free(t->data);
	text_init(t);
}

void text_clear(struct text *t)
{
	t->size = 0;
	if (t->data)
		t->data[0] = '\0';
}

/* Room for n more bytes and the 0. */
static void text_reserve(struct text *t, size_t n)
{
	size_t need;

	if (t->drain && t->size > TEXT_DRAINED) {
		t->drain(t);
		text_clear(t);
	}
	if (t->room - t->size > n)
		return;

	if (__builtin_add_overflow(t->size, n, &need) || need == SIZE_MAX)
		memory_exhausted(SIZE_MAX);
	need = need < TEXT_FIRST ? TEXT_FIRST : need + 1;
	t->data = memory_make_room(t->data, &t->room, need, 1);
}

void text_add_bytes(struct text *t, const char *s, size_t n)
{
	text_reserve(t, n);
	if (n)
		memcpy(t->data + t->size, s, n);
	t->size += n;
	t->data[t->size] = '\0';
}

char *text_room(struct text *t, size_t n)
{
	text_reserve(t, n);
	return t->data + t->size;
}

void text_extend(struct text *t, size_t n)
{
	t->size += n;
	t->data[t->size] = '\0';
}

void text_add(struct text *t, const char *s)
{
	text_add_bytes(t, s, strlen(s));
}

void text_add_char(struct text *t, char c)
{
	text_add_bytes(t, &c, 1);
}

void text_add_repeat(struct text *t, char c, size_t count)
{
	text_reserve(t, count);
	memset(t->data + t->size, c, count);
	t->size += count;
	t->data[t->size] = '\0';
}

void text_add_character(struct text *t, uint32_t code_point)
{
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
	size_t n = code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
	char bytes[4];

	for (size_t i = n - 1; i > 0; i--, code_point >>= 6)
		bytes[i] = (char)(0x80 | (code_point & 0x3f));
	bytes[0] = (char)(lead[n] | code_point);
	text_add_bytes(t, bytes, n);
}

void text_printf(struct text *t, const char *format, ...)
{
	va_list args, again;

	va_start(args, format);
	va_copy(again, args);
	text_reserve(t, 0);
	int length = vsnprintf(t->data + t->size, t->room - t->size, format, args);

	if (length < 0) {
		t->data[t->size] = '\0';
	} else {
		if ((size_t)length >= t->room - t->size) {
			text_reserve(t, (size_t)length);
			vsnprintf(t->data + t->size, t->room - t->size, format, again);
		}
		t->size += (size_t)length;
	}
	va_end(again);
	va_end(args);
}

const char *text_string(const struct text *t)
{
	return t->data ? t->data : "";
}

/* Table 3-7 of the Unicode standard: the second byte excludes the ill-formed ones. */
size_t text_utf8_length(const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s;

	if (n == 0)
		return 0;
	if (p[0] < 0x80)
		return 1;
	size_t length = p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
	unsigned char least = 0x80, most = 0xbf;

	if (length == 0 || length > n)
		return 0;
	if (p[0] == 0xe0)
		least = 0xa0; /* overlong */
	else if (p[0] == 0xed)
		most = 0x9f; /* surrogates */
	else if (p[0] == 0xf0)
		least = 0x90; /* overlong */
	else if (p[0] == 0xf4)
		most = 0x8f; /* above U+10FFFF */
	if (p[1] < least || p[1] > most)
		return 0;
	for (size_t i = 2; i < length; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return length;
}

size_t text_cut(const char *s, size_t n, size_t most)
{
	if (n <= most)
		return n;
	while (most > 0 && ((unsigned char)s[most] & 0xc0) == 0x80)
		most--;
	return most;
}

/* A well-formed character of 2 or 3 bytes that must not reach a screen or a sheet. */
static bool is_hostile(const char *s, size_t length)
{
	const unsigned char *p = (const unsigned char *)s;

	if (length == 2)
		return (p[0] == 0xc2 && p[1] < 0xa0) || /* C1 controls */
		       (p[0] == 0xd8 && p[1] == 0x9c);	/* U+061C arabic letter mark */
	if (length != 3)
		return false;
	uint32_t code = (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);

	return code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069) ||
	       code >= 0xfffe; /* no characters; XML, and so a sheet, refuses them */
}

static void text_add_escaped(struct text *t, const char *s, size_t n)
{
	static const char hex[] = "0123456789abcdef";

	char *to = text_room(t, 4 * n);

	for (size_t i = 0; i < n; i++, to += 4) {
		unsigned char byte = (unsigned char)s[i];

		memcpy(to, "\\x", 2);
		to[2] = hex[byte >> 4];
		to[3] = hex[byte & 15];
	}
	text_extend(t, 4 * n);
}

/* Default_Ignorable_Code_Point of the Unicode character database (version 14), the separators of
 * lines and paragraphs, and the annotation characters. */
static bool is_invisible(const char *s, size_t length)
{
	static const struct {
		uint32_t first, last;
	} range[] = {{0xad, 0xad}, {0x34f, 0x34f}, {0x61c, 0x61c}, {0x115f, 0x1160},
		{0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f}, {0x2028, 0x202e},
		{0x2060, 0x206f}, {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},
		{0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
		{0xe0000, 0xe0fff}};
	uint32_t code = (unsigned char)s[0] & (0x7fu >> length);

	for (size_t i = 1; i < length; i++)
		code = code << 6 | ((unsigned char)s[i] & 0x3fu);
	for (size_t i = 0; i < sizeof(range) / sizeof(*range); i++)
		if (code >= range[i].first && code <= range[i].last)
			return true;
	return false;
}

static void add_escaping(struct text *t, const char *s, bool invisible)
{
	const char *end = s + strlen(s);

	text_reserve(t, (size_t)(end - s)); /* also makes "" of an empty s */
	t->data[t->size] = '\0';
	while (s < end) {
		const char *from = s;

		while (s < end && *s >= 0x20 && *s < 0x7f)
			s++;
		text_add_bytes(t, from, (size_t)(s - from));
		for (from = s; s < end && ((unsigned char)*s < 0x20 || *s == 0x7f);)
			s++;
		text_add_escaped(t, from, (size_t)(s - from));
		if (s > from || s == end)
			continue;
		size_t length = text_utf8_length(s, (size_t)(end - s));

		if (length < 2 || is_hostile(s, length) || (invisible && is_invisible(s, length)))
			text_add_escaped(t, s, length ? length : 1);
		else
			text_add_bytes(t, s, length);
		s += length ? length : 1;
	}
}

size_t text_add_zeros_visible(struct text *t, const char *s, size_t n)
{
	const char *zero;
	size_t count = 0;

	for (; n && (zero = memchr(s, '\0', n)); count++) {
		text_add_bytes(t, s, (size_t)(zero - s));
		text_add(t, "\\0");
		n -= (size_t)(zero + 1 - s);
		s = zero + 1;
	}
	text_add_bytes(t, s, n);
	return count;
}

void text_add_quoted(struct text *t, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_@%+=:,./-";

	if (*word && !word[strspn(word, plain)]) {
		text_add(t, word);
		return;
	}
	text_add_char(t, '\'');
	for (; *word; word++)
		if (*word == '\'')
			text_add(t, "'\\''");
		else
			text_add_char(t, *word);
	text_add_char(t, '\'');
}

void text_add_visible(struct text *t, const char *s)
{
	add_escaping(t, s, false);
}

void text_add_shown(struct text *t, const char *s)
{
	add_escaping(t, s, true);
}

void text_disarm(struct text *t, size_t from)
{
	const char *s = text_string(t) + from, *start = s + strspn(s, " \t");
	struct text safe;

	if (!text_starts(start, "::") && !strstr(s, "##"))
		return;
	text_init(&safe);
	for (const char *c = s; *c; c++) {
		bool runs = text_starts(c, "##[") || text_starts(c, "##vso[") ||
			    (c == start && text_starts(c, "::"));

		if (runs)
			text_printf(&safe, "\\x%02x", (unsigned char)*c);
		else
			text_add_char(&safe, *c);
	}
	t->size = from;
	text_add(t, text_string(&safe));
	text_release(&safe);
}

bool text_equal(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

bool text_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool text_ends(const char *s, const char *suffix)
{
	size_t length = strlen(s), end = strlen(suffix);

	return length >= end && memcmp(s + length - end, suffix, end) == 0;
}

const char *text_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

size_t text_path_size(const char *path)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	return n;
}

/* Compares the runs of digits at *a and *b by value and moves both past them. */
static int compare_runs(const char **a, const char **b)
{
	const char *x = *a, *y = *b;

	while (*x == '0')
		x++;
	while (*y == '0')
		y++;
	size_t x_digits = strspn(x, "0123456789"), y_digits = strspn(y, "0123456789");

	*a = x + x_digits;
	*b = y + y_digits;
	if (x_digits != y_digits)
		return x_digits < y_digits ? -1 : 1;
	return memcmp(x, y, x_digits);
}

int text_compare_natural(const char *a, const char *b)
{
	const char *p = a, *q = b;

	while (*p && *q) {
		int order;

		if (text_is_digit(*p) && text_is_digit(*q)) {
			order = compare_runs(&p, &q);
		} else {
			order = (int)(unsigned char)*p - (int)(unsigned char)*q;
			p++;
			q++;
		}
		if (order)
			return order;
	}
	if (*p || *q)
		return *p ? 1 : -1;
	return strcmp(a, b);
}

int text_compare_tree(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	if (*a == *b)
		return 0;
	if (!*a || !*b)
		return *a ? 1 : -1;
	if (*a == '/' || *b == '/')
		return *a == '/' ? -1 : 1;
	return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
}

/* ---- terminals without UTF-8 ---- */

/* ASCII form of a character that our own texts use; NULL: the character is part of a name. */
static const char *ascii_form(const char *s)
{
	static const struct {
		const char *character, *form;
	} forms[] = {{"\302\261", "+-"}, {"\342\200\246", "..."}, {"\302\267", "-"},
		{"\342\200\223", "-"}, {"\342\200\224", "-"}, {"\303\227", "x"}, {"\302\265", "u"}};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (text_starts(s, forms[i].character))
			return forms[i].form;
	return NULL;
}

void text_add_ascii(struct text *t, const char *s)
{
	size_t owed = 0;

	while (*s) {
		size_t blanks = strspn(s, " "), n = text_utf8_length(s, strnlen(s, 4));
		const char *form = (unsigned char)*s < 0x80 ? NULL : ascii_form(s);

		if (blanks) {
			size_t paid = owed < blanks - 1 ? owed : blanks - 1;

			text_add_repeat(t, ' ', blanks - paid);
			owed -= paid;
			s += blanks;
			continue;
		}
		n = n ? n : 1;
		if (form) {
			text_add(t, form);
			owed += strlen(form) - 1;
		} else if ((unsigned char)*s < 0x80) {
			text_add_char(t, *s);
		} else {
			for (size_t i = 0; i < n; i++)
				text_printf(t, "\\x%02x", (unsigned char)s[i]);
			owed += 4 * n - 1;
		}
		s += n;
	}
}

/* The digit as text_add_visible() writes it. */
static unsigned visible_digit(char c)
{
	return c >= 'A' && c <= 'F' ? 16 : text_digit(c);
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
		const unsigned high = p[0] == '\\' && p[1] == 'x' ? visible_digit(p[2]) : 16;
		const unsigned low = high > 15 ? 16 : visible_digit(p[3]);

		bytes[n] = low > 15 ? *p : (char)(high << 4 | low);
		p += low > 15 ? 1 : 4;
	}
	bytes[n] = '\0';
	text_init(&again);
	text_add_visible(&again, bytes); /* a byte 0 ends it early, so it stays as it was */
	same = text_equal(text_string(&again), text);
	text_release(&again);
	return same ? bytes : text;
}

static const struct template_place *find(
	const struct template_place *place, size_t count, const char *name, size_t n)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(place[i].name) == n && strncmp(place[i].name, name, n) == 0)
			return &place[i];
	return NULL;
}

void template_fill(
	struct text *out, const char *text, const struct template_place *place, size_t count)
{
	while (*text) {
		size_t plain = strcspn(text, "@"), n;
		const struct template_place *found;

		text_add_bytes(out, text, plain);
		text += plain;
		if (!*text)
			return;
		n = strspn(text + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
		found = text[1 + n] == '@' ? find(place, count, text + 1, n) : NULL;
		if (found) {
			text_add(out, found->text);
			text += n + 2;
		} else {
			text_add_char(out, *text++);
		}
	}
}
