/* Reason of a failure: kind, place, message, hint. It does not print; only cli/ does. Functions
 * that can fail take `struct error *err` last, return 0 or -1, and leave it untouched on
 * success. */
#pragma once

enum error_kind {
	ERROR_NONE,
	ERROR_USAGE,  /* command line, rules or configuration: exit status 2 */
	ERROR_INPUT,  /* input unusable, or a filter that matches nothing: 3 */
	ERROR_OUTPUT, /* cannot write: 3 */
	ERROR_LIMIT,  /* a cap passed: 3 */
};

struct error {
	enum error_kind kind;
	char place[512];    /* "FILE:POSITION" or "--option"; may be empty */
	char message[1024]; /* what was found, what was expected; lower case, no full stop */
	char hint[512];	    /* what to do; may be empty */
};

/* Sets kind, place and message (the hint becomes empty) and returns -1, so that `return
 * error_set(...)` reads well. Text that does not fit is cut at a character and ends in "...". place
 * may be NULL. */
int error_set(struct error *err, enum error_kind kind, const char *place, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
int error_hint(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts "text: " before the message, which stays as it is. */
int error_context(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* FILE:POSITION in out; position is a byte offset ("FILE:byte 123"). Returns out. */
const char *error_place_offset(
	char *out, unsigned long size, const char *file, unsigned long long offset);
