/* Text: a growing buffer, widths on a terminal, nearest words, hostile bytes. It knows no format
 * (each writer escapes for itself) and no locale. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "base/arena.h"

struct text {
	char *data; /* always ends in 0 once something was added */
	size_t size, room;
	/* Takes the text away, piece by piece, when much of it has come together; NULL: it is kept.
	 */
	void (*drain)(struct text *t);
};

void text_init(struct text *t);
void text_release(struct text *t);
void text_clear(struct text *t);
void text_add(struct text *t, const char *s);
void text_add_bytes(struct text *t, const char *s, size_t n);
void text_add_char(struct text *t, char c);
void text_add_repeat(struct text *t, char c, size_t count);
/* Room for n bytes after the text, valid until the next call; text_extend makes the first of them,
 * at most n, part of the text. For writers of many short pieces. */
char *text_room(struct text *t, size_t n);
void text_extend(struct text *t, size_t n);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *text_string(const struct text *t); /* "" when empty */

/* Length in bytes of the UTF-8 character at s (1 to 4), or 0 when the bytes are not UTF-8 (also
 * overlong forms, surrogates and characters above U+10FFFF). n bytes may be read. */
size_t text_utf8_length(const char *s, size_t n);
/* Bytes of the n at s that are kept where at most `most` fit: no character is cut in two. */
size_t text_cut(const char *s, size_t n, size_t most);
/* Adds a character (at most U+10FFFF) as UTF-8; a surrogate as three bytes, which are not UTF-8. */
void text_add_character(struct text *t, uint32_t code_point);
/* Appends a word as a POSIX shell takes it: in single quotes where a character means something. */
void text_add_quoted(struct text *t, const char *word);

/* Adds s so that a terminal, a spreadsheet or a page can show it: bytes below 0x20, 0x7f, U+0080 to
 * U+009F, bidirectional controls, U+FFFE, U+FFFF (no XML may hold them) and bytes that are not
 * UTF-8 become \xNN (each byte); everything else, backslash too, stays. The result is valid UTF-8
 * without control characters. */
void text_add_visible(struct text *t, const char *s);

/* Adds n bytes with each zero byte as "\\0", so that no name ends at a byte that is part of it.
 * Returns how many there were. */
size_t text_add_zeros_visible(struct text *t, const char *s, size_t n);

/* text_add_visible for tables and messages that people read: characters that nobody can see
 * (U+00AD, U+200B to U+200F, U+2028, U+2060, U+FEFF, variation selectors, tags and their kind)
 * become \xNN, too. */
void text_add_shown(struct text *t, const char *s);

/* Lines of a log that begin with "::" run as commands on GitHub, "##[" and "##vso[" anywhere in a
 * line on Azure. One character of each in the line that begins at byte `from` becomes its byte,
 * "\\x3a": only names can bring these words. */
void text_disarm(struct text *t, size_t from);

/* Adds a line in ASCII: characters of our own texts become their form ("+-", "...", "u"), bytes of
 * others \xNN. What becomes longer shortens the next gap between columns, so that they stay in
 * line. */
void text_add_ascii(struct text *t, const char *s);

/* True if text_width(s) <= width; no more of a long text is looked at than fits. */
bool text_fits(const char *s, size_t width);
size_t text_width(const char *s); /* columns on a terminal; wide East Asian count 2, combining 0 */
/* Adds s cut in the middle with U+2026 to at most `width` columns, width >= 3. In a name with '/'
 * whole parts are left out where that uses the room: "gradients/unit_3_2/.../Conv2D". */
void text_add_shortened(struct text *t, const char *s, size_t width);

/* Number of edits that turn one text into the other (a byte inserted, deleted or changed, two
 * neighbours swapped), case ignored; SIZE_MAX when it is above `most`. */
size_t text_distance(const char *a, const char *b, size_t most);
/* Index of the word nearest to `word` by edit distance, or -1 when none is near (distance above
 * a third of the length, at least 1; or nothing in common). Case is ignored. Ties: the first. */
int text_nearest(const char *word, const char *const *words, size_t count);
/* The same for the `most` nearest of many (op names): fills out with indexes, returns how many.
 * Here a word that contains the other counts as near. */
size_t text_nearest_few(
	const char *word, const char *const *words, size_t count, size_t *out, size_t most);

bool text_equal(const char *a, const char *b);
/* Texts of n bytes, at whose end need be no 0. */
static inline bool text_is(const void *s, size_t n, const char *word)
{
	return n == strlen(word) && (n == 0 || memcmp(s, word, n) == 0);
}
static inline bool text_begins(const void *s, size_t n, const char *prefix)
{
	return n >= strlen(prefix) && (n == 0 || memcmp(s, prefix, strlen(prefix)) == 0);
}
static inline bool text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}
/* Value of a digit of a number with base 16 or less; 16: it is none. */
static inline unsigned text_digit(char c)
{
	const char letter = (char)(c | 0x20);

	if (text_is_digit(c))
		return (unsigned)(c - '0');
	return letter >= 'a' && letter <= 'f' ? (unsigned)(letter - 'a') + 10 : 16;
}
bool text_starts(const char *s, const char *prefix);
bool text_ends(const char *s, const char *suffix);
const char *text_base_name(const char *path); /* after the last '/' */
size_t text_path_size(const char *path);      /* without '/' at its end, but for "/" itself */
/* Compares as people sort file names: runs of digits by value, the rest by bytes; ties by bytes. */
int text_compare_natural(const char *a, const char *b);
/* Compares names with '/' as a tree lists them: siblings by bytes, each followed by what is below
 * it. */
int text_compare_tree(const char *a, const char *b);

/* The bytes with this visible form; the text itself when nothing in it was made visible. */
const char *visible_decode(const char *text, struct arena *arena);

struct template_place {
	const char *name; /* capitals and '_', without the signs */
	const char *text;
};

/* Adds the template with each @NAME@ replaced. Texts are not escaped. A name that is not among the
 * places stays. */
void template_fill(
	struct text *out, const char *text, const struct template_place *place, size_t count);
