/* A text as a JSON string, in the spelling that an output needs. It knows no documents. */
#pragma once

#include "base/text.h"

/* Adds s in double quotes. Control bytes and bytes that are not UTF-8 are made visible first
 * (text_add_visible); U+2028 and U+2029, which end lines in scripts, are escaped. */
void json_text(struct text *line, const char *s);
/* The same, and characters that nobody can see are made visible, too (text_add_shown): for what
 * people read. */
void json_text_shown(struct text *line, const char *s);

/* Characters that json_text_exact escapes besides quotes and backslashes, and how. Without any of
 * these, control characters below U+0020 become \u00XX and all other characters stay UTF-8. */
enum json_spelling {
	JSON_ASCII = 1,	       /* all that is not ASCII as \uXXXX, beyond 16 bits as a pair */
	JSON_SHORT = 2,	       /* \b \f \n \r \t for the control characters that have a letter */
	JSON_DELETE = 4,       /* U+007F as \u007f */
	JSON_LINE_ENDS = 8,    /* U+2028 and U+2029 as \uXXXX */
	JSON_KEEP_ESCAPES = 16 /* the bytes are the inside of a JSON string: its escapes stay */
};
/* Spelling of Python's json.dumps. */
#define JSON_PYTHON (JSON_ASCII | JSON_SHORT | JSON_DELETE)

/* Adds the bytes in double quotes, nothing made visible. A byte that is not UTF-8 becomes \ufffd;
 * returns how many there were. `spelling`: values of enum json_spelling, joined by |. */
size_t json_text_exact(struct text *line, const char *bytes, size_t size, unsigned spelling);
